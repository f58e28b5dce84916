"""What everybody is shown of what is amiss."""

from contextlib import closing
from pathlib import Path

from firmware_bridge import BoardSettings, SerialBoard
from firmware_bridge.messages import Doubted
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import open_game
from jetan_table.notices import Notice
from jetan_table.page.documents import sensors_document
from jetan_table.page.state import notice_state, of_table
from jetan_table.people.board import SWITCH_OF
from jetan_table.settings import Settings
from jetan_table.table.board import BoardWatch
from jetan_table.wiring import join
from rules.sentences import Worded, _
from tests.firmware_bridge.peer import Peer
from tests.jetan_table.hands import header


def test_nobody_is_told_what_the_machine_calls_its_user() -> None:
    found = Worded(_("{user} is not in {missing}"), user="dejah", missing="gpio")
    mend = Worded(
        _("sudo usermod -aG {missing} {user}, then log in anew"), missing="gpio", user="dejah"
    )
    shown = notice_state(Notice("groups", "warn", found, mend))
    assert shown.found["en"] == "$USER is not in gpio"
    assert shown.mend["en"] == "sudo usermod -aG gpio $USER, then log in anew"


def test_a_german_page_of_an_english_table_reads_in_german_what_ails_its_board(
    tmp_path: Path,
) -> None:
    peer = Peer()
    with closing(Journal(tmp_path)) as journal:
        board = SerialBoard(peer, BoardSettings(), SWITCH_OF)
        table, _lamps = join(board, journal, open_game(journal, None, header()), Settings())
        for peer.now in (0.1, 0.2, 0.3):
            table.step(peer.now)
        peer.say(Doubted(0, b"\x0f" + bytes(12)))
        peer.unplug()
        for peer.now in (0.4, 0.5):
            table.step(peer.now)
        shown = {each.id: notice_state(each).found for each in of_table(table)}
        unplugged = "das Brett wurde von … abgezogen: wieder einstecken"
        assert shown["cable"]["en"].startswith("the board was unplugged")
        assert shown["cable"]["de"] == unplugged.replace("…", "peer")
        assert shown["part-doubted"]["de"].startswith("4 Schalter sind unglaubwürdig")
        document = sensors_document(table, BoardWatch(), 100.0, peer.now, "de")
        assert any("4 Schalter sind unglaubwürdig" in line for line in document["troubles"])
