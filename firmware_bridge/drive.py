"""Writes an image to a Raspberry Pi Pico, which is a drive while its button BOOTSEL is held."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rules.sentences import _

from .errors import BuildFailed, NoTableFound

LABEL = "RPI-RP2"
MOUNTED = (f"media/*/{LABEL}", f"run/media/*/{LABEL}", f"media/{LABEL}", f"Volumes/{LABEL}", "mnt")
"""Where systems show the drive, by themselves or by the line of the documentation."""

GONE_S = 20.0
"""So long a drive may take to write the image and start it."""

LOOK_S = 0.1


def is_drive(folder: Path) -> bool:
    """Whether a folder is the drive of a Pico that waits for an image."""
    with suppress(OSError):
        return f"Board-ID: {LABEL}" in (folder / "INFO_UF2.TXT").read_text()
    return False


def find_drive(root: Path = Path("/")) -> Path:
    """Return the one drive there is; raises NoTableFound, which says how it appears."""
    drives = [path for pattern in MOUNTED for path in sorted(root.glob(pattern)) if is_drive(path)]
    if len(drives) == 1:
        return drives[0]
    raise NoTableFound(
        _(
            "no Pico's drive, or several: hold BOOTSEL while you plug it in, and name its folder "
            "with --port where it is not found: found {found}"
        ),
        found=", ".join(map(str, drives)) or _("none"),
    )


def write_to_drive(image: bytes, folder: Path, sleep: Callable[[float], None]) -> None:
    """Write an image; the Pico starts it and the drive vanishes. Raises BuildFailed if it stays.

    `sleep` passes so many seconds.
    """
    if not is_drive(folder):
        raise BuildFailed(_("{folder}: not the drive of a Pico"), folder=folder)
    with suppress(OSError), (folder / "table.uf2").open("wb") as file:
        # The drive may be gone before the last of it is told that all is written.
        file.write(image)
        file.flush()
        os.fsync(file.fileno())
    for _look in range(round(GONE_S / LOOK_S)):
        if not is_drive(folder):
            return
        sleep(LOOK_S)
    raise BuildFailed(_("{folder}: the drive did not take the image"), folder=folder)
