"""A board of reeds for live play: hands carry magnets over it while a table looks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from hardware.debounce import DEBOUNCE_MS
from hardware.ports import Observation
from hardware.reed_sensor import Reeds
from hardware.switches import Change, Switch
from rules import SQUARES, Position, Square

from ..game.placement import letters
from .geometry import geometry_of
from .physical_world import PhysicalWorld
from .reed_bank import ReedBank
from .world import Magnet

SAMPLES_S = 0.005
"""So often reeds are sampled while something moves."""


class PhysicalBoard:
    """A hundred reeds over which magnets move; a sensor that samples them as it is asked.

    Its own time runs on whatever the table's clock shows: `shift` is what lies between. `listener`
    gets every change that is sampled, and until when that is all.
    """

    def __init__(
        self, position: Position, world: PhysicalWorld, rng: Random, begins: float = 0.0
    ) -> None:
        """Stand on a table on which `world` has set the pieces of a position up."""
        self.listener: Callable[[Iterable[Change], float], None] | None = None
        self.letters = {Magnet(square): letter for square, letter in letters(position).items()}
        self.world, self.shift = world, begins
        self.bank = ReedBank(geometry_of(position.rules.topology).centres, world.specs, rng)
        for magnet, pose in world.starts.items():
            self.bank.stand(magnet, pose, world.strengths[magnet])
        self._reed_levels, self._levels = list(self.bank.closed), list(self.bank.closed)
        self._next = [0] * len(SQUARES)
        self._reeds: Reeds | None = None
        self._debounce_ms = DEBOUNCE_MS

    @property
    def closed(self) -> Sequence[bool]:
        """Which reeds are closed, as of the last look."""
        return self._levels

    @property
    def standing(self) -> Mapping[Square, str]:
        """What people have put on each square, by its letter."""
        return {at: self.letters[magnet] for at, magnet in self.world.standing.items()}

    @property
    def due(self) -> float | None:
        """When something moves next, in seconds on the table's clock; None where nothing is to."""
        due = self.bank.due
        return None if due is None else due + self.shift + SAMPLES_S

    def sensor(self, debounce_ms: float = DEBOUNCE_MS) -> PhysicalBoard:
        """Return the table's sensor over these reeds."""
        self._debounce_ms = debounce_ms
        return self

    def play(self, now: float) -> None:
        """Let hands go on until a time of the table's clock, whoever looks."""
        for path in self.world.take_paths():
            self.bank.await_path(path)
        for shock in self.world.take_shocks():
            self.bank.await_shock(shock)
        self.bank.run(now - self.shift)
        if self.listener is not None:
            self.listener(self._sample(now), now)

    def poll(self, now: float) -> list[Observation]:
        """Sample every reed once; at first, and after `restart`, tell every square."""
        changes = self._sample(now)
        if self._reeds is None:
            self._reeds = Reeds(self._levels, list(map(Switch, SQUARES)), self._debounce_ms)
            return [self._reeds.whole(now)]
        observations = [each for change in changes for each in self._reeds.feed(change)]
        return observations + self._reeds.advance(now)

    def restart(self) -> None:
        """Let whoever asks next be told everything."""
        self._reeds = None

    def level(self, square: Square, closed: bool) -> bool:
        """Return what a square's switch shows whose reed is so."""
        return closed

    def _sample(self, now: float) -> list[Change]:
        """Look at every reed; return what differs. An edge ahead, of a bounce, has not come yet."""
        changed = []
        for square, edges in enumerate(self.bank.edges):
            index = self._next[square]
            while index < len(edges) and edges[index][0] <= now - self.shift:
                self._reed_levels[square] = edges[index][1]
                index += 1
            self._next[square] = index
            level = self.level(Square(square), self._reed_levels[square])
            if level != self._levels[square]:
                self._levels[square] = level
                changed.append(Change(now, Switch(square), level))
        return changed
