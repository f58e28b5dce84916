"""The pace of the hands, and how slow they may be."""

import pytest

from jetan_table.reading.costs import PRICES
from jetan_table.reading.scene import SURE_MOVES, UNSURE, Tempo


def test_hands_that_have_not_moved_yet_may_be_slow() -> None:
    assert Tempo().pace == 1.0
    assert Tempo().slowest == pytest.approx(1.0 + UNSURE)


@pytest.mark.parametrize("slower", [0.6, 1.0, 1.5])
def test_hands_that_have_shown_their_pace_are_no_slower(slower: float) -> None:
    tempo = Tempo()
    for _ in range(SURE_MOVES):
        tempo.learn(PRICES.AIR_S * slower)
    assert tempo.slowest == pytest.approx(max(tempo.pace, 1.0))
    assert (tempo.pace > 1.0) is (slower > 1.0)
