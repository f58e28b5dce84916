"""The emulator and the firmware's images, built once a run, when they are first asked for."""

import ctypes
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from ..build import Image, Variant, build_firmware
from ..builds import Microcontroller, find_build
from .emulator import AvrBoard, build_emulator

_SCRATCH = tempfile.TemporaryDirectory(prefix="jetan-emulated-")  # removed when Python ends


@cache
def library() -> ctypes.CDLL:
    """Return the emulator."""
    return build_emulator(Path(_SCRATCH.name))


def image(build: Microcontroller, variant: Variant) -> Image:
    """Return the firmware's image."""
    return _image(build.name, variant)


@cache
def _image(name: str, variant: Variant) -> Image:
    options = f"{variant.has_watchdog:d}{variant.has_diodes:d}-{variant.baud}"
    folder = Path(_SCRATCH.name, f"{name}-{options}")
    return build_firmware(find_build(name), variant, folder)


def board(build: Microcontroller, variant: Variant | None = None, **soldered: Any) -> AvrBoard:
    """Return a board with that firmware in it, soldered as the keywords of AvrBoard say."""
    return AvrBoard(library(), build, image(build, variant or Variant()).file, **soldered)
