"""Draws figures on the lamps: what the die shows, and which way a disk's centre is crossed."""

from __future__ import annotations

from rules import Rules, Square

from .evening.opening import WAY_OF
from .events import Way
from .view import Phase, View

SHOWN_S = 2.5
"""So long a new roll is drawn, unless somebody lifts a piece before."""

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


class BiasArrow:
    """Knows when a disk's bias is to be drawn: as its game begins, and when it has been settled."""

    def __init__(self) -> None:
        self._drawn: Way | None = None
        self._until = 0.0

    def squares(self, view: View, now: float) -> frozenset[Square]:
        """Return what is to be drawn, nothing most of the time."""
        is_beginning = view.phase is Phase.PLAYING and not view.moves and not view.unsettled
        way = WAY_OF.get(view.position.rules["board"]) if is_beginning else None
        if way is not None and way != self._drawn:
            self._until = now + SHOWN_S
        self._drawn = way
        return frozenset() if way is None or now >= self._until or view.lifted else arrow(way)


class RollFigure:
    """Knows which roll is to be drawn just now; those that stood before are not."""

    def __init__(self) -> None:
        self._faces: tuple[int, ...] | None = None
        self._until = 0.0

    def squares(self, view: View, now: float) -> frozenset[Square]:
        """Return what is to be drawn, nothing most of the time."""
        thrown = (roll.face for roll in view.rolls if not roll.by_hand)
        faces, before = (*view.opening.faces, *thrown), self._faces
        self._faces = faces
        if before is not None and faces[: len(before)] == before and len(faces) > len(before):
            self._until = now + SHOWN_S
        if not faces or now >= self._until or view.lifted:
            return frozenset()
        return figure(faces[-1], view.position.rules)


class Figures:
    """What is drawn on the lamps of a table instead of meanings: a roll, and then the bias."""

    def __init__(self) -> None:
        self._roll, self._arrow = RollFigure(), BiasArrow()

    def squares(self, view: View, now: float) -> frozenset[Square]:
        """Return what is to be drawn, nothing most of the time."""
        return self._roll.squares(view, now) or self._arrow.squares(view, now)
