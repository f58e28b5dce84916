"""Errors of a board on a serial line, and the reasons why there is no line at all.

The sentences have a place for the `port`.
"""

from rules import SentenceError, _

NOT_FOUND = _("no board found: plug in its USB cable")
UNPLUGGED = _("the board was unplugged from {port}: plug it in again")
BUSY = _("{port} is used by another program: close it")
FORBIDDEN = _("no permission for {port}: sudo adduser $USER dialout, then log in again")
RESTS = _("{port} is busy while the firmware is written: wait")


class BridgeError(SentenceError):
    """The base of every error of this package; itself a port that cannot be had, or a firmware that
    cannot be built or flashed so, or here. The message names the mend."""


class BadPacket(BridgeError, ValueError):
    """Bytes that are no packet: damaged on their way, or not from a table."""
