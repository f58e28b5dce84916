"""The circuits of a table as data: a strip of five squares, and the adapters that lead to a brain.

Each has its parts with their nets and places, and its tracks; from one such description come a
schematic and a board. Lengths are millimetres; a board's y runs up as it is seen from above.

A strip goes from the rim of a board to its middle, with reeds, diodes and lamps. Ten lie side by
side on each half of a flat board, and each plugs into its neighbour. The bus between them carries
the half's five ranks, the lamps' supply and their data; a file's lead hangs on a pin at the inner
end. Seen from above, x runs along the file from the rim inwards, and the next strip is plugged on
at the lower side.

An adapter joins two chains of strips to a Pi's header, or to an Arduino Mega. It has a plug for
each chain, one for the ten files' leads, and the lamps' supply with its fuse and a transistor that
lets nothing through from swapped poles. The chains hang on their ends at files j: RET leads the
lamps' data to the first strip of the south, and from there it comes back as DATA, which goes on to
the first strip of the north.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from firmware_bridge.build import MEGA
from hardware.build import REED_MM, Build, CannotBeBuilt, ReedPlace
from hardware.pins import PinMap
from rules import _

GROUND = "GND"
SUPPLY = "+5V"


class Part(NamedTuple):
    """One part, with the nets of its pins and its place.

    `symbol` and `footprint` are KiCad's names. Pins left out of `pins` are not connected. `turn` is
    in degrees, counter-clockwise as seen from above; a part `below` is under the board.
    """

    ref: str
    symbol: str
    footprint: str
    value: str
    pins: Mapping[str, str]
    x: float
    y: float
    turn: float = 0.0
    below: bool = False

    @property
    def is_bought(self) -> bool:
        """False for a hole in the board."""
        return not self.ref.startswith("H")


class Track(NamedTuple):
    """Copper of one net, in one go.

    `path` is read word by word: `R1.2` goes to that pad, `x=3` and `y=3` along one axis, `via` to
    the other side. It begins above, or below where its first word is `below`, at a pad or a point.
    """

    net: str
    width: float
    path: str


class Silkscreen(NamedTuple):
    """Words printed on the board."""

    text: str
    x: float
    y: float
    size: float = 1.2
    below: bool = False
    rule: float = 0.0
    """The length of a line that is printed under them; 0 is none."""


@dataclass(frozen=True, slots=True)
class Circuit:
    """A board to be made: its edges, parts, tracks and words; ground is poured on both sides."""

    name: str
    title: str
    edges: tuple[float, float, float, float]
    """Left, bottom, right and top."""
    parts: tuple[Part, ...]
    tracks: tuple[Track, ...]
    labels: tuple[Silkscreen, ...] = ()


SQUARES = 5
LEAST_MM = 44.0
"""Least side of a square: smaller ones have no room for the plugs between their reeds."""

GAP = 0.1
"""Gap between a strip and each of its borders."""

BUS = (SUPPLY, SUPPLY, "R1", "R2", GROUND, GROUND, GROUND, "R3", "RET", "DATA", "R4", "R5")
"""The nets of the plugs between strips, pin by pin. DATA is the lamps' line, and RET leads it back:
a bridge between these two pins of the first strip hands what came by RET to its first lamp.

A plug that is turned round, or off by a column, brings the supply to ranks alone, whose diodes let
nothing through, and never to ground or to a lamp's data."""

PLUG_WORDS = "1 2 +5V   5 6 7 GND   9 RET   10 DATA"
VERSION = "v2"
"""Printed on each board, so that a builder knows which one is in hand."""
PITCH = 2.54
SOCKET_FACE, HEADER_FACE = 12.57, 6.58
"""Distance of a plug's face, which is flush with the board, from its first pins."""

RAIL_5V, RAIL_DATA, RAIL_BACK = 6.9, 3.9, 2.2
"""Distances of what runs along a strip from its upper edge."""


LEAD, LEAD_Y = ("FILE", "FILE", GROUND, SUPPLY), 8.0
"""The nets of the pins at the inner end, the first of them at this y and the others above it."""

DIODE_Y, CATHODE_X = -15.5, -3.4
LAMP_PADS = 1.65
HOLES = (1, 3, 4)
"""The borders between squares with a screw hole, in the strip's middle line."""

REED = ("Switch:SW_Reed", "jetan:Reed", "reed, 14 mm")
DIODE = ("Device:D", "Diode_SMD:D_SOD-123", "1N4148W")
LAMP = ("LED:WS2812B", "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm", "WS2812B")
CAPACITOR = ("Device:C", "Capacitor_SMD:C_0805_2012Metric", "100nF")
HOLE = ("Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3", "M3")


def rail(half: float, rank: int) -> float:
    """Return the y of what runs along a strip for a rank, counted from 0.

    Two are between diodes and reeds, the others at the lower edge.
    """
    return (-13.8, 2.4 - half, -13.8, 2.4 - half, 1.4 - half)[rank]


def strip(build: Build) -> Circuit:
    """Return the strip for a table. CannotBeBuilt: its squares are too small, or it is a disk."""
    side = build.square_mm
    if side < LEAST_MM or (build.board, build.way) != ("grid", "strip"):
        raise CannotBeBuilt(
            _("strips are for flat boards with squares of {least:g} mm and more"), least=LEAST_MM
        )
    # Strips are cut a little smaller than their squares, or ten of them would not fit side by side.
    half = side / 2 - GAP
    middles = [side * (at + 0.5) for at in range(SQUARES)]
    parts = [part for at, x in enumerate(middles, 1) for part in _square(at, x, build.reeds)]
    holes = (Part(f"H{at}", *HOLE, {}, side * at, 0.0) for at in HOLES)
    tracks = [each for at, x in enumerate(middles, 1) for each in _tracks(at, x, half, build.reeds)]
    return Circuit(
        "strip",
        f"Strip of five squares of {side:g} mm",
        (GAP, -half, SQUARES * side - GAP, half),
        (*parts, *_strip_plugs(side, half), *holes),
        (*tracks, *_bus(side, half)),
        tuple(_strip_labels(side)),
    )


def _square(at: int, x: float, reeds: Sequence[ReedPlace]) -> Iterator[Part]:
    """Yield the parts of one square; the first reed lies over the second."""
    (x1, y1), (x2, y2) = (reed.gap for reed in reeds)
    end = REED_MM / 2
    node = {"1": f"K{at}", "2": "FILE"}
    yield Part(f"S{2 * at - 1}", *REED, node, x + x1 - end, y1)
    yield Part(f"S{2 * at}", *REED, node, x + x2, y2 - end, 90.0)
    yield Part(f"D{at}", *DIODE, {"1": f"R{at}", "2": f"K{at}"}, x, DIODE_Y)
    lamp = {"1": SUPPLY, "2": f"D{at}", "3": GROUND, "4": f"D{at - 1}"}
    yield Part(f"U{at}", *LAMP, lamp, x, 0.0, 180.0)
    yield Part(f"C{at}", *CAPACITOR, {"1": SUPPLY, "2": GROUND}, x - 3.6, 4.6)


def _strip_plugs(side: float, half: float) -> Iterator[Part]:
    x, symbol = 2 * side - 2.5 * PITCH, "Connector_Generic:Conn_02x06_Odd_Even"
    for ref, name, kind, y, data in (
        ("J1", "IN", "PinSocket", half - SOCKET_FACE, "D0"),
        ("J2", "OUT", "PinHeader", HEADER_FACE - half, f"D{SQUARES}"),
    ):
        nets = {str(pin): data if net == "DATA" else net for pin, net in enumerate(BUS, 1)}
        shape = f"jetan:{kind}_2x06_P2.54mm_Horizontal"
        yield Part(ref, symbol, shape, name, nets, x, y, -90.0, below=True)
    nets = {str(pin): net for pin, net in enumerate(LEAD, 1)}
    symbol = "Connector_Generic:Conn_01x04"
    shape = "Connector_PinHeader_2.54mm:PinHeader_1x04_P2.54mm_Vertical"
    yield Part("J3", symbol, shape, "FILE", nets, SQUARES * side - 4, LEAD_Y, below=True)


def _tracks(at: int, x: float, half: float, reeds: Sequence[ReedPlace]) -> Iterator[Track]:
    """Yield the tracks between the parts of one square."""
    above, below = f"S{2 * at - 1}", f"S{2 * at}"
    far, near = (reeds[0].gap[0] + REED_MM / 2, reeds[1].gap[1] - REED_MM / 2)
    yield Track("FILE", 0.3, f"below {below}.2 x={x + far} {above}.2")
    yield Track(f"K{at}", 0.3, f"{above}.1 y={near} {below}.1 D{at}.2")
    yield Track(f"R{at}", 0.3, f"D{at}.1 x={x + CATHODE_X} via y={rail(half, at - 1):.3f}")
    yield Track(SUPPLY, 0.8, f"below {x - 6},{half - RAIL_5V:.3f} via y=0 x={x} U{at}.1")
    yield Track(SUPPLY, 0.8, f"{x - 6},4.6 C{at}.1")
    yield Track(GROUND, 0.5, f"C{at}.2 U{at}.3 x={x - 4.4} via")


def _bus(side: float, half: float) -> Iterator[Track]:
    """Yield the tracks from plug to plug, and from there along the strip."""
    # Odd pins of both plugs are in line and joined straight. Even ones are behind in the double
    # row, so their tracks go round by half a pitch.
    column = [2 * side + PITCH * (at - 2.5) for at in range(6)]
    even_y = HEADER_FACE - PITCH - half
    yield Track(SUPPLY, 0.8, "J2.1 J1.1 J1.2")
    yield Track(SUPPLY, 0.8, f"J1.2 x={column[0] - 1.8} y={even_y} J2.2")
    yield Track(SUPPLY, 1.5, f"below J1.2 y={half - RAIL_5V:.3f}")
    yield Track(
        SUPPLY, 2.5, f"below {side / 2 - 6},{half - RAIL_5V:.3f} x={SQUARES * side - 8} J3.4"
    )
    for pin in (3, 9, 11):
        yield Track(BUS[pin - 1], 0.3, f"J1.{pin} J2.{pin}")
    for pin in (4, 8, 12):
        aside = column[pin // 2 - 1] - PITCH / 2
        yield Track(BUS[pin - 1], 0.3, f"J1.{pin} x={aside} y={even_y} J2.{pin}")
    begins = (
        f"{column[1]},",
        "J2.4 y=",
        f"{column[3] - PITCH / 2},",
        f"J2.11 x={column[5] + PITCH / 2} y=",
        "J2.12 y=",
    )
    for rank, begin in enumerate(begins):
        end = side * (rank + 0.5) + CATHODE_X
        yield Track(f"R{rank + 1}", 0.3, f"{begin}{rail(half, rank):.3f} via x={end}")
    ends = " ".join(f"S{2 * at}.2" for at in range(1, SQUARES + 1))
    yield Track("FILE", 0.5, f"below {ends} J3.1 J3.2")
    yield from _data(side, column[4] - PITCH / 2, even_y)


def _data(side: float, beside: float, even_y: float) -> Iterator[Track]:
    """Yield the lamps' line, from plug to lamp to lamp to plug; at the plugs it dives."""
    into, half = f"y={-LAMP_PADS} U", side / 2 - GAP
    yield Track("D0", 0.3, f"J1.10 y={half - RAIL_DATA:.3f} via x={side / 2 - 7.5} via {into}1.4")
    for lamp in range(1, SQUARES):
        x, then = side * (lamp - 0.5), side * (lamp + 0.5)
        dives = f"x={x + 12.5} via x={then - 11.5} via"
        way = dives if lamp == 2 else f"x={x + 5} y=5 x={then - 7.5}"
        yield Track(f"D{lamp}", 0.3, f"U{lamp}.2 {way} {into}{lamp + 1}.4")
    last = f"U{SQUARES}.2 x={side * (SQUARES - 0.5) + 7} y={half - RAIL_BACK:.3f} via"
    yield Track(f"D{SQUARES}", 0.3, f"{last} x={beside} via y={even_y} J2.10")


def _strip_labels(side: float) -> Iterator[Silkscreen]:
    for at in range(SQUARES):
        yield Silkscreen(f"{at + 1}", side * (at + 0.5) + 12, -18, 2.5)
    yield Silkscreen(f"Jetan, strip of {side:g} mm, {VERSION}", side * 3 + 4, 18)
    yield Silkscreen("20 mm", side, 18, 1.2, rule=20.0)
    yield Silkscreen("rim", 4, 0, 1.5)
    yield Silkscreen("middle", SQUARES * side - 6, 0, 1.5)
    for word, y in (("IN", 5.0), ("OUT", -11.5)):
        yield Silkscreen(word, 2 * side, y, 1.5, below=True)
        yield Silkscreen(PLUG_WORDS, 2 * side, y - 2.5, 0.8, below=True)
    half = side / 2 - GAP
    for y in (half - SOCKET_FACE, HEADER_FACE - half):
        yield Silkscreen("1", 2 * side - 2.5 * PITCH - 1.8, y, 1.0, below=True)
    for at, net in enumerate(LEAD):
        yield Silkscreen(net, SQUARES * side - 7.6, LEAD_Y + PITCH * at, 0.9, below=True)


HEADER_PIN: Mapping[int, int] = {
    2: 3,
    3: 5,
    4: 7,
    5: 29,
    6: 31,
    7: 26,
    8: 24,
    9: 21,
    10: 19,
    11: 23,
    12: 32,
    13: 33,
    16: 36,
    17: 11,
    18: 12,
    19: 35,
    20: 38,
    21: 40,
    22: 15,
    23: 16,
    24: 18,
    25: 22,
    26: 37,
    27: 13,
}
"""The pin of each GPIO on a Pi's header of 40 pins."""

LAMP_GPIO = 10
PI_GROUNDS = (9, 14, 20, 25, 30, 34)
"""The grounds that are joined. Left out are 6, which meets the Pi's 5 V where a ribbon is off by a
column, and 39, which meets it where one is turned round."""

MEGA_BEFORE = 19
"""A Mega's pin number less its place in the double row: D22 is pin 3, and so on."""

MEGA_COLUMNS = 18

EDGES = (-6.0, 0.0, 74.0, 80.0)
SLOT_X, HEADER_X = 7.0, 7.0 + 0.75 * PITCH
INNER_Y, HIGHEST, LEVEL = 72.0, 70.0, 0.65
"""A header's inner row; the level of its first wire across, and the step to the next."""

ROW_Y, FILES_Y, PULL_Y, PLUG_Y, RAIL_Y = 51.0, 45.5, 41.0, 35.0, 15.0
CHIP_X, FEED_X = 31.0, 58.0
SOUTH, AFTER_SOUTH, FILE_A, NORTH = 2, 7, 8, 19
"""The first slots of the wires down from a header: of five, of one, of ten, and of five."""

RESISTOR = ("Device:R", "Resistor_SMD:R_1206_3216Metric")
GUARD = ("Transistor_FET:IRF7404", "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm", "Si4425DDY")
PINS = "Connector_PinHeader_2.54mm:PinHeader_{}_P2.54mm_Vertical"


Wire = tuple[int, str, int, str]
"""A wire from a header's pin across to its slot: the pin, the net, the slot, and the way down."""


def adapter_pi(pins: PinMap | None = None) -> Circuit:
    """Return the adapter for a Pi, on a ribbon cable of 40 wires."""
    pins = pins or PinMap()
    lines = [HEADER_PIN[pin] for pin in (*pins.rows, *pins.columns)]
    parts, tracks = list[Part](), list[Track]()
    wires = list[Wire]()
    for at, (net, slot, down) in enumerate(_lines()):
        pin, ref = lines[at], f"R{at + 1}"
        own, value = f"P{pin}", "100" if at < len(pins.rows) else "1k"
        parts.append(_resistor(ref, value, own, net, _x(slot), ROW_Y, 90.0))
        wires.append((pin, own, slot, f"{ref}.2"))
        tracks.append(Track(net, 0.25, f"{ref}.1 {down}"))
    wires.append((HEADER_PIN[LAMP_GPIO], "LAMPS", AFTER_SOUTH, f"y=22.5 x={CHIP_X + PITCH} U1.2"))
    for slot, (name, button) in enumerate((("DIE", pins.die_button), ("MENU", pins.menu_button))):
        if button is not None:
            ref, net = f"J{6 + slot}", f"P{HEADER_PIN[button]}"
            parts.append(_pins(ref, name, "01x02", {"1": net, "2": GROUND}, 4.0 + 4.0 * slot, 50.0))
            wires.append((HEADER_PIN[button], net, slot, f"y=53 {ref}.1"))
    nets = {str(pin): net for pin, net, *_ in wires} | dict.fromkeys(map(str, PI_GROUNDS), GROUND)
    shape = "Connector_IDC:IDC-Header_2x20_P2.54mm_Vertical"
    symbol = "Connector_Generic:Conn_02x20_Odd_Even"
    parts.append(Part("J1", symbol, shape, "Raspberry Pi", nets, HEADER_X, INNER_Y, 90.0))
    tracks += _across(wires, lambda pin: (pin - 1) // 2, outer=0)
    return _adapter(
        "pi", "adapter for a Raspberry Pi", (*parts, *_shifter()), (*tracks, *_shifted()), "NDATA"
    )


def adapter_mega() -> Circuit:
    """Return the adapter for a Mega, which is plugged onto the double row at its end."""
    lines = [int(pin.label[1:]) - MEGA_BEFORE for pin in (*MEGA.rows, *MEGA.columns)]
    parts, tracks = [], []
    wires: list[Wire] = [(2, "BRAIN5V", AFTER_SOUTH, f"y={PULL_Y - 1.4625} R10.1")]
    for at, (net, slot, down) in enumerate(_lines()):
        wires.append((lines[at], net, slot, down if at >= 10 else f"y={ROW_Y} {down}"))
        if at >= 10:
            ref = f"R{at - 9}"
            parts.append(_resistor(ref, "4k7", net, "BRAIN5V", _x(slot), PULL_Y, 90.0))
            tracks.append(Track(net, 0.25, f"J4.{at - 9} {ref}.2"))
    nets = {str(pin): net for pin, net, *_ in wires} | {"35": GROUND, "36": GROUND}
    symbol, shape = "Connector_Generic:Conn_02x18_Odd_Even", "PinHeader_2x18_P2.54mm_Vertical"
    # A Mega has sockets, so this is a header whose pins point down into them, soldered from above.
    x = HEADER_X + PITCH * (MEGA_COLUMNS - 1)
    parts.append(
        Part("J1", symbol, f"jetan:{shape}", "Arduino Mega", nets, x, INNER_Y + PITCH, -90.0)
    )
    parts.append(_pins("J6", "D10", "01x02", {"1": "LAMPS", "2": GROUND}, 34.0, 25.0))
    parts.append(_resistor("R21", "1k", "LAMPS", "SRET", 29.0, 20.0))
    tracks += [
        Track("LAMPS", 0.3, "J6.1 x=32 y=20 R21.2"),
        Track("SRET", 0.3, f"R21.1 x={_plug_x(SOUTH) + 4 * PITCH} J2.9"),
        Track("SDATA", 0.3, f"{_from_south()} {_into_north()}"),
    ]
    tracks += _across(wires, lambda pin: MEGA_COLUMNS - 1 - (pin - 1) // 2, outer=1)
    return _adapter("mega", "adapter for an Arduino Mega", parts, tracks, "SDATA")


def _adapter(
    name: str, title: str, parts: Sequence[Part], tracks: Sequence[Track], north: str
) -> Circuit:
    """Return an adapter with all common parts; `north` is the lamps' line of that chain."""
    parts = (*parts, *_adapter_plugs(north), *_power())
    return Circuit(
        f"adapter-{name}",
        title,
        EDGES,
        parts,
        (*tracks, *_supplied()),
        tuple(_adapter_labels(title, parts)),
    )


def _x(slot: int) -> float:
    return SLOT_X + PITCH * slot


def _plug_x(first: int) -> float:
    """Return the x of the first pin of the plug below five slots, centred on its third rank."""
    return _x(first + 2) + PITCH / 2 - 3 * PITCH


def _lines() -> Iterator[tuple[str, int, str]]:
    """Yield the net of each rank and file, its slot, and the way from there to its plug."""
    for rank in range(1, 11):
        place = rank if rank <= 5 else 11 - rank
        first, ref = (SOUTH, "J2") if rank <= 5 else (NORTH, "J3")
        pin = BUS.index(f"R{place}") + 1
        x = _plug_x(first) + PITCH * ((pin - 1) // 2)
        way = f"{x},43" if pin % 2 == 0 else f"{x - PITCH / 2},43 y={PLUG_Y - PITCH}"
        yield f"R{rank}", first + place - 1, f"{way} {ref}.{pin}"
    for file in range(10):
        yield f"F{'ABCDEFGHIJ'[file]}", FILE_A + file, f"J4.{file + 1}"


def _across(wires: Sequence[Wire], column: Callable[[int], int], outer: int) -> Iterator[Track]:
    """Yield a header's wires, each at a level of its own, past the pins of the inner row.

    `outer` is the outer row's pin numbers modulo two.
    """
    # Across on one side of the board, down on the other: so wires cross without touching.
    for at, (pin, net, slot, down) in enumerate(wires):
        aside = f"x={HEADER_X + PITCH * (column(pin) + 0.5)} " if pin % 2 == outer else ""
        across = f"y={HIGHEST - LEVEL * at} via x={_x(slot)} via"
        yield Track(net, 0.25, f"J1.{pin} {aside}{across} {down}")


def _resistor(
    ref: str, value: str, far: str, near: str, x: float, y: float, turn: float = 0.0
) -> Part:
    return Part(ref, *RESISTOR, value, {"1": near, "2": far}, x, y, turn)


def _pins(ref: str, name: str, size: str, nets: Mapping[str, str], x: float, y: float) -> Part:
    shape = PINS.format(size.removeprefix("0"))
    kind = "_Odd_Even" if size.startswith("02") else ""
    turn = 0.0 if size == "01x02" else 90.0
    return Part(ref, f"Connector_Generic:Conn_{size}{kind}", shape, name, nets, x, y, turn)


def _adapter_plugs(north: str) -> Iterator[Part]:
    chains = (("J2", "SOUTH", SOUTH, 0, "SDATA"), ("J3", "NORTH", NORTH, 11, north))
    for ref, name, first, turned, data in chains:
        nets = {str(pin): net for pin, net in enumerate(BUS, 1)}
        nets |= {
            pin: f"R{abs(turned - int(net[1:]))}" for pin, net in nets.items() if net[1:].isdigit()
        }
        nets |= {"10": data, "9": "SRET"}
        if ref == "J3":
            del nets["9"]
        symbol, shape = "Connector_Generic:Conn_02x06_Odd_Even", "IDC-Header_2x06_P2.54mm_Vertical"
        place = _plug_x(first), PLUG_Y - PITCH, 90.0
        yield Part(ref, symbol, f"Connector_IDC:{shape}", name, nets, *place)
    files = {str(at): f"F{letter}" for at, letter in enumerate("ABCDEFGHIJ", 1)}
    yield _pins("J4", "FILES", "01x10", files, _x(FILE_A), FILES_Y)


def _power() -> Iterator[Part]:
    block = "TerminalBlock_Phoenix:TerminalBlock_Phoenix_MKDS-1,5-2-5.08_1x02_P5.08mm_Horizontal"
    symbol = "Connector_Generic:Conn_01x02"
    yield Part("J5", symbol, block, "5 V, 4 A", {"1": "SUPPLY", "2": GROUND}, 6.0, 6.0)
    yield Part("J8", symbol, block, "FEED", {"1": SUPPLY, "2": GROUND}, FEED_X, 6.0)
    holder = "Fuse:Fuseholder_Blade_Mini_Keystone_3568"
    yield Part("F1", "Device:Fuse", holder, "3 A", {"1": "SUPPLY", "2": "FUSED"}, 18.0, 9.0)
    # Its own diode lets the current in, and then its gate, at ground, opens it; with swapped poles
    # the diode is the wrong way round and the gate is high.
    gate = dict.fromkeys("123", SUPPLY) | {"4": GROUND} | dict.fromkeys("5678", "FUSED")
    yield Part("Q1", *GUARD, gate, 36.0, 7.635, 180.0)
    store = ("Device:C_Polarized", "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm", "1000uF")
    yield Part("C1", *store, {"1": SUPPLY, "2": GROUND}, 46.5, 7.0)
    for at, (x, y) in enumerate(((-2.0, 76.0), (70.0, 76.0), (-2.0, 4.0), (70.0, 4.0)), 1):
        yield Part(f"H{at}", *HOLE, {}, x, y)


def _adapter_labels(title: str, parts: Sequence[Part]) -> Iterator[Silkscreen]:
    """Yield the board's name, and the plugs' beside them."""
    yield Silkscreen(f"Jetan, {title}, {VERSION}", 48, 17.3)
    yield Silkscreen("20 mm", 12, 26, 1.2, rule=20.0)
    for x in (6.0, FEED_X):
        yield Silkscreen("+    -", x + PITCH, 13)
    header = next(part for part in parts if part.ref == "J1")
    note = "red wire at pin 1" if "IDC" in header.footprint else "pins down, into the Mega"
    yield Silkscreen(f"J1 {header.value}: {note}", 33, 61.5)
    yield Silkscreen("a", _x(FILE_A) - 2.4, FILES_Y)
    yield Silkscreen("j", _x(FILE_A + 9) + 2.4, FILES_Y)
    places = {"J2": (6.3, 8), "J3": (6.3, 8), "J4": (28.6, 0), "J6": (-0.5, -5), "J7": (0, -5)}
    places |= {"J8": (PITCH, 9)}
    for part in parts:
        if part.ref in places:
            x, y = places[part.ref]
            yield Silkscreen(part.value, part.x + x, part.y + y)


def _supplied() -> Iterator[Track]:
    yield Track("SUPPLY", 2.5, "J5.1 y=12.5 x=18 F1.1 y=5.6")
    yield Track("FUSED", 2.5, "F1.2 y=5.6")
    yield Track("FUSED", 2.5, "F1.2 y=7.635 x=33.5")
    yield Track("FUSED", 1.2, "Q1.5 Q1.8")
    yield Track(SUPPLY, 1.0, "Q1.1 Q1.3")
    yield Track(SUPPLY, 2.5, "Q1.2 C1.1")
    yield Track(SUPPLY, 2.5, f"below C1.1 y=2.5 x={FEED_X} J8.1")
    for ref, first in (("J2", SOUTH), ("J3", NORTH)):
        x = _plug_x(first)
        yield Track(SUPPLY, 1.6, f"below C1.1 y={RAIL_Y} x={x} {ref}.1 {ref}.2")


def _from_south() -> str:
    """Return the way of the lamps' data that comes back from the south."""
    return f"below J2.10 x={_plug_x(SOUTH) + 4.5 * PITCH} y=17.5 via"


def _into_north() -> str:
    """Return the way of the lamps' data to the north, between two columns of its plug."""
    return f"x={_plug_x(NORTH) + 3.5 * PITCH} y={PLUG_Y} J3.10"


def _shifter() -> Iterator[Part]:
    """Yield the shifter of the lamps' data to 5 V: the Pi's, and that back from the south."""
    gates = {"2": "LAMPS", "3": "OUT", "5": "SDATA", "6": "BACK", "14": SUPPLY}
    gates |= dict.fromkeys(("1", "4", "7", "9", "10", "12", "13"), GROUND)
    chip = ("74xx:74LS125", "Package_DIP:DIP-14_W7.62mm", "74AHCT125")
    yield Part("U1", *chip, gates, CHIP_X, 25.0, 90.0)
    cap = ("Device:C", "Capacitor_SMD:C_1206_3216Metric", "100nF")
    yield Part("C2", *cap, {"1": SUPPLY, "2": GROUND}, 33.0, 37.0)
    yield _resistor("R21", "470", "OUT", "SRET", 29.0, 20.0)
    yield _resistor("R22", "470", "NDATA", "BACK", 48.0, 20.0)


def _shifted() -> Iterator[Track]:
    yield Track("OUT", 0.3, "U1.3 y=20 R21.2")
    yield Track("SRET", 0.3, f"R21.1 x={_plug_x(SOUTH) + 4 * PITCH} J2.9")
    yield Track("SDATA", 0.3, f"{_from_south()} x={CHIP_X + 4 * PITCH} U1.5")
    yield Track("BACK", 0.3, "U1.6 y=20 R22.1")
    yield Track("NDATA", 0.3, f"R22.2 {_into_north()}")
    yield Track(SUPPLY, 0.8, f"below 26,{RAIL_Y} y=32.62 U1.14")
    yield Track(SUPPLY, 0.8, "U1.14 C2.1")
