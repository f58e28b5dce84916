"""What can go wrong with a board on a serial line: errors, and why there is no line at all.

Of the sentences `port` is filled in by whoever tells them.
"""

from rules import SentenceError, _

NOT_FOUND = _("no board found: plug in its USB cable")
UNPLUGGED = _("the board was unplugged from {port}: plug it in again")
BUSY = _("{port} is used by another program: close it")
FORBIDDEN = _("no permission for {port}: sudo adduser $USER dialout, then log in again")
RESTS = _("{port} is busy while the firmware is written: wait")


class BridgeError(SentenceError):
    """The base of every error of this package."""


class BadPacket(BridgeError, ValueError):
    """Bytes that are no packet: damaged on their way, or not from a table."""


class NoTableFound(BridgeError, LookupError):
    """No port answers as a table."""


class BadPort(BridgeError, ValueError):
    """Something that is no port: neither a device nor a URL that can be opened."""


class UnknownBuild(BridgeError, ValueError):
    """A microcontroller that the firmware is not written for."""


class BuildFailed(BridgeError, RuntimeError):
    """The firmware cannot be built or flashed here; the message names what is missing."""
