"""Sizes of a case, derived from a `Build`, and the bodies for which it must leave room.

Heights are 0 on top of the playing surface and negative below it: a reed lies at `-Build.reed_mm`.
The middle of the board is x = y = 0, files run along y, and rank 1 is at the lower y. Places of
parts come from the strip's own description, and bodies from data sheets, a little larger than the
parts and never smaller.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, degrees
from typing import Final, NamedTuple

from manifold3d import Manifold

from hardware.build import MARGIN_MM, REED_MM, Build, CannotBeBuilt, Spot
from rules import _

from ..circuits import LEAST_MM, PITCH, Circuit, Part, strip
from ..solids import Solid, block, joined, lying_rod, rod, without

BED_MM: Final = 220.0
"""Width of a usual printer's bed."""

SKIRT_MM: Final = 3.2

PLAY_MM: Final = 0.5
"""Play of the surface in its frame on each side."""

GAP_MM: Final = 0.1
"""Gap between a part and each joint."""

FLOOR_MM, ROOM_MM, UNDER_BOARD_MM = 2.4, 10.0, 2.5
"""Thickness of the frame's floor, room between it and the strips, and its part for solder."""

FLANGE_MM, WALL_MM, END_WALL_MM = 2.4, 1.6, 1.3

PILOT_MM, SCREW_MM, THROUGH_MM = 2.6, 3.0, 3.4
"""Widths of a hole in which a screw M3 cuts its thread, of that screw, and of a hole it passes."""

CORE_MM: Final = 2.4
"""Core of a screw M3, without its thread."""

SUNK_SCREW_MM: Final = 12.0
"""Length of the countersunk screws of feet and trays."""

BOLT_HEAD_MM, BOLT_HEAD_HIGH_MM, NUT_MM, NUT_HIGH_MM = 5.5, 3.0, 6.4, 2.4

FOOT_MM: Final = 46.0
"""Height of the feet: the brain's tray hangs between them."""

MOST_SIDE_MM: Final = 55.0

BUTTON_HOLE_MM, BUTTON_BODY_MM, BUTTON_DEEP_MM = 7.2, 11.0, 22.0
"""Width of the hole for a push button whose thread is 7 mm wide, width of its body and its nut, and
how deep it reaches behind its wall, with the bends of its leads."""

BOARD_MM: Final = 1.6

LAMP_HIGH_MM: Final = 1.7

REED_GLASS_MM: Final = (14.0, 2.2)
"""Length and width of a reed's glass."""

REED_AXES_MM: Final = (LAMP_HIGH_MM + 3.3, LAMP_HIGH_MM + 1.1)
"""Height of a square's first reed over its board, and of its second, which lies on the edge of the
lamp and carries the first."""

SOLDER_MM: Final = 1.8
"""Length of soldered pins on a board's other side."""

HOLE_MM: Final = 3.2

PLUG_PINS: Final = 6

SOCKET_DEEP_MM, PLUG_HIGH_MM, PIN_OUT_MM = 4.0, 7.0, 6.0

LEAD_HIGH_MM: Final = 16.0
"""Height of a pin that points down, with the lead's shell on it."""

BOXES: Final = {
    "D_SOD-123": ("diode", 3.8, 1.9, 1.3),
    "LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm": ("lamp", 5.5, 5.1, LAMP_HIGH_MM),
    "C_0805_2012Metric": ("capacitor", 2.1, 1.4, 1.4),
}
"""Kind, length, width and height of parts on top of a board, by footprint."""


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
        """The upper end of ribs and flanges under the strips."""
        return self.board_low - UNDER_BOARD_MM

    def border(self, number: float) -> float:
        """Return the place of a border between squares: 0 is the lowest, 10 the highest."""
        return (number - 5) * self.side

    @property
    def frame_columns(self) -> tuple[float, ...]:
        """The frame's joints along y, as x."""
        return self.border(3), self.border(7)

    @property
    def frame_rows(self) -> tuple[float, ...]:
        """The frame's joints along x, as y: off the borders, where screws and plugs are."""
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
    """Return the sizes of the case of a flat board of strips.

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
    return CaseSizes(build.square_mm, -build.surface_mm, -build.reed_mm - REED_AXES_MM[0])


class Body(NamedTuple):
    """A bought thing that takes room."""

    kind: str
    solid: Solid


def push_button(way: Spot, inner: float, outer: float, height: float) -> Body:
    """Return a push button in a wall, from its inner to its outer face along a way."""
    parts = (
        (inner - BUTTON_DEEP_MM, inner, BUTTON_BODY_MM),
        (inner - 0.1, outer + 0.1, BUTTON_HOLE_MM - 0.2),
        (outer, outer + 2.5, BUTTON_BODY_MM),
        (outer, outer + 8.0, BUTTON_HOLE_MM - 0.2),
    )
    solid = joined(lying_rod((0, 0, height), "x", (low, high), wide) for low, high, wide in parts)
    return Body("button", solid.rotate((0, 0, degrees(atan2(way[1], way[0])))))


def bodies(build: Build) -> list[Body]:
    """Return all strips of a flat board in their places, with their parts, by kind."""
    sizes = strip_bodies(strip(build))
    return [
        Body(kind, joined(placed))
        for kind in dict.fromkeys(body.kind for body in sizes)
        for placed in [
            [p for body in sizes if body.kind == kind for p in places(build, body.solid)]
        ]
    ]


def places(build: Build, solid: Solid) -> Iterator[Solid]:
    """Yield a solid of one strip in all twenty; height 0 is the strips' upper face."""
    half = 5 * build.square_mm
    for column in range(10):
        x = (column - 4.5) * build.square_mm
        yield solid.rotate((0, 0, 90)).translate((x, -half, 0))
        yield solid.rotate((0, 0, -90)).translate((x, half, 0))


def screws(build: Build) -> list[Spot]:
    """Return the places of the screws through strips and light grid into the frame."""
    half = 5 * build.square_mm
    found = []
    for hole in holes(strip(build)):
        for column in range(10):
            x = (column - 4.5) * build.square_mm
            found += [(x - hole.y, hole.x - half), (x + hole.y, half - hole.x)]
    return found


def holes(circuit: Circuit) -> list[Part]:
    """Return a strip's mounting holes."""
    return [part for part in circuit.parts if "MountingHole" in part.footprint]


def strip_bodies(circuit: Circuit) -> list[Body]:
    """Return the bodies of one strip, its upper face at 0, x from the rim inwards."""
    left, bottom, right, top = circuit.edges
    board = block((left, right), (bottom, top), (-BOARD_MM, 0.0))
    drilled = [rod(hole.x, hole.y, (-2.0, 1.0), HOLE_MM) for hole in holes(circuit)]
    found = [Body("board", without(board, drilled))]
    for part in circuit.parts:
        found += _body(part, circuit)
    return found


def _body(part: Part, circuit: Circuit) -> list[Body]:
    shape = part.footprint.partition(":")[2]
    if shape in BOXES:
        kind, long, wide, high = BOXES[shape]
        turned = Manifold.cube((long, wide, high), True).rotate((0, 0, part.turn))
        return [Body(kind, turned.translate((part.x, part.y, high / 2)))]
    if shape == "Reed":
        return _reed(part)
    if shape.startswith("PinSocket"):
        front = (part.y - PITCH - SOCKET_DEEP_MM, circuit.edges[3])
        return [Body("plug", block(_columns(part), front, _under(PLUG_HIGH_MM))), _pins(part)]
    if shape.startswith("PinHeader_2x06"):
        back = (circuit.edges[1], part.y + PITCH / 2)
        pins = (circuit.edges[1] - PIN_OUT_MM, circuit.edges[1] + 0.1)
        plug = block(_columns(part), back, _under(PLUG_HIGH_MM))
        return [Body("plug", plug + block(_columns(part), pins, _under(PLUG_HIGH_MM))), _pins(part)]
    if shape.startswith("PinHeader_1x04"):
        # Under the board, where it is turned over, its pins go up from the first; the first two
        # carry leads.
        low, x = part.y - PITCH / 2, (part.x - PITCH / 2, part.x + PITCH / 2)
        lead = block(x, (low, low + 2 * PITCH), _under(LEAD_HIGH_MM))
        lead += block(x, (low, low + 4 * PITCH), _under(PLUG_HIGH_MM))
        above = block((part.x - 1.0, part.x + 1.0), (low, low + 4 * PITCH), (-0.1, SOLDER_MM))
        return [Body("lead", lead), Body("pins", above)]
    return []


def _columns(part: Part) -> tuple[float, float]:
    return part.x - PITCH * 0.6, part.x + PITCH * (PLUG_PINS - 0.4)


def _under(high: float) -> tuple[float, float]:
    return -BOARD_MM - high, -BOARD_MM + 0.1


def _pins(part: Part) -> Body:
    x = (part.x - 1.0, part.x + PITCH * (PLUG_PINS - 1) + 1.0)
    return Body("pins", block(x, (part.y - PITCH - 1.0, part.y + 1.0), (-0.1, SOLDER_MM)))


def _reed(part: Part) -> list[Body]:
    """Return a reed's glass and wires, from its first pin along its turn."""
    # Its legs go down through the board and are soldered below. Of two, the one across lies lower.
    axis = REED_AXES_MM[1 if part.turn else 0]
    long, wide = REED_GLASS_MM
    middle = (REED_MM / 2, 0.0, axis)
    glass = lying_rod(middle, "x", (-long / 2, long / 2), wide)
    wire = lying_rod(middle, "x", (-REED_MM / 2, REED_MM / 2), 0.6)
    end = -BOARD_MM - SOLDER_MM
    legs = [rod(x, 0.0, (end, axis), 0.6) for x in (0.0, REED_MM)]
    pads = [rod(x, 0.0, (end, -BOARD_MM), 1.8) for x in (0.0, REED_MM)]
    where = (part.x, part.y, 0.0)
    return [
        Body("reed", glass.rotate((0, 0, part.turn)).translate(where)),
        Body("wire", joined([wire, *legs, *pads]).rotate((0, 0, part.turn)).translate(where)),
    ]
