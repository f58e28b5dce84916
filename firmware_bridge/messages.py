"""The message table, and the packets that carry messages between host and board.

The table has every message, its number and its layout. It is the one source of both sides:
`tools/c_headers.py` writes `firmware/messages.h` from it. Numbers are little-endian and lie without
gaps. `PROTOCOL.md` says how the messages are used.

A packet on the wire is 0x00, stuffed (code, sequence number, payload, CRC-16), 0x00. Stuffed bytes
hold no zero, so that a zero parts packets: S. Cheshire and M. Baker, "Consistent Overhead Byte
Stuffing", 1999. Ours, because it is this short.
"""

from binascii import crc_hqx
from dataclasses import dataclass, fields
from struct import Struct
from typing import Annotated, ClassVar, TypeAlias, get_args, get_type_hints

from rules import _

from .errors import BadPacket

MAJOR = 1
MINOR = 0
"""Another major version is another language; a minor one only adds to it."""

U8 = Annotated[int, "B"]
U16 = Annotated[int, "H"]
U32 = Annotated[int, "I"]
Rest = Annotated[bytes, "rest"]
"""Bytes up to the end of the message; only as its last part."""


@dataclass(frozen=True, slots=True)
class Greet:
    """The host is there and speaks this version; answered by Hello, whatever the version."""

    CODE: ClassVar[int] = 0x01
    major: U8
    minor: U8


@dataclass(frozen=True, slots=True)
class Ping:
    """Answered by Pong with the same mark."""

    CODE: ClassVar[int] = 0x02
    mark: U32


@dataclass(frozen=True, slots=True)
class Configure:
    """Debounce in ms (1..200), brightness (255 is full), and the limit of all lamps together."""

    CODE: ClassVar[int] = 0x03
    debounce_ms: U8
    brightness: U8
    limit_ma: U16


@dataclass(frozen=True, slots=True)
class ShowColours:
    """The colour of every lamp: red, green, blue, in lamp order."""

    CODE: ClassVar[int] = 0x04
    rgb: Rest


@dataclass(frozen=True, slots=True)
class ShowPalette:
    """The same in a third of the bytes: up to 16 colours, then four bits a lamp, low ones first."""

    CODE: ClassVar[int] = 0x05
    colours: U8
    rest: Rest


@dataclass(frozen=True, slots=True)
class Repeat:
    """Send every event again from this number on; Done says GONE if it is not kept any more."""

    CODE: ClassVar[int] = 0x06
    number: U16


@dataclass(frozen=True, slots=True)
class Look:
    """Send a Snapshot now."""

    CODE: ClassVar[int] = 0x07


@dataclass(frozen=True, slots=True)
class Count:
    """Send Counts and Bounces."""

    CODE: ClassVar[int] = 0x08


@dataclass(frozen=True, slots=True)
class Probe:
    """Look at the matrix with no row driven; answered by Probed."""

    CODE: ClassVar[int] = 0x09


@dataclass(frozen=True, slots=True)
class Hello:
    """The board's greeting, sent when it starts and when it is greeted."""

    CODE: ClassVar[int] = 0x81
    major: U8
    minor: U8
    """Of the protocol's version."""
    boot: U16
    """A number that another start very likely does not have."""
    reset: U8
    """The reasons for its start, the bits of RESETS."""
    rows: U8
    columns: U8
    sensor: U8
    """Of SENSORS."""
    lamps: U8
    has_diodes: U8
    has_watchdog: U8
    events_kept: U8
    """The number of events it can send again."""
    release: U16
    """Of the firmware."""


@dataclass(frozen=True, slots=True)
class SwitchEvent:
    """A switch has changed its steady level. Events are numbered from 0 since the start."""

    CODE: ClassVar[int] = 0x82
    number: U16
    at_us: U32
    switch_index: U8
    level: U8


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every switch's level after all events before `next_number`; also the heartbeat."""

    CODE: ClassVar[int] = 0x83
    boot: U16
    next_number: U16
    at_us: U32
    levels: Rest


@dataclass(frozen=True, slots=True)
class Done:
    """The result of the command with this sequence number; `value` in mA where lamps were set."""

    CODE: ClassVar[int] = 0x84
    of: U8
    result: U8
    value: U16


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to Ping."""

    CODE: ClassVar[int] = 0x85
    mark: U32
    at_us: U32


@dataclass(frozen=True, slots=True)
class Counts:
    """Statistics since the start; each stands still at its largest number."""

    CODE: ClassVar[int] = 0x86
    up_s: U32
    scans: U32
    longest_gap_us: U16
    lost_bytes: U16
    framing_errors: U16
    bad_packets: U16
    doubts: U16


@dataclass(frozen=True, slots=True)
class Bounces:
    """The number of changes of each switch while it was held, a byte a switch."""

    CODE: ClassVar[int] = 0x87
    counts: Rest


@dataclass(frozen=True, slots=True)
class Probed:
    """Columns that are low though no row is driven (bit by column), and how many are closed."""

    CODE: ClassVar[int] = 0x88
    low_columns: U16
    closed: U8


@dataclass(frozen=True, slots=True)
class Doubted:
    """Switches that three others may close without a magnet (bit by switch); all 0: none now."""

    CODE: ClassVar[int] = 0x89
    at_us: U32
    switches: Rest


Command: TypeAlias = (
    Greet | Ping | Configure | ShowColours | ShowPalette | Repeat | Look | Count | Probe
)
Report: TypeAlias = (
    Hello | SwitchEvent | Snapshot | Done | Pong | Counts | Bounces | Probed | Doubted
)
Message: TypeAlias = Command | Report

COMMANDS: tuple[type[Command], ...] = get_args(Command)
REPORTS: tuple[type[Report], ...] = get_args(Report)
MESSAGES: tuple[type[Message], ...] = (*COMMANDS, *REPORTS)

RESULTS = {"ok": 0, "gone": 1, "unknown": 2, "refused": 3}
"""The results in Done: done; the event is not kept any more; no such command; out of range."""

RESETS = {"power": 0x01, "button": 0x02, "brown-out": 0x04, "watchdog": 0x08}
"""The reasons for a start, a bit each, as in the microcontrollers' MCUSR."""

SENSORS = {"reed": 0, "hall": 1}
"""A reed tells a magnet from none, in one bit; a three-state Hall switch also its pole, in two."""

_BY_CODE = {message.CODE: message for message in MESSAGES}


def _read_parts(kind: type[Message]) -> tuple[tuple[str, str], ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple((part.name, hints[part.name].__metadata__[0]) for part in fields(kind))


_PARTS = {kind.CODE: _read_parts(kind) for kind in MESSAGES}
_LAYOUTS = {
    code: Struct("<" + "".join(kind for _, kind in parts if kind != "rest"))
    for code, parts in _PARTS.items()
}


def parts_of(kind: type[Message]) -> tuple[tuple[str, str], ...]:
    """Return the name and layout code of each part of a message, in order."""
    return _PARTS[kind.CODE]


def layout_of(kind: type[Message]) -> Struct:
    """Return the layout of a message's fixed parts."""
    return _LAYOUTS[kind.CODE]


def has_rest(kind: type[Message]) -> bool:
    """Return True if a message ends in bytes of any number."""
    return any(code == "rest" for _, code in parts_of(kind))


def pack(message: Message) -> bytes:
    """Return a message's payload."""
    kind = type(message)
    values = [getattr(message, name) for name, _ in parts_of(kind)]
    if not has_rest(kind):
        return layout_of(kind).pack(*values)
    return layout_of(kind).pack(*values[:-1]) + bytes(values[-1])


def unpack(code: int, payload: bytes) -> Message:
    """Read a payload; raises BadPacket when no message has this code or length."""
    kind = _BY_CODE.get(code)
    if kind is None:
        raise BadPacket(_("no message has the code {code:#04x}"), code=code)
    layout = layout_of(kind)
    length = len(payload)
    may_be_longer = has_rest(kind) or kind is Hello  # which any version must understand
    if length < layout.size or (length > layout.size and not may_be_longer):
        raise BadPacket(
            _("{name} has {size} bytes, not {length}"),
            name=kind.__name__,
            size=layout.size,
            length=length,
        )
    values: list[int | bytes] = [*layout.unpack_from(payload)]
    if has_rest(kind):
        values.append(payload[layout.size :])
    return kind(*values)  # type: ignore[arg-type]  # the layout is made from the parts' own types


BLOCK = 254
"""The most bytes of a block before the place of the next one must follow."""


def stuff(data: bytes) -> bytes:
    """Return `data` without zero bytes, at most one byte in 254 longer and one more."""
    out = bytearray()
    runs = data.split(b"\0")
    for number, run in enumerate(runs, 1):
        full, rest = divmod(len(run), BLOCK)
        for at in range(0, full * BLOCK, BLOCK):
            out.append(BLOCK + 1)
            out += run[at : at + BLOCK]
        if rest or not full or number < len(runs):
            out.append(rest + 1)
            out += run[full * BLOCK :]
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
        if code <= BLOCK and at < len(stuffed):
            out.append(0)
    return bytes(out)


CRC_START = 0xFFFF
LONGEST = 320
"""No stuffed packet is longer; more bytes without a zero are thrown away."""

AROUND = 4
"""Bytes of a packet that are not payload: code, sequence number, CRC."""


Packet = tuple[int, Message]
"""The sender's running number, 0..255, and a message."""


def format_packet(sequence: int, message: Message) -> bytes:
    """Return a packet's bytes. A zero stands before and after: garbage ends before the packet."""
    body = bytes((message.CODE, sequence)) + pack(message)
    crc = crc_hqx(body, CRC_START)
    return b"\0" + stuff(body + crc.to_bytes(2, "little")) + b"\0"


def parse_packet(stuffed: bytes) -> Packet:
    """Read what stood between two zeros; raises BadPacket."""
    body = unstuff(stuffed)
    if len(body) < AROUND:
        raise BadPacket(_("shorter than any packet"))
    if crc_hqx(body[:-2], CRC_START) != int.from_bytes(body[-2:], "little"):
        raise BadPacket(_("the check sum is wrong"))
    return body[1], unpack(body[0], body[2:-2])


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
        # A line at another rate may send no zero for ever: what grows too long is thrown away.
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
