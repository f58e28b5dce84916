"""Levels, supply and guard by ngspice: another program's diodes, transistor and arithmetic.

Only values come from here: those of the adapters' own resistors, and what data sheets allow at
worst. A scan drives one rank after another low, and the files are read when it has settled.
"""

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pytest

from docs import building
from docs.building import CONTACT_OHM, FULL_A, FUSE_OHM, LEAD_OHM_M, LIMIT_A, SUPPLY_OHM_M
from hardware.matrix import SETTLE_S
from jetan_table.extras.workshop.circuits import GROUND, SUPPLY, Circuit, adapter_mega, adapter_pi
from rules import FILES, SQUARES, Position, parse_rules
from tests.hardware.circuit import SCHOTTKY, SILICON, Parts
from tests.hardware.pi import DRIVER_OHM
from tests.hardware.test_levels import Boards, by_lgpio, levels

pytestmark = [pytest.mark.release, pytest.mark.needs("ngspice")]

DIODES: Final = {
    "1N4148": "D(IS=2.52n N=1.752 RS=0.568 EG=1.11 XTI=3)",
    "BAT54": "D(IS=210n N=1.02 RS=0.4 EG=0.69 XTI=2)",
    # What a data sheet allows at most: 0.24 V at 0.1 mA and 0.32 V at 1 mA.
    "BAT85": "D(IS=99n N=1.34 EG=0.69 XTI=2)",
}
FIRMWARE_SETTLE_S: Final = 30e-6

START: Final = [
    Position.start(parse_rules("appendix")).piece_at(square) is not None for square in SQUARES
]
SCATTERED: Final = [(square * 7 + square // 10) % 3 == 0 for square in SQUARES]
BARE: Final = "bare"


@dataclass(frozen=True, slots=True)
class Brain:
    """Pins and wires of a brain and its board; below `low_v` is low, and above `high_v` high."""

    volts: float
    low_v: float
    high_v: float
    pull_ohm: float
    wire_farad: float
    settle_s: float
    rank_ohm: float = 0.0
    file_ohm: float = 0.0
    added_ohm: float | None = None
    diode: str = "1N4148"
    pin_ohm: float = 40.0
    """Of a pin that drives low, at most."""


def ohms_at(circuit: Circuit, nets: Iterable[str]) -> float:
    """What resistors the adapter has at all of some nets, which must be alike."""
    wanted = set(nets)
    found = [p for p in circuit.parts if p.symbol == "Device:R" and wanted & {*p.pins.values()}]
    assert len(found) == len(wanted)
    (value,) = {part.value for part in found}
    number, thousands, rest = re.fullmatch(r"(\d+)(k?)(\d*)", value).groups()  # type: ignore[union-attr]
    return float(f"{number}.{rest or 0}") * (1000 if thousands else 1)


RANK_NETS: Final = [f"R{rank}" for rank in range(1, 11)]
FILE_NETS: Final = [f"F{letter.upper()}" for letter in FILES]
PI: Final = Brain(
    *(3.3, 0.8, 2.0, 33e3, 600e-12, SETTLE_S),
    ohms_at(adapter_pi(), RANK_NETS),
    ohms_at(adapter_pi(), FILE_NETS),
)
PICO: Final = replace(PI, pull_ohm=50e3, wire_farad=300e-12, settle_s=FIRMWARE_SETTLE_S)
MEGA: Final = Brain(
    *(5.0, 1.5, 3.0, 20e3, 1e-9, FIRMWARE_SETTLE_S),
    added_ohm=ohms_at(adapter_mega(), FILE_NETS),
)
BRAINS: Final = {
    "pi": PI,
    "pi, weak pulls": replace(PI, pull_ohm=73e3),
    "pi, long wires": replace(PI, pull_ohm=73e3, wire_farad=2e-9, added_ohm=22e3, diode="BAT85"),
    "pi, long wires, strong pulls": replace(PI, added_ohm=22e3, diode="BAT85"),
    "pico": PICO,
    "pico, weak pulls": replace(PICO, pull_ohm=80e3),
    "mega": MEGA,
    "mega, weak pulls": replace(MEGA, pull_ohm=50e3),
}


def spice(lines: Iterable[str]) -> Mapping[str, float]:
    """Have ngspice run a netlist; return what it measures or prints, by name."""
    text = "\n".join(["a table", *lines, ".end", ""])
    done = subprocess.run(
        ["ngspice", "-b", "/dev/stdin"], input=text, capture_output=True, text=True, check=False
    )
    found = re.findall(r"^([a-z]\w*(?:\([\w#]+\))?)\s*=\s*(-?[\d.]+e[+-]\d+)", done.stdout, re.M)
    assert found, done.stdout + done.stderr
    return {name: float(value) for name, value in found}


def scanned(brain: Brain, closed: Sequence[bool], celsius: float) -> tuple[float, float]:
    """Return the lowest voltage of an open switch, and the highest of a closed one, when read."""
    found = spice(netlist(brain, closed, celsius))
    volts = [found[f"v{square}"] for square in range(100)]
    both = [[v for v, shut in zip(volts, closed, strict=True) if shut == way] for way in (0, 1)]
    return min(both[0]), max(both[1])


def netlist(brain: Brain, closed: Sequence[bool], celsius: float) -> Iterator[str]:
    step = brain.settle_s
    yield f".temp {celsius}"
    yield f"Vdd vdd 0 {brain.volts}"
    yield f".model pin sw(vt=0.5 vh=0.1 ron={brain.pin_ohm} roff=1g)"
    yield f".model joint {DIODES.get(brain.diode, DIODES['1N4148'])}"
    for file in range(10):
        yield f"Rf{file} file{file} fpin{file} {brain.file_ohm + 1e-3}"
        yield f"Rfp{file} fpin{file} vdd {brain.pull_ohm}"
        yield f"Cf{file} file{file} 0 {brain.wire_farad}"
        if brain.added_ohm:
            yield f"Rfa{file} file{file} vdd {brain.added_ohm}"
    for rank in range(10):
        yield f"Rr{rank} rank{rank} rpin{rank} {brain.rank_ohm + 1e-3}"
        yield f"Rrp{rank} rpin{rank} vdd {brain.pull_ohm}"
        yield f"Cr{rank} rank{rank} 0 {brain.wire_farad}"
        yield f"Vr{rank} low{rank} 0 PULSE(0 1 {rank * step} 1n 1n {step} 1)"
        yield f"Sr{rank} rpin{rank} 0 low{rank} 0 pin"
    for square, shut in enumerate(closed):
        rank, file = divmod(square, 10)
        if shut and brain.diode == BARE:
            yield f"Rs{square} file{file} rank{rank} 0.2"
        elif shut:
            yield f"Ds{square} file{file} rank{rank} joint"
        at = (rank + 1) * step - 1e-8
        yield f".meas tran v{square} FIND v(fpin{file}) AT={at:.9g}"
    yield f".tran {step / 50} {10 * step}"


@pytest.mark.parametrize("celsius", [0, 60])
@pytest.mark.parametrize("name", BRAINS)
def test_an_open_switch_is_high_and_a_closed_one_low(name: str, celsius: float) -> None:
    brain = BRAINS[name]
    for closed in (START, SCATTERED):
        lowest_open, highest_closed = scanned(brain, closed, celsius)
        print(name, celsius, f"{lowest_open:.2f} {highest_closed:.2f}")
        assert lowest_open > brain.high_v
        assert highest_closed < brain.low_v


def test_what_the_pages_advise_against_is_in_doubt() -> None:
    strong = replace(PI, added_ohm=15e3, diode="BAT85")
    assert scanned(strong, START, 0)[1] > PI.low_v - 0.1
    assert scanned(replace(strong, added_ohm=22e3), START, 0)[1] < PI.low_v - 0.1
    assert scanned(replace(PI, added_ohm=4700.0), START, 25)[1] > PI.low_v


def test_without_diodes_three_corners_show_a_fourth() -> None:
    corners = [square in (0, 3, 40) for square in SQUARES]
    assert scanned(PI, corners, 25)[0] > PI.high_v
    assert scanned(replace(PI, diode=BARE, pull_ohm=50e3), corners, 25)[0] < PI.low_v


@pytest.mark.parametrize("diode", [SILICON, SCHOTTKY], ids=["1N4148", "BAT54"])
def test_ngspice_and_our_own_circuit_say_the_same(
    diode: object, request: pytest.FixtureRequest
) -> None:
    """At the temperature and of the pins that the other has."""
    name = request.node.callspec.id
    joint = SILICON if diode is SILICON else SCHOTTKY
    parts = Parts(joint, rank_ohm=PI.rank_ohm, file_ohm=PI.file_ohm, pull_ohm=50e3)
    ours = levels(by_lgpio, parts, tried=Boards([START]))
    brain = replace(PI, pull_ohm=50e3, diode=name, pin_ohm=DRIVER_OHM)
    theirs = scanned(brain, START, 27)
    assert theirs[1] == pytest.approx(ours.highest_closed, abs=0.01)
    # Our own wires lag behind true ones and never lead them.
    assert 0 <= theirs[0] - ours.lowest_open < 0.2


# ------------------------------------------------------------------ the lamps' supply

STRIP_OHM: Final = (8.84e-3, 1.35e-3)
"""Of a strip's copper from plug to plug: supply and ground."""

WIRES: Final = (2, 3)
"""Wires of a ribbon for supply and for ground."""


def chain(limit_a: float) -> Iterator[str]:
    """Yield one half: supply, fuse, ribbon, and ten strips whose last lamps shine fully."""
    yield "Vs in 0 5"
    yield f"Rin in s0 {FUSE_OHM + SUPPLY_OHM_M}"
    yield f"Rout g0 0 {SUPPLY_OHM_M}"
    ribbon = 0.3 * LEAD_OHM_M + 2 * CONTACT_OHM
    for pole, strip_ohm, wires in zip("sg", STRIP_OHM, WIRES, strict=True):
        for wire in range(wires):
            yield f"R{pole}0{wire} {pole}0 {pole}1 {ribbon}"
        for at in range(1, 10):
            yield f"R{pole}{at} {pole}{at} {pole}{at}x {strip_ohm}"
            for pin in range(wires):
                yield f"R{pole}{at}p{pin} {pole}{at}x {pole}{at + 1} {CONTACT_OHM}"
    left = limit_a
    for at in range(10, 0, -1):
        taken = min(left, 5 * FULL_A)
        left -= taken
        yield f"Il{at} s{at} g{at} {taken}"
    yield ".op"
    yield ".print op v(s10) v(g10)"


def farthest_v(limit_a: float) -> float:
    found = spice(["Rp s10 g10 1g", *chain(limit_a), *control("v(s10)-v(g10)")])
    return found["far"]


def control(expression: str) -> list[str]:
    """Lines that have one value of a resting circuit printed as `far`."""
    return [".control", "op", f"let far={expression}", "print far", ".endc"]


def test_the_farthest_lamp_gets_what_the_pages_say() -> None:
    assert farthest_v(LIMIT_A) == pytest.approx(
        building.farthest_v(building.WAYS["strips"]), abs=0.02
    )
    assert farthest_v(LIMIT_A) > 4.2 > farthest_v(3.0) > 3.7


# ------------------------------------------------------------------ the guard of the poles


def guarded(circuit: Circuit, volts: float) -> float:
    """Return what lamps that would take 2 A get of a supply, by the adapter's own nets."""
    parts = {part.ref: part.pins for part in circuit.parts}
    names = {GROUND: "0", SUPPLY: "lamps", "SUPPLY": "in", "FUSED": "fused"}
    gate, source, drain = (names[parts["Q1"][pin]] for pin in "415")
    fuse = [names[parts["F1"][pin]] for pin in "12"]
    supply = [names[parts["J5"][pin]] for pin in "12"]
    lines = [
        f"Vs {' '.join(supply)} {volts}",
        f"Rf {' '.join(fuse)} 0.02",
        f"M1 {drain} {gate} {source} {source} guard W=1 L=1",
        ".model guard pmos(level=1 vto=-1.2 kp=30 is=1e-12)",
        "Rl lamps 0 2.5",
        *control("v(lamps)"),
    ]
    return spice(lines)["far"]


@pytest.mark.parametrize("circuit", [adapter_pi(), adapter_mega()], ids=["pi", "mega"])
def test_swapped_poles_reach_no_lamp(circuit: Circuit) -> None:
    assert guarded(circuit, 5.0) > 4.9
    assert abs(guarded(circuit, -5.0)) < 0.01
    turned = dict.fromkeys("123", "FUSED") | {"4": GROUND} | dict.fromkeys("5678", SUPPLY)
    wrong = [p._replace(pins=turned) if p.ref == "Q1" else p for p in circuit.parts]
    assert guarded(replace(circuit, parts=tuple(wrong)), -5.0) < -3.0
