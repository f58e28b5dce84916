"""The real port on pseudo-terminals and sockets: opened, found, pulled out, put in again."""

import errno
import os
import select
import socket
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from firmware_bridge import BoardSettings, SerialBoard
from firmware_bridge import port as ports
from firmware_bridge.errors import BUSY, FORBIDDEN, NOT_FOUND
from firmware_bridge.link import MOST_PASSED
from firmware_bridge.mirror import SwitchLevel
from firmware_bridge.port import AUTO, Received, SerialPort
from hardware.ports import Switch, presence
from rules import SQUARES, Sentence
from tests.firmware_bridge.peer import Peer

SWITCH_OF = tuple(Switch(square) for square in SQUARES)
PATIENCE_S = 20.0
"""A test that waits longer has failed."""


class LivePeer:
    """A peer behind a file descriptor, in real time."""

    def __init__(self, line: int) -> None:
        self.peer = Peer(now=time.monotonic())
        self._line = line
        self._lock = threading.Lock()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def set(self, switch: int, level: SwitchLevel) -> None:
        with self._lock:
            self.peer.set(switch, level)

    def close(self) -> None:
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ends.is_set():
            data = b""
            if select.select([self._line], [], [], 0.005)[0]:
                with suppress(OSError):  # nobody has the terminal open just now
                    data = os.read(self._line, 4096)
            with self._lock:
                self.peer.run_until(time.monotonic())
                self.peer.write(data)
                chunks = [event.data for event in self.peer.take() if isinstance(event, Received)]
            with suppress(OSError):
                os.write(self._line, b"".join(chunks))


@contextmanager
def on_terminal(link: Path) -> Iterator[LivePeer]:
    """A board on a pseudo-terminal that `link` names; afterwards its cable is out."""
    line, terminal = os.openpty()
    tty.setraw(terminal)
    link.unlink(missing_ok=True)
    link.symlink_to(os.ttyname(terminal))
    live = LivePeer(line)
    try:
        yield live
    finally:
        live.close()
        link.unlink()
        os.close(terminal)
        os.close(line)


def wait(board: SerialBoard, until: Callable[[], object]) -> dict[int, bool]:
    """Poll until something holds; return what squares were told to be."""
    begun, occupied = time.monotonic(), dict[int, bool]()
    while not until():
        assert time.monotonic() < begun + PATIENCE_S, board.trouble
        for observation in board.poll(time.monotonic()):
            for square, evidence in observation.squares.items():
                assert evidence is not None
                occupied[square] = presence(evidence) > 0
        time.sleep(0.005)
    return occupied


def is_ready(board: SerialBoard) -> bool:
    """Whether the board plays: nothing is wrong, and its levels are known."""
    return board.trouble is None and board.link.follower.levels is not None


@contextmanager
def driver(url: str) -> Iterator[SerialBoard]:
    settings = BoardSettings()
    board = SerialBoard(SerialPort(url, settings.baud, time.monotonic), settings, SWITCH_OF)
    try:
        yield board
    finally:
        board.close()


def test_a_cable_pulled_out_and_put_in_again_loses_nothing(tmp_path: Path) -> None:
    link = tmp_path / "board"
    with driver(str(link)) as board:
        wait(board, lambda: "no board found" in str(board.trouble))
        with on_terminal(link) as live:
            live.set(44, SwitchLevel.NORTH)
            occupied = wait(board, lambda: is_ready(board))
            assert occupied[44]
            board.show(((1, 2, 3),) * 100)
            wait(board, lambda: live.peer.shown)
        wait(board, lambda: "unplugged" in str(board.trouble))
        with on_terminal(link) as live:
            live.set(45, SwitchLevel.NORTH)
            occupied = wait(board, lambda: levels(board)[45] is SwitchLevel.NORTH)
            occupied |= wait(board, lambda: board.trouble is None)
            assert occupied[45]
            assert occupied[44] is False


def test_a_port_that_is_lent_is_free_and_is_taken_up_again(tmp_path: Path) -> None:
    link = tmp_path / "board"
    with on_terminal(link), driver(str(link)) as board:
        wait(board, lambda: is_ready(board))
        with pytest.raises(OSError, match="exclusively lock"):
            ports.open_port(str(link), board.link.settings.baud)
        with board.cabled.lent():
            ports.open_port(str(link), board.link.settings.baud).close()
            wait(board, lambda: "busy while the firmware" in str(board.trouble))
        wait(board, lambda: is_ready(board))
        assert any("< Hello(" in line for line in board.heard())
        assert len(board.heard()) <= MOST_PASSED


def levels(board: SerialBoard) -> tuple[SwitchLevel, ...]:
    return board.link.follower.levels or (SwitchLevel.OPEN,) * 100


def test_a_port_that_another_program_has_is_said_to_be_busy(tmp_path: Path) -> None:
    link = tmp_path / "board"
    with on_terminal(link), driver(str(link)) as first:
        wait(first, lambda: is_ready(first))
        with driver(str(link)) as second:
            wait(second, lambda: "used by another program: close it" in str(second.trouble))
        wait(first, lambda: first.trouble is None)
        assert is_ready(first)


@pytest.mark.parametrize(
    ("number", "trouble"),
    [
        (errno.EACCES, FORBIDDEN),
        (errno.EBUSY, BUSY),
        (errno.ENOENT, NOT_FOUND),
    ],
)
def test_why_a_port_does_not_open_is_told(number: int, trouble: Sentence) -> None:
    assert ports.why_not_open(OSError(number, os.strerror(number))) is trouble


def test_the_board_is_found_by_its_hello(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link, mute = tmp_path / "board", os.openpty()
    names = [os.ttyname(mute[1]), str(tmp_path / "nothing"), str(link)]
    monkeypatch.setattr(ports, "candidates", lambda: names)
    monkeypatch.setattr(ports, "PROBE_S", 0.5)
    with on_terminal(link), driver(AUTO) as board:
        wait(board, lambda: is_ready(board))
        assert board.link.follower.levels == (SwitchLevel.OPEN,) * 100
    for descriptor in mute:
        os.close(descriptor)


def test_a_socket_is_a_port_too() -> None:
    server = socket.create_server(("127.0.0.1", 0))
    url = f"socket://127.0.0.1:{server.getsockname()[1]}"
    with driver(url) as board:
        connection, _ = server.accept()
        live = LivePeer(connection.detach())
        wait(board, lambda: is_ready(board))
        live.set(7, SwitchLevel.NORTH)
        assert wait(board, lambda: levels(board)[7] is SwitchLevel.NORTH)[7]
        live.close()
    server.close()


def test_a_port_that_is_pulled_out_while_it_is_opened_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal's own error is none of the system's."""
    opened, failed = ports.open_port, list[str]()

    def pulled_out_at_first(url: str, baud: int) -> object:
        if not failed:
            failed.append(url)
            raise termios.error(errno.EIO, "Input/output error")
        return opened(url, baud)

    monkeypatch.setattr(ports, "open_port", pulled_out_at_first)
    with on_terminal(tmp_path / "board"), driver(str(tmp_path / "board")) as board:
        wait(board, lambda: is_ready(board))
    assert failed
