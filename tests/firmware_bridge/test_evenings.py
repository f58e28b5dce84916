"""Whole games of simulated people through the real codec and a bad cable.

Every change of a switch is told once and in order, and every ply is read.
"""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from firmware_bridge import BoardSettings
from firmware_bridge.mirror import SwitchLevel
from hardware.ports import Change, Observation, presence
from hardware.reeds import Debounce
from jetan_table.boards.serial import ChipBoard
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.people.board import SWITCH_OF, SimulatedBoard
from jetan_table.people.manners import PROFILES
from jetan_table.people.people import SimulatedPlay
from jetan_table.settings import Settings
from jetan_table.table.games import begin_game
from jetan_table.wiring import seat_people
from rules import Position, parse_rules
from tests.firmware_bridge.bad_cable import BadCable
from tests.firmware_bridge.peer import Peer

SHARE = 0.01
"""Of the packets are hit, in either direction."""

BEGINS = 1000.0


class Told(ChipBoard):
    """The driver, which keeps what it tells of single squares."""

    told: list[tuple[int, bool]]

    def poll(self, now: float) -> list[Observation]:
        observations = super().poll(now)
        for observation in observations:
            if len(observation.squares) < 100:
                for square, evidence in observation.squares.items():
                    assert evidence is not None
                    self.told.append((square, presence(evidence) > 0))
        return observations


class PeerUnderBoard:
    """A peer whose switches are those of a simulated board, debounced as the firmware does."""

    def __init__(self, seed: int) -> None:
        self.peer = Peer(now=BEGINS)
        self.to_host = BadCable(Random(f"host {seed}"), SHARE)
        self.to_board = BadCable(Random(f"board {seed}"), SHARE)
        self.peer.harm_to_host, self.peer.harm_to_board = self.to_host, self.to_board
        self.wanted: list[tuple[int, bool]] = []
        self.driver: Told

    def drive(self, board: SimulatedBoard) -> ChipBoard:
        self._debounce = Debounce(board.closed)
        self.peer.levels = [SwitchLevel(closed) for closed in board.closed]
        board.listener = self._feed
        self.driver = Told(board, lambda: None, self.peer, BoardSettings(), SWITCH_OF)
        self.driver.told = []
        return self.driver

    def now(self) -> float:
        return self.peer.now

    def sleep(self, seconds: float) -> None:
        self.peer.run_until(self.peer.now + seconds)
        self._tell(self._debounce.advance(self.peer.now))

    def _feed(self, changes: Iterable[Change], until: float) -> None:
        for change in changes:
            self._tell(self._debounce.feed(change))

    def _tell(self, steady: Iterable[Change]) -> None:
        for change in steady:
            self.peer.set(change.switch, SwitchLevel(change.closed), change.at)
            self.wanted.append((change.switch, change.closed))


def play_game(folder: Path, seed: int) -> tuple[SimulatedPlay, PeerUnderBoard]:
    """Play one game to its end."""
    under = PeerUnderBoard(seed)
    people = PROFILES["careful"]  # whom any reader follows: what is asked here is the line
    header = Header.of(Position.start(parse_rules(people.rules)), BEGINS)
    with closing(Journal(folder)) as journal:
        opened = begin_game(journal, header)
        play = seat_people(journal, opened, Settings(), people, seed, under, drive=under.drive)
        play.run(lambda news: None)
    return play, under


@pytest.mark.parametrize("plies", [40, pytest.param(10_000, marks=pytest.mark.soak("line"))])
def test_every_change_is_told_and_every_ply_read_through_a_bad_cable(
    tmp_path: Path, plies: int
) -> None:
    played = hits = repeats = seed = 0
    while played < plies or (repeats == 0 and played < 4 * plies):  # until the cable cost one
        seed += 1
        play, under = play_game(tmp_path / str(seed), seed)
        assert play.is_read_rightly(), f"seed {seed}"
        assert under.driver.told == under.wanted[: len(under.driver.told)], f"seed {seed}"
        assert len(under.wanted) - len(under.driver.told) < 3, "the last may be under way"
        played += len(play.table.view.record.moves)
        hits += under.to_host.hits + under.to_board.hits
        repeats += under.driver.link.follower.repeats
        assert under.driver.link.follower.healed == 0
    assert hits > plies / 10
    assert repeats > 0
