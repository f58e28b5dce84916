"""Weighing that a switch has failed, by what it has shown and by what stands beside it.

A failure costs more than anything that hands do, and less or more by what has been counted of it.
"""

from __future__ import annotations

from hardware.switches import FaultKind
from rules import Square

from . import costs
from .costs import Bill
from .readable_game import P, ReadableGame
from .scene import Scene


def charges_of_failure(
    game: ReadableGame[P], position: P, fault: tuple[Square, FaultKind], scene: Scene
) -> Bill:
    """Weigh that a switch has failed, besides those that the scene leaves out.

    One that has stuck among pieces is rather held closed by their magnets.
    """
    square, kind = fault
    is_held = kind is FaultKind.STUCK and game.beside(position, square) & scene.trace.level
    bill = Bill([costs.HELD_BESIDE if is_held else costs.FAULT])
    bill.charge(costs.ANOTHER_FAULT, scene.ignored.bit_count())
    bill.charge(costs.FOLLOWED_LATELY, _has_followed(fault, scene))
    bill.charge(costs.RECKONED, scene.rates.shift(fault))
    return bill


def _has_followed(fault: tuple[Square, FaultKind], scene: Scene) -> bool:
    """Whether a switch has lately shown what it could not if it had failed before.

    A piece that is put down where its switch does not see it mostly closes that for a moment.
    """
    square, kind = fault
    times = scene.trace.changes.get(square, ())
    stays = scene.trace.stays(square)
    if kind is FaultKind.DEAD and stays:
        return any(gone_at - came_at >= costs.PASSING_S for came_at, gone_at in stays)
    is_first_disproof = kind.is_disproved(not scene.trace.base >> square & 1)
    return len(times) > (0 if is_first_disproof else 1)
