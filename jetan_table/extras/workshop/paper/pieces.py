"""Pieces to cut out: discs, and such as stand when they are folded.

Both are filled with their side's colour, to be told apart by a camera. A standing piece has two
half discs for feet, so that from above it looks like a disc that a card stands on.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hardware.build import Build
from hardware.signs import sign_of
from rules import Kind, Occupant, Piece, Position, Side, parse_rules

from .colours import BODY, PICTURE
from .sheet import Label, Point, Shape, box, disc
from .tiles import Cutout

JUGGERNAUT: Final = "*"
RIM: Final = (0.94, 0.8)
"""Where the pale rim begins and ends, as shares of a disc's radius."""

SIGN: Final = 0.58
"""How wide a sign is at most, as a share of a piece's foot."""

TALL: Final = 1.15
"""How high a standing piece is, as a share of its foot's width."""

NAME_SHARE: Final = 0.12
"""The size of a standing piece's name, as a share of its foot's width."""

FOLD_MM: Final = 0.25


class Man(NamedTuple):
    """A piece to be printed: whose it is, and its sign's letter."""

    side: Occupant
    letter: str

    @property
    def name(self) -> str:
        """What its kind is called."""
        word = "juggernaut" if self.letter == JUGGERNAUT else Kind(self.letter).word
        return word.capitalize()


def set_of_pieces() -> list[Man]:
    """Return all pieces of a set: Black's, Orange's, and the Juggernaut."""
    start = Position.start(parse_rules("appendix"))
    counts = Counter(start.pieces().values())
    men = [
        Man(Occupant.ORANGE if piece.side else Occupant.BLACK, piece.kind.value)
        for piece in (Piece(side, kind) for side in Side for kind in Kind)
        for _ in range(counts[piece])
    ]
    return [*men, Man(Occupant.NEUTRAL, JUGGERNAUT)]


def disc_of(man: Man, build: Build) -> Cutout:
    """Return a disc as wide as a piece's foot."""
    radius = build.base_mm / 2
    middle = radius, radius
    shapes = (*_rings(man, middle, radius), *_sign(man, middle, SIGN * build.base_mm))
    return Cutout(build.base_mm, build.base_mm, shapes)


def standing_of(man: Man, build: Build) -> Cutout:
    """Return a piece to be folded three times: a foot, its back, its face and a foot.

    The back is upside down, for it is folded over the top; back and face are glued together.
    """
    wide, high = build.base_mm, TALL * build.base_mm
    radius = wide / 2
    below = radius + 2 * high
    shapes: list[Shape] = []
    for middle, way in (((radius, radius), -1), ((radius, below), 1)):
        for shape in _rings(man, middle, radius):
            shapes.append(_half(shape, middle[1], way))
    back, top = _face(man, (radius, radius + high), wide, high, -1)
    face, name = _face(man, (radius, radius + high), wide, high, 1)
    shapes += [*back, *face]
    for fold in (radius, radius + high, below):
        shapes += [
            box(at * wide / 8, fold - FOLD_MM / 2, wide / 16, FOLD_MM, 0.5) for at in range(8)
        ]
    return Cutout(wide, below + radius, tuple(shapes), (top, name))


def _sign(man: Man, middle: Point, reach: float, way: int = 1) -> Iterator[Shape]:
    """Yield a piece's sign; it is upside down where `way` is -1."""
    for patch in sign_of(man.letter):
        points = (
            (middle[0] + way * reach * x, middle[1] + way * reach * y) for x, y in patch.points
        )
        yield Shape(tuple(points), BODY[man.side] if patch.is_cut else PICTURE)


def _face(man: Man, top: Point, wide: float, high: float, way: int) -> tuple[list[Shape], Label]:
    """Return one side of a standing card, downwards from `top` or upwards where `way` is -1."""
    ink = BODY[man.side]
    rim = wide / 2 * (1 - RIM[0]), wide / 2 * (1 - RIM[1])
    shapes = []
    for inset, filled in ((0.0, ink), (rim[0], PICTURE), (rim[1], ink)):
        start = top[1] + way * inset
        end = top[1] + way * high
        shapes.append(box(inset, min(start, end), wide - 2 * inset, abs(end - start), filled))
    middle = top[0], top[1] + way * (0.42 * high)
    shapes += _sign(man, middle, SIGN * wide, way)
    size = NAME_SHARE * wide
    at = top[0], top[1] + way * (high - 1.1 * size)
    name = Label(man.name, at, size, PICTURE, 0.0 if way > 0 else 180.0)
    return shapes, name


def _rings(man: Man, middle: Point, radius: float) -> Iterator[Shape]:
    """Yield a filled disc with a pale rim."""
    ink = BODY[man.side]
    for share, filled in ((1.0, ink), (RIM[0], PICTURE), (RIM[1], ink)):
        yield disc(*middle, share * radius, filled)


def _half(shape: Shape, level: float, way: int) -> Shape:
    """Return the half of a disc that lies above a level, or below where `way` is 1."""
    points: Sequence[Point] = [
        (x, level + way * max(way * (y - level), 0)) for x, y in shape.points
    ]
    return Shape(tuple(points), shape.ink)
