"""How the opponent's weights, nets and book are made."""

import math
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bench.opponent.in_c import Seat
from jetan_table.engine.evaluation import Weights, net_for
from jetan_table.engine.tree import WON
from rules import parse_position, parse_rules
from rules.game import Game
from training.opponent.book import grown
from training.opponent.fit import Witness, fit, judged, surprise
from training.opponent.net import AT_FIRST, Learner, Round, gathered

OPEN = parse_position("q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1", parse_rules("appendix"))

WEIGHTS = Weights(-32.7, 16.4, 2.1, 16.9, 4.1, 1.4, 5.1, 25.0, 18.7, 92.8, 16.5)


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
def test_the_fit_learns_from_what_a_search_finds() -> None:
    """The Dwar takes the Princess at once; with the Princess away from it nobody wins."""
    away = parse_position("9q/10/10/D9/10/10/10/10/10/9Q b - - 0 1", parse_rules("appendix"))
    scores = [judged(position, Seat(WEIGHTS, 500)) for position in (OPEN, away)]
    assert scores[0] > WON
    assert 0 < scores[1] < WON


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


def test_no_line_of_the_book_ends_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is lost takes the Chief for a draw, and nothing else is nearly as good."""
    monkeypatch.setattr("training.opponent.book.BOOK_PLIES", 1)
    lost = "q9/10/10/10/4w5/10/4C5/1DDFFTT3/10/Q9 o - - 0 1"
    assert list(grown(Game.begin(parse_position(lost, parse_rules("appendix"))))) == []
    assert list(grown(Game.begin(parse_position(lost, parse_rules("retired-chief"))))) != []
