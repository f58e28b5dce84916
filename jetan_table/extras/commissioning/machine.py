"""Facts about this machine, as far as a table needs them, without judgement."""

import grp
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions, packages_distributions
from pathlib import Path

from hardware.pins import I2C_DEVICE, GpioLibrary, gpio_libraries, pi_model

from ...light.speech import can_speak
from ...machine.service import GROUPS
from ...table.loop import Clock

OUR_PACKAGES = ("rules", "hardware", "firmware_bridge", "vision", "jetan_table")
OUR_NAME = "jetan-table"
SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
BY_ID = Path("/dev/serial/by-id")
THROTTLED = "sys/devices/platform/soc*/soc*:firmware/get_throttled"
"""The kernel's file about a Pi's supply, which has the bits of `vcgencmd`."""
SOUND_CARDS = Path("/dev/snd")
NAPS, NAP_S = 60, 0.005
"""The number and length of the naps that measure a machine's load, as long as a table's."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The findings."""

    python: tuple[int, int, int]
    bits: int
    """64 or 32: of the Python that runs this."""
    model: str | None
    """Model of the Raspberry Pi; None for any other machine."""
    user: str
    groups: Mapping[str, bool]
    """Those of GROUPS that exist, each with whether this user is in it."""
    serial_ports: tuple[str, ...]
    """Paths of devices, as the next two are."""
    cameras: tuple[str, ...]
    spi: tuple[str, ...]
    has_i2c: bool
    gpio: tuple[GpioLibrary, ...]
    """Libraries for a Pi's pins, the one that is used first."""
    opencv: Mapping[str, str]
    """Distributions that bring cv2, with their versions."""
    namesakes: tuple[str, ...]
    """Other distributions that bring packages named like ours."""
    data: Path
    free: int | None
    """Free space in it, in bytes; None if it cannot be written."""
    now: float
    """Time of the clock, in seconds since 1970."""
    is_synchronized: bool
    """True if the clock was set from the network since the start."""
    throttled: int | None
    """The firmware's bits about its supply, if it has any."""
    can_speak: bool
    has_sound: bool
    late_s: float
    """The longest delay, in seconds, with which this program woke from many short naps."""


def look_around(data: Path, clock: Clock) -> Machine:
    """Look at this machine for a third of a second; `data` is where games are kept."""
    return Machine(
        python=sys.version_info[:3],
        bits=64 if sys.maxsize > 2**32 else 32,
        model=pi_model(),
        user=_user(),
        groups=_groups(),
        serial_ports=serial_ports(),
        cameras=cameras(),
        spi=tuple(sorted(map(str, Path("/dev").glob("spidev*")))),
        has_i2c=I2C_DEVICE.exists(),
        gpio=tuple(gpio_libraries()),
        opencv=_opencv(),
        namesakes=_namesakes(),
        data=data,
        free=_free(data),
        now=clock.now(),
        is_synchronized=SYNCHRONIZED.exists(),
        throttled=_throttled(),
        can_speak=can_speak(),
        has_sound=SOUND_CARDS.is_dir(),
        late_s=woken_late_s(clock),
    )


def serial_ports() -> tuple[str, ...]:
    """Return the paths of what is at serial lines."""
    return tuple(sorted(map(str, BY_ID.glob("*"))))


def cameras() -> tuple[str, ...]:
    """Return the paths of video devices."""
    return tuple(sorted(map(str, Path("/dev").glob("video*"))))


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # as in a container that runs as a number
        return str(os.getuid())


def _groups() -> dict[str, bool]:
    own = {os.getgid(), *os.getgroups()}
    is_root = os.geteuid() == 0
    found = {group.gr_name: group.gr_gid for group in grp.getgrall()}
    return {name: is_root or found[name] in own for name in GROUPS if name in found}


def _opencv() -> dict[str, str]:
    """Return the distributions here that bring cv2, with their versions."""
    found = ((_name(part), part.version) for part in distributions())
    return {name: version for name, version in found if name.startswith("opencv-")}


def _namesakes() -> tuple[str, ...]:
    brought = packages_distributions()
    others = {name for package in OUR_PACKAGES for name in brought.get(package, ())}
    return tuple(sorted(name for name in others if name.replace("_", "-").lower() != OUR_NAME))


def _name(part: Distribution) -> str:
    return part.name.replace("_", "-").lower()


def _free(data: Path) -> int | None:
    """Return the bytes free where `data` is, or would be made."""
    there = next(folder for folder in (data, *data.absolute().parents) if folder.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        return None
    return shutil.disk_usage(there).free


def woken_late_s(clock: Clock) -> float:
    """Nap as a table does between two looks at its board; return the longest delay in seconds."""
    late = 0.0
    for _nap in range(NAPS):
        due = clock.now() + NAP_S
        clock.sleep(NAP_S)
        late = max(late, clock.now() - due)
    return late


def _throttled() -> int | None:
    for path in Path("/").glob(THROTTLED):
        with suppress(OSError, ValueError):
            return int(path.read_text(), 16)
    if shutil.which("vcgencmd") is None:
        return None
    asked = subprocess.run(
        ["vcgencmd", "get_throttled"], check=False, capture_output=True, text=True, timeout=5
    )
    _, found, bits = asked.stdout.strip().partition("throttled=0x")
    return int(bits, 16) if found else None
