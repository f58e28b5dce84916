"""Advice to who asks for it: first which piece, then where it goes, then why."""

from __future__ import annotations

from dataclasses import dataclass

from rules import Move

from ..engine.why import Point
from ..game.commands import Help


@dataclass(frozen=True, slots=True)
class Advice:
    """What is advised, None while it is being thought about; `points` speak for it."""

    help: Help
    move: Move | None = None
    points: tuple[Point, ...] = ()
