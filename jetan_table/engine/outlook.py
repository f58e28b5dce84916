"""What a score lets a side expect."""

from __future__ import annotations

import math
from typing import Final

UNIT: Final = 250.0
"""A score that lets a side win e times as often as it loses."""


def chance_of(score: int, win_in: int | None) -> float:
    """Return the share of the points to be expected; `win_in` as in a Thought."""
    if win_in is not None:
        return float(win_in > 0)
    return 1 / (1 + math.exp(-score / UNIT))
