"""The file of what switches have shown: read again, damaged, taught and put back."""

from pathlib import Path

import pytest

from hardware.switches import FaultKind, SwitchCounts
from jetan_table.table.switches import (
    DAMAGED,
    KEPT_IN,
    Known,
    forget_teaching,
    keep_switches,
    poor_switches,
    read_switches,
    take_up,
    teach_switches,
)
from rules import parse_square

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
    assert [(one.square, one.kind) for one in poor_switches(COUNTS | ghost)] == [
        (D4, FaultKind.DEAD),
        (D4, FaultKind.STUCK),
        (E5, FaultKind.STUCK),
    ]
    assert list(poor_switches({D4: SwitchCounts(1, 1), E5: SwitchCounts(400, 2)})) == []
