"""Reads the pads of a board from IPC-D-356, the list by which makers of boards test them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

UNIT_MM = 0.00254
_PAD = re.compile(
    r"3[12]7(?P<net>.{14}) {3}(?P<ref>.{6})-(?P<pin>.{4}).(?:D(?P<hole>\d{4}).| {6})"
    r"A(?P<side>\d\d)X(?P<x>[-+]\d{6})Y(?P<y>[-+]\d{6})X(?P<w>\d{4})Y(?P<h>\d{4})R(?P<turn>\d{3})"
)


class Pad(NamedTuple):
    """A pad: whose it is, its net, its place and size, and the side it is on, 0 for both."""

    net: str
    ref: str
    pin: str
    x: float
    y: float
    width: float
    height: float
    hole: float
    side: int


def pads(text: str) -> Iterator[Pad]:
    """Yield the pads of all parts, in millimetres, y up; a net's name has 14 letters at most."""
    for found in _PAD.finditer(text):
        x, y, width, height, hole = (
            UNIT_MM * int(found[key] or 0) for key in ["x", "y", "w", "h", "hole"]
        )
        height = height or width
        if int(found["turn"]) % 180 == 90:
            width, height = height, width
        net, ref, pin = (found[key].strip() for key in ("net", "ref", "pin"))
        yield Pad(net, ref, pin, x, y, width, height, hole, int(found["side"]))
