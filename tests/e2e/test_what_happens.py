"""What happens when: each line of the table in docs/service.md, with real processes."""

import json
import os
import pty
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from jetan_table import __version__
from jetan_table.journal.archive import Archive
from jetan_table.page.playing import WAITS
from tests.e2e.command import ROOT, command, environment
from tests.e2e.forked import run
from tests.e2e.guest import Guest
from tests.e2e.served import served
from tests.e2e.test_screen import SHOW_SCREEN, Typist
from tests.e2e.windows import OWN_NAME
from tests.jetan_table.cli.in_process import told
from tests.profiles import PATIENCE_S
from tests.sentences import said

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GOES_ON = "the game goes on next time"
UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


@contextmanager
def playing(
    home: Path, *arguments: str, world: Callable[[], None] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Plain play that has said where the game stands."""
    words = command("play", "--plain", "--data", home / "games", *arguments, world=world)
    process = subprocess.Popen(
        ["env", "--default-signal=HUP", *words],  # also where nohup keeps this suite
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(home),
    )
    with process:
        yield process
        process.kill()


def read_until(process: subprocess.Popen[str], words: str) -> str:
    """Read what it prints up to a line with these words."""
    assert process.stdout is not None
    for line in process.stdout:
        if words in line:
            return line
    raise AssertionError(f"{words!r} was not said")


def type_in(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def plies(home: Path) -> list[str]:
    """Which plies of the newest game are on the disk, in a journal that is as it was written."""
    told(home, "games check --data", home / "games")
    with closing(Archive.open(home / "games")) as archive:
        entries = archive.entries(archive.games()[-1].game)
    return [move for entry in entries if (move := getattr(entry.event, "move", None))]


@pytest.mark.promises("Ctrl-C, SIGINT, SIGTERM", "standard error")
@pytest.mark.promises("the terminal is closed (SIGHUP)", "standard error")
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_plain_play_in_order(tmp_path: Path, number: signal.Signals) -> None:
    with playing(tmp_path) as process:
        type_in(process, "d2 d3")
        read_until(process, "confirmed 1 Pd2-d3")
        process.send_signal(number)
        _, said_last = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 128 + number
    assert GOES_ON in said_last
    assert "Traceback" not in said_last
    assert plies(tmp_path) == ["Pd2-d3"]
    assert "Game 1 goes on after 1 moves" in told(tmp_path, "", *again(tmp_path))


def again(home: Path) -> tuple[str | Path, ...]:
    return ("play", "--plain", "--data", home / "games")


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_the_page_in_order(
    tmp_path: Path, number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path) as table:
        assert table.stop(number) == 0
    assert GOES_ON in capfd.readouterr().err
    assert plies(tmp_path) == []


def test_what_nohup_ignores_stays_ignored(tmp_path: Path) -> None:
    ignoring = "import signal, runpy, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
    code = f"{ignoring}runpy.run_module('jetan_table', run_name='__main__')"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, again(tmp_path))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(tmp_path),
    )
    with process:
        read_until(process, "Black to move")
        process.send_signal(signal.SIGHUP)
        type_in(process, "d2 d3")
        assert read_until(process, "confirmed 1 Pd2-d3")
        process.kill()


def test_a_terminal_that_is_closed_ends_the_game_in_order(tmp_path: Path) -> None:
    """The kernel sends SIGHUP to whoever a terminal controls, and nothing can be printed then."""
    child, terminal = pty.fork()
    if child == 0:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.chdir(ROOT)
        words = command("play", "--terminal", "--data", tmp_path / "games")
        os.execve(words[0], words, {**environment(tmp_path), "TERM": "xterm"})
    printed = b""
    while SHOW_SCREEN.encode() not in printed or b"to move" not in printed:
        printed += os.read(terminal, 65536)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP
    assert plies(tmp_path) == []


def test_a_signal_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    with closing(Typist(tmp_path)) as typist:
        typist.await_text("to move")
        typist.process.send_signal(signal.SIGTERM)
        typist.await_text(GOES_ON)
        assert typist.process.wait(PATIENCE_S) == 128 + signal.SIGTERM


def fill_disk(pid: int) -> None:
    """Let the files of a process grow no more, as where the disk is full."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def make_room(pid: int) -> None:
    resource.prlimit(pid, resource.RLIMIT_FSIZE, UNLIMITED)


@pytest.mark.promises("the disk is full, or refuses to write", "plain lines")
def test_a_full_disk_is_said_in_plain_play_and_nothing_is_lost(tmp_path: Path) -> None:
    with playing(tmp_path) as process:
        type_in(process, "d2 d3")
        read_until(process, "confirmed 1")
        fill_disk(process.pid)
        type_in(process, "e9 e8")
        assert "make room" in read_until(process, "Nothing is confirmed now")
        make_room(process.pid)
        type_in(process, "why d2 d4")
        read_until(process, "confirmed 2 Pe9-e8")
    assert plies(tmp_path) == ["Pd2-d3", "Pe9-e8"]


def test_a_full_disk_is_said_where_simulated_people_play_in_plain_lines(tmp_path: Path) -> None:
    with playing(tmp_path, "--hands", "auto", "--speed", "20", "--preset", "careful") as process:
        read_until(process, "confirmed 1 ")
        fill_disk(process.pid)
        assert "make room" in read_until(process, "Nothing is confirmed now")
        make_room(process.pid)
        read_until(process, "confirmed")


@pytest.mark.promises("the disk is full, or refuses to write", "`/health`")
def test_health_tells_of_a_full_disk_and_of_its_end(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        table.await_playing()
        _, health = await_health(table.url, 200)
        assert health["version"] == __version__
        assert health["sensing"]
        assert health["disk"]
        assert health["last_scan_s"] < 10
        assert health["troubles"] == []
        token = table.ask("api/token", pin=table.pin)["token"]
        assert token
        fill_disk(table.pid)
        move(table.url, token, "d2", "d3")
        _, health = await_health(table.url, 503)
        assert health["sensing"]
        assert not health["disk"]
        assert "make room" in health["troubles"][0]
        make_room(table.pid)
        assert await_health(table.url, 200)[1]["disk"]


@pytest.mark.promises("the disk is full, or refuses to write", "page", "`/health`")
def test_a_full_disk_is_said_on_the_page_and_what_it_refuses_is_not_done_later(
    tmp_path: Path,
) -> None:
    with served(tmp_path, "--board", "screen") as table:
        guest = Guest(table, host=OWN_NAME)
        assert play(guest, "d2", "d3")[0] == 200
        fill_disk(table.pid)
        status, answer = play(guest, "e9", "e8")
        assert (status, answer["said"]) == (202, [{"template": WAITS, "values": {}}])
        refused = [play(guest, *way) for way in (("c2", "c3"), ("d9", "d8"), ("e2", "e3"))]
        refused += [guest.do({"do": word}) for word in ("back", "new", "learn", "puzzle")]
        refused.append(guest.do({"do": "load", "game": 1}))
        assert {status for status, _ in refused} == {409}
        assert all("make room" in answer["refused"] for _, answer in refused)
        state = guest.state()
        assert "make room" in said(state["trouble"])
        assert said(state["said"][0], "de").startswith("Jetzt wird nichts bestätigt.")
        assert state["moves"] == ["Pd2-d3"]
        assert str(tmp_path) not in json.dumps([state, refused, health_of(table.url)])
        make_room(table.pid)
        await_health(table.url, 200)
        assert play(guest, "d2", "d4")[0] == 409, "what was asked before has happened by now"
        assert guest.state()["moves"] == ["Pd2-d3", "Pe9-e8"]
        assert guest.state()["trouble"] is None
    assert plies(tmp_path) == ["Pd2-d3", "Pe9-e8"]


def play(guest: Guest, start: str, end: str) -> tuple[int, Any]:
    return guest.do({"do": "move", "from_square": start, "to_square": end})


def move(url: str, token: str, start: str, end: str) -> None:
    """Touch two squares, as somebody does who need not be answered."""
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    for does, square in (("lift", start), ("put", end)):
        body = json.dumps({"do": does, "square": square}).encode()
        with urlopen(Request(f"{url}api/do", body, headers)):
            pass


def health_of(url: str) -> tuple[int, Any]:
    try:
        with urlopen(f"{url}health") as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as error:
        return error.code, json.loads(error.read())


def await_health(url: str, status: int) -> tuple[int, Any]:
    patience = time.monotonic() + PATIENCE_S
    while (found := health_of(url))[0] != status:
        assert time.monotonic() < patience, found
        time.sleep(0.1)
    return found


@pytest.mark.promises("the home cannot be written", "standard error")
@pytest.mark.parametrize("home", ["/proc/nowhere", "FILE"])
@pytest.mark.parametrize("words", [("play", "--plain"), ("serve", "--port", "0"), ("learn",)])
def test_a_home_that_cannot_be_written_is_named(
    tmp_path: Path, home: str, words: tuple[str, ...]
) -> None:
    file = tmp_path / "file"
    file.touch()
    place = str(file) if home == "FILE" else home
    ended = run(Path(place), *words, typed="d2 d3\n", XDG_DATA_HOME="")
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"jetan: {place}")
    assert "use another --data folder" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.promises("a second table is started with the same journal", "standard error")
def test_a_second_table_at_one_journal_is_refused_and_the_first_plays_on(tmp_path: Path) -> None:
    with playing(tmp_path) as process:
        read_until(process, "Black to move")
        for words in (again(tmp_path), ("serve", "--port", "0", "--data", tmp_path / "games")):
            second = run(tmp_path, *words)
            assert second.returncode == 2
            assert "another table is playing here; stop it" in second.stderr
        type_in(process, "d2 d3")
        read_until(process, "confirmed 1 Pd2-d3")
        copy = tmp_path / "copy.sqlite"
        told(tmp_path, "games backup --data", tmp_path / "games", copy)
        refused = told(tmp_path, "games restore --data", tmp_path / "games", copy, code=2)
        assert "another table is playing here" in refused
    assert plies(tmp_path) == ["Pd2-d3"]


HUGE = f"[web]\nport = 0x{'f' * 5000}"


@pytest.mark.promises("settings that are not TOML, or impossible", "standard error")
@pytest.mark.parametrize("text", ["[" * 5000, "a = " + "[" * 5000, "a = " + "9" * 5000, HUGE])
def test_settings_that_make_no_sense_are_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(text)
    why = "must be 0..65535" if text == HUGE else "no TOML"
    for words, code in (("settings show", 2), ("play --plain", 2), ("doctor", 1)):
        assert why in told(tmp_path, f"{words} --config", file, code=code)
