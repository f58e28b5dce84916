"""The boards by KiCad itself: drawn without a fault, and every planted mistake is named."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from firmware_bridge.build import MEGA
from hardware.build import build_of
from hardware.pins import COLUMNS, ROWS
from jetan_table.extras.workshop.circuits import (
    CAPACITOR,
    LEAST_MM,
    Circuit,
    Part,
    Track,
    adapter_mega,
    adapter_pi,
    strip,
)
from jetan_table.extras.workshop.parts import LAMPS, READY, circuits
from packages.kicad.kicad import KiCad
from packages.kicad.outputs import originals, outputs
from tests.debian import debian, rights
from tests.once import once
from tests.packages.kicad_table import Made, Table, differences
from tests.paths import ROOT

pytestmark = [pytest.mark.release, pytest.mark.early, pytest.mark.needs("debian", "mmdebstrap")]

PACKAGES: Final = (
    "--variant=apt",
    "--include=kicad,kicad-symbols,kicad-footprints",
    '--aptopt=APT::Install-Recommends "false"',
)
BUILD: Final = build_of()
OTHERS_MM: Final = (LEAST_MM, 50.0, 60.0)
LAMP_PINS: Final = {"adapter-pi": ("J1", "19"), "adapter-mega": ("J6", "1")}


class Mistake(NamedTuple):
    """A mistake in one circuit: in its schematic, in its board or in both, and who names it how."""

    circuit: Callable[[], Circuit]
    sheet: Callable[[Circuit], Circuit]
    board: Callable[[Circuit], Circuit]
    named: str


def right(circuit: Circuit) -> Circuit:
    return circuit


def part(ref: str, **changes: Any) -> Callable[[Circuit], Circuit]:
    """Change a part; its `pins` are changed one by one."""

    def changed(each: Part) -> Part:
        pins = {**each.pins, **changes.get("pins", {})}
        return each._replace(**{**changes, "pins": pins}) if each.ref == ref else each

    return lambda circuit: replace(circuit, parts=tuple(map(changed, circuit.parts)))


def without(ref: str) -> Callable[[Circuit], Circuit]:
    """Forget a part, and what runs to it."""
    return lambda circuit: replace(
        circuit,
        parts=tuple(each for each in circuit.parts if each.ref != ref),
        tracks=tuple(each for each in circuit.tracks if f"{ref}." not in each.path),
    )


def cut(net: str) -> Callable[[Circuit], Circuit]:
    return lambda circuit: replace(
        circuit, tracks=tuple(each for each in circuit.tracks if each.net != net)
    )


def joined(net: str, path: str) -> Callable[[Circuit], Circuit]:
    return lambda circuit: replace(circuit, tracks=(*circuit.tracks, Track(net, 0.3, path)))


def both(change: Callable[[Circuit], Circuit]) -> Mapping[str, Callable[[Circuit], Circuit]]:
    """Draw the same wrong thing in the schematic and on the board; nobody but the walk may know."""
    return {"sheet": change, "board": change}


def the_strip() -> Circuit:
    return strip(BUILD)


def turned(ref: str, circuit: Circuit) -> Circuit:
    """Turn a part of two pins round, with what runs to it."""
    (found,) = (each for each in circuit.parts if each.ref == ref)
    names = {found.pins["1"]: found.pins["2"], found.pins["2"]: found.pins["1"]}
    return part(ref, pins={pin: names[net] for pin, net in found.pins.items()})(circuit)


MISTAKES: Final = {
    "a track is gone": Mistake(the_strip, right, cut("K3"), r"open .*\[K3\]"),
    "a lamp's data is gone": Mistake(the_strip, right, cut("D4"), r"open .*\[D4\]"),
    "a diode is turned": Mistake(
        the_strip,
        lambda circuit: turned("D2", circuit),
        right,
        r"walk a2: .*\(frozenset\(\), frozenset\(\)\)",
    ),
    "a diode is at another rank": Mistake(
        the_strip, part("D2", pins={"1": "R3"}), right, r"parity net_conflict: .*D2"
    ),
    "a lamp's data leads nowhere": Mistake(
        the_strip, part("U3", pins={"4": "LOST"}), right, r"erc .*LOST"
    ),
    "a part is forgotten": Mistake(
        the_strip, right, without("C2"), r"parity missing_footprint: .*C2"
    ),
    "a part lies on another": Mistake(
        the_strip, right, part("C2", x=69.0, y=0.0), r"drc courtyards_overlap: .*C2"
    ),
    "a value is another": Mistake(
        adapter_pi, right, part("R11", value="10k"), r"parity footprint_symbol_mismatch: .*R11"
    ),
    "a reed is at a rank's rail": Mistake(
        the_strip, right, joined("K1", "below S2.1 y=-13.8"), r"drc (shorting|tracks_crossing).*K1"
    ),
    "a capacitor is missing": Mistake(
        the_strip, without("C4"), right, r"walk a4: no capacitor at its lamp"
    ),
    "two files are swapped": Mistake(
        adapter_pi, lambda circuit: swapped(circuit, "FC", "FD"), right, r"walk c1: .* not 38 and 7"
    ),
    "two ranks are swapped": Mistake(
        adapter_mega, lambda circuit: swapped(circuit, "R9", "R10"), right, r"walk a9: "
    ),
    "the north has no data": Mistake(
        adapter_pi, part("U1", pins={"5": "GND"}), right, r"walk the lamps run"
    ),
    "the guard is turned": Mistake(
        adapter_pi,
        part("Q1", pins=dict.fromkeys("123", "FUSED") | dict.fromkeys("5678", "+5V")),
        right,
        r"walk .*: its lamp has no supply",
    ),
    "a pull-up is too strong": Mistake(adapter_mega, part("R3", value="470"), right, r"walk c1: "),
    "a part has another package": Mistake(
        the_strip,
        right,
        part("D1", footprint=CAPACITOR[1]),
        r"parity footprint_symbol_mismatch: .*D1",
    ),
}


def swapped(circuit: Circuit, one: str, other: str) -> Circuit:
    """Swap two nets at the plugs."""
    names = {one: other, other: one}
    parts = (
        each._replace(pins={pin: names.get(net, net) for pin, net in each.pins.items()})
        if each.ref in ("J3", "J4")
        else each
        for each in circuit.parts
    )
    return replace(circuit, parts=tuple(parts))


def make(root: Path, folder: Path) -> dict[str, Any]:
    """Have everything drawn that these tests look at; put the files into `folder`."""
    begun = time.monotonic()
    enter = [*rights(), "chroot", str(root)]
    with debian(root, *PACKAGES), ThreadPoolExecutor(2) as workers:
        laid = time.monotonic()
        drawn = workers.map(lambda circuit: draw(root, enter, circuit, folder), circuits(BUILD))
        boards = {circuit.name: made for circuit, made in zip(circuits(BUILD), drawn, strict=True)}
        named = workers.map(
            lambda at: plant(KiCad(root / "tmp" / f"mistake{at[0]}", root, enter), at[1], boards),
            list(enumerate(MISTAKES.values())),
        )
        found = dict(zip(MISTAKES, named, strict=True))
        others = {
            f"{side:g}": faults_of(KiCad(root / "tmp" / f"strip{side:g}", root, enter), side)
            for side in OTHERS_MM
        }
    spent = laid - begun, time.monotonic() - laid
    return {"boards": boards, "mistakes": found, "others": others, "spent": spent}


def faults_of(kicad: KiCad, side: float) -> list[str]:
    """Draw a strip of another size; return what KiCad finds."""
    kicad.draw(strip(build_of(square_mm=side)))
    return kicad.findings("strip")


def draw(root: Path, enter: Sequence[str], circuit: Circuit, folder: Path) -> dict[str, Any]:
    kicad = KiCad(root / "tmp" / circuit.name, root, enter)
    netlist = kicad.draw(circuit)
    for path, content in (*outputs(kicad, circuit), *originals(kicad, circuit)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    pads = (folder / circuit.name / "test.ipc").read_text(encoding="utf-8")
    return {"findings": kicad.findings(circuit.name), "made": [netlist, pads]}


def plant(kicad: KiCad, mistake: Mistake, boards: Mapping[str, Any]) -> list[str]:
    """Return what is named of one mistake."""
    circuit = mistake.circuit()
    if not mistake.named.startswith("walk"):
        kicad.draw(mistake.sheet(circuit), mistake.board(circuit))
        return kicad.findings(circuit.name)
    netlist = kicad.draw_sheet(mistake.sheet(circuit))
    made = {name: Made(*board["made"]) for name, board in boards.items()}
    made[circuit.name] = made[circuit.name]._replace(netlist=netlist)
    adapter = "adapter-mega" if circuit.name == "adapter-mega" else "adapter-pi"
    return [f"walk {each}" for each in walked(made, adapter)]


def walked(made: Mapping[str, Made], adapter: str) -> list[str]:
    files, ranks = pins_of(adapter)
    table = Table(made["strip"], made[adapter], BUILD.square_mm)
    return list(differences(table.walk(LAMP_PINS[adapter]), files, ranks, LAMPS))


def pins_of(adapter: str) -> tuple[list[str], list[str]]:
    """Return the pins of the header for files and ranks: a Pi's by the page of its wiring."""
    if adapter == "adapter-mega":
        labels = ([pin.label for pin in pins] for pins in (MEGA.columns, MEGA.rows))
        row = ["5V", "5V", *(f"D{number}" for number in range(22, 54)), "GND", "GND"]
        files, ranks = ([str(row.index(label) + 1) for label in each] for each in labels)
        return files, ranks
    page = (ROOT / "docs" / "build" / "pi.yml").read_text(encoding="utf-8")
    header = {int(gpio): pin for gpio, pin in re.findall(r"GPIO(\d+) \((\d+)\)", page)}
    return [header[pin] for pin in COLUMNS], [header[pin] for pin in ROWS]


@pytest.fixture(scope="module")
def boards(run_folder: Path) -> Any:
    """What KiCad made, once a run."""
    made = run_folder / "boards.json"
    return once(made, lambda: make(run_folder / "kicad", run_folder / "boards"))


@pytest.fixture(params=("strip", "adapter-pi", "adapter-mega"))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_nothing_is_wrong_with_a_board(boards: Any, name: str) -> None:
    assert boards["boards"][name]["findings"] == []


@pytest.mark.parametrize("side", OTHERS_MM)
def test_nothing_is_wrong_with_strips_of_other_sizes(boards: Any, side: float) -> None:
    assert boards["others"][f"{side:g}"] == []


@pytest.mark.parametrize("adapter", LAMP_PINS)
def test_twenty_strips_have_a_pair_of_pins_and_a_lamp_a_square(boards: Any, adapter: str) -> None:
    made = {name: Made(*board["made"]) for name, board in boards["boards"].items()}
    assert walked(made, adapter) == []


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_named(boards: Any, mistake: str) -> None:
    found = boards["mistakes"][mistake]
    assert any(re.match(MISTAKES[mistake].named, each) for each in found), found


def test_ready_files_are_what_kicad_makes(boards: Any, run_folder: Path, name: str) -> None:
    assert boards
    fresh = {path.name: path for path in (run_folder / "boards" / name).iterdir()}
    own = {f"{name}.kicad_sch", f"{name}.kicad_pcb"}
    assert own < set(fresh)
    assert set(fresh) - own == {path.name for path in (READY / name).iterdir()}
    for file in set(fresh) - own:
        ready = (READY / name / file).read_bytes()
        assert fresh[file].read_bytes() == ready, f"python -m packages.kicad makes {file} anew"
    assert all(fresh[file].stat().st_size > 10_000 for file in own)
