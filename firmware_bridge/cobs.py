"""Consistent overhead byte stuffing: packets without zero bytes, so that a zero parts them.

S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", 1999. Ours, because it is this short.
"""

from __future__ import annotations

from .errors import BadPacket

MOST = 254
"""A block holds at most so many bytes before it must say where the next one begins."""


def stuff(data: bytes) -> bytes:
    """Return `data` without zero bytes, at most one byte in 254 longer and one more."""
    out = bytearray()
    runs = data.split(b"\0")
    for last, run in zip([*[False] * (len(runs) - 1), True], runs, strict=True):
        while len(run) >= MOST:
            out.append(MOST + 1)
            out += run[:MOST]
            run = run[MOST:]
            if last and not run:
                return bytes(out)
        out.append(len(run) + 1)
        out += run
    return bytes(out)


def unstuff(stuffed: bytes) -> bytes:
    """Return the bytes that were stuffed; raises BadPacket if a block runs over the end."""
    out = bytearray()
    at = 0
    while at < len(stuffed):
        code = stuffed[at]
        run = stuffed[at + 1 : at + code]
        if code == 0 or len(run) < code - 1:
            raise BadPacket("a block is cut short")
        out += run
        at += code
        if code <= MOST and at < len(stuffed):
            out.append(0)
    return bytes(out)
