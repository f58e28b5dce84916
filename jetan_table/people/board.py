"""A board without hardware: magnets over reeds, wires and lamps, under the real scan."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from hardware.matrix import Matrix, Pin, SimulatedMatrix
from hardware.ports import RGB, Change, FaultKind, Observation, Switch
from hardware.reeds import DEBOUNCE_MS, Bouncing, ReedSensor
from rules import SQUARES, Notice, Square, Topology, grid

from ..light.lamps import LAMP_OF, OFF, Lamp
from ..table.board import Plain
from .reeds import Disc, ReedBank, steady_make
from .strokes import Magnet
from .world import MagnetWorld, geometry_of

ROWS = tuple(Pin(number) for number in range(10))
COLUMNS = tuple(Pin(number) for number in range(10, 20))
SWITCH_OF = tuple(Switch(square) for square in SQUARES)


@dataclass(frozen=True, slots=True)
class TrueWiring:
    """A simulated board's wiring, by square, with switches that fail or are worn at the start."""

    switch_of: Sequence[Switch] = SWITCH_OF
    lamp_of: Sequence[Lamp] = LAMP_OF
    faults: Mapping[Square, FaultKind] = field(default_factory=dict)
    worn: Collection[Square] = ()


class SimulatedBoard(Plain):
    """A hundred reeds under moving magnets, with a wiring that its driver has to find out.

    The board has its own time, `shift` seconds behind the table's clock; without a beginning it
    starts at the first time it is given. `listener` gets every change of a switch as time runs,
    bounce included, and the time up to which these are all.
    """

    trouble: Notice | None = None

    def __init__(
        self,
        world: MagnetWorld,
        rng: Random,
        begins: float | None = None,
        wiring: TrueWiring | None = None,
        debounce_ms: float = DEBOUNCE_MS,
    ) -> None:
        """`world` has set the pieces up; `begins` is the start on the table's clock."""
        self.listener: Callable[[Iterable[Change], float], None] | None = None
        self.world, self._begins, self.wiring = world, begins, wiring or TrueWiring()
        self.lights: Sequence[RGB] = ()
        self._lifted: list[Magnet] = []
        self.bank = ReedBank(world.geometry.centres, world.switches, rng)
        for magnet, pose in world.starts.items():
            self.bank.stand(magnet, pose, world.discs[magnet])
        for square, fault in self.wiring.faults.items():
            self.bank.fail(0.0, square, fault)
        for square in self.wiring.worn:
            self.bank.wear(0.0, square)
        self.bank.run(0.0)
        self._levels = [False] * len(SQUARES)
        for square in SQUARES:
            self._levels[self.wiring.switch_of[square]] = self.bank.is_closed(square)
        # What closed while the pieces were set up is the state at the start, and no change.
        self._told = [len(edges) for edges in self.bank.edges]
        self._rng, self._debounce_ms = rng, debounce_ms
        self._sensor: ReedSensor | None = None

    @property
    def shift(self) -> float:
        """Seconds of the table's clock less the board's own time."""
        return self._begins or 0.0

    @property
    def closed(self) -> Sequence[bool]:
        """True for closed switches, by number, at the last look."""
        return self._levels

    @property
    def due(self) -> float | None:
        """Time of the next event on the table's clock; None if none is due."""
        dues = [due for due in (self.bank.due, self.world.due) if due is not None]
        for square in self.bank.stirred:  # a worn switch that has opened is to close again
            dues += [at for at, _closes in self.bank.edges[square][self._told[square] :][:1]]
        return min(dues) + self.shift if dues else None

    def play(self, now: float) -> None:
        """Run all movements up to a time of the table's clock."""
        for path in self.world.take_paths():
            self.bank.know(path.magnet, self.world.discs[path.magnet])
            self.bank.await_path(path)
        self.bank.run(self._own(now))
        changes = self._changes(now)
        if self.listener is not None:
            self.listener(changes, now)

    def poll(self, now: float) -> Iterable[Observation]:
        """Return the scan's observations since the last call."""
        self.play(now)
        return self._scanning.poll(now)

    def skip(self, seconds: float) -> None:
        """Let the table's clock jump while no time passes on the board."""
        self._begins = self.shift + seconds

    def restart(self) -> None:
        """Let the next poll report everything."""
        self._sensor = None

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour for each lamp, in lamp order."""
        self.lights = tuple(lights)

    def close(self) -> None:
        """Turn the lamps off."""
        self.lights = ()

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """Bounces of the switches, by the square that each is taken for."""
        return self._scanning.bouncing

    def catch_up(self, at: float) -> bool:
        """Return True: nothing is under way."""
        return True

    # Hands and eyes

    @property
    def hands(self) -> SimulatedBoard:
        """The board itself, which offers `lift` and `put`."""
        return self

    def lift(self, at: float, square: Square) -> Magnet | None:
        """Take up a square's piece at `at` seconds and return it; None for an empty square."""
        if square not in self.world.standing:
            return None
        self._lifted.append(self.world.lift(self._own(at), square))
        return self._lifted[-1]

    def put(self, at: float, square: Square, magnet: Magnet | None = None) -> None:
        """Put down a piece, by default the one taken up last or a new one.

        An occupied square is left as it is.
        """
        if square in self.world.standing:
            return
        if magnet is None:
            magnet = self._lifted[-1] if self._lifted else self.new_piece()
        if magnet in self._lifted:
            self._lifted.remove(magnet)
        self.world.put(self._own(at), square, magnet)

    def new_piece(self) -> Magnet:
        """Return a piece that has not been on the board."""
        magnet = Magnet(1 + max(self.world.discs, default=-1))
        self.world.discs[magnet] = Disc(steady_make(self.world.geometry.is_round).moment)
        return magnet

    def fail(self, at: float, square: Square, fault: FaultKind | None) -> None:
        """Let a square's switch fail; None repairs it."""
        self.bank.fail(self._own(at), square, fault)

    def wear(self, at: float, square: Square) -> None:
        """Wear a square's switch, so that it loses its piece for moments."""
        self.bank.wear(self._own(at), square)

    def lit(self) -> Square | None:
        """Return the first lit square; None while all are dark."""
        lit = [Lamp(n) for n, colour in enumerate(self.lights) if colour != OFF]
        return Square(self.wiring.lamp_of.index(lit[0])) if lit else None

    def _own(self, at: float) -> float:
        """Return a time of the table's clock in the board's own time."""
        if self._begins is None:
            self._begins = at
        return at - self._begins

    @property
    def _scanning(self) -> ReedSensor:
        """The table's own reed sensor over this board's pins."""
        if self._sensor is None:
            pins = SimulatedMatrix(lambda: self._levels, ROWS, COLUMNS, self._rng)
            matrix = Matrix(pins, ROWS, COLUMNS, pins.wait)
            self._sensor = ReedSensor(matrix, SWITCH_OF, self._debounce_ms)
        return self._sensor

    def _changes(self, now: float) -> list[Change]:
        """Return the changes up to now; edges of a bounce that are still ahead are kept."""
        changes = []
        for square in list(self.bank.stirred):
            # Edges may have been dropped since: a bounce that was cut short.
            edges, switch = self.bank.edges[square], self.wiring.switch_of[square]
            index = min(self._told[square], len(edges))
            while index < len(edges) and edges[index][0] <= now - self.shift:
                at, closes = edges[index]
                changes.append(Change(at + self.shift, switch, closes))
                self._levels[switch] = closes
                index += 1
            self._told[square] = index
            if index == len(edges):
                self.bank.stirred.discard(square)
        return sorted(changes, key=lambda change: change.at)


def steady_board(
    standing: Iterable[Square],
    rng: Random,
    begins: float | None = None,
    topology: Topology | None = None,
    wiring: TrueWiring | None = None,
    debounce_ms: float = DEBOUNCE_MS,
) -> SimulatedBoard:
    """Return a board without tolerances, with a piece in the middle of each of some squares."""
    geometry = geometry_of(topology or grid())
    make = steady_make(geometry.is_round)
    switches = make.switches(rng, geometry.turns)
    occupied = list(standing)
    discs = {Magnet(square): Disc(make.moment) for square in occupied}
    world = MagnetWorld(geometry, switches, discs, rng)
    world.set_up(occupied, 0.0)
    return SimulatedBoard(world, rng, begins, wiring, debounce_ms)
