"""A moment that is cut out of a recording is a case that holds."""

import click
import pytest

from jetan_table.replay.recordings import read_seen
from jetan_table.replay.replay import Replay, replay_of_recording
from tests.cases import case_of
from tests.jetan_table.reading.cut import WIDTH, cut
from tests.jetan_table.reading.test_hands import assert_holds
from tests.paths import DATA


def replay(name: str) -> Replay:
    return replay_of_recording(read_seen(DATA / f"{name}.jsonl"), name)


def test_a_moment_becomes_a_case_that_holds() -> None:
    case = cut(replay("captures"), 12.0, 24.0)
    assert "told   1 g9-h8; 2 h2-h3; 3 c9-d8" in case
    assert_holds(case_of(case.splitlines()))


def test_a_long_moment_of_other_rules_is_broken_into_lines() -> None:
    case = cut(replay("juggernaut"), 0.5, 16.0)
    lines = case.splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert lines[0].startswith("    rules  ninth-ray-counterclockwise")
    assert_holds(case_of(lines))


def test_a_case_begins_where_the_board_stands_as_the_game_does() -> None:
    with pytest.raises(click.ClickException, match="otherwise than the game on b2:"):
        cut(replay("captures"), 9.8, 16.0)


def test_a_camera_has_shown_no_switches() -> None:
    with pytest.raises(click.ClickException, match="seen by a camera"):
        cut(replay("trials/simulated-camera"), 1.0, 2.0)
