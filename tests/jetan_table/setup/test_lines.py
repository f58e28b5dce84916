"""Rows and columns from few squares: right for every wiring, and as few as can be."""

from collections.abc import Collection
from random import Random

import pytest

from hardware.switches import Switch
from jetan_table.setup.builder import drawn_wiring
from jetan_table.setup.lines import fits, next_square
from jetan_table.simulation.board import TrueWiring
from rules import SQUARES, Square, parse_square


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
    (grid,) = fits(readings)
    assert [grid.switch(square) for square in SQUARES] == list(wiring.switch_of)


@pytest.mark.parametrize("rank", [0, 2, 9])
def test_a_whole_rank_that_is_silent_is_told_by_the_others(rank: int) -> None:
    wiring = drawn_wiring(Random(3), dead=0)
    readings, in_vain = read_all(wiring, SQUARES[10 * rank : 10 * rank + 10])
    assert 2 <= len(in_vain) <= 3
    (grid,) = fits(readings)
    assert [grid.switch(square) for square in SQUARES] == list(wiring.switch_of)


def test_the_second_square_tells_whether_the_board_is_turned() -> None:
    a1, b1 = parse_square("a1"), parse_square("b1")
    assert next_square({}, ()) == a1
    assert next_square({a1: Switch(0)}, ()) == b1
    assert [grid.is_turned for grid in fits({a1: Switch(0), b1: Switch(1)})] == [False]
    assert [grid.is_turned for grid in fits({a1: Switch(0), b1: Switch(10)})] == [True]


def test_wires_that_form_no_matrix_are_read_one_by_one() -> None:
    switches = Random(1).sample([Switch(n) for n in range(100)], 100)
    wiring = TrueWiring(switches, ())
    readings, _ = read_all(wiring, ())
    assert readings == dict(zip(SQUARES, switches, strict=True))
