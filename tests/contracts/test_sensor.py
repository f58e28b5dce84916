"""All sensors keep to their contract. A new one signs by one more entry of SENSORS."""

from collections.abc import Callable, Collection
from functools import cache, partial
from random import Random

import pytest

from firmware_bridge.build import MEGA, PICO, Microcontroller
from hardware.matrix import Matrix, SimulatedMatrix
from hardware.pins import COLUMNS, ROWS, GpioPins
from hardware.ports import Change, Observation, Sensor, Switch
from hardware.sensors import FusedSensor, ThinnedSensor
from jetan_table.replay.recordings import RecordedSensor, Recording, RecordingHeader
from rules import SQUARE_NAMES, Occupant, grid
from tests.contracts.sensor import (
    SENSOR_CONTRACT,
    STANDING,
    SWITCH_CONTRACT,
    Make,
    Scanned,
    Touches,
    contacts,
)
from tests.emulated.contract import Driven
from tests.hardware.pi import StandInGpio, StandInPi
from tests.needs import EMULATOR, PICO_EMULATOR
from vision.camera import BoardCamera
from vision.eye import CameraSensor
from vision.finder import BoardFinder
from vision.geometry import Picture, layout_of
from vision.painted import Stage
from vision.sources import Frame


def scanned(touches: Touches) -> Sensor:
    board = contacts(touches)
    pins = SimulatedMatrix(lambda: board.closed, ROWS, COLUMNS, Random(5))
    return Scanned(board, Matrix(pins, ROWS, COLUMNS, pins.wait))


def on_pins(touches: Touches) -> Sensor:
    board = contacts(touches)
    pi = StandInPi(board)
    return Scanned(board, Matrix(GpioPins(StandInGpio(pi)), ROWS, COLUMNS, pi.wait))


def recorded(touches: Touches) -> Sensor:
    closed = tuple(SQUARE_NAMES[square] for square in STANDING)
    changes: list[Change] = contacts(touches).until(10.0)
    return RecordedSensor(Recording(RecordingHeader(closed=closed, t_end_us=10**7), tuple(changes)))


def driven(build: Microcontroller, touches: Touches) -> Sensor:
    standing = [Change(0.0, Switch(square), True) for square in STANDING]
    return Driven(build, standing, contacts(touches).until(10.0))


class Filmed:
    """The camera's sensor, before painted frames of the board as it is touched."""

    def __init__(self, touches: Touches) -> None:
        self._touches = touches
        self._frames = 0
        self._standing: set[int] = set()
        self._sensor = CameraSensor(above)
        self._sensor.know(_occupants(set(STANDING)))

    def poll(self, now: float) -> list[Observation]:
        observations = []
        while (at := self._frames / FRAMES_HZ) <= now:
            standing = set(STANDING)
            for when, square, near in self._touches:
                if when <= at:
                    (standing.add if near else standing.discard)(square)
            self._frames += 1
            if standing == self._standing and self._frames % FRAMES_HZ:
                continue  # nothing new: one such look a second is enough
            self._standing = standing
            self._sensor.take(Frame("painted", at, painted(frozenset(standing))))
            observations += self._sensor.poll(at)
        return observations


FRAMES_HZ = 10
SCENE = Stage(layout_of(grid()), 75.0)


@cache
def painted(standing: frozenset[int]) -> Picture:
    return SCENE.paint(_occupants(standing), 1)


def above() -> BoardCamera:
    corners = SCENE.view.project(SCENE.layout.corners)
    return BoardCamera(
        BoardFinder(SCENE.layout, corners=corners), has_neutral=False, are_stills=True
    )


def _occupants(standing: Collection[int]) -> list[int]:
    return [int(Occupant.ORANGE) * (square in standing) for square in range(100)]


def filmed(touches: Touches) -> Sensor:
    return Filmed(touches)


def fused(touches: Touches) -> Sensor:
    return ThinnedSensor(
        FusedSensor(scanned(touches), Filmed(touches), grid().neighbours.__getitem__)
    )


SENSORS: dict[str, Callable[[Touches], Sensor]] = {
    "simulated table": scanned,
    "stand-in pins": on_pins,
    "recording": recorded,
    "serial board": partial(driven, MEGA),
    "serial board, a Pico": partial(driven, PICO),
}
NEEDED = {"serial board": EMULATOR, "serial board, a Pico": PICO_EMULATOR}
DEAR = {"serial board, a Pico": [pytest.mark.ci]}


@pytest.fixture(
    params=[
        pytest.param(name, marks=[pytest.mark.needs(*NEEDED.get(name, ())), *DEAR.get(name, ())])
        for name in SENSORS
    ]
)
def make(request: pytest.FixtureRequest) -> Make:
    return SENSORS[request.param]


@pytest.mark.parametrize("clause", SWITCH_CONTRACT, ids=lambda clause: clause.__name__)
def test_the_contract_is_kept(clause: Callable[[Make], None], make: Make) -> None:
    assert_kept(clause, make)


@pytest.mark.parametrize("clause", SENSOR_CONTRACT, ids=lambda clause: clause.__name__)
@pytest.mark.parametrize("make", [filmed, fused], ids=["camera", "both"])
def test_a_camera_keeps_it_too(clause: Callable[[Make], None], make: Make) -> None:
    assert_kept(clause, make)


def assert_kept(clause: Callable[[Make], None], make: Make) -> None:
    clause(make)
