"""The scan over simulated pins: every switch is seen, and bad wiring shows as it would.

Also the orders in which switches and lamps are wired: named ones, and any other.
"""

from collections.abc import Sequence
from random import Random

import pytest

from hardware.matrix import Matrix, Pin, SimulatedMatrix, index_of, squares_in_order
from hardware.ports import BadWiring
from rules import SQUARES, format_square
from tests.hardware.contacts import Contacts


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


ROWS = tuple(Pin(number) for number in range(10))
COLUMNS = tuple(Pin(number) for number in range(10, 20))


def scan(closed: Sequence[int], diodes: bool = True, settle_s: float = 50e-6) -> set[int]:
    pins = SimulatedMatrix(lambda: Contacts(closed).closed, ROWS, COLUMNS, Random(2), diodes)
    levels = Matrix(pins, ROWS, COLUMNS, pins.wait, settle_s).scan()
    return {switch for switch, level in enumerate(levels) if level}


def test_each_switch_is_seen_alone_and_a_full_board_as_it_is() -> None:
    for switch in range(100):
        assert scan([switch]) == {switch}
    start = [*range(20), *range(80, 100)]
    assert scan(start) == set(start)


def test_three_corners_close_the_fourth_only_without_diodes() -> None:
    corners = [22, 25, 72]
    assert scan(corners) == {22, 25, 72}
    assert scan(corners, diodes=False) == {22, 25, 72, 75}


def test_a_scan_that_does_not_wait_reads_columns_that_still_rise() -> None:
    column_of_ten = [row * 10 + 4 for row in range(0, 10, 2)]
    assert scan(column_of_ten, settle_s=50e-6) == set(column_of_ten)
    assert scan(column_of_ten, settle_s=0) > set(column_of_ten)


def test_only_one_row_is_ever_driven() -> None:
    driven: set[int] = set()
    most = 0

    class Watched(SimulatedMatrix):
        def drive_low(self, pin: Pin) -> None:
            nonlocal most
            driven.add(pin)
            most = max(most, len(driven))
            super().drive_low(pin)

        def release(self, pin: Pin) -> None:
            driven.discard(pin)
            super().release(pin)

    pins = Watched(lambda: [False] * 100, ROWS, COLUMNS, Random(2))
    Matrix(pins, ROWS, COLUMNS, pins.wait).scan()
    assert (most, driven) == (1, set())


def test_a_pin_wired_twice_is_refused() -> None:
    pins = SimulatedMatrix(lambda: [False] * 100, ROWS, COLUMNS, Random(2))
    with pytest.raises(BadWiring, match="pin 3 is wired twice"):
        Matrix(pins, ROWS, (*COLUMNS[:9], Pin(3)), pins.wait)


@pytest.mark.parametrize(
    ("closed", "doubted"),
    [
        ([], set()),
        ([22, 25, 72], {22, 25, 72, 75}),
        ([22, 25, 77], set()),
        ([5, 6, 95, 96, 40, 17], {5, 6, 95, 96}),
    ],
)
def test_corners_of_rectangles_are_doubted_without_diodes(
    closed: list[int], doubted: set[int]
) -> None:
    for diodes in (True, False):
        pins = SimulatedMatrix(lambda: Contacts(closed).closed, ROWS, COLUMNS, Random(2), diodes)
        matrix = Matrix(pins, ROWS, COLUMNS, pins.wait, diodes=diodes)
        assert matrix.doubted(matrix.scan()) == (set() if diodes else doubted)
