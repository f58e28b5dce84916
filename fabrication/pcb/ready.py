"""The boards as files that were made beforehand, as KiCad is on few machines, and their parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hardware.build import SQUARE_MM, Build

from .adapters import adapter_mega, adapter_pi
from .circuit import Circuit
from .strip import strip

READY = Path(__file__).parents[1] / "ready"
STRIPS = 20

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
    """Return the boards of a table. ValueError: there are none for it."""
    return strip(build), adapter_pi(), adapter_mega()


def is_ready(build: Build) -> bool:
    """Whether the strips that were made beforehand fit a table."""
    return build.board == "grid" and build.square_mm == SQUARE_MM


def boards(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield the files to order a table's boards by, and to solder them by.

    Strips for squares of another size are left out: `python -m fabrication.pcb` makes them.
    """
    if build.way != "strip":
        return
    for path in sorted(READY.rglob("*.*")):
        place = path.relative_to(READY)
        if is_ready(build) or place.parts[0] != "strip":
            yield f"boards/{place.as_posix()}", path.read_bytes()


def parts(build: Build, brain: Brain = "pi") -> list[Bought]:
    """Return what a table on strips takes, all reeds included; a brain, a supply and pieces apart.

    ValueError: there are no strips for it.
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
on to the north; and what leads to the brain."""
