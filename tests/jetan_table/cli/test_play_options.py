"""A board is named on the command line by its kind, by its port, or as one that is simulated."""

import pytest

from jetan_table.cli.play_options import with_board
from jetan_table.settings import BOARD_KINDS, BoardKind, Settings


@pytest.mark.parametrize("kind", BOARD_KINDS)
def test_every_kind_of_board_can_be_named(kind: BoardKind) -> None:
    settings = with_board(Settings(), kind)
    assert settings.table.board == kind
    assert settings.serial == Settings().serial


@pytest.mark.parametrize(
    ("board", "kind", "port"),
    [
        ("auto", "serial", "auto"),
        ("/dev/ttyACM0", "serial", "/dev/ttyACM0"),
        ("socket://there:1", "serial", "socket://there:1"),
        ("emulated", "emulated", "auto"),
    ],
)
def test_a_port_is_a_board_at_a_cable(board: str, kind: str, port: str) -> None:
    settings = with_board(Settings(), board)
    assert (settings.table.board, settings.serial.port) == (kind, port)
