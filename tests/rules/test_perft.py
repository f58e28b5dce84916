"""Counts of whole games, from an independent brute-force program."""

import pytest

from rules import Position, divide, parse_rules, perft

FACTS = {
    "appendix": (78, 6_066, 446_808),
    "abstract-games": (78, 6_066, 447_436),
    "abstract-games,escape=none": (52, 2_683, 157_347),
    "after-ekman-walking": (74, 5_462, 379_795),
    "ninth-ray-clockwise": (80, 6_334, 511_189),
    "ninth-ray-counterclockwise": (80, 6_334, 511_046),
}


@pytest.mark.parametrize("text", FACTS)
def test_perft_agrees_with_the_independent_program(text: str) -> None:
    start = Position.start(parse_rules(text))
    assert tuple(perft(start, depth) for depth in (1, 2, 3)) == FACTS[text]


@pytest.mark.soak("rules")
def test_perft_four_of_the_appendix() -> None:
    assert perft(Position.start(parse_rules("appendix")), 4) == 32_525_589


def test_divide_adds_up_to_perft() -> None:
    start = Position.start(parse_rules("appendix"))
    counts = divide(start, 2)
    assert set(counts) == set(start.moves())
    assert sum(counts.values()) == perft(start, 2)


def test_no_plies_are_one_game_and_fewer_are_refused() -> None:
    start = Position.start(parse_rules("appendix"))
    assert perft(start, 0) == 1
    with pytest.raises(ValueError, match="depth -1: must be 0 or more"):
        perft(start, -1)
    with pytest.raises(ValueError, match="depth 0: must be 1 or more"):
        divide(start, 0)
