"""How large an encoded picture is, by its header alone: a small file may hold a very large one."""

import re
from collections.abc import Callable, Mapping
from struct import error, unpack_from

Size = tuple[int, int]
"""Width and height, in pixels."""

MARKER = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
"""Where a JPEG's next part begins, as decoders look for it."""

NO_FRAMES, LONE = b"\xc4\xc8\xcc", b"\x01\xd0\xd1\xd2\xd3\xd4\xd5\xd6\xd7"
"""Marks among those of a JPEG's frame that are none; marks that nothing belongs to."""

WIDE, HIGH, SHORT, LONG = 256, 257, 3, 4
"""A TIFF's tags of its size, and the kinds of number they may be."""


def size_in(data: bytes) -> Size | None:
    """Return the size that a picture's header tells; None where it is none of the kinds known."""
    for begin, size in SIZES.items():
        if data.startswith(begin):
            try:
                return size(data)
            except error:  # it ends too soon
                return None
    return None


def _jpeg(data: bytes) -> Size | None:
    at = 2
    while (found := MARKER.search(data, at)) is not None:
        mark, at = found[1], found.end()
        if mark in LONE:
            continue
        if b"\xc0" <= mark <= b"\xcf" and mark not in NO_FRAMES:
            high, wide = unpack_from(">HH", data, at + 3)
            return wide, high
        at += unpack_from(">H", data, at)[0]
    return None


def _png(data: bytes) -> Size:
    wide, high = unpack_from(">II", data, 16)
    return wide, high


def _bmp(data: bytes) -> Size:
    is_old = unpack_from("<I", data, 14)[0] == 12
    wide, high = unpack_from("<HH" if is_old else "<ii", data, 18)
    return abs(wide), abs(high)


def _webp(data: bytes) -> Size | None:
    match data[8:16]:
        case b"WEBPVP8 ":
            wide, high = unpack_from("<HH", data, 26)
            return wide & 0x3FFF, high & 0x3FFF
        case b"WEBPVP8L":
            (bits,) = unpack_from("<I", data, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"WEBPVP8X":
            wide, high = unpack_from("<I", data, 24)[0], unpack_from("<I", data, 26)[0] >> 8
            return (wide & 0xFFFFFF) + 1, high + 1
    return None


def _tiff(data: bytes) -> Size | None:
    order = "<" if data[:1] == b"I" else ">"
    (start,) = unpack_from(order + "I", data, 4)
    sides = {WIDE: 0, HIGH: 0}
    for number in range(unpack_from(order + "H", data, start)[0]):
        at = start + 2 + 12 * number
        tag, kind = unpack_from(order + "HH", data, at)
        if tag in sides:
            if kind not in (SHORT, LONG):
                return None
            (side,) = unpack_from(order + ("H" if kind == SHORT else "I"), data, at + 8)
            sides[tag] = max(sides[tag], side)
    return sides[WIDE], sides[HIGH]


SIZES: Mapping[bytes, Callable[[bytes], Size | None]] = {
    b"\xff\xd8": _jpeg,
    b"\x89PNG\r\n\x1a\n": _png,
    b"BM": _bmp,
    b"RIFF": _webp,
    b"II*\x00": _tiff,
    b"MM\x00*": _tiff,
}
"""How each kind of picture tells its size, by what its files begin with."""
