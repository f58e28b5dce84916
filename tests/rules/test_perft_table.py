"""The table of counts that others may hold their programs to says what `rules` counts."""

import json

import pytest

from docs.perft_table import DEPTH, FILE, alike, counted
from rules import PRESETS, Position, format_position, preset_rules

KEPT = json.loads(FILE.read_text())["readings"]


def test_every_reading_is_there_and_begins_as_it_does() -> None:
    assert list(KEPT) == list(PRESETS)
    for name, counts in KEPT.items():
        assert counts["start"] == format_position(Position.start(preset_rules(name)))
        assert len(counts["perft"]) == DEPTH


@pytest.mark.parametrize("name", PRESETS)
def test_two_plies_are_counted_again(name: str) -> None:
    assert counted(preset_rules(name), 2) == KEPT[name]["perft"][:2]


@pytest.mark.ci
@pytest.mark.parametrize("name", PRESETS)
def test_three_plies_are_counted_again(name: str) -> None:
    """One of those that allow the same games in four plies would be enough; here are all."""
    assert counted(preset_rules(name), 3) == KEPT[name]["perft"][:3]


def test_readings_that_allow_the_same_games_have_the_same_counts() -> None:
    counts = [(alike(preset_rules(name)), tuple(KEPT[name]["perft"])) for name in PRESETS]
    assert len(set(counts)) == len(dict(counts)) == len({count for _rules, count in counts})
