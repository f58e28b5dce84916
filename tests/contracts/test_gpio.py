"""The stand-ins of RPi.GPIO and lgpio keep to what the real ones keep to on an emulated Pi."""

from collections.abc import Callable, Collection

import pytest

from hardware.pins import COLUMNS, ROWS, BoardPins, GpioPins, LgpioPins
from hardware.ports import HardwareError
from tests.contracts.gpio import GPIO_CONTRACT, PINS_CONTRACT, Bench
from tests.hardware.contacts import Contacts
from tests.hardware.pi import StandInGpio, StandInLgpio, StandInPi


class StandIn:
    """A Pi that is not there with a matrix at the default pins, reached by either library."""

    def __init__(self, by_lgpio: bool = False, busy: Collection[int] = ()) -> None:
        self._contacts, self._by_lgpio = Contacts(), by_lgpio
        self._pi = StandInPi(self._contacts, busy=busy)
        self.gpio = StandInGpio(self._pi)
        self.wait = self._pi.wait

    def open_pins(self) -> BoardPins:
        if self._by_lgpio:
            return LgpioPins(StandInLgpio(self._pi), COLUMNS, ())
        return GpioPins(self.gpio)

    @property
    def driven(self) -> Collection[int]:
        return self._pi.driven

    def close_switches(self, switches: Collection[int]) -> None:
        self._contacts.closed = [number in switches for number in range(100)]


@pytest.mark.parametrize(
    "clause", [*GPIO_CONTRACT, *PINS_CONTRACT], ids=lambda clause: clause.__name__
)
def test_the_contract_is_kept(clause: Callable[[Bench], None]) -> None:
    assert_kept(clause, StandIn())


@pytest.mark.parametrize("clause", PINS_CONTRACT, ids=lambda clause: clause.__name__)
def test_pins_by_lgpio_keep_it_too(clause: Callable[[Bench], None]) -> None:
    assert_kept(clause, StandIn(by_lgpio=True))


def assert_kept(clause: Callable[[Bench], None], bench: Bench) -> None:
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


@pytest.mark.parametrize("by_lgpio", [False, True])
def test_a_pin_that_something_else_holds_is_named_with_the_mend(by_lgpio: bool) -> None:
    pins = StandIn(by_lgpio, [8]).open_pins()
    with pytest.raises(HardwareError, match=r"GPIO 8 cannot be had: GPIO busy\. SPI holds 7"):
        pins.release(ROWS[4])
