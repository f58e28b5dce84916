"""Whatever else hands do, no gesture is made by it."""

import pytest

from jetan_table.game.record import Record
from jetan_table.people.manners import PROFILES
from jetan_table.replay.recordings import Recording
from jetan_table.replay.replay import advance, replay_of_recording
from jetan_table.session.session import Session
from rules import format_position
from tests.jetan_table.hands import header
from tests.jetan_table.reading.kept import KEPT, beginning
from tests.profiles import sampled
from tools.recordings import generate

PLIES = 8


def assert_no_gesture(recording: Recording) -> None:
    """A session that reads this sees no gesture made; the plies are read meanwhile."""
    replay = replay_of_recording(recording, "recording")
    rules, start = replay.start.rules, format_position(replay.start)
    session = Session(Record.begin(header(rules, start)))
    for _ in advance(replay.source, session, replay.ends_at):
        assert session.gestures.take_made() is None
    assert session.gestures.take_made() is None
    assert session.record.moves


@pytest.mark.parametrize("name", sampled(KEPT, by_hand=2))
def test_no_kept_recording_has_one(name: str) -> None:
    assert_no_gesture(beginning(name))


@pytest.mark.parametrize("profile", sampled(sorted(PROFILES), by_hand=1))
def test_no_game_has_one(profile: str) -> None:
    """Played as every profile's people do, who bump, topple, adjust, hesitate and take back."""
    assert_no_gesture(generate(PROFILES[profile], 11, "game", PLIES).recording)


@pytest.mark.soak("reading")
@pytest.mark.parametrize("profile", PROFILES)
def test_no_game_of_many_has_one(profile: str) -> None:
    for seed in range(20):
        assert_no_gesture(generate(PROFILES[profile], seed, "game", 60).recording)
