"""Makes the pictures of the finished table and of its steps: `python -m docs.renders`.

Names of pictures, as words on the command line, make only these.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from math import cos, radians, sin
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.build import MARGIN_MM, Build, build_of
from jetan_table.extras.workshop.case import (
    CasePart,
    bought,
    case_parts,
    surface,
)
from jetan_table.extras.workshop.case.disk import disk_bought, disk_sizes
from jetan_table.extras.workshop.case.flat import ADAPTER_PARTS, Mounting, brains
from jetan_table.extras.workshop.case.sizes import (
    BOARD_MM,
    Body,
    CaseSizes,
    sizes_of,
    strip_bodies,
)
from jetan_table.extras.workshop.circuits import Circuit, adapter_mega, adapter_pi, strip
from jetan_table.extras.workshop.solids import Solid, block, joined, rod
from rules import SQUARE_NAMES, Position, Side, Square, preset_rules

from .render import Camera, Colour, Painted, image
from .scenery import (
    FRAME,
    GRID,
    INK_MM,
    KINDS,
    LEGAL,
    LIFTED,
    RIM,
    SQUARE_COLOURS,
    TRAY,
    bodies_painted,
    cut,
    letters,
    man,
    men,
    moved,
    painted,
    squares,
)

DOCS: Final = Path(__file__).parents[1]


class Still(NamedTuple):
    """A picture: where it is kept under `docs`, what it shows, and from where."""

    file: str
    shows: Callable[[], Iterator[Painted]]
    camera: Camera
    ground: Colour = (236, 234, 230)
    most_bytes: int = 150_000


def main(names: Sequence[str]) -> None:
    """Make all pictures, or those whose files have one of the names."""
    for picture in PICTURES:
        if not names or Path(picture.file).stem in names:
            rows = image(list(picture.shows()), picture.camera, picture.ground)
            (DOCS / picture.file).write_bytes(packed(rows, picture.most_bytes))
            print(picture.file, flush=True)


def packed(rows: NDArray[np.uint8], most_bytes: int) -> bytes:
    """Return a picture as WebP, as good as its size allows."""
    for quality in range(92, 30, -6):
        _, found = cv2.imencode(".webp", rows, [cv2.IMWRITE_WEBP_QUALITY, quality])
        if len(found) <= most_bytes:
            break
    return found.tobytes()


def bare(build: Build) -> Iterator[Painted]:
    """Yield a table without its squares and pieces."""
    if build.board == "ninth-ray":
        yield from _case(build, ("disk", "foot"))
        bodies = disk_bought(build, disk_sizes(build))
        plate = next(body for body in bodies if body.kind == "surface")
        yield painted(plate.solid, RIM, gloss=0.4)
    else:
        yield from _case(build, ("frame", "foot", "brain-tray-pi"))
        yield from _surface(sizes_of(build))
        yield from letters(build, MARGIN_MM)


def flat_table() -> Iterator[Painted]:
    """Yield the flat table before the first ply, its lamps lit for a piece in the hand."""
    build = build_of()
    yield from bare(build)
    yield from _played(build, Position.start(preset_rules("appendix")), "d1")


def round_table() -> Iterator[Painted]:
    """Yield the disk before the first ply."""
    build = build_of("ninth-ray")
    yield from bare(build)
    yield from _played(build, Position.start(preset_rules("ninth-ray-clockwise")), "d1")


def disk_sectors() -> Iterator[Painted]:
    """Yield a disk's sectors with their reeds and lamps; three are still to come."""
    build = build_of("ninth-ray")
    things = [b for b in disk_bought(build, disk_sizes(build)) if b.kind in ("reed", "lamp")]
    (sector, *_rest) = [part for part in case_parts(build) if part.name == "disk-sector"]
    for number, solid in enumerate(sector.placed):
        out = 26.0 if number in (4, 5, 6) else 0.0
        turn = radians(180 + 36 * (number + 0.5))
        shift = out * cos(turn), out * sin(turn), 0.0
        yield painted(solid.translate(shift), GRID, gloss=0.6)
        if not out:
            for thing in things:
                inside = thing.solid ^ solid.hull().scale((1, 1, 3))
                yield painted(inside, KINDS[thing.kind], gloss=1.4)


def disk_below() -> Iterator[Painted]:
    """Yield a disk on its head: the hub, the tray with its Pi above its place, and the feet."""
    build = build_of("ninth-ray")
    for part in case_parts(build):
        rise = {"disk-tray": -40.0, "foot": -8.0}.get(part.name, 0.0)
        for thing in _placed(part, rise):
            yield _on_its_head(thing)
    for body in disk_bought(build, disk_sizes(build)):
        if body.kind in ("reed", "lamp", "brain", "button"):
            shift = (0.0, 0.0, -40.0 * (body.kind == "brain"))
            solid = body.solid.translate(shift)
            if body.kind == "brain":
                x0, y0, z0, x1, y1, _z1 = solid.bounding_box()
                solid = block((x0, x1), (y0, y1), (z0, z0 + BOARD_MM))
            yield _on_its_head(painted(solid, KINDS[body.kind], gloss=1.4))


def _on_its_head(thing: Painted) -> Painted:
    return Painted(thing.points * (1, -1, -1), thing.triangles, thing.colour, 0.0, thing.gloss)


def disk_surface() -> Iterator[Painted]:
    """Yield the disk's surface above the case that it is to be laid into."""
    build = build_of("ninth-ray")
    yield from _case(build, ("disk-sector", "foot"))
    plate = next(body for body in disk_bought(build, disk_sizes(build)) if body.kind == "surface")
    for thing in (painted(plate.solid, RIM, gloss=0.4), *squares(build)):
        yield moved(thing, 90, 130, 60)


def _played(build: Build, position: Position, name: str) -> Iterator[Painted]:
    lifted = Square(SQUARE_NAMES.index(name))
    lit = {move.to_square: LEGAL for move in position.moves_from(lifted)} | {lifted: LIFTED}
    yield from squares(build, lit)
    yield from men(build, position, lifted, 26.0)


def _case(build: Build, names: Sequence[str], rise: float = 0.0) -> Iterator[Painted]:
    for part in case_parts(build):
        if part.name.startswith(tuple(names)):
            yield from _placed(part, rise)


def _placed(part: CasePart, rise: float = 0.0) -> Iterator[Painted]:
    is_white = "grid" in part.name or "sector" in part.name
    colour = GRID if is_white else TRAY if "tray" in part.name else FRAME
    for solid in part.placed:
        yield painted(solid.translate((0, 0, rise)), colour, gloss=0.6)


def _surface(sizes: CaseSizes, rise: float = 0.0) -> Iterator[Painted]:
    yield painted(surface(sizes).translate((0, 0, rise)), RIM, gloss=0.4)


def one_square() -> Iterator[Painted]:
    """Yield all that belongs to one square, drawn apart: from the piece down to the frame."""
    build = build_of()
    sizes = sizes_of(build)
    square = Square(SQUARE_NAMES.index("e4"))
    x, y = build.middle(square)
    reach = build.square_mm / 2 + 4
    bounds = (x - reach, x + reach), (y - reach, y + reach)
    parts = [Body(part.name, joined(part.placed)) for part in case_parts(build)]
    for body in cut(parts, *bounds):
        if body.kind.startswith("frame"):
            yield painted(body.solid, FRAME, gloss=0.6)
        elif body.kind.startswith("light"):
            yield painted(body.solid.translate((0, 0, 84)), GRID, gloss=0.6)
    for body in cut(bought(build, sizes), *bounds):
        if body.kind == "surface":
            yield painted(body.solid.translate((0, 0, 114)), RIM, gloss=0.4)
        elif body.kind == "screws":
            yield painted(body.solid.translate((0, 0, 101)), KINDS[body.kind])
        elif body.kind not in ("brain", "sunk screws", "bolts", "lead"):
            yield from _apart(body, sizes)
    tile = block((x - 22, x + 22), (y - 22, y + 22), (0, INK_MM))
    yield painted(tile.translate((0, 0, 114)), SQUARE_COLOURS[1], gloss=0.5)
    width, height = build.magnet
    yield painted(rod(x, y, (128, 128 + height), width), KINDS["magnet"], gloss=2)
    yield moved(man("F", build, Side.ORANGE), x, y, 146)


def _apart(body: Body, sizes: CaseSizes) -> Iterator[Painted]:
    """Yield the board of a strip, what lies on it above it, and what hangs on it below."""
    for solid in body.solid.decompose():
        _, _, low, _, _, high = solid.bounding_box()
        middle = (low + high) / 2 - sizes.board_top
        # A reed's legs go down through the board.
        is_above = middle > -BOARD_MM / 2 or body.kind == "wire"
        rise = 40.0 if body.kind == "board" else 57.0 if is_above else 20.0
        yield painted(solid.translate((0, 0, rise)), KINDS[body.kind], gloss=1.4)


def a_strip() -> Iterator[Painted]:
    """Yield one strip with all its parts."""
    for body in strip_bodies(strip(build_of())):
        if body.kind != "lead":
            yield painted(body.solid.rotate((0, 0, 0)), KINDS[body.kind], gloss=1.4)


def the_frame() -> Iterator[Painted]:
    """Yield the parts of the frame, a little apart, and its feet."""
    build = build_of()
    for part in case_parts(build):
        if part.name.startswith("frame"):
            for solid in part.placed:
                x0, y0, _, x1, y1, _ = solid.bounding_box()
                shift = ((x0 + x1) * 0.09, (y0 + y1) * 0.09, 0.0)
                yield painted(solid.translate(shift), FRAME, gloss=0.6)


def strips_laid() -> Iterator[Painted]:
    """Yield the strips in the frame; four are still to come."""
    build = build_of()
    yield from _case(build, ("frame", "foot"))
    yield from bodies_painted(_left_of(build, 2 * build.square_mm), _IN_PLACE)
    for body in _rest(build, 2 * build.square_mm):
        if body.kind in _IN_PLACE:
            yield painted(body.solid.translate((26, 0, 46)), KINDS[body.kind], gloss=1.4)


_IN_PLACE: Final = dict.fromkeys(
    ("board", "lamp", "reed", "wire", "pins", "plug", "diode", "capacitor"), 0.0
)


def _left_of(build: Build, x: float) -> Iterator[Body]:
    return cut(bought(build, sizes_of(build)), (-400.0, x), (-400.0, 400.0))


def _rest(build: Build, x: float) -> Iterator[Body]:
    return cut(bought(build, sizes_of(build)), (x, 400.0), (-400.0, 400.0))


def grid_on() -> Iterator[Painted]:
    """Yield the light grid on the strips, some parts of it and its screws above their places."""
    build = build_of()
    sizes = sizes_of(build)
    yield from _case(build, ("frame", "foot"))
    yield from bodies_painted(bought(build, sizes), _IN_PLACE)
    for part in case_parts(build):
        if part.name.startswith("light-grid"):
            for solid in part.placed:
                is_last = solid.bounding_box()[0] > build.square_mm
                yield painted(solid.translate((0, 0, 44.0 * is_last)), GRID, gloss=0.6)
    for body in _rest(build, 2 * build.square_mm):
        if body.kind == "screws":
            yield painted(body.solid.translate((0, 0, 66)), KINDS["screws"])
    for body in _left_of(build, 2 * build.square_mm):
        if body.kind == "screws":
            yield painted(body.solid, KINDS["screws"])


def surface_on() -> Iterator[Painted]:
    """Yield the surface beside the frame that it is to be laid into."""
    build = build_of()
    yield from _case(build, ("frame", "foot", "light-grid"))
    yield from bodies_painted(bought(build, sizes_of(build)), _IN_PLACE | {"screws": 0.0})
    above = [*_surface(sizes_of(build)), *squares(build), *letters(build, MARGIN_MM)]
    for thing in above:
        yield moved(thing, 120, 170, 60)


_Standing = tuple[tuple[float, float], tuple[float, float], float, Colour]
"""What stands on a board: from and to along both its sides, its height and its colour."""

_METAL, _BLACK = (188, 190, 194), (30, 30, 34)
_ON_PI: Final[Sequence[_Standing]] = (
    *((x, (-3, 15), 16, _METAL) for x in ((2, 18), (21, 37))),
    ((38, 54), (-2, 19), 13.5, _METAL),
    ((49.5, 54.5), (27, 78), 8.5, _BLACK),
    ((18, 33), (48, 63), 2.2, (170, 172, 176)),
    ((18, 30), (28, 40), 1.2, _BLACK),
    ((-1, 6.5), (69, 78.5), 3.2, _METAL),
)
"""A Pi's plugs, its header and its chips."""

_ON_MEGA: Final[Sequence[_Standing]] = (
    ((-6, 10), (32, 44), 11, _METAL),
    ((-2, 12), (3, 12), 11, _BLACK),
    ((18, 91), (49.5, 52), 8.5, _BLACK),
    ((27, 91), (1.3, 3.8), 8.5, _BLACK),
    ((92.7, 97.8), (4, 52), 8.5, _BLACK),
    ((50, 64), (20, 34), 1.4, _BLACK),
)
"""A Mega's plugs, its rows of sockets and its chip."""


def the_brain() -> Iterator[Painted]:
    """Yield the tray with a Pi and its adapter, and above its exit the lid for cables."""
    build = build_of()
    sizes = sizes_of(build)
    for thing in _case(build, ("brain-tray-pi",)):
        yield thing
    for thing in _case(build, ("cable-lid",), 16.0):
        yield thing
    brain = brains(sizes)[0]
    pi, adapter = brain.seats
    low = sizes.floor_low - brain.deep + pi.low
    for seat in (pi, adapter):
        yield painted(block(seat.x, seat.y, (low, low + BOARD_MM)), KINDS["brain"])
    yield from _on_board(pi, low + BOARD_MM, _ON_PI)
    board = adapter_pi()
    corner = adapter.x[0] - board.edges[0], adapter.y[0] - board.edges[1]
    yield from _on_adapter(board, lambda solid: solid.translate((*corner, low + BOARD_MM)))


def the_mega() -> Iterator[Painted]:
    """Yield the tray with a Mega, and its adapter on it."""
    sizes = sizes_of(build_of())
    yield from _case(build_of(), ("brain-tray-mega",))
    brain, board = brains(sizes)[1], adapter_mega()
    mega, adapter = brain.seats
    floor = sizes.floor_low - brain.deep
    yield from _on_board(mega, floor + mega.low + BOARD_MM, _ON_MEGA)
    for seat, colour in ((mega, (30, 96, 140)), (adapter, KINDS["brain"])):
        z = (floor + seat.low, floor + seat.low + BOARD_MM)
        yield painted(block(seat.x, seat.y, z), colour)
    # Turned as it is plugged on: its upper edge lies over the Mega's end.
    corner = adapter.x[1] + board.edges[1], adapter.y[0] - board.edges[0]
    top = floor + adapter.low + BOARD_MM
    yield from _on_adapter(board, lambda solid: solid.rotate((0, 0, 90)).translate((*corner, top)))


def _on_board(seat: Mounting, low: float, things: Sequence[_Standing]) -> Iterator[Painted]:
    """Yield what is tall on a board in the tray."""
    west, south = seat.x[0], seat.y[0]
    for x, y, size, colour in things:
        shape = block((west + x[0], west + x[1]), (south + y[0], south + y[1]), (low, low + size))
        yield painted(shape, colour)


def _on_adapter(board: Circuit, place: Callable[[Solid], Solid]) -> Iterator[Painted]:
    """Yield an adapter's parts that stand out, where its description has them."""
    for part in board.parts:
        for prefix, wide, long, high in ADAPTER_PARTS:
            if part.footprint.partition(":")[2].startswith(prefix):
                shape = block(wide, long, (0.0, high)).rotate((0, 0, part.turn))
                shape = place(shape.translate((part.x, part.y, 0)))
                yield painted(shape, _PART_COLOURS.get(prefix, _BLACK))


_PART_COLOURS: Final = {"TerminalBlock": (46, 130, 84), "CP_Radial": (40, 44, 80)}


def magnets_in() -> Iterator[Painted]:
    """Yield all kinds of pieces, and two on their heads, with magnets for their feet."""
    build = build_of()
    for at, letter in enumerate("PWADTFCQ"):
        side = Side.BLACK if at % 2 else Side.ORANGE
        shape = man(letter, build, side)
        yield moved(shape, (at - 3.5) * 31, 22 * (at % 2))
    yield moved(man("*", build, None), 4 * 31 + 14, 10)
    for at, letter in enumerate("TP"):
        side = Side.ORANGE if at else Side.BLACK
        thing = man(letter, build, side)
        high = float(thing.points[:, 2].max())
        turned = Painted(thing.points * (1, -1, -1), thing.triangles, thing.colour)
        x = -40 + 70 * at
        yield moved(turned, x, -78, high)
        rise = high - build.magnet.height - 0.2 + (16 if at else 1)
        disc = rod(x, -78, (rise, rise + build.magnet.height), build.magnet.width)
        yield painted(disc, KINDS["magnet"], gloss=2)


DUST: Final[Colour] = (150, 74, 44)
PICTURES: Final = (
    Still(
        "../jetan_table/page/static/table.webp",
        flat_table,
        Camera(-30, 24, 24, 1.36, 880, 400),
        DUST,
        32_000,
    ),
    Still("pictures/table-flat.webp", flat_table, Camera(-24, 36, 26, 1.0, 1600, 1000)),
    Still("pictures/table-round.webp", round_table, Camera(-14, 42, 26, 1.04, 1400, 1000)),
    Still("build/pictures/disk-sectors.webp", disk_sectors, Camera(-20, 46, 24, 1.0, 1200, 860)),
    Still("build/pictures/disk-below.webp", disk_below, Camera(-24, 44, 24, 1.0, 1200, 860)),
    Still("build/pictures/disk-surface.webp", disk_surface, Camera(-28, 40, 24, 1.0, 1200, 860)),
    Still("build/pictures/one-square.webp", one_square, Camera(-32, 20, 16, 1.0, 800, 1070)),
    Still("build/pictures/strip.webp", a_strip, Camera(-20, 34, 22, 1.0, 1200, 560)),
    Still("build/pictures/frame.webp", the_frame, Camera(-28, 42, 24, 1.0, 1200, 790)),
    Still("build/pictures/strips.webp", strips_laid, Camera(-28, 40, 24, 1.0, 1200, 790)),
    Still("build/pictures/light-grid.webp", grid_on, Camera(-28, 40, 24, 1.0, 1200, 790)),
    Still("build/pictures/surface.webp", surface_on, Camera(-28, 40, 24, 1.0, 1200, 790)),
    Still("build/pictures/brain.webp", the_brain, Camera(-24, 46, 24, 1.0, 1200, 790)),
    Still("build/pictures/brain-mega.webp", the_mega, Camera(-24, 46, 24, 1.0, 1200, 790)),
    Still("build/pictures/pieces.webp", magnets_in, Camera(-10, 34, 22, 1.0, 1200, 660)),
)

if __name__ == "__main__":
    main(sys.argv[1:])
