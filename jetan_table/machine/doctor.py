"""Judges a machine as the home of a table: one finding a check, each with its mend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from hardware.gpio import gpio_trouble
from hardware.pin_board import LATE_S
from hardware.pin_map import I2C_PINS
from rules.sentences import Translate, Worded, _, value_in_words

from ..settings import Settings
from .machine import Machine

Verdict = Literal["pass", "warn", "fail"]

LEAST_PYTHON = (3, 11)
LITTLE_ROOM, NO_ROOM = 500_000_000, 20_000_000
"""Bytes free: an evening's journal is about a megabyte, but a full disk stops the game."""

CERTAINLY_PAST = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""A clock that shows an earlier time is wrong: this program is younger."""

LOW_VOLTAGE_NOW, LOW_VOLTAGE_SEEN = 0x1, 0x10000
"""Bits of `vcgencmd get_throttled`."""

SPI_LINE = "dtoverlay=spi0-0cs,no_miso"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check has found, and what to do about it where it did not pass."""

    check: str
    verdict: Verdict
    found: str
    mend: str = ""

    def in_words(self, translate: Translate) -> Finding:
        """Return the same, found and mend in one language."""
        found, mend = (str(value_in_words(translate, text)) for text in (self.found, self.mend))
        return replace(self, found=found, mend=mend)


def examine(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Yield a finding for every check; what `settings` do not use can warn at most."""
    board = settings.table.board
    yield _python(machine)
    yield _names(machine)
    yield _groups(machine, board)
    yield _serial(machine, settings)
    yield _gpio(machine, board)
    yield _spi(machine, settings)
    yield _i2c(machine, settings)
    yield _camera(machine)
    yield _opencv(machine)
    yield _disk(machine)
    yield _clock(machine)
    yield _supply(machine)
    yield _pace(machine, board)
    yield _speech(machine, settings)


def _python(machine: Machine) -> Finding:
    found = Worded(
        _("Python {python}, {bits} bits"),
        python=".".join(map(str, machine.python)),
        bits=machine.bits,
    )
    if machine.bits != 64:
        mend = _("install the 64-bit Raspberry Pi OS (or another 64-bit Linux)")
        return Finding("python", "fail", found, mend)
    if machine.python[:2] < LEAST_PYTHON:
        return Finding(
            "python", "fail", found, _("needs 3.11 or newer: upgrade to Debian 12 or later")
        )
    return Finding("python", "pass", found)


def _names(machine: Machine) -> Finding:
    if not machine.namesakes:
        return Finding("names", "pass", _("no other package is called rules, hardware or vision"))
    names = " ".join(machine.namesakes)
    return Finding(
        "names",
        "fail",
        Worded(_("{names}: brings packages named as ours"), names=names),
        Worded(_("pip uninstall {names}"), names=names),
    )


def _groups(machine: Machine, board: str) -> Finding:
    needed = {"pins": {"gpio", "spi"}, "serial": {"dialout"}}.get(board, set())
    missing = [name for name, is_in in machine.groups.items() if not is_in]
    if not machine.groups:
        return Finding("groups", "pass", _("this system has none for its parts"))
    if not missing:
        return Finding(
            "groups",
            "pass",
            Worded(_("{user} is in {groups}"), user=machine.user, groups=", ".join(machine.groups)),
        )
    mend = Worded(
        _("sudo usermod -aG {missing} {user}, then log in anew"),
        missing=",".join(missing),
        user=machine.user,
    )
    verdict: Verdict = "fail" if needed.intersection(missing) else "warn"
    return Finding(
        "groups",
        verdict,
        Worded(_("{user} is not in {missing}"), user=machine.user, missing=", ".join(missing)),
        mend,
    )


def _serial(machine: Machine, settings: Settings) -> Finding:
    if machine.serial_ports:
        return Finding("serial", "pass", ", ".join(machine.serial_ports))
    if settings.table.board != "serial":
        return Finding("serial", "pass", _("no board on a cable, and none is asked for"))
    if settings.serial.port != "auto":
        return Finding(
            "serial", "pass", Worded(_("{port}, by the settings"), port=settings.serial.port)
        )
    mend = _("plug the board in; a cable that only charges has no data wires")
    return Finding("serial", "fail", _("no serial port"), mend)


def _gpio(machine: Machine, board: str) -> Finding:
    trouble = gpio_trouble(machine.gpio, machine.model)
    if trouble is None:
        used = machine.gpio[0]
        return Finding(
            "gpio",
            "pass",
            Worded(_("RPi.GPIO comes from {name} {version}"), name=used.name, version=used.version),
        )
    found, mend = trouble
    if board == "pins":
        return Finding("gpio", "fail", found, mend)
    if machine.gpio:
        return Finding("gpio", "warn", found, mend)
    return Finding("gpio", "pass", Worded(_("{found}, and no board is on the pins"), found=found))


def _spi(machine: Machine, settings: Settings) -> Finding:
    if settings.table.board != "pins":
        return Finding("spi", "pass", ", ".join(machine.spi) or _("off, and no lamps need it"))
    if settings.pins.spi in machine.spi:
        return Finding("spi", "pass", settings.pins.spi)
    mend = Worded(_("add {spi_line} to /boot/firmware/config.txt, and restart"), spi_line=SPI_LINE)
    return Finding("spi", "fail", Worded(_("{spi} is not there"), spi=settings.pins.spi), mend)


def _i2c(machine: Machine, settings: Settings) -> Finding:
    """I2C holds two pins that the table gives to its buttons."""
    users = settings.pins.pin_map().users()
    taken = [
        Worded(_("GPIO {pin} ({user})"), pin=pin, user=user)
        for user, pin in users
        if pin in I2C_PINS
    ]
    if not machine.has_i2c:
        return Finding("i2c", "pass", _("off"))
    if settings.table.board != "pins" or not taken:
        return Finding("i2c", "pass", _("on, and the table needs none of its pins"))
    mend = _("sudo raspi-config nonint do_i2c 1, and restart; or choose other pins in [pins]")
    held = taken[0]
    for other in taken[1:]:
        held = Worded(_("{one} and {other}"), one=held, other=other)
    return Finding("i2c", "fail", Worded(_("on, and holds {taken}"), taken=held), mend)


def _camera(machine: Machine) -> Finding:
    return Finding("camera", "pass", ", ".join(machine.cameras) or _("none, and none is asked for"))


def _opencv(machine: Machine) -> Finding:
    found = ", ".join(f"{name} {version}" for name, version in machine.opencv.items())
    if len(machine.opencv) < 2:
        return Finding("opencv", "pass", found or _("not here, and no camera needs it"))
    names = " ".join(machine.opencv)
    mend = Worded(_("pip uninstall {names}, then pip install one of them"), names=names)
    return Finding("opencv", "fail", Worded(_("{found} overwrite each other"), found=found), mend)


def _disk(machine: Machine) -> Finding:
    if machine.free is None:
        mend = Worded(
            _("sudo chown -R {user} {data}, or use another --data folder"),
            user=machine.user,
            data=machine.data,
        )
        return Finding(
            "disk", "fail", Worded(_("{data} cannot be written"), data=machine.data), mend
        )
    found = Worded(
        _("{free:.0f} MB free for games in {data}"),
        free=machine.free / 1e6,
        data=machine.data,
    )
    if machine.free >= LITTLE_ROOM:
        return Finding("disk", "pass", found)
    verdict: Verdict = "warn" if machine.free >= NO_ROOM else "fail"
    return Finding(
        "disk", verdict, found, _("make room: sudo apt-get clean, or use another --data folder")
    )


def _clock(machine: Machine) -> Finding:
    shown = datetime.fromtimestamp(machine.now, UTC)
    found = Worded(_("{time} UTC"), time=f"{shown:%Y-%m-%d %H:%M}")
    if machine.now < CERTAINLY_PAST:
        mend = _("sudo timedatectl set-ntp true, and connect to a network")
        return Finding("clock", "fail", Worded(_("{found} is long past"), found=found), mend)
    if machine.model is not None and not machine.is_synchronized:
        mend = _("sudo timedatectl set-ntp true; a Pi keeps no time while it is off")
        return Finding(
            "clock", "warn", Worded(_("{found}, set by nobody since the start"), found=found), mend
        )
    return Finding("clock", "pass", found)


def _supply(machine: Machine) -> Finding:
    mend = _("use the Pi's own supply, and give the lamps 5 V of their own")
    if machine.throttled is None:
        return Finding("supply", "pass", _("nothing here measures it"))
    if machine.throttled & LOW_VOLTAGE_NOW:
        return Finding("supply", "fail", _("under-voltage now"), mend)
    if machine.throttled & LOW_VOLTAGE_SEEN:
        return Finding("supply", "warn", _("there was under-voltage since the start"), mend)
    return Finding("supply", "pass", _("no under-voltage since the start"))


def _pace(machine: Machine, board: str) -> Finding:
    late_ms = 1000 * machine.late_s
    if machine.late_s <= LATE_S:
        found = Worded(_("woken in time, at worst {ms:.0f} ms late"), ms=late_ms)
        return Finding("pace", "pass", found)
    found = Worded(_("too busy: woken up to {ms:.0f} ms late"), ms=late_ms)
    mend = _("end other programs: the table answers late")
    if board == "pins":
        mend = _("end other programs, or take a board on a cable: quick hands may be missed")
    return Finding("pace", "warn", found, mend)


def _speech(machine: Machine, settings: Settings) -> Finding:
    if machine.can_speak and machine.has_sound:
        return Finding("speech", "pass", _("espeak-ng and a sound card are here"))
    found, mend = (
        _("espeak-ng is not here: the table cannot speak"),
        _("sudo apt-get install espeak-ng"),
    )
    if machine.can_speak:
        found = _("espeak-ng is here, but no sound card")
        mend = _("plug a sound card or a speaker in; a Pi 5 has no jack of its own")
    if not settings.sound.speak:
        return Finding("speech", "pass", found)
    return Finding("speech", "warn", found, mend)
