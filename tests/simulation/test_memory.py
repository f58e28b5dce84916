"""A question that nobody answers costs no memory, however long it stands."""

import tracemalloc
from pathlib import Path

from jetan_table.game.commands import NewGame
from rules import parse_square
from tests.jetan_table.hands import ASKING, header
from tests.simulation.hands import TidyHands
from tests.simulation.plug import Switches

MINUTE_S = 60.0
MOST_BYTES = 200_000


def test_an_open_question_costs_no_memory(tmp_path: Path) -> None:
    hands = TidyHands(Switches(), tmp_path, NewGame(header(start=ASKING)))
    table = hands.table
    table.wait(2.0)
    hands.lift(parse_square("d5"))
    table.wait(MINUTE_S)
    assert table.view.question is not None
    tracemalloc.start()
    table.wait(5 * MINUTE_S)
    grown, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert table.view.question is not None
    table.close()
    assert grown < MOST_BYTES
