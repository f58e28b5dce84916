"""What systemd hears of a table, and how its starts are counted."""

import socket
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.game.events import Entry, GameId
from jetan_table.table.loop import EagerClock
from jetan_table.table.supervision import (
    DISK_S,
    GOOD_S,
    MOST_BAD,
    RUNTIME_FOLDER,
    WATCHDOG_S,
    Heartbeat,
    Starts,
)
from tests.jetan_table.sitting import sitting


def at(folder: Path) -> Starts:
    return Starts({RUNTIME_FOLDER: str(folder)})


def test_bad_starts_are_counted_with_what_they_ended_with(tmp_path: Path) -> None:
    for number in range(1, MOST_BAD + 1):
        assert at(tmp_path).bad == number - 1
        at(tmp_path).begin()
        assert at(tmp_path).why == ""
        at(tmp_path).failed("no board,\nnowhere")
    assert (at(tmp_path).bad, at(tmp_path).why) == (MOST_BAD, "no board, nowhere")
    at(tmp_path).give_one_more()
    assert (at(tmp_path).bad, at(tmp_path).why) == (MOST_BAD - 1, "no board, nowhere")
    at(tmp_path).good()
    assert (at(tmp_path).bad, at(tmp_path).why) == (0, "")


def test_a_start_is_good_after_a_minute_at_the_table(tmp_path: Path) -> None:
    starts = at(tmp_path)
    starts.begin()
    with sitting(tmp_path / "games") as evening:
        evening.table.welcome(starts)
        evening.wait(0.1)
        assert at(tmp_path).bad == 1
        evening.clock.sleep(GOOD_S)
        evening.wait(0.1)
        assert at(tmp_path).bad == 0


@pytest.mark.parametrize("text", [b"", b"many\n", b"-1\n", b"9" * 5000, b"\xff\xfe", b"\xb2\n"])
def test_a_damaged_count_is_none(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "starts").write_bytes(text)
    assert at(tmp_path).bad == 0
    at(tmp_path).begin()
    assert at(tmp_path).bad == 1


@pytest.mark.parametrize(
    "environment", [{}, {RUNTIME_FOLDER: ""}, {RUNTIME_FOLDER: "/nowhere/at/all"}]
)
def test_without_a_folder_nothing_is_counted(environment: dict[str, str]) -> None:
    starts = Starts(environment)
    starts.begin()
    starts.failed("no board")
    starts.good()
    assert (starts.bad, starts.why) == (0, "")


@pytest.mark.parametrize(
    ("error", "why"),
    [(KeyError(2), "KeyError: 2"), (FileNotFoundError(2, "Gone", "/dev/x"), "/dev/x: Gone")],
)
def test_a_driver_that_raises_is_named_with_what_it_raised(
    error: Exception, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: object) -> int:
        raise error

    monkeypatch.setattr("jetan_table.cli.at_table.play_there", play)
    monkeypatch.setenv(RUNTIME_FOLDER, str(tmp_path))
    if isinstance(error, KeyError):
        with pytest.raises(KeyError):
            main(["serve", "--data", str(tmp_path)])
    else:
        assert main(["serve", "--data", str(tmp_path)]) == 2
    assert (at(tmp_path).bad, at(tmp_path).why) == (1, why)


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


def test_a_disk_is_waited_for_with_more_patience_than_a_scan(systemd: socket.socket) -> None:
    heartbeat = beating(systemd, WATCHDOG_USEC="20000000")
    heartbeat.at_disk(True)
    assert heard(systemd) == [], "before it is ready systemd waits for the start"
    heartbeat.beat(100.0)
    heartbeat.at_disk(True)
    heartbeat.at_disk(False)
    assert heard(systemd)[2:] == [
        f"WATCHDOG_USEC={DISK_S}000000\nWATCHDOG=1",
        "WATCHDOG_USEC=20000000\nWATCHDOG=1",
    ]
    unwatched = beating(systemd)
    unwatched.beat(100.0)
    unwatched.at_disk(True)
    assert heard(systemd) == ["READY=1"]


class Watchdog(EagerClock):
    """systemd's watchdog in a time of its own: when it would have ended the table."""

    def __init__(self, line: socket.socket) -> None:
        super().__init__()
        self._line, self._patience_s, self._fed_at = line, 20.0, self.now()
        self.ended_after: float | None = None

    def sleep(self, seconds: float) -> None:
        for message in heard(self._line):
            words = dict(line.split("=") for line in message.splitlines())
            if "WATCHDOG_USEC" in words:
                self._patience_s = int(words["WATCHDOG_USEC"]) / 1e6
            if "WATCHDOG" in words:
                self._fed_at = self.now()
        super().sleep(seconds)
        if self.ended_after is None and self.now() > self._fed_at + self._patience_s:
            self.ended_after = self._patience_s


@pytest.mark.parametrize("sync_s", [7.0, 25.0, 90.0])
def test_a_slow_disk_is_no_reason_to_end_a_table(
    systemd: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sync_s: float
) -> None:
    watchdog = Watchdog(systemd)
    play_a_ply(tmp_path, watchdog, beating(systemd, WATCHDOG_USEC="20000000"), monkeypatch, sync_s)
    assert watchdog.ended_after is None


def test_a_disk_that_answers_no_more_ends_the_table(
    systemd: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watchdog = Watchdog(systemd)
    play_a_ply(tmp_path, watchdog, beating(systemd, WATCHDOG_USEC="20000000"), monkeypatch, 400.0)
    assert watchdog.ended_after == DISK_S


def test_a_scan_that_hangs_ends_the_table_after_a_slow_disk_too(
    systemd: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watchdog = Watchdog(systemd)
    play_a_ply(tmp_path, watchdog, beating(systemd, WATCHDOG_USEC="20000000"), monkeypatch, 25.0)
    watchdog.sleep(21.0)
    assert watchdog.ended_after == WATCHDOG_S


def play_a_ply(
    folder: Path,
    clock: EagerClock,
    heartbeat: Heartbeat,
    monkeypatch: pytest.MonkeyPatch,
    sync_s: float,
) -> None:
    """Play a ply at a table whose every sync takes so long, in the clock's time."""
    with sitting(folder) as evening:
        evening.clock = clock
        evening.table.welcome(heartbeat)
        evening.wait(1.0)
        append = evening.journal.append

        def append_slowly(game: GameId, entries: Sequence[Entry]) -> None:
            append(game, entries)
            clock.sleep(sync_s)

        with monkeypatch.context() as slow:
            slow.setattr(evening.journal, "append", append_slowly)  # SQLite syncs by itself
            slow.setattr("os.fsync", lambda file: clock.sleep(sync_s))
            evening.move("d2", "d3")
        assert evening.table.record.moves == ("Pd2-d3",)


def test_nobody_listening_is_no_trouble(systemd: socket.socket, tmp_path: Path) -> None:
    heartbeat = beating(systemd)
    systemd.close()
    heartbeat.beat(1.0)
    silent = Heartbeat({})
    silent.beat(1.0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notify"]
