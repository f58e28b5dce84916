"""`jetan bench fusion`: what a camera beside the switches is worth, on a small sample."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench import fusion
from jetan_table.cli import main
from jetan_table.simulation.generate import Generated, generate
from jetan_table.simulation.presets import PRESETS

Played = list[tuple[str, int, Generated]]


@pytest.fixture(scope="module")
def played() -> Played:
    """A game in which the switches alone must ask, and one whose switch sticks closed."""
    return [(name, 1, generate(PRESETS[name], 1, name, 20)) for name in ("03", "06")]


@pytest.mark.parametrize("way", ["both", "camera gone", "switches stuck", "camera"])
def test_no_ply_is_wrong_or_missed_with_either_dead(way: str, played: Played) -> None:
    figures = fusion.measure(way, played)
    assert figures["plies"] >= 38
    assert (figures["wrong"], figures["never"]) == (0, 0)


def test_with_both_nothing_is_asked(played: Played) -> None:
    assert fusion.measure("switches", played)["asked"] > 0
    assert fusion.measure("both", played)["asked"] == 0


def test_squares_are_named_where_switches_stick(played: Played) -> None:
    assert fusion.measure("switches stuck", played[:1])["contradicted"] > 4
    assert fusion.measure("both", played[:1])["contradicted"] == 0


def test_figures_are_printed_for_programs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fusion, "PRESETS", {"01": PRESETS["01"]})
    monkeypatch.setenv("JETAN_BENCH_PLIES", "4")
    assert main(["bench", "fusion", "--json"]) == 0
    figures: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert list(figures) == list(fusion.WAYS)
    assert {each["plies"] for each in figures.values()} == {4}
