"""Prints: boards and pieces of paper, a drawing of a camera's stand, and templates to drill by.

Four markers on the board give a camera its place. Pieces are discs to cut out, or cards that stand
when they are folded, on two half discs, so that from above they look like a disc with a card on it.
Inks are chosen so that a camera tells pieces from squares and sides from each other: Black's pieces
are darker than the black squares and Orange's redder than the orange ones; each has a pale rim, by
which it is seen on a square of its own colour.

The stand is a goal over the board: two posts on feet at the board's left and right, and a bar
between them, under whose middle the camera hangs and looks straight down.

Templates show the holes for a board's lamps, and the slots or holes for its reeds, from above with
Black's side at the lower edge. Their lines are borders of squares.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, ceil, cos, degrees, hypot, pi, radians, sin, sqrt, tan
from typing import Final, NamedTuple

from hardware.build import REED_MM, Build, ReedPlace
from hardware.signs import sign_of
from rules import (
    FILES,
    SQUARE_NAMES,
    SQUARES,
    Kind,
    Occupant,
    Piece,
    Position,
    Side,
    Square,
    parse_rules,
)
from vision.markers import DICTIONARY

from .sheet import (
    MARGIN_MM,
    MARKER_MM,
    PAPERS,
    QUIET_MM,
    Ink,
    Label,
    Point,
    Shape,
    Sheet,
    box,
    disc,
    format_pages,
    format_sheet,
    laid_out,
    marker,
    tiles,
)

DARK: Final[Ink] = (0.29, 0.26, 0.25)

PALE: Final[Ink] = (0.96, 0.68, 0.36)
"""Inks of the squares."""

DISK_RIM: Final[Ink] = (0.55, 0.42, 0.28)
"""Ink round a disk, between those of its squares."""

BODY: Final[dict[Occupant, Ink]] = {
    Occupant.BLACK: (0.05, 0.04, 0.05),
    Occupant.ORANGE: (0.86, 0.33, 0.04),
    Occupant.NEUTRAL: (0.43, 0.16, 0.66),
}
"""Inks of the pieces; the neutral one is the Juggernaut."""

PICTURE: Final[Ink] = (1.0, 0.97, 0.9)
"""Ink of signs and rims on all pieces."""

NAMES: Final[Ink] = 0.25

MARGIN: Final[Ink] = (0.24, 0.2, 0.18)
NAMES_IN_MARGIN: Final[Ink] = (0.89, 0.75, 0.57)
"""Inks round the squares of a playing surface, and of what is written there."""

NAMES_ON: Final[tuple[Ink, Ink]] = ((0.62, 0.58, 0.55), (0.55, 0.33, 0.12))
"""Inks of the names on a disk's black and orange squares."""


def paper(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield a PDF for each size of paper, the board whole for a print shop, and its markers.

    `jetan watch --markers` reads the markers' file.
    """
    for name, size in PAPERS.items():
        yield f"paper/{name}.pdf", format_pages(pages(build, size))
    whole = board_sheet(build)
    yield "paper/board.pdf", format_sheet(whole, "pdf")
    yield "paper/board.svg", format_sheet(whole, "svg")
    assert whole.markers is not None
    yield "paper/markers.json", f"{whole.markers}\n".encode()


def surface(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield the print that lies under the playing surface: in pages, and whole for a shop."""
    sheet = surface_sheet(build)
    for name, size in PAPERS.items():
        yield f"surface/{name}.pdf", format_pages(tiles(sheet, size))
    yield "surface/board.pdf", format_sheet(sheet, "pdf")


def pages(build: Build, size: Point) -> list[Sheet]:
    """Return the board in pages, then discs, then standing pieces, then the camera's stand."""
    men = set_of_pieces()
    return [
        *tiles(board_sheet(build), size),
        *laid_out([disc_of(man, build) for man in men], size),
        *laid_out([standing_of(man, build) for man in men], size),
        stand_sheet(build, size),
    ]


BAND_MM = 7.0
"""The white band round a flat board, with the names of files and ranks."""

NAME_MM, DISK_NAME_MM, MARGIN_NAME_MM = 6.0, 3.0, 9.0

LINE_MM = 0.5

RIM_MM = 25.0
"""The coloured band round a disk. All its outer squares are occupied at first, so a camera a little
to the side sees the band behind their pieces, where it must not be white."""


def board_sheet(build: Build, with_squares: bool = True) -> Sheet:
    """Return the whole board; or only the surroundings of its squares, to put another board on."""
    # A flat board's markers are at its left and right, where no player's hands reach and they add
    # nothing to its height in a picture. A disk's are in the corners beside it.
    is_flat = build.board == "grid"
    half = build.width_mm / 2
    beyond = BAND_MM if is_flat else RIM_MM
    middle = (
        half + beyond + QUIET_MM + (QUIET_MM + MARKER_MM if is_flat else 0.0),
        half + beyond + QUIET_MM,
    )
    width, height = 2 * middle[0], 2 * middle[1]
    shapes = [box(0, 0, width, height, 1.0), *_ground(build, middle, half + RIM_MM)]
    if with_squares:
        shapes += _squares(build, middle)
    corners = _corners(middle, half if is_flat else half + RIM_MM)
    for number, quad in corners.items():
        shapes += marker(number, *quad[0])
    labels: list[Label] = []
    if is_flat:
        labels += _names_beside(build, middle, half + LINE_MM + BAND_MM / 2, NAME_MM, NAMES)
    elif with_squares:
        labels += _names_inside(build, middle)
    return Sheet(width, height, tuple(shapes), _places(corners, middle, half), tuple(labels))


def surface_sheet(build: Build) -> Sheet:
    """Return the print of a playing surface: as wide as it, and without a camera's markers."""
    width = build.surface_width_mm
    middle = width / 2, width / 2
    if build.board == "grid":
        ground = box(0, 0, width, width, MARGIN)
        far = (width + build.width_mm) / 4
        names = _names_beside(build, middle, far, MARGIN_NAME_MM, NAMES_IN_MARGIN)
    else:
        ground, names = disc(*middle, width / 2, MARGIN), _names_inside(build, middle)
    marks = _marks_of_buttons(build, middle)
    shapes = (box(0, 0, width, width, 1.0), ground, *_squares(build, middle), *marks)
    return Sheet(width, width, shapes, labels=tuple(names))


def _marks_of_buttons(build: Build, middle: Point) -> Iterator[Shape]:
    """Yield the marks in the margin beside the buttons: a die, and a menu of three lines."""
    room = build.surface_width_mm / 2 - build.width_mm / 2
    far, size = build.surface_width_mm / 2 - min(room / 2, 6.0), min(room - 2, 6.0)
    (x, y), (menu_x, menu_y) = (
        (middle[0] + far * right, middle[1] - far * up) for right, up in build.button_ways
    )
    yield box(x - size / 2, y - size / 2, size, size, NAMES_IN_MARGIN)
    for across, down in ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)):
        yield disc(x + across * size / 4, y + down * size / 4, size / 10, MARGIN)
    for at in (-1, 0, 1):
        yield box(
            menu_x - size / 2, menu_y + at * size / 3 - size / 12, size, size / 6, NAMES_IN_MARGIN
        )


def _ground(build: Build, middle: Point, rim: float) -> Iterator[Shape]:
    """Yield the ground round the squares, on a disk up to a radius, and white within it."""
    (x, y), half = middle, build.width_mm / 2
    if build.board == "grid":
        for reach, ink in ((half + LINE_MM, NAMES), (half, 1.0)):
            yield box(x - reach, y - reach, 2 * reach, 2 * reach, ink)
    else:
        yield disc(x, y, rim, DISK_RIM)
        yield disc(x, y, half, 1.0)


def _squares(build: Build, middle: Point) -> Iterator[Shape]:
    topology, unit = build.topology, build.unit_mm
    for outline, colour in zip(topology.outlines, topology.colours, strict=True):
        points = tuple((middle[0] + unit * (x - 5), middle[1] - unit * (y - 5)) for x, y in outline)
        yield Shape(points, PALE if colour else DARK)


def _corners(middle: Point, reach: float) -> Mapping[int, tuple[Point, ...]]:
    """Return each marker's corners on the sheet, its own top left first, clockwise."""
    left, right = QUIET_MM, 2 * middle[0] - QUIET_MM - MARKER_MM
    top, bottom = middle[1] - reach, middle[1] + reach - MARKER_MM
    ways = ((0, 0), (1, 0), (1, 1), (0, 1))
    starts = ((left, bottom), (right, bottom), (right, top), (left, top))
    return {
        number: tuple((x + MARKER_MM * across, y + MARKER_MM * down) for across, down in ways)
        for number, (x, y) in enumerate(starts)
    }


def _places(corners: Mapping[int, tuple[Point, ...]], middle: Point, half: float) -> str:
    """Return the markers' places as JSON, for `vision.markers.read_markers`."""
    board_cm = {
        str(number): [
            (round((x - middle[0]) / 10, 4), round((middle[1] - y) / 10, 4)) for x, y in quad
        ]
        for number, quad in corners.items()
    }
    corner = -round(half / 10, 4)
    return json.dumps(
        {
            "fiducials": {"dictionary": DICTIONARY, "board_cm": board_cm},
            "board_cm": {"playing_area_corners": {"a1": (corner, corner)}},
        }
    )


def _names_beside(
    build: Build, middle: Point, out: float, size: float, ink: Ink
) -> Iterator[Label]:
    """Yield the names of files below and above a flat board, and of ranks at its left and right.

    They are `out` from its middle, each upright for the nearest player.
    """
    x, y = middle
    for number, file in enumerate(FILES):
        along = build.unit_mm * (number - 4.5)
        yield Label(file, (x + along, y + out), size, ink)
        yield Label(file, (x + along, y - out), size, ink, 180.0)
        yield Label(str(number + 1), (x - out, y - along), size, ink)
        yield Label(str(number + 1), (x + out, y - along), size, ink, 180.0)


def _names_inside(build: Build, middle: Point) -> Iterator[Label]:
    """Yield each square's name, beside its piece and readable from outside the disk.

    It is towards the rim, except in the wedges at the centre, which have no room there.
    """
    for square in SQUARES:
        right, up = build.middle(square)
        is_wedge = square // 10 in (4, 5)
        gap = build.base_mm / 2 + 0.7 * DISK_NAME_MM
        at = 1 + (-gap if is_wedge else gap) / hypot(right, up)
        place = middle[0] + right * at, middle[1] - up * at
        ink = NAMES_ON[build.topology.colours[square]]
        turn = -90.0 - degrees(atan2(up, right))
        yield Label(SQUARE_NAMES[square], place, DISK_NAME_MM, ink, turn)


# ------------------------------------------------------------------ pieces


JUGGERNAUT: Final = "*"

PIECE_RIM: Final = (0.94, 0.8)
"""Outer and inner radius of the pale rim, as shares of a disc's radius."""

SIGN: Final = 0.58
"""Largest width of a sign, as a share of a piece's foot."""

TALL: Final = 1.15
"""Height of a standing piece, as a share of its foot's width."""

NAME_SHARE: Final = 0.12
"""The size of a standing piece's name, as a share of its foot's width."""

FOLD_MM: Final = 0.25


class Man(NamedTuple):
    """A piece to be printed: its side, and its kind's letter."""

    side: Occupant
    letter: str

    @property
    def name(self) -> str:
        """The name of its kind."""
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


def disc_of(man: Man, build: Build) -> Sheet:
    """Return a disc as wide as a piece's foot."""
    radius = build.base_mm / 2
    middle = radius, radius
    shapes = (*_rings(man, middle, radius), *_sign(man, middle, SIGN * build.base_mm))
    return Sheet(build.base_mm, build.base_mm, shapes)


def standing_of(man: Man, build: Build) -> Sheet:
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
    return Sheet(wide, below + radius, tuple(shapes), labels=(top, name))


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
    rim = wide / 2 * (1 - PIECE_RIM[0]), wide / 2 * (1 - PIECE_RIM[1])
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
    for share, filled in ((1.0, ink), (PIECE_RIM[0], PICTURE), (PIECE_RIM[1], ink)):
        yield disc(*middle, share * radius, filled)


def _half(shape: Shape, level: float, way: int) -> Shape:
    """Return the half of a disc that lies above a level, or below where `way` is 1."""
    points: Sequence[Point] = [
        (x, level + way * max(way * (y - level), 0)) for x, y in shape.points
    ]
    return Shape(tuple(points), shape.ink)


# ------------------------------------------------------------------ the camera's stand


AROUND: Final = 1.5
"""Squares round the board that a camera should see too, for hands that come."""

USUAL_DEGREES: Final = 60.0
"""Angle of view of most webcams across their picture."""

ASPECT: Final = 16 / 9
"""Width of their picture as a multiple of its height."""

LATH_MM: Final = (40.0, 20.0)

FOOT_MM: Final = 300.0

BRACE_MM: Final = 250.0

BESIDE_MM: Final = 40.0
"""Distance between the printed sheet and a post."""

HANGS_MM: Final = 50.0
"""Depth of the camera's lens under the bar's upper edge."""

STROKE_MM: Final = 0.35

TICK_MM: Final = 2.0

WORD_MM: Final = 4.0

WOOD: Final[Ink] = (0.87, 0.74, 0.55)

DARKER: Final[Ink] = (0.72, 0.57, 0.38)

SIGHT: Final[Ink] = (0.1, 0.6, 0.9)


def height_over(span: float, degrees: float = USUAL_DEGREES, aspect: float = ASPECT) -> float:
    """Return the height from which a camera sees all of a square with side `span`, in its unit.

    It looks straight down and sees `degrees` across its picture, `aspect` times as wide as high.
    """
    # It sees 2 h tan(degrees / 2) of the table across, and that divided by `aspect` the other way;
    # the square must fit into the smaller of both.
    return span * max(aspect, 1.0) / (2 * tan(radians(degrees) / 2))


def height_mm(build: Build, degrees: float = USUAL_DEGREES) -> float:
    """Return the height from which a camera sees the board and a square and a half around it."""
    return height_over(build.width_mm + 2 * AROUND * build.square_mm, degrees)


@dataclass(frozen=True, slots=True)
class Stand:
    """A stand's measures, in millimetres."""

    camera: float
    """The lens's height over the table."""
    post: float
    """Length of each of two; besides them, two feet of `FOOT_MM` and six braces of `BRACE_MM`."""
    bar: float

    @property
    def lath(self) -> float:
        """Length of all its laths together."""
        return 2 * self.post + self.bar + 2 * FOOT_MM + 6 * BRACE_MM


def stand_of(build: Build, degrees: float = USUAL_DEGREES) -> Stand:
    """Return the stand for a printed board, in whole centimetres."""
    camera = _rounded_up(height_mm(build, degrees))
    bar = _rounded_up(board_sheet(build).width + 2 * (BESIDE_MM + LATH_MM[0]))
    return Stand(camera, _rounded_up(camera + HANGS_MM), bar)


def stand_sheet(build: Build, paper: Point) -> Sheet:
    """Return a page with the stand from the front and from the side, and its list of laths."""
    stand = stand_of(build)
    apart = FOOT_MM
    scale = (paper[0] - 2 * MARGIN_MM) / (stand.bar + apart + FOOT_MM + 2 * apart)
    floor = MARGIN_MM + 15 + scale * stand.post
    front = _View((MARGIN_MM + scale * apart, floor), scale)
    side = _View((front.start[0] + scale * (stand.bar + apart), floor), scale)
    shapes = [box(0, 0, *paper, 1.0), *_front(stand, build, front), *_side(stand, side)]
    shapes.append(box(MARGIN_MM, floor, paper[0] - 2 * MARGIN_MM, STROKE_MM))
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
    """A drawing of the stand on the page: its lower left corner, and its scale."""

    start: Point
    scale: float

    def at(self, point: Point) -> Point:
        """Return the place on the page of a point in millimetres of the stand."""
        return self.start[0] + self.scale * point[0], self.start[1] - self.scale * point[1]

    def lath(self, one: Point, other: Point, wide: float, ink: Ink = WOOD) -> Iterator[Shape]:
        """Yield a lath from one end to the other, with its outline."""
        ends = self.at(one), self.at(other)
        yield _line(*ends, self.scale * wide + STROKE_MM, 0.2, STROKE_MM / 2)
        yield _line(*ends, self.scale * wide - STROKE_MM, ink, -STROKE_MM / 2)

    def thin(self, one: Point, other: Point, ink: Ink) -> Shape:
        """Return a thin line."""
        return _line(self.at(one), self.at(other), STROKE_MM, ink)

    def measure(self, one: Point, other: Point, text: str) -> tuple[list[Shape], Label]:
        """Return a line with a tick at both ends, and the length beside it."""
        (x, y), (to_x, to_y) = self.at(one), self.at(other)
        across = to_y == y
        tick = (0.0, TICK_MM / 2) if across else (TICK_MM / 2, 0.0)
        shapes = [_line((x, y), (to_x, to_y), STROKE_MM)]
        shapes += [
            _line((a - tick[0], b - tick[1]), (a + tick[0], b + tick[1]), STROKE_MM)
            for a, b in ((x, y), (to_x, to_y))
        ]
        middle = (x + to_x) / 2, (y + to_y) / 2
        if across:
            return shapes, Label(f"{text} mm", (middle[0], middle[1] - WORD_MM), WORD_MM)
        return shapes, Label(f"{text} mm", (middle[0] - WORD_MM, middle[1]), WORD_MM, 0.0, -90.0)


def _front(stand: Stand, build: Build, view: _View) -> Iterator[Shape]:
    """Yield the stand as a player sees it: the goal, the camera, and its field of view."""
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
    """Return the list of laths to be sawn: one drawn for each length, with the count."""
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


def _line(one: Point, other: Point, wide: float, ink: Ink = 0.0, longer: float = 0.0) -> Shape:
    """Return a line as a polygon, made `longer` at both ends."""
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


# ------------------------------------------------------------------ templates to drill by


DRILL_MARGIN_MM: Final = 10.0
THIN_LINE_MM: Final = 0.25
LAMP_MM: Final = 10.0

SLOT_MM: Final = (REED_MM + 1.0, 2.5)
"""Length and width of the slot for a lying reed and its leads, whose gap is in the middle."""

REED_HOLE_MM: Final = 3.0
"""Width of the hole for an upright reed."""

CROSS_MM: Final = 9.0
DRILL_NAME_MM: Final = 3.0
SLOT_INK: Final[Ink] = 0.75
NAME_INK: Final[Ink] = 0.45
RING_CORNERS: Final = 24


def templates(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield the template in pages for each size of paper, and whole."""
    sheet = drilling(build)
    for name, size in PAPERS.items():
        yield f"drilling/{name}.pdf", format_pages(tiles(sheet, size))
    yield "drilling/board.svg", format_sheet(sheet, "svg")


def drilling(build: Build) -> Sheet:
    """Return the template of the whole board."""
    side = build.width_mm + 2 * DRILL_MARGIN_MM

    def on_sheet(point: Point) -> Point:
        return side / 2 + point[0], side / 2 - point[1]

    shapes = [box(0, 0, side, side, 1.0)]
    shapes += [_line(on_sheet(start), on_sheet(end), THIN_LINE_MM) for start, end in borders(build)]
    for square in SQUARES:
        for place in build.reeds:
            shapes += _reed(build, square, place, on_sheet)
    labels = []
    for square in SQUARES:
        shapes += _lamp(on_sheet(build.lamp_at(square)))
        labels.append(
            Label(SQUARE_NAMES[square], on_sheet(_name(build, square)), DRILL_NAME_MM, NAME_INK)
        )
    return Sheet(side, side, tuple(shapes), labels=tuple(labels))


def borders(build: Build) -> Sequence[tuple[Point, Point]]:
    """Return each border between squares once, and those of the board, in mm from its middle."""
    unit = build.unit_mm
    found = set()
    for outline in build.topology.outlines:
        points = [(round(unit * (x - 5), 3), round(unit * (y - 5), 3)) for x, y in outline]
        for start, end in zip(points, (*points[1:], points[0]), strict=True):
            found.add((min(start, end), max(start, end)))
    return sorted(found)


def _reed(
    build: Build, square: Square, place: ReedPlace, on_sheet: Callable[[Point], Point]
) -> Iterator[Shape]:
    """Yield the slot of a lying reed, or the hole of an upright one."""
    if place.way is None:
        yield _ring(on_sheet(build.placed(square, place.gap)), REED_HOLE_MM)
        return
    (x, y), (ux, uy), half = place.gap, place.way, SLOT_MM[0] / 2
    ends = (x - half * ux, y - half * uy), (x + half * ux, y + half * uy)
    start, end = (on_sheet(build.placed(square, spot)) for spot in ends)
    yield _line(start, end, SLOT_MM[1], SLOT_INK)


def _lamp(middle: Point) -> Iterator[Shape]:
    """Yield a lamp's hole, and a cross to centre the drill."""
    (x, y), half = middle, CROSS_MM / 2
    yield _ring(middle, LAMP_MM)
    yield _line((x - half, y), (x + half, y), THIN_LINE_MM)
    yield _line((x, y - half), (x, y + half), THIN_LINE_MM)


def _name(build: Build, square: Square) -> Point:
    """Return the place of a square's name, clear of its holes and slots."""
    if build.board == "ninth-ray":
        return build.placed(square, (9.0, 0.0))
    x, y = build.middle(square)
    off = build.square_mm / 2 - DRILL_NAME_MM
    return x - off, y + off


def _ring(middle: Point, wide: float) -> Shape:
    """Return a circle as a thin ring: one polygon round outside and back inside."""
    x, y = middle
    turns = [2 * pi * part / RING_CORNERS for part in range(RING_CORNERS + 1)]
    outside = [(wide / 2, turn) for turn in turns]
    inside = [(wide / 2 - THIN_LINE_MM, turn) for turn in reversed(turns)]
    return Shape(
        tuple(
            (x + radius * cos(turn), y + radius * sin(turn)) for radius, turn in outside + inside
        ),
        0.0,
    )
