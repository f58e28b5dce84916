"""No part of the project grows: what it may have is written down, and may only fall."""

from tests.tidy.budget import BUDGET, budget, lowered, measured, written
from tests.tidy.tree import ROOT, assert_none

SLACK = 0.02
"""Share by which a part may be smaller than what it may have before that must be lowered."""


def test_no_part_has_more_than_it_may() -> None:
    now, may = measured(), budget()
    where = BUDGET.relative_to(ROOT)
    assert now.keys() == may.keys(), f"{where}: run python -m tests.tidy.budget"
    assert_none(
        f"{part} has {count} {key} of {may[part][key]} ({where}): take it elsewhere, or say why"
        for part, counts in now.items()
        for key, count in counts.items()
        if count > may[part][key]
    )


def test_what_a_part_may_have_falls_with_it() -> None:
    now, may = measured(), budget()
    assert_none(
        f"{part} has {count} {key} of {may[part][key]}: run python -m tests.tidy.budget"
        for part, counts in now.items()
        for key, count in counts.items()
        if count < may[part][key] * (1 - SLACK) - 1
    )


def test_the_command_raises_nothing() -> None:
    may, now = {"a": {"lines": 10}}, {"a": {"lines": 12}, "b": {"lines": 3}}
    assert lowered(may, now) == {"a": {"lines": 10}, "b": {"lines": 3}}
    assert written(lowered(may, now)).splitlines()[1:] == [
        '"a" = { lines = 10 }',
        '"b" = { lines = 3 }',
    ]
