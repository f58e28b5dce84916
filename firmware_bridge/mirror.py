"""Levels of switches: packed into bits on the wire, evidence for the table."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log

from hardware.ports import Evidence
from hardware.reeds import ReedErrors
from rules.sentences import _

from .errors import BadPacket


class SwitchLevel(enum.IntEnum):
    """What a switch tells: a reed OPEN or NORTH, whatever the pole; a Hall switch all three."""

    OPEN = 0
    NORTH = 1
    SOUTH = 2


BITS = {0: 1, 1: 2}
"""Bits a switch takes in a snapshot, by the sensor's number in `messages.SENSORS`."""


def pack_levels(levels: Sequence[SwitchLevel], sensor: int) -> bytes:
    """Return levels as bits, lowest first, in the order of switches."""
    bits = BITS[sensor]
    number = sum(level << bits * index for index, level in enumerate(levels))
    return number.to_bytes((len(levels) * bits + 7) // 8, "little")


def unpack_levels(packed: bytes, sensor: int, count: int) -> tuple[SwitchLevel, ...]:
    """Read `count` levels; raises BadPacket when there are not so many, or one is none."""
    bits = BITS[sensor]
    if len(packed) != (count * bits + 7) // 8:
        raise BadPacket(
            _("{size} bytes cannot hold {levels} levels of {bits} bits"),
            size=len(packed),
            levels=count,
            bits=bits,
        )
    number = int.from_bytes(packed, "little")
    mask = (1 << bits) - 1
    try:
        return tuple(SwitchLevel(number >> bits * index & mask) for index in range(count))
    except ValueError:
        raise BadPacket(_("a level is neither open nor a pole")) from None


@dataclass(frozen=True, slots=True)
class HallErrors:
    """How often a three-state Hall switch is wrong.

    Black's magnets show their north, Orange's their south; a neutral piece may show either.
    """

    presence: ReedErrors = field(default_factory=ReedErrors)
    """How often it is wrong about whether a magnet is there."""
    wrong_pole: float = 0.001
    """How often it shows the other pole than the piece's, as by a magnet glued in upside down. So
    the right side is 7 nats, 1,000 to 1, ahead of the other."""

    def evidence(self, level: SwitchLevel) -> Evidence:
        """Return the log-likelihoods of a level for EMPTY, BLACK, ORANGE and NEUTRAL."""
        empty, black, orange, neutral = self.presence.evidence(level is not SwitchLevel.OPEN)
        if level is SwitchLevel.OPEN:
            return empty, black, orange, neutral
        right, wrong, either = log(1 - self.wrong_pole), log(self.wrong_pole), log(0.5)
        if level is SwitchLevel.NORTH:
            return empty + either, black + right, orange + wrong, neutral + either
        return empty + either, black + wrong, orange + right, neutral + either
