"""Makes the pictures of the finished table and of its steps: `python -m docs.renders`.

Names of pictures, as words on the command line, make only these.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.build import Build, build_of
from jetan_table.extras.workshop.case import (
    CasePart,
    bought,
    case_parts,
    disk_bought,
    disk_sizes,
    surface,
)
from jetan_table.extras.workshop.case.flat import STAND_HIGH_MM, TRAY_HIGH_MM, Mounting, brains
from jetan_table.extras.workshop.case.sizes import (
    BOARD_MM,
    MARGIN_MM,
    Body,
    CaseSizes,
    sizes_of,
    strip_bodies,
)
from jetan_table.extras.workshop.circuits import adapter_pi, strip
from jetan_table.extras.workshop.solids import block, joined, rod
from rules import SQUARE_NAMES, Position, Side, Square, preset_rules

from .hand import hand, poses
from .render import Camera, Painted, image
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
MOST_BYTES: Final = 150_000


class Still(NamedTuple):
    """A picture: where it is kept under `docs`, what it shows, and from where."""

    file: str
    shows: Callable[[], Iterator[Painted]]
    camera: Camera


def main(names: Sequence[str]) -> None:
    """Make all pictures, or those whose files have one of the names."""
    for picture in PICTURES:
        if not names or Path(picture.file).stem in names:
            rows = image(list(picture.shows()), picture.camera)
            (DOCS / picture.file).write_bytes(packed(rows))
            print(picture.file, flush=True)


def packed(rows: NDArray[np.uint8]) -> bytes:
    """Return a picture as WebP, as good as its size allows."""
    for quality in range(92, 30, -6):
        _, found = cv2.imencode(".webp", rows, [cv2.IMWRITE_WEBP_QUALITY, quality])
        if len(found) <= MOST_BYTES:
            break
    return found.tobytes()


def flat_table() -> Iterator[Painted]:
    """Yield the flat table before the first ply, its lamps lit for a piece in the hand."""
    build = build_of()
    sizes = sizes_of(build)
    yield from _case(build, ("frame", "foot", "brain-tray-pi"))
    yield from _surface(sizes)
    yield from letters(build, MARGIN_MM)
    yield from _played(build, Position.start(preset_rules("appendix")), "d1")


def moves_by_hand(start: str, end: str, camera: Camera) -> Iterator[NDArray[np.uint8]]:
    """Yield pictures of the flat table on which a hand makes the first move."""
    build, position = build_of(), Position.start(preset_rules("appendix"))
    here, there = (Square(SQUARE_NAMES.index(name)) for name in (start, end))
    (x, y), (to_x, to_y) = build.middle(here), build.middle(there)
    who = position.pieces()[here]
    shape = man(who.letter.upper(), build, who.side)
    head = float(shape.points[:, 2].max()) - 4
    lit = {move.to_square: LEGAL for move in position.moves_from(here)} | {here: LIFTED}
    table = [
        *_case(build, ("frame", "foot")),
        *_surface(sizes_of(build)),
        *letters(build, MARGIN_MM),
    ]
    for square, each in position.pieces().items():
        if square != here:
            spot = build.middle(square)
            table.append(moved(man(each.letter.upper(), build, each.side), *spot, INK_MM))
    has_gone = False
    for pose in poses((to_x - x, to_y - y)):
        has_gone |= pose.is_held
        at = pose.reach if pose.is_held else (to_x - x, to_y - y, 0.0) if has_gone else (0, 0, 0)
        board = [*table, *squares(build, lit if pose.is_lit else {})]
        held = moved(shape, x + at[0], y + at[1], INK_MM + at[2])
        reach_x, reach_y, reach_z = pose.reach
        arm = hand(x + reach_x, y + reach_y, head + reach_z)
        yield image(board, camera, besides=[held, *arm])


def round_table() -> Iterator[Painted]:
    """Yield the disk before the first ply."""
    build = build_of("ninth-ray")
    yield from _case(build, ("disk", "foot"))
    plate = next(body for body in disk_bought(build, disk_sizes(build)) if body.kind == "surface")
    yield painted(plate.solid, RIM, gloss=0.4)
    yield from _played(build, Position.start(preset_rules("ninth-ray-clockwise")), "d1")


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
    colour = GRID if "grid" in part.name else TRAY if "tray" in part.name else FRAME
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
        # A reed's legs go through the board, and end on its other side.
        is_above = (middle > -BOARD_MM / 2) != (body.kind == "wire")
        rise = 40.0 if body.kind == "board" else 57.0 if is_above else 12.0
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


def the_brain() -> Iterator[Painted]:
    """Yield the tray with a Pi and its adapter, and above its exit the lid for cables."""
    build = build_of()
    sizes = sizes_of(build)
    for thing in _case(build, ("brain-tray-pi",)):
        yield thing
    for thing in _case(build, ("cable-lid",), 16.0):
        yield thing
    pi, adapter = brains(sizes)[0].seats
    low = sizes.floor_low - TRAY_HIGH_MM + STAND_HIGH_MM
    for seat in (pi, adapter):
        yield painted(block(seat.x, seat.y, (low, low + BOARD_MM)), KINDS["brain"])
    yield from _on_pi(pi, low + BOARD_MM)
    yield from _on_adapter(adapter, low + BOARD_MM)


def _on_pi(seat: Mounting, low: float) -> Iterator[Painted]:
    """Yield what is tall on a Pi: its plugs, its header and its chips."""
    west, south = seat.x[0], seat.y[0]
    for x, y, size, colour in (
        ((2, 18), (-3, 15), 16, (188, 190, 194)),
        ((21, 37), (-3, 15), 16, (188, 190, 194)),
        ((38, 54), (-2, 19), 13.5, (188, 190, 194)),
        ((49.5, 54.5), (27, 78), 8.5, (30, 30, 34)),
        ((18, 33), (48, 63), 2.2, (170, 172, 176)),
        ((18, 30), (28, 40), 1.2, (28, 28, 30)),
        ((-1, 6.5), (69, 78.5), 3.2, (188, 190, 194)),
    ):
        shape = block((west + x[0], west + x[1]), (south + y[0], south + y[1]), (low, low + size))
        yield painted(shape, colour)


def _on_adapter(seat: Mounting, low: float) -> Iterator[Painted]:
    """Yield the adapter's parts that stand out, where its description has them."""
    board = adapter_pi()
    for part in board.parts:
        x, y = seat.x[0] + part.x - board.edges[0], seat.y[0] + part.y - board.edges[1]
        for prefix, size, colour in _ADAPTER_PARTS:
            if part.footprint.partition(":")[2].startswith(prefix):
                (x0, x1), (y0, y1), high = size
                shape = block((x0, x1), (y0, y1), (0.0, high)).rotate((0, 0, part.turn))
                yield painted(shape.translate((x, y, low)), colour)


_ADAPTER_PARTS: Final = (
    ("IDC-Header_2x20", ((-3.3, 5.8), (-5.0, 53.3), 9.0), (30, 30, 34)),
    ("PinHeader_2x06", ((-1.3, 3.8), (-14.0, 1.3), 8.5), (30, 30, 34)),
    ("PinHeader_1x10", ((-1.3, 1.3), (-24.2, 1.3), 8.5), (30, 30, 34)),
    ("PinHeader_1x02", ((-1.3, 1.3), (-3.8, 1.3), 8.5), (30, 30, 34)),
    ("TerminalBlock", ((-2.6, 7.7), (-5.0, 4.6), 10.0), (46, 130, 84)),
    ("Fuseholder", ((-2.0, 14.0), (-4.0, 4.0), 10.0), (40, 40, 46)),
    ("CP_Radial", ((-2.5, 7.5), (-5.0, 5.0), 16.0), (40, 44, 80)),
    ("DIP-14", ((-0.5, 8.1), (-17.0, 1.8), 4.0), (28, 28, 30)),
    ("R_1206", ((-1.6, 1.6), (-0.8, 0.8), 0.7), (30, 30, 32)),
)


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


PICTURES: Final = (
    Still("pictures/table-flat.webp", flat_table, Camera(-24, 36, 26, 1.0, 1600, 1000)),
    Still("pictures/table-round.webp", round_table, Camera(-14, 42, 26, 1.04, 1400, 1000)),
    Still("build/pictures/one-square.webp", one_square, Camera(-32, 20, 16, 1.0, 800, 1070)),
    Still("build/pictures/strip.webp", a_strip, Camera(-20, 34, 22, 1.0, 1200, 560)),
    Still("build/pictures/frame.webp", the_frame, Camera(-28, 42, 24, 1.0, 1200, 790)),
    Still("build/pictures/strips.webp", strips_laid, Camera(-28, 40, 24, 1.0, 1200, 790)),
    Still("build/pictures/light-grid.webp", grid_on, Camera(-28, 40, 24, 1.0, 1200, 790)),
    Still("build/pictures/surface.webp", surface_on, Camera(-28, 40, 24, 1.0, 1200, 790)),
    Still("build/pictures/brain.webp", the_brain, Camera(-24, 46, 24, 1.0, 1200, 790)),
    Still("build/pictures/pieces.webp", magnets_in, Camera(-10, 34, 22, 1.0, 1200, 660)),
)

if __name__ == "__main__":
    main(sys.argv[1:])
