"""What can go wrong with a board on a serial line."""

from rules.sentences import SentenceError


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
