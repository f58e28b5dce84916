"""Evenings of simulated people through the real codec and a bad cable: no change is lost."""

from collections.abc import Iterable
from random import Random

import pytest

from firmware_bridge import BoardSettings, SerialBoard
from firmware_bridge.levels import SwitchLevel
from hardware.ports import presence
from hardware.reed_sensor import Debounce
from hardware.switches import Change, Switch
from jetan_table.people.manners import PROFILES
from jetan_table.replay.recordings import Recording
from rules import SQUARES
from tests.firmware_bridge.bad_cable import BadCable
from tests.firmware_bridge.peer import Peer
from tools.recordings import generate

SWITCH_OF = tuple(Switch(square) for square in SQUARES)
SHARE = 0.01
"""Of the packets are hit, in either direction."""

LOOK_S = 0.05
LAST_S = 2.0


class Evening:
    """A recording's switches behind a bad cable: `wanted` is what they do, `told` what is told."""

    def __init__(self, recording: Recording, seed: int) -> None:
        self.peer = Peer()
        self.peer.levels = [SwitchLevel(closed) for closed in recording.closed]
        self.to_host = BadCable(Random(f"host {seed}"), SHARE)
        self.peer.harm_to_host = self.to_host
        self.peer.harm_to_board = BadCable(Random(f"board {seed}"), SHARE)
        self.driver = SerialBoard(self.peer, BoardSettings(), SWITCH_OF)
        self.wanted: list[tuple[int, bool]] = []
        self.told: list[tuple[int, bool]] = []
        self._debounce = Debounce(recording.closed)
        self._changes = recording.changes

    def play(self) -> None:
        """Let the whole evening pass."""
        changes = iter(self._changes)
        change = next(changes, None)
        self._look()
        ends = self._changes[-1].at + LAST_S
        while self.peer.now < ends:
            self.peer.run_until(self.peer.now + LOOK_S)
            while change is not None and change.at <= self.peer.now:
                self._set(self._debounce.feed(change))
                change = next(changes, None)
            self._set(self._debounce.advance(self.peer.now))
            self._look()

    def _set(self, steady: Iterable[Change]) -> None:
        for change in steady:
            self.peer.set(change.switch, SwitchLevel(change.closed), change.at)
            self.wanted.append((change.switch, change.closed))

    def _look(self) -> None:
        for observation in self.driver.poll(self.peer.now):
            if len(observation.squares) == len(SQUARES):
                continue
            for square, evidence in observation.squares.items():
                assert evidence is not None
                self.told.append((square, presence(evidence) > 0))


@pytest.mark.parametrize("plies", [60, pytest.param(10_000, marks=pytest.mark.soak("line"))])
def test_every_change_of_an_evening_is_told_once_and_in_order(plies: int) -> None:
    played = hits = seed = 0
    while played < plies:
        seed += 1
        made = generate(PROFILES["club-night"], seed, "evening")
        evening = Evening(made.recording, seed)
        evening.play()
        assert evening.told == evening.wanted, f"seed {seed}"
        assert evening.driver.link.follower.healed == 0
        played += len(made.truth.plies)
        hits += evening.to_host.hits
    assert hits > plies / 10
