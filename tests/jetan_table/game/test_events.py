"""Events as the journal keeps them."""

import msgspec
import pytest

from jetan_table.game.events import EVENT_KINDS, Question


def test_a_question_may_hold_a_corner_as_it_once_did() -> None:
    kept = b'{"number":3,"from_square":"d2","candidates":["e3"],"corner":null}'
    read = msgspec.json.decode(kept, type=EVENT_KINDS["question"])
    assert read == Question(3, "d2", ("e3",))


def test_no_other_event_holds_what_is_not_known() -> None:
    with pytest.raises(msgspec.ValidationError, match="corner"):
        msgspec.json.decode(b'{"number":3,"move":"Pd2-d3","corner":null}', type=EVENT_KINDS["ply"])
