"""Reeds as a sensor: evidence, wiring, and what they refuse."""

from math import exp
from random import Random

import pytest

from hardware.matrix import Matrix, Pin, SimulatedMatrix
from hardware.ports import BadSensorSetting, BadWiring, Change, Switch, presence
from hardware.reeds import ReedErrors, Reeds, ReedSensor
from rules import Occupant, Square
from tests.hardware.contacts import Contacts

ROWS = tuple(Pin(number) for number in range(10))
COLUMNS = tuple(Pin(number) for number in range(10, 20))
STRAIGHT = tuple(Switch(square) for square in range(100))
CROSSED = tuple(reversed(STRAIGHT))


def test_evidence_is_alike_for_all_that_may_stand_there_and_sums_to_one() -> None:
    errors = ReedErrors(false_closed=0.03, false_open=0.2)
    closed, opened = errors.evidence(True), errors.evidence(False)
    assert len(set(closed[Occupant.BLACK :])) == len(set(opened[Occupant.BLACK :])) == 1
    for occupant in Occupant:
        assert exp(closed[occupant]) + exp(opened[occupant]) == pytest.approx(1)
    assert exp(closed[Occupant.EMPTY]) == pytest.approx(0.03)
    assert exp(opened[Occupant.NEUTRAL]) == pytest.approx(0.2)
    assert presence(closed) > 0 > presence(opened)


@pytest.mark.parametrize("share", [0, 1, -0.5])
def test_error_rates_that_leave_no_doubt_are_refused(share: float) -> None:
    with pytest.raises(BadSensorSetting, match=r"false_open = .*: must be between 0 and 1"):
        ReedErrors(false_open=share)


def test_a_switch_wired_elsewhere_is_told_as_its_square() -> None:
    contacts = Contacts([CROSSED[7]])
    pins = SimulatedMatrix(contacts, ROWS, COLUMNS, Random(2))
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
