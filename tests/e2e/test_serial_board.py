"""`jetan play --board PORT`: a real board's way, with the firmware in a chip at the line's end."""

import os
import re
import select
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_bridge.messages import SENSORS
from firmware_bridge.port import Received
from jetan_table.cli import main
from rules import Position, parse_rules, parse_square
from tests.e2e.command import ROOT, begun
from tests.firmware_bridge.peer import Peer
from tests.needs import EMULATOR
from tests.profiles import PATIENCE_S

START = Position.start(parse_rules("appendix"))


class Chip:
    """The emulated board, and fingers on its switches."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware_bridge.emulation"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.port = self.process.stdout.readline().strip()
        self.set([square for square in range(100) if START.occupied >> square & 1], True)

    def set(self, switches: Sequence[int], closed: bool) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{switch} {closed:d}\n" for switch in switches))
        self.process.stdin.flush()

    def move(self, start: str, end: str) -> None:
        self.set([parse_square(start)], False)
        time.sleep(0.3)
        self.set([parse_square(end)], True)


@contextmanager
def chip() -> Iterator[Chip]:
    board = Chip()
    try:
        yield board
    finally:
        board.process.communicate()


class Table:
    """`jetan play` in plain lines, with somebody who reads and types."""

    def __init__(self, home: Path, *arguments: str | Path) -> None:
        self.seen = ""
        words = ("play", "--plain", "--data", home / "games", *arguments)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self.process = begun(home, *words, **pipes)

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def assert_shows(self, pattern: str) -> None:
        assert self.process.stdout is not None
        patience = time.monotonic() + PATIENCE_S
        while not re.search(pattern, self.seen):
            assert time.monotonic() < patience, f"{pattern!r} is not in {self.seen!r}"
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                self.seen += os.read(self.process.stdout.fileno(), 65536).decode()


@contextmanager
def table(home: Path, *arguments: str | Path) -> Iterator[Table]:
    """Sit down; whatever happens, the table is left in the end, and must be left well."""
    sitting = Table(home, *arguments)
    try:
        yield sitting
    finally:
        sitting.type("quit")
        sitting.process.communicate(timeout=PATIENCE_S)
    assert sitting.process.returncode == 0


@pytest.mark.needs(*EMULATOR)
def test_a_game_on_a_serial_board(tmp_path: Path) -> None:
    with chip() as board, table(tmp_path, "--board", board.port) as sitting:
        sitting.assert_shows("Black to move")
        board.move("d2", "d3")
        sitting.assert_shows("confirmed 1 Pd2-d3")
        sitting.type("e9 e8")
        sitting.assert_shows("a real board's pieces are moved by hand")
        sitting.type("board")
        sitting.assert_shows("speaks 1.0; it has started anew 0 times")
        sitting.type("back")
        sitting.assert_shows("Put the Panthan from d3 on d2")
        board.move("d3", "d2")
        sitting.assert_shows("Put the Panthan.*\n(.*\n)*Black to move")
        sitting.type("resign")
        sitting.assert_shows("Orange wins: Black has resigned")


@pytest.mark.needs(*EMULATOR)
def test_settings_name_the_board_and_a_cable_pulled_out_is_said_in_german(tmp_path: Path) -> None:
    with chip() as board:
        config = tmp_path / "table.toml"
        config.write_text(
            f'[table]\nboard = "serial"\nlanguage = "de"\n[serial]\nport = "{board.port}"\n'
        )
        with table(tmp_path, "--config", config) as sitting:
            sitting.assert_shows("Schwarz ist am Zug")
            board.process.communicate()
            sitting.assert_shows("das Brett wurde von .* abgezogen: wieder einstecken")


@pytest.mark.promises("a board announces or sends something unknown to this program", "plain lines")
def test_a_board_of_a_kind_nobody_knows_is_refused_until_it_is_one_we_know(
    tmp_path: Path,
) -> None:
    """As one with newer firmware is, which is then flashed with ours."""
    peer = Peer(sensor=ODD, now=time.monotonic())
    with answering(peer) as port, table(tmp_path, "--board", port) as sitting:
        sitting.assert_shows(r"switches are of a kind \(2\) that this program does not know")
        assert sitting.process.poll() is None
        peer.become(SENSORS["reed"])
        sitting.assert_shows("The board does not stand right yet")


ODD = SENSORS["hall"] + 1
"""A kind of sensor that nobody knows."""


@contextmanager
def answering(peer: Peer) -> Iterator[str]:
    """Let a board answer at a port."""
    line, terminal = os.openpty()
    tty.setraw(terminal)
    stop = threading.Event()
    board = threading.Thread(target=answer, args=(peer, line, stop))
    with closing_both(line, terminal):
        board.start()
        try:
            yield os.ttyname(terminal)
        finally:
            stop.set()
            board.join()


@contextmanager
def closing_both(*descriptors: int) -> Iterator[None]:
    try:
        yield
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def answer(peer: Peer, line: int, stop: threading.Event) -> None:
    """Be a board at the end of a line, with time passing as it does."""
    while not stop.is_set():
        peer.run_until(time.monotonic())
        if select.select([line], [], [], 0.02)[0]:
            peer.write(os.read(line, 4096))
        for event in peer.take():
            if isinstance(event, Received):
                os.write(line, event.data)


def test_pins_without_a_pi_are_refused_with_the_mend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.pins.gpio_libraries", list)
    assert main(["play", "--plain", "--data", str(tmp_path), "--board", "pins"]) == 2
    assert "RPi.GPIO is not installed: sudo apt-get install" in capsys.readouterr().err
