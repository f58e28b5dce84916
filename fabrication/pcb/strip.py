"""The strip: five squares from the rim of a board to its middle, with reeds, diodes and lamps.

Ten strips lie side by side on each half of a flat board, and each plugs into its neighbour. The
bus between them carries the half's five ranks, the lamps' supply and their data; a file's lead
hangs on a pin at the inner end. Seen from above, x runs along the file from the rim inwards, and
the next strip is plugged on at the lower side.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.build import Build, ReedPlace
from hardware.magnetism import REED_MM

from .circuit import GROUND, SUPPLY, Circuit, Part, Track

SQUARES = 5
GAP = 0.1
"""How much a strip stays back behind each of its borders."""

BUS = (SUPPLY, SUPPLY, GROUND, GROUND, "R1", "R2", "R3", "R4", "R5", GROUND, "RET", "DATA")
"""The nets of the plugs between strips, pin by pin. DATA is the lamps' line, and RET leads it back:
a bridge between these two pins of the first strip hands what came by RET to its first lamp."""

PITCH = 2.54
SOCKET_FACE, HEADER_FACE = 12.57, 6.58
"""How far beyond its first pins a plug's face lies, which is flush with the board."""

RAIL_5V, RAIL_DATA, RAIL_FILE = 15.5, 18.5, 8.0
RAIL_RANK = (-13.8, -20.0, -13.8, -20.0, -21.0)
DIODE_Y, CATHODE_X = -15.5, -3.4


def bus_pins(data: str, rank: str = "R") -> dict[str, str]:
    """Return what each pin of a plug is joined to."""
    return {
        str(pin): data if net == "DATA" else net for pin, net in enumerate(BUS, 1)
    }


def strip(build: Build) -> Circuit:
    """Return the strip for a table's squares and reeds."""
    side = build.square_mm
    half = side / 2 - GAP
    middles = [side * (at + 0.5) for at in range(SQUARES)]
    parts = [part for at, x in enumerate(middles, 1) for part in _square(at, x, build.reeds)]
    parts += _plugs(side, half)
    parts += [
        Part(f"H{at}", "Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3", "M3", {}, side * border, 0.0)
        for at, border in enumerate((1, 3, 4), 1)
    ]
    far = build.reeds[0].gap[0] + REED_MM / 2
    tracks = [track for at, x in enumerate(middles, 1) for track in _tracks(at, x, far)]
    tracks += _bus(side, half, build.reeds)
    return Circuit(
        "strip", "Five squares", GAP, -half, SQUARES * side - GAP, half, tuple(parts), tuple(tracks)
    )


def _square(at: int, x: float, reeds: tuple[ReedPlace, ...]) -> Iterator[Part]:
    """Yield the parts of one square; the first reed lies above the board, the second below."""
    first, second = reeds
    (x1, y1), (x2, y2) = first.gap, second.gap
    end = REED_MM / 2
    node = {"1": f"K{at}", "2": "FILE"}
    reed = ("Switch:SW_Reed", "jetan:Reed", "reed, 14 mm")
    yield Part(f"S{2 * at - 1}", *reed, node, x + x1 - end, y1)
    yield Part(f"S{2 * at}", *reed, node, x + x2, y2 - end, 90.0, below=True)
    diode = {"1": f"R{at}", "2": f"K{at}"}
    yield Part(f"D{at}", "Device:D", "Diode_SMD:D_SOD-123", "1N4148W", diode, x, DIODE_Y)
    lamp = {"1": SUPPLY, "2": f"D{at}", "3": GROUND, "4": f"D{at - 1}"}
    shape = "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm"
    yield Part(f"U{at}", "LED:WS2812B", shape, "WS2812B", lamp, x, 0.0, 180.0)
    cap = {"1": SUPPLY, "2": GROUND}
    yield Part(f"C{at}", "Device:C", "Capacitor_SMD:C_0805_2012Metric", "100nF", cap, x - 3.6, 4.6)


def _plugs(side: float, half: float) -> Iterator[Part]:
    x = 2 * side - 2.5 * PITCH
    socket = "jetan:PinSocket_2x06_P2.54mm_Horizontal"
    header = "jetan:PinHeader_2x06_P2.54mm_Horizontal"
    symbol = "Connector_Generic:Conn_02x06_Odd_Even"
    yield Part("J1", symbol, socket, "IN", bus_pins("D0"), x, half - SOCKET_FACE, -90.0, below=True)
    yield Part("J2", symbol, header, "OUT", bus_pins(f"D{SQUARES}"), x, HEADER_FACE - half, -90.0, below=True)
    pins = {"1": "FILE", "2": "FILE", "3": GROUND, "4": SUPPLY}
    shape = "Connector_PinHeader_2.54mm:PinHeader_1x04_P2.54mm_Vertical"
    yield Part("J3", "Connector_Generic:Conn_01x04", shape, "FILE", pins, SQUARES * side - 4.0, RAIL_FILE, 0.0, below=True)


def _tracks(at: int, x: float, far: float) -> Iterator[Track]:
    """Yield what joins the parts of one square, and it to the next one."""
    above, below = f"S{2 * at - 1}", f"S{2 * at}"
    yield Track("FILE", 0.3, f"below {below}.2 x={x + far} {above}.2")
    yield Track(f"K{at}", 0.3, f"{above}.1 y=-12 {below}.1 D{at}.2")
    yield Track(f"R{at}", 0.3, f"D{at}.1 x={x + CATHODE_X} via y={RAIL_RANK[at - 1]}")
    yield Track(SUPPLY, 0.8, f"below {x - 6},{RAIL_5V} via y=0 x={x} U{at}.1")
    yield Track(SUPPLY, 0.8, f"{x - 6},4.6 C{at}.1")
    yield Track(GROUND, 0.5, f"C{at}.2 U{at}.3 x={x - 4.4} via")


def _bus(side: float, half: float, reeds: tuple[ReedPlace, ...]) -> Iterator[Track]:
    """Yield what runs from plug to plug, and from there along the strip."""
    first = 2 * side - 2.5 * PITCH
    column = [first + PITCH * at for at in range(6)]
    even_end = HEADER_FACE - PITCH - half
    yield Track(SUPPLY, 0.8, "J2.1 J1.1 J1.2")
    yield Track(SUPPLY, 0.8, f"J1.2 x={column[0] - 1.8} y={even_end} J2.2")
    yield Track(SUPPLY, 1.5, f"below J1.2 y={RAIL_5V}")
    for pin in (5, 7, 9, 11):
        yield Track(BUS[pin - 1], 0.3, f"J1.{pin} J2.{pin}")
    for pin in (6, 8):
        aside = column[pin // 2 - 1] - PITCH / 2
        yield Track(BUS[pin - 1], 0.3, f"J1.{pin} x={aside} y={even_end} J2.{pin}")
    ends = [side * (at + 0.5) + CATHODE_X for at in range(SQUARES)]
    for rank, at in ((1, 2), (3, 3)):
        yield Track(f"R{rank}", 0.3, f"{column[at]},{RAIL_RANK[rank - 1]} via x={ends[rank - 1]}")
    for rank, pin in ((2, 6), (4, 8)):
        yield Track(f"R{rank}", 0.3, f"J2.{pin} y={RAIL_RANK[rank - 1]} via x={ends[rank - 1]}")
    yield Track("R5", 0.3, f"J2.9 x={column[4] + PITCH / 2} y={RAIL_RANK[4]} via x={ends[4]}")
    yield Track("D0", 0.3, f"J1.12 y={RAIL_DATA} via x={side / 2 - 7.5} via y=-1.65 U1.4")
    beside = column[5] + 2.15
    last = side * (SQUARES - 0.5) + 7
    yield Track(f"D{SQUARES}", 0.3, f"U{SQUARES}.2 x={last} y={RAIL_DATA} via x={beside} via y={even_end} J2.12")
    for lamp in range(1, SQUARES):
        x, then = side * (lamp - 0.5), side * (lamp + 0.5)
        way = f"x={x + 12.5} via x={then - 11.5} via" if lamp == 2 else f"x={x + 5} y=5 x={then - 7.5}"
        yield Track(f"D{lamp}", 0.3, f"U{lamp}.2 {way} y=-1.65 U{lamp + 1}.4")
    yield Track(SUPPLY, 2.5, f"below {side / 2 - 6},{RAIL_5V} x={SQUARES * side - 8} J3.4")
    ends_of_reeds = " ".join(f"S{2 * at}.2" for at in range(1, SQUARES + 1))
    yield Track("FILE", 0.5, f"below {ends_of_reeds} J3.1 J3.2")
