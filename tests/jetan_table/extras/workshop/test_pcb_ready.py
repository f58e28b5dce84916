"""The boards that were made beforehand: what their files say to others than KiCad."""

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from math import cos, dist, radians, sin
from typing import Any, Final

import pytest

from hardware.build import REED_MM, Build, build_of
from jetan_table.extras.workshop.circuits import BUS, GROUND, PITCH, adapter_mega, strip
from jetan_table.extras.workshop.parts import READY, STRIPS, boards, circuits, parts
from jetan_table.settings import parse_settings
from packages.kicad.ipc import Pad, pads
from packages.kicad.orders import kinds
from rules import parse_square
from tests.jetan_table.extras.workshop.copper import Gerbers, faults, read

pytestmark = pytest.mark.parts

STRIP: Final = "strip"
SIZES_MM: Final = {STRIP: (224.8, 44.8), "adapter-pi": (80.0, 80.0), "adapter-mega": (80.0, 80.0)}
PINS_MM, REEDS_MM, CHIP_MM, SUPPLY_MM, FUSE_MM, SCREWS_MM = 1.0, 0.9, 0.8, 1.3, 1.78, 3.2
HOLES: Final = {
    STRIP: {REEDS_MM: 20, PINS_MM: 12 + 12 + 4, SCREWS_MM: 3},
    "adapter-pi": {
        PINS_MM: 40 + 12 + 12 + 10 + 2 + 2 + 2,
        CHIP_MM: 14,
        SUPPLY_MM: 4,
        FUSE_MM: 4,
        SCREWS_MM: 4,
    },
    "adapter-mega": {
        PINS_MM: 36 + 12 + 12 + 10 + 2 + 2,
        SUPPLY_MM: 4,
        FUSE_MM: 4,
        SCREWS_MM: 4,
    },
}
VIA_MM: Final = 0.3


def pads_of(name: str) -> list[Pad]:
    return list(pads((READY / name / "test.ipc").read_text(encoding="utf-8")))


@pytest.fixture(params=SIZES_MM)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def copper_of(name: str) -> Gerbers:
    return read(READY / name / "gerbers.zip")


def test_size_and_holes(name: str) -> None:
    board = copper_of(name)
    line_mm = 0.1
    size = board.width - line_mm, board.height - line_mm
    assert size == pytest.approx(SIZES_MM[name], abs=0.01)
    found = Counter(round(width, 2) for _, _, width in (*board.holes, *board.bare_holes))
    (circuit,) = (each for each in circuits(build_of()) if each.name == name)
    vias = sum(track.path.split().count("via") for track in circuit.tracks)
    assert found == {**HOLES[name], VIA_MM: vias}


def test_copper_joins_what_the_list_of_pads_joins(name: str) -> None:
    assert list(faults(copper_of(name), pads_of(name))) == []


def cut(things: list[Any]) -> list[Any]:
    """Leave out what runs along one rank."""
    longest = max((each for each in things if is_line(each)), key=length)
    return [each for each in things if each is not longest]


def shorted(things: list[Any]) -> list[Any]:
    """Draw one line on until it crosses another one."""
    longer = copy(max((each for each in things if is_line(each)), key=length))
    longer.y2 += 10
    return [*things, longer]


def is_line(thing: Any) -> bool:
    return type(thing).__name__ == "Line"


def length(line: Any) -> float:
    return dist((line.x1, line.y1), (line.x2, line.y2))


@pytest.mark.parametrize("spoil", [cut, shorted])
def test_copper_that_is_wrong_is_found(spoil: Callable[[list[Any]], list[Any]]) -> None:
    board = copper_of(STRIP)
    board.layers["bottom"] = spoil(board.layers["bottom"])
    assert list(faults(board, pads_of(STRIP)))


def test_reeds_lie_where_the_table_has_them() -> None:
    build = build_of()
    spots = {(pad.ref, pad.pin): (pad.x, pad.y) for pad in pads_of(STRIP)}
    corner = copper_of(STRIP).corner
    for at, place in enumerate(build.reeds):
        for square in range(5):
            ref = f"S{2 * square + at + 1}"
            one, other = spots[ref, "1"], spots[ref, "2"]
            assert dist(one, other) == pytest.approx(REED_MM, abs=0.01)
            gap = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
            middle = corner[0] - 0.05 + 45 * (square + 0.5), corner[1] + 22.45
            found = gap[0] - middle[0], gap[1] - middle[1]
            assert found == pytest.approx(place.gap, abs=0.01)
        way = tuple((b - a) / REED_MM for a, b in zip(one, other, strict=True))
        assert way == pytest.approx(place.way, abs=1e-3)


def test_what_is_bought_is_what_the_boards_list() -> None:
    listed: Counter[tuple[str, str]] = Counter()
    for name, times in ((STRIP, STRIPS), ("adapter-pi", 1)):
        with (READY / name / "parts.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                assert len(row["Designators"].split(",")) == int(row["Count"])
                listed[row["Value"], row["Package"]] += times * int(row["Count"])
    bought = {kind[1:]: count for kind, count in parts(build_of()).items()}
    assert {kind: bought[kind] for kind in listed} == listed
    assert sum(listed.values()) == sum(count for kind, count in bought.items() if kind[1])


def rows_of(name: str, file: str) -> list[dict[str, str]]:
    with (READY / name / file).open(encoding="utf-8") as text:
        return list(csv.DictReader(text))


PLACES: Final = ["Designator", "Mid X", "Mid Y", "Layer", "Rotation"]


@pytest.mark.parametrize(
    ("maker", "columns"),
    [
        ("jlcpcb", ["Comment", "Designator", "Footprint", "LCSC Part #"]),
        (
            "pcbway",
            [
                *("Item #", "Designator", "Qty", "Manufacturer", "Mfg Part #"),
                *("Description / Value", "Package/Footprint", "Type", "Your Instructions / Notes"),
            ],
        ),
    ],
)
def test_an_order_lists_and_places_the_same_parts_all_without_a_hole(
    name: str, maker: str, columns: list[str]
) -> None:
    listed, places = rows_of(name, f"{maker}-bom.csv"), rows_of(name, f"{maker}-cpl.csv")
    assert list(listed[0]) == columns
    assert list(places[0]) == PLACES
    refs = [ref for row in listed for ref in row["Designator"].split(",")]
    assert len(refs) == len(set(refs))
    assert set(refs) == {row["Designator"] for row in places}
    drilled = {pad.ref for pad in pads_of(name) if pad.hole}
    assert set(refs) == {pad.ref for pad in pads_of(name)} - drilled
    for row in places:
        mine = [pad for pad in pads_of(name) if pad.ref == row["Designator"]]
        middle = [sum(at) / len(mine) for at in zip(*((pad.x, pad.y) for pad in mine), strict=True)]
        assert (float(row["Mid X"]), float(row["Mid Y"])) == pytest.approx(middle, abs=0.02)
        assert row["Layer"] == "Top"


def test_turns_for_pcbway_turn_each_parts_first_pin_to_where_it_is(name: str) -> None:
    """At turn 0 a lamp's and a chip's first pin is in the upper left, a two-pole's on the left."""
    for row in rows_of(name, "pcbway-cpl.csv"):
        mine = [pad for pad in pads_of(name) if pad.ref == row["Designator"]]
        (first,) = (pad for pad in mine if pad.pin == "1")
        turn = radians(-float(row["Rotation"]))
        x, y = first.x - float(row["Mid X"]), first.y - float(row["Mid Y"])
        back = x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)
        assert back[0] < -0.9
        assert back[1] > 0.9 if len(mine) > 2 else abs(back[1]) < 0.02


def test_whoever_places_by_another_library_is_told_its_turns() -> None:
    """JLCPCB's library has a WS2812B half a turn, and an SO-8 a quarter back, from KiCad's."""
    for name, kind, more in ((STRIP, "U", 180), (STRIP, "D", 0), ("adapter-pi", "Q", 270)):
        own, theirs = (
            {row["Designator"]: float(row["Rotation"]) for row in rows_of(name, f"{maker}-cpl.csv")}
            for maker in ("pcbway", "jlcpcb")
        )
        refs = [ref for ref in own if ref.startswith(kind)]
        assert refs
        assert all((theirs[ref] - own[ref]) % 360 == more for ref in refs)


def test_what_a_machine_places_has_a_makers_number_and_another(name: str) -> None:
    for row in rows_of(name, "parts.csv"):
        if row["Fitted by"] == "machine":
            assert row["Maker"]
            assert row["Part number"]
            assert row["Alternative"]
            assert row["Part number"] not in row["Alternative"].split()


def test_reeds_are_ordered_of_the_class_that_magnets_want() -> None:
    """The maker's number ends with the class's least and most ampere-turns."""
    least, most = build_of().turns
    (row,) = [row for row in rows_of(STRIP, "parts.csv") if row["Package"] == "Reed"]
    assert row["Part number"].endswith(f"-{least:g}{most:g}")
    assert row["Alternative"].endswith(f"{least:g} to {most:g} AT")


HARMED: Final = {GROUND, "DATA", "RET"}
"""Nets that no supply may meet: it would be shorted, or a lamp's input be destroyed."""


def wrongly(count: int) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield ways to put a socket of two rows on a plug wrongly, each with the pins that meet."""
    pins = range(1, count + 1)
    ways = {
        "turned": [(pin, count + 1 - pin) for pin in pins],
        "a column off": [(pin, pin + 2) for pin in pins],
        "a column off to the other side": [(pin, pin - 2) for pin in pins],
        "a row off": [(pin, pin + 1) for pin in pins if pin % 2],
        "a row off to the other side": [(pin, pin - 1) for pin in pins if pin % 2 == 0],
    }
    for way, met in ways.items():
        yield way, [pair for pair in met if pair[1] in pins]


def harmed(order: Sequence[str | None], feeds: Sequence[int]) -> list[str]:
    """Say in which ways a plug put on wrongly leads what is on these pins into harm."""
    return [
        way
        for way, met in wrongly(len(order))
        for pin, there in met
        if pin in feeds and order[there - 1] in HARMED
    ]


def test_a_plug_put_on_wrongly_leads_no_supply_to_ground_or_into_a_lamp() -> None:
    feeds = [pin for pin, net in enumerate(BUS, 1) if net == "+5V"]
    assert harmed(BUS, feeds) == []
    ranks = [f"R{rank}" for rank in range(1, 6)]
    before = ["+5V", "+5V", GROUND, GROUND, *ranks, GROUND, "RET", "DATA"]
    assert set(harmed(before, feeds)) == {"turned", "a column off"}


def test_a_ribbon_put_on_a_pi_wrongly_leads_its_supply_to_no_ground() -> None:
    nets = header_nets("adapter-pi", 40)
    assert harmed(nets, [2, 4]) == []
    with_all = [GROUND if pin in (6, 39) else net for pin, net in enumerate(nets, 1)]
    assert set(harmed(with_all, [2, 4])) == {"turned", "a column off"}


def test_a_mega_under_a_shifted_adapter_leads_its_supply_to_no_ground() -> None:
    """Turned round it would lie over the Mega, in plain sight, and meet the fuse of its USB."""
    assert set(harmed(header_nets("adapter-mega", 36), [1, 2])) == {"turned"}


def header_nets(name: str, count: int) -> list[str | None]:
    """Return the nets of an adapter's header, pin by pin; None is joined to nothing."""
    nets = {int(pad.pin): pad.net for pad in pads_of(name) if pad.ref == "J1"}
    return [None if "PAD" in nets[pin] else nets[pin] for pin in range(1, count + 1)]


def test_a_mega_meets_its_adapters_pins() -> None:
    """Odd pins are the row at a Mega's middle, where its header has D22, D24 and so on."""
    spots = {int(pad.pin): (pad.x, -pad.y) for pad in pads_of("adapter-mega") if pad.ref == "J1"}
    assert spots[1][0] - spots[35][0] == pytest.approx(17 * PITCH, abs=0.01)
    assert all(spots[pin][1] < spots[pin + 1][1] for pin in range(1, 36, 2))
    (header,) = (part for part in adapter_mega().parts if part.ref == "J1")
    assert "PinHeader" in header.footprint


def test_swapped_poles_meet_a_transistor_that_lets_nothing_through(name: str) -> None:
    if name == STRIP:
        return
    nets = {(pad.ref, pad.pin): pad.net for pad in pads_of(name)}
    assert {nets["Q1", pin] for pin in "5678"} == {nets["F1", "2"]}
    assert nets["Q1", "4"] == nets["J5", "2"] == GROUND
    fed = {ref for (ref, _), net in nets.items() if net == nets["Q1", "1"]}
    assert {"C1", "J2", "J3", "J8"} <= fed
    assert not fed & {"J5", "F1"}


def test_ready_boards_fit_their_table_alone() -> None:
    settings, adapters = "settings.toml", {"adapter-pi", "adapter-mega"}
    assert folders(build_of()) == {STRIP, settings, *adapters}
    assert folders(build_of(square_mm=50)) == {settings, *adapters}
    assert folders(build_of(way="wired")) == set()
    assert sum(path.stat().st_size for path in READY.rglob("*.*")) < 600_000
    with pytest.raises(ValueError, match="strips are for flat boards"):
        strip(build_of("ninth-ray"))
    with pytest.raises(ValueError, match="44 mm"):
        strip(build_of(square_mm=43))


def folders(build: Build) -> set[str]:
    return {path.split("/")[1] for path, _ in boards(build)}


def test_settings_take_the_order_of_the_lamps() -> None:
    lamps = parse_settings(dict(boards(build_of()))["boards/settings.toml"].decode()).lamps
    assert lamps.lamp_of()[parse_square("a2")] == 1
    assert lamps.lamp_of()[parse_square("j10")] == 50
    assert lamps.lamp_of()[parse_square("a6")] == 99


def test_the_page_has_a_button_for_each_kind_of_part() -> None:
    for circuit in circuits(build_of()):
        page = (READY / circuit.name / "parts.html").read_text(encoding="utf-8")
        assert page.count("<button data-kind=") == len(kinds(circuit.parts))
        bought = [part for part in circuit.parts if part.is_bought]
        assert page.count("<title>") == len(bought) + 1
