"""A reader that has lost its way finds it again, and says nothing twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jetan_table.reading.jetan_game import Standing
from jetan_table.reading.readings import Played, Reading, TakenBack
from jetan_table.replay.recordings import Recording
from jetan_table.replay.replay import advance, replay_of_recording
from jetan_table.simulation.generate import generate
from jetan_table.simulation.manners import PROFILES
from jetan_table.simulation.reeds import MAKES
from tests.jetan_table.reading.hand import table

LOST = "1.0-d2 1.4-d9 1.8+d8 2.2-a2 2.6+a3 3.0-i9 3.4+i8 5.5+d3 7.0-b6 7.5+b6"


def test_a_piece_that_shows_after_several_replies_loses_nothing() -> None:
    hand = table()
    assert hand.hands(LOST, 12.0) == ["1 d2-d3", "2 d9-d8", "3 a2-a3", "4 i9-i8"]
    assert hand.hands("13.0-j2 13.5+j3") == ["5 j2-j3"]


def test_no_way_is_taken_where_two_are_as_likely() -> None:
    """Either of two pieces may have come to c3; nobody saw which of them went to the other's."""
    told = table().hands("1.0-b2 1.02-d2 1.5+c3 2.0-d9 2.5+d8", 20.0)
    assert not [line for line in told if line.startswith("1 ")]


def told_twice(recording: Recording) -> Iterator[Reading[Standing]]:
    """Yield what was told again just after it had been taken back, and nothing new was for it."""
    replay = replay_of_recording(recording, "recording")
    standing: dict[int, Played[Standing]] = {}
    back: Played[Standing] | None = None
    for reading in advance(replay.source, replay.reader(), recording.ends_at):
        if isinstance(reading, TakenBack):
            back = standing.pop(reading.number, None)
        elif isinstance(reading, Played):
            standing[reading.number] = reading
            if back and (back.number, back.step.squares) == (reading.number, reading.step.squares):
                moved = {
                    change.switch
                    for change in recording.changes
                    if back.at < change.at <= reading.at
                }
                if not moved & set(reading.step.squares):
                    yield reading
            back = None


@pytest.mark.ci
@pytest.mark.parametrize("make", MAKES)
@pytest.mark.parametrize("seed", [3, 4])
def test_no_ply_is_told_again_right_after_it_was_taken_back(make: str, seed: int) -> None:
    game = generate(PROFILES["blitz"], seed, "recording", 30, MAKES[make])
    assert list(told_twice(game.recording)) == []
