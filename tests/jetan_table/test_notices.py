"""Notices: one id each, the worst first, and what people ignore."""

from itertools import permutations

from jetan_table.notices import about, listed, severity
from rules import Notice

SUPPLY = Notice("supply", "fail", "under-voltage now")
SWITCH = Notice("switches", "warn", "switch d4 missed 3 of 41 pieces", place="d4")
UPDATE = Notice("update", "warn", "version 0.98 is available", "sudo jetan update", "0.98")
FINE = Notice("python", "pass", "Python 3.11.2, 64 bits")


def test_the_worst_comes_first_and_each_once() -> None:
    again = Notice("switches", "warn", "switch d4 sees no piece", place="d4")
    assert again.id == SWITCH.id == "switches-d4"
    for found in permutations((UPDATE, SWITCH, FINE, SUPPLY)):
        assert listed((*found, again)) == (SUPPLY, SWITCH, UPDATE)
    assert [severity(each) for each in (SUPPLY, SWITCH, UPDATE)] == ["error", "warning", "info"]
    assert about(SUPPLY).breaks.startswith("the machine may stop")
    assert about(UPDATE).act == "update"


def test_what_is_ignored_is_not_listed_unless_it_is_an_error_or_another_one() -> None:
    ignored = {SUPPLY.id, SWITCH.id, UPDATE.id}
    other = Notice("update", "warn", "version 0.99 is available", place="0.99")
    assert listed((SUPPLY, SWITCH, UPDATE, other), ignored) == (SUPPLY, other)
