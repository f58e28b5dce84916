"""Pins that cannot work are refused in the builder's words, before any is driven."""

from pathlib import Path

import pytest

from hardware.matrix import Pin
from hardware.pins import COLUMNS, ROWS, PinMap
from hardware.ports import BadWiring


def test_the_default_uses_each_pin_once_and_leaves_the_serial_line() -> None:
    used = [pin for _, pin in PinMap().users()]
    assert sorted(used) == [*range(2, 10), 12, 13, *range(16, 28)]


@pytest.mark.parametrize(
    ("first", "refusal"),
    [
        (10, "row 1: GPIO 10 is SPI's data, for the lamps"),
        (28, "row 1: there is no GPIO 28; the header has 2..27"),
        (-1, "row 1: there is no GPIO -1"),
        (0, "row 1: there is no GPIO 0"),
        (5, "row 2: GPIO 5 is wired to row 1 already"),
        (18, "column 1: GPIO 18 is wired to row 1 already"),
        (2, "die button: GPIO 2 is wired to row 1 already"),
    ],
)
def test_a_pin_that_cannot_work_is_refused(first: int, refusal: str) -> None:
    with pytest.raises(BadWiring, match=refusal):
        PinMap(rows=(Pin(first), *ROWS[1:]))


def test_a_matrix_of_another_size_is_refused() -> None:
    with pytest.raises(BadWiring, match="columns: 9 pins; the matrix has 10"):
        PinMap(columns=COLUMNS[:9])


def test_the_buttons_pins_are_i2cs_while_it_is_on(tmp_path: Path) -> None:
    device = tmp_path / "i2c-1"
    PinMap().check_free(device)
    device.touch()
    PinMap(die_button=None, menu_button=None).check_free(device)
    with pytest.raises(BadWiring, match="die button: GPIO 2 is I2C's data, and I2C is on: switch"):
        PinMap().check_free(device)
