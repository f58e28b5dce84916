"""Consistent overhead byte stuffing: packets without zero bytes, so that a zero parts them.

S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", 1999. Ours, because it is this short.
"""

from rules.sentences import _

from .errors import BadPacket

MOST = 254
"""A block holds at most so many bytes before it must say where the next one begins."""


def stuff(data: bytes) -> bytes:
    """Return `data` without zero bytes, at most one byte in 254 longer and one more."""
    out = bytearray()
    runs = data.split(b"\0")
    for number, run in enumerate(runs, 1):
        full, rest = divmod(len(run), MOST)
        for at in range(0, full * MOST, MOST):
            out.append(MOST + 1)
            out += run[at : at + MOST]
        if rest or not full or number < len(runs):
            out.append(rest + 1)
            out += run[full * MOST :]
    return bytes(out)


def unstuff(stuffed: bytes) -> bytes:
    """Return the bytes that were stuffed; raises BadPacket if a block runs over the end."""
    out = bytearray()
    at = 0
    while at < len(stuffed):
        code = stuffed[at]
        run = stuffed[at + 1 : at + code]
        if code == 0 or len(run) < code - 1:
            raise BadPacket(_("a block is cut short"))
        out += run
        at += code
        if code <= MOST and at < len(stuffed):
            out.append(0)
    return bytes(out)
