"""The heartbeat: what systemd hears of a table, and that nobody listening is no trouble."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from jetan_table.table.heartbeat import Heartbeat


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    """systemd's end of the line."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as line:
        line.bind(str(tmp_path / "notify"))
        yield line


def heard(systemd: socket.socket) -> list[str]:
    messages = []
    while True:
        try:
            messages.append(systemd.recv(100).decode())
        except BlockingIOError:
            return messages


def beating(systemd: socket.socket, **environment: str) -> Heartbeat:
    return Heartbeat({"NOTIFY_SOCKET": systemd.getsockname(), **environment})


def test_the_first_step_says_that_the_table_is_ready(systemd: socket.socket) -> None:
    heartbeat = beating(systemd)
    assert heard(systemd) == []
    for now in (100.0, 100.01, 200.0):
        heartbeat.beat(now)
    assert heard(systemd) == ["READY=1"]


def test_the_watchdog_is_fed_four_times_in_its_patience(systemd: socket.socket) -> None:
    heartbeat = beating(systemd, WATCHDOG_USEC="20000000")
    for step in range(2000):
        heartbeat.beat(step / 100)
    assert heard(systemd) == ["READY=1", *["WATCHDOG=1"] * 4]


def test_a_scan_that_stands_still_feeds_nothing(systemd: socket.socket) -> None:
    heartbeat = beating(systemd, WATCHDOG_USEC="20000000")
    heartbeat.beat(100.0)
    assert heard(systemd) == ["READY=1", "WATCHDOG=1"]
    assert heard(systemd) == []


def test_nobody_listening_is_no_trouble(systemd: socket.socket, tmp_path: Path) -> None:
    heartbeat = beating(systemd)
    systemd.close()
    heartbeat.beat(1.0)
    silent = Heartbeat({})
    silent.beat(1.0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notify"]
