"""What docs/service.md says of a table that is cut off, on more of its surfaces."""

import resource
import signal
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.command import ROOT, command, environment
from tests.e2e.forked import forked, run
from tests.e2e.served import served
from tests.e2e.test_screen import Typist
from tests.e2e.test_serial_board import ODD, answering
from tests.e2e.test_what_happens import await_health, fill_disk, playing, read_until, type_in
from tests.firmware_bridge.peer import Peer
from tests.jetan_table.sitting import play_one_move
from tests.sentences import said

GOES_ON = "Game 1 goes on after 1 moves."


@pytest.mark.promises("it is killed, or the power fails", "plain lines", "log")
def test_the_next_start_says_that_the_game_goes_on(tmp_path: Path) -> None:
    with playing(tmp_path) as process:
        type_in(process, "d2 d3")
        read_until(process, "confirmed 1 Pd2-d3")
        process.send_signal(signal.SIGKILL)
    with playing(tmp_path) as process:
        assert read_until(process, GOES_ON)
        process.send_signal(signal.SIGKILL)
    service, log = forked(tmp_path, "serve", "--port", "0", "--data", tmp_path / "games")
    with log:
        assert any(GOES_ON in line for line in log)
        service.kill()


@pytest.mark.promises("the disk is full at the start", "standard error")
def test_a_disk_that_is_full_at_the_start_is_named_and_nothing_is_changed(tmp_path: Path) -> None:
    games = tmp_path / "games"
    play_one_move(games)
    before = {path: path.read_bytes() for path in games.rglob("*") if path.is_file()}
    ended = subprocess.run(
        command("play", "--plain", "--data", games),
        input="e9 e8\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(tmp_path),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
        check=False,
        timeout=60,
    )
    assert ended.returncode == 2
    assert str(games) in ended.stderr
    assert "make room" in ended.stderr
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.promises("the disk is full, or refuses to write", "terminal")
def test_a_full_disk_is_said_on_the_terminal_s_screen(tmp_path: Path) -> None:
    with closing(Typist(tmp_path)) as typist:
        typist.await_text("to move")
        fill_disk(typist.process.pid)
        typist.type("d2 d3\r")
        typist.await_text("Nothing is confirmed now.")
        assert "confirmed 1" not in typist.seen


@pytest.mark.promises("a file of games is one piece of 50 MB", "standard error")
def test_a_file_in_one_piece_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "huge.jgn"
    file.write_bytes(b'[Rules "appendix"]\n\n' + b"x" * 50_000_000)
    ended = run(tmp_path, "games", "check", file)
    assert ended.returncode == 2
    assert "50000000 letters in one piece" in ended.stderr


BEFORE_IT_SPEAKS = ("starts", "waiting", "says nothing")
"""What is said of a board that has not yet announced itself."""


@pytest.mark.promises(
    "a board announces or sends something unknown to this program", "page", "`/health`"
)
def test_a_board_of_a_kind_nobody_knows_is_told_of_on_the_page(tmp_path: Path) -> None:
    peer = Peer(sensor=ODD, now=time.monotonic())
    with answering(peer) as port, served(tmp_path, "--board", port) as table:
        _, health = await_health(table.url, 503)
        while any(word in health["troubles"][0] for word in BEFORE_IT_SPEAKS):
            _, health = await_health(table.url, 503)
        assert "of a kind (2)" in health["troubles"][0]
        assert "of a kind (2)" in said(table.state()["trouble"])
