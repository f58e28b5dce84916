"""`jetan bench page`: the page within its limits."""

import json

import pytest

from bench import page
from jetan_table.cli import main


def test_figures_are_within_the_limits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "LIFTS", 3)
    monkeypatch.setattr(page, "WATCHERS", 5)
    assert main(["bench", "page", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures.keys() == page.Figures.__annotations__.keys()
    assert 0 < figures["first_paint_vs_limit"] < 1
    assert 0 < figures["memory_vs_limit"] < 1
    assert 0 < figures["lift_to_lit_median_ms"] <= figures["lift_to_lit_p95_ms"]
