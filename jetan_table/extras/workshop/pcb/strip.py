"""The strip: five squares from the rim of a board to its middle, with reeds, diodes and lamps.

Ten strips lie side by side on each half of a flat board, and each plugs into its neighbour. The
bus between them carries the half's five ranks, the lamps' supply and their data; a file's lead
hangs on a pin at the inner end. Seen from above, x runs along the file from the rim inwards, and
the next strip is plugged on at the lower side.
"""

from collections.abc import Iterator, Sequence

from hardware.build import REED_MM, Build, ReedPlace
from hardware.ports import CannotBeBuilt
from rules.sentences import _

from .circuit import GROUND, SUPPLY, Circuit, Part, Silkscreen, Track

SQUARES = 5
LEAST_MM = 42.0
"""Smaller squares have no room for the plugs between their reeds."""

GAP = 0.1
"""How much a strip stays back behind each of its borders."""

BUS = (SUPPLY, SUPPLY, GROUND, GROUND, "R1", "R2", "R3", "R4", "R5", GROUND, "RET", "DATA")
"""The nets of the plugs between strips, pin by pin. DATA is the lamps' line, and RET leads it back:
a bridge between these two pins of the first strip hands what came by RET to its first lamp."""

PLUG_WORDS = "1 2 +5V   3 4 10 GND   5-9 ranks   11 RET   12 DATA"
PITCH = 2.54
SOCKET_FACE, HEADER_FACE = 12.57, 6.58
"""How far beyond its first pins a plug's face lies, which is flush with the board."""

RAIL_5V, RAIL_DATA = 15.5, 18.5
RAIL_RANK = (-13.8, -20.0, -13.8, -20.0, -21.0)
DIODE_Y, CATHODE_X = -15.5, -3.4
LAMP_PADS = 1.65
HOLES = (1, 3, 4)
"""The borders between squares that a screw goes through, in the strip's middle line."""

REED = ("Switch:SW_Reed", "jetan:Reed", "reed, 14 mm")
DIODE = ("Device:D", "Diode_SMD:D_SOD-123", "1N4148W")
LAMP = ("LED:WS2812B", "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm", "WS2812B")
CAPACITOR = ("Device:C", "Capacitor_SMD:C_0805_2012Metric", "100nF")
HOLE = ("Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3", "M3")


def strip(build: Build) -> Circuit:
    """Return the strip for a table. CannotBeBuilt: its squares are too small, or it is a disk."""
    side = build.square_mm
    if side < LEAST_MM or (build.board, build.way) != ("grid", "strip"):
        raise CannotBeBuilt(
            _("strips are for flat boards with squares of {least:g} mm and more"), least=LEAST_MM
        )
    half = side / 2 - GAP
    middles = [side * (at + 0.5) for at in range(SQUARES)]
    parts = [part for at, x in enumerate(middles, 1) for part in _square(at, x, build.reeds)]
    holes = (Part(f"H{at}", *HOLE, {}, side * at, 0.0) for at in HOLES)
    tracks = [track for at, x in enumerate(middles, 1) for track in _tracks(at, x, build.reeds)]
    return Circuit(
        "strip",
        f"Strip of five squares of {side:g} mm",
        (GAP, -half, SQUARES * side - GAP, half),
        (*parts, *_plugs(side, half), *holes),
        (*tracks, *_bus(side, half)),
        tuple(_labels(side)),
    )


def _square(at: int, x: float, reeds: Sequence[ReedPlace]) -> Iterator[Part]:
    """Yield the parts of one square; the first reed lies above the board, the second below."""
    (x1, y1), (x2, y2) = (reed.gap for reed in reeds)
    end = REED_MM / 2
    node = {"1": f"K{at}", "2": "FILE"}
    yield Part(f"S{2 * at - 1}", *REED, node, x + x1 - end, y1)
    yield Part(f"S{2 * at}", *REED, node, x + x2, y2 - end, 90.0, below=True)
    yield Part(f"D{at}", *DIODE, {"1": f"R{at}", "2": f"K{at}"}, x, DIODE_Y)
    lamp = {"1": SUPPLY, "2": f"D{at}", "3": GROUND, "4": f"D{at - 1}"}
    yield Part(f"U{at}", *LAMP, lamp, x, 0.0, 180.0)
    yield Part(f"C{at}", *CAPACITOR, {"1": SUPPLY, "2": GROUND}, x - 3.6, 4.6)


def _plugs(side: float, half: float) -> Iterator[Part]:
    x, symbol = 2 * side - 2.5 * PITCH, "Connector_Generic:Conn_02x06_Odd_Even"
    for ref, name, kind, y, data in (
        ("J1", "IN", "PinSocket", half - SOCKET_FACE, "D0"),
        ("J2", "OUT", "PinHeader", HEADER_FACE - half, f"D{SQUARES}"),
    ):
        nets = {str(pin): data if net == "DATA" else net for pin, net in enumerate(BUS, 1)}
        shape = f"jetan:{kind}_2x06_P2.54mm_Horizontal"
        yield Part(ref, symbol, shape, name, nets, x, y, -90.0, below=True)
    nets = {"1": "FILE", "2": "FILE", "3": GROUND, "4": SUPPLY}
    symbol = "Connector_Generic:Conn_01x04"
    shape = "Connector_PinHeader_2.54mm:PinHeader_1x04_P2.54mm_Vertical"
    yield Part("J3", symbol, shape, "FILE", nets, SQUARES * side - 4, RAIL_5V - 7.5, below=True)


def _tracks(at: int, x: float, reeds: Sequence[ReedPlace]) -> Iterator[Track]:
    """Yield what joins the parts of one square."""
    above, below = f"S{2 * at - 1}", f"S{2 * at}"
    far, near = (reeds[0].gap[0] + REED_MM / 2, reeds[1].gap[1] - REED_MM / 2)
    yield Track("FILE", 0.3, f"below {below}.2 x={x + far} {above}.2")
    yield Track(f"K{at}", 0.3, f"{above}.1 y={near} {below}.1 D{at}.2")
    yield Track(f"R{at}", 0.3, f"D{at}.1 x={x + CATHODE_X} via y={RAIL_RANK[at - 1]}")
    yield Track(SUPPLY, 0.8, f"below {x - 6},{RAIL_5V} via y=0 x={x} U{at}.1")
    yield Track(SUPPLY, 0.8, f"{x - 6},4.6 C{at}.1")
    yield Track(GROUND, 0.5, f"C{at}.2 U{at}.3 x={x - 4.4} via")


def _bus(side: float, half: float) -> Iterator[Track]:
    """Yield what runs from plug to plug, and from there along the strip."""
    column = [2 * side + PITCH * (at - 2.5) for at in range(6)]
    even_y = HEADER_FACE - PITCH - half
    yield Track(SUPPLY, 0.8, "J2.1 J1.1 J1.2")
    yield Track(SUPPLY, 0.8, f"J1.2 x={column[0] - 1.8} y={even_y} J2.2")
    yield Track(SUPPLY, 1.5, f"below J1.2 y={RAIL_5V}")
    yield Track(SUPPLY, 2.5, f"below {side / 2 - 6},{RAIL_5V} x={SQUARES * side - 8} J3.4")
    for pin in (5, 7, 9, 11):
        yield Track(BUS[pin - 1], 0.3, f"J1.{pin} J2.{pin}")
    for pin in (6, 8):
        aside = column[pin // 2 - 1] - PITCH / 2
        yield Track(BUS[pin - 1], 0.3, f"J1.{pin} x={aside} y={even_y} J2.{pin}")
    begins = (
        f"{column[2]},",
        "J2.6 y=",
        f"{column[3]},",
        "J2.8 y=",
        f"J2.9 x={column[4] + 1.27} y=",
    )
    for rank, (begin, y) in enumerate(zip(begins, RAIL_RANK, strict=True)):
        end = side * (rank + 0.5) + CATHODE_X
        yield Track(f"R{rank + 1}", 0.3, f"{begin}{y} via x={end}")
    ends = " ".join(f"S{2 * at}.2" for at in range(1, SQUARES + 1))
    yield Track("FILE", 0.5, f"below {ends} J3.1 J3.2")
    yield from _data(side, column[5] + 2.15, even_y)


def _data(side: float, beside: float, even_y: float) -> Iterator[Track]:
    """Yield the lamps' line, from plug to lamp to lamp to plug; at the plugs it dives."""
    into = f"y={-LAMP_PADS} U"
    yield Track("D0", 0.3, f"J1.12 y={RAIL_DATA} via x={side / 2 - 7.5} via {into}1.4")
    for lamp in range(1, SQUARES):
        x, then = side * (lamp - 0.5), side * (lamp + 0.5)
        dives = f"x={x + 12.5} via x={then - 11.5} via"
        way = dives if lamp == 2 else f"x={x + 5} y=5 x={then - 7.5}"
        yield Track(f"D{lamp}", 0.3, f"U{lamp}.2 {way} {into}{lamp + 1}.4")
    last = f"U{SQUARES}.2 x={side * (SQUARES - 0.5) + 7} y={RAIL_DATA} via"
    yield Track(f"D{SQUARES}", 0.3, f"{last} x={beside} via y={even_y} J2.12")


def _labels(side: float) -> Iterator[Silkscreen]:
    for at in range(SQUARES):
        yield Silkscreen(f"{at + 1}", side * (at + 0.5) + 12, -18, 2.5)
    yield Silkscreen(f"Jetan, strip of {side:g} mm", side * 3, 19)
    yield Silkscreen("rim", 4, 0, 1.5)
    yield Silkscreen("middle", SQUARES * side - 6, 0, 1.5)
    for word, y in (("IN", 5.0), ("OUT", -11.5)):
        yield Silkscreen(word, 2 * side, y, 1.5, below=True)
        yield Silkscreen(PLUG_WORDS, 2 * side, y - 2.5, 0.8, below=True)
    yield Silkscreen("FILE FILE GND +5V", SQUARES * side - 10, 4, 0.8, below=True)
