"""How fast hands play, counted."""

from itertools import pairwise

from msgspec import UNSET

from jetan_table.people.truth import read_truth
from tests.paths import ROOT
from training.reading.deeds import deeds, taken_back


def test_a_deed_is_a_ply_or_its_taking_back() -> None:
    truth = read_truth(ROOT / "tests" / "data" / "hasty.truth.json")
    back = sum(ply.taken_back_us is not UNSET for ply in truth.plies)
    times = deeds(truth)
    assert len(times) == len(truth.plies) + back
    assert all(before <= after for before, after in pairwise(times))
    assert sum(taken_back(truth)) == back
