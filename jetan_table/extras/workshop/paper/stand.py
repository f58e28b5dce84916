"""A camera's stand: how high it must hold the camera, and a drawing to build it of laths.

It is a goal over the board: two posts on feet at the board's left and right, and a bar from one
to the other, under whose middle the camera hangs and looks straight down.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, hypot, radians, sqrt, tan
from typing import Final, NamedTuple

from hardware.build import Build

from .board import board_sheet
from .sheet import Ink, Label, Point, Shape, Sheet, box, disc
from .tiles import MARGIN_MM

AROUND: Final = 1.5
"""So many squares round the board a camera should see too, for hands that come."""

USUAL_DEGREES: Final = 60.0
"""How much most webcams see across their picture."""

ASPECT: Final = 16 / 9
"""How much wider than high their picture is."""

LATH_MM: Final = (40.0, 20.0)
FOOT_MM: Final = 300.0
BRACE_MM: Final = 250.0
BESIDE_MM: Final = 40.0
"""Between the printed sheet and a post."""

HANGS_MM: Final = 50.0
"""How far under the bar's upper edge a camera's lens is."""

LINE_MM: Final = 0.35
TICK_MM: Final = 2.0
WORD_MM: Final = 4.0
WOOD: Final[Ink] = (0.87, 0.74, 0.55)
DARKER: Final[Ink] = (0.72, 0.57, 0.38)
SIGHT: Final[Ink] = (0.1, 0.6, 0.9)


def height_over(span: float, degrees: float = USUAL_DEGREES, aspect: float = ASPECT) -> float:
    """Return how high over a square of that side a camera sees all of it, in the same unit.

    It looks straight down and sees `degrees` across its picture, which is `aspect` times as wide
    as high: 2 h tan(degrees / 2) of the table across, and that divided by `aspect` the other way.
    The square must fit into the less of both.
    """
    return span * max(aspect, 1.0) / (2 * tan(radians(degrees) / 2))


def height_mm(build: Build, degrees: float = USUAL_DEGREES) -> float:
    """Return how high a camera sees the board with a square and a half on all sides."""
    return height_over(build.width_mm + 2 * AROUND * build.square_mm, degrees)


@dataclass(frozen=True, slots=True)
class Stand:
    """A stand's measures, in millimetres."""

    camera: float
    """The lens's height over the table."""
    post: float
    """Two of them; with two feet of `FOOT_MM` and six braces of `BRACE_MM`."""
    bar: float

    @property
    def lath(self) -> float:
        """How much lath it takes in all."""
        return 2 * self.post + self.bar + 2 * FOOT_MM + 6 * BRACE_MM


def stand_of(build: Build, degrees: float = USUAL_DEGREES) -> Stand:
    """Return the stand for a printed board, in whole centimetres."""
    camera = _rounded_up(height_mm(build, degrees))
    bar = _rounded_up(board_sheet(build).width + 2 * (BESIDE_MM + LATH_MM[0]))
    return Stand(camera, _rounded_up(camera + HANGS_MM), bar)


def stand_sheet(build: Build, paper: Point) -> Sheet:
    """Return a page that shows the stand from the front and from the side, and what is sawn."""
    stand = stand_of(build)
    apart = FOOT_MM
    scale = (paper[0] - 2 * MARGIN_MM) / (stand.bar + apart + FOOT_MM + 2 * apart)
    floor = MARGIN_MM + 15 + scale * stand.post
    front = _View((MARGIN_MM + scale * apart, floor), scale)
    side = _View((front.start[0] + scale * (stand.bar + apart), floor), scale)
    shapes = [box(0, 0, *paper, 1.0), *_front(stand, build, front), *_side(stand, side)]
    shapes.append(box(MARGIN_MM, floor, paper[0] - 2 * MARGIN_MM, LINE_MM))
    labels = list[Label]()
    for measured in (
        front.measure((-150, 0), (-150, stand.camera), f"{stand.camera:g}"),
        front.measure((0, stand.post + 70), (stand.bar, stand.post + 70), f"{stand.bar:g}"),
        side.measure((0, -110), (FOOT_MM, -110), f"{FOOT_MM:g}"),
        side.measure((FOOT_MM + 60, 0), (FOOT_MM + 60, stand.post), f"{stand.post:g}"),
    ):
        shapes += measured[0]
        labels.append(measured[1])
    listed, words = _sawn(stand, floor + scale * 110 + 20, paper[0] - 2 * MARGIN_MM)
    return Sheet(*paper, (*shapes, *listed), None, (*labels, *words))


class _View(NamedTuple):
    """Where on the page a drawing of the stand has its lower left corner, and its scale."""

    start: Point
    scale: float

    def at(self, point: Point) -> Point:
        """Return where a point, in millimetres of the stand, is drawn."""
        return self.start[0] + self.scale * point[0], self.start[1] - self.scale * point[1]

    def lath(self, one: Point, other: Point, wide: float, ink: Ink = WOOD) -> Iterator[Shape]:
        """Yield a lath from one end to the other, with its outline."""
        ends = self.at(one), self.at(other)
        yield _line(*ends, self.scale * wide + LINE_MM, LINE_MM / 2, 0.2)
        yield _line(*ends, self.scale * wide - LINE_MM, -LINE_MM / 2, ink)

    def thin(self, one: Point, other: Point, ink: Ink) -> Shape:
        """Return a thin line."""
        return _line(self.at(one), self.at(other), LINE_MM, 0.0, ink)

    def measure(self, one: Point, other: Point, text: str) -> tuple[list[Shape], Label]:
        """Return a line with a tick at both ends, and the length beside it."""
        (x, y), (to_x, to_y) = self.at(one), self.at(other)
        across = to_y == y
        tick = (0.0, TICK_MM / 2) if across else (TICK_MM / 2, 0.0)
        shapes = [_line((x, y), (to_x, to_y), LINE_MM, 0.0, 0.0)]
        shapes += [
            _line((a - tick[0], b - tick[1]), (a + tick[0], b + tick[1]), LINE_MM, 0.0, 0.0)
            for a, b in ((x, y), (to_x, to_y))
        ]
        middle = (x + to_x) / 2, (y + to_y) / 2
        if across:
            return shapes, Label(f"{text} mm", (middle[0], middle[1] - WORD_MM), WORD_MM)
        return shapes, Label(f"{text} mm", (middle[0] - WORD_MM, middle[1]), WORD_MM, 0.0, -90.0)


def _front(stand: Stand, build: Build, view: _View) -> Iterator[Shape]:
    """Yield the stand as a player sees it: the goal, the camera, and what it sees."""
    wide, thick = LATH_MM
    middle, half = stand.bar / 2, build.width_mm / 2
    lens = middle, stand.camera
    reach = half + AROUND * build.square_mm
    for way in (-1, 1):
        yield view.thin(lens, (middle + way * reach, 0), SIGHT)
    for x in (thick / 2, stand.bar - thick / 2):
        yield from view.lath((x, 0), (x, stand.post), thick)
    high = stand.post - wide / 2
    yield from view.lath((0, high), (stand.bar, high), wide)
    share = BRACE_MM / sqrt(2)
    for x, way in ((0.0, 1), (stand.bar, -1)):
        yield from view.lath((x, high - share), (x + way * share, high), thick, DARKER)
    yield from view.lath((middle - 45, stand.camera), (middle + 45, stand.camera), 30, 0.25)
    yield disc(*view.at(lens), 12 * view.scale, SIGHT)
    yield from view.lath((middle - half, 4), (middle + half, 4), 8, 0.6)


def _side(stand: Stand, view: _View) -> Iterator[Shape]:
    """Yield the stand from the side: a post, its foot and braces, and the bar's end."""
    wide, thick = LATH_MM
    middle = FOOT_MM / 2
    yield from view.lath((middle, 0), (middle, stand.post), wide)
    yield from view.lath((0, wide / 2), (FOOT_MM, wide / 2), wide)
    for way in (-1, 1):
        foot = middle + way * (middle - thick), wide / 2
        up = sqrt(BRACE_MM**2 - (middle - thick) ** 2)
        yield from view.lath(foot, (middle, wide / 2 + up), thick, DARKER)


def _sawn(stand: Stand, top: float, room: float) -> tuple[list[Shape], list[Label]]:
    """Return the list of what is sawn: a piece of lath for each length, and how many."""
    shapes, labels = list[Shape](), list[Label]()
    indent = 45.0
    scale = min(0.1, (room - indent - 1) / stand.post)
    lengths = ((2, stand.post), (1, stand.bar), (2, FOOT_MM), (6, BRACE_MM))
    for number, (count, length) in enumerate(lengths):
        y = top + 9 * number
        shapes += _View((MARGIN_MM + indent, y), scale).lath((0, 0), (length, 0), LATH_MM[0])
        labels.append(Label(f"{count} x {length:g} mm", (MARGIN_MM + 20, y), WORD_MM))
    total = f"{LATH_MM[0]:g} x {LATH_MM[1]:g} mm, {stand.lath / 1000:.1f} m"
    labels.append(Label(total, (MARGIN_MM + 28, top + 9 * len(lengths)), WORD_MM))
    return shapes, labels


def _line(one: Point, other: Point, wide: float, longer: float, ink: Ink) -> Shape:
    """Return a line as a polygon, so much longer at both ends."""
    x, y = other[0] - one[0], other[1] - one[1]
    length = hypot(x, y)
    x, y = x / length, y / length
    start = one[0] - x * longer, one[1] - y * longer
    end = other[0] + x * longer, other[1] + y * longer
    across = -y * wide / 2, x * wide / 2
    corners = (
        (start[0] + across[0], start[1] + across[1]),
        (end[0] + across[0], end[1] + across[1]),
        (end[0] - across[0], end[1] - across[1]),
        (start[0] - across[0], start[1] - across[1]),
    )
    return Shape(corners, ink)


def _rounded_up(length: float) -> float:
    return 10.0 * ceil(length / 10)
