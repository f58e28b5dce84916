"""What an eye learns from a look, by what is believed of it."""

import numpy as np

from hardware.ports import IN_DOUBT, SURELY_KNOWN, Believed
from rules import Occupant
from vision.appearance import SquareEvidence
from vision.eye import lesson_of

STANDS = (Occupant.BLACK, Occupant.EMPTY, Occupant.ORANGE, Occupant.EMPTY)


def seen(**unlike: tuple[float, float, float, float]) -> SquareEvidence:
    """Return what is seen where those stand, but for squares (s0, s1, ...) that look otherwise."""
    likelihoods = np.full((len(STANDS), len(Occupant)), -20.0)
    likelihoods[np.arange(len(STANDS)), STANDS] = 0.0
    for square, nats in unlike.items():
        likelihoods[int(square[1:])] = nats
    return SquareEvidence(likelihoods, likelihoods, likelihoods, np.zeros(len(STANDS), bool))


def taught(evidence: SquareEvidence, *margins: float) -> list[int]:
    sure = margins or (SURELY_KNOWN,) * len(STANDS)
    occupants: list[int] = lesson_of(Believed(STANDS, sure), evidence).tolist()
    return occupants


def test_what_is_sure_and_seen_teaches() -> None:
    assert taught(seen()) == list(STANDS)


def test_a_square_that_denies_what_is_believed_teaches_nothing() -> None:
    assert taught(seen(s1=(-20.0, 0.0, -20.0, -20.0))) == [1, IN_DOUBT, 2, 0]


def test_what_looks_as_it_did_is_learned_where_nothing_else_can_be() -> None:
    full = seen(s1=(-10.0, 0.0, -20.0, -20.0))
    assert taught(full, SURELY_KNOWN, 9.0, SURELY_KNOWN, SURELY_KNOWN)[1] == IN_DOUBT
    assert taught(full)[1] == Occupant.EMPTY


def test_bare_board_is_no_lesson_of_a_piece_and_makes_all_less_sure() -> None:
    bare = seen(s0=(0.0, -8.5, -20.0, -20.0))
    assert taught(bare, 17.0, 17.0, 17.0, 19.0) == [IN_DOUBT, IN_DOUBT, IN_DOUBT, 0]
    assert taught(seen(s0=(0.0, -9.5, -20.0, -20.0)))[0] == IN_DOUBT


def test_a_square_under_something_that_covers_it_teaches_nothing() -> None:
    evidence = seen()
    evidence.is_covered[2] = True
    assert taught(evidence) == [1, 0, IN_DOUBT, 0]
