"""What every sensor keeps to. A new driver or stand-in signs by one more entry of SENSORS."""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from hardware.matrix import Matrix, Pin
from hardware.ports import Evidence, Observation, Sensor, presence
from hardware.reed_sensor import ReedSensor
from hardware.simulated_contacts import Contacts, Wear
from hardware.simulated_matrix import SimulatedMatrix
from hardware.switches import Change, Switch
from jetan_table.recordings import Header, RecordedSensor, Recording
from rules import Occupant, Square
from rules.topology import SQUARE_NAMES
from tests.emulated.contract import Driven
from tests.needs import EMULATOR

ROWS = tuple(Pin(number) for number in range(10))
COLUMNS = tuple(Pin(number) for number in range(10, 20))

Touches = Sequence[tuple[float, int, bool]]
"""Seconds, square, and whether a piece comes or goes."""

STANDING = (0, 1, 9, 55, 99)
TOUCHES: Touches = ((1.0, 55, False), (1.4, 65, True), (3.0, 1, False), (3.01, 1, True))
TIMES = tuple(n / 200 for n in range(1000))


def contacts(touches: Touches) -> Contacts:
    board = Contacts(100, Random(4), Wear(bounce_share=1))
    for square in STANDING:
        board.stand(Switch(square))
    for at, square, near in touches:
        board.move(at, Switch(square), near)
    return board


class Scanned:
    """The reed sensor over simulated pins, whose contacts move as time is told to it."""

    def __init__(self, touches: Touches) -> None:
        self._contacts = contacts(touches)
        pins = SimulatedMatrix(self._contacts, ROWS, COLUMNS, Random(5))
        switch_of = tuple(Switch(square) for square in range(100))
        self._sensor = ReedSensor(Matrix(pins, ROWS, COLUMNS, pins.wait), switch_of)

    def poll(self, now: float) -> list[Observation]:
        self._contacts.until(now)
        return self._sensor.poll(now)


def recorded(touches: Touches) -> Sensor:
    closed = tuple(SQUARE_NAMES[square] for square in STANDING)
    changes: list[Change] = contacts(touches).until(10.0)
    return RecordedSensor(Recording(Header(closed=closed, t_end_us=10**7), tuple(changes)))


def driven(touches: Touches) -> Sensor:
    standing = [Change(0.0, Switch(square), True) for square in STANDING]
    return Driven(standing, contacts(touches).until(10.0))


SENSORS: dict[str, Callable[[Touches], Sensor]] = {
    "reed matrix": Scanned,
    "recording": recorded,
    "serial board": driven,
}
NEEDED = {"serial board": EMULATOR}


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.needs(*NEEDED.get(name, ()))) for name in SENSORS]
)
def make(request: pytest.FixtureRequest) -> Callable[[Touches], Sensor]:
    return SENSORS[request.param]


def test_the_first_observation_names_every_square(make: Callable[[Touches], Sensor]) -> None:
    first = next(iter(make(TOUCHES).poll(0.0)))
    assert sorted(first.squares) == list(range(100))
    occupied = [square for square, seen in first.squares.items() if seen and presence(seen) > 0]
    assert sorted(occupied) == sorted(STANDING)


def test_evidence_is_a_log_likelihood_for_each_occupant(
    make: Callable[[Touches], Sensor],
) -> None:
    for observation in make(TOUCHES).poll(0.0):
        for seen in observation.squares.values():
            assert seen is not None
            assert len(seen) == len(Occupant)
            assert max(seen) <= 0


def test_times_run_forward_and_never_past_now(make: Callable[[Touches], Sensor]) -> None:
    sensor, last, told = make(TOUCHES), 0.0, 0
    for now in TIMES:
        for observation in sensor.poll(now):
            assert last <= observation.at <= now
            last = observation.at
            told += 1
    assert told > 1


def test_what_stands_in_the_end_is_what_was_told_last(
    make: Callable[[Touches], Sensor],
) -> None:
    sensor, told = make(TOUCHES), dict[Square, Evidence | None]()
    for now in TIMES:
        for observation in sensor.poll(now):
            told.update(observation.squares)
    occupied = {square for square, seen in told.items() if seen and presence(seen) > 0}
    assert occupied == {0, 1, 9, 65, 99}


def test_a_lift_is_told_within_four_milliseconds(make: Callable[[Touches], Sensor]) -> None:
    sensor = make(TOUCHES)
    sensor.poll(0.0)
    sensor.poll(0.999)
    assert any(Square(55) in observation.squares for observation in sensor.poll(1.004))


def test_nothing_is_told_twice(make: Callable[[Touches], Sensor]) -> None:
    sensor = make(TOUCHES)
    assert list(sensor.poll(0.5))
    assert list(sensor.poll(0.5)) == []


def test_what_comes_later_changes_nothing_told_before(
    make: Callable[[Touches], Sensor],
) -> None:
    whole, cut = make(TOUCHES), make(TOUCHES[:2])
    early = [now for now in TIMES if now < 3.0]
    assert [list(whole.poll(now)) for now in early] == [list(cut.poll(now)) for now in early]
