"""Contacts made steady: bounce never counts, and no level is wrong for long.

Reeds as a sensor: evidence, wiring, and what they refuse. Buttons: short presses when they end,
long ones once.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import exp
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.matrix import Matrix, Pin, SimulatedMatrix
from hardware.ports import BadWiring, Change, Switch, presence
from hardware.reeds import (
    LONG_PRESS_S,
    Button,
    ButtonPress,
    Buttons,
    Debounce,
    Reeds,
    ReedSensor,
    reed_evidence,
)
from rules import Occupant, Square
from tests.hardware.contacts import Contacts

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
    with pytest.raises(BadWiring, match=r"debounce_ms = .*: must be 0\.\.200"):
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


DIE, MENU = Pin(2), Pin(3)


class Fingers:
    """Pins with pull-ups, of which `down` are joined to ground."""

    def __init__(self) -> None:
        self.down: set[Pin] = set()
        self.released: list[Pin] = []

    def drive_low(self, pin: Pin) -> None:
        raise AssertionError("a button's pin must never be driven")

    def release(self, pin: Pin) -> None:
        self.released.append(pin)

    def read(self, pins: Sequence[Pin]) -> list[bool]:
        return [pin not in self.down for pin in pins]


def presses(held: Sequence[tuple[float, float, Pin]], until: float) -> list[ButtonPress]:
    """What is told when pins are held from and to these times, looked at every 5 ms."""
    fingers = Fingers()
    fingers.down = {pin for begin, _, pin in held if begin < 0}
    buttons = Buttons(fingers, {"die": DIE, "menu": MENU})
    assert fingers.released == [DIE, MENU]
    found = []
    for step in range(int(until * 200)):
        now = step / 200
        fingers.down = {pin for begin, end, pin in held if begin <= now < end}
        found += buttons.poll(now)
    return found


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        pytest.param([(1.0, 1.3, DIE)], [(1.3, "die", False)], id="short, when it ends"),
        pytest.param(
            [(1.0, 9.0, MENU)], [(1.0 + LONG_PRESS_S, "menu", True)], id="long, once while it lasts"
        ),
        pytest.param(
            [(1.0, 1.5, DIE), (1.2, 1.6, MENU)],
            [(1.5, "die", False), (1.6, "menu", False)],
            id="both at once",
        ),
        pytest.param(
            [(1.0, 1.005, DIE), (1.01, 1.4, DIE), (1.405, 1.41, DIE)],
            [(1.4, "die", False)],
            id="bounce is none",
        ),
        pytest.param([(-1.0, 9.0, MENU)], [], id="held from the start"),
    ],
)
def test_a_press_of_a_button_is_told(
    held: Sequence[tuple[float, float, Pin]], expected: list[tuple[float, Button, bool]]
) -> None:
    assert presses(held, 10.0) == [ButtonPress(*press) for press in expected]


ROWS = tuple(Pin(number) for number in range(10))
COLUMNS = tuple(Pin(number) for number in range(10, 20))
STRAIGHT = tuple(Switch(square) for square in range(100))
CROSSED = tuple(reversed(STRAIGHT))


def test_evidence_is_alike_for_all_that_may_stand_there_and_sums_to_one() -> None:
    closed, opened = reed_evidence(True), reed_evidence(False)
    assert len(set(closed[Occupant.BLACK :])) == len(set(opened[Occupant.BLACK :])) == 1
    for occupant in Occupant:
        assert exp(closed[occupant]) + exp(opened[occupant]) == pytest.approx(1)
    assert exp(closed[Occupant.EMPTY]) == pytest.approx(0.002)
    assert exp(opened[Occupant.NEUTRAL]) == pytest.approx(0.01)
    assert presence(closed) > 0 > presence(opened)


def test_a_switch_wired_elsewhere_is_told_as_its_square() -> None:
    contacts = Contacts([CROSSED[7]])
    pins = SimulatedMatrix(lambda: contacts.closed, ROWS, COLUMNS, Random(2))
    sensor = ReedSensor(Matrix(pins, ROWS, COLUMNS, pins.wait), CROSSED)
    (first,) = sensor.poll(0.0)
    assert [
        square for square, evidence in first.squares.items() if evidence and presence(evidence) > 0
    ] == [7]
    contacts.move(1.0, CROSSED[7], near=False)
    contacts.until(1.0)
    (lifted,) = sensor.poll(1.0)
    assert list(lifted.squares) == [Square(7)]


def test_a_switch_under_no_square_is_not_told() -> None:
    reeds = Reeds([False] * 101, STRAIGHT)
    assert reeds.feed(Change(1.0, Switch(100), True)) == []


def test_wiring_that_cannot_work_is_refused() -> None:
    with pytest.raises(BadWiring, match="switch 5 stands under two squares"):
        Reeds([False] * 100, (*STRAIGHT[:99], Switch(5)))
    with pytest.raises(BadWiring, match=r"switch 100 is not there: they are 0\.\.99"):
        Reeds([False] * 100, (*STRAIGHT[:99], Switch(100)))
