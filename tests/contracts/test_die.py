"""What every die keeps to. A new driver or stand-in signs by one more entry of DICE."""

from collections.abc import Callable

import pytest

from hardware.die import SEED_BYTES, ElectronicDie
from hardware.ports import Die, DieThrow
from rules.juggernaut import TELEPORT

DICE: dict[str, Callable[[], Die]] = {"electronic": lambda: ElectronicDie(bytes(SEED_BYTES))}
LONGEST_S = 10.0
"""A die has been thrown by then."""


@pytest.fixture(params=DICE)
def die(request: pytest.FixtureRequest) -> Die:
    return DICE[request.param]()


def rolled(die: Die, occasion: str, at: float) -> DieThrow:
    """What the die shows, once it lies."""
    die.request(occasion, at)
    for step in range(int(LONGEST_S * 100)):
        roll = die.poll(at + step / 100)
        if roll is not None:
            return roll
    raise AssertionError("the die never lay still")


def test_a_die_that_nobody_threw_shows_nothing(die: Die) -> None:
    assert die.poll(1.0) is None


def test_a_roll_is_told_once(die: Die) -> None:
    roll = rolled(die, "1 Pd2-d3 1", 5.0)
    assert 5.0 <= roll.at <= 5.0 + LONGEST_S
    assert die.poll(5.0 + LONGEST_S) is None


def test_a_roll_is_one_number_and_a_teleport_three(die: Die) -> None:
    rolls = [rolled(die, f"{ply} Pd2-d3 1", 20.0 * ply).numbers for ply in range(1, 100)]
    assert all(number in range(1, 11) for numbers in rolls for number in numbers)
    assert {(numbers[0] == TELEPORT, len(numbers)) for numbers in rolls} == {(False, 1), (True, 3)}
