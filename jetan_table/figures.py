"""Draws what the die shows on the lamps, as a figure that can be read across the board."""

from __future__ import annotations

from rules import Rules, Square

from .view import View

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
