"""A touch answers a question, whatever the switches that it is about do."""

from jetan_table.game.record import Record
from jetan_table.session.session import Session
from tests.jetan_table.hands import Hands, header


def test_a_touch_answers_though_another_candidate_holds_closed() -> None:
    hands = Hands(Session(Record.begin(header())))
    hands.wait(2.0)
    hands.lift("d2")
    hands.fail("e3", True)
    hands.put("d3")
    hands.wait()
    assert hands.session.record.question is not None
    hands.lift("d3")
    hands.put("d3")
    assert hands.session.record.question is None
    assert hands.session.record.moves == ("Pd2-d3",)
