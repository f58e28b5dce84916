"""Judges a machine as the home of a table: one finding a check, each with its mend."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, TypeAlias

from hardware.pin_board import LATE_S
from hardware.pins import I2C_PINS, gpio_trouble
from rules.sentences import Worded, _

from ...machine.machine import Machine
from ...notices import Notice, Verdict
from ...settings import Settings

LEAST_PYTHON = (3, 11)
LITTLE_ROOM, NO_ROOM = 500_000_000, 20_000_000
"""Bytes free: an evening's journal is about a megabyte, but a full disk stops the game."""

CERTAINLY_PAST = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""A clock that shows an earlier time is wrong: this program is younger."""

LOW_VOLTAGE_NOW, LOW_VOLTAGE_SEEN = 0x1, 0x10000
"""Bits of `vcgencmd get_throttled`."""

Judged: TypeAlias = tuple[Verdict, str] | tuple[Verdict, str, str]
"""A verdict, what was found, and its mend where it did not pass."""

SPI_LINE = "dtoverlay=spi0-0cs,no_miso"


def examine(machine: Machine, settings: Settings) -> Iterator[Notice]:
    """Yield a finding for every check; what `settings` do not use can warn at most."""
    for check, judge in EXAMINED.items():
        yield Notice(check, *judge(machine, settings))


def _python(machine: Machine, settings: Settings) -> Judged:
    found = Worded(
        _("Python {python}, {bits} bits"),
        python=".".join(map(str, machine.python)),
        bits=machine.bits,
    )
    if machine.bits != 64:
        mend = _("install the 64-bit Raspberry Pi OS (or another 64-bit Linux)")
        return "fail", found, mend
    if machine.python[:2] < LEAST_PYTHON:
        return "fail", found, _("needs 3.11 or newer: upgrade to Debian 12 or later")
    return "pass", found


def _names(machine: Machine, settings: Settings) -> Judged:
    if not machine.namesakes:
        return "pass", _("no other package is called rules, hardware or vision")
    names = " ".join(machine.namesakes)
    return (
        "fail",
        Worded(_("{names}: brings packages named as ours"), names=names),
        Worded(_("pip uninstall {names}"), names=names),
    )


def _groups(machine: Machine, settings: Settings) -> Judged:
    board = settings.table.board
    needed = {"pins": {"gpio", "spi"}, "serial": {"dialout"}}.get(board, set())
    missing = [name for name, is_in in machine.groups.items() if not is_in]
    if not machine.groups:
        return "pass", _("this system has none for its parts")
    if not missing:
        return "pass", Worded(
            _("{user} is in {groups}"), user=machine.user, groups=", ".join(machine.groups)
        )
    mend = Worded(
        _("sudo usermod -aG {missing} {user}, then log in anew"),
        missing=",".join(missing),
        user=machine.user,
    )
    verdict: Verdict = "fail" if needed.intersection(missing) else "warn"
    return (
        verdict,
        Worded(_("{user} is not in {missing}"), user=machine.user, missing=", ".join(missing)),
        mend,
    )


def _serial(machine: Machine, settings: Settings) -> Judged:
    if machine.serial_ports:
        return "pass", ", ".join(machine.serial_ports)
    if settings.table.board != "serial":
        return "pass", _("no board on a cable, and none is asked for")
    if settings.serial.port != "auto":
        return "pass", Worded(_("{port}, by the settings"), port=settings.serial.port)
    mend = _("plug the board in; a cable that only charges has no data wires")
    return "fail", _("no serial port"), mend


def _gpio(machine: Machine, settings: Settings) -> Judged:
    board = settings.table.board
    trouble = gpio_trouble(machine.gpio, machine.model)
    if trouble is None:
        used = machine.gpio[0]
        return "pass", Worded(
            _("RPi.GPIO comes from {name} {version}"), name=used.name, version=used.version
        )
    found, mend = trouble
    if board == "pins":
        return "fail", found, mend
    if machine.gpio:
        return "warn", found, mend
    return "pass", Worded(_("{found}, and no board is on the pins"), found=found)


def _spi(machine: Machine, settings: Settings) -> Judged:
    if settings.table.board != "pins":
        return "pass", ", ".join(machine.spi) or _("off, and no lamps need it")
    if settings.pins.spi in machine.spi:
        return "pass", settings.pins.spi
    mend = Worded(_("add {spi_line} to /boot/firmware/config.txt, and restart"), spi_line=SPI_LINE)
    return "fail", Worded(_("{spi} is not there"), spi=settings.pins.spi), mend


def _i2c(machine: Machine, settings: Settings) -> Judged:
    """I2C holds two pins that the table gives to its buttons."""
    users = settings.pins.pin_map().users()
    taken = [
        Worded(_("GPIO {pin} ({user})"), pin=pin, user=user)
        for user, pin in users
        if pin in I2C_PINS
    ]
    if not machine.has_i2c:
        return "pass", _("off")
    if settings.table.board != "pins" or not taken:
        return "pass", _("on, and the table needs none of its pins")
    mend = _("sudo raspi-config nonint do_i2c 1, and restart; or choose other pins in [pins]")
    held = taken[0]
    for other in taken[1:]:
        held = Worded(_("{one} and {other}"), one=held, other=other)
    return "fail", Worded(_("on, and holds {taken}"), taken=held), mend


def _camera(machine: Machine, settings: Settings) -> Judged:
    return "pass", ", ".join(machine.cameras) or _("none, and none is asked for")


def _opencv(machine: Machine, settings: Settings) -> Judged:
    found = ", ".join(f"{name} {version}" for name, version in machine.opencv.items())
    if len(machine.opencv) < 2:
        return "pass", found or _("not here, and no camera needs it")
    names = " ".join(machine.opencv)
    mend = Worded(_("pip uninstall {names}, then pip install one of them"), names=names)
    return "fail", Worded(_("{found} overwrite each other"), found=found), mend


def _disk(machine: Machine, settings: Settings) -> Judged:
    if machine.free is None:
        mend = Worded(
            _("sudo chown -R {user} {data}, or use another --data folder"),
            user=machine.user,
            data=machine.data,
        )
        return "fail", Worded(_("{data} cannot be written"), data=machine.data), mend
    found = Worded(
        _("{free:.0f} MB free for games in {data}"), free=machine.free / 1e6, data=machine.data
    )
    if machine.free >= LITTLE_ROOM:
        return "pass", found
    verdict: Verdict = "warn" if machine.free >= NO_ROOM else "fail"
    return verdict, found, _("make room: sudo apt-get clean, or use another --data folder")


def _clock(machine: Machine, settings: Settings) -> Judged:
    shown = datetime.fromtimestamp(machine.now, UTC)
    found = Worded(_("{time} UTC"), time=f"{shown:%Y-%m-%d %H:%M}")
    if machine.now < CERTAINLY_PAST:
        mend = _("sudo timedatectl set-ntp true, and connect to a network")
        return "fail", Worded(_("{found} is long past"), found=found), mend
    if machine.model is not None and not machine.is_synchronized:
        mend = _("sudo timedatectl set-ntp true; a Pi keeps no time while it is off")
        return "warn", Worded(_("{found}, set by nobody since the start"), found=found), mend
    return "pass", found


def _supply(machine: Machine, settings: Settings) -> Judged:
    mend = _("use the Pi's own supply, and give the lamps 5 V of their own")
    if machine.throttled is None:
        return "pass", _("nothing here measures it")
    if machine.throttled & LOW_VOLTAGE_NOW:
        return "fail", _("under-voltage now"), mend
    if machine.throttled & LOW_VOLTAGE_SEEN:
        return "warn", _("there was under-voltage since the start"), mend
    return "pass", _("no under-voltage since the start")


def _pace(machine: Machine, settings: Settings) -> Judged:
    board = settings.table.board
    late_ms = 1000 * machine.late_s
    if machine.late_s <= LATE_S:
        found = Worded(_("woken in time, at worst {ms:.0f} ms late"), ms=late_ms)
        return "pass", found
    found = Worded(_("too busy: woken up to {ms:.0f} ms late"), ms=late_ms)
    mend = _("end other programs")
    if board == "pins":
        mend = _("end other programs, or take a board on a cable: quick hands may be missed")
    return "warn", found, mend


def _speech(machine: Machine, settings: Settings) -> Judged:
    if machine.can_speak and machine.has_sound:
        return "pass", _("espeak-ng and a sound card are here")
    found, mend = (
        _("espeak-ng is not here: the table cannot speak"),
        _("sudo apt-get install espeak-ng"),
    )
    if machine.can_speak:
        found = _("espeak-ng is here, but no sound card")
        mend = _("plug a sound card or a speaker in; a Pi 5 has no jack of its own")
    if not settings.sound.speak:
        return "pass", found
    return "warn", found, mend


EXAMINED: Final[Mapping[str, Callable[[Machine, Settings], Judged]]] = {
    "python": _python,
    "names": _names,
    "groups": _groups,
    "serial": _serial,
    "gpio": _gpio,
    "spi": _spi,
    "i2c": _i2c,
    "camera": _camera,
    "opencv": _opencv,
    "disk": _disk,
    "clock": _clock,
    "supply": _supply,
    "pace": _pace,
    "speech": _speech,
}
"""What judges a machine, by the name of the check, in the order in which they are told."""
