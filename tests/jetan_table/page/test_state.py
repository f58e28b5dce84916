"""What a page shows: the table's view, and what is amiss, as plain data."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware_bridge import BoardSettings, SerialBoard
from firmware_bridge.messages import Doubted
from jetan_table.journal.journal import Journal, JournalUnwritable
from jetan_table.languages import worded
from jetan_table.page.documents import sensors_document
from jetan_table.page.house import state_groups
from jetan_table.page.state import State, notice_state, of_table, state_of
from jetan_table.page.stream import Stream
from jetan_table.people.board import SWITCH_OF
from jetan_table.session.session import Guest
from jetan_table.session.view import View
from jetan_table.settings import Settings
from jetan_table.table.board import BoardWatch
from jetan_table.table.games import open_game
from jetan_table.wiring import join
from rules import Notice, Worded, _, parse_square
from tests.firmware_bridge.peer import Peer
from tests.jetan_table.hands import header
from tests.jetan_table.page.described import assert_described, described
from tests.jetan_table.sitting import Evening, sitting
from tests.sentences import all_said, said


def test_nobody_is_told_what_the_machine_calls_its_user() -> None:
    found = Worded(_("{user} is not in {missing}"), user="dejah", missing="gpio")
    mend = Worded(
        _("sudo usermod -aG {missing} {user}, then log in anew"), missing="gpio", user="dejah"
    )
    shown = notice_state(Notice("groups", "warn", found, mend))
    assert_described(shown, "Notice")
    assert said(shown["found"]) == "$USER is not in gpio"
    assert said(shown["mend"]) == "sudo usermod -aG gpio $USER, then log in anew"


def test_a_german_page_of_an_english_table_reads_in_german_what_ails_its_board(
    tmp_path: Path,
) -> None:
    peer = Peer()
    with closing(Journal(tmp_path)) as journal:
        board = SerialBoard(peer, BoardSettings(), SWITCH_OF)
        table = join(board, journal, open_game(journal, header()), Settings())
        for peer.now in (0.1, 0.2, 0.3):
            table.step(peer.now)
        peer.say(Doubted(0, b"\x0f" + bytes(12)))
        peer.unplug()
        for peer.now in (0.4, 0.5):
            table.step(peer.now)
        shown = {each.id: notice_state(each)["found"] for each in of_table(table)}
        unplugged = "das Brett wurde von … abgezogen: wieder einstecken"
        assert said(shown["cable"]).startswith("the board was unplugged")
        assert said(shown["cable"], "de") == unplugged.replace("…", "peer")
        assert said(shown["part-doubted"], "de").startswith("4 Schalter sind unglaubwürdig")
        document = sensors_document(table, BoardWatch(), 100.0, peer.now, "de")
        assert any("4 Schalter sind unglaubwürdig" in line for line in document["troubles"])


def shown(evening: Evening) -> State:
    return state_of(evening.table, evening.hands)


class Showing(Guest):
    """Lays a trouble and notes over a table's view, as a board's parts do."""

    def __init__(self, trouble: str, *notes: str) -> None:
        self._trouble, self._notes = trouble, notes

    def overlay(self, view: View) -> View:
        return replace(view, trouble=Notice("disk", "fail", self._trouble), guest_notes=self._notes)


TEXTS = (
    "plain",
    _("a sentence"),
    Worded(_("{path}: {why}"), path=Path("games/1.jgn"), why=_("Read-only file system")),
    Worded(_("{why}"), why=Worded(_("{word}!"), word=_("no room"))),
    JournalUnwritable(_("{count} of {all}"), count=1, all=2.5).worded,
    worded(OSError(30, "Read-only file system", "/var/lib/jetan/journal.sqlite")),
)
"""One of each kind that a table says."""


def texts_in(document: Any) -> Iterator[str]:
    match document:
        case str():
            yield document
        case dict():
            yield from (text for each in document.items() for text in texts_in(each))
        case list() | tuple():
            yield from (text for each in document for text in texts_in(each))


def test_a_ply_from_lift_to_record(evening: Evening) -> None:
    now = evening.clock.now()
    evening.hands.lift(parse_square("d2"), now)
    evening.wait(0.5)
    lifted = shown(evening)
    assert lifted["cues"] == {"d2": "lifted", "c3": "legal", "d3": "legal", "e3": "legal"}
    assert lifted["hands"] is not None
    assert lifted["hands"]["in_hand"] == ["P"]
    assert "d2" not in lifted["standing"]
    evening.hands.put(parse_square("d3"), evening.clock.now())
    evening.wait(3.0)
    played = shown(evening)
    assert (played["moves"], played["last_path"], played["side"]) == (
        ["Pd2-d3"],
        ["d2", "d3"],
        "orange",
    )
    assert played["standing"]["d3"] == "P"
    assert said(played["said"][-1], "de") == "Orange ist am Zug."


def test_a_wrong_piece_and_its_way_back(evening: Evening) -> None:
    evening.move("d2", "d7")
    state = shown(evening)
    assert state["is_led"]
    assert state["step"] == {"letter": "P", "from_square": "d7", "to_square": "d2"}
    assert "Put the Panthan from d7 on d2." in all_said(state["said"])
    assert not any("`" in sentence for sentence in all_said(state["said"]))


def test_while_the_disk_refuses_the_lamps_are_dark_and_the_page_says_why(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:

    def refuse(*_given: object) -> None:
        raise JournalUnwritable(_("no room"))

    with monkeypatch.context() as full:
        full.setattr("jetan_table.journal.journal.Journal.append", refuse)
        evening.move("d2", "d3")
        state = shown(evening)
    assert (said(state["trouble"]), state["cues"], state["moves"]) == ("no room", {}, [])
    assert said(state["said"][0], "de") == "Jetzt wird nichts bestätigt. no room"
    evening.wait(3.0)
    assert shown(evening)["moves"] == ["Pd2-d3"]


@pytest.mark.parametrize("words", TEXTS)
def test_whatever_a_sentence_is_made_of_it_goes_out(tmp_path: Path, words: str) -> None:
    """What a table says that the disk refuses, in the middle of a question and a repair."""
    with sitting(tmp_path) as evening:
        evening.table.welcome(Showing(words, *TEXTS))
        evening.move("d2", "d7")
        state = shown(evening)
    stream = Stream("now")
    stream.push(state)
    assert {type(text) for text in texts_in(state)} == {str}
    json.loads(msgspec.json.encode(state))
    assert stream.last_id == "now-1"


def test_a_page_is_not_told_where_files_lie(evening: Evening) -> None:
    where = Path("/var/lib/jetan/journal.sqlite")
    why = JournalUnwritable(_("{path}: no room"), path=where)
    again = JournalUnwritable(_("{why}"), why=why.worded)
    for error in (why, again, OSError(28, "full", where)):
        evening.table.welcome(Showing(worded(error)))
        evening.wait(0.1)
        words = " ".join(texts_in(shown(evening)))
        assert "journal.sqlite" in words
        assert "/var/lib" not in words


def test_a_state_is_as_it_is_described_and_features_add_keys_of_their_own(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        state = shown(evening)
    brought = {name for group in state_groups() for name in group.__struct_fields__}
    properties = described("State")["properties"].keys()
    assert not brought & state.keys()
    assert brought | state.keys() == properties
    assert state["position"].startswith("wadfqcfdaw/")
