"""Packets on the wire: 0x00, stuffed (code, sequence number, payload, CRC-16), 0x00.

Stuffed bytes hold no zero, so that a zero parts packets: S. Cheshire and M. Baker, "Consistent
Overhead Byte Stuffing", 1999. Ours, because it is this short.
"""

from binascii import crc_hqx
from dataclasses import dataclass

from rules import _

from .errors import BadPacket
from .messages import Message, pack, unpack

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


CRC_START = 0xFFFF
LONGEST = 320
"""No stuffed packet is longer; more bytes without a zero are thrown away."""

AROUND = 4
"""Bytes of a packet that are not payload: code, sequence number, CRC."""


@dataclass(frozen=True, slots=True)
class Packet:
    """A message and its sender's running number, 0..255."""

    sequence: int
    message: Message


def format_packet(packet: Packet) -> bytes:
    """Return a packet's bytes. A zero stands before and after: garbage ends before the packet."""
    body = bytes((packet.message.CODE, packet.sequence)) + pack(packet.message)
    crc = crc_hqx(body, CRC_START)
    return b"\0" + stuff(body + crc.to_bytes(2, "little")) + b"\0"


def parse_packet(stuffed: bytes) -> Packet:
    """Read what stood between two zeros; raises BadPacket."""
    body = unstuff(stuffed)
    if len(body) < AROUND:
        raise BadPacket(_("shorter than any packet"))
    if crc_hqx(body[:-2], CRC_START) != int.from_bytes(body[-2:], "little"):
        raise BadPacket(_("the check sum is wrong"))
    return Packet(body[1], unpack(body[0], body[2:-2]))


class Unpacker:
    """Finds the packets in a stream of bytes, however it is cut; what is damaged is counted."""

    def __init__(self) -> None:
        self.bad_packets = 0
        self._begun = bytearray()
        self._is_overlong = False

    def feed(self, data: bytes) -> list[Packet]:
        """Take in bytes, and return the packets that are whole by now."""
        found = []
        *ended, begun = data.split(b"\0")
        for run in ended:
            self._add(run)
            if self._begun or self._is_overlong:
                found += self._ended()
        self._add(begun)
        return found

    def _add(self, run: bytes) -> None:
        if len(self._begun) + len(run) > LONGEST:
            self._is_overlong = True
            self._begun.clear()
        elif not self._is_overlong:
            self._begun += run

    def _ended(self) -> list[Packet]:
        stuffed, is_overlong = bytes(self._begun), self._is_overlong
        self._begun.clear()
        self._is_overlong = False
        try:
            if is_overlong:
                raise BadPacket(_("longer than any packet"))
            return [parse_packet(stuffed)]
        except BadPacket:
            self.bad_packets += 1
            return []
