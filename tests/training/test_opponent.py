"""How the opponent's weights, nets and book are made."""

import math
from pathlib import Path
from random import Random

import numpy as np
import pytest

from jetan_table.engine.evaluation import net_for
from rules import parse_rules
from training.opponent.fit import Witness, fit, surprise
from training.opponent.net import AT_FIRST, Learner, Round, gathered


def test_the_fit_finds_the_weights_that_made_the_results() -> None:
    chance, true = Random(1), [300.0, -150.0]
    witnesses = []
    for _ in range(20_000):
        features = [chance.gauss(0, 1), chance.gauss(0, 1)]
        share = 1 / (1 + math.exp(-sum(f * w for f, w in zip(features, true, strict=True)) / 250))
        witnesses.append(Witness(features, float(chance.random() < share)))
    found = fit(witnesses, [100.0, 0.0])
    assert surprise(witnesses, found) < surprise(witnesses, [100.0, 0.0])
    assert found[0] == pytest.approx(300, abs=120)
    assert found[1] == pytest.approx(-150, abs=80)


@pytest.mark.needs("cc")
def test_a_net_learns_what_searches_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.opponent.net.BATCH", 64)
    part, none = Round(1, 600, 100, AT_FIRST), tmp_path / "none"
    first, again = (
        gathered(tmp_path / f"{jobs}.games", "cazaux", part, none, jobs) for jobs in (1, 2)
    )
    assert len(first) == 600
    assert np.array_equal(first, again)
    among = np.arange(600, dtype=np.int32)
    learner = Learner(first, 1)
    before = learner.surprise(among)
    learner.learn(among)
    assert learner.surprise(among) < 0.8 * before
    net = net_for(parse_rules("cazaux"))
    assert net is not None
    assert len(learner.whole()) == len(net)
