"""What the table says to people, in English and German, of what it shows and what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto

from hardware.switches import Switch
from rules import SQUARES, Kind, Position, Rules, Side, Square, format_square
from rules.explain import explain
from rules.game_text import format_roll, parse_roll
from rules.juggernaut import Roll
from rules.pieces import JUGGERNAUT_LETTER, PIECES
from rules.words import CATALOGUES, Language, kind_in_words, sentences

from .events import (
    Answer,
    Begin,
    Correction,
    DieCommit,
    DieNumber,
    DieRoll,
    DieSeed,
    Ending,
    Entry,
    Fault,
    Ply,
    Question,
    Recall,
    TakeBack,
    Wander,
)
from .reading.readings import FaultKind
from .repair import UNKNOWN, HandMove, Placing
from .session import News
from .view import Phase, View

MATRIX_COLUMNS = 10
SWITCH_OF = tuple(Switch(square) for square in SQUARES)
"""A matrix wired like the board: rank 1 is row 1, file a is column 1."""


class Say(Enum):
    """Everything the table can say."""

    BLACK = auto()
    ORANGE = auto()
    TO_MOVE = auto()
    IN_THE_AIR = auto()
    SET_UP = auto()
    OR_RIGHT = auto()
    PLACE = auto()
    PLACE_ONE = auto()
    ASK_WHERE = auto()
    ASK_WHICH = auto()
    ASK_JUGGERNAUT = auto()
    OR = auto()
    MOVE_HOME = auto()
    PUT = auto()
    TAKE_AWAY = auto()
    SOMETHING = auto()
    STUCK = auto()
    DEAD = auto()
    WIRE = auto()
    WINS = auto()
    DRAWN = auto()
    LEFT = auto()
    TROUBLE = auto()
    NOTE = auto()
    CONFIRMED = auto()
    TAKEN_BACK = auto()
    ASKED = auto()
    WANDERED = auto()
    RECALLED = auto()
    ROLL_DUE = auto()
    ROLL_AGAIN = auto()
    ROLL_SENDS = auto()
    COMMITTED = auto()
    NUMBER_ADDED = auto()
    ROLLED = auto()
    ROLLED_BY_HAND = auto()
    REVEALED = auto()
    CORRECTED = auto()
    BEGUN = auto()
    RESUMED = auto()
    DAMAGED = auto()
    GAME_DONE = auto()
    READ_RIGHTLY = auto()
    MISREAD = auto()
    DISK = auto()
    HINT_PLAY = auto()
    HINT_BOARD = auto()
    HINT_WATCH = auto()
    HINT_PAGE = auto()


ENGLISH: Mapping[Say, str] = {
    Say.BLACK: "Black",
    Say.ORANGE: "Orange",
    Say.TO_MOVE: "{side} to move.",
    Say.IN_THE_AIR: "In the air: {pieces}.",
    Say.SET_UP: "The board does not stand right yet.",
    Say.OR_RIGHT: "(If the board is right and a switch is not: `right`.)",
    Say.PLACE: "{side}{piece}s: {stand} of {total}. Put one on each of {squares}.",
    Say.PLACE_ONE: "{side}{piece}: put it on {squares}.",
    Say.ASK_WHERE: "Where did the piece from {start} go: {squares}? Lift it there and put it back.",
    Say.ASK_WHICH: "Which piece went to {end}: {squares}? Type e.g. `answer {first}`.",
    Say.ASK_JUGGERNAUT: "Where is the Juggernaut: {squares}? Lift it there and put it back.",
    Say.OR: " or ",
    Say.MOVE_HOME: "Put the {piece} from {start} on {end}.",
    Say.PUT: "Put the {piece} on {end}.",
    Say.TAKE_AWAY: "Take the {piece} off {start}.",
    Say.SOMETHING: "piece",
    Say.STUCK: "The switch under {square} is stuck: the table plays on without it.",
    Say.DEAD: "The switch under {square} is dead: the table plays on without it.",
    Say.WIRE: "Check it and its wires: row {row}, column {column} of the matrix.",
    Say.WINS: "{side} wins: {why}.",
    Say.DRAWN: "A draw: {why}.",
    Say.LEFT: "The game was left.",
    Say.TROUBLE: "Nothing is confirmed now. {why}",
    Say.NOTE: "Note: {note}.",
    Say.CONFIRMED: "confirmed {number} {move}",
    Say.TAKEN_BACK: "taken back {number}",
    Say.ASKED: "asked {number}: {squares}?",
    Say.WANDERED: "Juggernaut after {number}: {square}",
    Say.RECALLED: "Juggernaut back after {number}",
    Say.ROLL_DUE: "The Juggernaut's die: `roll`. (Your own die shows 3: `roll 3`.)",
    Say.ROLL_AGAIN: "The die shows {roll}, which leads off the board: `roll` again.",
    Say.ROLL_SENDS: "The die shows {roll}: the Juggernaut goes to {square}.",
    Say.COMMITTED: "The die has its secret seed. Its SHA-256: {commit}",
    Say.NUMBER_ADDED: "{number} is added to the die's seed",
    Say.ROLLED: "die after {number}: {roll}",
    Say.ROLLED_BY_HAND: "die after {number}: {roll}, thrown by hand",
    Say.REVEALED: "The die's seed was {seed}",
    Say.CORRECTED: "corrected: {position}",
    Say.BEGUN: "a new game: {rules}",
    Say.RESUMED: "Game {game} goes on after {plies} plies.",
    Say.DAMAGED: "The journal was damaged. It is kept as {path}, and a new one begun.",
    Say.GAME_DONE: "Game {game}: {plies} plies, {said}.",
    Say.READ_RIGHTLY: "read as they were played",
    Say.MISREAD: "read otherwise than they were played",
    Say.DISK: "Rows are rings: rim above and below, centre at o; the edges meet, j1 beside a10.",
    Say.HINT_PLAY: "d2 d3 moves; d2 lifts or puts; ? all words; quit",
    Say.HINT_BOARD: "why d2 d5, back, resign, draw; ? all words; quit",
    Say.HINT_WATCH: "quit",
    Say.HINT_PAGE: "Enter: back to the board",
}

GERMAN: Mapping[Say, str] = {
    Say.BLACK: "Schwarz",
    Say.ORANGE: "Orange",
    Say.TO_MOVE: "{side} ist am Zug.",
    Say.IN_THE_AIR: "In der Luft: {pieces}.",
    Say.SET_UP: "Das Brett steht noch nicht richtig.",
    Say.OR_RIGHT: "(Wenn das Brett stimmt und ein Schalter nicht: `right`.)",
    Say.PLACE: "{side}{piece}: {stand} von {total}. Je eine Figur auf {squares} stellen.",
    Say.PLACE_ONE: "{side}{piece}: auf {squares} stellen.",
    Say.ASK_WHERE: "Wohin ging die Figur von {start}: {squares}? Dort anheben und zurückstellen.",
    Say.ASK_WHICH: "Welche Figur ging nach {end}: {squares}? Etwa `answer {first}` tippen.",
    Say.ASK_JUGGERNAUT: "Wo steht der Juggernaut: {squares}? Dort anheben und zurückstellen.",
    Say.OR: " oder ",
    Say.MOVE_HOME: "{piece} von {start} nach {end} stellen.",
    Say.PUT: "{piece} auf {end} stellen.",
    Say.TAKE_AWAY: "{piece} von {start} wegnehmen.",
    Say.SOMETHING: "Figur",
    Say.STUCK: "Der Schalter unter {square} klemmt: der Tisch spielt ohne ihn weiter.",
    Say.DEAD: "Der Schalter unter {square} ist tot: der Tisch spielt ohne ihn weiter.",
    Say.WIRE: "Ihn und seine Drähte prüfen: Zeile {row}, Spalte {column} der Matrix.",
    Say.WINS: "{side} gewinnt: {why}.",
    Say.DRAWN: "Unentschieden: {why}.",
    Say.LEFT: "Die Partie wurde abgebrochen.",
    Say.TROUBLE: "Jetzt wird nichts bestätigt. {why}",
    Say.NOTE: "Hinweis: {note}.",
    Say.CONFIRMED: "bestätigt {number} {move}",
    Say.TAKEN_BACK: "zurückgenommen {number}",
    Say.ASKED: "gefragt {number}: {squares}?",
    Say.WANDERED: "Juggernaut nach {number}: {square}",
    Say.RECALLED: "Juggernaut zurück nach {number}",
    Say.ROLL_DUE: "Für den Juggernaut würfeln: `roll`. (Der eigene Würfel zeigt 3: `roll 3`.)",
    Say.ROLL_AGAIN: "Der Würfel zeigt {roll}, das führt vom Brett: noch einmal `roll`.",
    Say.ROLL_SENDS: "Der Würfel zeigt {roll}: der Juggernaut geht nach {square}.",
    Say.COMMITTED: "Der Würfel hat sein Geheimnis. Dessen SHA-256: {commit}",
    Say.NUMBER_ADDED: "{number} ist zum Würfel gegeben",
    Say.ROLLED: "Würfel nach {number}: {roll}",
    Say.ROLLED_BY_HAND: "Würfel nach {number}: {roll}, von Hand geworfen",
    Say.REVEALED: "Das Geheimnis des Würfels war {seed}",
    Say.CORRECTED: "berichtigt: {position}",
    Say.BEGUN: "eine neue Partie: {rules}",
    Say.RESUMED: "Partie {game} geht nach {plies} Zügen weiter.",
    Say.DAMAGED: "Das Journal war beschädigt. Es bleibt als {path}, ein neues ist begonnen.",
    Say.GAME_DONE: "Partie {game}: {plies} Züge, {said}.",
    Say.READ_RIGHTLY: "gelesen wie gespielt",
    Say.MISREAD: "anders gelesen als gespielt",
    Say.DISK: "Zeilen sind Ringe: Rand oben und unten, Mitte bei o; j1 liegt neben a10.",
    Say.HINT_PLAY: "d2 d3 zieht; d2 hebt an oder stellt ab; ? alle Wörter; quit",
    Say.HINT_BOARD: "why d2 d5, back, resign, draw; ? alle Wörter; quit",
    Say.HINT_WATCH: "quit: Ende",
    Say.HINT_PAGE: "Enter: zurück zum Brett",
}

WORDS: Mapping[Language, Mapping[Say, str]] = {"en": ENGLISH, "de": GERMAN}

GERMAN_ENDINGS: Mapping[str, str] = {
    "princess taken": "die Prinzessin ist geschlagen",
    "chief taken by chief": "der Anführer hat den Anführer geschlagen",
    "chief taken by another piece": "ein Anführer ist von einer anderen Figur geschlagen",
    "juggernaut": "der Juggernaut hat Anführer oder Prinzessin getroffen",
    "checkmate": "matt",
    "no move": "kein Zug ist möglich",
    "few pieces": "wenige, gleich starke Figuren",
    "captureless": "zu lange nichts geschlagen",
    "repetition": "dreimal dieselbe Stellung",
    "resigned": "aufgegeben",
    "agreed": "vereinbart",
}


class Speaker:
    """Puts a table's state and news into the words of one language.

    `switch_of` is how the squares are wired, for words about a switch that fails.
    """

    def __init__(self, language: Language, switch_of: Sequence[Switch] = SWITCH_OF) -> None:
        self.language = language
        self._switch_of = switch_of
        self._words = WORDS[language]

    def say(self, what: Say, **values: object) -> str:
        """Return one sentence."""
        return self._words[what].format(**values)

    def sentences(self, view: View) -> list[str]:
        """Return what there is to say about a table now, the most urgent first."""
        told = [self.say(Say.TROUBLE, why=view.trouble)] if view.trouble else []
        if view.ending:
            told.append(self._ending(view.ending))
        if view.phase is Phase.SETTING_UP:
            told.append(self._carrying_out(view) or self.say(Say.SET_UP))
        if view.placing:
            told.append(self._placing(view.placing, view.position.rules))
        if view.question:
            told.append(self.question(view.question))
        if view.repair:
            told += self._why_not(view)
            told.append(self._repair(view.repair, view.position.rules))
        elif view.lifted:
            pieces = ", ".join(self._piece_on(view.position, square) for square in view.lifted)
            told.append(self.say(Say.IN_THE_AIR, pieces=pieces))
        if view.repair or view.placing:
            told.append(self.say(Say.OR_RIGHT))
        if view.is_roll_due:
            told.append(self._due_roll(view))
        if view.phase is Phase.PLAYING and not view.trouble:
            told.append(self.say(Say.TO_MOVE, side=self._side(view.position.side)))
        for square, kind in sorted(view.faults.items()):
            told.append(f"{self._fault(format_square(square), kind)} {self._wires(square)}")
        return [*told, *(self.say(Say.NOTE, note=note) for note in view.notes)]

    def line(self, news: News) -> str:
        """Return what has happened, as one line."""
        if isinstance(news, Begin):
            return self.say(Say.BEGUN, rules=news.header.rules)
        return self._happened(news)

    def _happened(self, entry: Entry) -> str:
        match entry.event:
            case Ply(number=number, move=move) | Answer(number=number, move=move):
                return self.say(Say.CONFIRMED, number=number, move=move)
            case TakeBack(number=number):
                return self.say(Say.TAKEN_BACK, number=number)
            case Question(number=number, candidates=candidates):
                return self.say(Say.ASKED, number=number, squares=", ".join(candidates))
            case Wander(after=number, to_square=square):
                return self.say(Say.WANDERED, number=number, square=square)
            case Recall(after=number):
                return self.say(Say.RECALLED, number=number)
            case DieCommit() | DieNumber() | DieRoll() | DieSeed() as event:
                return self._die_told(event)
            case Fault(square=square, fault=kind):
                return self._fault(square, FaultKind(kind))
            case Correction(position=position):
                return self.say(Say.CORRECTED, position=position)
            case Ending() as ending:
                return self._ending(ending)
        raise TypeError(f"{entry.event!r} has no words")

    def _die_told(self, event: DieCommit | DieNumber | DieRoll | DieSeed) -> str:
        match event:
            case DieCommit(commit=commit):
                return self.say(Say.COMMITTED, commit=commit)
            case DieNumber(number=number):
                return self.say(Say.NUMBER_ADDED, number=number)
            case DieRoll(after=number, roll=text):
                roll = parse_roll(text)
                what = Say.ROLLED_BY_HAND if roll.by_hand else Say.ROLLED
                return self.say(what, number=number, roll=_shown(roll))
            case DieSeed(seed=seed):
                return self.say(Say.REVEALED, seed=seed)

    def _ending(self, ending: Ending) -> str:
        why = ending.termination
        if self.language == "de":
            why = GERMAN_ENDINGS.get(why, why)
        if ending.result == "*":
            return self.say(Say.LEFT)
        if ending.result == "draw":
            return self.say(Say.DRAWN, why=why)
        return self.say(Say.WINS, side=self._side(Side[ending.result.upper()]), why=why)

    def _carrying_out(self, view: View) -> str | None:
        """Return where the last roll sends the Juggernaut, which is not there yet; None if none."""
        if view.position.juggernaut is None or not view.rolls or view.is_roll_due:
            return None
        square = format_square(view.position.juggernaut)
        return self.say(Say.ROLL_SENDS, roll=_shown(view.rolls[-1]), square=square)

    def _due_roll(self, view: View) -> str:
        if view.rolls:
            return self.say(Say.ROLL_AGAIN, roll=_shown(view.rolls[-1]))
        return self.say(Say.ROLL_DUE)

    def _placing(self, placing: Placing, rules: Rules) -> str:
        piece = PIECES.get(placing.letter)
        return self.say(
            Say.PLACE if placing.total > 1 else Say.PLACE_ONE,
            side="" if piece is None else f"{self._side(piece.side)}, ",
            piece=self._thing(placing.letter, rules),
            stand=placing.stand,
            total=placing.total,
            squares=", ".join(map(format_square, placing.squares)),
        )

    def question(self, question: Question) -> str:
        """Return what the players are asked."""
        what = Say.ASK_WHICH if question.from_square is None else Say.ASK_WHERE
        return self.say(
            what if question.is_ply else Say.ASK_JUGGERNAUT,
            start=question.from_square,
            end=question.to_square,
            squares=self.say(Say.OR).join(question.candidates),
            first=question.candidates[0],
        )

    def _why_not(self, view: View) -> list[str]:
        """Return why the piece that is to go back may not stand where it was put, in play."""
        step, position = view.repair, view.position
        if view.phase is not Phase.PLAYING or step is None:
            return []
        start, end = step.to_square, step.from_square
        piece = None if start is None else position.piece_at(start)
        if start is None or end is None or piece is None or piece.side is not position.side:
            return []
        return [sentences(explain(position, start, end), position.rules, self.language)]

    def _repair(self, step: HandMove, rules: Rules) -> str:
        start = "" if step.from_square is None else format_square(step.from_square)
        end = "" if step.to_square is None else format_square(step.to_square)
        what = Say.PUT if not start else Say.MOVE_HOME if end else Say.TAKE_AWAY
        return self.say(what, piece=self._thing(step.letter, rules), start=start, end=end)

    def _fault(self, square: str, kind: FaultKind) -> str:
        return self.say(Say.STUCK if kind is FaultKind.STUCK else Say.DEAD, square=square)

    def _wires(self, square: Square) -> str:
        row, column = divmod(self._switch_of[square], MATRIX_COLUMNS)
        return self.say(Say.WIRE, row=row + 1, column=column + 1)

    def _piece_on(self, position: Position, square: Square) -> str:
        piece = position.piece_at(square)
        letter = piece.letter if piece else JUGGERNAUT_LETTER
        return f"{self._thing(letter, position.rules)} {format_square(square)}"

    def _thing(self, letter: str, rules: Rules) -> str:
        if letter == UNKNOWN:
            return self.say(Say.SOMETHING)
        if letter == JUGGERNAUT_LETTER:
            return CATALOGUES[self.language].juggernaut
        return self.kind(PIECES[letter].kind, rules)

    def kind(self, kind: Kind, rules: Rules) -> str:
        """Return a kind's name under these rules."""
        return kind_in_words(kind, rules, CATALOGUES[self.language])

    def _side(self, side: Side) -> str:
        return self.say(Say.BLACK if side is Side.BLACK else Say.ORANGE)


def _shown(roll: Roll) -> str:
    """Return what the die shows: `7`, or `10, 3, 7`."""
    return format_roll(roll._replace(by_hand=False)).replace(",", ", ")
