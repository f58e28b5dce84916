"""Turns cues into the colours of the lamps at one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NewType

from hardware.ports import RGB
from hardware.supply import capped
from rules import Square

from .cues import Cue
from .palette import Palette

Lamp = NewType("Lamp", int)
"""Index of a lamp as it is wired; `lamp_of[square]` crosses over."""

OFF: RGB = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Dimming:
    """How bright the lamps may be: a share 0..1 of full, and the supply's limit in mA."""

    brightness: float = 1.0
    limit_ma: float = 2000.0


def lights(
    cues: Mapping[Square, Cue],
    palette: Palette,
    now: float,
    lamp_of: Sequence[Lamp],
    dimming: Dimming,
) -> tuple[RGB, ...]:
    """Return one colour a lamp, in lamp order, for `cues` at `now` seconds.

    `lamp_of` is indexed by square; a lamp that no square has stays dark.
    """
    shown = [OFF] * (max(lamp_of) + 1)
    turns = _turns(cues)
    for square, cue in cues.items():
        look = palette.looks[cue]
        level = look.rhythm.level(now, turns[square]) * dimming.brightness
        red, green, blue = look.colour
        shown[lamp_of[square]] = (round(red * level), round(green * level), round(blue * level))
    return capped(shown, dimming.limit_ma)


def _turns(cues: Mapping[Square, Cue]) -> dict[Square, float]:
    """Return each square's place among those with the same cue, as a share 0..1."""
    turns: dict[Square, float] = {}
    for cue in set(cues.values()):
        group = sorted(square for square in cues if cues[square] is cue)
        turns |= {square: index / len(group) for index, square in enumerate(group)}
    return turns
