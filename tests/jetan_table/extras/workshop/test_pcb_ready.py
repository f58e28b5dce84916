"""The boards that were made beforehand: what their files say to others than KiCad."""

import csv
from collections import Counter
from collections.abc import Callable
from copy import copy
from math import dist
from typing import Any, Final

import pytest

from hardware.build import REED_MM, Build, build_of
from jetan_table.extras.workshop.circuits import strip
from jetan_table.extras.workshop.parts import READY, STRIPS, boards, circuits, parts
from jetan_table.settings import parse_settings
from packages.kicad.ipc import Pad, pads
from packages.kicad.parts_page import kinds
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
        SUPPLY_MM: 2,
        FUSE_MM: 4,
        SCREWS_MM: 4,
    },
    "adapter-mega": {
        PINS_MM: 36 + 12 + 12 + 10 + 2 + 2,
        SUPPLY_MM: 2,
        FUSE_MM: 4,
        SCREWS_MM: 4,
    },
}
VIA_MM: Final = 0.3
CLASSES: Final = ((10.0, 15.0), (15.0, 20.0), (20.0, 25.0))
"""Of reeds that are sold, in ampere-turns: the most and the least sensitive of each is tried."""


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
                package = row["Package"].partition(":")[2]
                listed[row["Value"], package] += times * int(row["Count"])
    bought = {kind[1:]: count for kind, count in parts(build_of()).items()}
    assert {kind: bought[kind] for kind in listed} == listed
    assert sum(listed.values()) == sum(count for kind, count in bought.items() if kind[1])


def test_ready_boards_fit_their_table_alone() -> None:
    settings, adapters = "settings.toml", {"adapter-pi", "adapter-mega"}
    assert folders(build_of()) == {STRIP, settings, *adapters}
    assert folders(build_of(square_mm=50)) == {settings, *adapters}
    assert folders(build_of(way="wired")) == set()
    assert sum(path.stat().st_size for path in READY.rglob("*.*")) < 600_000
    with pytest.raises(ValueError, match="strips are for flat boards"):
        strip(build_of("ninth-ray"))


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
