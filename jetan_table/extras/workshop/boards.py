"""The boards as files that were made beforehand, as KiCad is on few machines, and their parts."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hardware.build import SQUARE_MM, Build
from rules import FILES

from .circuits import Circuit, adapter_mega, adapter_pi, strip

READY = Path(__file__).with_name("ready")
STRIPS = 20

LAMPS = (
    *(f"{file}{rank}" for file in FILES for rank in range(1, 6)),
    *(f"{file}{rank}" for file in reversed(FILES) for rank in range(10, 5, -1)),
)
"""The squares in the order in which the lamps of twenty strips take their data."""

Brain = Literal["pi", "mega"]
KINDS = {
    "Switch:SW_Reed": "reed switch",
    "Device:D": "diode",
    "LED:WS2812B": "lamp",
    "Device:C": "capacitor",
    "Device:C_Polarized": "capacitor",
    "Device:R": "resistor",
    "Device:Fuse": "fuse and holder",
    "74xx:74LS125": "level shifter",
}
"""What a part is called, by its symbol; all others are plugs."""


@dataclass(frozen=True, slots=True)
class Bought:
    """What is bought for a table: what it is, which, its package, and how many."""

    name: str
    value: str
    package: str
    count: int


def circuits(build: Build) -> tuple[Circuit, ...]:
    """Return the boards of a table. CannotBeBuilt: there are none for it."""
    return strip(build), adapter_pi(), adapter_mega()


def is_ready(build: Build) -> bool:
    """Whether the strips that were made beforehand fit a table."""
    return (build.board, build.way, build.square_mm) == ("grid", "strip", SQUARE_MM)


def boards(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield the files to order a table's boards by, and the lamps' order for its settings.

    Strips for squares of another size are left out: `python -m packages.kicad` makes them. A disk
    has none, nor has a table that is wired by hand.
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


def parts(build: Build, brain: Brain = "pi") -> list[Bought]:
    """Return what a table on strips takes, all reeds included; a brain, a supply and pieces apart.

    CannotBeBuilt: there are no strips for it.
    """
    adapter = adapter_pi() if brain == "pi" else adapter_mega()
    counts: Counter[tuple[str, str, str]] = Counter()
    for circuit, times in ((strip(build), STRIPS), (adapter, 1)):
        for part in circuit.parts:
            if part.is_bought:
                name = KINDS.get(part.symbol, "plug")
                counts[name, part.value, part.footprint.partition(":")[2]] += times
        counts["board", circuit.name, ""] += times
    for value, count in LEADS[brain].items():
        counts["lead", value, ""] += count
    return [Bought(*kind, count) for kind, count in sorted(counts.items())]


LEADS = {
    "pi": {
        "ribbon of 40 wires, sockets": 1,
        "12 wires, sockets": 1,
        "12 wires, socket to pin": 1,
        "1 wire, sockets": 20,
    },
    "mega": {
        "12 wires, sockets": 1,
        "12 wires, socket to pin": 1,
        "1 wire, sockets": 20,
        "1 wire, socket to pin": 1,
    },
}
"""To the south's last strip, to the north's first, and along the files: ten to the south, and ten
on to the north; and what leads to the brain. The bridge at the first strip is a bit of wire."""
