"""Advice to who asks for it: first which piece, then where it goes, then why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from rules import Move

from ..engine.why import Point


class Help(IntEnum):
    """How much is told; who asks again is told more."""

    PIECE = 1
    MOVE = 2
    WHY = 3

    @property
    def more(self) -> Help:
        """The next, or the same where there is none."""
        return Help(min(self + 1, Help.WHY))


@dataclass(frozen=True, slots=True)
class Advice:
    """What is advised, None while it is being thought about; `points` speak for it."""

    help: Help
    move: Move | None = None
    points: tuple[Point, ...] = ()
