"""Orders in which switches and lamps are wired: named ones, and any other."""

from random import Random

import pytest

from hardware.matrix import index_of, squares_in_order
from hardware.ports import BadWiring
from rules import SQUARES, format_square


def test_a_snake_turns_at_every_edge() -> None:
    names = [format_square(square) for square in squares_in_order("snake")]
    assert names[8:12] == ["i1", "j1", "j2", "i2"]
    assert names[18:22] == ["b2", "a2", "a3", "b3"]
    assert sorted(squares_in_order("snake")) == list(SQUARES)


def test_any_order_is_a_round_trip() -> None:
    squares = Random(1).sample(list(SQUARES), 100)
    order = [format_square(square) for square in squares]
    assert squares_in_order(order) == tuple(squares)
    assert [squares[place] for place in index_of(order)] == list(SQUARES)


@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        ("snak", "'snak': no such order, did you mean snake?"),
        (["a1", "b1", "a1"], "a1 is named twice"),
        (["a1", "b1"], "2 squares; a board has 100"),
        (["a1", "k1"], "k1: no such square"),
    ],
)
def test_what_is_no_order_is_refused(order: str | list[str], refusal: str) -> None:
    with pytest.raises(BadWiring, match=refusal):
        squares_in_order(order)
