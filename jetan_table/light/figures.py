"""Figures drawn on the lamps: faces of the die, and the way across a disk's centre."""

from typing import TypeVar

from rules import Roll, Rules, Side, Square, Throw

from ..game.events import Way
from ..game.terms import WAY_OF
from ..session.view import Phase, View

T = TypeVar("T")

SHOWN_S = 2.5
"""Seconds for which each figure is drawn, unless somebody lifts a piece before."""

DIGITS = (
    (".##.", "#..#", "#..#", "#..#", "#..#", "#..#", ".##."),
    ("..#.", ".##.", "..#.", "..#.", "..#.", "..#.", ".###"),
    (".##.", "#..#", "...#", "..#.", ".#..", "#...", "####"),
    ("###.", "...#", "...#", ".##.", "...#", "...#", "###."),
    ("#..#", "#..#", "#..#", "####", "...#", "...#", "...#"),
    ("####", "#...", "###.", "...#", "...#", "#..#", ".##."),
    (".##.", "#...", "#...", "###.", "#..#", "#..#", ".##."),
    ("####", "...#", "...#", "..#.", ".#..", ".#..", ".#.."),
    (".##.", "#..#", "#..#", ".##.", "#..#", "#..#", ".##."),
    (".##.", "#..#", "#..#", ".###", "...#", "...#", ".##."),
)
"""Seen from Black's side, seven ranks high."""

TOP, LINE = 9, 1
"""Ranks, from 0, of the digits' top and of the line under them, without which 6 is 9 to Orange."""


def figure(face: int, rules: Rules) -> frozenset[Square]:
    """Return the squares that draw a face, 1..10: its digits, or on a disk so many of the rim."""
    if rules["board"] != "grid":
        return frozenset(Square(number) for number in range(face))
    lines = [".".join(DIGITS[int(digit)][row] for digit in str(face)) for row in range(7)]
    width = len(lines[0])
    left = (10 - width) // 2
    drawn = {
        Square(10 * (TOP - row) + left + column)
        for row, line in enumerate(lines)
        for column, dot in enumerate(line)
        if dot == "#"
    }
    return frozenset(drawn | {Square(10 * LINE + left + column) for column in range(width)})


ARROW_FILES = range(1, 9)
"""Files, from 0, that an arrow's shaft goes over; its head is at the last or the first."""

SHAFT_RANK = 2
"""The rank, from 0, of the shaft in Black's half: the third ring of five."""


def arrow(way: Way) -> frozenset[Square]:
    """Return the squares of a disk that draw a bias: an arrow round the disk in either half.

    In both halves a file letter onward is counter-clockwise, so both arrows go round alike.
    """
    files = ARROW_FILES if way == "counterclockwise" else ARROW_FILES[::-1]
    drawn = {(file, SHAFT_RANK) for file in files}
    for back in (1, 2):
        drawn |= {(files[-1 - back], SHAFT_RANK + aside) for aside in (back, -back)}
    south = {Square(10 * rank + file) for file, rank in drawn}
    north = {Square(10 * (9 - rank) + file) for file, rank in drawn}
    return frozenset(south | north)


class Figures:
    """Figures that the lamps show instead of meanings, mostly none.

    Each face of the dice is a figure, shown for SHOWN_S: a roll, after a teleport's ten its file
    and its rank, and the square of a Juggernaut that it leaves standing; of a throw in a fight
    first the attack, then the defence, each to be read by the side that threw. Rolls from before
    the table woke are not drawn. After them comes a disk's bias, as its game begins or once it is
    settled.
    """

    def __init__(self) -> None:
        self._before: View | None = None
        self._drawn: tuple[frozenset[Square], ...] = ()
        self._since = 0.0
        self._way: Way | None = None
        self._until = 0.0

    def squares(self, view: View, now: float) -> frozenset[Square]:
        """Return the squares of the present figure; none if there is none."""
        return self._of_dice(view, now) or self._of_bias(view, now)

    def _of_dice(self, view: View, now: float) -> frozenset[Square]:
        before, self._before = self._before, view
        # The first view is what the table woke to: nobody has just thrown what it shows.
        new = () if before is None or before is view else _fallen(before, view)
        if new:
            self._drawn, self._since = new, now
        if view.away:
            self._drawn = ()
        shown = int((now - self._since) / SHOWN_S)
        return self._drawn[shown] if shown < len(self._drawn) else frozenset()

    def _of_bias(self, view: View, now: float) -> frozenset[Square]:
        record = view.record
        # Only before the first ply: later everybody knows the bias, and the lamps have other work.
        is_settled = view.phase is Phase.PLAYING and not record.unsettled
        is_beginning = is_settled and record.last_played < record.game.start.ply_number
        way = WAY_OF.get(view.position.rules["board"]) if is_beginning else None
        if way is not None and way != self._way:
            self._until = now + SHOWN_S
        self._way = way
        return frozenset() if way is None or now >= self._until or view.away else arrow(way)


def _fallen(before: View, view: View) -> tuple[frozenset[Square], ...]:
    """Return the figures of all dice thrown since a view, people's own ones left out."""
    rules = view.position.rules
    faces = _added(before.record.opening.faces, view.record.opening.faces)
    drawn = [figure(face, rules) for face in faces]
    for throw in _added(_throws(before), _throws(view)):
        drawn += _thrown(throw, view)
    for roll in _added(_rolls(before), _rolls(view)):
        drawn += _rolled(roll, rules)
        here = view.position.juggernaut
        if here is not None and here == before.position.juggernaut and not roll.by_hand:
            drawn.append(frozenset({here}))
    return tuple(drawn)


def _rolls(view: View) -> tuple[Roll, ...]:
    return (
        view.record.rolls
        if view.record.start_roll is None
        else (view.record.start_roll, *view.record.rolls)
    )


def _throws(view: View) -> tuple[Throw, ...]:
    if view.fight is not None:
        return view.fight.throws
    return () if view.record.duel is None else view.record.duel.throws


def _added(before: tuple[T, ...], now: tuple[T, ...]) -> tuple[T, ...]:
    """Return the new end of a row that begins as before."""
    return now[len(before) :] if now[: len(before)] == before else ()


def _rolled(roll: Roll, rules: Rules) -> list[frozenset[Square]]:
    faces = [face for face in (roll.face, roll.file, roll.rank) if face is not None]
    return [] if roll.by_hand else [figure(face, rules) for face in faces]


def _thrown(throw: Throw, view: View) -> list[frozenset[Square]]:
    if throw.by_hand:
        return []
    attack, defence = (figure(face, view.position.rules) for face in (throw.attack, throw.defence))
    # Each side reads its own figure from its own end; the defender is the side to move next.
    if view.position.side is Side.ORANGE:
        return [attack, turned(defence)]
    return [turned(attack), defence]


def turned(drawn: frozenset[Square]) -> frozenset[Square]:
    """Return a figure as Orange reads it."""
    return frozenset(Square(99 - square) for square in drawn)
