"""Lets one switch fail in the middle of a game, and says when that shows."""

from collections.abc import Iterable, Sequence
from random import Random

from hardware.ports import Change, FaultKind, Switch
from rules import SQUARES, Square
from rules.board import SQUARE_NAMES

from ..replay.recordings import microseconds, seconds
from .scan import Scan
from .truth import FaultRow, PlyRow

BY_ITSELF = 1 / 3
"""Share of the faults at which the switch changes, instead of staying as it is."""

WORDS = {FaultKind.STUCK: "stuck-closed", FaultKind.DEAD: "dead"}
"""What a truth calls them."""


def choose_fault(
    fault: FaultKind,
    closed: Sequence[bool],
    changes: Sequence[Change],
    rows: Sequence[PlyRow],
    rng: Random,
) -> FaultRow | None:
    """Choose the switch that fails, and when; None where no failure would ever be known.

    `closed` and `changes` are what sound switches show from the start on, `rows` the game as it
    was made.
    """
    failed_at = rng.uniform(0.25, 0.6) * changes[-1].at
    by_itself = rng.random() < BY_ITSELF
    found = []
    for square in rng.sample(SQUARES, len(SQUARES)):
        own = [(change.at, change.closed) for change in changes if change.switch == Switch(square)]
        row = _fault_row(fault, square, failed_at, [(0.0, closed[square]), *own], rows)
        if row is not None:
            if (row.t_evident_us == row.t_fault_us) == by_itself:
                return row
            found.append(row)
    return found[0] if found else None


def _fault_row(
    fault: FaultKind,
    square: Square,
    failed_at: float,
    levels: Sequence[tuple[float, bool]],
    rows: Sequence[PlyRow],
) -> FaultRow | None:
    sticks = fault is FaultKind.STUCK
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
        kind=WORDS[fault],
        t_fault_us=failed_us,
        t_visible_us=visible_us,
        t_evident_us=evident_us,
        first_ply=shown[0],
    )


def failed(
    changes: Iterable[Change], closed: Sequence[bool], fault: FaultRow, scan: Scan
) -> list[Change]:
    """Return the changes as they are if one switch stays as its fault makes it."""
    switch = Switch(SQUARE_NAMES.index(fault.square))
    fails = seconds(fault.t_fault_us)
    level = closed[switch]
    kept: list[Change] = []
    for change in changes:
        if change.switch != switch:
            kept.append(change)
        elif change.at < fails:
            kept.append(change)
            level = change.closed
    sticks = fault.kind == WORDS[FaultKind.STUCK]
    if level != sticks:
        row = switch // 10
        at = scan.time_of(row, scan.sampled(row, fails))
        kept.append(Change(at, switch, sticks))
    return sorted(kept, key=lambda change: (change.at, change.switch))
