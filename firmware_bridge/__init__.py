"""The table's seams over a serial line: what a microcontroller under the board sees and lights."""

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
