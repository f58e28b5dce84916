"""A reader that has lost its way finds it again, and says nothing twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from jetan_table.reading.jetan_game import Standing
from jetan_table.reading.readings import Played, Reading, TakenBack
from jetan_table.replay.recordings import Recording
from jetan_table.replay.replay import advance, replay_of_recording
from jetan_table.simulation.generate import generate
from jetan_table.simulation.manners import PROFILES
from jetan_table.simulation.reeds import MAKES
from rules import format_position, parse_position
from tests.jetan_table.reading.hand import RULES, table

LATE = "1.0-d2 1.4-d9 1.8+d8 2.3+d3 3.0-a2 3.4-a9 3.8+a8 4.4+a3"


def test_a_piece_that_shows_after_the_reply_loses_nothing() -> None:
    hand = table()
    assert hand.hands(LATE, 8.0) == ["1 d2-d3", "2 d9-d8", "3 a2-a3", "4 a9-a8"]
    assert hand.hands("9.0-j2 9.5+j3") == ["5 j2-j3"]


def test_no_way_is_taken_where_two_are_as_likely() -> None:
    """Either of two pieces may have come to c3; nobody saw where the other one is."""
    heard = table().hands("1.0-b2 1.02-d2 1.5+c3 2.0-d9 2.5+d8", 20.0)
    assert heard == ["1? b2 d2", "2 d9-d8"]


def test_the_way_is_found_also_where_what_was_certain_is_wrong() -> None:
    """By the last certain position the Thoat on a3 is a Panthan, which cannot go to b5."""
    hand = table()
    hand.hands("1-d2 1.5+d3 3-d9 3.5+d8 5-a2 5.5+a3 7-a9 7.5+a8 9-g2 9.5+g3 11-g9 11.5+g8", 13.0)
    hand.hands("13.1-b2 13.6+b3", 16.0)
    anchor = hand.reader._history.anchor
    true = anchor.worlds[0].position.position
    text = format_position(true).replace("T2P2P3/1PP1", "P2P2P3/1TP1")
    wrong = Standing(parse_position(text, RULES))
    assert wrong.position.occupied == true.occupied
    assert wrong.position != true
    anchor.worlds = [replace(anchor.worlds[0], position=wrong)]
    hand.reader._hypotheses.forget()
    heard = hand.hands("17-i9 17.5+i8 19-a3 19.5+b5 21-c9 21.5+c8 23-c2 23.5+c3", 30.0)
    assert heard == ["8 i9-i8", "9 a3-b5", "10 c9-c8", "11 c2-c3"]


def told_twice(recording: Recording) -> Iterator[Reading[Standing]]:
    """Yield what was told again just after it had been taken back, and nothing new was for it."""
    replay = replay_of_recording(recording, "recording")
    switch_of = recording.switch_of
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
                if not moved & {switch_of[square] for square in reading.step.squares}:
                    yield reading
            back = None


@pytest.mark.ci
@pytest.mark.parametrize("make", [name for name, make in MAKES.items() if not make.is_round])
@pytest.mark.parametrize("seed", [3, 4])
def test_no_ply_is_told_again_right_after_it_was_taken_back(make: str, seed: int) -> None:
    game = generate(PROFILES["blitz"], seed, "recording", 30, MAKES[make])
    assert list(told_twice(game.recording)) == []
