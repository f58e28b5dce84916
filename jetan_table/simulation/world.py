"""The pieces as they physically stand, and every touch that moves one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NewType

from rules import Square

Magnet = NewType("Magnet", int)
"""A piece as the table feels it: its number is the square it stood on at the start."""


@dataclass(frozen=True, slots=True)
class MagnetTouch:
    """A magnet comes near a square or leaves it, `at` seconds on the table clock.

    `magnet` is which, where somebody looks; switches do not know it.
    """

    at: float
    square: Square
    near: bool
    weak: bool
    magnet: Magnet | None = None


class MagnetWorld:
    """Which magnet stands where, and the touches that brought it there, in no strict order."""

    def __init__(self, occupied: Iterable[Square], weak: Magnet | None = None) -> None:
        self.standing = {square: Magnet(square) for square in occupied}
        self.weak = weak
        self._touches: list[MagnetTouch] = []

    def lift(self, at: float, square: Square) -> Magnet:
        """Take up what stands on `square`; KeyError if nothing does."""
        magnet = self.standing.pop(square)
        self._touches.append(MagnetTouch(at, square, False, magnet == self.weak, magnet))
        return magnet

    def put(self, at: float, square: Square, magnet: Magnet) -> None:
        """Put a magnet down; ValueError if another stands there."""
        if square in self.standing:
            raise ValueError(f"square {square} is taken")
        self.standing[square] = magnet
        self.pass_over(at, square, True, magnet)

    def pass_over(self, at: float, square: Square, near: bool, magnet: Magnet) -> None:
        """Let a magnet that is being moved come near a square, or leave it again."""
        self._touches.append(MagnetTouch(at, square, near, magnet == self.weak, magnet))

    def take_touches(self) -> list[MagnetTouch]:
        """Hand over the touches made since the last call, by time."""
        touches, self._touches = self._touches, []
        return sorted(touches, key=lambda touch: touch.at)
