"""Golden packets: what either side must write and read, byte for byte.

`python -m tests.firmware_bridge.golden` prints them anew, for a change of the protocol.
"""

from pathlib import Path
from typing import NamedTuple

from firmware_bridge.messages import (
    Bounces,
    Configure,
    Count,
    Counts,
    Done,
    Doubted,
    Greet,
    Hello,
    Look,
    Message,
    Ping,
    Pong,
    Probe,
    Probed,
    Repeat,
    ShowColours,
    ShowPalette,
    Snapshot,
    SwitchEvent,
    format_packet,
    pack,
)

FILE = Path(__file__).parent / "golden.txt"


class Golden(NamedTuple):
    """One line of the file: a packet's sequence number, code and payload, and all its bytes."""

    name: str
    sequence: int
    code: int
    payload: bytes
    packet: bytes


SENT: tuple[tuple[int, Message], ...] = (
    (0, Greet(1, 0)),
    (1, Ping(0)),
    (2, Ping(0xFFFFFFFF)),
    (3, Configure(6, 255, 2000)),
    (4, ShowColours(bytes(300))),
    (5, ShowColours(bytes(number % 255 + 1 for number in range(300)))),
    (6, ShowPalette(2, bytes((0, 0, 0, 255, 128, 0)) + bytes((0x10,)) * 50)),
    (7, Repeat(65535)),
    (8, Look()),
    (9, Count()),
    (10, Probe()),
    (250, Hello(1, 0, 0xBEEF, 8, 10, 10, 0, 100, 1, 1, 128, 1)),
    (251, Hello(1, 0, 1, 4, 10, 10, 1, 100, 0, 0, 64, 1)),
    (252, SwitchEvent(0, 0, 0, 0)),
    (253, SwitchEvent(65535, 4294967292, 99, 1)),
    (254, SwitchEvent(300, 1_000_000, 42, 2)),
    (255, Snapshot(0xBEEF, 301, 1_000_500, bytes(12) + b"\x08")),
    (0, Snapshot(0xBEEF, 301, 1_000_500, bytes(range(25)))),
    (1, Done(5, 0, 1987)),
    (2, Pong(0xFFFFFFFF, 77)),
    (3, Counts(3600, 3_600_000, 6720, 0, 1, 2, 65535)),
    (4, Bounces(bytes(100))),
    (5, Bounces(bytes(range(1, 101)))),
    (6, Probed(0b10, 40)),
    (7, Doubted(123, bytes(13))),
)


def format_golden(sequence: int, message: Message) -> str:
    """Return a line: name, sequence number, code, payload, packet."""
    packet = format_packet(sequence, message)
    name = type(message).__name__
    return f"{name} {sequence} {message.CODE:#04x} {pack(message).hex() or '-'} {packet.hex()}"


def read_golden() -> list[Golden]:
    """Return every line of the file."""
    found = []
    for line in FILE.read_text().splitlines():
        if line.startswith("#"):
            continue
        name, sequence, code, payload, packet = line.split()
        body = b"" if payload == "-" else bytes.fromhex(payload)
        found.append(Golden(name, int(sequence), int(code, 16), body, bytes.fromhex(packet)))
    return found


if __name__ == "__main__":
    print("# message, sequence number, code, payload, packet: see PROTOCOL.md")
    for number, sent in SENT:
        print(format_golden(number, sent))
