"""Hands from physics: they carry magnets over reeds, with the habits of people, at a frail board.

Nothing else in this suite knows how hands and reeds are simulated.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from pathlib import Path
from random import Random
from typing import Final

from hardware.ports import FaultKind, Observation
from jetan_table.game.commands import NewGame
from jetan_table.people.board import SimulatedBoard
from jetan_table.people.hands import Hands
from jetan_table.people.manners import PROFILES, PlayerManner
from jetan_table.people.reeds import usual_make
from jetan_table.people.strokes import HandPose, Magnet
from jetan_table.people.world import MagnetWorld, geometry_of
from rules import (
    JUGGERNAUT_LETTER,
    PRESETS,
    SQUARES,
    Move,
    MoveKind,
    Position,
    Square,
    letters,
    parse_rules,
)
from tests.simulation.hands import TOUCH_S, TidyHands
from tests.simulation.plug import BEGUN_AT, STEP_S, Switches

LOOK_S: Final = 0.01
"""So often a table looks at reeds over which something moves."""

OFF_CENTRE: Final = 0.08
AWAY: Final = HandPose(2000.0, 0.0)
"""Where a piece lies that no reed feels, in mm."""

SET: Final = reduce(
    Counter.__or__,
    (Counter(letters(Position.start(parse_rules(name))).values()) for name in PRESETS),
) | Counter([JUGGERNAUT_LETTER])
"""All the pieces that any game needs."""


class FrailReeds(Switches):
    """Sound reeds and magnets, whose switches and whose cable fail as they are told."""

    kind = "carrying"

    def __init__(self, position: Position, rng: Random) -> None:
        super().__init__()
        self._position, self._rng = position, rng
        self._geometry = geometry_of(position.rules.board)
        usual = usual_make(self._geometry.is_round)
        self._make = replace(usual, weak=0.0, strong=0.0, worn=0.0)
        self._reeds = self._make.switches(rng, self._geometry.turns)
        self._now = BEGUN_AT

    def arrange(self, standing: Mapping[Square, str]) -> None:
        on = {Magnet(square): letter for square, letter in standing.items()}
        off = sorted((SET - Counter(standing.values())).elements())
        beside = {Magnet(len(SQUARES) + number): letter for number, letter in enumerate(off)}
        discs = {magnet: self._make.disc(self._rng) for magnet in (*on, *beside)}
        world = MagnetWorld(self._geometry, self._reeds, discs, self._rng)
        world.poses |= dict.fromkeys(beside, AWAY)
        world.set_up(standing, OFF_CENTRE)
        self.board = SimulatedBoard(world, self._rng, self._now)
        self.letters = on | beside
        self._applied: dict[Square, FaultKind] = {}

    @property
    def moves_until(self) -> float:
        """When everything rests, on the table's clock."""
        return max(self.board.world.free_at.values(), default=0.0) + self.board.shift

    @property
    def step_s(self) -> float:
        return LOOK_S if self._now < self.moves_until + STEP_S else STEP_S

    def jump(self, seconds: float) -> None:
        self._now += seconds
        self.board.skip(seconds)

    def poll(self, now: float) -> list[Observation]:
        """Look, though nothing is heard of it while the cable is out."""
        self._now = now
        for square in self._applied.keys() | self.failed.keys():
            if self._applied.get(square) is not self.failed.get(square):
                self.board.fail(now, square, self.failed.get(square))
        self._applied = dict(self.failed)
        self.board.play(now)
        if self.is_out:
            self.restart()
            return super().poll(now)
        return list(self.board.poll(now))

    def restart(self) -> None:
        self.board.restart()


class CarryingHands(TidyHands):
    """Hands with the manners of a profile, except that they make no mishaps of their own."""

    switches: FrailReeds

    def __init__(
        self, folder: Path, begun: NewGame, position: Position, profile: str, seed: int
    ) -> None:
        rng = Random(f"hands {seed}")
        self._player = PlayerManner(PROFILES[profile].manners, rng)
        self._in_air: list[Magnet] = []
        super().__init__(FrailReeds(position, rng), folder, begun)

    def arrange(self, standing: Mapping[Square, str]) -> None:
        if not self.held:
            self._in_air.clear()
        super().arrange(standing)

    def raise_from(self, square: Square, after_s: float) -> None:
        magnet = self._world.standing.pop(square)
        self._in_air.append(magnet)
        self._hands.lift(self._begins, magnet)
        self._finish(after_s)

    def lower_to(self, square: Square, letter: str, after_s: float) -> None:
        of = self.switches.letters
        standing = set(self._world.standing.values())
        ready = [*self._in_air[::-1], *(magnet for magnet in of if magnet not in standing)]
        magnet = next(magnet for magnet in ready if of[magnet] == letter)
        if magnet in self._in_air:
            self._in_air.remove(magnet)
        self._hands.put(self._begins, square, magnet, "plain", [])
        self._finish(after_s)

    def lay_aside(self) -> None:
        for magnet in self._in_air:
            self._hands.leave(self._begins, magnet, [])
        self._in_air.clear()
        self._finish(0.0)

    def make(self, position: Position, move: Move, is_victim_first: bool = True) -> Iterator[int]:
        """Make a ply in one go, in whatever way; yield now and then until nothing moves."""
        manners = self._player.manners
        if move.kind is MoveKind.CAPTURE:
            how = self._player.chooses(manners.takes)
            self._hands.take(self._begins, move, position, how)
            self.box[self.standing.pop(move.to_square)] += 1
        else:
            how = self._player.chooses(manners.carries)
            self._hands.land(self._begins, move, position, how)
        self.table.reached[f"hand {how}"] += 1
        self.standing[move.to_square] = self.standing.pop(move.from_square)
        number = 0
        while self.table.now < self.switches.moves_until:
            yield number
            self.table.wait(TOUCH_S)
            number += 1

    @property
    def _world(self) -> MagnetWorld:
        return self.switches.board.world

    @property
    def _hands(self) -> Hands:
        return Hands(self._world, self._player)

    @property
    def _begins(self) -> float:
        """When both hands are free, in the board's own time."""
        now = self.table.now - self.switches.board.shift
        return max([now, *self._world.free_at.values()])

    def _finish(self, after_s: float) -> None:
        """Wait until nothing moves, and then some time more."""
        self.table.wait(max(0.0, self.switches.moves_until - self.table.now) + after_s)
