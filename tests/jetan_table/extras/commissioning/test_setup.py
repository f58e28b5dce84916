"""Set-up keeps what it is told, refuses what cannot be, and writes the settings in the end."""

import json
import re
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import cv2
import pytest

from jetan_table.boards import camera
from jetan_table.extras.commissioning.setup import PRACTICE_SEED, SET_UP_KEPT_IN, SetUp
from jetan_table.extras.commissioning.simulated import drawn_wiring
from jetan_table.extras.commissioning.walk import NAMED_ORDERS, CommissioningRefused
from jetan_table.reading.readings import occupants_of
from jetan_table.settings import BadSettings, read_settings
from jetan_table.table.loop import WallClock
from rules import Position, parse_rules, parse_square
from tests.needs import EMULATOR
from vision.geometry import layout_of
from vision.painted import Stage, corner_markers

ASKING = re.compile(r"\d+\. ")
NOTHING_S = 1.0
"""So long after a tap nothing has come of it."""


def begun(folder: Path, kind: str | None = None, speed: float = 1.0) -> SetUp:
    """Begin a set-up, or go on with one; of that sort of table, where one is named."""
    clock = lambda: WallClock(speed)  # noqa: E731
    set_up = SetUp(folder, folder / "table.toml", clock)
    if kind is not None:
        set_up.go("kind")
        set_up.answer(kind=kind)
    return set_up


def until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_what_is_told_is_there_after_a_cut(tmp_path: Path) -> None:
    set_up = begun(tmp_path)
    assert not set_up.is_begun
    set_up.answer({"table": {"language": "de"}})
    set_up.answer(kind="serial")
    set_up.answer({"serial": {"port": "/dev/ttyACM7"}})
    again = begun(tmp_path)
    assert again.is_begun
    document = again.document()
    assert document["step"] == "wire"
    assert (document["kind"], document["settings"]["port"]) == ("serial", "/dev/ttyACM7")
    again.finish()
    settings = read_settings(tmp_path / "table.toml")
    assert (settings.table.board, settings.table.language) == ("serial", "de")
    assert settings.serial.port == "/dev/ttyACM7"
    assert again.is_finished
    assert not (tmp_path / SET_UP_KEPT_IN).exists()


def test_a_file_that_was_there_keeps_what_set_up_does_not_ask_for(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("# mine\n[reed]\nscan_hz = 250\n")
    set_up = begun(tmp_path)
    set_up.answer({"table": {"clock": "10+5"}})
    set_up.finish()
    assert "# mine" in (tmp_path / "table.toml").read_text()
    settings = read_settings(tmp_path / "table.toml")
    assert (settings.reed.scan_hz, settings.table.clock) == (250, "10+5")


@pytest.mark.parametrize(
    ("options", "more", "error"),
    [
        ({"table": {"clock": "soon"}}, {}, BadSettings),
        ({"lamps": {"brightness": 7}}, {}, BadSettings),
        ({"hall": {"table": "Not A Name"}}, {}, CommissioningRefused),
        ({"hall": {"table": "-alpha"}}, {}, CommissioningRefused),
        ({"hall": {"password": "/etc/passwd"}}, {}, CommissioningRefused),
        ({}, {"kind": "chess"}, CommissioningRefused),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    tmp_path: Path,
    options: dict[str, dict[str, object]],
    more: dict[str, str],
    error: type[Exception],
) -> None:
    set_up = begun(tmp_path)
    before = set_up.document()
    with pytest.raises(error):
        set_up.answer(options, **more)
    assert set_up.document() == before
    assert not (tmp_path / SET_UP_KEPT_IN).exists()


def test_steps_are_those_of_the_table(tmp_path: Path) -> None:
    set_up = begun(tmp_path)
    assert "wire" not in set_up.document()["steps"]
    with pytest.raises(CommissioningRefused, match="no wires"):
        set_up.walk()
    with pytest.raises(CommissioningRefused, match="no such step"):
        set_up.go("wire")
    set_up.answer()
    set_up.answer(kind="practice")
    assert set_up.document()["step"] == "wire"


def test_a_board_that_is_not_there_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    set_up = begun(tmp_path, "serial")
    set_up.answer({"serial": {"port": str(tmp_path / "nothing")}})
    set_up.walk()
    until(lambda: "plug in" in (set_up.document()["walk"]["trouble"] or ""))
    set_up.leave()
    assert begun(tmp_path).document()["step"] == "wire"


@pytest.mark.parts
@pytest.mark.needs(*EMULATOR)
def test_an_emulated_board_is_never_said_to_lack_a_cable(tmp_path: Path) -> None:
    set_up = begun(tmp_path, "emulated")
    set_up.walk()
    assert set_up.document()["walk"]["trouble"] is None
    set_up.nothing()
    until(lambda: set_up.document()["walk"]["wanted"] is not None)
    assert set_up.document()["walk"]["trouble"] is None
    set_up.leave()


@pytest.mark.usefixtures("_looked_at_once")
def test_a_camera_is_judged_over_the_board_that_the_table_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(camera, "first_place", cache(camera.first_place))
    rules = parse_rules("ninth-ray-clockwise")
    layout = layout_of(rules.board)
    cards = corner_markers(layout, gap=-0.6)
    picture = Stage(layout, 75.0).paint(occupants_of(Position.start(rules)), 1, markers=cards)
    cv2.imwrite(str(tmp_path / "disk.png"), picture)
    quads = {number: (quad - 5).tolist() for number, quad in cards.items()}
    (tmp_path / "markers.json").write_text(json.dumps({"fiducials": {"board_cm": quads}}))
    set_up = begun(tmp_path, "camera")
    more = {"table": {"rules": "ninth-ray-clockwise"}}
    set_up.answer(
        {"camera": {"source": str(tmp_path / "disk.png"), "markers": "nothing.json"}, **more}
    )
    set_up.finish()
    assert "nothing.json" in set_up.document()["trouble"]
    set_up.answer({"camera": {"markers": "markers.json"}})
    set_up.go("find")
    set_up.examine()
    found = {each["check"]: each for each in set_up.document()["found"]}
    assert found["board"]["found"].startswith("found by its markers")
    assert found["pieces"]["verdict"] == "pass"
    assert "jetan build evening --way paper" in found["print"]["found"]
    assert set_up.picture().startswith(b"\xff\xd8")
    set_up.finish()
    settings = read_settings(tmp_path / "table.toml")
    assert settings.camera.markers == str(tmp_path / "markers.json")
    assert settings.table.rules == "ninth-ray-clockwise"


@pytest.mark.usefixtures("_looked_at_once")
def test_pins_that_are_not_there_are_said(tmp_path: Path) -> None:
    set_up = begun(tmp_path, "pins")
    set_up.examine()
    assert any(found["mend"] for found in set_up.document()["found"])
    set_up.walk()
    document = set_up.document()
    assert "gpio" in document["trouble"].lower()
    assert document["walk"] is None


def test_a_walk_that_is_left_goes_on_where_it_was(tmp_path: Path) -> None:
    set_up = begun(tmp_path, "practice")
    set_up.walk()
    until(lambda: bool(set_up.document()["walk"]["lines"]))
    set_up.nothing()
    until(lambda: set_up.document()["walk"]["wanted"] is not None)
    first = set_up.document()["walk"]["wanted"]
    set_up.tap(first)
    until(lambda: set_up.document()["walk"]["count"] == 1)
    set_up.leave()
    again = begun(tmp_path)
    again.walk()
    until(lambda: again.document()["walk"]["wanted"] not in (None, first))
    assert again.document()["walk"]["count"] == 1
    again.again()
    until(lambda: again.document()["walk"]["lines"] != [])
    assert again.document()["walk"]["count"] == 0
    again.leave()


class HaltingClock(WallClock):
    """A machine that does other things between any two looks."""

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self._started += 1.5


def test_a_busy_machine_misses_no_tap(tmp_path: Path) -> None:
    set_up = SetUp(tmp_path, tmp_path / "table.toml", HaltingClock)
    set_up.go("kind")
    set_up.answer(kind="practice")
    set_up.walk()
    until(lambda: bool(set_up.document()["walk"]["lines"]))
    set_up.nothing()
    for count in range(1, 4):
        until(lambda: f" {count}. " in " ".join(set_up.document()["walk"]["lines"]))  # noqa: B023
        set_up.tap(set_up.document()["walk"]["wanted"])
    until(lambda: set_up.document()["walk"]["wanted"] == "d3")
    assert set_up.document()["walk"]["count"] == 3
    set_up.leave()


@pytest.mark.ci
def test_every_square_is_asked_for_after_a_walk_and_after_a_cut(tmp_path: Path) -> None:
    set_up = begun(tmp_path, "practice", speed=8)
    set_up.walk()
    walk_on(set_up, lambda: bool(set_up.document()["marks"]))
    assert set_up.document()["marks"].count("o") < 50
    set_up.every()
    walk_on(set_up, lambda: set_up.document()["walk"]["lamp"] == 5)
    set_up.leave()
    again = begun(tmp_path, speed=8)
    again.walk()
    walk_on(again, lambda: bool(again.document()["marks"]))
    marks = again.document()["marks"]
    assert ("." in marks, marks.count("o") > 90) == (False, True)


def walk_on(set_up: SetUp, is_enough: Callable[[], bool]) -> None:
    """Put pieces where the walk along a practice board wants them, until it `is_enough`."""
    ends = time.monotonic() + 300
    asked: tuple[object, ...] = ()
    since = time.monotonic()
    while not is_enough():
        assert time.monotonic() < ends
        walk = set_up.document()["walk"]
        at, last = walk["wanted"] or walk["lit"], "".join(walk["lines"][-1:])
        now = walk["count"], walk["lamp"], len(walk["lines"])
        if at is not None and now != asked and ASKING.match(last):
            asked, since = now, time.monotonic()
            set_up.tap(at)
        elif "then press Enter" in last or time.monotonic() > since + NOTHING_S:
            since = time.monotonic()
            set_up.nothing()
        time.sleep(0.01)


def test_an_order_of_lamps_is_chosen_and_seen(tmp_path: Path) -> None:
    set_up = begun(tmp_path, "practice")
    set_up.go("lamps")
    with pytest.raises(CommissioningRefused, match="no such order"):
        set_up.order("zigzag", "a1", "ranks")
    at = parse_square("c4")
    true = drawn_wiring(Random(PRACTICE_SEED)).lamp_of
    right = next(name for name, order in NAMED_ORDERS.items() if order.index(at) == true[at])
    set_up.order(*right)
    set_up.shine("c4")
    lamps = set_up.document()["lamps"]
    assert (lamps["name"], lamps["lit"]) == (right, "c4")
    assert lamps["squares"].index("c4") == true[at]
    wrong = next(name for name, order in NAMED_ORDERS.items() if order.index(at) != true[at])
    set_up.order(*wrong)
    set_up.shine("c4")
    assert set_up.document()["lamps"]["lit"] != "c4"


@pytest.mark.usefixtures("_looked_at_once")
def test_the_last_step_looks_at_the_whole_machine(tmp_path: Path) -> None:
    set_up = begun(tmp_path)
    set_up.go("done")
    set_up.examine()
    checks = {found["check"] for found in set_up.document()["found"]}
    assert {"python", "disk", "clock"} <= checks


def test_notes_that_cannot_be_read_are_asked_anew(tmp_path: Path) -> None:
    (tmp_path / SET_UP_KEPT_IN).write_text("{")
    assert begun(tmp_path).document()["step"] == "language"


def test_the_wiring_of_one_board_is_no_setting_of_another(tmp_path: Path) -> None:
    folded = ["a1", *[f"{file}{rank}" for rank in range(10, 0, -1) for file in "jihgfedcba"][:-1]]
    progress = {"kind": "practice", "options": {"reed": {"order": folded}}, "marks": "o" * 100}
    (tmp_path / SET_UP_KEPT_IN).write_text(json.dumps(progress))
    set_up = begun(tmp_path)
    set_up.answer(kind="serial")
    assert set_up.document()["marks"] == ""
    set_up.finish()
    assert read_settings(tmp_path / "table.toml").reed.order == "rows"


def test_a_table_that_could_not_begin_is_not_written(tmp_path: Path) -> None:
    set_up = begun(tmp_path, "pins")
    set_up.finish()
    document = set_up.document()
    assert "gpio" in document["trouble"].lower()
    assert not document["is_finished"]
    assert not (tmp_path / "table.toml").exists()


def test_settings_that_are_there_already_are_those_it_begins_from(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[lamps]\nlimit_ma = 900\n")
    assert begun(tmp_path).document()["settings"]["limit_ma"] == 900
