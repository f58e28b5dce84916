"""What switches have shown: kept by the names they are wired by, damaged, taught, put back."""

from pathlib import Path

import pytest

from hardware.ports import FaultKind, SwitchCounts
from jetan_table.game.events import GameId
from jetan_table.game.record import Record
from jetan_table.session.orientation import AS_WIRED, Orientation, orientations
from jetan_table.session.session import Certain, Session
from jetan_table.table.switches import (
    DAMAGED,
    KEPT_IN,
    PIECES_KEPT,
    Known,
    SwitchKeeper,
    forget_teaching,
    keep_switches,
    poor_switches,
    read_switches,
    take_up,
    teach_switches,
)
from rules import Square, parse_square
from tests.jetan_table.hands import header

D4, E5 = parse_square("d4"), parse_square("e5")
COUNTS = {D4: SwitchCounts(41, 3, 1, 2, 3600.5), E5: SwitchCounts(200, 1)}


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    assert read_switches(tmp_path) == Known({})
    keep_switches(tmp_path / "data", COUNTS)
    assert read_switches(tmp_path / "data") == Known(COUNTS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no counts",
        '{"squares": {"k4": {}}}',
        '{"squares": {"d4": {"placed": 1, "missed": 2}}}',
        '{"squares": {"d4": {"placed": "many"}}}',
        '{"squares": {"d4": {"ghosts": -1}}}',
        '{"squares": {"d4": {"ghosts": 1, "empty_s": -1}}}',
    ],
)
def test_a_damaged_file_is_said_set_aside_and_begun_anew(tmp_path: Path, text: str) -> None:
    (tmp_path / KEPT_IN).write_text(text)
    counts, trouble = take_up(tmp_path)
    assert counts == {}
    assert trouble is not None
    assert trouble.startswith(str(tmp_path / KEPT_IN))
    assert (tmp_path / DAMAGED).read_text() == text
    assert take_up(tmp_path) == Known({})


def test_what_is_taught_can_be_forgotten_once(tmp_path: Path) -> None:
    assert not forget_teaching(tmp_path)
    keep_switches(tmp_path, COUNTS)
    teach_switches(tmp_path, {D4: SwitchCounts(42, 3)})
    assert read_switches(tmp_path).counts == {D4: SwitchCounts(42, 3)}
    assert forget_teaching(tmp_path)
    assert read_switches(tmp_path).counts == COUNTS
    assert not forget_teaching(tmp_path)


def test_switches_that_err_clearly_more_often_than_others_are_found() -> None:
    ghost = {E5: SwitchCounts(ghosts=4, empty_s=7200.0)}
    assert [(square, kind) for square, _counts, kind in poor_switches(COUNTS | ghost)] == [
        (D4, FaultKind.DEAD),
        (D4, FaultKind.STUCK),
        (E5, FaultKind.STUCK),
    ]
    assert list(poor_switches({D4: SwitchCounts(1, 1), E5: SwitchCounts(400, 2)})) == []


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
    topology = SESSION.record.position.rules.board
    mirrored = next(each for each in orientations(topology) if each.actual[A1] == J1)
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
