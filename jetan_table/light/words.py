"""The table's words to people: on its state, on the merits of moves, on gestures.

Sentences are made in no language, with what they name: a `Speaker`, or whoever shows them, puts
them into words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

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
    Worded,
    _,
    explain,
    format_move,
    format_square,
    joined,
    noun,
)

from ..engine.why import Merit, Point
from ..game.agreements import Clocks, format_seconds
from ..game.commands import Help
from ..game.events import Question
from ..game.record import Fight, Record
from ..game.terms import Opening
from ..languages import Language, say_in, translation, worded, worded_in
from ..session.gestures import Deed
from ..session.orientation import A1
from ..session.session import News
from ..session.tabletop import HandMove, Placing
from ..session.view import Advice, Phase, View
from .news import (
    TO_MOVE,
    account_in_words,
    ending_in_words,
    fault_in_words,
    name_of_letter,
    news_in_words,
    piece_on,
    shown_roll,
)

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

OR = _(" or ")
NOTHING_IS_CONFIRMED = _("Nothing is confirmed now. {why}")
ROLL = _("(Type `roll`; if your own die shows 3: `roll 3`.)")


def sentences(
    view: View, is_typed: bool = True, switch_of: Sequence[Switch] = SWITCH_OF
) -> list[str]:
    """Return what there is to say about a table now, the most urgent first.

    Where nothing `is_typed`, what could be typed is left out.
    """
    return [
        *_urgent(view),
        *_lost(view, is_typed),
        *_asked_by_people(view, is_typed),
        *_set_up(view),
        *_in_hand(view, is_typed),
        *_terms(view, is_typed),
        *_remarks(view.record),
        *_right(view, is_typed),
        *_thrown_for(view, is_typed),
        *_turn(view),
        *_ails(view, switch_of),
    ]


def _urgent(view: View) -> Iterator[str]:
    """Yield why nothing is confirmed, what is taught, and how the game has ended."""
    if view.trouble:
        yield Worded(NOTHING_IS_CONFIRMED, why=view.trouble.found)
    yield from view.help.taught
    if view.record.ending is not None:
        yield ending_in_words(view.record.ending)
        if view.record.account is not None:
            yield account_in_words(view.record.account)


def _set_up(view: View) -> Iterator[str]:
    """Yield what lacks before play can go on."""
    leading = view.leading
    is_wrong = leading.missing or leading.extra or not view.is_roll_due
    if view.phase is Phase.SETTING_UP and is_wrong:
        yield _carrying_out(view) or Worded(
            _("The table was off, and the board does not stand right.")
            if leading.was_off
            else _("The board does not stand right yet.")
        )
    if leading.placing:
        yield _placing(leading.placing, view.position.rules)


def _in_hand(view: View, is_typed: bool) -> Iterator[str]:
    """Yield what is asked of the board, and what to do with what hands hold."""
    if view.question:
        yield question_in_words(view.question, is_typed, is_past=not view.answer_squares)
    if view.leading.repair:
        yield from _why_not(view)
        yield _repair(view.leading.repair, view.position.rules)
    elif view.lifted:
        what = (
            _("You were in the middle of {pieces}: put it where it was to go, or back.")
            if view.leading.was_off
            else _("Lifted: {pieces}.")
        )
        yield Worded(what, pieces=_pieces(view.position, view.lifted))


def _remarks(record: Record) -> Iterator[str]:
    for number, text in record.terms.remarks:
        if number == record.last_played:
            yield Worded(_("Remark: {text}"), text=text)


def _right(view: View, is_typed: bool) -> Iterator[str]:
    if is_typed and (view.leading.repair or view.leading.placing):
        yield Worded(_("(If the board is right and a switch is not: `right`.)"))


def _ails(view: View, switch_of: Sequence[Switch]) -> Iterator[str]:
    """Yield which pieces are not seen, which switches fail, and what else is to be known."""
    for name in map(format_square, view.unseen):
        yield Worded(_("Not seen on {square}: shift the piece."), square=name)
    for square, kind in sorted(view.record.faults.items()):
        yield joined((fault_in_words(format_square(square), kind), _wires(square, switch_of)))
    for note in (*(each.line for each in view.notices), *view.guest_notes):
        yield Worded(_("Note: {note}."), note=note)


def _pieces(position: Position, squares: Iterable[Square]) -> str:
    return joined((piece_on(position, square) for square in squares), ", ")


def _and_typed(asked: str, is_typed: bool, *typed: Sentence) -> str:
    """Return what is asked, and where words can be typed, which."""
    return joined((asked, *(typed if is_typed else ())))


def _lost(view: View, is_typed: bool) -> Iterator[str]:
    """Yield that the game is lost, and by what the boards that may stand there differ."""
    if not view.lost:
        return
    is_known = view.lost == (view.position,)
    lost = _("I have lost track of the game: is this the board?")
    yield Worded(_("Is this the board?") if is_known else lost)
    for number, position in enumerate(view.lost, 1):
        differing = [
            piece_on(position, square)
            if position.occupant_at(square)
            else Worded(_("nothing on {square}"), square=format_square(square))
            for square in SQUARES
            if _stands_at(position, square) != _stands_at(view.position, square)
        ]
        board = joined(differing, ", ") or _("as it was told")
        yield Worded(_("Board {number}: {board}."), number=number, board=board)
    if is_typed:
        yield Worded(_("(Say which: `right 1`, `right 2`; or put the pieces back.)"))


def clock_in_words(clocks: Clocks | None, now: float) -> list[str]:
    """Return what the clocks show as one line, `>` before the one that runs; none if none."""
    if clocks is None:
        return []
    shown = clocks.until(now)
    times = {side.word: _time(shown, side) for side in Side}
    line = Worded(_("Clock: {black}, {orange}"), **times)
    if shown.running is None or not shown.stops:
        return [line]
    return [joined((line, _in_brackets(_("the clock is stopped"))))]


def _time(clocks: Clocks, side: Side) -> str:
    mark = "> " if clocks.running is side else ""
    time = joined((SIDES[side.word], format_seconds(clocks.left.of(side))))
    if clocks.is_low(side):
        time = joined((time, _in_brackets(_("little time"))))
    return joined((mark, time), "")


def _in_brackets(words: Sentence) -> str:
    return joined(("(", words, ")"), "")


def _terms(view: View, is_typed: bool) -> Iterator[str]:
    """Yield what the terms of the game ask of the players now."""
    if view.record.is_paused:
        yield Worded(
            _("The game is paused; a move, or `resume`, goes on.")
            if is_typed
            else _("The game is paused until somebody moves or lets it go on.")
        )
    if view.touched:
        pieces = _pieces(view.position, view.touched)
        yield Worded(_("Touched, so it must be moved or taken: {pieces}."), pieces=pieces)


def _asked_by_people(view: View, is_typed: bool) -> Iterator[str]:
    """Yield what a gesture under way is about to ask for, and the draw that is offered."""
    if view.corner is not None:
        yield _corner(view.corner, view.corners)
    if view.gesture:
        gesture = view.gesture
        side = "" if gesture.side is None else SIDES[gesture.side.word]
        yield Worded(GESTURES[gesture.deed], side=side)
    if view.refused is not None:
        yield Worded(_("Note: {note}."), note=worded(view.refused))
    if (offer := view.record.offer) is not None:
        yield Worded(_("{side} offers a draw."), side=SIDES[offer.word])
        if is_typed:
            how = _("({side} types `accept` or `decline`, or just plays on.)")
            yield Worded(how, side=SIDES[offer.other.word])


def _corner(corner: Square, among: Iterable[Square]) -> str:
    """Return which corner people are asked to touch, where the board may lie turned."""
    what = (
        _(
            "Is the board turned round? Touch Black's left corner, a1: {squares}. "
            "Lift the piece there and put it back."
        )
        if corner == A1
        else _("And where is b1, beside it: {squares}? Lift the piece there and put it back.")
    )
    return Worded(what, squares=joined(map(format_square, among), OR))


def _wish(wish: Move, position: Position) -> str:
    return Worded(
        _("I play {move}: please take the {victim} with the {piece} for me.")
        if wish.kind is MoveKind.CAPTURE
        else _("I play {move}: please put the {piece} on {end} for me."),
        move=format_move(wish, position),
        piece=piece_on(position, wish.from_square),
        victim=piece_on(position, wish.to_square),
        end=format_square(wish.to_square),
    )


def _turn(view: View) -> Iterator[str]:
    """Yield who is to play, and what is wished or advised."""
    if view.phase is not Phase.PLAYING or view.record.unsettled:
        return
    position, wanted = view.position, view.help
    if wanted.wish and not view.leading.repair:
        yield _wish(wanted.wish, position)
        if wanted.why:
            yield why_in_words(wanted.why, position.rules)
    elif not (view.trouble or view.fight):
        turn = (
            _("{side} to move, and in check: the Princess or the Chief could be taken.")
            if _is_check(position)
            else TO_MOVE
        )
        yield Worded(turn, side=SIDES[position.side.word])
    if wanted.advice and not view.leading.repair:
        yield from _advice(wanted.advice, position)


def _advice(advice: Advice, position: Position) -> Iterator[str]:
    if (move := advice.move) is None:
        yield Worded(_("I am looking for a hint."))
    elif advice.help is Help.PIECE:
        piece = piece_on(position, move.from_square)
        yield Worded(_("Hint: think about the {piece}."), piece=piece)
    else:
        yield Worded(_("Hint: {move}."), move=format_move(move, position))
        if advice.help is Help.WHY and advice.points:
            yield why_in_words(advice.points, position.rules)


def _thrown_for(view: View, is_typed: bool) -> Iterator[str]:
    """Yield what dice are to be thrown for, or what else is settled before the first ply."""
    if view.record.unsettled:
        yield _unsettled(view.record.opening, is_typed)
        return
    if view.is_roll_due:
        yield _due_roll(view, is_typed)
    if view.fight:
        yield _fight(view.fight, is_typed)


def _unsettled(opening: Opening, is_typed: bool) -> str:
    """Return what is to be settled now, and what can be typed for it."""
    is_first = opening.due == "first"
    agree = (
        _("(Or agree: type `begins black` or `begins orange`.)")
        if is_first
        else _("(Or agree: type `bias clockwise` or `bias counterclockwise`.)")
    )
    if opening.is_roll_due:
        asked = Worded(
            _("Roll for who begins: odd is Black, even is Orange.")
            if is_first
            else _("Roll for the way over the centre: odd is clockwise, even counterclockwise.")
        )
        return _and_typed(asked, is_typed, ROLL, agree)
    asked = Worded(
        _("{side} says who begins: lift that side's Chief and put it back.")
        if is_first
        else _(
            "{side} says how the centre is crossed: lift and put back your Chief for "
            "clockwise, your Princess for counterclockwise."
        ),
        side=SIDES[str(opening.settler)],
    )
    return _and_typed(asked, is_typed, agree)


def _due_roll(view: View, is_typed: bool) -> str:
    """Return what is to be done about a roll that is due."""
    if view.position.juggernaut is None and view.position.rules["juggernaut"] != "off":
        due = Worded(_("Before the first move the die says where the Juggernaut begins."))
        how = _("(Type `roll`; if your own dice say file e, rank 6: `roll 10 5 6`.)")
        return _and_typed(due, is_typed, how)
    what = (
        _("The die shows {roll}, which leads off the board: roll again.")
        if view.record.rolls
        else _("Roll the die to move the Juggernaut.")
    )
    due = Worded(what, roll="".join(map(shown_roll, view.record.rolls[-1:])))
    return _and_typed(due, is_typed, ROLL)


def _carrying_out(view: View) -> str | None:
    """Return what hands are led to do: a roll, or who lost a fight; None where neither is."""
    if view.record.rolls and not view.is_roll_due and view.position.juggernaut is not None:
        square = format_square(view.position.juggernaut)
        return Worded(
            _("The die shows {roll}: the Juggernaut goes to {square}."),
            roll=shown_roll(view.record.rolls[-1]),
            square=square,
        )
    duel, move = view.record.duel, view.record.last_move
    if duel is not None and move is not None and not duel.attacker_won:
        return Worded(
            _("The piece that entered {square} has lost the fight."),
            square=format_square(move.to_square),
        )
    return None


def _fight(fight: Fight, is_typed: bool) -> str:
    """Return what is to be done about a fight that is open."""
    rules, attacker, defender = fight.before.rules, fight.attacker, fight.defender
    if fight.throws:
        attack, defence, _by_hand = fight.throws[-1]
        equal = _("{attack} and {defence}: equal, both throw again.")
        sentence: str = Worded(equal, attack=attack, defence=defence)
    else:
        begun = _(
            "The {attacker} ({side}) fights the {defender} for {square}: each side throws "
            "and adds its piece's value, {attack} and {defence}."
        )
        sentence = Worded(
            begun,
            attacker=noun(attacker.kind, rules).name,
            side=SIDES[attacker.side.word],
            defender=noun(defender.kind, rules).name,
            square=format_square(fight.square),
            attack=rules.worth(attacker.kind),
            defence=rules.worth(defender.kind),
        )
        sentence = joined((sentence, _("Now the dice are thrown.")))
    how = _("(Type `duel`; with dice of your own `duel 7 4`; or who won: `duel won`, `duel lost`.)")
    return _and_typed(sentence, is_typed, how)


def _placing(placing: Placing, rules: Rules) -> str:
    piece = PIECES.get(placing.letter)
    return Worded(
        _("{side}{piece}s: {stand} of {total}. Put one on each of {squares}.")
        if placing.total > 1
        else _("{side}{piece}: put it on {squares}."),
        side="" if piece is None else joined((SIDES[piece.side.word], ""), ", "),
        piece=name_of_letter(placing.letter, rules),
        stand=placing.stand,
        total=placing.total,
        squares=", ".join(map(format_square, placing.squares)),
    )


MOST_NAMED: Final = 3
"""Squares that a question names: of more than these the board is easier to look at."""


def question_in_words(question: Question, is_typed: bool = False, is_past: bool = False) -> str:
    """Return what the players are asked, and what can be typed where no touch answers.

    That is so once play has gone on, too, and what is asked about `is_past`.
    """
    # Nobody looks through a dozen squares, but all see where a piece stands.
    is_long = len(question.candidates) > MOST_NAMED
    if not question.is_ply:
        what = _("Where is the Juggernaut: {squares}? Lift it there and put it back.")
    elif question.from_square is None:
        what = (
            _("Where did the piece on {end} come from?")
            if is_long
            else _("Which piece went to {end}: {squares}?")
        )
    elif is_past:
        what = (
            _("It is still open where the piece from {start} went.")
            if is_long
            else _("It is still open where the piece from {start} went: {squares}.")
        )
    elif is_long:
        what = _("Where does the piece from {start} stand now? Lift it there and put it back.")
    elif len(question.candidates) == 1:
        what = _(
            "Did the piece from {start} take on {squares}? Lift it there and put it back, "
            "or just play."
        )
    else:
        what = _("Where did the piece from {start} go: {squares}? Lift it there and put it back.")
    squares = joined(question.candidates, OR)
    asked: str = Worded(what, start=question.from_square, end=question.to_square, squares=squares)
    for denial in filter(question.denies, question.candidates):
        still = Worded(_("({square}: it has not been moved.)"), square=denial)
        asked = joined((asked, still))
    is_touched = question.from_square is not None and not is_past
    if not is_typed or is_touched or not question.is_ply:
        return asked
    typed = Worded(_("Type e.g. `answer {first}`."), first=question.candidates[0])
    return joined((asked, typed))


def _why_not(view: View) -> Iterator[str]:
    """Yield why the piece that is to go back may not stand where it was put, in play."""
    step, position = view.leading.repair, view.position
    if view.phase is not Phase.PLAYING or step is None:
        return
    start, end = step.to_square, step.from_square
    piece = None if start is None else position.piece_at(start)
    if piece and piece.side is position.side and start is not None and end is not None:
        yield explain(position, start, end).worded


def _repair(step: HandMove, rules: Rules) -> str:
    start = "" if step.from_square is None else format_square(step.from_square)
    end = "" if step.to_square is None else format_square(step.to_square)
    what = (
        _("Put the {piece} on {end}.")
        if not start
        else _("Put the {piece} from {start} on {end}.")
        if end
        else _("Take the {piece} off {start}.")
    )
    return Worded(what, piece=name_of_letter(step.letter, rules), start=start, end=end)


def _wires(square: Square, switch_of: Sequence[Switch]) -> str:
    row, column = divmod(switch_of[square], MATRIX_COLUMNS)
    return Worded(
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


class Speaker:
    """Says all this in one language, for people at this machine.

    `switch_of` is the switch under each square, for words about one that fails.
    """

    def __init__(self, language: Language, switch_of: Sequence[Switch] = SWITCH_OF) -> None:
        self.language, self._switch_of = language, switch_of

    def say(self, template: Sentence, /, **values: object) -> str:
        return say_in(self.language, template, **values)

    def all_of(self, sentences: Iterable[str]) -> list[str]:
        """Return sentences in words; those that are empty are left out."""
        return [worded_in(self.language, each) for each in sentences if each]

    def sentences(self, view: View, is_typed: bool = True) -> list[str]:
        """Return what there is to say about a table now, the most urgent first."""
        return self.all_of(sentences(view, is_typed, self._switch_of))

    def lines(self, news: Iterable[News]) -> list[str]:
        """Return what has happened, line by line; what nobody needs to hear is left out."""
        return self.all_of(map(news_in_words, news))


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
    """Return the most moves that the winner makes in a number of plies."""
    return plies // 2 + 1


def better_in_words(move: str, points: Sequence[Point], rules: Rules) -> str:
    """Return a sentence on a move that was better, by its text, and on what speaks for it."""
    if not points:
        return Worded(_("Better was {move}."), move=move)
    return Worded(_("Better was {move}: it {points}."), move=move, points=_clauses(points, rules))


def reply_in_words(played: str, reply: str, points: Sequence[Point], rules: Rules) -> str:
    """Return what a move has allowed: the reply and what that does; empty where that is nothing."""
    if not points:
        return ""
    allowed = _("After {played}, {reply} {points}.")
    return Worded(allowed, played=played, reply=reply, points=_clauses(points, rules))


def why_in_words(points: Sequence[Point], rules: Rules) -> str:
    """Return a sentence that says what speaks for a move; the empty text where nothing does."""
    return Worded(_("The move {points}."), points=_clauses(points, rules)) if points else ""


def _clauses(points: Sequence[Point], rules: Rules) -> str:
    return joined((_clause(point, rules) for point in points), AND)


def _clause(point: Point, rules: Rules) -> Worded:
    named = point.kinds[:1] if point.merit is Merit.PINS else point.kinds
    kinds = joined((noun(kind, rules).object for kind in named), AND)
    prey = Worded(_(", taking {kinds} as it expects"), kinds=kinds) if kinds else ""
    counted = point.numbers
    if point.merit is Merit.WINS_SOON:
        counted = tuple(map(moves_within, counted))
    numbers = dict(zip(("number", "of"), counted, strict=False))
    return Worded(MERITS[point.merit], **numbers, kinds=kinds, prey=prey)


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


def gesture_lines(language: Language) -> list[str]:
    """Return the gestures as lines of text, under how they are made."""
    say = translation(language)
    rows = [(say(name), say(what)) for name, what in GESTURE_ROWS.values()]
    wide = max(len(name) for name, _what in rows)
    return [
        say(HOW_GESTURES_ARE_MADE),
        *(f"{name:{wide}}  {what}" for name, what in rows),
    ]
