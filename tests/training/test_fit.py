"""The figures of the reader are counted and fitted along games whose truth is known."""

from pathlib import Path

import numpy as np
import pytest

from jetan_table.people.truth import read_truth
from jetan_table.reading.costs import COSTS_FILE
from jetan_table.reading.readings import Standing
from jetan_table.replay.replay import replay_of_recording
from tests.paths import DATA
from tests.recordings import read_recording
from training.reading import fit
from training.reading.counts import moments
from training.reading.fit import Counted, fitted, matrix, surprise

RECORDING, TRUTH = read_recording(DATA / "captures.jsonl"), read_truth(DATA / "captures.truth.json")
PLAYED = len(TRUTH.plies)


def test_all_plies_are_met_where_the_board_stands_as_they_say() -> None:
    start = Standing(replay_of_recording(RECORDING, "captures").start)
    met = [one for one in moments(RECORDING, TRUTH, start) if one.is_over]
    assert sum(len(one.steps) for one in met) == PLAYED
    assert all(one.true_account() is not None for one in met)


def test_what_the_truth_is_charged_too_much_becomes_cheaper() -> None:
    decisions = [{"TOUCH": 1.0, "UNSEEN": -1.0}] * 30 + [{"TOUCH": -1.0, "BLIP": 1.0}] * 2
    names, first = ["TOUCH", "UNSEEN", "BLIP"], np.array([4.0, 2.0, 3.0])
    rows = matrix([Counted("game", {}, {}, {}, decisions)], names)
    after = fitted(rows, first)
    assert after[0] < first[0] < first[0] + 1
    assert after[1] > first[1]
    assert surprise(rows, after) < surprise(rows, first)


def test_games_without_a_decision_are_reported_and_change_no_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    costs = tmp_path / "costs.toml"
    costs.write_text(COSTS_FILE.read_text())
    monkeypatch.setattr(fit, "COSTS_FILE", costs)
    fit.report([Counted("game", {}, {}, {}, [])], [], "", "")
    assert "1 games, 0 decisions" in capsys.readouterr().out
    assert costs.read_text() == COSTS_FILE.read_text()
