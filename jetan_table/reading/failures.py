"""Supposing that a switch has failed: what is left to explain, and how likely that is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hardware.switches import FaultKind
from rules import Square

from . import costs as w
from .matching import Scene


def without(scene: Scene, failed: Iterable[tuple[Square, FaultKind]]) -> Scene:
    """Return the scene without what these switches showed."""
    mask = scene.ignored
    for square, _ in failed:
        mask |= 1 << square
    return replace(scene, ignored=mask)


def cost_of_failure(fault: tuple[Square, FaultKind], scene: Scene) -> float:
    """Weigh that a switch has failed besides those that are left out of the scene."""
    cost = w.FAULT + w.ANOTHER_FAULT * scene.ignored.bit_count()
    cost += w.FOLLOWED_LATELY * _has_followed(fault, scene)
    return cost + w.SPRUNG * _has_sprung(fault, scene)


def _has_followed(fault: tuple[Square, FaultKind], scene: Scene) -> bool:
    """Whether a switch has lately shown what it could not if it had failed before."""
    square, kind = fault
    times = scene.trace.changes.get(square, ())
    is_first_disproof = kind.is_disproved(not scene.trace.base >> square & 1)
    return len(times) > (0 if is_first_disproof else 1)


def _has_sprung(fault: tuple[Square, FaultKind], scene: Scene) -> bool:
    """Whether a switch closed while no piece was in the air, so that none can have closed it."""
    square, kind = fault
    times = scene.trace.changes.get(square)
    if kind is FaultKind.DEAD or scene.trace.base >> square & 1 or not times:
        return False
    until = times[0] + w.OVERLAP_SLIDE_S * scene.pace
    return not any(
        left_at <= until < back_at and times[0] - left_at < w.AIR_LONG_S * scene.pace
        for other in scene.departures
        for left_at, back_at in scene.absences(other)
    )
