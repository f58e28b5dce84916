"""A board of reeds whose switches break, and whose cable is pulled out."""

from random import Random

from hardware.ports import Observation
from jetan_table.game.placement import letters
from jetan_table.simulation.geometry import geometry_of
from jetan_table.simulation.magnetism import draw_reed
from jetan_table.simulation.physical_board import PhysicalBoard
from jetan_table.simulation.physical_world import PhysicalWorld
from jetan_table.simulation.world import Magnet
from rules import Position, Square
from tests.simulation.plug import Switches

OFF_CENTRE = 0.08


class FrailBoard(PhysicalBoard, Switches):
    """Sound reeds and magnets; what breaks is broken from outside."""

    def __init__(self, position: Position, rng: Random, begins: float) -> None:
        Switches.__init__(self)
        geometry = geometry_of(position.rules.topology)
        reeds = [draw_reed(rng, 0.02, 0.02, pitch) for pitch in geometry.pitches]
        strengths = {Magnet(square): rng.uniform(0.9, 1.1) for square in letters(position)}
        world = PhysicalWorld(geometry, reeds, strengths, rng)
        world.set_up(letters(position), OFF_CENTRE)
        self._broken: dict[Square, bool] = {}
        PhysicalBoard.__init__(self, position, world, rng, begins)

    def poll(self, now: float) -> list[Observation]:
        """Look, though nothing is heard of it while the cable is out."""
        self.play(now)
        if self.is_out:
            self.restart()
            return []
        return super().poll(now)

    def level(self, square: Square, closed: bool) -> bool:
        return self._broken.get(square, closed)

    def break_switch(self, square: Square, stays: bool) -> None:
        """Let a switch stay as it is from now on, closed or open."""
        self._broken[square] = stays

    def mend(self) -> None:
        """Let every switch follow its reed again."""
        self._broken.clear()
