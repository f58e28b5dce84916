"""What the case must leave room for: the strips with their parts, screws, and the surface.

Places come from the strip's own description, and bodies from data sheets. A body is drawn a little
larger than it is, never smaller.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from manifold3d import Manifold

from hardware.build import REED_MM, Build

from ..pcb.circuit import Circuit, Part
from ..pcb.strip import PITCH, strip
from ..solids import Solid
from .shapes import block, joined, lying_rod, rod, without

BOARD_MM: Final = 1.6
"""How thick a circuit board is."""

REED_AXIS_MM: Final = 1.2
"""How far the axis of a reed that lies on a board is from it."""

REED_GLASS_MM: Final = (14.0, 2.2)
"""How long and how wide the glass of a reed is."""

SOLDER_MM: Final = 1.8
"""How far soldered pins stand out on a board's other side."""

HOLE_MM: Final = 3.2

PLUG_PINS: Final = 6
SOCKET_DEEP_MM, PLUG_HIGH_MM, PIN_OUT_MM = 4.0, 7.0, 6.0
LEAD_HIGH_MM: Final = 16.0
"""A pin that stands down, and the lead's shell on it."""


class Body(NamedTuple):
    """A thing that takes room: what it is, and its solid."""

    kind: str
    solid: Solid


class Screw(NamedTuple):
    """Where a screw through strip and light grid goes into the frame."""

    x: float
    y: float


BOXES: Final = {
    "D_SOD-123": ("diode", 3.8, 1.9, 1.3),
    "LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm": ("lamp", 5.5, 5.1, 1.7),
    "C_0805_2012Metric": ("capacitor", 2.1, 1.4, 1.4),
}
"""Parts on top of a board, by footprint: what they are, length, width and height."""


def bodies(build: Build) -> list[Body]:
    """Return all strips of a flat board where they lie, with all that is on them."""
    sizes = strip_bodies(strip(build))
    return [
        Body(kind, joined(placed))
        for kind in dict.fromkeys(body.kind for body in sizes)
        for placed in [
            [p for body in sizes if body.kind == kind for p in places(build, body.solid)]
        ]
    ]


def places(build: Build, solid: Solid) -> Iterator[Solid]:
    """Yield a thing of one strip in all twenty of them; 0 is the upper face of the strips."""
    half = 5 * build.square_mm
    for column in range(10):
        x = (column - 4.5) * build.square_mm
        yield solid.rotate((0, 0, 90)).translate((x, -half, 0))
        yield solid.rotate((0, 0, -90)).translate((x, half, 0))


def screws(build: Build) -> list[Screw]:
    """Return where the screws of all strips are."""
    half = 5 * build.square_mm
    found = []
    for hole in holes(strip(build)):
        for column in range(10):
            x = (column - 4.5) * build.square_mm
            found += [Screw(x - hole.y, hole.x - half), Screw(x + hole.y, half - hole.x)]
    return found


def holes(circuit: Circuit) -> list[Part]:
    """Return a strip's mounting holes."""
    return [part for part in circuit.parts if "MountingHole" in part.footprint]


def strip_bodies(circuit: Circuit) -> list[Body]:
    """Return one strip, its upper face at 0, x from the rim inwards."""
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
        reach = (part.y - 4 * PITCH, part.y + PITCH / 2)
        lead = block((part.x - PITCH / 2, part.x + PITCH / 2), reach, _under(LEAD_HIGH_MM))
        above = block((part.x - 1.0, part.x + 1.0), reach, (-0.1, SOLDER_MM))
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
    """Return a reed that begins at its first pin and goes on along its turn."""
    side = -1 if part.below else 1
    face = -BOARD_MM if part.below else 0.0
    axis = face + side * REED_AXIS_MM
    long, wide = REED_GLASS_MM
    middle = (REED_MM / 2, 0.0, axis)
    glass = lying_rod(middle, "x", (-long / 2, long / 2), wide)
    wire = lying_rod(middle, "x", (-REED_MM / 2, REED_MM / 2), 0.6)
    ends = sorted((axis + 0.3 * side, -BOARD_MM / 2 - side * (BOARD_MM / 2 + SOLDER_MM)))
    legs = [rod(x, 0.0, (ends[0], ends[1]), 0.6) for x in (0.0, REED_MM)]
    beyond = sorted((face - side * BOARD_MM, face - side * (BOARD_MM + SOLDER_MM)))
    pads = [rod(x, 0.0, (beyond[0], beyond[1]), 1.8) for x in (0.0, REED_MM)]
    where = (part.x, part.y, 0.0)
    return [
        Body("reed", glass.rotate((0, 0, part.turn)).translate(where)),
        Body("wire", joined([wire, *legs, *pads]).rotate((0, 0, part.turn)).translate(where)),
    ]
