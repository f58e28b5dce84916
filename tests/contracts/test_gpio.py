"""The stand-in of `RPi.GPIO` keeps to the contract that the real ones keep to on an emulated Pi."""

from collections.abc import Callable, Collection
from random import Random

import pytest

from hardware.errors import PinRefused
from hardware.gpio import GpioPins
from hardware.pin_map import COLUMNS, ROWS
from hardware.simulated_gpio import SimulatedGpio
from hardware.simulated_matrix import SimulatedMatrix
from tests.contracts.gpio import GPIO_CONTRACT, PINS_CONTRACT, Bench


class Fingers:
    """Close and open contacts."""

    def __init__(self) -> None:
        self.closed = [False] * 100


class StandIn:
    """The stand-in with a matrix at the default pins."""

    def __init__(self, busy: Collection[int] = ()) -> None:
        self._fingers = Fingers()
        self._wires = SimulatedMatrix(self._fingers, ROWS, COLUMNS, Random(2), pull_ups=False)
        self.gpio = SimulatedGpio(self._wires, busy)
        self.wait = self._wires.wait

    def open_pins(self) -> GpioPins:
        return GpioPins(self.gpio, pulled_up=COLUMNS)

    @property
    def driven(self) -> Collection[int]:
        return self.gpio.driven

    def close_switches(self, switches: Collection[int]) -> None:
        self._fingers.closed = [number in switches for number in range(100)]


@pytest.mark.parametrize(
    "clause", [*GPIO_CONTRACT, *PINS_CONTRACT], ids=lambda clause: clause.__name__
)
def test_the_contract_is_kept(clause: Callable[[Bench], None]) -> None:
    assert_kept(clause)


def assert_kept(clause: Callable[[Bench], None]) -> None:
    clause(StandIn())


def test_an_input_without_pull_up_reads_at_random() -> None:
    gpio = StandIn().gpio
    gpio.setmode(gpio.BCM)
    gpio.setup(COLUMNS[0], gpio.IN)
    assert {gpio.input(COLUMNS[0]) for _ in range(40)} == {0, 1}
    gpio.setup(COLUMNS[0], gpio.IN, pull_up_down=gpio.PUD_UP)
    assert {gpio.input(COLUMNS[0]) for _ in range(40)} == {1}


def test_a_pin_that_something_else_holds_is_named_with_the_mend() -> None:
    with pytest.raises(PinRefused, match=r"GPIO 8 cannot be had: GPIO busy\. SPI holds 7"):
        GpioPins(StandIn([8]).gpio, pulled_up=()).release(ROWS[4])
