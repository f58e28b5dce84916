"""A serial port on threads of its own: they open it, read it and open it again when it is gone.

What happens is put into a bounded queue; nobody at the table ever waits for the cable.
"""

import errno
import queue
import termios
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import serial
import serial.tools.list_ports

from rules import Sentence, _

from .errors import BUSY, FORBIDDEN, NOT_FOUND, RESTS, UNPLUGGED, BridgeError
from .messages import MAJOR, MINOR, Greet, Hello, Unpacker, format_packet

AUTO = "auto"
"""Instead of a port: the first one behind which a board says hello."""

READ_S = 0.05
WRITE_S = 1.0
RETRY_S = 0.5
PROBE_S = 3.0
"""Seconds of listening for a hello on a port: a bootloader takes up to two of them."""

MOST_EVENTS = 1000
MOST_WRITES = 16
"""Bounds of the queues. What does not fit is lost, as on a bad cable, and mended like it."""

GONE = (OSError, TypeError, termios.error)
"""The errors of pyserial for a port that is pulled out: a TypeError, too, while it is closed, and
the terminal's own error while it is opened."""

BY_ID = Path("/dev/serial/by-id")


@dataclass(frozen=True, slots=True)
class PortOpened:
    """The port is open, `at` seconds on the table clock."""

    at: float
    port: str


@dataclass(frozen=True, slots=True)
class Received:
    """Bytes came."""

    at: float
    data: bytes


@dataclass(frozen=True, slots=True)
class PortClosed:
    """The port is not open, and why: a sentence with a place for the `port`."""

    at: float
    port: str
    why: Sentence


PortEvent: TypeAlias = PortOpened | Received | PortClosed


class Port(Protocol):
    """The far end of a board's cable."""

    def take(self) -> Iterable[PortEvent]:
        """Return what has happened since the last call, oldest first; never blocks."""
        ...

    def write(self, data: bytes) -> None:
        """Send bytes when the line can take them; never blocks."""
        ...

    def close(self) -> None:
        """Let go of the cable."""
        ...


class SerialPort:
    """A port by pyserial's URL: a device, `socket://host:port`, or `auto`."""

    def __init__(self, url: str, baud: int, clock: Callable[[], float]) -> None:
        """Start to open it. `clock` tells the table's time. Raises BridgeError."""
        check_port(url)
        self._url, self._baud, self._clock = url, baud, clock
        self._events: queue.Queue[PortEvent] = queue.Queue(MOST_EVENTS)
        self._writes: queue.Queue[bytes] = queue.Queue(MOST_WRITES)
        self._ends, self._is_lent, self._is_free = (threading.Event() for _ in range(3))
        self._last_trouble: tuple[str, Sentence] | None = None
        self._thread = threading.Thread(target=self._run, name="board", daemon=True)
        self._thread.start()

    def take(self) -> Iterable[PortEvent]:
        events = []
        while True:
            try:
                events.append(self._events.get_nowait())
            except queue.Empty:
                return events

    def write(self, data: bytes) -> None:
        with suppress(queue.Full):
            self._writes.put_nowait(data)

    def close(self) -> None:
        self._ends.set()
        self._thread.join()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Lend the port to another program while the block runs; it is free from its begin on."""
        self._is_lent.set()
        self._is_free.wait(PROBE_S + WRITE_S)
        try:
            yield
        finally:
            self._is_lent.clear()

    def _run(self) -> None:
        while not self._ends.is_set():
            if self._is_lent.is_set():
                self._refuse(self._url, RESTS)
                self._is_free.set()
                self._ends.wait(RETRY_S)
                continue
            self._is_free.clear()
            found = self._find()
            if found is None:
                self._ends.wait(RETRY_S)
                continue
            name, port, heard = found
            self._last_trouble = None
            self._tell(PortOpened(self._clock(), name))
            if heard:
                self._tell(Received(self._clock(), heard))
            self._serve(port)
            if not (self._ends.is_set() or self._is_lent.is_set()):
                self._refuse(name, UNPLUGGED)

    def _serve(self, port: Any) -> None:
        """Read until the port is gone; a thread beside writes."""
        # What was meant for the port before it went is stale for the board that is there now.
        while not self._writes.empty():
            self._writes.get_nowait()
        gone = threading.Event()
        writer = threading.Thread(target=self._write_all, args=(port, gone), daemon=True)
        writer.start()
        try:
            while not (self._ends.is_set() or gone.is_set() or self._is_lent.is_set()):
                data = read_some(port)
                if data:
                    self._tell(Received(self._clock(), data))
        except GONE:
            pass
        gone.set()
        writer.join()
        close_quietly(port)

    def _write_all(self, port: Any, gone: threading.Event) -> None:
        while not gone.is_set():
            try:
                port.write(self._writes.get(timeout=READ_S))
            except queue.Empty:
                continue
            except GONE:
                gone.set()

    def _find(self) -> tuple[str, Any, bytes] | None:
        """Return an open port, its name, and what it has said already."""
        # Each port is listened to in turn: a modem or a printer has the same sort of name.
        names = candidates() if self._url == AUTO else [self._url]
        if not names:
            self._refuse("", NOT_FOUND)
        for name in names:
            try:
                port = open_port(name, self._baud)
            except GONE as error:
                self._refuse(name, why_not_open(error))
                continue
            if self._url != AUTO:
                return name, port, b""
            heard = self._probe(port)
            if heard is not None:
                return name, port, heard
            close_quietly(port)
            self._refuse(name, NOT_FOUND)
        return None

    def _probe(self, port: Any) -> bytes | None:
        """Greet whoever is behind the port; return what was heard if it is a board."""
        unpacker, heard = Unpacker(), b""
        greeting = format_packet(0, Greet(MAJOR, MINOR))
        begun = greeted = self._clock()
        try:
            while not self._ends.is_set() and self._clock() < begun + PROBE_S:
                if self._clock() >= greeted:
                    port.write(greeting)
                    greeted += RETRY_S
                data = read_some(port)
                heard += data
                if any(isinstance(message, Hello) for _, message in unpacker.feed(data)):
                    return heard
        except GONE:
            return None
        return None

    def _refuse(self, name: str, why: Sentence) -> None:
        """Tell why there is no port, once."""
        if self._last_trouble != (name, why):
            self._last_trouble = (name, why)
            self._tell(PortClosed(self._clock(), name, why))

    def _tell(self, event: PortEvent) -> None:
        with suppress(queue.Full):
            self._events.put_nowait(event)


def check_port(url: str) -> None:
    """Raise BridgeError if nothing of that name can ever be opened."""
    if url == AUTO:
        return
    try:
        serial.serial_for_url(url, do_not_open=True)
    except ValueError as error:
        raise BridgeError(
            _("{url}: no port, but a device, a URL or {auto}: {why}"), url=url, auto=AUTO, why=error
        ) from None


def open_port(url: str, baud: int) -> Any:
    """Open a port for us alone; raises one of GONE."""
    return serial.serial_for_url(
        url, baudrate=baud, timeout=READ_S, write_timeout=WRITE_S, exclusive=True
    )


def why_not_open(error: Exception) -> Sentence:
    """Return what kept a port from being opened."""
    number = getattr(error, "errno", None)
    if number == errno.EACCES:
        return FORBIDDEN
    # Where a lock fails, pyserial tells so in its words only.
    is_busy = number == errno.EBUSY or "exclusively lock" in str(error)
    return BUSY if is_busy else NOT_FOUND


def read_some(port: Any) -> bytes:
    """Return what has come, or nothing after a moment; raises OSError when the port is gone."""
    first = port.read(1)
    more = port.read(port.in_waiting) if first and port.in_waiting else b""
    return bytes(first + more)


def close_quietly(port: Any) -> None:
    """Close a port that may be gone."""
    with suppress(*GONE):
        port.close()


def candidates() -> list[str]:
    """Return the ports a board may be on; names that stay the same when it is plugged in again."""
    if BY_ID.is_dir():
        return sorted(str(path) for path in BY_ID.iterdir())
    return sorted(port.device for port in serial.tools.list_ports.comports())
