"""`jetan bench pi`: what the table costs its owner's machine."""

import json

import pytest

from bench import pi
from jetan_table.cli import main


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure a shorter game, and no search of a million positions."""
    monkeypatch.setattr(pi, "PLIES", 4)
    monkeypatch.setenv("JETAN_QUICK_SEARCH", "off")


@pytest.mark.usefixtures("small")
def test_a_program_gets_every_figure_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "pi", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert list(figures) == list(pi.PUBLISHED)
    missing = [name for name, value in figures.items() if value is None]
    assert missing == ["search in C: 1,000,000 positions, s"]
    assert all(value > 0 for value in figures.values() if value is not None)
    mean, longest = (figures[f"reading: an event, {which}, ms"] for which in ("mean", "longest"))
    assert mean < longest
