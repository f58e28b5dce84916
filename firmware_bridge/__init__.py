"""The table's seams over a serial line: what a microcontroller under the board sees and lights."""

from .board import BoardSettings, SerialBoard
from .link import Link
from .troubles import Trouble

__all__ = ["BoardSettings", "Link", "SerialBoard", "Trouble"]
