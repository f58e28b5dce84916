"""Joins the real driver to an emulated board in virtual time."""

from collections.abc import Callable, Iterable

from firmware_bridge.errors import UNPLUGGED
from firmware_bridge.port import PortClosed, PortEvent, PortOpened, Received
from tests.emulated.emulated_board import EmulatedBoard

Faults = Callable[[bytes], bytes]
"""What becomes of the bytes on their way."""


def unharmed(data: bytes) -> bytes:
    """Let every byte pass."""
    return data


class VirtualPort:
    """A `Port` whose time is the emulated board's, which was 0 at `power_on` on the table clock."""

    def __init__(
        self,
        board: EmulatedBoard,
        power_on: float = 0.0,
        to_board: Faults = unharmed,
        to_host: Faults = unharmed,
    ) -> None:
        self.board = board
        self._power_on = power_on
        self._to_board, self._to_host = to_board, to_host
        self._events: list[PortEvent] = [PortOpened(power_on, "emulated")]
        self._is_plugged = True

    @property
    def now(self) -> float:
        """The table's time."""
        return self._power_on + self.board.now

    def run_until(self, at: float) -> None:
        """Let time pass, and hear what the board says meanwhile."""
        self.board.run_until(at - self._power_on)
        for chunk_at, data in chunks(self.board.receive()):
            if self._is_plugged:
                self.hear(self._power_on + chunk_at, self._to_host(data))

    def hear(self, at: float, data: bytes) -> None:
        """Take in what has come from the board."""
        self._events.append(Received(at, data))

    def take(self) -> Iterable[PortEvent]:
        events, self._events = self._events, []
        return events

    def write(self, data: bytes) -> None:
        if self._is_plugged:
            self.board.send(self._to_board(data))

    def close(self) -> None:
        self._is_plugged = False

    def unplug(self) -> None:
        """Pull the cable out."""
        self._is_plugged = False
        self._events.append(PortClosed(self.now, "emulated", UNPLUGGED))

    def plug(self, cause: int, bootloader_s: float) -> None:
        """Put it in again: the board starts anew, as the host's opening makes it."""
        self.board.reset(cause, bootloader_s)
        self._is_plugged = True
        self._events.append(PortOpened(self.now, "emulated"))


def chunks(timed_bytes: list[tuple[float, int]]) -> Iterable[tuple[float, bytes]]:
    """Join bytes as a host reads them: those up to a zero at the time of the last."""
    begun = bytearray()
    for at, byte in timed_bytes:
        begun.append(byte)
        if byte == 0:
            yield at, bytes(begun)
            begun.clear()
    if begun:
        yield timed_bytes[-1][0], bytes(begun)
