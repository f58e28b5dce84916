"""The frame: a floor with windows and ribs, posts under the strips, and a skirt round all of it.

It is drawn whole and then cut into parts that a usual printer takes. Flanges with screws and nuts
join them again.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple

from manifold3d import Manifold

from hardware.build import Build

from ..pcb.strip import SQUARES
from ..solids import Solid
from .shapes import Axis, block, joined, lying_hole, rod, rounded, without
from .sizes import FLANGE_MM, GAP_MM, PILOT_MM, SKIRT_MM, THROUGH_MM, CaseSizes
from .strips import screws

CORNER_MM, LEDGE_MM, EDGE_MM = 6.0, 4.0, 1.4
"""The skirt's round corners; how wide the surface's ledge is, and how thick at its edge."""

BOSS_MM, POST_MM, RIB_MM = 8.0, 6.0, 2.4
BAR_MM: Final = 4.0
"""Half the width of the floor's bars."""

JOINT_BAR_MM, LEAST_WINDOW_MM = 8.0, 8.0
PLUG_ZONE_MM: Final = 11.0
"""So far on both sides of the plugs' line nothing stands on the floor."""

BOLT_OVER_FLOOR_MM: Final = 3.8

TRAY_SCREW_MM, MOST_JOINT_MM = 4.7, 100.0
"""How far the tray's screws are from a joint, and where they change sides."""

Span = tuple[float, float]


class Bolt(NamedTuple):
    """A screw with a nut that joins two parts of the frame, along x or y."""

    x: float
    y: float
    axis: Axis


def frame(build: Build, sizes: CaseSizes) -> Iterator[tuple[tuple[int, int], Solid]]:
    """Yield the parts of the frame where they lie, each with its column and row."""
    whole = _whole(build, sizes)
    height = (sizes.floor_low - 1, 1.0)
    columns = [-sizes.outer - 1, *sizes.frame_columns, sizes.outer + 1]
    rows = [-sizes.outer - 1, *sizes.frame_rows, sizes.outer + 1]
    for (column, x), (row, y) in product(enumerate(pairwise(columns)), enumerate(pairwise(rows))):
        room = block((x[0] + GAP_MM, x[1] - GAP_MM), (y[0] + GAP_MM, y[1] - GAP_MM), height)
        yield (column, row), whole ^ room


def bolts(sizes: CaseSizes) -> Iterator[Bolt]:
    """Yield where the frame's parts are screwed to each other."""
    rim = sizes.half + 12
    for x in sizes.frame_columns:
        for y in (-rim, *(sizes.border(at) for at in (2.5, 4.5, 5.5, 7.5)), rim):
            yield Bolt(x, y, "x")
    for y in sizes.frame_rows:
        for x in (-rim, *(sizes.border(at) for at in (1, 4, 6, 9)), rim):
            yield Bolt(x, y, "y")


def bolt_height(sizes: CaseSizes) -> float:
    """Return how high the frame's bolts lie."""
    return sizes.floor_top + BOLT_OVER_FLOOR_MM


def feet_at(sizes: CaseSizes) -> list[Span]:
    """Return where the feet are screwed on."""
    at = sizes.half + 10
    return [(-at, -at), (at, -at), (at, at), (-at, at)]


def tray_at(sizes: CaseSizes) -> list[Span]:
    """Return where the brain's tray is screwed on."""
    x = column_x(sizes)
    return [(-x, -sizes.side), (x, -sizes.side), (-x, sizes.side), (x, sizes.side)]


def column_x(sizes: CaseSizes) -> float:
    """Return how far from the middle the tray's screws are, and its walls: near a frame's joint.

    They stand outside of the joint while a usual printer prints so wide a tray, else inside. Leads
    hang down from the strips beside the middle of each file, so no wall can stand there.
    """
    joint = sizes.frame_columns[-1]
    return joint + TRAY_SCREW_MM if joint <= MOST_JOINT_MM else joint - 2 * TRAY_SCREW_MM


def _whole(build: Build, sizes: CaseSizes) -> Solid:
    outside = _outside(sizes)
    standing = [*_ribs(build, sizes), *_flanges(sizes)]
    plugs = [
        block(
            (-sizes.half - PLUG_ZONE_MM, sizes.half + PLUG_ZONE_MM),
            (y - PLUG_ZONE_MM, y + PLUG_ZONE_MM),
            (sizes.floor_top, sizes.surface_low),
        )
        for y in (-3 * sizes.side, 3 * sizes.side)
    ]
    low = without(joined(standing), plugs)
    bosses = [rod(at.x, at.y, (sizes.floor_low, sizes.board_low), BOSS_MM) for at in screws(build)]
    held = [*tray_at(sizes), *feet_at(sizes)]
    bosses += [rod(x, y, (sizes.floor_low, sizes.rib_top), BOSS_MM) for x, y in held]
    solid = joined([_floor(build, sizes), _skirt(sizes), low, *bosses, *_posts(sizes)])
    pilots = [(at.x, at.y) for at in screws(build)] + held
    holes = [rod(x, y, (sizes.floor_low - 1, 1.0), PILOT_MM) for x, y in pilots]
    height = bolt_height(sizes)
    holes += [
        lying_hole((at.x, at.y, height), at.axis, (-8.0, 8.0), THROUGH_MM) for at in bolts(sizes)
    ]
    return without(solid ^ outside, holes)


def _outside(sizes: CaseSizes) -> Solid:
    """Return what the frame is cut from: its edges above and below are broken."""
    low, high = sizes.floor_low, 0.0
    levels = ((low, 1.2), (low + 1.2, 0.0), (high - 0.8, 0.0), (high, 0.8))
    return Manifold.batch_hull(
        [rounded(sizes.outer - inset, CORNER_MM - inset, (z, z + 1e-4)) for z, inset in levels]
    )


def _skirt(sizes: CaseSizes) -> Solid:
    """Return the outer wall and the ledge on which the surface lies."""
    bottom, top = sizes.floor_low, 0.0
    inside = sizes.inside
    hollow = block((-inside, inside), (-inside, inside), (bottom - 1, top + 1))
    ring = rounded(sizes.outer, CORNER_MM, (bottom, top)) - hollow
    tight, reach, top = inside - LEDGE_MM, inside + 0.5, sizes.surface_low
    bottom = top - LEDGE_MM - 2 * EDGE_MM
    levels = ((top, 0.0), (top - EDGE_MM, 0.0), (bottom, LEDGE_MM + EDGE_MM))
    cone = Manifold.hull_points(
        [
            (x * (tight + out), y * (tight + out), z)
            for z, out in levels
            for x, y in product((-1, 1), repeat=2)
        ]
    )
    slab = block((-reach, reach), (-reach, reach), (bottom, top))
    return ring + (slab - cone)


def _floor(build: Build, sizes: CaseSizes) -> Solid:
    """Return the floor: bars under the rows of screws and under the seams of the strips."""
    z = (sizes.floor_low, sizes.floor_top)
    plate = rounded(sizes.outer, CORNER_MM, z)
    rim = [(-sizes.outer, -sizes.inside + 2), (sizes.inside - 2, sizes.outer)]
    seams = [sizes.border(number) for number in range(11)]
    x_bars = [*rim, *_bars(seams, BAR_MM), *_bars(sizes.frame_columns, JOINT_BAR_MM)]
    rows = {round(at.y, 6) for at in screws(build)} | {-sizes.half, sizes.half}
    y_bars = [*rim, *_bars(sorted(rows), BAR_MM + 1), *_bars(sizes.frame_rows, JOINT_BAR_MM)]
    windows = []
    for x, y in product(_between(x_bars), _between(y_bars)):
        in_corner = abs(sum(x)) / 2 > sizes.half and abs(sum(y)) / 2 > sizes.half
        if not in_corner:
            windows.append(block(x, y, (z[0] - 1, z[1] + 1)))
    return without(plate, windows)


def _bars(middles: Sequence[float], half: float) -> list[Span]:
    return [(at - half, at + half) for at in middles]


def _between(bars: Sequence[Span]) -> Iterator[Span]:
    """Yield what is free between bars, where that is wide enough for a window."""
    end = None
    for low, high in sorted(bars):
        if end is not None and low - end >= LEAST_WINDOW_MM:
            yield end, low
        end = high if end is None else max(end, high)


def _ribs(build: Build, sizes: CaseSizes) -> Iterator[Solid]:
    """Yield the ribs along the rows of screws."""
    reach = (-sizes.half, sizes.half)
    for y in {round(at.y, 6) for at in screws(build)}:
        yield block(reach, (y - RIB_MM / 2, y + RIB_MM / 2), (sizes.floor_low, sizes.rib_top))


def _flanges(sizes: CaseSizes) -> Iterator[Solid]:
    thick, height = FLANGE_MM + GAP_MM, (sizes.floor_low, sizes.rib_top)
    reach = (-sizes.outer + SKIRT_MM / 2, sizes.outer - SKIRT_MM / 2)
    for x in sizes.frame_columns:
        yield block((x - thick, x + thick), reach, height)
    for y in sizes.frame_rows:
        yield block(reach, (y - thick, y + thick), height)


def _posts(sizes: CaseSizes) -> Iterator[Solid]:
    """Yield what holds up the strips' corners: at the rim, and in the middle."""
    near = sizes.half - POST_MM / 2
    for number, y in product(range(2 * SQUARES + 1), (-near, 0.0, near)):
        x = max(-near, min(near, sizes.border(number)))
        yield rod(x, y, (sizes.floor_low, sizes.board_low), POST_MM)
