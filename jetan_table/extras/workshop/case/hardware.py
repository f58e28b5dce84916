"""Screws, nuts and the surface: what is bought for the case, as the room that it takes."""

from collections.abc import Iterator

from hardware.build import Build

from ..solids import Solid
from .brain import SEAT_MM, SUNK_MM, Brain, brain_bodies, brains
from .frame import Bolt, bolt_height, bolts, feet_at, tray_at
from .light_grid import HEAD_HIGH_MM
from .shapes import block, joined, lying_rod, rod
from .sizes import (
    BOLT_HEAD_HIGH_MM,
    BOLT_HEAD_MM,
    CORE_MM,
    FLANGE_MM,
    GAP_MM,
    NUT_HIGH_MM,
    NUT_MM,
    SCREW_MM,
    THROUGH_MM,
    CaseSizes,
)
from .strips import Body, bodies, screws

STRIP_SCREW_MM, SUNK_SCREW_MM, BOLT_MM = 16.0, 12.0, 10.0
BUTTON_MM, BUTTON_HIGH_MM = 5.7, 1.65


def bought(build: Build, sizes: CaseSizes, brain: Brain | None = None) -> list[Body]:
    """Return everything but the case's own parts, where it lies; the brain is a Pi by default."""
    placed = [
        Body(body.kind, body.solid.translate((0, 0, sizes.board_top))) for body in bodies(build)
    ]
    return [
        *placed,
        Body("surface", surface(sizes)),
        Body("screws", joined(_strip_screws(build, sizes))),
        Body("bolts", joined(part for bolt in bolts(sizes) for part in _bolt(bolt, sizes))),
        Body("sunk screws", joined(_sunk_screws(sizes))),
        *brain_bodies(sizes, brain or brains(sizes)[0]),
    ]


def surface(sizes: CaseSizes) -> Solid:
    """Return the board that is played on."""
    reach = (-sizes.surface_half, sizes.surface_half)
    return block(reach, reach, (sizes.surface_low, 0.0))


def counted(build: Build, sizes: CaseSizes) -> dict[str, int]:
    """Return how many screws and nuts of which kind a case takes."""
    joints = len(list(bolts(sizes)))
    return {
        f"M3 x {STRIP_SCREW_MM:g}, button head": len(screws(build)),
        f"M3 x {SUNK_SCREW_MM:g}, countersunk": len(feet_at(sizes)) + len(tray_at(sizes)),
        f"M3 x {BOLT_MM:g}, cap head": joints,
        "M3 nut": joints,
    }


def _strip_screws(build: Build, sizes: CaseSizes) -> Iterator[Solid]:
    seat = sizes.surface_low - HEAD_HIGH_MM
    for at in screws(build):
        yield rod(at.x, at.y, (seat, seat + BUTTON_HIGH_MM), BUTTON_MM)
        yield rod(at.x, at.y, (sizes.board_low, seat), SCREW_MM)
        yield rod(at.x, at.y, (seat - STRIP_SCREW_MM, sizes.board_low), CORE_MM)


def _sunk_screws(sizes: CaseSizes) -> Iterator[Solid]:
    high = sizes.floor_low
    seat = high - SEAT_MM
    cone = (SUNK_MM - THROUGH_MM) / 2
    for x, y in (*feet_at(sizes), *tray_at(sizes)):
        yield rod(x, y, (seat, seat + cone), SUNK_MM - 0.6, SCREW_MM - 0.2)
        yield rod(x, y, (seat, high), SCREW_MM)
        yield rod(x, y, (high, seat + SUNK_SCREW_MM), CORE_MM)


def _bolt(bolt: Bolt, sizes: CaseSizes) -> Iterator[Solid]:
    at = (bolt.x, bolt.y, bolt_height(sizes))
    side = FLANGE_MM + GAP_MM
    yield lying_rod(at, bolt.axis, (side - BOLT_MM, side), SCREW_MM)
    yield lying_rod(at, bolt.axis, (side, side + BOLT_HEAD_HIGH_MM), BOLT_HEAD_MM)
    yield lying_rod(at, bolt.axis, (-side - NUT_HIGH_MM, -side), NUT_MM)
