"""What switches have shown is kept by the names they are wired by, however the board lies."""

from pathlib import Path

from hardware.switches import SwitchCounts
from jetan_table.game.events import GameId
from jetan_table.game.record import Record
from jetan_table.session.guests import Certain
from jetan_table.session.orientation import AS_WIRED, Orientation, orientations
from jetan_table.session.session import Session
from jetan_table.table.switches import (
    KEPT_IN,
    PIECES_KEPT,
    SwitchKeeper,
    keep_switches,
    read_switches,
)
from rules import Square
from tests.jetan_table.hands import header

A1, J1 = Square(0), Square(9)
SESSION = Session(Record.begin(header()))


def certain(lies: Orientation = AS_WIRED) -> Certain:
    return Certain(100.0, SESSION.record, SESSION.view, lies, GameId(1), 1, 1.0)


def test_counts_are_kept_as_something_was_missed_or_some_pieces_were_put_down(
    tmp_path: Path,
) -> None:
    keeper = SwitchKeeper(tmp_path, AS_WIRED)
    for _ in range(PIECES_KEPT - 1):
        keeper.rates.put_down(A1, is_shown=True)
        keeper.follow(certain())
    assert not (tmp_path / KEPT_IN).exists()
    keeper.rates.put_down(A1, is_shown=True)
    keeper.follow(certain())
    assert read_switches(tmp_path).counts == {A1: SwitchCounts(PIECES_KEPT)}
    keeper.rates.put_down(A1, is_shown=False)
    keeper.follow(certain())
    assert SwitchKeeper(tmp_path, AS_WIRED).rates.counts[A1].missed == 1


def test_a_board_that_is_turned_keeps_its_switches_counts(tmp_path: Path) -> None:
    topology = SESSION.record.position.rules.topology
    mirrored = next(each for each in orientations(topology) if each.really[A1] == J1)
    keep_switches(tmp_path, {A1: SwitchCounts(5, 1)})
    assert SwitchKeeper(tmp_path, mirrored).rates.counts == {J1: SwitchCounts(5, 1)}
    keeper = SwitchKeeper(tmp_path, AS_WIRED)
    keeper.follow(certain(mirrored))
    assert keeper.rates.counts == {J1: SwitchCounts(5, 1)}
    keeper.rates.put_down(J1, is_shown=False)
    keeper.follow(certain(mirrored))
    assert read_switches(tmp_path).counts == {A1: SwitchCounts(6, 2, 1)}


def test_a_damaged_file_is_noted_for_people(tmp_path: Path) -> None:
    assert SwitchKeeper(tmp_path, AS_WIRED).overlay(SESSION.view) is SESSION.view
    (tmp_path / KEPT_IN).write_text("{")
    (notice,) = SwitchKeeper(tmp_path, AS_WIRED).overlay(SESSION.view).notices
    assert notice.found.endswith("is damaged: switches are counted anew")


def test_a_disk_that_refuses_stops_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.write_text("a file where the folder should be")
    keeper = SwitchKeeper(folder, AS_WIRED)
    keeper.rates.put_down(A1, is_shown=False)
    keeper.follow(certain())
    assert keeper.rates.counts[A1].missed == 1
