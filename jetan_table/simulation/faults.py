"""Lets one switch fail in the middle of a game, and says when that shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from hardware.simulated_contacts import ContactFault
from rules import SQUARES, Square
from rules.topology import SQUARE_NAMES

from ..replay.recordings import microseconds
from .truth import FaultRow, PlyRow
from .world import MagnetTouch

BY_ITSELF = 1 / 3
"""Share of the faults at which the switch changes, instead of staying as it is."""


def choose_fault(
    fault: ContactFault,
    standing: Iterable[Square],
    touches: Sequence[MagnetTouch],
    rows: Sequence[PlyRow],
    rng: Random,
) -> FaultRow | None:
    """Choose the switch that fails, and when; None where no failure would ever be known.

    `standing` are the squares closed at the start, `touches` and `rows` the game as it was made.
    """
    ends = touches[-1].at
    failed_at = rng.uniform(0.25, 0.6) * ends
    occupied = set(standing)
    by_itself = rng.random() < BY_ITSELF
    found = []
    for square in rng.sample(SQUARES, len(SQUARES)):
        levels = _levels(square, square in occupied, touches)
        row = _fault_row(fault, square, failed_at, levels, rows)
        if row is not None:
            if (row.t_evident_us == row.t_fault_us) == by_itself:
                return row
            found.append(row)
    return found[0] if found else None


def _levels(
    square: Square, closed: bool, touches: Sequence[MagnetTouch]
) -> list[tuple[float, bool]]:
    """Return the times at which a sound switch would change, and to what."""
    magnets = int(closed)
    levels = [(0.0, closed)]
    for touch in touches:
        if touch.square == square:
            magnets += 1 if touch.near else -1
            levels.append((touch.at, magnets > 0))
    return levels


def _fault_row(
    fault: ContactFault,
    square: Square,
    failed_at: float,
    levels: Sequence[tuple[float, bool]],
    rows: Sequence[PlyRow],
) -> FaultRow | None:
    sticks = fault is ContactFault.STUCK_CLOSED
    before = [closed for at, closed in levels if at <= failed_at][-1]
    later = [at for at, closed in levels if at > failed_at and closed != sticks]
    name = SQUARE_NAMES[square]
    failed_us = microseconds(failed_at)
    if before != sticks:  # it changes by itself
        visible_us = evident_us = failed_us
    else:
        known = [
            row.t_settled_us
            for row in rows
            if row.t_settled_us > failed_us
            and (row.from_ == name and row.kind != "capture" if sticks else row.to == name)
        ]
        if not later or not known:
            return None
        visible_us, evident_us = microseconds(later[0]), min(known)
    shown = [row.ply for row in rows if row.t_settled_us >= visible_us]
    if not shown:
        return None
    return FaultRow(
        square=name,
        kind=fault.value,
        t_fault_us=failed_us,
        t_visible_us=visible_us,
        t_evident_us=evident_us,
        first_ply=shown[0],
    )
