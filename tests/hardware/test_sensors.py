"""Two sensors as one: evidence added, contradiction named, either alone where the other is dead.

And what a square has told: its changes, its last one, and openings too short for a hand.
"""

from dataclasses import dataclass, field

import pytest

from hardware.ports import Evidence, Observation, presence
from hardware.reeds import reed_evidence
from hardware.sensors import (
    MOMENT_S,
    QUIET_S,
    TRUST,
    FusedSensor,
    SquareHistories,
    ThinnedSensor,
)
from rules import Occupant, Square, grid, parse_square

D4, E4 = parse_square("d4"), parse_square("e4")


def histories(*levels: tuple[float, bool | None]) -> SquareHistories:
    """What d4 told, at times; e4 stays empty."""
    counted = SquareHistories()
    counted.observe(Observation(0.0, {D4: reed_evidence(True), E4: reed_evidence(False)}))
    for at, closed in levels:
        evidence = None if closed is None else reed_evidence(closed)
        counted.observe(Observation(at, {D4: evidence}))
    return counted


def test_a_piece_that_is_lifted_and_put_back_is_no_blink() -> None:
    history = histories((1.0, False), (1.4, True)).of[D4]
    assert (history.occupied, history.changes, history.changed_at) == (True, 2, 1.4)
    assert history.blinks == 0


def test_openings_too_short_for_a_hand_name_a_weak_switch() -> None:
    counted = histories((1.0, False), (1.04, True), (3.0, False), (3.02, True))
    assert counted.weak == [D4]
    assert counted.of[D4].blinks == 2
    assert round(counted.of[D4].longest_blink_s, 3) == 0.04


def test_what_a_hand_covers_is_no_change() -> None:
    history = histories((1.0, None), (1.05, True)).of[D4]
    assert (history.changes, history.blinks) == (0, 0)


A1, B1 = Square(0), Square(1)
OPEN, CLOSED = reed_evidence(False), reed_evidence(True)


def shown(occupant: Occupant, doubt: float = 24.0) -> Evidence:
    empty, black, orange, neutral = (0.0 if each is occupant else -doubt for each in Occupant)
    return empty, black, orange, neutral


EMPTY, BLACK, ORANGE = map(shown, (Occupant.EMPTY, Occupant.BLACK, Occupant.ORANGE))


@dataclass
class ScriptedSensor:
    """A sensor that says what it is told to."""

    waiting: list[Observation] = field(default_factory=list)

    def poll(self, now: float) -> list[Observation]:
        observations, self.waiting = self.waiting, []
        return observations

    def say(self, at: float, evidence: Evidence | None, square: Square = A1) -> None:
        self.waiting.append(Observation(at, {square: evidence}))


class Both:
    """A fused pair, and what it last said of each square."""

    def __init__(self) -> None:
        self.switches, self.camera = ScriptedSensor(), ScriptedSensor()
        self.fused = FusedSensor(self.switches, self.camera, grid().neighbours.__getitem__)
        self.latest: dict[Square, Evidence | None] = {}
        self.times: list[float] = []

    def hear(
        self, at: float, switch: Evidence | None = None, camera: Evidence | None = None
    ) -> Evidence | None:
        if switch is not None:
            self.switches.say(at, switch)
        if camera is not None:
            self.camera.say(at, camera)
        return self.poll(at)

    def poll(self, at: float) -> Evidence | None:
        for observation in self.fused.poll(at):
            self.latest |= observation.squares
            self.times.append(observation.at)
        return self.latest.get(A1)


def occupied(evidence: Evidence | None) -> bool:
    assert evidence is not None
    return presence(evidence) > 0


def test_evidence_is_added() -> None:
    both = Both()
    both.hear(0.0, switch=CLOSED)
    evidence = both.hear(1.0, camera=shown(Occupant.BLACK, 15.0))
    assert evidence is not None
    assert evidence[Occupant.BLACK] == 0
    assert evidence[Occupant.ORANGE] == pytest.approx(-15 * TRUST)
    assert evidence[Occupant.EMPTY] == pytest.approx(-15 * TRUST - presence(CLOSED))


def test_what_the_camera_saw_before_a_change_does_not_count_after_it() -> None:
    both = Both()
    both.hear(0.0, switch=CLOSED)
    both.hear(1.0, camera=BLACK)
    assert both.hear(2.0, switch=OPEN) == OPEN
    assert both.hear(2.0 + QUIET_S / 2, camera=BLACK) == OPEN
    assert both.hear(3.0, camera=EMPTY) != OPEN
    assert not both.fused.contradictions


def test_the_switch_is_believed_for_a_moment_then_the_evidence_decides() -> None:
    both = Both()
    both.hear(0.0, switch=CLOSED)
    assert occupied(both.hear(1.0, camera=EMPTY))
    assert not both.fused.contradictions
    assert not occupied(both.hear(1.0 + MOMENT_S, camera=EMPTY))
    assert both.fused.contradictions == {A1: "switches"}


def test_weak_sight_is_outvoted_by_a_switch() -> None:
    both = Both()
    both.hear(0.0, switch=CLOSED)
    for at in (1.0, 2.0):
        assert occupied(both.hear(at, camera=shown(Occupant.EMPTY, 10.0)))
    assert both.fused.contradictions == {A1: "camera"}
    assert occupied(both.hear(3.0, camera=BLACK))
    assert not both.fused.contradictions


def test_of_a_piece_on_the_edge_neither_is_believed_until_both_agree() -> None:
    """Its magnet closes the reed of its own square; the camera sees it on the one beside."""
    both = Both()
    both.hear(0.0, switch=OPEN)
    both.switches.say(0.0, CLOSED, B1)
    both.camera.say(1.0, BLACK, B1)
    both.hear(1.0, camera=EMPTY)
    assert both.hear(5.0, switch=CLOSED) == CLOSED
    both.hear(6.0, camera=EMPTY)
    assert both.hear(6.0 + MOMENT_S, camera=EMPTY) is None
    assert both.hear(8.0, camera=EMPTY) is None
    assert not both.fused.contradictions
    assert occupied(both.hear(9.0, camera=BLACK))
    assert not occupied(both.hear(10.0, switch=OPEN))


def test_of_a_magnet_where_no_piece_is_near_the_camera_is_believed() -> None:
    both = Both()
    both.hear(0.0, switch=OPEN)
    both.hear(1.0, camera=EMPTY)
    both.hear(5.0, switch=CLOSED)
    both.hear(6.0, camera=EMPTY)
    assert not occupied(both.hear(6.0 + MOMENT_S, camera=EMPTY))
    assert both.fused.contradictions == {A1: "switches"}


def test_an_open_switch_is_believed_against_thin_sight() -> None:
    both = Both()
    both.hear(0.0, switch=OPEN)
    for at in (1.0, 2.0):
        assert not occupied(both.hear(at, camera=shown(Occupant.ORANGE, 12.0)))
    assert both.fused.contradictions == {A1: "camera"}


def test_sight_that_is_not_sure_contradicts_nobody() -> None:
    both = Both()
    both.hear(0.0, switch=CLOSED)
    for at in (1.0, 2.0):
        assert occupied(both.hear(at, camera=shown(Occupant.EMPTY, 4.0)))
    assert not both.fused.contradictions


def test_a_switch_that_sticks_is_not_heard_before_it_has_followed() -> None:
    both = Both()
    both.hear(0.0, switch=CLOSED)
    both.hear(1.0, camera=EMPTY)
    both.hear(2.0, camera=EMPTY)
    both.camera.waiting.append(Observation(3.0, {A1: None}))
    assert both.poll(3.0) is None  # a hand: the switch alone says nothing
    assert occupied(both.hear(4.0, camera=ORANGE))  # by chance it is right
    assert both.fused.contradictions == {A1: "switches"}
    assert not occupied(both.hear(5.0, camera=EMPTY))
    both.hear(6.0, switch=OPEN)
    both.hear(7.0, camera=EMPTY)
    assert not both.fused.contradictions
    assert occupied(both.hear(8.0, switch=CLOSED))


def test_with_either_silent_the_other_is_all_there_is() -> None:
    both = Both()
    assert both.hear(0.0, switch=CLOSED) == CLOSED
    both.hear(1.0, camera=BLACK)
    both.camera.waiting.append(Observation(2.0, {A1: None}))
    assert both.poll(2.0) == CLOSED
    alone = Both()
    assert alone.hear(0.0, camera=BLACK) == shown(Occupant.BLACK, 24 * TRUST)


def test_switches_that_fail_as_a_whole_leave_sight() -> None:
    both = Both()
    both.hear(0.0, switch=CLOSED)
    both.hear(1.0, camera=BLACK)
    (observation,) = both.fused.doubt_switches(2.0)
    assert observation.squares == {A1: None}
    assert both.hear(3.0, camera=BLACK) == shown(Occupant.BLACK, 24 * TRUST)


def test_times_run_forward_though_sight_is_late() -> None:
    both = Both()
    both.hear(0.0, switch=CLOSED)
    both.hear(2.0, switch=OPEN)
    both.camera.say(1.5, BLACK)
    both.poll(2.1)
    assert both.times == sorted(both.times)


def test_only_what_matters_is_told() -> None:
    sensor = ScriptedSensor()
    thinned = ThinnedSensor(sensor)

    def count(at: float, evidence: Evidence | None) -> int:
        sensor.say(at, evidence)
        return len(thinned.poll(at))

    assert count(0.0, BLACK) == 1
    assert count(1.0, shown(Occupant.BLACK, 17.0)) == 0  # as good as certain before and now
    assert count(2.0, shown(Occupant.BLACK, 5.0)) == 1  # doubtful now
    assert count(3.0, shown(Occupant.BLACK, 6.0)) == 0
    assert count(4.0, ORANGE) == 1
    assert count(5.0, None) == 1
    assert count(6.0, None) == 0
    assert count(7.0, ORANGE) == 1


def test_that_nothing_has_changed_is_told_after_a_while_where_that_is_wanted() -> None:
    sensor = ScriptedSensor()
    thinned = ThinnedSensor(sensor, (0.5, 1.5))
    passed_on: list[tuple[float, int]] = []
    for at in (0.0, 0.2, 0.6, 1.0, 1.6, 2.0, 9.0):
        sensor.say(at, EMPTY)
        passed_on += [(each.at, len(each.squares)) for each in thinned.poll(at)]
    assert passed_on == [(0.0, 1), (0.6, 0), (1.6, 0)]
    sensor.say(9.4, BLACK)
    passed_on = [(each.at, len(each.squares)) for each in thinned.poll(9.4)]
    assert passed_on == [(9.0, 0), (9.4, 1)]  # and by when nothing had changed yet
