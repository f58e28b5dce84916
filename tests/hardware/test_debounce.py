"""Debounce: eager, each switch by itself, and never a wrong level for long."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import BadSensorSetting, Change, Switch
from hardware.reeds import Debounce

LIFT = Switch(3)


def fed(debounce: Debounce, changes: list[tuple[float, bool]], until: float) -> list[Change]:
    found = []
    for at, closed in changes:
        found += debounce.feed(Change(at, LIFT, closed))
    return found + debounce.advance(until)


def test_a_lift_is_told_at_once_and_its_bounce_is_not() -> None:
    debounce = Debounce([True] * 10, debounce_ms=6)
    burst = [(1.0, False), (1.001, True), (1.002, False), (1.004, True), (1.005, False)]
    assert fed(debounce, burst, until=2.0) == [Change(1.0, LIFT, False)]


def test_a_gap_of_a_few_milliseconds_shows_as_a_blip() -> None:
    debounce = Debounce([True] * 10, debounce_ms=6)
    changes = fed(debounce, [(1.0, False), (1.003, True)], until=2.0)
    assert changes == [Change(1.0, LIFT, False), Change(1.006, LIFT, True)]


def test_it_asks_to_be_called_at_the_end_of_a_hold_off_only() -> None:
    debounce = Debounce([False] * 10, debounce_ms=6)
    assert debounce.due is None
    debounce.feed(Change(1.0, LIFT, True))
    assert debounce.due == pytest.approx(1.006)
    assert debounce.advance(1.006) == []
    assert debounce.due is None


def test_a_switch_that_bounces_does_not_hold_another() -> None:
    debounce = Debounce([False] * 10, debounce_ms=6)
    debounce.feed(Change(1.0, LIFT, True))
    assert debounce.feed(Change(1.001, Switch(4), True)) == [Change(1.001, Switch(4), True)]


def test_without_hold_off_every_change_is_told() -> None:
    changes = fed(Debounce([False] * 10, debounce_ms=0), [(1.0, True), (1.0, False)], until=1.0)
    assert [change.closed for change in changes] == [True, False]


@pytest.mark.parametrize("debounce_ms", [-1, 900, float("nan")])
def test_a_hold_off_that_cannot_work_is_refused(debounce_ms: float) -> None:
    with pytest.raises(BadSensorSetting, match=r"debounce_ms = .*: must be 0\.\.200"):
        Debounce([False], debounce_ms)


@given(
    gaps=st.lists(st.integers(1, 20_000), max_size=60),
    switches=st.lists(st.integers(0, 2), min_size=60, max_size=60),
    hold_off_ms=st.integers(0, 20),
)
def test_what_is_told_alternates_keeps_the_hold_off_and_ends_at_the_raw_level(
    gaps: list[int], switches: list[int], hold_off_ms: int
) -> None:
    raw = [False] * 3
    debounce = Debounce(raw, hold_off_ms)
    changes: list[Change] = []
    now_us = 0
    for gap, switch in zip(gaps, switches, strict=False):
        now_us += gap
        raw[switch] = not raw[switch]
        changes += debounce.feed(Change(now_us / 1e6, Switch(switch), raw[switch]))
    changes += debounce.advance(now_us / 1e6 + 1)
    assert debounce.levels == tuple(raw)
    assert [change.at for change in changes] == sorted(change.at for change in changes)
    for switch in range(3):
        own = [change for change in changes if change.switch == switch]
        assert [change.closed for change in own] == [n % 2 == 0 for n in range(len(own))]
        for one, next_one in pairwise(own):
            assert next_one.at - one.at >= hold_off_ms / 1000 - 1e-9


def test_what_does_not_count_is_counted_as_bounce() -> None:
    debounce = Debounce([False], 6.0)
    for at, closed in ((1.0, True), (1.001, False), (1.0025, True), (2.0, False)):
        debounce.feed(Change(at, Switch(0), closed))
    bouncing = debounce.bouncing[Switch(0)]
    assert bouncing.changes == 2
    assert bouncing.longest_s == pytest.approx(0.0025)
