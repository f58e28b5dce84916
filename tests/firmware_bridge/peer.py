"""A board's end of the line in Python: quick, for tests of the host's end over hours of play.

It keeps to PROTOCOL.md as the firmware does; bytes take no time.
"""

from collections.abc import Callable, Iterable, Sequence

from firmware_bridge.errors import UNPLUGGED
from firmware_bridge.messages import (
    MAJOR,
    RESULTS,
    Configure,
    Done,
    Greet,
    Hello,
    Look,
    Message,
    Ping,
    Pong,
    Repeat,
    ShowColours,
    ShowPalette,
    Snapshot,
    SwitchEvent,
    Unpacker,
    format_packet,
)
from firmware_bridge.mirror import BITS, SwitchLevel
from firmware_bridge.port import PortClosed, PortEvent, PortOpened, Received

HEARTBEAT_S = 0.5
HOST_GONE_S = 3.0
DARK = ShowPalette(1, bytes(3 + 50))
"""What its lamps show once it has heard no whole packet for so long."""


Harm = Callable[[bytes], bytes]


def unharmed(data: bytes) -> bytes:
    """Let bytes pass."""
    return data


def lost(data: bytes) -> bytes:
    """Let no byte pass."""
    return b""


def pack_levels(levels: Sequence[SwitchLevel], sensor: int) -> bytes:
    """Return levels as bits, lowest first, in the order of switches."""
    bits = BITS[sensor]
    number = sum(level << bits * index for index, level in enumerate(levels))
    return number.to_bytes((len(levels) * bits + 7) // 8, "little")


class Peer:
    """A port with a board behind it. Tell it the time by `run_until`.

    `harm_to_host` and `harm_to_board` say what becomes of bytes on their way.
    """

    def __init__(
        self, kept: int = 64, sensor: int = 0, major: int = MAJOR, now: float = 0.0, past: int = 0
    ) -> None:
        """Have told of so many `past` events that nobody heard."""
        self.now = now
        self.harm_to_host: Harm = unharmed
        self.harm_to_board: Harm = unharmed
        self.shown: list[ShowColours | ShowPalette] = []
        self.levels = [SwitchLevel.OPEN] * 100
        self.takes_settings = True
        self._kept, self._sensor, self._major = kept, sensor, major
        self._boot, self._reset, self._started = 1, 1, now
        self._events = [SwitchEvent(0, 0, 0, 0)] * past
        self._beat_at = self._heard_at = now
        self._sequence = 0
        self._unpacker = Unpacker()
        self._port_events: list[PortEvent] = [PortOpened(now, "peer")]
        self._is_plugged = True

    def run_until(self, now: float) -> None:
        """Let time pass, heartbeats included; what was shown ends with `DARK` if nobody speaks."""
        while self._beat_at <= now:
            self.now = self._beat_at
            self._snapshot()
            self._beat_at += HEARTBEAT_S
        self.now = now
        is_host_gone = now - self._heard_at > HOST_GONE_S
        if is_host_gone and self.shown and self.shown[-1] != DARK:
            self.shown.append(DARK)

    def set(self, switch: int, level: SwitchLevel, at: float | None = None) -> None:
        """Let a switch change, now or a moment ago, and tell so."""
        self.levels[switch] = level
        at_us = self._at_us(self.now if at is None else at)
        self._events.append(SwitchEvent(len(self._events) % 65536, at_us, switch, int(level)))
        self.say(self._events[-1])

    def start_anew(self, reset: int) -> None:
        """Forget everything but the switches."""
        self._boot, self._reset, self._started = self._boot + 1, reset, self.now
        self._events.clear()
        self._hello()

    def become(self, sensor: int) -> None:
        """Start anew with another firmware."""
        self._sensor = sensor
        self.start_anew(1)

    def unplug(self) -> None:
        """Pull out the cable; what is sent goes nowhere."""
        self._is_plugged = False
        self._port_events.append(PortClosed(self.now, "peer", UNPLUGGED))

    def plug(self) -> None:
        """Put the cable in; the board does not start anew."""
        self._is_plugged = True
        self._port_events.append(PortOpened(self.now, "peer"))

    def say(self, *messages: Message) -> None:
        """Send messages to the host."""
        for message in messages:
            self._sequence = (self._sequence + 1) % 256
            data = self.harm_to_host(format_packet(self._sequence, message))
            if self._is_plugged:
                self._port_events.append(Received(self.now, data))

    def take(self) -> Iterable[PortEvent]:
        events, self._port_events = self._port_events, []
        return events

    def write(self, data: bytes) -> None:
        if self._is_plugged:
            for sequence, message in self._unpacker.feed(self.harm_to_board(data)):
                self._heard_at = self.now
                self._do(sequence, message)

    def close(self) -> None:
        self._is_plugged = False

    def _at_us(self, at: float) -> int:
        return round((at - self._started) * 1_000_000) % (1 << 32)

    def _hello(self) -> None:
        hello = Hello(
            self._major, 0, self._boot, self._reset, 10, 10, self._sensor, 100, 1, 1, self._kept, 1
        )
        self.say(hello)
        self._snapshot()

    def _snapshot(self) -> None:
        packed = pack_levels(self.levels, min(self._sensor, max(BITS)))
        self.say(Snapshot(self._boot, len(self._events) % 65536, self._at_us(self.now), packed))

    def _do(self, sequence: int, message: Message) -> None:
        match message:
            case Greet():
                self._hello()
            case Ping():
                self.say(Pong(message.mark, self._at_us(self.now)))
            case Configure():
                result = RESULTS["ok" if self.takes_settings else "refused"]
                self.say(Done(sequence, result, message.limit_ma))
            case ShowColours() | ShowPalette():
                self.shown.append(message)
                self.say(Done(sequence, RESULTS["ok"], 100))
            case Repeat():
                self._repeat(sequence, message.number)
            case Look():
                self._snapshot()
            case _:
                self.say(Done(sequence, RESULTS["unknown"], message.CODE))

    def _repeat(self, sequence: int, number: int) -> None:
        behind = (len(self._events) - number) % 65536
        if behind > min(self._kept, len(self._events)):
            self.say(Done(sequence, RESULTS["gone"], len(self._events) % 65536))
            return
        self.say(Done(sequence, RESULTS["ok"], len(self._events) % 65536))
        self.say(*self._events[len(self._events) - behind :])
