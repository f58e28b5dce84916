"""Rows, columns and lamps from few squares: right for every wiring, and as few as can be."""

from collections.abc import Collection
from random import Random

import pytest

from hardware.matrix import ORDERS
from hardware.ports import Switch
from jetan_table.extras.commissioning.simulated import drawn_wiring
from jetan_table.extras.commissioning.walk import (
    ENOUGH,
    NAMED,
    USUAL,
    grids_for,
    next_lamp,
    next_square,
    orders_for,
    whole_order,
)
from jetan_table.light.lamps import Lamp
from jetan_table.people.board import TrueWiring
from rules import SQUARES, Square, format_square, parse_square


def read_all(
    wiring: TrueWiring, dead: Collection[Square]
) -> tuple[dict[Square, Switch], set[Square]]:
    """Put pieces on the squares asked for, until no more are."""
    readings: dict[Square, Switch] = {}
    in_vain: set[Square] = set()
    while (square := next_square(readings, in_vain)) is not None:
        if square in dead:
            in_vain.add(square)
        else:
            readings[square] = wiring.switch_of[square]
    return readings, in_vain


@pytest.mark.parametrize("seed", range(40))
def test_eleven_squares_tell_all_switches_and_each_dead_one_costs_one_more(seed: int) -> None:
    rng = Random(seed)
    wiring = drawn_wiring(rng, dead=seed % 5)
    readings, in_vain = read_all(wiring, wiring.faults.keys())
    assert len(readings) == 11
    assert len(in_vain) <= seed % 5
    (grid,) = grids_for(readings)
    assert [grid.switch(square) for square in SQUARES] == list(wiring.switch_of)


@pytest.mark.parametrize("rank", [0, 2, 9])
def test_a_whole_rank_that_is_silent_is_told_by_the_others(rank: int) -> None:
    wiring = drawn_wiring(Random(3), dead=0)
    readings, in_vain = read_all(wiring, SQUARES[10 * rank : 10 * rank + 10])
    assert 2 <= len(in_vain) <= 3
    (grid,) = grids_for(readings)
    assert [grid.switch(square) for square in SQUARES] == list(wiring.switch_of)


def test_the_second_square_tells_whether_the_board_is_turned() -> None:
    a1, b1 = parse_square("a1"), parse_square("b1")
    assert next_square({}, ()) == a1
    assert next_square({a1: Switch(0)}, ()) == b1
    assert [grid.is_turned for grid in grids_for({a1: Switch(0), b1: Switch(1)})] == [False]
    assert [grid.is_turned for grid in grids_for({a1: Switch(0), b1: Switch(10)})] == [True]


def test_wires_that_form_no_matrix_are_read_one_by_one() -> None:
    switches = Random(1).sample([Switch(n) for n in range(100)], 100)
    wiring = TrueWiring(switches, ())
    readings, _ = read_all(wiring, ())
    assert readings == dict(zip(SQUARES, switches, strict=True))


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
    assert orders_for(readings) == []
    assert whole_order(readings) == order


def test_a_walk_asks_for_every_lamp_in_turn() -> None:
    readings: dict[Lamp, Square] = {}
    while (lamp := next_lamp(readings, (), walks=True)) is not None:
        assert lamp == len(readings)
        readings[lamp] = SQUARES[lamp]
    assert len(readings) == 100
