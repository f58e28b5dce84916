"""All sensors keep to their contract. A new one signs by one more entry of SENSORS."""

from collections.abc import Callable
from random import Random

import pytest

from hardware.gpio import GpioPins
from hardware.matrix import Matrix
from hardware.pin_map import COLUMNS, ROWS
from hardware.ports import Sensor
from hardware.simulated_gpio import SimulatedGpio
from hardware.simulated_matrix import SimulatedMatrix
from hardware.switches import Change, Switch
from jetan_table.recordings import Header, RecordedSensor, Recording
from rules.topology import SQUARE_NAMES
from tests.contracts.sensor import SENSOR_CONTRACT, STANDING, Make, Scanned, Touches, contacts
from tests.emulated.contract import Driven
from tests.needs import EMULATOR


def scanned(touches: Touches) -> Sensor:
    board = contacts(touches)
    pins = SimulatedMatrix(board, ROWS, COLUMNS, Random(5))
    return Scanned(board, Matrix(pins, ROWS, COLUMNS, pins.wait))


def on_pins(touches: Touches) -> Sensor:
    board = contacts(touches)
    wires = SimulatedMatrix(board, ROWS, COLUMNS, Random(5), pull_ups=False)
    pins = GpioPins(SimulatedGpio(wires), pulled_up=COLUMNS)
    return Scanned(board, Matrix(pins, ROWS, COLUMNS, wires.wait))


def recorded(touches: Touches) -> Sensor:
    closed = tuple(SQUARE_NAMES[square] for square in STANDING)
    changes: list[Change] = contacts(touches).until(10.0)
    return RecordedSensor(Recording(Header(closed=closed, t_end_us=10**7), tuple(changes)))


def driven(touches: Touches) -> Sensor:
    standing = [Change(0.0, Switch(square), True) for square in STANDING]
    return Driven(standing, contacts(touches).until(10.0))


SENSORS: dict[str, Callable[[Touches], Sensor]] = {
    "simulated table": scanned,
    "stand-in pins": on_pins,
    "recording": recorded,
    "serial board": driven,
}
NEEDED = {"serial board": EMULATOR}


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.needs(*NEEDED.get(name, ()))) for name in SENSORS]
)
def make(request: pytest.FixtureRequest) -> Make:
    return SENSORS[request.param]


@pytest.mark.parametrize("clause", SENSOR_CONTRACT, ids=lambda clause: clause.__name__)
def test_the_contract_is_kept(clause: Callable[[Make], None], make: Make) -> None:
    assert_kept(clause, make)


def assert_kept(clause: Callable[[Make], None], make: Make) -> None:
    clause(make)
