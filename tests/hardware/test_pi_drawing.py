"""The pins in the drawing and on the page are those of the default settings."""

import re

import pytest

from hardware.matrix import ORDERS
from jetan_table.settings import PinSettings
from rules import format_square
from tests.drawings import FILES, FOLDER, RANKS, shown, wires

LABEL = re.compile(r"GPIO(\d+) \((\d+)\)")

PAIRS = (
    "2:3 3:5 4:7 14:8 15:10 17:11 18:12 27:13 22:15 23:16 24:18 10:19 9:21 "
    "25:22 11:23 8:24 7:26 5:29 6:31 12:32 13:33 19:35 16:36 26:37 20:38 21:40"
)
HEADER = {int(pair.partition(":")[0]): int(pair.partition(":")[2]) for pair in PAIRS.split(" ")}
"""The header's pin of each GPIO, from the Raspberry Pi documentation."""

GROUNDS = {6, 9, 14, 20, 25, 30, 34, 39}
PINS = PinSettings()


def numbers(pairs: list[tuple[str, str]]) -> list[int]:
    found = [LABEL.fullmatch(label) for label, _ in pairs]
    return [int(label[1]) for label in found if label is not None]


def test_files_and_ranks_are_wired_as_the_settings_have_them() -> None:
    drawn = wires("pi")
    assert numbers(drawn["Pi > Files"]) == list(PINS.columns)
    assert numbers(drawn["Pi > Ranks"]) == list(PINS.rows)
    assert [name for _, name in drawn["Pi > Files"]] == FILES
    assert [name for _, name in drawn["Pi > Ranks"]] == RANKS


def test_buttons_and_lamps_are_wired_as_the_settings_have_them() -> None:
    drawn = wires("pi")
    assert numbers(drawn["Pi > Die button"]) == [PINS.die_button]
    assert numbers(drawn["Pi > Menu button"]) == [PINS.menu_button]
    assert numbers(drawn["Pi > Shifter"]) == [10]
    assert drawn["Shifter > Lamps"] == [("1Y", "DIN"), ("GND", "GND")]


def test_each_label_has_its_pin_of_the_header() -> None:
    labels = {label for pairs in wires("pi").values() for pair in pairs for label in pair}
    for label in labels:
        if found := LABEL.fullmatch(label):
            assert HEADER[int(found[1])] == int(found[2])
        elif ground := re.fullmatch(r"GND \((\d+)\)", label):
            assert int(ground[1]) in GROUNDS


def test_the_drawing_was_rendered_from_the_text() -> None:
    used = {pin for pairs in wires("pi").values() for pair in pairs for pin in pair}
    assert used <= shown("pi")


@pytest.mark.parametrize(
    ("name", "pins"), [("rank", PINS.rows), ("file", PINS.columns)], ids=["ranks", "files"]
)
def test_the_page_has_the_same_table(name: str, pins: tuple[int, ...]) -> None:
    page = (FOLDER / "pi.md").read_text()
    (line,) = (line for line in page.splitlines() if line.startswith(f"| {name} "))
    pairs = [tuple(map(int, pair)) for pair in re.findall(r"(\d+) \((\d+)\)", line)]
    assert pairs == [(pin, HEADER[pin]) for pin in pins]


def test_rings_follow_each_other_along_the_rim_of_a_disk() -> None:
    names = [format_square(square) for square in ORDERS["rings"]]
    assert names[9:11] == ["j1", "a10"]
    assert names[19:21] == ["j10", "a2"]
    assert names[-1] == "j6"
