"""Supposing that a switch has failed: what is left to explain, and how likely that is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from rules import Square

from . import weights as w
from .account import Scene
from .readings import FaultKind


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
    """Whether a switch closed while all pieces stood elsewhere, so that none can have closed it."""
    square, kind = fault
    if kind is FaultKind.DEAD or scene.trace.base >> square & 1:
        return False
    began = (scene.trace.base & ~scene.ignored).bit_count()
    return scene.census.last_with(began + 1) > -math.inf
