"""Conduct: which plies a touch leaves, and what counts as one."""

import pytest

from jetan_table.game.conduct import ADJUST_S, CONDUCTS, Fingers, owed
from rules import format_move, parse_position, parse_rules, parse_square

RULES = parse_rules("appendix")
# A black Dwar on d5 may take on d8 or e7, a black Panthan on a2 may move, its Chief is hemmed in.
POSITION = parse_position("5c4/10/3p6/4p5/10/3D6/10/10/P9/5QC3 b - - 0 30", RULES)


def owed_after(*touched: str) -> set[str]:
    return {
        format_move(move, POSITION) for move in owed(POSITION, tuple(map(parse_square, touched)))
    }


def test_nothing_is_owed_where_nothing_was_touched() -> None:
    assert owed_after() == set()


def test_an_own_piece_that_was_touched_must_move() -> None:
    moves = owed_after("a2")
    assert moves
    assert all(move.startswith("Pa2") for move in moves)


def test_an_enemy_that_was_touched_must_be_taken() -> None:
    assert owed_after("d8") == {"Dd5xd8"}
    assert owed_after("d5", "e7") == {"Dd5xe7"}
    assert owed_after("e7", "d5") == {"Dd5xe7"}


def test_of_several_the_first_that_can_move_counts() -> None:
    assert owed_after("f10", "a2") == owed_after("a2")
    assert {move[:3] for move in owed_after("d5", "a2")} == {"Dd5"}
    assert owed_after("d8", "e7") == {"Dd5xd8"}
    assert owed_after("f10") == set()


def test_a_piece_put_straight_back_was_adjusted() -> None:
    fingers, d2, e2 = Fingers(), parse_square("d2"), parse_square("e2")
    assert fingers.watch([d2], 10.0) == []
    assert fingers.watch([], 10.0 + ADJUST_S) == []
    assert fingers.watch([d2], 20.0) == []
    assert fingers.watch([d2, e2], 20.0 + ADJUST_S) == [d2]
    assert fingers.watch([d2, e2], 20.0 + 2 * ADJUST_S) == [d2, e2]


@pytest.mark.parametrize(
    ("name", "is_touch_move", "allows_hints", "needs_arbiter"),
    [
        ("friendly", False, True, False),
        ("strict", True, True, False),
        ("tournament", True, False, True),
    ],
)
def test_what_each_conduct_allows(
    name: str, is_touch_move: bool, allows_hints: bool, needs_arbiter: bool
) -> None:
    conduct = next(each for each in CONDUCTS.values() if each.name == name)
    assert conduct.is_touch_move is is_touch_move
    assert conduct.allows_hints is allows_hints
    assert conduct.needs_arbiter is needs_arbiter
