"""What is played in a trial: forty moves, and the manner in which hands are to make each.

Switches are told of one touch after the other; a camera looks when hands are gone, so for it a move
is one errand.

By the book's Appendix on the grid. Every manner of taking is in it, slides, second thoughts, a
take-back, pieces that are put right, and pauses.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Final

from rules import SQUARES, Move, Position, Square, parse_rules, parse_square
from rules.sentences import _

from .walk import Errand

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
f1-i3 h9-i8 d1-c4 e10-e8/hesitation/c10 b2-c3 d10-a7 e2-e3/takeback g10-d7
c4-d7/capture-victim-first j9-i7 g1-d4/wrong-square/e5 a7-d4/capture-attacker-first
e1-d4/capture-victim-first f9-g8 d7-a10/capture-one-hand b9-a8 a10-d9/capture-attacker-first
f10-d9/capture-one-hand j2-i4 h10-h7/slide h2-g3/hesitation/h1 g9-h8 g2-h3 e9-d8/takeback
c2-b3/wrong-square/b4 j10-j8/slide j1-j3/slide a9-c8 f2-f3 b10-b8 b1-d3/slide b8-b6
d4-b6/capture-attacker-first i9-j9 a2-b4 e8-g6 a1-a3/slide g8-g7/wrong-square/g5
b6-c9/capture-victim-first i7-j7
"""
"""From and to; the manner, where it is not plain; and the other square that is touched."""

NUDGED: Final = {6: "c1", 19: "i10", 30: "d2"}
"""After these plies a piece is put right."""

RESTS: Final = {13: 8.0, 27: 8.0, 40: 5.0}
"""After these plies nothing is touched for so many seconds: a weak switch shows itself."""

BY_WORDS: Final = ("a1", "b2", "c9", "d10", "e1", "f2", "g9", "h10", "i1", "j2")
"""A piece of every file and of all four ranks that are full at first: they tell the wires."""

BY_LIGHT: Final = ("b2", "i9", "c10", "a1", "h1")
"""No two orders of lamps light the same squares for these."""

SEEN_BY_WORDS: Final = ("a1", "j9")
"""One corner of each side."""


@cache
def all_plies() -> tuple[ScriptedPly, ...]:
    """Return the forty plies."""
    position, made = Position.start(parse_rules(RULES)), []
    for number, word in enumerate(PLIES.split(), 1):
        way, manner, other = [*word.split("/"), *("", "")][:3]
        start, _dash, end = way.partition("-")
        wanted = parse_square(start), parse_square(end)
        move = next(
            each for each in position.moves() if (each.from_square, each.to_square) == wanted
        )
        beside = parse_square(other) if other else None
        made.append(ScriptedPly(number, move, Manner(manner or "plain"), position, beside))
        position = position.play(move)
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Script:
    """What is asked at a board whose switches tell each touch, or one that a camera looks at."""

    looks: bool = False
    """Whether a camera looks: it sees what hands have left, and tells whose a piece is."""
    plies: tuple[ScriptedPly, ...] = field(default_factory=all_plies)

    @property
    def patience_s(self) -> float:
        """After so long without what is asked for, people are told how to go on."""
        return 8.0 if self.looks else 3.0

    def check(self) -> Iterator[Errand]:
        """Yield what is asked before anything is played.

        It tells how wires and lamps run, or whether a camera calls squares by their names.
        """
        if self.looks:
            for square in map(parse_square, SEEN_BY_WORDS):
                yield Errand(LIFT, (square,), ((square, False),), by_words=True)
                yield Errand(PUT, (square,), ((square, True),), by_words=True)
            return
        for square in map(parse_square, BY_WORDS):
            yield nudge(square, by_words=True)
        for square in map(parse_square, BY_LIGHT):
            yield nudge(square, by_light=True)

    def errands(self, ply: ScriptedPly) -> Iterator[Errand]:
        """Yield what hands are asked to do for a ply, and after it."""
        start, end, number = ply.move.from_square, ply.move.to_square, ply.number
        made = tuple(_seen(ply) if self.looks else _touched(ply))
        yield from made
        if ply.manner is Manner.TAKEN_BACK:
            rest = Errand(REST, ply=number, lasts_s=3.0)
            yield rest
            if self.looks:
                wants = ((end, False), (start, True))
                yield Errand(RETURN, (end, start), wants, number, by_words=True)
            else:
                yield Errand(BACK, (end,), ((end, False),), number)
                yield Errand(PUT, (start,), ((start, True),), number)
            yield rest
            yield from made
        if number in NUDGED:
            square = parse_square(NUDGED[number])
            straightened = Errand(STRAIGHTEN, (square,), lasts_s=4.0, by_words=True)
            yield straightened if self.looks else nudge(square)
        if number in RESTS:
            yield Errand(REST, lasts_s=RESTS[number])

    def untouched(self) -> Iterator[Errand]:
        """Yield what has a piece touch, in the end, every square that was left alone till then.

        Nothing is asked where a camera looks: it has seen them all.
        """
        if self.looks:
            return
        asked = [*self.check(), *(errand for ply in self.plies for errand in self.errands(ply))]
        touched = {square for errand in asked for square, _level in errand.wants}
        stands = self.plies[-1].before.play(self.plies[-1].move)
        for square in SQUARES:
            if square not in touched and stands.piece_at(square) is not None:
                yield nudge(square)
            elif square not in touched:
                yield Errand(TRY, (square,), ((square, True), (square, False)))


def _touched(ply: ScriptedPly) -> Iterator[Errand]:
    """Yield what hands do to make a ply, touch by touch."""
    start, end, number = ply.move.from_square, ply.move.to_square, ply.number
    match ply.manner:
        case Manner.SLIDE:
            yield Errand(SLIDE, (start, end), ((start, False), (end, True)), number)
        case Manner.AT_ONCE:
            wants = ((start, False), (end, True))
            yield Errand(AT_ONCE, (start, end), wants, number, may_hide=True)
        case Manner.VICTIM_FIRST:
            yield Errand(TAKE, (end,), ((end, False),), number)
            yield from _carry(start, end, number)
        case Manner.ATTACKER_FIRST:
            yield Errand(LIFT, (start,), ((start, False),), number)
            yield Errand(TAKE, (end,), ((end, False),), number)
            yield Errand(PUT, (end,), ((end, True),), number)
        case Manner.SECOND_THOUGHT if ply.other is not None:
            yield from _carry(start, ply.other, number)
            yield from _carry(ply.other, end, number)
        case Manner.HESITATION if ply.other is not None:
            yield from _carry(ply.other, ply.other, number)
            yield from _carry(start, end, number)
        case _:
            yield from _carry(start, end, number)


def _seen(ply: ScriptedPly) -> Iterator[Errand]:
    """Yield the same as one errand for a camera, which need not see what is touched meanwhile."""
    start, end = ply.move.from_square, ply.move.to_square
    is_held = ply.manner is Manner.SECOND_THOUGHT
    yield Errand(
        HOLD if is_held else LOOKED_AT.get(ply.manner, MOVE),
        (start, end) if ply.other is None or not is_held else (start, ply.other, end),
        ((start, False), (end, True)),
        ply.number,
        by_words=True,
        may_hide=ply.before.piece_at(end) is not None,
    )


def nudge(square: Square, by_words: bool = False, by_light: bool = False) -> Errand:
    """Return the errand that a piece be lifted and put back."""
    wants = ((square, False), (square, True))
    words = NUDGE_LIT if by_light else NUDGE
    return Errand(words, (square,), wants, by_words=by_words, by_light=by_light)


def _carry(start: Square, end: Square, ply: int) -> Iterator[Errand]:
    yield Errand(LIFT, (start,), ((start, False),), ply)
    yield Errand(PUT, (end,), ((end, True),), ply)
