"""Conduct: which plies a touch leaves, and what counts as one."""

import pytest

from jetan_table.game.agreements import ADJUST_S, CONDUCTS, Fingers, owed
from rules import format_move, parse_position, parse_rules, parse_square

RULES = parse_rules("appendix")
# A black Dwar on d5 may take on d8 or e7, a black Panthan on a2 may move, its Chief is hemmed in.
POSITION = parse_position("5c4/10/3p6/4p5/10/3D6/10/10/P9/5QC3 b - - 0 30", RULES)


@pytest.mark.parametrize(
    ("touched", "moves"),
    [
        ("", set()),
        ("a2", {"Pa2"}),  # an own piece must move,
        ("d8", {"Dd5xd8"}),  # an enemy be taken
        ("d5 e7", {"Dd5xe7"}),
        ("e7 d5", {"Dd5xe7"}),
        ("f10 a2", {"Pa2"}),  # of several the first counts that can move, or be taken
        ("d5 a2", {"Dd5"}),
        ("d8 e7", {"Dd5xd8"}),
        ("f10", set()),
    ],
)
def test_what_is_owed_after_a_touch(touched: str, moves: set[str]) -> None:
    owing = owed(POSITION, tuple(map(parse_square, touched.split())))
    texts = [format_move(move, POSITION) for move in owing]
    assert {text[: len(next(iter(moves), text))] for text in texts} == moves


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
