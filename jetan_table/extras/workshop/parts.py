"""The circuit boards of a table as files made beforehand, and the list of parts to buy.

The boards' files are committed because few machines have KiCad, which makes them. Counts of parts
come from the boards' own data. Prices were estimated on `PRICED`, for parts bought by the bag or
the lot from abroad; no shop was asked.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from hardware.build import SQUARE_MM, Build, CannotBeBuilt
from rules import FILES, SQUARES, _

from .case import counted
from .case.disk import disk_counted, disk_sizes
from .case.sizes import sizes_of
from .circuits import GUARD, Circuit, adapter_mega, adapter_pi, strip

READY = Path(__file__).with_name("ready")
STRIPS = 20

LAMPS = (
    *(f"{file}{rank}" for file in FILES for rank in range(1, 6)),
    *(f"{file}{rank}" for file in reversed(FILES) for rank in range(10, 5, -1)),
)
"""The squares in the order of the lamps' data through twenty strips."""

Brain = Literal["pi", "mega"]
NAMES_OF_PARTS = {
    "Switch:SW_Reed": "reed switch",
    "Device:D": "diode",
    "LED:WS2812B": "lamp",
    "Device:C": "capacitor",
    "Device:C_Polarized": "capacitor",
    "Device:R": "resistor",
    "Device:Fuse": "fuse and holder",
    "74xx:74LS125": "level shifter",
    GUARD[0]: "transistor",
}
"""Names of parts by their symbol; all others are plugs."""


def circuits(build: Build) -> tuple[Circuit, ...]:
    """Return the boards of a table. CannotBeBuilt: there are none for it."""
    return strip(build), adapter_pi(), adapter_mega()


def is_ready(build: Build) -> bool:
    """Return whether the strips made beforehand fit a table."""
    return (build.board, build.way, build.square_mm) == ("grid", "strip", SQUARE_MM)


def boards(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield the files to order a table's boards with, and the lamps' order for its settings.

    Strips for squares of another size are left out: `python -m packages.kicad` makes them. A disk
    has none, nor has a table wired by hand.
    """
    if (build.board, build.way) != ("grid", "strip"):
        return
    rows = (", ".join(f'"{square}"' for square in LAMPS[at : at + 5]) for at in range(0, 100, 5))
    order = "[lamps]\norder = [\n  " + ",\n  ".join(rows) + ",\n]\n"
    yield "boards/settings.toml", order.encode()
    for path in sorted(READY.rglob("*.*")):
        place = path.relative_to(READY)
        if is_ready(build) or place.parts[0] != "strip":
            yield f"boards/{place.as_posix()}", path.read_bytes()


LEADS = {
    "pi": {"ribbon of 40 wires, sockets, 20 cm": 1},
    "mega": {"1 wire, socket to pin, 30 cm": 1},
}
"""Leads from the brain to its adapter."""

LONG_CM, SHORT_CM = 30, 10
"""Lengths of leads from the adapter to strips of 45 mm, and from strip to strip along a file."""


def leads(build: Build, brain: Brain) -> Iterator[tuple[str, int]]:
    """Yield the leads of a table on strips and their counts.

    Ribbons of twelve go to the south's last strip and to the north's first, where long pins make a
    plug of a socket; single ones to the files' southern strips, and from there to the northern. The
    bridge at the first strip is a bit of wire.
    """
    yield from LEADS[brain].items()
    long = LONG_CM if build.square_mm <= SQUARE_MM else LONG_CM + 10
    yield f"ribbon of 12 wires, sockets 2 × 6, {long} cm", 2
    yield "pins 2 × 6, long on both sides, for the northern ribbon", 1
    yield f"1 wire, sockets, {long} cm", 10
    yield f"1 wire, sockets, {SHORT_CM} cm", 10
    if brain == "pi":
        yield f"2 wires, socket at one end, {long + 10} cm, for a button", 2


def parts(build: Build, brain: Brain = "pi") -> Counter[tuple[str, str, str]]:
    """Return the count of each part of a table on strips, by name, value and package.

    A brain, a supply and pieces are left out. CannotBeBuilt: there are no strips for that table.
    """
    adapter = adapter_pi() if brain == "pi" else adapter_mega()
    counts: Counter[tuple[str, str, str]] = Counter()
    # Counted from the boards' own data, so that a change of a board is a change of the list.
    for circuit, times in ((strip(build), STRIPS), (adapter, 1)):
        for part in circuit.parts:
            if part.is_bought:
                name = NAMES_OF_PARTS.get(part.symbol, "plug")
                counts[name, part.value, part.footprint.partition(":")[2]] += times
        counts["board", circuit.name, ""] += times
    for value, count in leads(build, brain):
        counts["lead", value, ""] += count
    return counts


# ------------------------------------------------------------------ the bill


Chip = Literal["pi", "mega", "nano", "pico"]

PRICED: Final = "26 November 2026"
MEN: Final = 41
WOOD_MM: Final = 6.0
"""Thickness of a board that is drilled by hand: its lamps lie under it."""

SECONDS_A_JOINT: Final = 12
"""Time for a joint by hand on a circuit board, with parts put in and leads cut."""

MINUTES_A_REED, MINUTES_A_STRIP, MINUTES_OF_CASE, MINUTES_OF_BRAIN = 1, 5, 150, 105
"""Time to bend, cut and set a reed, and to try a strip; to screw a case together, with the magnets
in the pieces; and for the brain and its leads."""

MINUTES_A_WIRED_SQUARE, MINUTES_A_DISKS_SQUARE = 18, 14
"""Time for one square without a circuit board: drilling, reeds, diode, lamp and wires. A disk's
printed sectors need no drill."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a parts list: count and name, cents each, and joints by hand each."""

    count: int
    what: str
    cents: int
    joints: int = 0


def bill(build: Build, chip: Chip = "pi") -> list[Line]:
    """Return the parts to buy for a table.

    CannotBeBuilt: no adapter joins that chip to strips, or there are no strips for the table.
    """
    if build.way == "paper":
        return list(_paper(build))
    if build.way == "strip":
        screws = counted(build, sizes_of(build)) | {"M2.5 x 6, pan head": 4, "M3 x 6, pan head": 4}
        return [*_on_boards(build, chip), *_screws(screws), *_around(build, chip)]
    if build.board == "ninth-ray":
        screws = disk_counted(disk_sizes(build)) | {"M2.5 x 6, pan head": 4}
        return [*_wired(build, chip), *_screws(screws), *_around(build, chip)]
    wood = f"plywood, {WOOD_MM:g} mm, {build.surface_width_mm:.0f} mm each way, to be drilled"
    sides = Line(1, "strip of wood, 40 × 5 mm, 2.1 m, for the sides", 300)
    return [*_wired(build, chip), Line(1, wood, 800), sides, *_around(build, chip)]


def joints(lines: list[Line]) -> int:
    """Return the number of joints soldered by hand."""
    return sum(line.count * line.joints for line in lines)


def hours(build: Build, lines: list[Line]) -> int:
    """Return about how many hours of work a table takes, without a 3D printer's."""
    if build.way == "paper":
        return 3
    minutes = MINUTES_OF_CASE + MINUTES_OF_BRAIN
    if build.way == "wired":
        is_flat = build.board == "grid"
        minutes += len(SQUARES) * (MINUTES_A_WIRED_SQUARE if is_flat else MINUTES_A_DISKS_SQUARE)
    else:
        minutes += len(build.reeds) * len(SQUARES) * MINUTES_A_REED + STRIPS * MINUTES_A_STRIP
        minutes += round(joints(lines) * SECONDS_A_JOINT / 60)
    return round(minutes / 60)


def parts_list(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield the CSV file of a table's parts."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["count", "part", f"euros each, estimated on {PRICED}"])
    for line in bill(build):
        rows.writerow([line.count, line.what, f"{line.cents / 100:.2f}"])
    yield "parts.csv", text.getvalue().encode()


def _paper(build: Build) -> Iterator[Line]:
    yield Line(10, "sheet of white card, printed in colour", 25)
    yield Line(1, "glue stick", 150)
    yield Line(
        1, f"cardboard, 2 mm, {build.width_mm + 100:.0f} mm each way, for board and discs", 250
    )
    yield Line(1, "laths, 40 × 20 mm, 4.7 m, for the camera's stand; or a shelf and books", 400)
    yield Line(20, "wood screw, 4 × 35 mm, for the stand", 5)


def _on_boards(build: Build, chip: Chip) -> Iterator[Line]:
    if chip not in ("pi", "mega"):
        raise CannotBeBuilt(
            _("no adapter joins a {chip} to strips: a Pi's or a Mega's does"), chip=chip
        )
    yield Line(1, "having the small parts of twenty strips placed", 6000)
    least, most = build.turns
    for (name, value, package), count in sorted(parts(build, chip).items()):
        line = _line(name, value, package, count)
        if name == "reed switch":
            line = replace(line, what=f"{line.what}, {least:g} to {most:g} ampere-turns")
        yield line


_EACH: Final = {
    ("board", "strip"): (200, 0, "circuit board, strip of five squares"),
    ("board", "adapter-pi"): (1000, 0, "circuit board, adapter for a Pi"),
    ("board", "adapter-mega"): (1000, 0, "circuit board, adapter for a Mega"),
    ("capacitor", "1000uF"): (40, 2, "capacitor, 1000 uF, 10 V or more"),
    ("capacitor", "100nF"): (2, 0, "capacitor, 100 nF"),
    ("diode", "1N4148W"): (3, 0, "diode 1N4148W, SOD-123"),
    ("fuse and holder", "3 A"): (150, 2, "fuse, 3 A, with its holder"),
    ("lamp", "WS2812B"): (8, 0, "lamp WS2812B, 5 × 5 mm"),
    ("level shifter", "74AHCT125"): (80, 14, "74AHCT125"),
    ("reed switch", "reed, 14 mm"): (30, 2, "reed switch, 14 mm of glass, normally open"),
    ("transistor", "Si4425DDY"): (60, 8, "P-MOSFET Si4425DDY or IRF7424, SO-8"),
    ("resistor", "4k7"): (3, 2, "resistor, 4.7 kohm"),
    ("resistor", "1k"): (3, 2, "resistor, 1 kohm"),
}
"""Cents each, joints by hand, and name, by a part's name and value. Small parts are soldered by the
board's maker, so they have none."""


def _line(name: str, value: str, package: str, count: int) -> Line:
    if known := _EACH.get((name, value)):
        cents, by_hand, what = known
        size = re.search(r"_(\d{4})_", package)
        return Line(count, f"{what}, {size[1]}" if size else what, cents, by_hand)
    if name == "resistor":
        return Line(count, f"resistor, {value} ohm, 1206", 3, 2)
    if name == "lead":
        wires = int((re.search(r"\d+", value) or ["1"])[0])
        return Line(count, f"lead, {value}", 10 + 15 * (wires - 1))
    pins = re.search(r"(\d+)x(\d+)", package)
    joints = int(pins[1]) * int(pins[2]) if pins else 2
    return Line(count, f"plug {value}, {_shape(package)}", 8 + 4 * joints, joints)


def _shape(package: str) -> str:
    """Return a plug's package in words."""
    pins = re.search(r"(\d+)x0*(\d+)", package)
    way = "socket" if "Socket" in package else "IDC header" if "IDC" in package else "pin header"
    if pins is None or "TerminalBlock" in package:
        return "terminal block of two"
    angled = ", angled" if "Horizontal" in package else ""
    return f"{way} {pins[1]} × {pins[2]}{angled}"


def _screws(counts: Mapping[str, int]) -> Iterator[Line]:
    for what, count in counts.items():
        yield Line(count, what.replace(" x ", " × "), 4)


def _wired(build: Build, chip: Chip) -> Iterator[Line]:
    classes = Counter(build.turns_at(square) for square in SQUARES)
    for (least, most), squares in classes.items():
        what = f"reed switch, normally open, {least:g} to {most:g} ampere-turns"
        yield Line(len(build.reeds) * squares, what, 30, 2)
    yield Line(len(SQUARES), "diode 1N4148", 2, 2)
    yield Line(len(SQUARES), "lamp WS2812B, cut from strips", 10, 6)
    yield Line(34, "metre of thin stranded wire", 30)
    yield Line(3, "metre of thicker wire for the lamps' supply", 60)
    yield Line(1, "capacitor, 1000 uF, 10 V or more", 40, 2)
    yield Line(1, "fuse, 3 A, with its holder", 150, 2)
    yield Line(1, "resistor, 470 ohm", 3, 2)
    if chip in ("pi", "pico"):
        yield Line(1, "74AHCT125 with 100 nF", 90, 16)
        yield Line(10, "resistor, 100 ohm", 3, 2)
        yield Line(10, "resistor, 1 kohm", 3, 2)
    if chip != "mega":
        yield Line(1, "stripboard, 100 × 50 mm, for chips and resistors", 100)
    if chip == "nano":
        yield Line(2, "74HC595 with 100 nF", 60, 18)


def _around(build: Build, chip: Chip) -> Iterator[Line]:
    magnet = build.magnet
    yield Line(1, "tube of glue, for magnets and what the page glues", 300)
    if build.way == "strip":
        yield Line(1, "metre of twin wire, 0.75 mm², from the supply", 60)
    yield Line(MEN, f"neodymium magnet, round, {magnet.width:g} × {magnet.height:g} mm", 20)
    if build.way == "strip" or build.board == "ninth-ray":
        yield Line(1, "kilogram of filament, white, for the case", 2500)
    yield Line(2, "quarter of a kilogram of filament, black and orange, for the pieces", 1000)
    size = f"{build.surface_width_mm:.0f} mm " + ("each way" if build.board == "grid" else "round")
    yield Line(1, f"sheet of clear acrylic, {build.surface_mm:g} mm, {size}", 1500)
    yield Line(1, f"print of the board on paper, {size}", 1200)
    if chip == "pi":
        yield Line(2, "push button with a thread of 7 mm, for the die and the menu", 60, 2)
    yield Line(1, "supply, 5 V, 4 A or more, with a fuse and a case of its own", 1500)
    yield Line(1, "postage of boards and parts, about", 3000)
