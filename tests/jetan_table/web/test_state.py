"""What a page shows: the table's view as plain data."""

import json
from pathlib import Path

import msgspec
import pytest

from jetan_table.journal.journal import JournalUnwritable
from jetan_table.web.api import api
from jetan_table.web.state import TableState, state_of
from rules import parse_square
from rules.sentences import _
from tests.jetan_table.sitting import Evening, sitting


def shown(evening: Evening) -> TableState:
    return state_of(evening.table, evening.hands)


def test_a_ply_from_lift_to_record(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        now = evening.clock.now()
        evening.hands.lift(parse_square("d2"), now)
        evening.wait(0.5)
        lifted = shown(evening)
        assert lifted.board.cues == {"d2": "lifted", "c3": "legal", "d3": "legal", "e3": "legal"}
        assert lifted.means.hands is not None
        assert lifted.means.hands.in_hand == ["P"]
        assert "d2" not in lifted.board.standing
        evening.hands.put(parse_square("d3"), evening.clock.now())
        evening.wait(3.0)
        played = shown(evening)
        assert (played.game.moves, played.game.last_path, played.game.side) == (
            ["Pd2-d3"],
            ["d2", "d3"],
            "orange",
        )
        assert played.board.standing["d3"] == "P"
        assert played.demands.said["de"][-1] == "Orange ist am Zug."


def test_a_wrong_piece_and_its_way_back(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        evening.move("d2", "d7")
        state = shown(evening)
        assert state.demands.is_led
        assert msgspec.to_builtins(state.demands.step) == {
            "letter": "P",
            "from_square": "d7",
            "to_square": "d2",
        }
        assert "Put the Panthan from d7 on d2." in state.demands.said["en"]
        assert not any("`" in sentence for sentence in state.demands.said["en"])


def test_while_the_disk_refuses_the_lamps_are_dark_and_the_page_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sitting(tmp_path) as evening:

        def refuse(*_given: object) -> None:
            raise JournalUnwritable(_("no room"))

        with monkeypatch.context() as full:
            full.setattr("jetan_table.journal.journal.Journal.append", refuse)
            evening.move("d2", "d3")
            state = shown(evening)
        assert (state.demands.trouble, state.board.cues, state.game.moves) == ("no room", {}, [])
        assert state.demands.said["de"][0] == "Jetzt wird nichts bestätigt. no room"
        evening.wait(3.0)
        assert shown(evening).game.moves == ["Pd2-d3"]


def test_a_state_goes_out_as_one_object_and_as_described(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        flat = shown(evening).flat()
    described = api()["components"]["schemas"]["State"]
    assert set(described["required"]) <= flat.keys() == described["properties"].keys()
    assert json.loads(msgspec.json.encode(flat)) == flat
    assert flat["position"].startswith("wadfqcfdaw/")
