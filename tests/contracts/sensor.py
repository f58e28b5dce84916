"""What every sensor keeps to, as functions that need no test program: they also run on a Pi."""

from collections.abc import Callable, Sequence
from random import Random

from hardware.matrix import Matrix
from hardware.ports import Evidence, Observation, Sensor, Switch, presence
from hardware.reeds import ReedSensor
from rules import Occupant, Square
from tests.hardware.contacts import Contacts

Touches = Sequence[tuple[float, int, bool]]
"""Seconds, square, and whether a piece comes or goes."""

Make = Callable[[Touches], Sensor]
"""Sets pieces on STANDING, and makes the sensor of a board that is touched so."""

STANDING = (0, 1, 9, 55, 99)
TOUCHES: Touches = ((1.0, 55, False), (1.4, 65, True), (3.0, 1, False), (3.01, 1, True))
TIMES = tuple(n / 200 for n in (*range(190, 300), *range(590, 630)))
"""Often enough about the touches; an emulated Pi takes its time."""


def contacts(touches: Touches) -> Contacts:
    board = Contacts(STANDING, bounces=Random(4))
    for touch in touches:
        board.move(*touch)
    return board


class Scanned:
    """The reed sensor over pins whose contacts move as time is told to it."""

    def __init__(self, board: Contacts, matrix: Matrix) -> None:
        self._contacts = board
        self._sensor = ReedSensor(matrix, tuple(Switch(square) for square in range(100)))

    def poll(self, now: float) -> list[Observation]:
        self._contacts.until(now)
        return self._sensor.poll(now)


def the_first_observation_names_every_square(make: Make) -> None:
    first = next(iter(make(TOUCHES).poll(0.0)))
    assert sorted(first.squares) == list(range(100))
    occupied = [
        square for square, evidence in first.squares.items() if evidence and presence(evidence) > 0
    ]
    assert sorted(occupied) == sorted(STANDING)


def evidence_is_a_log_likelihood_for_each_occupant(make: Make) -> None:
    for observation in make(TOUCHES).poll(0.0):
        for evidence in observation.squares.values():
            assert evidence is not None
            assert len(evidence) == len(Occupant)
            assert max(evidence) <= 0


def times_run_forward_and_never_past_now(make: Make) -> None:
    sensor, last, count = make(TOUCHES), 0.0, 0
    for now in (0.0, *TIMES):
        for observation in sensor.poll(now):
            assert last <= observation.at <= now
            last = observation.at
            count += 1
    assert count > 1


def what_stands_in_the_end_is_what_was_told_last(make: Make) -> None:
    sensor, latest = make(TOUCHES), dict[Square, Evidence | None]()
    for now in (0.0, *TIMES):
        for observation in sensor.poll(now):
            latest.update(observation.squares)
    occupied = {
        square for square, evidence in latest.items() if evidence and presence(evidence) > 0
    }
    assert occupied == {0, 1, 9, 65, 99}


def a_lift_is_told_within_four_milliseconds(make: Make) -> None:
    sensor = make(TOUCHES)
    sensor.poll(0.0)
    sensor.poll(0.999)
    assert any(Square(55) in observation.squares for observation in sensor.poll(1.004))


def nothing_is_told_twice(make: Make) -> None:
    sensor = make(TOUCHES)
    assert list(sensor.poll(0.5))
    assert list(sensor.poll(0.5)) == []


def what_comes_later_changes_nothing_told_before(make: Make) -> None:
    early = [now for now in TIMES if now < 3.0]
    whole = make(TOUCHES)
    observations = [list(whole.poll(now)) for now in early]
    cut = make(TOUCHES[:2])  # not before: two sensors cannot share the pins of one Pi
    assert observations == [list(cut.poll(now)) for now in early]


SENSOR_CONTRACT: tuple[Callable[[Make], None], ...] = (
    the_first_observation_names_every_square,
    evidence_is_a_log_likelihood_for_each_occupant,
    times_run_forward_and_never_past_now,
    what_stands_in_the_end_is_what_was_told_last,
    nothing_is_told_twice,
    what_comes_later_changes_nothing_told_before,
)

SWITCH_CONTRACT = (*SENSOR_CONTRACT, a_lift_is_told_within_four_milliseconds)
"""What switches keep besides, which see hands in the act."""
