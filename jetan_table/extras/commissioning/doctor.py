"""Checks of a machine and a camera, each finding with its mend.

Modules that look at pictures are imported only for a camera: missing OpenCV is a finding, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec.structs import replace

from hardware.pin_board import LATE_S
from hardware.pins import I2C_PINS, gpio_trouble
from hardware.ports import FaultKind
from rules import Notice, Position, SentenceError, Square, Worded, _, format_square
from vision.errors import BoardNotFound, MissingOpenCV, VisionError, require_opencv

from ...boards.opening import with_kept
from ...errors import TableError
from ...game.agreements import named_rules
from ...journal.archive import Archive
from ...languages import worded
from ...light.speech import can_speak
from ...notices import Verdict
from ...settings import CameraSettings, Settings, find_settings, read_settings
from ...table.loop import WallClock
from ...table.switches import poor_switches, read_switches
from ...wiring import damaged_pins
from .. import examine_packages, extras
from .machine import Machine, look_around

if TYPE_CHECKING:
    from vision.camera import BoardCamera
    from vision.showing import Quality
    from vision.sources import Frame

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
            _("pins are reached by {name} {version}"), name=used.name, version=used.version
        )
    found, mend = trouble.found, trouble.mend
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
    if settings.sound.command and can_speak(settings.sound.command):
        return "pass", _("the settings name a program that speaks, and it is here")
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
"""The checks of a machine, by name, in the order in which they are shown."""


CHECK_NAMES: Final = (
    *(_("settings"), _("python"), _("names"), _("groups"), _("serial"), _("gpio"), _("spi")),
    *(_("i2c"), _("camera"), _("opencv"), _("disk"), _("clock"), _("supply"), _("pace")),
    *(_("speech"), _("journal"), _("cameras"), _("board"), _("height"), _("size"), _("focus")),
    *(_("light"), _("markers"), _("pieces"), _("around"), _("switches"), _("update"), _("extras")),
)
"""The names of all checks, as programs read them; people read them in their language."""

SET_ASIDE = ("*.damaged*", "games.lost-*")
"""Patterns of the files that are set aside at a start after damage."""
KEEP = _("delete it once nobody needs it")
MENDS = {".sqlite": _("jetan games salvage brings its whole games back; then delete it")}


def findings_here(data: Path, config: Path | None) -> Iterator[Notice]:
    """Yield what is found of the settings that count here, and of all that they name."""
    settings = Settings()
    try:
        path = find_settings(config, os.environ)
        settings = read_settings(path)
        yield Notice("settings", "pass", str(path) if path else _("no file: the defaults"))
    except (TableError, OSError) as error:
        yield Notice("settings", "fail", worded(error), _("mend the file, or jetan settings show"))
    yield from findings_of(settings, data)
    for each in extras().values():
        yield from each.examine(settings, data)


def findings_of(settings: Settings, data: Path) -> Iterator[Notice]:
    """Yield what is found of this machine by these settings, and of the data folder."""
    yield from examine(look_around(data, WallClock()), settings)
    yield from _switches(data)
    yield from _kept(data)
    yield from examine_packages()


def _kept(data: Path) -> Iterator[Notice]:
    """Yield what is found of the journal, and of the small files beside it."""
    try:
        with closing(Archive.open(data)) as archive:
            games = archive.games()
        for game in games:
            if game.damage is not None:
                mend = _("jetan games salvage brings back what is whole")
                yield Notice("game", "warn", game.damage, mend, str(game.game))
        found = Worded(_("{games} games in {data}"), games=len(games), data=data)
        yield Notice("journal", "pass", found)
    except (TableError, OSError) as error:
        mend = _("restore it from a backup, or move it away: jetan play begins a new one")
        yield Notice("journal", "fail", worded(error), mend)
    yield from damaged_pins(data)
    for pattern in SET_ASIDE:
        for path in sorted(data.glob(pattern)):
            found = Worded(_("{path} was damaged or lost, and is kept"), path=path)
            yield Notice("kept", "warn", found, MENDS.get(path.suffix, KEEP), path.name)


def _switches(data: Path) -> Iterator[Notice]:
    """Yield a finding for each switch that has erred more often than others, on all evenings."""
    known = read_switches(data)
    if known.trouble is not None:
        yield Notice("switches", "warn", known.trouble)
    elif known.counts and not any(poor_switches(known.counts)):
        placed = sum(one.placed for one in known.counts.values())
        found = Worded(_("none errs more than others, by {placed} pieces put down"), placed=placed)
        yield Notice("switches", "pass", found)
    for square, counts, kind in poor_switches(known.counts):
        name = format_square(square)
        if kind is FaultKind.DEAD:
            found = Worded(
                _("switch {square} missed {missed} of {placed} pieces"),
                square=name,
                missed=counts.missed,
                placed=counts.placed,
            )
            mend = _("look at its magnets' depth, and at where the reed's gap lies")
        else:
            found = Worded(
                _("switch {square} was closed {ghosts} times with nobody there"),
                square=name,
                ghosts=counts.ghosts,
            )
            mend = _("look for a magnet or iron beside it; a reed that needs more is steadier")
        yield Notice("switches", "warn", found, mend, name)


# The parts of a sort of table


TableKind: TypeAlias = Literal["screen", "camera", "serial", "pins", "emulated", "practice"]
"""The sort of table: without a board, a board under a camera, on a cable or on the Pi's pins, the
firmware in an emulated chip, or a simulated board with random wiring."""

STANDS_ON: Final[Mapping[TableKind, frozenset[str]]] = {
    "serial": frozenset({"groups", "serial"}),
    "pins": frozenset({"groups", "gpio", "spi", "i2c", "supply", "pace"}),
    "camera": frozenset({"opencv"}),
}
"""The doctor's checks that matter for each sort of table."""

WAY_IN = (
    Notice(
        "stand",
        "pass",
        _(
            "hold the camera firmly above the board, all of it in the picture: 45 to 60 degrees "
            "are enough for flat discs, tall pieces need more"
        ),
    ),
    Notice("mirror", "pass", _("turn the camera's mirroring off; phones call it the selfie view")),
    Notice("lamp", "pass", _("light the board evenly, so that no lamp is mirrored in it")),
    Notice(
        "print",
        "pass",
        _(
            "the surest is a printed board with markers and flat discs: jetan build evening "
            "--way paper, with --board ninth-ray for the round one. Its evening/paper/markers.json "
            "is what is asked for here"
        ),
    ),
)
"""Advice for people before a camera's picture is judged."""


def examine_kind(
    folder: Path, kind: TableKind, settings: Settings, whole: bool
) -> Iterator[Notice]:
    """Yield what is found of the parts of a sort of table, or of the `whole` machine."""
    wanted = STANDS_ON.get(kind, frozenset())
    if whole or wanted:
        board = kind if kind in ("serial", "pins", "camera") else "screen"
        table = replace(settings.table, board=board)
        for finding in examine(look_around(folder, WallClock()), replace(settings, table=table)):
            if whole or finding.check in wanted:
                yield finding
    if kind != "camera":
        return
    if not whole:
        yield from WAY_IN
    try:
        start = Position.start(named_rules(settings.table.rules))
        camera = with_kept(settings.camera, folder)
    except (SentenceError, OSError) as error:
        yield Notice("board", "fail", worded(error))
        return
    yield from findings_of_camera(camera, start)


# What a camera shows


HIGH, LOW = 45.0, 30.0
"""Degrees: from below the first tall pieces hide others, from below the second many, which is read
with more questions, if at all."""

WIDE_PX, NARROW_PX = 20.0, 13.0
"""Pixels across the farthest square: from the first on it passes, below the second it fails."""

DENIED, DENIED_ALONE = 2.0, 4.0
"""Nats by which the network denies what should stand on several squares, and on one alone. Of 16
painted starts it denies one square in three by 2.5 to 2.8; one piece that is missing by 4 to 13."""

SHARP_PX = 5.0
"""Pixels that a line of the board is wide where the picture is sharp enough."""

CLEAR_STEP = 25.0
"""Grey levels, of 255, that light squares must be lighter than dark ones."""

MUCH_BURNT = 0.02
"""The share of the board that may be too bright to show anything."""

WIDE_STRIP = 1.0
"""Squares of the surroundings that should be in the picture on every side."""


def examine_start(camera: BoardCamera, frame: Frame, start: Sequence[int]) -> Notice:
    """Return the finding on whether the pieces stand as at `start` in a frame, uncovered.

    `camera` has seen nothing yet.
    """
    from vision.camera import denied
    from vision.showing import covered

    assert frame.picture is not None
    try:
        sight = camera.begin(frame, start, is_certain=False)
    except BoardNotFound as error:
        return _judged("pieces", error.worded, SET_UP, False)
    assert sight.place is not None
    assert sight.seen is not None
    unlike = {*covered(frame.picture, sight.place, start), *denied(sight.seen, start, DENIED)}
    if len(unlike) == 1:
        unlike = set(denied(sight.seen, start, DENIED_ALONE))
    if not unlike:
        return _judged("pieces", _("they stand as at the start"), SET_UP, True)
    squares = ", ".join(format_square(Square(each)) for each in sorted(unlike))
    found = Worded(_("not as at the start, or covered: {squares}"), squares=squares)
    return _judged("pieces", found, SET_UP, False)


SET_UP = _("set the pieces up as at the start, take your hands away, and look again")


def examine_picture(quality: Quality) -> Iterator[Notice]:
    """Yield a finding for everything that matters of a camera's picture."""
    elevation, wide = quality.elevation, quality.square_px
    found = Worded(_("{elevation:.0f} degrees above the board"), elevation=elevation)
    mend = _("put the camera higher: 45 degrees and more")
    yield _judged("height", found, mend, elevation >= HIGH, elevation < LOW)
    found = Worded(_("the farthest squares are {square_px:.0f} pixels wide"), square_px=wide)
    mend = _("bring the camera nearer, or ask it for larger pictures")
    yield _judged("size", found, mend, wide >= WIDE_PX, wide < NARROW_PX)
    found = Worded(_("lines are {blur:.1f} pixels wide"), blur=quality.blur)
    mend = _("focus on the board, clean the lens, give it more light")
    yield _judged("focus", found, mend, quality.blur <= SHARP_PX)
    yield _light(quality)
    strip = _("{strip:.1f} squares of the surroundings are in the picture")
    mend = _("show a square and a half around the board: there hands are seen coming")
    found = Worded(strip, strip=max(quality.strip, 0))
    yield _judged("around", found, mend, quality.strip >= WIDE_STRIP)


def _light(quality: Quality) -> Notice:
    if quality.burnt > MUCH_BURNT:
        found = Worded(_("{burnt:.0f} % of the board is too bright"), burnt=100 * quality.burnt)
        return _judged("light", found, _("move the lamp so that it is not mirrored"), False)
    found = Worded(
        _("light squares are {step:.0f} grey levels lighter than dark ones"), step=quality.step
    )
    return _judged(
        "light", found, _("more light, or a longer exposure"), quality.step >= CLEAR_STEP
    )


def _judged(check: str, found: str, mend: str, is_good: bool, is_bad: bool = False) -> Notice:
    if is_good:
        return Notice(check, "pass", found)
    return Notice(check, "fail" if is_bad else "warn", found, mend)


def findings_of_camera(settings: CameraSettings, start: Position) -> Iterator[Notice]:
    """Yield findings about a camera, and about the cameras there are.

    `start` is the start position on the board that it should show.
    """
    try:
        require_opencv()
    except MissingOpenCV as error:
        yield Notice("opencv", "fail", error.worded)
        return
    from vision.camera import BoardCamera
    from vision.finder import MAY_BE_MIRRORED, NOT_MIRRORED
    from vision.showing import quality_of
    from vision.sources import NO_CAMERAS, listed

    from ...boards.camera import UNMARKED, finder_of, first_place
    from ...reading.readings import occupants_of

    yield Notice("cameras", "pass" if listed() != NO_CAMERAS else "warn", listed())
    if not settings.source:
        return
    try:
        frame, place = first_place(settings, start.rules.board)
    except (VisionError, OSError) as error:
        yield Notice("board", "fail", worded(error))
        return
    assert frame.picture is not None
    found = Worded(
        _("found by its {how}, {support:.0f} % of its lines seen"),
        how=place.how,
        support=100 * place.support,
    )
    yield Notice("board", "pass", found)
    yield from examine_picture(quality_of(frame.picture, place))
    if settings.markers and place.how != "markers":
        yield Notice("markers", "warn", Worded(UNMARKED, how=place.how), SHOW_MARKERS)
    camera = BoardCamera(finder_of(settings, start.rules.board), start.juggernaut is not None, True)
    yield examine_start(camera, frame, occupants_of(start))
    # Only the pieces show which of four views is the board's, and so which corner is a1.
    if camera.place is not None and camera.place.may_be_mirrored:
        yield Notice("mirror", "warn", MAY_BE_MIRRORED, NOT_MIRRORED)


SHOW_MARKERS = _("show all markers, flat and whole, and look whether the file is this board's")
