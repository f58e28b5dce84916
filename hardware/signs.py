"""The sign of each piece, drawn once: the page, the rules' figures and all that is printed show it.

The Chessmen of Mars says what they are: feathers count the ranks of warriors, a propeller has three
blades, and diadems have ten jewels and one. Straight feathers go straight and crossed ones
diagonally, so the Thoat's rider wears one of each. The Juggernaut is an idol's face. Outlines
differ so much that signs are told apart where they are as small as a letter.
"""

import math
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

Point = tuple[float, float]


class Patch(NamedTuple):
    """A closed outline: filled, or cut out of what was filled before it."""

    points: tuple[Point, ...]
    is_cut: bool = False


@cache
def sign_of(letter: str) -> tuple[Patch, ...]:
    """Return the sign of a kind, or of the Juggernaut by `*`, in the order it is laid down.

    It stands in a square with sides of 1 about (0, 0): x runs to the right and y downwards. Small
    letters mean the same as large ones. KeyError: no kind has the letter.
    """
    return tuple(
        Patch(tuple((round(x / 100, 4), round(y / 100, 4)) for x, y in patch.points), patch.is_cut)
        for patch in _DRAWN[letter.upper()]()
    )


def _panthan() -> Iterator[Patch]:
    yield from _feather((-6, 49), 0, 98, 25)


def _warrior() -> Iterator[Patch]:
    for x in (-31, 22):
        yield from _feather((x, 49), 0, 98, 18)


def _padwar() -> Iterator[Patch]:
    yield from _feather((-33, 44), 41, 106, 18)
    yield from _feather((33, 44), -41, 106, -18, 6)


def _dwar() -> Iterator[Patch]:
    yield from _feather((-12, 46), -29, 80, 15)
    yield from _feather((-3, 49), 0, 98, 15)
    yield from _feather((12, 46), 29, 80, -15)


def _thoat() -> Iterator[Patch]:
    yield from _feather((-4, 10), -45, 58, -10)
    yield from _feather((-4, 10), 0, 58, 10.5, 3)
    yield Patch(tuple(_smooth(_BEAST)))
    yield Patch(tuple(_circle((31, -24), 2.4)), is_cut=True)


_BEAST = (
    *((-50, 6), (-49, 12), (-38, 8), (-28, 4), (-14, 6), (2, 5), (12, -6), (16, -24)),
    *((23, -36), (26, -36), (29, -32), (36, -31), (50, -23), (50, -17), (33, -15), (48, -5)),
    *((45, 1), (32, 0), (28, 8), (26, 20), (31, 30), (29, 42), (33, 48), (20, 48), (20, 33)),
    *((14, 24), (11, 33), (12, 42), (15, 48), (2, 48), (3, 33), (0, 24), (-5, 33), (-5, 42)),
    *((-2, 48), (-15, 48), (-14, 33), (-17, 25), (-22, 33), (-21, 42), (-18, 48), (-31, 48)),
    *((-31, 33), (-28, 24), (-29, 14), (-38, 19), (-49, 30)),
)
"""A thoat, head to the right: a gaping mouth, four legs on a side, a tail broadest at its tip."""


def _flier() -> Iterator[Patch]:
    blade = [(0, 3), (9, -4), (17, -20), (15, -38), (3, -49), (-6, -46), (-9, -34), (-6, -18)]
    for turn in (0, 120, 240):
        yield Patch(tuple((x, y + 7) for x, y in _turned((0, 0), turn, _smooth(blade))))
    yield Patch(tuple(_circle((0, 7), 13)), is_cut=True)
    yield Patch(tuple(_circle((0, 7), 9.5)))
    yield Patch(tuple(_circle((0, 7), 3.5)), is_cut=True)


def _chief() -> Iterator[Patch]:
    for at in range(10):
        turn = 13.4 * (at - 4.5)
        reach = 81 - 34 * (turn / 60) ** 2
        yield Patch(tuple(_turned(_BROW, turn, [(-5, -32), (0, 8 - reach), (5, -32)])))
        yield Patch(tuple(_turned(_BROW, turn, _circle((0, -reach), 5.2))))
    yield _circlet(39, 29)


def _princess() -> Iterator[Patch]:
    half = [(33 * math.sin(turn), -33 * math.cos(turn)) for turn in _turns(90)]
    yield Patch(tuple(_turned(_BROW, 0, [(-36, -25), (-24, -46), (0, -66), (24, -46), (36, -25)])))
    yield Patch(tuple(_turned(_BROW, 0, half)), is_cut=True)
    yield _circlet(46, 33)
    gem = ((0, -49), (27, -24), (0, 4), (-27, -24))
    yield Patch(tuple((1.22 * x, -24 + 1.2 * (y + 24)) for x, y in gem), is_cut=True)
    yield Patch(gem)
    for x in (-1, 1):
        facet = ((3 * x, -23), (15 * x, -23), (3 * x, -5))
        yield Patch(facet, is_cut=True)


_BROW = (0.0, 52.0)
"""The middle of both diadems' circlets."""


def _juggernaut() -> Iterator[Patch]:
    yield Patch(_mirrored([(0, -49), (15, -27), (43, -49), (39, -8), (43, 8), (33, 33), (17, 49)]))
    for side in (1, -1):
        for outline in ([(6, 4), (35, -12), (30, 4), (10, 10)], [(2, 8), (8, 22), (2, 22)]):
            yield Patch(tuple((side * x, y) for x, y in outline), is_cut=True)
    yield Patch(_mirrored([(0, 27), (24, 25), (16, 41), (0, 41)]), is_cut=True)
    for x in (-13, 0, 13):
        yield Patch(((x - 6, 24), (x + 6, 24), (x, 37)))


def _mirrored(half: Iterable[Point]) -> tuple[Point, ...]:
    """Return an outline from its right half, which begins at the top of its middle."""
    right = list(half)
    return (*right, *((-x, y) for x, y in reversed(right) if x))


_DRAWN = {
    "P": _panthan,
    "W": _warrior,
    "A": _padwar,
    "D": _dwar,
    "T": _thoat,
    "F": _flier,
    "C": _chief,
    "Q": _princess,
    "*": _juggernaut,
}

LETTERS = tuple(_DRAWN)


def _feather(
    foot: Point, turn: float, length: float, half: float, margin: float = 0.0
) -> Iterator[Patch]:
    """Draw a feather from the foot of its quill, turned clockwise off the upright by degrees.

    It is `half` wide to either side and nods to the right, or to the left where that is negative.
    With a margin it is set off from what lies under it.
    """
    quill = 0.18 * length

    def put(points: Iterable[Point]) -> tuple[Point, ...]:
        nodding = ((x + half * 0.55 * min(y / length, 0) ** 2, y) for x, y in points)
        return tuple(_turned(foot, turn, nodding))

    def vane(wider: float) -> Iterator[Point]:
        for step in range(32):
            share = step / 16 if step <= 16 else (32 - step) / 16
            swell = math.sin(math.pi * share**1.15) ** 0.65
            side = math.copysign(abs(half) * swell + wider, 16.5 - step)
            yield side, -quill + wider - share * (length - quill + 2 * wider)

    thick = 1.2 + 0.14 * abs(half)
    stem = [(-thick, 0.0), (-thick, -quill - 9), (thick, -quill - 9), (thick, 0.0)]
    if margin:
        yield Patch(put(vane(margin)), is_cut=True)
        yield Patch(put((math.copysign(thick + margin, x), y) for x, y in stem), is_cut=True)
    yield Patch(put(vane(0.0)))
    rib = 0.09 * abs(half) + 0.2
    line = [(-rib, -quill - 4), (-rib, -0.5 * length), (0, -0.86 * length)]
    yield Patch(put([*line, *((-x, y) for x, y in reversed(line[:-1]))]), is_cut=True)
    yield Patch(put(stem))
    for side, low in ((1, 0.38), (-1, 0.56)):
        barb = [(0.3 * half, low), (1.3 * half, low + 0.08), (1.3 * half, low + 0.15)]
        yield Patch(put((side * x, -y * length) for x, y in barb), is_cut=True)


def _circlet(outer: float, inner: float) -> Patch:
    """Draw the band of a diadem."""
    turns = _turns(68)
    bow = [(outer * math.sin(turn), -outer * math.cos(turn)) for turn in turns]
    bow += [(inner * math.sin(turn), -inner * math.cos(turn)) for turn in reversed(turns)]
    return Patch(tuple(_turned(_BROW, 0, bow)))


def _turns(most: int) -> list[float]:
    """Return angles off the upright to both sides, in radians, from `most` degrees to the left."""
    return [math.radians(turn) for turn in range(-most, most + 1, 4)]


def _turned(foot: Point, degrees: float, points: Iterable[Point]) -> Iterator[Point]:
    """Yield points turned clockwise about (0, 0), then moved to `foot`."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    for x, y in points:
        yield foot[0] + x * cosine - y * sine, foot[1] + x * sine + y * cosine


def _circle(middle: Point, radius: float) -> Iterator[Point]:
    for step in range(16):
        turn = math.tau * step / 16
        yield middle[0] + radius * math.sin(turn), middle[1] - radius * math.cos(turn)


def _smooth(corners: Iterable[Point]) -> list[Point]:
    """Round the corners of an outline, by cutting each of them off twice."""
    points = list(corners)
    for _ in range(2):
        cut = []
        for (a, b), (c, d) in zip(points, (*points[1:], points[0]), strict=True):
            cut += [(0.75 * a + 0.25 * c, 0.75 * b + 0.25 * d)]
            cut += [(0.25 * a + 0.75 * c, 0.25 * b + 0.75 * d)]
        points = cut
    return points
