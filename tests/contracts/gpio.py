"""What every `RPi.GPIO`, and pins by any library, keep to.

Functions that need no test program: they also run on a Pi.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from random import Random
from typing import Protocol

from hardware.matrix import Matrix, Pin
from hardware.pins import COLUMNS, ROWS, BoardPins, Gpio
from hardware.ports import HardwareError

BOARDS = 20
LINE, OTHER = ROWS[0], COLUMNS[0]


class Bench(Protocol):
    """A Pi with a matrix at the default pins, and fingers on its switches."""

    @property
    def gpio(self) -> Gpio:
        """The library."""
        ...

    def open_pins(self) -> BoardPins:
        """Return the pins as the table uses them."""
        ...

    @property
    def driven(self) -> Collection[int]:
        """The matrix's pins that are outputs now."""
        ...

    def close_switches(self, switches: Collection[int]) -> None:
        """Close these, and open all others."""
        ...

    def wait(self, seconds: float) -> None:
        """Let the wires settle."""
        ...


class SharedBench(Bench, Protocol):
    """A Pi whose pins others can hold, too."""

    def hold(self, pin: Pin, consumer: str) -> AbstractContextManager[None]:
        """Let another program hold a pin while the block runs."""
        ...


@contextmanager
def matrix(bench: Bench, wait: Callable[[float], None] | None = None) -> Iterator[Matrix]:
    """The matrix as the table scans it; in the end its pins are let go."""
    pins = bench.open_pins()
    try:
        yield Matrix(pins, ROWS, COLUMNS, wait or bench.wait)
    finally:
        pins.close()


def random_boards_are_read_right(bench: Bench) -> None:
    rng = Random(7)
    with matrix(bench) as scanned:
        for number in range(BOARDS):
            closed = {n for n in range(100) if rng.random() < number / (BOARDS - 1)}
            bench.close_switches(closed)
            found = {n for n, is_on in enumerate(scanned.scan()) if is_on}
            assert found == closed, f"board {number}"


def each_switch_is_seen_alone(bench: Bench) -> None:
    with matrix(bench) as scanned:
        for switch in range(0, 100, 11):
            bench.close_switches([switch])
            assert [n for n, is_on in enumerate(scanned.scan()) if is_on] == [switch]


def one_row_is_driven_at_a_time_and_none_afterwards(bench: Bench) -> None:
    driven: list[int] = []

    def look(seconds: float) -> None:
        driven.extend(bench.driven)
        bench.wait(seconds)

    with matrix(bench, look) as scanned:
        scanned.scan()
        assert driven == list(ROWS)
        assert not bench.driven


def closing_leaves_inputs(bench: Bench) -> None:
    pins = bench.open_pins()
    pins.drive_low(LINE)
    assert list(bench.driven) == [LINE]
    pins.close()
    assert not bench.driven


def pins_can_be_opened_again(bench: Bench) -> None:
    for _ in range(3):
        with matrix(bench) as scanned:
            bench.close_switches([42])
            assert scanned.scan()[42]


def an_output_starts_low_and_reads_so(bench: Bench) -> None:
    gpio = bench.gpio
    gpio.setmode(gpio.BCM)
    gpio.setup(LINE, gpio.OUT, initial=gpio.LOW)
    assert gpio.input(LINE) == gpio.LOW
    assert list(bench.driven) == [LINE]


def cleanup_leaves_inputs_and_wants_a_mode_again(bench: Bench) -> None:
    gpio = bench.gpio
    gpio.setmode(gpio.BCM)
    gpio.setup(LINE, gpio.OUT, initial=gpio.LOW)
    gpio.cleanup()
    assert not bench.driven
    assert is_refused(lambda: gpio.setup(LINE, gpio.IN), RuntimeError)


def pins_want_a_mode_first(bench: Bench) -> None:
    gpio = bench.gpio
    assert is_refused(lambda: gpio.setup(LINE, gpio.IN), RuntimeError)
    assert is_refused(lambda: gpio.input(LINE), RuntimeError)


def a_pin_must_be_set_up_before_it_is_read(bench: Bench) -> None:
    gpio = bench.gpio
    gpio.setmode(gpio.BCM)
    gpio.setup(LINE, gpio.IN)
    assert is_refused(lambda: gpio.input(OTHER), RuntimeError)


def what_makes_no_sense_is_refused(bench: Bench) -> None:
    gpio = bench.gpio
    gpio.setmode(gpio.BCM)
    assert is_refused(lambda: gpio.setup(99, gpio.IN), ValueError)
    assert is_refused(lambda: gpio.setup(LINE, 7), ValueError)
    assert is_refused(
        lambda: gpio.setup(LINE, gpio.OUT, pull_up_down=gpio.PUD_UP, initial=gpio.LOW), ValueError
    )


def a_pin_that_is_held_is_refused_with_its_holders_name(bench: SharedBench) -> None:
    for pin in (LINE, COLUMNS[3]):
        pins = bench.open_pins()
        with bench.hold(pin, "spi0 CS0"):
            refusal = refusal_of(partial(pins.release, pin))
            assert refusal.startswith(f"GPIO {pin} cannot be had: spi0 CS0 holds it. SPI"), refusal
        pins.release(pin)
        pins.close()


def what_is_held_is_let_go_in_the_end(bench: SharedBench) -> None:
    with matrix(bench):
        pass
    for pin in (*ROWS, *COLUMNS):
        with bench.hold(pin, "other"):
            pass


def refusal_of(does: Callable[[], object]) -> str:
    try:
        does()
    except HardwareError as error:
        return str(error)
    return ""


def is_refused(does: Callable[[], object], error: type[Exception]) -> bool:
    try:
        does()
    except error:
        return True
    return False


PINS_CONTRACT: tuple[Callable[[Bench], None], ...] = (
    random_boards_are_read_right,
    each_switch_is_seen_alone,
    one_row_is_driven_at_a_time_and_none_afterwards,
    closing_leaves_inputs,
    pins_can_be_opened_again,
)

GPIO_CONTRACT: tuple[Callable[[Bench], None], ...] = (
    an_output_starts_low_and_reads_so,
    cleanup_leaves_inputs_and_wants_a_mode_again,
    pins_want_a_mode_first,
    a_pin_must_be_set_up_before_it_is_read,
    what_makes_no_sense_is_refused,
)

SHARED_CONTRACT: tuple[Callable[[SharedBench], None], ...] = (
    a_pin_that_is_held_is_refused_with_its_holders_name,
    what_is_held_is_let_go_in_the_end,
)
