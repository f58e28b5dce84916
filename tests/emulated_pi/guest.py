"""Runs inside the emulated Pi: the contracts, a recording and a measurement, on the library here.

`python3 -m tests.emulated_pi.guest JOB` tells each result as a line of JSON after an `@`.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from hardware.gpio import GpioPins, gpio_libraries, load_gpio, pi_model
from hardware.matrix import Matrix
from hardware.pin_map import COLUMNS, ROWS
from hardware.ports import Sensor, presence
from hardware.reed_sensor import ReedSensor
from hardware.switches import Switch
from tests.contracts.gpio import GPIO_CONTRACT, matrix
from tests.contracts.sensor import SENSOR_CONTRACT, Scanned, Touches, contacts
from tests.emulated_pi.wires import Fingers, PiBench

SWITCH_OF = tuple(map(Switch, range(100)))
MEASURED_S = 3.0

GPIO = load_gpio()
LIBRARY = gpio_libraries()[0].name


def tell(**told: object) -> None:
    """Print one result."""
    print("@", json.dumps({"library": LIBRARY, **told}), flush=True)


def keep(name: str, clause: Callable[[], None]) -> None:
    """Tell whether a clause of a contract is kept."""
    GPIO.setwarnings(False)
    GPIO.cleanup()
    try:
        clause()
    except Exception:  # whatever it is, it belongs to the clause
        tell(clause=name, error=traceback.format_exc())
    else:
        tell(clause=name, error=None)


def on_pins(touches: Touches) -> Sensor:
    board = contacts(touches)
    return Scanned(board, matrix(GPIO, PiBench(GPIO, board).wait))


def play(job: Sequence[tuple[float, Sequence[tuple[int, bool]]]], closed: list[bool]) -> None:
    """Scan at each time of a job, after its changes; tell what is observed."""
    fingers = Fingers()
    fingers.closed = closed
    sensor = ReedSensor(matrix(GPIO, PiBench(GPIO, fingers).wait), SWITCH_OF)
    for at, changes in job:
        for switch, is_closed in changes:
            closed[switch] = is_closed
        for observation in sensor.poll(at):
            seen = [[n, bool(e and presence(e) > 0)] for n, e in observation.squares.items()]
            tell(at=observation.at, seen=seen)


def measure() -> None:
    """Tell how quick the table's scan is, its waits included."""
    bench = PiBench(GPIO)
    pins = GpioPins(GPIO, pulled_up=COLUMNS)
    waited = 0.0

    def wait(seconds: float) -> None:
        nonlocal waited
        begun = time.perf_counter()
        bench.wait(seconds)
        waited += time.perf_counter() - begun

    scanned = Matrix(pins, ROWS, COLUMNS, wait)
    before, scans, begun = pins.calls, 0, time.perf_counter()
    while time.perf_counter() < begun + MEASURED_S:
        scanned.scan()
        scans += 1
    spent = time.perf_counter() - begun - waited
    tell(scans_per_s=scans / spent, calls_per_scan=(pins.calls - before) / scans)


def main(job_file: str) -> None:
    """Do all of it."""
    tell(model=pi_model())
    for clause in GPIO_CONTRACT:
        keep(clause.__name__, lambda clause=clause: clause(PiBench(GPIO)))  # type: ignore[misc]
    for rule in SENSOR_CONTRACT:
        keep(rule.__name__, lambda rule=rule: rule(on_pins))  # type: ignore[misc]
    GPIO.cleanup()
    job = json.loads(Path(job_file).read_text())
    play(job["polls"], job["closed"])
    GPIO.cleanup()
    measure()
    GPIO.cleanup()


if __name__ == "__main__":
    main(sys.argv[1])
