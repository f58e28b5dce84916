"""The message table: every message between host and board, its number and its layout.

It is the one source of both sides: `tools/c_headers.py` writes `firmware/messages.h` from it.
Numbers are little-endian and lie without gaps. `PROTOCOL.md` says how the messages are used.
"""

from dataclasses import dataclass, fields
from struct import Struct
from typing import Annotated, ClassVar, TypeAlias, get_type_hints

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
    """Who the board is; sent when it starts and when it is greeted."""

    CODE: ClassVar[int] = 0x81
    major: U8
    minor: U8
    """Of the protocol's version."""
    boot: U16
    """A number that another start very likely does not have."""
    reset: U8
    """Why it started, by the bits of RESETS."""
    rows: U8
    columns: U8
    sensor: U8
    """Of SENSORS."""
    lamps: U8
    has_diodes: U8
    has_watchdog: U8
    events_kept: U8
    """How many events it can send again."""
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
    """What came of the command with this sequence number; `value` is in mA where lamps were set."""

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
    """How often each switch changed while it was held, a byte a switch."""

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

COMMANDS: tuple[type[Command], ...] = (
    Greet,
    Ping,
    Configure,
    ShowColours,
    ShowPalette,
    Repeat,
    Look,
    Count,
    Probe,
)
REPORTS: tuple[type[Report], ...] = (
    Hello,
    SwitchEvent,
    Snapshot,
    Done,
    Pong,
    Counts,
    Bounces,
    Probed,
    Doubted,
)
MESSAGES: tuple[type[Message], ...] = (*COMMANDS, *REPORTS)

RESULTS = {"ok": 0, "gone": 1, "unknown": 2, "refused": 3}
"""What Done says: done; the event is not kept any more; no such command; a value out of range."""

RESETS = {"power": 0x01, "button": 0x02, "brown-out": 0x04, "watchdog": 0x08}
"""Why a board has started, bit by bit, as the microcontrollers' MCUSR has it."""

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
    """Whether a message ends in bytes of any number."""
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
