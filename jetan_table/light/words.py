"""The table's words to people: on its state, on the merits of moves, on gestures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from hardware.ports import Switch
from rules import (
    AND,
    PIECES,
    SIDES,
    SQUARES,
    Move,
    MoveKind,
    Occupant,
    Piece,
    Position,
    Rules,
    Sentence,
    Side,
    Square,
    _,
    explain,
    format_move,
    format_square,
    in_words,
    noun,
)

from ..engine.why import Merit, Point
from ..game.agreements import Clocks, format_seconds
from ..game.commands import Help
from ..game.events import Question
from ..game.record import Fight, Record
from ..game.terms import Opening
from ..languages import Language, refused_in, translation
from ..session.gestures import Deed
from ..session.orientation import A1
from ..session.tabletop import HandMove, Placing
from ..session.view import Advice, Phase, View
from .news import TO_MOVE, NewsWords, shown_roll

MATRIX_COLUMNS = 10
SWITCH_OF = tuple(Switch(square) for square in SQUARES)
"""A matrix wired like the board: rank 1 is row 1, file a is column 1."""


GESTURES: Mapping[Deed, Sentence] = {
    Deed.RESIGN: _("{side} resigns when the light is full. Putting one back calls it off."),
    Deed.DRAW: _("{side} offers a draw when the light is full. Putting one back calls it off."),
    Deed.TAKE_BACK: _(
        "The last move is taken back when the light is full. Putting one back calls it off."
    ),
    Deed.PAUSE: _(
        "The clock stops, or runs again, when the light is full. Putting one back calls it off."
    ),
    Deed.NEW_GAME: _("Another game begins when the light is full. Lifting one calls it off."),
}

NOTHING_IS_CONFIRMED = _("Nothing is confirmed now. {why}")
ROLL = _("(Type `roll`; if your own die shows 3: `roll 3`.)")


class Speaker(NewsWords):
    """Puts a table's state and news into the words of one language.

    `switch_of` is how the squares are wired, for words about a switch that fails.
    """

    def __init__(self, language: Language, switch_of: Sequence[Switch] = SWITCH_OF) -> None:
        super().__init__(language)
        self._switch_of = switch_of

    def sentences(self, view: View, is_typed: bool = True) -> list[str]:
        """Return what there is to say about a table now, the most urgent first.

        Where nothing `is_typed`, what could be typed is left out.
        """
        return [
            *self._urgent(view),
            *self._lost(view, is_typed),
            *self._asked_by_people(view, is_typed),
            *self._set_up(view),
            *self._in_hand(view, is_typed),
            *self._terms(view, is_typed),
            *self._remarks(view.record),
            *self._right(view, is_typed),
            *self._thrown_for(view, is_typed),
            *self._turn(view),
            *self._ails(view),
        ]

    def _urgent(self, view: View) -> Iterator[str]:
        """Yield why nothing is confirmed, what is taught, and how the game has ended."""
        if view.trouble:
            yield self.say(NOTHING_IS_CONFIRMED, why=view.trouble.found)
        yield from view.help.taught.get(self.language, ())
        if view.record.ending is not None:
            yield self.ending(view.record.ending)
            if view.record.account is not None:
                yield self.account(view.record.account)

    def _set_up(self, view: View) -> Iterator[str]:
        """Yield what lacks before play can go on."""
        leading = view.leading
        is_wrong = leading.missing or leading.extra or not view.is_roll_due
        if view.phase is Phase.SETTING_UP and is_wrong:
            yield self._carrying_out(view) or self.say(
                _("The table was off, and the board does not stand right.")
                if leading.was_off
                else _("The board does not stand right yet.")
            )
        if leading.placing:
            yield self._placing(leading.placing, view.position.rules)

    def _in_hand(self, view: View, is_typed: bool) -> Iterator[str]:
        """Yield what is asked of the board, and what to do with what hands hold."""
        if view.question:
            yield self.question(view.question, is_typed, is_past=not view.answer_squares)
        if view.leading.repair:
            yield from self._why_not(view)
            yield self._repair(view.leading.repair, view.position.rules)
        elif view.lifted:
            what = (
                _("You were in the middle of {pieces}: put it where it was to go, or back.")
                if view.leading.was_off
                else _("In the air: {pieces}.")
            )
            yield self.say(what, pieces=self._pieces(view.position, view.lifted))

    def _remarks(self, record: Record) -> Iterator[str]:
        for number, text in record.terms.remarks:
            if number == record.last_played:
                yield self.say(_("Remark: {text}"), text=text)

    def _right(self, view: View, is_typed: bool) -> Iterator[str]:
        if is_typed and (view.leading.repair or view.leading.placing):
            yield self.say(_("(If the board is right and a switch is not: `right`.)"))

    def _ails(self, view: View) -> Iterator[str]:
        """Yield which pieces are not seen, which switches fail, and what else is to be known."""
        for name in map(format_square, view.unseen):
            yield self.say(_("Not seen on {square}: shift the piece."), square=name)
        for square, kind in sorted(view.record.faults.items()):
            yield f"{self.fault(format_square(square), kind)} {self._wires(square)}"
        for note in (*(each.line for each in view.notices), *view.guest_notes):
            yield self.say(_("Note: {note}."), note=note)

    def _pieces(self, position: Position, squares: Iterable[Square]) -> str:
        return ", ".join(self.piece_on(position, square) for square in squares)

    def _and_typed(self, asked: str, is_typed: bool, *typed: Sentence) -> str:
        """Return what is asked, and where words can be typed, which."""
        return " ".join((asked, *(self.say(each) for each in typed if is_typed)))

    def _lost(self, view: View, is_typed: bool) -> Iterator[str]:
        """Yield that the game is lost, and by what the boards that may stand there differ."""
        if not view.lost:
            return
        is_known = view.lost == (view.position,)
        lost = _("I have lost track of the game: is this the board?")
        yield self.say(_("Is this the board?") if is_known else lost)
        for number, position in enumerate(view.lost, 1):
            differing = [
                self.piece_on(position, square)
                if position.occupant_at(square)
                else self.say(_("nothing on {square}"), square=format_square(square))
                for square in SQUARES
                if _stands_at(position, square) != _stands_at(view.position, square)
            ]
            board = ", ".join(differing) or self.say(_("as it was told"))
            yield self.say(_("Board {number}: {board}."), number=number, board=board)
        if is_typed:
            yield self.say(_("(Say which: `right 1`, `right 2`; or put the pieces back.)"))

    def clock(self, clocks: Clocks | None, now: float) -> list[str]:
        """Return what the clocks show as one line, `>` before the one that runs; none if none."""
        if clocks is None:
            return []
        shown = clocks.until(now)
        times = {side.word: self._time(shown, side) for side in Side}
        line = self.say(_("Clock: {black}, {orange}"), **times)
        stands = self.say(_("the clock is stopped"))
        return [f"{line} ({stands})" if shown.running is not None and shown.stops else line]

    def _time(self, clocks: Clocks, side: Side) -> str:
        mark = "> " if clocks.running is side else ""
        low = " (" + self.say(_("little time")) + ")" if clocks.is_low(side) else ""
        return f"{mark}{self.side(side)} {format_seconds(clocks.left.of(side))}{low}"

    def _terms(self, view: View, is_typed: bool) -> Iterator[str]:
        """Yield what the terms of the game ask of the players now."""
        if view.record.is_paused:
            yield self.say(
                _("The game is paused; a move, or `resume`, goes on.")
                if is_typed
                else _("The game is paused until somebody moves or lets it go on.")
            )
        if view.touched:
            pieces = self._pieces(view.position, view.touched)
            yield self.say(_("Touched, so it must be moved or taken: {pieces}."), pieces=pieces)

    def _asked_by_people(self, view: View, is_typed: bool) -> Iterator[str]:
        """Yield what a gesture under way is about to ask for, and the draw that is offered."""
        if view.corner is not None:
            yield self._corner(view.corner, view.corners)
        if view.gesture:
            gesture = view.gesture
            side = "" if gesture.side is None else self.side(gesture.side)
            yield self.say(GESTURES[gesture.deed], side=side)
        if view.refused is not None:
            yield self.say(_("Note: {note}."), note=refused_in(self.language, view.refused))
        if (offer := view.record.offer) is not None:
            yield self.say(_("{side} offers a draw."), side=self.side(offer))
            if is_typed:
                how = _("({side} types `accept` or `decline`, or just plays on.)")
                yield self.say(how, side=self.side(offer.other))

    def _corner(self, corner: Square, among: Iterable[Square]) -> str:
        """Return which corner people are asked to touch, where the board may lie turned."""
        what = (
            _(
                "Is the board turned round? Touch Black's left corner, a1: {squares}. "
                "Lift the piece there and put it back."
            )
            if corner == A1
            else _("And where is b1, beside it: {squares}? Lift the piece there and put it back.")
        )
        return self.say(what, squares=self.say(_(" or ")).join(map(format_square, among)))

    def _wish(self, wish: Move, position: Position) -> str:
        return self.say(
            _("I play {move}: please take the {victim} with the {piece} for me.")
            if wish.kind is MoveKind.CAPTURE
            else _("I play {move}: please put the {piece} on {end} for me."),
            move=format_move(wish, position),
            piece=self.piece_on(position, wish.from_square),
            victim=self.piece_on(position, wish.to_square),
            end=format_square(wish.to_square),
        )

    def _turn(self, view: View) -> Iterator[str]:
        """Yield who is to play, and what is wished or advised."""
        if view.phase is not Phase.PLAYING or view.record.unsettled:
            return
        position, wanted = view.position, view.help
        if wanted.wish and not view.leading.repair:
            yield self._wish(wanted.wish, position)
            if wanted.why:
                yield why_in_words(wanted.why, position.rules, self.language)
        elif not (view.trouble or view.fight):
            turn = (
                _("{side} to move, and in check: the Princess or the Chief could be taken.")
                if _is_check(position)
                else TO_MOVE
            )
            yield self.say(turn, side=self.side(position.side))
        if wanted.advice and not view.leading.repair:
            yield from self._advice(wanted.advice, position)

    def _advice(self, advice: Advice, position: Position) -> Iterator[str]:
        if (move := advice.move) is None:
            yield self.say(_("I am looking for a hint."))
        elif advice.help is Help.PIECE:
            piece = self.piece_on(position, move.from_square)
            yield self.say(_("Hint: think about the {piece}."), piece=piece)
        else:
            yield self.say(_("Hint: {move}."), move=format_move(move, position))
            if advice.help is Help.WHY and advice.points:
                yield why_in_words(advice.points, position.rules, self.language)
            elif advice.help is Help.WHY:
                yield self.say(_("No single reason stands out: it is the best move that I found."))

    def _thrown_for(self, view: View, is_typed: bool) -> Iterator[str]:
        """Yield what dice are to be thrown for, or what else is settled before the first ply."""
        if view.record.unsettled:
            yield self._unsettled(view.record.opening, is_typed)
            return
        if view.is_roll_due:
            yield self._due_roll(view, is_typed)
        if view.fight:
            yield self._fight(view.fight, is_typed)

    def _unsettled(self, opening: Opening, is_typed: bool) -> str:
        """Return what is to be settled now, and what can be typed for it."""
        is_first = opening.due == "first"
        agree = (
            _("(Or agree: type `begins black` or `begins orange`.)")
            if is_first
            else _("(Or agree: type `bias clockwise` or `bias counterclockwise`.)")
        )
        if opening.is_roll_due:
            asked = self.say(
                _("Roll for who begins: odd is Black, even is Orange.")
                if is_first
                else _("Roll for the way over the centre: odd is clockwise, even counterclockwise.")
            )
            return self._and_typed(asked, is_typed, ROLL, agree)
        asked = self.say(
            _("{side} says who begins: lift that side's Chief and put it back.")
            if is_first
            else _(
                "{side} says how the centre is crossed: lift and put back your Chief for "
                "clockwise, your Princess for counterclockwise."
            ),
            side=SIDES[str(opening.settler)],
        )
        return self._and_typed(asked, is_typed, agree)

    def _due_roll(self, view: View, is_typed: bool) -> str:
        """Return what is to be done about a roll that is due."""
        if view.position.juggernaut is None and view.position.rules["juggernaut"] != "off":
            due = self.say(_("Before the first move the die says where the Juggernaut begins."))
            how = _("(Type `roll`; if your own dice say file e, rank 6: `roll 10 5 6`.)")
            return self._and_typed(due, is_typed, how)
        what = (
            _("The die shows {roll}, which leads off the board: roll again.")
            if view.record.rolls
            else _("Roll the die to move the Juggernaut.")
        )
        due = self.say(what, roll="".join(map(shown_roll, view.record.rolls[-1:])))
        return self._and_typed(due, is_typed, ROLL)

    def _carrying_out(self, view: View) -> str | None:
        """Return what hands are led to do: a roll, or who lost a fight; None where neither is."""
        if view.record.rolls and not view.is_roll_due and view.position.juggernaut is not None:
            square = format_square(view.position.juggernaut)
            return self.say(
                _("The die shows {roll}: the Juggernaut goes to {square}."),
                roll=shown_roll(view.record.rolls[-1]),
                square=square,
            )
        duel, move = view.record.duel, view.record.last_move
        if duel is not None and move is not None and not duel.attacker_won:
            return self.say(
                _("The piece that entered {square} has lost the fight."),
                square=format_square(move.to_square),
            )
        return None

    def _fight(self, fight: Fight, is_typed: bool) -> str:
        """Return what is to be done about a fight that is open."""
        rules, attacker, defender = fight.before.rules, fight.attacker, fight.defender
        if fight.throws:
            attack, defence, _by_hand = fight.throws[-1]
            equal = _("{attack} and {defence}: equal, both throw again.")
            sentence = self.say(equal, attack=attack, defence=defence)
        else:
            begun = _(
                "The {attacker} ({side}) fights the {defender} for {square}: each side throws "
                "and adds its piece's value, {attack} and {defence}."
            )
            sentence = self.say(
                begun,
                attacker=self.kind(attacker.kind, rules),
                side=self.side(attacker.side),
                defender=self.kind(defender.kind, rules),
                square=format_square(fight.square),
                attack=rules.worth(attacker.kind),
                defence=rules.worth(defender.kind),
            )
            sentence = " ".join((sentence, self.say(_("Now the dice are thrown."))))
        how = _(
            "(Type `duel`; with dice of your own `duel 7 4`; or who won: `duel won`, `duel lost`.)"
        )
        return self._and_typed(sentence, is_typed, how)

    def _placing(self, placing: Placing, rules: Rules) -> str:
        piece = PIECES.get(placing.letter)
        return self.say(
            _("{side}{piece}s: {stand} of {total}. Put one on each of {squares}.")
            if placing.total > 1
            else _("{side}{piece}: put it on {squares}."),
            side="" if piece is None else f"{self.side(piece.side)}, ",
            piece=self.thing(placing.letter, rules),
            stand=placing.stand,
            total=placing.total,
            squares=", ".join(map(format_square, placing.squares)),
        )

    def question(self, question: Question, is_typed: bool = False, is_past: bool = False) -> str:
        """Return what the players are asked, and what can be typed where no touch answers.

        That is so once play has gone on, too, and what is asked about `is_past`.
        """
        if not question.is_ply:
            what = _("Where is the Juggernaut: {squares}? Lift it there and put it back.")
        elif question.from_square is None:
            what = _("Which piece went to {end}: {squares}?")
        elif is_past:
            what = _("It is still open where the piece from {start} went: {squares}.")
        elif len(question.candidates) == 1:
            what = _(
                "Did the piece from {start} take on {squares}? Lift it there and put it back, "
                "or just play."
            )
        else:
            what = _(
                "Where did the piece from {start} go: {squares}? Lift it there and put it back."
            )
        squares = self.say(_(" or ")).join(question.candidates)
        asked = self.say(what, start=question.from_square, end=question.to_square, squares=squares)
        for denial in filter(question.denies, question.candidates):
            still = self.say(_("({square}: it has not been moved.)"), square=denial)
            asked = f"{asked} {still}"
        is_touched = question.from_square is not None and not is_past
        if not is_typed or is_touched or not question.is_ply:
            return asked
        typed = self.say(_("Type e.g. `answer {first}`."), first=question.candidates[0])
        return f"{asked} {typed}"

    def _why_not(self, view: View) -> Iterator[str]:
        """Yield why the piece that is to go back may not stand where it was put, in play."""
        step, position = view.leading.repair, view.position
        if view.phase is not Phase.PLAYING or step is None:
            return
        start, end = step.to_square, step.from_square
        piece = None if start is None else position.piece_at(start)
        if piece and piece.side is position.side and start is not None and end is not None:
            yield explain(position, start, end).said(self.translate)

    def _repair(self, step: HandMove, rules: Rules) -> str:
        start = "" if step.from_square is None else format_square(step.from_square)
        end = "" if step.to_square is None else format_square(step.to_square)
        what = (
            _("Put the {piece} on {end}.")
            if not start
            else _("Put the {piece} from {start} on {end}.")
            if end
            else _("Take the {piece} off {start}.")
        )
        return self.say(what, piece=self.thing(step.letter, rules), start=start, end=end)

    def _wires(self, square: Square) -> str:
        row, column = divmod(self._switch_of[square], MATRIX_COLUMNS)
        return self.say(
            _("Check it and its wires: row {row}, column {column} of the matrix."),
            row=row + 1,
            column=column + 1,
        )


def _stands_at(position: Position, square: Square) -> tuple[Piece | None, Occupant]:
    return position.piece_at(square), position.occupant_at(square)


def _is_check(position: Position) -> bool:
    """Return True if the side to move is in check, by rules that end the game by mate."""
    law = position.law
    if not law.mate_ends or position.outcome is not None:
        return False
    return position.theirs.can_take_royal(position.ours, position.occupied, law.princess_takes)


@cache
def speaker(language: Language) -> Speaker:
    """Return who says things in a language where nobody has told how the squares are wired."""
    return Speaker(language)


MERITS: Mapping[Merit, Sentence] = {
    Merit.TAKES_PRINCESS: _("takes the Princess and wins"),
    Merit.TAKES_CHIEF: _("takes the Chief and wins"),
    Merit.WINS: _("wins the game"),
    Merit.DRAWS: _("draws the game"),
    Merit.DRAWS_BY_CHIEF: _("draws the game by taking the Chief"),
    Merit.WINS_SOON: _("wins by force in {number} moves at most{prey}"),
    Merit.FLEES: _("uses the Princess's one escape"),
    Merit.SAVES_PRINCESS: _("saves the Princess"),
    Merit.FIGHTS: _("fights {kinds}, which the dice let it win {number} times in a hundred"),
    Merit.TAKES_FREELY: _("takes {kinds} for nothing"),
    Merit.TAKES_DEARER: _("takes {kinds} and would lose less for it"),
    Merit.TAKES: _("takes {kinds}"),
    Merit.RESCUES: _("brings {kinds} to safety"),
    Merit.FORKS: _("attacks {kinds} at once"),
    Merit.THREATENS: _("threatens {kinds}"),
    Merit.PINS: _("pins {kinds}: by any move it gives its Princess away"),
    Merit.GUARDS: _("guards {kinds}"),
    Merit.NARROWS: _("leaves the enemy Princess {number} of {of} safe squares within reach"),
    Merit.WIDENS: _("lets {kinds} reach {number} squares instead of {of}"),
}


def moves_within(plies: int) -> int:
    """Return how many moves of its own who wins after so many plies makes, at the most."""
    return plies // 2 + 1


def better_in_words(move: str, points: Sequence[Point], rules: Rules, language: Language) -> str:
    """Return a sentence on a move that was better, by its text, and on what speaks for it."""
    if not points:
        return in_words(translation(language), _("Better was {move}."), move=move)
    return _said_of(_("Better was {move}: it {points}."), points, rules, language, move=move)


def reply_in_words(
    played: str, reply: str, points: Sequence[Point], rules: Rules, language: Language
) -> str:
    """Return what a move has allowed: the reply and what that does; empty where that is nothing."""
    words = _("After {played}, {reply} {points}.")
    return _said_of(words, points, rules, language, played=played, reply=reply)


def why_in_words(points: Sequence[Point], rules: Rules, language: Language) -> str:
    """Return a sentence that says what speaks for a move; the empty text where nothing does."""
    return _said_of(_("The move {points}."), points, rules, language)


def _said_of(
    template: Sentence,
    points: Sequence[Point],
    rules: Rules,
    language: Language,
    **values: object,
) -> str:
    if not points:
        return ""
    clauses = [_clause(point, rules, language) for point in points]
    translate = translation(language)
    return in_words(translate, template, points=translate(AND).join(clauses), **values)


def _clause(point: Point, rules: Rules, language: Language) -> str:
    translate = translation(language)
    named = point.kinds[:1] if point.merit is Merit.PINS else point.kinds
    kinds = translate(AND).join(translate(noun(kind, rules).object) for kind in named)
    prey = in_words(translate, _(", taking {kinds} as it expects"), kinds=kinds) if kinds else ""
    counted = point.numbers
    if point.merit is Merit.WINS_SOON:
        counted = tuple(map(moves_within, counted))
    numbers = dict(zip(("number", "of"), counted, strict=False))
    return in_words(translate, MERITS[point.merit], **numbers, kinds=kinds, prey=prey)


HOW_GESTURES_ARE_MADE = _(
    "Lift the pieces one after another, at most three seconds apart, and hold them until the light "
    "has filled up, four seconds. Putting one back calls it off."
)

GESTURE_ROWS: Mapping[Deed, tuple[Sentence, Sentence]] = MappingProxyType(
    {
        Deed.RESIGN: (_("resign"), _("your Chief and your Princess")),
        Deed.DRAW: (
            _("offer a draw, or accept it"),
            _("your Chief, your Princess, and the other side's Chief"),
        ),
        Deed.TAKE_BACK: (
            _("take the last move back"),
            _("your Chief, your Princess, and the other side's Princess"),
        ),
        Deed.PAUSE: (
            _("stop the clock, or let it run again"),
            _("both Chiefs and both Princesses"),
        ),
        Deed.NEW_GAME: (
            _("begin another game"),
            _("set all pieces up for it, after a game or in the middle of one"),
        ),
    }
)


def gestures_in_words(language: Language) -> list[tuple[str, str]]:
    """Return each gesture's name and hands' part."""
    say = translation(language)
    return [(say(name), say(what)) for name, what in GESTURE_ROWS.values()]


def gesture_lines(language: Language) -> list[str]:
    """Return the table as lines of text."""
    rows = gestures_in_words(language)
    wide = max(len(name) for name, _what in rows)
    return [
        translation(language)(HOW_GESTURES_ARE_MADE),
        *(f"{name:{wide}}  {what}" for name, what in rows),
    ]
