"""`jetan wire` at a board on a serial line: pieces put down, lines typed, settings written."""

import re
import time
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen

import pytest

from jetan_table.extras.commissioning.walk import next_lamp
from jetan_table.light.lamps import Lamp
from jetan_table.settings import read_settings
from rules import SQUARES, Square, format_square, parse_square
from tests.e2e.command import begun
from tests.e2e.test_serial_board import Chip, chip
from tests.needs import EMULATOR

REST_S = 0.2
NAMED = re.compile(r"Put one piece on ([a-j]\d+)\.")


class Person:
    """Reads what the wizard says, puts pieces on a board whose wires run in rows, and types."""

    def __init__(self, board: Chip, wizard: Popen[str]) -> None:
        self._board, self._wizard = board, wizard
        self._lit: dict[Lamp, Square] = {}

    def hear(self, line: str) -> None:
        named = NAMED.search(line)
        if "press Enter" in line:
            self.type("")
        elif named is not None and named[1] == "b1":
            self.type("d4")  # which is refused: the wizard has asked for b1
        elif "type a square" in line:
            self.put(parse_square("b1"))
        elif named is not None:
            self.put(parse_square(named[1]))
        elif "lit square." in line:
            lamp = next_lamp(self._lit, (), walks=False)
            assert lamp is not None
            self._lit[lamp] = SQUARES[lamp]
            if len(self._lit) % 2:
                self.put(SQUARES[lamp])
            else:
                self.type(format_square(SQUARES[lamp]))

    def type(self, line: str) -> None:
        assert self._wizard.stdin is not None
        self._wizard.stdin.write(f"{line}\n")
        self._wizard.stdin.flush()

    def put(self, square: Square) -> None:
        self._board.set([square], True)
        time.sleep(REST_S)
        self._board.set([square], False)


@pytest.mark.needs(*EMULATOR)
def test_a_serial_board_is_found_out_and_written_down(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    with chip() as board:
        board.set(SQUARES, False)
        config.write_text(f'[serial]\nport = "{board.port}"\n')
        pipes = {"stdin": PIPE, "stdout": PIPE, "stderr": STDOUT, "text": True}
        wizard = begun(tmp_path, "wire", "--board", "serial", "--config", config, **pipes)
        person, printed = Person(board, wizard), ""
        assert wizard.stdout is not None
        with wizard:
            for line in wizard.stdout:
                printed += line
                person.hear(line)
    assert wizard.returncode == 0, printed
    assert "d4: type a square, such as d4, or nothing" in printed
    settings = read_settings(config)
    assert (settings.table.board, settings.serial.port) == ("serial", board.port)
    assert (settings.reed.order, settings.lamps.order) == ("rows", "rows")
