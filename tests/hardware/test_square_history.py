"""What a square has told: its changes, its last one, and openings too short for a hand."""

from hardware.ports import Observation
from hardware.reeds import ReedErrors
from hardware.sensors import SquareHistories
from rules import parse_square

D4, E4 = parse_square("d4"), parse_square("e4")
EVIDENCE = ReedErrors().evidence


def histories(*levels: tuple[float, bool | None]) -> SquareHistories:
    """What d4 told, at times; e4 stays empty."""
    counted = SquareHistories()
    counted.observe(Observation(0.0, {D4: EVIDENCE(True), E4: EVIDENCE(False)}))
    for at, closed in levels:
        evidence = None if closed is None else EVIDENCE(closed)
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
