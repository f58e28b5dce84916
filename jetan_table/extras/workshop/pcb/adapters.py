"""The adapters: what joins two chains of strips to a Pi's header, or to an Arduino Mega.

Either has a plug for each chain, one for the ten files' leads, and the lamps' supply with its fuse.
The chains hang on their ends at files j: RET leads the lamps' data to the first strip of the south,
and from there it comes back as DATA, which goes on to the first strip of the north.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from firmware_bridge.build import MEGA
from hardware.pins import PinMap

from .circuit import GROUND, SUPPLY, Circuit, Part, Silkscreen, Track
from .strip import BUS, HOLE, PITCH

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
"""Where each GPIO is on a Pi's header of 40 pins."""

LAMP_GPIO = 10
PI_GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
MEGA_BEFORE = 19
"""A Mega's D22 is pin 3 of the double row at its end, and so on."""

MEGA_COLUMNS = 18

EDGES = (-6.0, 0.0, 74.0, 80.0)
SLOT_X, HEADER_X = 7.0, 7.0 + 0.75 * PITCH
INNER_Y, HIGHEST, LEVEL = 72.0, 70.0, 0.65
"""Of a header its inner row; where the first wire runs across from it, and how far off the next."""

ROW_Y, FILES_Y, PULL_Y, PLUG_Y, RAIL_Y = 51.0, 45.5, 41.0, 35.0, 15.0
SOUTH, AFTER_SOUTH, FILE_A, NORTH = 2, 7, 8, 18
"""The slots of what comes down from a header: the first of five, of one, of ten, and of five."""

RESISTOR = ("Device:R", "Resistor_SMD:R_1206_3216Metric")
PINS = "Connector_PinHeader_2.54mm:PinHeader_{}_P2.54mm_Vertical"


class Wire(NamedTuple):
    """A wire from a header's pin across to its slot, and down from there."""

    pin: int
    net: str
    slot: int
    down: str


def adapter_pi(pins: PinMap | None = None) -> Circuit:
    """Return the adapter for a Pi, on a ribbon cable of 40 wires."""
    pins = pins or PinMap()
    lines = [HEADER_PIN[pin] for pin in (*pins.rows, *pins.columns)]
    parts, tracks, wires = [], [], []
    for at, (net, slot, down) in enumerate(_lines()):
        pin, ref = lines[at], f"R{at + 1}"
        own, value = f"P{pin}", "100" if at < len(pins.rows) else "1k"
        parts.append(_resistor(ref, value, own, net, _x(slot), ROW_Y, 90.0))
        wires.append(Wire(pin, own, slot, f"{ref}.2"))
        tracks.append(Track(net, 0.25, f"{ref}.1 {down}"))
    wires.append(Wire(HEADER_PIN[LAMP_GPIO], "LAMPS", AFTER_SOUTH, "y=22.5 x=30.54 U1.2"))
    for slot, (name, button) in enumerate((("DIE", pins.die_button), ("MENU", pins.menu_button))):
        if button is not None:
            ref, net = f"J{6 + slot}", f"P{HEADER_PIN[button]}"
            parts.append(_pins(ref, name, "01x02", {"1": net, "2": GROUND}, 4.0 + 4.0 * slot, 50.0))
            wires.append(Wire(HEADER_PIN[button], net, slot, f"y=53 {ref}.1"))
    nets = {str(wire.pin): wire.net for wire in wires} | dict.fromkeys(map(str, PI_GROUNDS), GROUND)
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
    wires = [Wire(2, "BRAIN5V", AFTER_SOUTH, f"y={PULL_Y - 1.4625} R10.1")]
    for at, (net, slot, down) in enumerate(_lines()):
        wires.append(Wire(lines[at], net, slot, down if at >= 10 else f"y={ROW_Y} {down}"))
        if at >= 10:
            ref = f"R{at - 9}"
            parts.append(_resistor(ref, "4k7", net, "BRAIN5V", _x(slot), PULL_Y, 90.0))
            tracks.append(Track(net, 0.25, f"J4.{at - 9} {ref}.2"))
    nets = {str(wire.pin): wire.net for wire in wires} | {"35": GROUND, "36": GROUND}
    symbol, shape = "Connector_Generic:Conn_02x18_Odd_Even", "PinSocket_2x18_P2.54mm_Vertical"
    shape = f"Connector_PinSocket_2.54mm:{shape}"
    x = HEADER_X + PITCH * (MEGA_COLUMNS - 1)
    parts.append(Part("J1", symbol, shape, "Arduino Mega", nets, x, INNER_Y + PITCH, 90.0, True))
    parts.append(_pins("J6", "D10", "01x02", {"1": "LAMPS", "2": GROUND}, 34.0, 25.0))
    parts.append(_resistor("R21", "1k", "LAMPS", "SRET", 29.0, 20.0))
    tracks += [
        Track("LAMPS", 0.3, "J6.1 x=32 y=20 R21.2"),
        Track("SRET", 0.3, "R21.1 x=23.51 J2.11"),
        Track("SDATA", 0.3, f"below J2.12 x=22.24 y=17.5 via x=67 y={PLUG_Y} J3.12"),
    ]
    tracks += _across(wires, lambda pin: MEGA_COLUMNS - 1 - (pin - 1) // 2, outer=1)
    return _adapter("mega", "adapter for an Arduino Mega", parts, tracks, "SDATA")


def _adapter(
    name: str, title: str, parts: Sequence[Part], tracks: Sequence[Track], north: str
) -> Circuit:
    """Return an adapter with what all of them have; `north` is the lamps' line of that chain."""
    parts = (*parts, *_plugs(north), *_power())
    return Circuit(
        f"adapter-{name}",
        title,
        EDGES,
        parts,
        (*tracks, *_supplied()),
        tuple(_labels(title, parts)),
    )


def _x(slot: int) -> float:
    return SLOT_X + PITCH * slot


def _plug_x(first: int) -> float:
    """Return where the plug below five slots begins: its third rank lies below their middle."""
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
    """Yield a header's wires, each at a level of its own; pins of the outer row pass the inner one.

    `outer` says which pins are in the outer row: those whose number leaves that rest by two.
    """
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


def _plugs(north: str) -> Iterator[Part]:
    chains = (("J2", "SOUTH", SOUTH, 0, "SDATA"), ("J3", "NORTH", NORTH, 11, north))
    for ref, name, first, turned, data in chains:
        nets = {str(pin): net for pin, net in enumerate(BUS, 1)}
        nets |= {
            pin: f"R{abs(turned - int(net[1:]))}" for pin, net in nets.items() if net[1:].isdigit()
        }
        nets |= {"12": data} | ({"11": "SRET"} if ref == "J2" else {})
        if ref == "J3":
            del nets["11"]
        yield _pins(ref, name, "02x06", nets, _plug_x(first), PLUG_Y - PITCH)
    files = {str(at): f"F{letter}" for at, letter in enumerate("ABCDEFGHIJ", 1)}
    yield _pins("J4", "FILES", "01x10", files, _x(FILE_A), FILES_Y)


def _power() -> Iterator[Part]:
    block = "TerminalBlock_Phoenix:TerminalBlock_Phoenix_MKDS-1,5-2-5.08_1x02_P5.08mm_Horizontal"
    entry = {"1": "SUPPLY", "2": GROUND}
    yield Part("J5", "Connector_Generic:Conn_01x02", block, "5 V, 4 A", entry, 6.0, 6.0)
    holder = "Fuse:Fuseholder_Blade_Mini_Keystone_3568"
    yield Part("F1", "Device:Fuse", holder, "4 A", {"1": "SUPPLY", "2": SUPPLY}, 18.0, 9.0)
    store = ("Device:C_Polarized", "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm", "1000uF")
    yield Part("C1", *store, {"1": SUPPLY, "2": GROUND}, 36.5, 7.0)
    for at, (x, y) in enumerate(((-2.0, 76.0), (70.0, 76.0), (-2.0, 4.0), (70.0, 4.0)), 1):
        yield Part(f"H{at}", *HOLE, {}, x, y)


def _labels(title: str, parts: Sequence[Part]) -> Iterator[Silkscreen]:
    """Yield the board's name, and the plugs' beside them."""
    yield Silkscreen(f"Jetan, {title}", 50, 17.5)
    yield Silkscreen("+    -", 8.5, 13)
    places = {"J2": (6.3, 6), "J3": (6.3, 6), "J4": (27, 0), "J6": (-0.5, -5), "J7": (0, -5)}
    for part in parts:
        if part.ref in places:
            x, y = places[part.ref]
            yield Silkscreen(part.value, part.x + x, part.y + y)


def _supplied() -> Iterator[Track]:
    yield Track("SUPPLY", 2.5, "J5.1 y=12.5 x=18 F1.1 y=5.6")
    yield Track(SUPPLY, 2.5, "F1.2 y=7 C1.1")
    yield Track(SUPPLY, 2.5, "F1.2 y=5.6")
    for ref, first in (("J2", SOUTH), ("J3", NORTH)):
        x = _plug_x(first)
        yield Track(SUPPLY, 1.6, f"below F1.2 y={RAIL_Y} x={x} {ref}.1 {ref}.2")


def _shifter() -> Iterator[Part]:
    """Yield what makes 5 V of the lamps' data: first the Pi's, then what comes from the south."""
    gates = {"2": "LAMPS", "3": "OUT", "5": "SDATA", "6": "BACK", "14": SUPPLY}
    gates |= dict.fromkeys(("1", "4", "7", "9", "10", "12", "13"), GROUND)
    chip = ("74xx:74LS125", "Package_DIP:DIP-14_W7.62mm", "74AHCT125")
    yield Part("U1", *chip, gates, 28.0, 25.0, 90.0)
    cap = ("Device:C", "Capacitor_SMD:C_1206_3216Metric", "100nF")
    yield Part("C2", *cap, {"1": SUPPLY, "2": GROUND}, 30.0, 37.0)
    yield _resistor("R21", "470", "OUT", "SRET", 29.0, 20.0)
    yield _resistor("R22", "470", "NDATA", "BACK", 45.0, 20.0)


def _shifted() -> Iterator[Track]:
    yield Track("OUT", 0.3, "U1.3 y=20 R21.2")
    yield Track("SRET", 0.3, "R21.1 x=23.51 J2.11")
    yield Track("SDATA", 0.3, "below J2.12 x=22.24 y=17.5 via x=38.16 U1.5")
    yield Track("BACK", 0.3, "U1.6 y=20 R22.1")
    yield Track("NDATA", 0.3, f"R22.2 x=67 y={PLUG_Y} J3.12")
    yield Track(SUPPLY, 0.8, f"below 26,{RAIL_Y} y=32.62 U1.14")
    yield Track(SUPPLY, 0.8, "U1.14 C2.1")
