"""What is played in a trial: forty moves, and the manner in which hands are to make each.

Switches are told of one touch after the other; a camera looks when hands are gone, so for it a move
is one demand.

By the book's Appendix on the grid. Every manner of taking is in it, slides, second thoughts, a
take-back, pieces that are put right, and pauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from rules import SQUARES, Move, Position, Square, format_square, parse_rules, parse_square
from rules.sentences import Sentence, _

RULES: Final = "appendix"


class Manner(Enum):
    """How hands make a ply, by its tag in recordings."""

    PLAIN = "plain"
    SLIDE = "slide"
    VICTIM_FIRST = "capture-victim-first"
    ATTACKER_FIRST = "capture-attacker-first"
    AT_ONCE = "capture-one-hand"
    SECOND_THOUGHT = "wrong-square"
    HESITATION = "hesitation"
    TAKEN_BACK = "takeback"


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that hands are asked to do, and what switches should show of it."""

    words: Sentence
    """With places for `square`, `start`, `end`, `between` and `seconds`."""
    squares: tuple[Square, ...]
    """What is lit: a piece to be lifted first, a place to be filled last."""
    wants: tuple[tuple[Square, bool], ...]
    """The changes to be seen, in order: a square, and whether it is occupied then."""
    ply: int = 0
    """The ply that it is a part of; 0: of none."""
    lasts_s: float = 0.0
    """So long nothing is to be touched."""
    by_light: bool = False
    """Only the lamp says which square it is: the words do not."""
    by_words: bool = False
    """Only the words say it: the lamps are dark."""
    may_hide: bool = False
    """Whether the last change may go unseen: a piece takes the place of another at once."""

    @property
    def values(self) -> dict[str, object]:
        """What the words name."""
        seconds: dict[str, object] = {"seconds": round(self.lasts_s)}
        if not self.squares:
            return seconds
        first, last = format_square(self.squares[0]), format_square(self.squares[-1])
        between = format_square(self.squares[len(self.squares) // 2])
        return seconds | {"square": first, "start": first, "between": between, "end": last}


@dataclass(frozen=True, slots=True)
class ScriptedPly:
    """One ply of the script: `number` is 1 for the first; `other` is a square it needs besides."""

    number: int
    move: Move
    manner: Manner
    before: Position
    other: Square | None = None


LIFT = _("Lift the piece on {square}.")
PUT = _("Put it down on {square}.")
TAKE = _("Take the piece on {square} off the board.")
SLIDE = _("Slide the piece from {start} to {end}; do not lift it.")
AT_ONCE = _("Lift the piece on {start}; put it in the place of the piece on {end} with one hand.")
NUDGE = _("Lift the piece on {square}, and put it back.")
NUDGE_LIT = _("Lift the piece that is lit, and put it back.")
TRY = _("Put a piece from the box on {square}, and take it up again.")
REST = _("Touch nothing for {seconds} seconds.")
BACK = _("Take that move back: lift the piece on {square}.")
HANDS_OFF = _("After each move take your hands away: the camera looks when they are gone.")
MOVE = _("Move the piece from {start} to {end}.")
TAKE_FIRST = _(
    "Take the piece on {end} off the board, then put the piece from {start} in its place."
)
TAKE_LAST = _(
    "Lift the piece on {start}, take the piece on {end} off the board, put the lifted one there."
)
HOLD = _("Hold the piece from {start} over {between} for a moment, then put it down on {end}.")
RETURN = _("Take that move back: put the piece from {start} back on {end}.")
STRAIGHTEN = _("Put the piece on {square} right, within its square.")

LOOKED_AT: Final = {
    Manner.SLIDE: SLIDE,
    Manner.VICTIM_FIRST: TAKE_FIRST,
    Manner.ATTACKER_FIRST: TAKE_LAST,
    Manner.AT_ONCE: AT_ONCE,
}
"""How hands are to make a move before a camera, by its manner."""

PLIES: Final = """
f1 i3 plain
h9 i8 plain
d1 c4 plain
e10 e8 hesitation c10
b2 c3 plain
d10 a7 plain
e2 e3 takeback
g10 d7 plain
c4 d7 capture-victim-first
j9 i7 plain
g1 d4 wrong-square e5
a7 d4 capture-attacker-first
e1 d4 capture-victim-first
f9 g8 plain
d7 a10 capture-one-hand
b9 a8 plain
a10 d9 capture-attacker-first
f10 d9 capture-one-hand
j2 i4 plain
h10 h7 slide
h2 g3 hesitation h1
g9 h8 plain
g2 h3 plain
e9 d8 takeback
c2 b3 wrong-square b4
j10 j8 slide
j1 j3 slide
a9 c8 plain
f2 f3 plain
b10 b8 plain
b1 d3 slide
b8 b6 plain
d4 b6 capture-attacker-first
i9 j9 plain
a2 b4 plain
e8 g6 plain
a1 a3 slide
g8 g7 wrong-square g5
b6 c9 capture-victim-first
i7 j7 plain
"""
"""From, to, manner, and the other square that is touched."""

NUDGED: Final = {6: "c1", 19: "i10", 30: "d2"}
"""After these plies a piece is put right."""

RESTS: Final = {13: 8.0, 27: 8.0, 40: 5.0}
"""After these plies nothing is touched for so many seconds: a weak switch shows itself."""

BY_WORDS: Final = ("a1", "b2", "c9", "d10", "e1", "f2", "g9", "h10", "i1", "j2")
"""A piece of every file and of all four ranks that are full at first: they tell the wires."""

BY_LIGHT: Final = ("b2", "i9", "c10", "a1", "h1")
"""No two orders of lamps light the same squares for these."""


def plies() -> tuple[ScriptedPly, ...]:
    """Return the forty plies."""
    position, made = Position.start(parse_rules(RULES)), []
    for number, line in enumerate(PLIES.split("\n")[1:-1], 1):
        start, end, manner, *other = line.split()
        wanted = parse_square(start), parse_square(end)
        move = next(
            each for each in position.moves() if (each.from_square, each.to_square) == wanted
        )
        beside = parse_square(other[0]) if other else None
        made.append(ScriptedPly(number, move, Manner(manner), position, beside))
        position = position.play(move)
    return tuple(made)


def check() -> Iterator[Demand]:
    """Yield what tells how wires and lamps run, before anything is played."""
    for name in BY_WORDS:
        yield nudge(parse_square(name), by_words=True)
    for name in BY_LIGHT:
        yield nudge(parse_square(name), by_light=True)


def demands(ply: ScriptedPly) -> Iterator[Demand]:
    """Yield what hands are asked to do for a ply, and after it."""
    start, end, number = ply.move.from_square, ply.move.to_square, ply.number
    match ply.manner:
        case Manner.PLAIN:
            yield from _carry(start, end, number)
        case Manner.SLIDE:
            yield Demand(SLIDE, (start, end), ((start, False), (end, True)), number)
        case Manner.VICTIM_FIRST:
            yield Demand(TAKE, (end,), ((end, False),), number)
            yield from _carry(start, end, number)
        case Manner.ATTACKER_FIRST:
            yield Demand(LIFT, (start,), ((start, False),), number)
            yield Demand(TAKE, (end,), ((end, False),), number)
            yield Demand(PUT, (end,), ((end, True),), number)
        case Manner.AT_ONCE:
            wants = ((start, False), (end, True))
            yield Demand(AT_ONCE, (start, end), wants, number, may_hide=True)
        case Manner.SECOND_THOUGHT:
            assert ply.other is not None
            yield from _carry(start, ply.other, number)
            yield from _carry(ply.other, end, number)
        case Manner.HESITATION:
            assert ply.other is not None
            yield from _carry(ply.other, ply.other, number)
            yield from _carry(start, end, number)
        case Manner.TAKEN_BACK:
            yield from _carry(start, end, number)
            yield Demand(REST, (), (), number, lasts_s=3.0)
            yield Demand(BACK, (end,), ((end, False),), number)
            yield Demand(PUT, (start,), ((start, True),), number)
            yield Demand(REST, (), (), number, lasts_s=3.0)
            yield from _carry(start, end, number)
    if number in NUDGED:
        yield nudge(parse_square(NUDGED[number]))
    if number in RESTS:
        yield Demand(REST, (), (), lasts_s=RESTS[number])


def looked_check() -> Iterator[Demand]:
    """Yield what tells whether a camera calls squares by their names: one corner of each side."""
    for name in ("a1", "j9"):
        square = parse_square(name)
        yield Demand(LIFT, (square,), ((square, False),), by_words=True)
        yield Demand(PUT, (square,), ((square, True),), by_words=True)


def looked_demands(ply: ScriptedPly) -> Iterator[Demand]:
    """Yield the same of a ply for a camera: what is touched meanwhile it need not see."""
    start, end, number = ply.move.from_square, ply.move.to_square, ply.number
    hidden = ply.before.piece_at(end) is not None
    wants = ((start, False), (end, True))
    if ply.manner is Manner.SECOND_THOUGHT and ply.other is not None:
        squares = start, ply.other, end
        yield Demand(HOLD, squares, wants, number, by_words=True, may_hide=hidden)
    else:
        words = LOOKED_AT.get(ply.manner, MOVE)
        yield Demand(words, (start, end), wants, number, by_words=True, may_hide=hidden)
    if ply.manner is Manner.TAKEN_BACK:
        back = ((end, False), (start, True))
        yield Demand(REST, (), (), number, lasts_s=3.0)
        yield Demand(RETURN, (end, start), back, number, by_words=True)
        yield Demand(REST, (), (), number, lasts_s=3.0)
        yield Demand(MOVE, (start, end), wants, number, by_words=True)
    if number in NUDGED:
        yield Demand(STRAIGHTEN, (parse_square(NUDGED[number]),), (), lasts_s=4.0, by_words=True)
    if number in RESTS:
        yield Demand(REST, (), (), lasts_s=RESTS[number])


def untouched() -> Iterator[Demand]:
    """Yield what has a piece touch every square that the rest of the trial has left alone."""
    touched = {square for demand in check() for square, _level in demand.wants}
    touched |= {
        square for ply in plies() for demand in demands(ply) for square, _level in demand.wants
    }
    last = plies()[-1]
    stands = last.before.play(last.move)
    for square in SQUARES:
        if square in touched:
            continue
        if stands.piece_at(square) is not None:
            yield nudge(square)
        else:
            yield Demand(TRY, (square,), ((square, True), (square, False)))


def nudge(square: Square, by_words: bool = False, by_light: bool = False) -> Demand:
    """Return the demand that a piece be lifted and put back."""
    wants = ((square, False), (square, True))
    words = NUDGE_LIT if by_light else NUDGE
    return Demand(words, (square,), wants, by_words=by_words, by_light=by_light)


def _carry(start: Square, end: Square, ply: int) -> Iterator[Demand]:
    yield Demand(LIFT, (start,), ((start, False),), ply)
    yield Demand(PUT, (end,), ((end, True),), ply)


@dataclass(frozen=True, slots=True)
class Script:
    """What is asked at a sort of board."""

    check: Callable[[], Iterable[Demand]]
    """Before anything is played."""
    demands: Callable[[ScriptedPly], Iterable[Demand]]
    """For a ply, and after it."""
    untouched: Callable[[], Iterable[Demand]]
    """In the end."""
    plies: tuple[ScriptedPly, ...]
    patience_s: float
    """After so long without what is asked for, people are told how to go on."""
    looks: bool = False
    """Whether a camera looks, which tells whose a piece is."""


def by_switches() -> Script:
    """Return what is asked where switches tell each touch."""
    return Script(check, demands, untouched, plies(), patience_s=3.0)


def by_looks() -> Script:
    """Return what is asked where a camera looks at what hands have left."""
    return Script(looked_check, looked_demands, tuple, plies(), patience_s=8.0, looks=True)
