"""The table's seams over a serial line: what a microcontroller under the board sees and lights."""

from .board import BoardSettings, SerialBoard
from .errors import Trouble
from .link import Link

__all__ = ["BoardSettings", "Link", "SerialBoard", "Trouble"]
