"""The doctor's findings on machines of every kind, its look at this one, and `jetan doctor`."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.pins import CLASSIC, GPIOD, NEWER, GpioLibrary
from hardware.ports import SwitchCounts
from jetan_table.cli.options import EXIT_PROBLEM
from jetan_table.extras.commissioning.doctor import examine
from jetan_table.extras.commissioning.machine import Machine, look_around
from jetan_table.journal.file_format import JOURNAL_NAME
from jetan_table.settings import Settings, parse_settings
from jetan_table.table.switches import KEPT_IN, keep_switches
from rules import Notice, parse_square
from tests.jetan_table.cli.in_process import run

looked_at_once = pytest.mark.usefixtures("_looked_at_once")


def findings(home: Path, *more: str | Path) -> dict[str, tuple[str, str]]:
    """What is found, whatever of it is this machine's."""
    ended = run(home, "doctor", "--json", "--data", home, *more)
    rows = list(map(json.loads, ended.stdout.splitlines()))
    return {row["check"]: (row["verdict"], row["found"]) for row in rows}


@looked_at_once
def test_every_check_is_a_line(tmp_path: Path) -> None:
    checks = list(findings(tmp_path))
    lines = run(tmp_path, "doctor", "--data", tmp_path).stdout.splitlines()
    assert [line.split()[1] for line in lines] == checks
    assert {line.split()[0] for line in lines} <= {"pass", "warn", "fail"}


@looked_at_once
def test_a_settings_file_that_cannot_be_used_is_a_finding(tmp_path: Path) -> None:
    wrong = tmp_path / "table.toml"
    wrong.write_text("[lamp]\n")
    checks = findings(tmp_path, "--config", wrong)
    assert checks["settings"][0] == "fail"
    assert "did you mean lamps?" in checks["settings"][1]
    assert "python" in checks
    assert run(tmp_path, "doctor", "--config", wrong).returncode == EXIT_PROBLEM


@looked_at_once
def test_a_switch_that_often_misses_is_a_finding(tmp_path: Path) -> None:
    assert "switches" not in findings(tmp_path)
    keep_switches(tmp_path, {parse_square("e5"): SwitchCounts(40)})
    assert findings(tmp_path)["switches"][0] == "pass"
    keep_switches(tmp_path, {parse_square("d4"): SwitchCounts(41, 3)})
    found = findings(tmp_path)["switches"]
    assert found == ("warn", "switch d4 missed 3 of 41 pieces")
    (tmp_path / KEPT_IN).write_text("{")
    assert findings(tmp_path)["switches"][0] == "warn"


@looked_at_once
def test_a_damaged_journal_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_NAME).write_text("no journal at all, but long enough to look like a file")
    assert findings(tmp_path)["journal"][0] == "fail"


HERE = Path("here")
NOW = 1_800_000_000.0
PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
FIT = Machine(
    python=(3, 13, 1),
    bits=64,
    model=PI_5,
    user="dejah",
    groups={"gpio": True, "spi": True, "dialout": True, "video": True},
    serial_ports=("/dev/serial/by-id/usb-Arduino_Mega",),
    cameras=("/dev/video0",),
    spi=("/dev/spidev0.0",),
    has_i2c=False,
    gpio=(GpioLibrary(NEWER, "0.6", HERE),),
    opencv={"opencv-python": "5.0"},
    namesakes=(),
    data=HERE,
    free=10**10,
    now=NOW,
    is_synchronized=True,
    throttled=0,
    can_speak=True,
    has_sound=True,
    late_s=0.002,
)
BARE = replace(
    FIT, model=None, groups={}, serial_ports=(), cameras=(), spi=(), gpio=(), opencv={},
    is_synchronized=False, throttled=None, can_speak=False, has_sound=False,
)  # fmt: skip
ON_PINS = parse_settings('[table]\nboard = "pins"')
ON_A_CABLE = parse_settings('[table]\nboard = "serial"')


class LateClock:
    """The clock of a machine that lets everybody sleep too long by 4 ms."""

    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds + 0.004


def test_the_library_that_reaches_the_pins_is_named() -> None:
    both = replace(FIT, gpio=(GpioLibrary(GPIOD, "2.5.0", HERE), *FIT.gpio))
    for machine, words in ((both, "gpiod 2.5.0"), (FIT, "rpi-lgpio 0.6")):
        (finding,) = (each for each in examine(machine, ON_PINS) if each.check == "gpio")
        assert (finding.verdict, str(finding.found)) == ("pass", f"pins are reached by {words}")


def amiss(machine: Machine, settings: Settings) -> list[Notice]:
    return [finding for finding in examine(machine, settings) if finding.verdict != "pass"]


@pytest.mark.parametrize(
    ("settings", "suffers"),
    [(ON_PINS, "quick hands may be missed"), (ON_A_CABLE, "end other programs")],
)
def test_a_machine_that_wakes_the_table_late_is_said_to_be_busy(
    settings: Settings, suffers: str
) -> None:
    (finding,) = amiss(replace(FIT, late_s=0.12), settings)
    assert (finding.check, finding.verdict) == ("pace", "warn")
    assert "120 ms late" in str(finding.found)
    assert suffers in finding.mend


@pytest.mark.parametrize("settings", [Settings(), ON_PINS, ON_A_CABLE])
def test_a_fit_machine_passes_every_check(settings: Settings) -> None:
    assert amiss(FIT, settings) == []


def test_i2c_may_be_on_where_its_pins_are_free() -> None:
    no_buttons = parse_settings('[table]\nboard = "pins"\n[pins]\ndie_button=0\nmenu_button=0')
    assert amiss(replace(FIT, has_i2c=True), no_buttons) == []
    assert amiss(replace(FIT, has_i2c=True), ON_A_CABLE) == []


def test_a_simulated_table_needs_no_parts() -> None:
    assert amiss(BARE, Settings()) == []


def test_what_the_settings_ask_for_fails_where_it_is_missing() -> None:
    assert [(f.check, f.verdict) for f in amiss(BARE, ON_PINS)] == [
        ("gpio", "fail"),
        ("spi", "fail"),
    ]
    assert [(f.check, f.verdict) for f in amiss(BARE, ON_A_CABLE)] == [("serial", "fail")]


SUPPLY = "use the Pi's own supply, and give the lamps 5 V of their own"
ROOM = "make room: sudo apt-get clean, or use another --data folder"
OLD_GPIO, NEW_GPIO = GpioLibrary(CLASSIC, "0.7", HERE), *FIT.gpio
TWO_OPENCV = {"opencv-python": "5", "opencv-python-headless": "5"}


@pytest.mark.parametrize(
    ("changes", "settings", "found", "mend"),
    [
        ({"python": (3, 9, 2)}, Settings(), "python fail",
         "needs 3.11 or newer: upgrade to Debian 12 or later"),
        ({"bits": 32}, Settings(), "python fail",
         "install the 64-bit Raspberry Pi OS (or another 64-bit Linux)"),
        ({"namesakes": ("rules",)}, Settings(), "names fail", "pip uninstall rules"),
        ({"groups": {"gpio": False, "spi": True, "video": False}}, ON_PINS, "groups fail",
         "sudo usermod -aG gpio,video dejah, then log in anew"),
        ({"groups": {"gpio": True, "video": False}}, ON_PINS, "groups warn",
         "sudo usermod -aG video dejah, then log in anew"),
        ({"gpio": (OLD_GPIO, NEW_GPIO)}, ON_PINS, "gpio fail",
         f"pip uninstall {CLASSIC} {NEWER}, then pip install {NEWER}"),
        ({"gpio": (OLD_GPIO,)}, Settings(), "gpio warn",
         "sudo apt-get remove python3-rpi.gpio, then sudo apt-get install python3-rpi-lgpio"),
        ({"spi": ("/dev/spidev1.0",)}, ON_PINS, "spi fail",
         "add dtoverlay=spi0-0cs,no_miso to /boot/firmware/config.txt, and restart"),
        ({"has_i2c": True}, ON_PINS, "i2c fail",
         "sudo raspi-config nonint do_i2c 1, and restart; or choose other pins in [pins]"),
        ({"opencv": TWO_OPENCV}, Settings(), "opencv fail",
         "pip uninstall opencv-python opencv-python-headless, then pip install one of them"),
        ({"free": None}, Settings(), "disk fail",
         "sudo chown -R dejah here, or use another --data folder"),
        ({"free": 100_000_000}, Settings(), "disk warn", ROOM),
        ({"free": 1000}, Settings(), "disk fail", ROOM),
        ({"now": 0.0}, Settings(), "clock fail",
         "sudo timedatectl set-ntp true, and connect to a network"),
        ({"is_synchronized": False}, Settings(), "clock warn",
         "sudo timedatectl set-ntp true; a Pi keeps no time while it is off"),
        ({"throttled": 0x50005}, Settings(), "supply fail", SUPPLY),
        ({"throttled": 0x50000}, Settings(), "supply warn", SUPPLY),
    ],
)  # fmt: skip
def test_what_is_amiss_is_named_with_its_mend(
    changes: dict[str, Any], settings: Settings, found: str, mend: str
) -> None:
    (finding,) = amiss(replace(FIT, **changes), settings)
    assert (f"{finding.check} {finding.verdict}", finding.mend) == (found, mend)


def test_a_look_around_tells_what_is_here(tmp_path: Path) -> None:
    machine = look_around(tmp_path / "not" / "there" / "yet", LateClock())
    assert machine.late_s == pytest.approx(0.004, abs=1e-6)
    assert machine.namesakes == ()
    assert machine.free is not None
    assert machine.free > 0
    assert [finding for finding in examine(machine, Settings()) if not finding.found] == []


def test_the_supply_is_asked_of_the_firmware(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "vcgencmd"
    program.write_text('#!/bin/sh\n[ "$1" = get_throttled ] && echo throttled=0x50005\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert look_around(tmp_path, LateClock()).throttled == 0x50005


@pytest.mark.parametrize(
    ("lacks", "found"),
    [
        ("can_speak", "espeak-ng is not here: the table cannot speak"),
        ("has_sound", "espeak-ng is here, but no sound card"),
    ],
)
def test_a_voice_that_is_missing_warns_only_where_it_is_wanted(lacks: str, found: str) -> None:
    changes: dict[str, Any] = {lacks: False}
    machine = replace(FIT, **changes)
    assert amiss(machine, Settings()) == []
    (finding,) = amiss(machine, parse_settings("[sound]\nspeak = true"))
    assert (finding.check, finding.verdict, finding.found) == ("speech", "warn", found)
    assert finding.mend
