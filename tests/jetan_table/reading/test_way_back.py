"""A reader that has lost its way finds it again, and says nothing twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jetan_table.game.events import Ply, TakeBack
from jetan_table.people.manners import PROFILES
from jetan_table.people.reeds import MAKES
from jetan_table.reading.accounts import WayBack
from jetan_table.reading.readings import Reading, Standing
from jetan_table.reading.scene import Scene, Trace
from jetan_table.reading.way_back import clearest
from jetan_table.replay.recordings import Recording
from jetan_table.replay.replay import advance, replay_of_recording
from rules import Position, parse_square
from tests.jetan_table.reading.hand import RULES, table
from tools.recordings import generate

LATE = "1.0-d2 1.4-d9 1.8+d8 2.3+d3 3.0-a2 3.4-a9 3.8+a8 4.4+a3"


def test_a_piece_that_shows_after_the_reply_loses_nothing() -> None:
    hand = table()
    assert hand.hands(LATE, 8.0) == ["1 d2-d3", "2 d9-d8", "3 a2-a3", "4 a9-a8"]
    assert hand.hands("9.0-j2 9.5+j3") == ["5 j2-j3"]


def test_no_way_is_taken_where_two_are_as_likely() -> None:
    """Either of two pieces may have come to c3; nobody saw where the other one is."""
    heard = table().hands("1.0-b2 1.02-d2 1.5+c3 2.0-d9 2.5+d8", 20.0)
    assert heard == ["1? b2 d2", "2 d9-d8"]


def test_what_a_trace_has_left_behind_is_put_before_it_again() -> None:
    """A square that changed before the cut and after it has changed just as often as it did."""
    trace = Trace(0b1, 0b1)
    for square, at in ((0, 1.0), (1, 2.0), (1, 3.0), (2, 4.0)):
        trace.add(square, not trace.level >> square & 1, at)
    later = trace.since(2.0, 0b10)
    later.add(2, False, 5.0)
    assert later.after(trace, 2.0).changes == {0: [1.0], 1: [2.0, 3.0], 2: [4.0, 5.0]}


def test_a_piece_that_was_never_seen_where_it_should_stand_makes_no_way_clear() -> None:
    start = Standing(Position.start(RULES))
    way = WayBack(0, start, 0.0, dark=1 << parse_square("b3"))
    assert clearest([way], Scene(Trace(0, 0), 1.0, 1.0, 0, 1.0), ()) == []


def told_twice(recording: Recording) -> Iterator[Reading[Standing]]:
    """Yield what was told again just after it had been taken back, and nothing new was for it."""
    replay = replay_of_recording(recording, "recording")
    switch_of = recording.switch_of
    standing: dict[int, Reading[Standing]] = {}
    back: Reading[Standing] | None = None
    for reading in advance(replay.source, replay.reader(), recording.ends_at):
        if isinstance(reading.event, TakeBack):
            back = standing.pop(reading.event.number, None)
        elif isinstance(reading.event, Ply) and reading.step is not None:
            standing[reading.event.number] = reading
            if back and back.event == reading.event:
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
