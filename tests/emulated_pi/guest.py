"""Runs inside the emulated Pi: the contracts, a recording and a measurement, on the library here.

`python3 -m tests.emulated_pi.guest JOB` tells each result as a line of JSON after an `@`.
"""

import json
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from hardware.lamps import SpiLamps
from hardware.matrix import Matrix, Pin
from hardware.pin_board import PinBoard
from hardware.pins import (
    COLUMNS,
    DIE_BUTTON,
    GPIOD,
    MENU_BUTTON,
    ROWS,
    BoardPins,
    GpioPins,
    PinMap,
    gpio_libraries,
    load_gpio,
    open_pins,
    pi_model,
)
from hardware.ports import Sensor, Switch, presence
from hardware.reeds import Button, ButtonPress
from rules import SQUARES
from tests.contracts.gpio import GPIO_CONTRACT, PINS_CONTRACT, SHARED_CONTRACT
from tests.contracts.sensor import SWITCH_CONTRACT, Make, Scanned, Touches, contacts
from tests.emulated_pi.wires import BUTTONS, Fingers, PiBench
from tests.hardware.spi_wire import SpiWire

MEASURED_S = 3.0

LIBRARY = gpio_libraries()[0].name
GPIO = None if LIBRARY == GPIOD else load_gpio()


def tell(**facts: object) -> None:
    """Print one result."""
    print("@", json.dumps({"library": LIBRARY, **facts}), flush=True)


def keep(name: str, clause: Callable[[], None]) -> None:
    """Tell whether a clause of a contract is kept."""
    if GPIO is not None:
        GPIO.setwarnings(False)
        GPIO.cleanup()
    try:
        clause()
    except Exception:  # whatever it is, it belongs to the clause
        tell(clause=name, error=traceback.format_exc())
    else:
        tell(clause=name, error=None)


def by_gpio() -> BoardPins:
    """Return the pins by what both libraries that bring RPi.GPIO have in common."""
    assert GPIO is not None
    return GpioPins(GPIO)


def as_played() -> BoardPins:
    """Return the pins as `jetan play` opens them."""
    return open_pins(COLUMNS, BUTTONS)


def keep_as_sensor(rule: Callable[[Make], None]) -> None:
    """Keep to a clause with the sensor as played; its pins are held by one at a time."""
    with ExitStack() as held:

        def make(touches: Touches) -> Sensor:
            held.close()
            board = contacts(touches)
            bench = PiBench(GPIO, as_played, board)
            pins = held.enter_context(closing(bench.open_pins()))
            return Scanned(board, Matrix(pins, ROWS, COLUMNS, bench.wait))

        rule(make)


def board_at(bench: PiBench) -> PinBoard:
    """Return the table's whole driver. Its lamps' wire ends here: SPI is not emulated."""
    lamps, switch_of = SpiLamps(SpiWire(), 2000.0), tuple(map(Switch, SQUARES))
    return PinBoard(bench.open_pins(), lamps, PinMap(), switch_of, bench.wait, time.monotonic)


def buttons_are_told(bench: PiBench) -> None:
    """Press one button shortly and the other for long, at a board that is scanned all the time."""
    board, presses = board_at(bench), list[ButtonPress]()
    held: dict[Button, tuple[float, float]] = {"die": (0.5, 0.8), "menu": (1.0, 4.5)}
    pin_of: dict[Button, Pin] = {"die": DIE_BUTTON, "menu": MENU_BUTTON}
    for step in range(100):
        now = step / 20
        bench.pressed = {pin_of[each] for each, (on, off) in held.items() if on <= now < off}
        board.poll(now)
        presses += board.take_presses()
    board.close()
    assert [(press.button, press.is_long) for press in presses] == [
        ("die", False),
        ("menu", True),
    ]
    assert not bench.driven


def keep_contracts() -> None:
    """Tell of each clause of the contracts whether it is kept."""
    if LIBRARY == GPIOD:
        for shared in SHARED_CONTRACT:
            keep(shared.__name__, partial(shared, PiBench(GPIO, as_played)))
    else:
        for clause in (*GPIO_CONTRACT, *PINS_CONTRACT):
            keep(clause.__name__, partial(clause, PiBench(GPIO, by_gpio)))
    for clause in PINS_CONTRACT:
        keep(f"{clause.__name__} as played", partial(clause, PiBench(GPIO, as_played)))
    keep("buttons_are_told as played", partial(buttons_are_told, PiBench(GPIO, as_played)))
    for rule in SWITCH_CONTRACT:
        keep(f"{rule.__name__} as played", partial(keep_as_sensor, rule))


def play(polls: Sequence[tuple[float, Sequence[tuple[int, bool]]]], closed: list[bool]) -> None:
    """Look at each of these times, after its changes; tell what is observed."""
    fingers = Fingers()
    fingers.closed = closed
    board = board_at(PiBench(GPIO, as_played, fingers))
    for at, changes in polls:
        for switch, is_closed in changes:
            closed[switch] = is_closed
        for observation in board.poll(at):
            levels = [[n, bool(e and presence(e) > 0)] for n, e in observation.squares.items()]
            tell(at=observation.at, seen=levels)
    board.close()


def measure() -> None:
    """Tell how quick the table's scan is, without the time that the wires' model takes."""
    bench = PiBench(GPIO, as_played)
    pins = bench.open_pins()
    model_s = model_cpu_s = 0.0

    def wait(seconds: float) -> None:
        nonlocal model_s, model_cpu_s
        begun, cpu_begun = time.perf_counter(), time.process_time()
        bench.wait(seconds)
        model_s += time.perf_counter() - begun
        model_cpu_s += time.process_time() - cpu_begun
        time.sleep(seconds)

    scanned = Matrix(pins, ROWS, COLUMNS, wait)
    before, scans = pins.calls, 0
    begun, cpu_begun = time.perf_counter(), time.process_time()
    while time.perf_counter() < begun + MEASURED_S:
        scanned.scan()
        scans += 1
    pins.close()
    tell(
        scans_per_s=scans / (time.perf_counter() - begun - model_s),
        calls_per_scan=(pins.calls - before) / scans,
        cpu_ms_per_scan=(time.process_time() - cpu_begun - model_cpu_s) / scans * 1000,
    )


def main(job_file: str) -> None:
    """Do what the job says: the contracts, a recording if there is one, and the measurement."""
    job = json.loads(Path(job_file).read_text())
    tell(model=pi_model())
    if job["keeps_contracts"]:
        keep_contracts()
    if GPIO is not None:
        GPIO.cleanup()
    if job["polls"]:
        play(job["polls"], job["closed"])
    measure()


if __name__ == "__main__":
    main(sys.argv[1])
