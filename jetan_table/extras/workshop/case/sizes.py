"""How the case's sizes follow from a `Build`: heights, borders, and where its parts are split.

Heights are 0 on top of the board that is played on, and go down from there, as `Build.depth_mm`
does. The middle of the board is x = y = 0, files run along y, and rank 1 lies at the lower y.
"""

from dataclasses import dataclass
from typing import Final

from hardware.build import Build
from hardware.ports import CannotBeBuilt
from rules.sentences import _

from ..pcb.strip import LEAST_MM
from .strips import BOARD_MM, REED_AXIS_MM

BED_MM: Final = 220.0
"""How wide a usual printer prints."""

MARGIN_MM: Final = 25.0
"""How far the board that is played on goes on round the squares: taken pieces lie so far off."""

SKIRT_MM: Final = 3.2
PLAY_MM: Final = 0.5
"""What the surface may be too wide for its frame."""

GAP_MM: Final = 0.1
"""How much a part stays back from each joint."""

FLOOR_MM, ROOM_MM, UNDER_BOARD_MM = 2.4, 10.0, 2.5
"""The frame's floor, what is free between it and the strips, and how much of that is for solder."""

FLANGE_MM, WALL_MM, END_WALL_MM = 2.4, 1.6, 1.3
PILOT_MM, SCREW_MM, THROUGH_MM = 2.6, 3.0, 3.4
"""A hole in which a screw M3 cuts its thread, that screw, and a hole that it goes through."""

CORE_MM: Final = 2.4
"""A screw M3 without its thread: what it takes of a pilot hole."""

BOLT_HEAD_MM, BOLT_HEAD_HIGH_MM, NUT_MM, NUT_HIGH_MM = 5.5, 3.0, 6.4, 2.4

FOOT_MM: Final = 40.0
"""How high the feet are: the brain's tray hangs between them."""

MOST_SIDE_MM: Final = 55.0


@dataclass(frozen=True, slots=True)
class CaseSizes:
    """All lengths of one case, in millimetres."""

    side: float
    surface_low: float
    board_top: float

    @property
    def half(self) -> float:
        """From the middle to the border of the outermost squares."""
        return 5 * self.side

    @property
    def surface_half(self) -> float:
        """From the middle to the edge of the board that is played on."""
        return self.half + MARGIN_MM

    @property
    def inside(self) -> float:
        """From the middle to the inner face of the skirt."""
        return self.surface_half + PLAY_MM

    @property
    def outer(self) -> float:
        """From the middle to the outer face of the skirt."""
        return self.inside + SKIRT_MM

    @property
    def board_low(self) -> float:
        """The underside of the strips."""
        return self.board_top - BOARD_MM

    @property
    def floor_top(self) -> float:
        """The upper face of the frame's floor."""
        return self.board_low - ROOM_MM

    @property
    def floor_low(self) -> float:
        """The frame's underside."""
        return self.floor_top - FLOOR_MM

    @property
    def rib_top(self) -> float:
        """How high ribs and flanges under the strips rise."""
        return self.board_low - UNDER_BOARD_MM

    def border(self, number: float) -> float:
        """Return where a border between squares lies: 0 is the lowest, 10 the highest."""
        return (number - 5) * self.side

    @property
    def frame_columns(self) -> tuple[float, ...]:
        """The frame's joints along y, as x."""
        return self.border(3), self.border(7)

    @property
    def frame_rows(self) -> tuple[float, ...]:
        """The frame's joints along x, as y: not under a border, where screws and plugs are."""
        return self.border(3.25), self.border(6.75)

    @property
    def grid_columns(self) -> tuple[float, ...]:
        """The light grid's joints along y, as x."""
        return (0.0,) if 5 * self.side <= BED_MM else (self.border(3), self.border(7))

    @property
    def grid_rows(self) -> tuple[float, ...]:
        """The light grid's joints along x, as y: at borders without screws."""
        whole = (0.0,)
        return whole if 5 * self.side <= BED_MM else (self.border(2), 0.0, self.border(8))


def sizes_of(build: Build) -> CaseSizes:
    """Return the sizes of the case round a flat board of strips.

    CannotBeBuilt: it is another board, or its squares are too small or too large for printed parts.
    """
    if build.board != "grid" or build.way != "strip":
        raise CannotBeBuilt(_("a printed case is made for a flat board of strips, or for a disk"))
    if not LEAST_MM <= build.square_mm <= MOST_SIDE_MM:
        raise CannotBeBuilt(
            _("squares of {side:g} mm: a printed case takes {least:g} to {most:g}"),
            side=build.square_mm,
            least=LEAST_MM,
            most=MOST_SIDE_MM,
        )
    return CaseSizes(build.square_mm, -build.surface_mm, -build.depth_mm - REED_AXIS_MM)
