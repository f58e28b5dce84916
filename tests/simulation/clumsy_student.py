"""A clumsy student at a simulated real board: tries moves and takes them back, by lamps alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from jetan_table.game.events import Header
from jetan_table.game.placement import letters
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import open_game
from jetan_table.lamps.cues import Cue
from jetan_table.opponent.study import Study
from jetan_table.settings import Settings
from jetan_table.simulation.typed import typed_hands
from jetan_table.table.loop import EagerClock
from jetan_table.wiring import join
from rules import SQUARES, Position, Square
from rules.game import Game
from tests.simulation.clumsy_learner import LOOKED_S, MADE_UP_S, STEP_S, meanings

FEW_NODES = 150
PATIENT_S = 20.0
HELD_S = 0.5
MOST_LED = 12


class ClumsyStudent:
    """Studies a position; `game` is what the student takes the table to have read."""

    def __init__(self, folder: Path, start: Position, seed: int) -> None:
        self.chance, self.clock = Random(f"student {seed}"), EagerClock()
        self.slips = Counter[str]()
        self.game = Game.begin(start)
        self.tried = {self.game.plies}
        """Each line that was tried, as its plies."""
        self._journal = Journal(folder)
        header = Header.of(start, self.clock.now())
        opened = open_game(self._journal, header, header)
        self.hands = typed_hands(self._journal, opened, seed=seed, between_s=0.3)
        self.study = Study(folder, None, PATIENT_S, FEW_NODES)
        self.table, self._lamps = join(
            self.hands.board, self._journal, opened, Settings(), guests=[self.study]
        )
        self.wait(MADE_UP_S)

    def close(self) -> None:
        self.study.close()
        self._journal.close()

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.table.step(self.clock.now())
            self.clock.sleep(STEP_S)

    def lit(self, cue: Cue) -> list[Square]:
        """Look at the lamps for a while; return the squares that have that meaning."""
        frames = []
        for _ in range(round(LOOKED_S / STEP_S)):
            self.table.step(self.clock.now())
            self.clock.sleep(STEP_S)
            frames.append(tuple(self._lamps.lights))
        return sorted(square for square, found in meanings(frames).items() if found is cue)

    def explore(self) -> None:
        """Take a ply back, or slip, or play what is lit."""
        if self.game.plies and (self.game.outcome or self.chance.random() < 0.35):
            self._take_back()
        else:
            self._play()
        self._follow_lamps()

    def _play(self) -> None:
        start = self.chance.choice(self.lit(Cue.ADVICE))
        self._slip(start)
        self.hands.lift(start, self.clock.now())
        self.wait(HELD_S)
        end = self.chance.choice(self.lit(Cue.ADVICE))
        move = next(move for move in self.game.position.moves_from(start) if move.to_square == end)
        if end in self.hands.standing:
            self.hands.take(end, self.clock.now())
        self.hands.put(end, self.clock.now())
        self.game = self.game.play(move)
        self.tried.add(self.game.plies)

    def _take_back(self) -> None:
        """Put the piece back, and what it took where it stood."""
        move, before = self.game.plies[-1].move, self.game.positions[-2]
        victim = letters(before).get(move.to_square)
        self.hands.move((move.to_square, move.from_square), self.clock.now())
        if victim is not None:
            self.hands.put(move.to_square, self.clock.now(), victim)
        self.game = self.game.take_back()
        self.slips["taken back"] += 1

    def _slip(self, start: Square) -> None:
        slip = self.chance.choice(("", "", "wrong", "tilt", "back"))
        self.slips[slip] += 1
        match slip:
            case "wrong":
                ends = {move.to_square for move in self.game.position.moves_from(start)}
                free = [s for s in SQUARES if s not in self.hands.standing and s not in ends]
                self.hands.lift(start, self.clock.now())
                # Of a Princess who may escape anywhere no square is wrong.
                self.hands.put(self.chance.choice(free or [start]), self.clock.now())
            case "tilt":
                self.hands.tilt(start, self.clock.now())
                self.wait(MADE_UP_S)
            case "back":
                self.hands.lift(start, self.clock.now())
                self.wait(self.chance.uniform(0.1, 2.0))
                self.hands.put(start, self.clock.now())
        self._follow_lamps()

    def _follow_lamps(self) -> None:
        """Put back what the lamps call wrong, until they call nothing so."""
        self.wait(MADE_UP_S)
        for _ in range(MOST_LED):
            wrong = self.lit(Cue.WRONG)
            belongs = self.lit(Cue.BELONGS)
            if not wrong:
                return
            self.hands.move((wrong[0], belongs[0]), self.clock.now())
            self.wait(MADE_UP_S)
        raise AssertionError(f"led on and on: {self.table.view}")
