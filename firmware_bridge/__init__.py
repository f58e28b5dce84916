"""The table's ports over a serial line, to a microcontroller under the board."""

from .board import SerialBoard
from .link import BoardSettings

__all__ = (
    "BoardSettings",
    "SerialBoard",
    "build",
    "emulation",
    "errors",
    "link",
    "messages",
    "mirror",
    "port",
)
