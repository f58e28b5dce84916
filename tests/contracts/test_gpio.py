"""The stand-ins of the libraries keep to what the real ones keep to on an emulated Pi."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import cast

import gpiod
import pytest

from hardware.matrix import Pin
from hardware.pins import (
    CLASSIC,
    COLUMNS,
    GPIOD,
    NEWER,
    ROWS,
    BoardPins,
    GpiodPins,
    GpioPins,
    LgpioPins,
)
from hardware.ports import HardwareError
from tests.contracts.gpio import (
    GPIO_CONTRACT,
    PINS_CONTRACT,
    SHARED_CONTRACT,
    Bench,
    SharedBench,
)
from tests.hardware.contacts import Contacts
from tests.hardware.pi import StandInChip, StandInGpio, StandInLgpio, StandInPi


class StandIn:
    """A Pi that is not there with a matrix at the default pins, reached by any library."""

    def __init__(self, library: str = CLASSIC, busy: Collection[int] = ()) -> None:
        self._contacts, self._library = Contacts(), library
        self._pi = StandInPi(self._contacts, busy=() if library == GPIOD else busy)
        self._holders = dict.fromkeys(busy, "GPIO busy")
        self.gpio = StandInGpio(self._pi)
        self.wait = self._pi.wait

    def open_pins(self) -> BoardPins:
        if self._library == NEWER:
            return LgpioPins(StandInLgpio(self._pi), COLUMNS, ())
        if self._library == GPIOD:
            self._chip = StandInChip(self._pi, self._holders)
            return GpiodPins(cast(gpiod.Chip, self._chip), COLUMNS, ())
        return GpioPins(self.gpio)

    @property
    def driven(self) -> Collection[int]:
        return self._pi.driven

    def close_switches(self, switches: Collection[int]) -> None:
        self._contacts.closed = [number in switches for number in range(100)]

    @contextmanager
    def hold(self, pin: Pin, consumer: str) -> Iterator[None]:
        assert pin not in self._chip.holders
        self._chip.holders[pin] = consumer
        yield
        del self._chip.holders[pin]


@pytest.mark.parametrize(
    "clause", [*GPIO_CONTRACT, *PINS_CONTRACT], ids=lambda clause: clause.__name__
)
def test_the_contract_is_kept(clause: Callable[[Bench], None]) -> None:
    assert_kept(clause, StandIn())


@pytest.mark.parametrize("library", [NEWER, GPIOD])
@pytest.mark.parametrize("clause", PINS_CONTRACT, ids=lambda clause: clause.__name__)
def test_pins_by_the_kernel_keep_it_too(clause: Callable[[Bench], None], library: str) -> None:
    assert_kept(clause, StandIn(library))


@pytest.mark.parametrize("clause", SHARED_CONTRACT, ids=lambda clause: clause.__name__)
def test_pins_are_shared_as_the_contract_says(clause: Callable[[SharedBench], None]) -> None:
    assert_kept(clause, StandIn(GPIOD))


def assert_kept(clause: Callable[[StandIn], None], bench: StandIn) -> None:
    clause(bench)


def test_an_input_without_a_pull_drifts_and_reads_at_random() -> None:
    stand_in = StandIn()
    gpio = stand_in.gpio
    gpio.setmode(gpio.BCM)
    gpio.setup(COLUMNS[0], gpio.IN)
    stand_in.wait(10.0)
    assert {gpio.input(COLUMNS[0]) for _ in range(40)} == {0, 1}
    gpio.setup(COLUMNS[0], gpio.IN, pull_up_down=gpio.PUD_UP)
    stand_in.wait(0.001)
    assert {gpio.input(COLUMNS[0]) for _ in range(40)} == {1}


@pytest.mark.parametrize("library", [CLASSIC, NEWER, GPIOD])
def test_a_pin_that_something_else_holds_is_named_with_the_mend(library: str) -> None:
    pins = StandIn(library, [8]).open_pins()
    with pytest.raises(HardwareError, match=r"GPIO 8 cannot be had: GPIO busy.*\. SPI holds 7"):
        pins.release(ROWS[4])
