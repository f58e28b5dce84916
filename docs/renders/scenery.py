"""What the pictures show, painted: the board with its lamps, the pieces and what is bought."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import degrees
from typing import Final

import cv2
import numpy as np
from manifold3d import CrossSection, FillRule, Manifold, OpType

from docs.glow import chamber_of, spread
from hardware.build import Build, Spot
from jetan_table.extras.workshop.case.sizes import Body
from jetan_table.extras.workshop.pieces import OCTAGON, SIDES, frame_of, piece
from jetan_table.extras.workshop.solids import Solid, block, mesh_of
from rules import FILES, SQUARES, Position, Side, Square

from .render import Colour, Painted

MEN: Final[Mapping[Side, Colour]] = {Side.BLACK: (38, 36, 40), Side.ORANGE: (236, 112, 26)}
SQUARE_COLOURS: Final[Sequence[Colour]] = ((86, 70, 62), (233, 189, 140))
LINES, RIM, LETTERS = (52, 42, 38), (62, 50, 45), (226, 190, 146)
LEGAL, LIFTED = (40, 105, 255), (255, 255, 255)
FRAME, GRID, TRAY = (84, 88, 97), (238, 238, 234), (112, 117, 126)
KINDS: Final[Mapping[str, Colour]] = {
    "board": (208, 216, 210),
    "lamp": (246, 246, 240),
    "reed": (186, 226, 214),
    "wire": (196, 196, 200),
    "pins": (200, 200, 204),
    "plug": (34, 34, 38),
    "lead": (196, 60, 52),
    "diode": (30, 30, 32),
    "capacitor": (196, 164, 124),
    "surface": (240, 236, 224),
    "screws": (176, 178, 184),
    "bolts": (176, 178, 184),
    "sunk screws": (176, 178, 184),
    "brain": (34, 120, 72),
    "magnet": (200, 202, 208),
    "button": (196, 52, 44),
}
"""Colours of what is bought, by what it is."""

INK_MM: Final = 0.06
"""How high what is printed on a surface stands out in a picture."""

_LETTER_PX = 120
_CELL_MM, _LEVELS = 1.5, 14
"""Width of the parts of a lit square, and how many brightnesses they have."""


def painted(solid: Solid, colour: Colour, glow: float = 0.0, gloss: float = 1.0) -> Painted:
    """Return a solid as it is painted."""
    return Painted(*mesh_of(solid), colour, glow, gloss)


def moved(thing: Painted, x: float, y: float, z: float = 0.0) -> Painted:
    """Return a painted thing at another place."""
    points = thing.points + np.array((x, y, z))
    return Painted(points, thing.triangles, thing.colour, thing.glow, thing.gloss)


def bodies_painted(
    bodies: Iterable[Body], rise: Mapping[str, float] | None = None
) -> Iterator[Painted]:
    """Yield what is bought, each kind lifted by `rise`; kinds that it leaves out are not shown."""
    for body in bodies:
        if rise is None or body.kind in rise:
            lifted = body.solid.translate((0, 0, rise[body.kind] if rise else 0.0))
            yield painted(lifted, KINDS[body.kind], gloss=1.4 if body.kind != "surface" else 0.4)


@cache
def man(letter: str, build: Build, side: Side | None, coarse_mm: float = 0.0) -> Painted:
    """Return a man of a side in the middle of the board, or the Juggernaut.

    It may be coarser than its print by so many millimetres, which is sooner painted.
    """
    solid = piece(letter.upper(), frame_of(build, OCTAGON if side is None else SIDES[side]))
    if coarse_mm:
        solid = solid.simplify(coarse_mm)
    if side is Side.BLACK:
        solid = solid.rotate((0, 0, 180))
    return painted(solid, (120, 122, 128) if side is None else MEN[side])


def men(
    build: Build, position: Position, lifted: Square | None = None, by: float = 0
) -> Iterator[Painted]:
    """Yield all men of a position on their squares, one of them lifted."""
    for square, who in position.pieces().items():
        x, y = build.middle(square)
        shape = man(who.letter.upper(), build, who.side)
        yield moved(shape, x, y, INK_MM + (by if square == lifted else 0.0))


def squares(build: Build, lit: Mapping[Square, Colour] = {}) -> Iterator[Painted]:
    """Yield the squares as they are printed on the surface, and those whose lamps are lit."""
    topology = build.topology
    for square in SQUARES:
        outline = [
            (build.unit_mm * (x - 5), build.unit_mm * (y - 5)) for x, y in topology.outlines[square]
        ]
        shape = CrossSection([outline], FillRule.NonZero).offset(-0.35)
        colour = SQUARE_COLOURS[topology.colours[square]]
        yield painted(Manifold.extrude(shape, INK_MM), colour, gloss=0.5)
        if square in lit:
            yield from _light(build, square, shape, lit[square])


def _light(build: Build, square: Square, shape: CrossSection, colour: Colour) -> Iterator[Painted]:
    """Yield a lamp's light under a square, as bright in each part as `docs.glow` reckons."""
    found = spread(build, square, _CELL_MM)[0]
    steps = [
        side / count
        for side, count in zip(chamber_of(build, square).sides, found.shape, strict=True)
    ]
    bright = cv2.GaussianBlur(found, (0, 0), 1.0) / found.max()
    own = SQUARE_COLOURS[build.topology.colours[square]]
    for level in range(_LEVELS):
        share = level / _LEVELS
        inner = shape
        if level:
            cells = [
                CrossSection.square(steps).translate((row * steps[0], column * steps[1]))
                for row, column in np.argwhere(bright >= share).tolist()
            ]
            corner = [-step * count / 2 for step, count in zip(steps, found.shape, strict=True)]
            patch = CrossSection.batch_boolean(cells, OpType.Add).translate(corner)
            turn = degrees(build.turn(square))
            inner = shape ^ patch.rotate(turn).translate(build.middle(square))
        seen = (share + 0.5 / _LEVELS) ** (1 / 2.2)
        red, green, blue = (
            round(seen * lamp + (1 - seen) * 0.6 * below)
            for below, lamp in zip(own, colour, strict=True)
        )
        solid = Manifold.extrude(inner, INK_MM + 0.004 * (level + 1))
        yield painted(solid, (red, green, blue), glow=0.25 + 0.75 * seen, gloss=0.3)


def letters(build: Build, margin_mm: float) -> Iterator[Painted]:
    """Yield files and ranks round a flat board, in the margin's middle."""
    out = 5 * build.square_mm + margin_mm / 2
    for at in range(10):
        along = (at - 4.5) * build.square_mm
        for text, x, y, turn in (
            (FILES[at], along, -out, 0),
            (FILES[at], along, out, 180),
            (str(at + 1), -out, along, 0),
            (str(at + 1), out, along, 180),
        ):
            yield painted(
                _letter(text, margin_mm * 0.36).rotate((0, 0, turn)).translate((x, y, 0)),
                LETTERS,
                gloss=0.3,
            )


@cache
def _letter(text: str, high_mm: float) -> Solid:
    """Return a word as thin as ink, its middle at 0."""
    font = cv2.FONT_HERSHEY_DUPLEX
    (wide, high), _ = cv2.getTextSize(text, font, 4.0, 6)
    page = np.zeros((high + 80, wide + 40), np.uint8)
    cv2.putText(page, text, (20, high + 20), font, 4.0, 255, 6, cv2.LINE_AA)
    found, _ = cv2.findContours(page, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_TC89_L1)
    outlines = [np.asarray(each, np.float64)[:, 0] * (1, -1) for each in found if len(each) > 2]
    shape = CrossSection(outlines, FillRule.EvenOdd)
    x0, y0, x1, y1 = shape.bounds()
    scale = high_mm / _LETTER_PX
    middle = shape.translate((-(x0 + x1) / 2, -(y0 + y1) / 2)).scale((scale, scale))
    return Manifold.extrude(middle, INK_MM)


def cut(bodies: Iterable[Body], x: Spot, y: Spot) -> Iterator[Body]:
    """Yield what lies between bounds of some bodies."""
    room = block(x, y, (-500.0, 500.0))
    for body in bodies:
        part = body.solid ^ room
        if not part.is_empty():
            yield Body(body.kind, part)
