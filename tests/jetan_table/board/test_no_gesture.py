"""Whatever else hands do, no gesture is made by it."""

from dataclasses import replace
from pathlib import Path

import pytest

from jetan_table.game.record import Record
from jetan_table.replay.recordings import read_recording
from jetan_table.replay.replay import Replay, advance, replay_of_recording
from jetan_table.session.session import Session
from jetan_table.simulation.generate import generate_recording
from jetan_table.simulation.presets import PRESETS
from rules import format_position
from tests.jetan_table.hands import header
from tests.paths import DATA
from tests.profiles import sampled

KEPT = sorted(DATA.glob("*.jsonl"))
PLIES = 25

USUAL = PRESETS["07"]
TOUCHY = replace(
    USUAL, habits=replace(USUAL.habits, knock=0.8, jadoube=0.8, hesitation=0.5, takeback=0.2)
)
"""People who hardly make a ply without knocking something over, or adjusting two or three."""


def assert_no_gesture(replay: Replay) -> None:
    """A session that reads this sees no gesture made; the plies are read meanwhile."""
    rules, start = replay.start.rules, format_position(replay.start)
    session = Session(Record.begin(header(rules, start)))
    for _ in advance(replay.source, session, replay.ends_at):
        assert session.gestures.take_made() is None
    assert session.gestures.take_made() is None
    assert session.record.moves


@pytest.mark.parametrize("path", sampled(KEPT, by_hand=2), ids=lambda path: path.stem)
def test_no_kept_recording_has_one(path: Path) -> None:
    assert_no_gesture(replay_of_recording(read_recording(path), path.name))


@pytest.mark.parametrize("preset", sampled(PRESETS, by_hand=2))
def test_no_generated_game_has_one(preset: str) -> None:
    """Played as every preset's people do, who knock, adjust, hesitate, slip and take back."""
    recording, _ = generate_recording(PRESETS[preset], 11, "game", PLIES)
    assert_no_gesture(replay_of_recording(recording, "game"))


@pytest.mark.parametrize("seed", sampled(range(4), by_hand=1))
def test_no_game_of_people_who_touch_everything_has_one(seed: int) -> None:
    recording, _ = generate_recording(TOUCHY, seed, "game", PLIES)
    assert_no_gesture(replay_of_recording(recording, "game"))


@pytest.mark.soak("reading")
@pytest.mark.parametrize("preset", PRESETS)
def test_no_generated_game_of_many_has_one(preset: str) -> None:
    for seed in range(100):
        recording, _ = generate_recording(PRESETS[preset], seed, "game")
        assert_no_gesture(replay_of_recording(recording, "game"))
