"""The report of the sensors: what switches have shown on all evenings, and no secrets."""

from contextlib import closing
from pathlib import Path

from hardware.ports import SwitchCounts
from jetan_table.boards.screen import typed_hands
from jetan_table.journal.journal import Journal
from jetan_table.page.documents import sensors_document, without_addresses
from jetan_table.people.board import SimulatedBoard
from jetan_table.settings import Settings
from jetan_table.table.board import BoardHands, BoardWatch, Plain
from jetan_table.table.games import open_game
from jetan_table.table.loop import EagerClock
from jetan_table.table.switches import keep_switches
from jetan_table.wiring import join
from rules import parse_square
from rules.sentences import Notice
from tests.jetan_table.hands import header


class RealBoard(Plain):
    """A simulated board that owns up to nothing: a table takes it for a real one."""

    hands: BoardHands | None = None
    trouble: Notice | None = None

    def __init__(self, board: SimulatedBoard) -> None:
        self.poll = board.poll


def test_of_a_real_board_it_is_shown_what_each_switch_has_missed(tmp_path: Path) -> None:
    keep_switches(tmp_path, {parse_square("d4"): SwitchCounts(41, 3, 0, 2, 7200.0)})
    with closing(Journal(tmp_path)) as journal:
        opened = open_game(journal, header())
        hands = typed_hands(journal, opened, seed=1)
        table = join(RealBoard(hands.board), journal, opened, Settings())
        clock = EagerClock()
        for move in ("", "d2d3", "d9d8", "c2c3", "c9c8"):
            if move:
                hands.move([parse_square(move[:2]), parse_square(move[2:])], clock.now())
            until = clock.now() + 1.5
            while clock.now() < until:
                table.step(clock.now())
                clock.sleep(0.05)
        squares = sensors_document(table, BoardWatch(), 100.0, clock.now(), "en")["squares"]
        assert {key: squares["d4"][key] for key in ("placed", "missed", "ghosts")} == {
            "placed": 41,
            "missed": 3,
            "ghosts": 2,
        }
        assert (squares["d3"]["placed"], squares["d3"]["missed"]) == (1, 0)
        simulated = join(hands.board, journal, opened, Settings())
        document = sensors_document(simulated, BoardWatch(), None, clock.now(), "en")
        assert "placed" not in document["squares"]["d4"]


def test_an_address_that_may_hold_a_password_is_left_out() -> None:
    line = "no picture from the camera: rtsp://me:secret@cam.local/1: refused"
    assert without_addresses("en", line) == "no picture from the camera: … refused"
    assert without_addresses("en", "board silent for 3 s") == "board silent for 3 s"
