"""A shock opens and closes many switches at once: what it did is told from what hands did."""

import pytest

from jetan_table.reading.jetan_game import JetanGame, Standing
from jetan_table.reading.scene import Trace, forget_shock, shakes_until
from rules import Position, Square, mask_of, parse_square
from tests.jetan_table.reading.hand import RULES


def beside(square: Square) -> int:
    return JetanGame().beside(Standing(Position.start(RULES)), square)


def test_what_a_shock_did_to_many_switches_is_forgotten_and_a_lift_is_not() -> None:
    squares = [parse_square(name) for name in ("a1", "b1", "c1")]
    trace = Trace(mask_of(squares), mask_of(squares))
    for at, square in enumerate(squares):
        trace.add(square, False, 1.0 + at / 100)
    for at, square in enumerate(squares[1:]):
        trace.add(square, True, 1.1 + at / 100)
    assert not forget_shock(Trace(0, 0), beside, 1.2)
    trace.add(squares[0], True, 1.15)
    trace.add(squares[0], False, 1.2)
    assert forget_shock(trace, beside, 1.2)
    assert trace.changes == {squares[0]: [1.2]}


@pytest.mark.parametrize("hands_s", [(1.0, 2.4), (2.8, 3.0)])
def test_a_hand_just_before_a_shock_or_just_after_it_is_no_part_of_it(
    hands_s: tuple[float, float],
) -> None:
    """A victim is taken, and a piece put in its place; ten squares shake, from 2.55 to 2.57."""
    squares = [Square(square) for square in range(10)]
    knock = [(at + 0.001 * square, square) for at in (2.55, 2.56) for square in squares]
    changes = sorted([*knock, *((at, squares[0]) for at in hands_s)])
    trace = Trace(mask_of(squares), mask_of(squares))
    for at, square in changes:
        trace.add(square, not trace.level >> square & 1, at)
        forget_shock(trace, beside, at)
    assert trace.changes == {squares[0]: list(hands_s)}


@pytest.mark.parametrize(
    ("names", "apart_s", "is_shock"),
    [("a1 c1", 0.04, False), ("a1 c1", 0.002, True), ("a1 b1", 0.002, False)],
)
def test_two_switches_at_once_are_a_shock_only_if_no_hand_is_as_quick(
    names: str, apart_s: float, is_shock: bool
) -> None:
    """Nor if they are next to each other: a piece is slid over both where one is taken."""
    squares = [parse_square(name) for name in names.split()]
    trace = Trace(mask_of(squares), mask_of(squares))
    for at, (square, is_occupied) in enumerate((s, o) for o in (False, True) for s in squares):
        trace.add(square, is_occupied, 1.0 + at * apart_s)
    assert forget_shock(trace, beside, 1.2) is is_shock


def test_nothing_is_concluded_while_the_table_shakes() -> None:
    trace = Trace((1 << 40) - 1, (1 << 40) - 1)
    for square in range(6):
        trace.add(square, False, 1.0 + square / 1000)
    assert shakes_until(trace) < 1.0  # so many two hands may touch
    trace.add(6, False, 1.01)
    assert 1.01 < shakes_until(trace) < 1.2
