"""Lamps from few squares where the order is a usual one, and from all where it is not."""

from random import Random

import pytest

from hardware.orders import ORDERS
from jetan_table.lamps.lights import Lamp
from jetan_table.setup.chain import ENOUGH, NAMED, USUAL, fits, next_lamp, whole_order
from rules import SQUARES, Square, format_square


def test_a_usual_order_runs_in_eight_ways_and_has_every_square_once() -> None:
    assert len(set(USUAL)) == 8 * len(ORDERS)
    assert all(sorted(order) == list(SQUARES) for order in USUAL)
    assert set(ORDERS.values()) <= set(USUAL)


def test_a_usual_order_is_named_by_its_first_lamp_and_the_way_it_runs() -> None:
    for (_pattern, corner, along), order in NAMED.items():
        assert format_square(order[0]) == corner
        assert abs(order[1] - order[0]) == (1 if along == "ranks" else 10)


@pytest.mark.parametrize("order", USUAL)
def test_few_lamps_tell_a_usual_order(order: tuple[Square, ...]) -> None:
    readings: dict[Lamp, Square] = {}
    while (lamp := next_lamp(readings, (), walks=False)) is not None:
        readings[lamp] = order[lamp]
    assert len(readings) == ENOUGH
    assert whole_order(readings) == order


def test_a_lamp_that_tells_nothing_is_passed_over() -> None:
    first = next_lamp({}, (), walks=False)
    assert first is not None
    assert next_lamp({}, (first,), walks=False) not in (first, None)


def test_any_order_is_told_by_all_lamps_but_one() -> None:
    order = tuple(Random(2).sample(SQUARES, 100))
    silent = Lamp(17)
    readings: dict[Lamp, Square] = {}
    while (lamp := next_lamp(readings, (silent,), walks=False)) is not None:
        assert whole_order(readings) is None
        readings[lamp] = order[lamp]
    assert len(readings) == 99
    assert fits(readings) == []
    assert whole_order(readings) == order


def test_a_walk_asks_for_every_lamp_in_turn() -> None:
    readings: dict[Lamp, Square] = {}
    while (lamp := next_lamp(readings, (), walks=True)) is not None:
        assert lamp == len(readings)
        readings[lamp] = SQUARES[lamp]
    assert len(readings) == 100
