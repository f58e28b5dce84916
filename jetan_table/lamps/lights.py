"""Turns cues into the colours of the lamps at one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NewType

from hardware.ports import RGB, Lamps
from hardware.supply import capped
from rules import SQUARES, Square

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
    turns = turns_of(cues)
    looks = {square: palette.looks[cue] for square, cue in cues.items()}
    colours = {
        square: _scaled(look.colour, look.rhythm.level(now, turns[square]))
        for square, look in looks.items()
    }
    return lit(colours, lamp_of, dimming)


def lit(
    colours: Mapping[Square, tuple[float, float, float]], lamp_of: Sequence[Lamp], dimming: Dimming
) -> tuple[RGB, ...]:
    """Return one colour a lamp, in lamp order, where squares have these colours and others none."""
    shown = [OFF] * (max(lamp_of) + 1)
    for square, colour in colours.items():
        red, green, blue = _scaled(colour, dimming.brightness)
        shown[lamp_of[square]] = (round(red), round(green), round(blue))
    return capped(shown, dimming.limit_ma)


def _scaled(colour: tuple[float, float, float], level: float) -> tuple[float, float, float]:
    red, green, blue = colour
    return red * level, green * level, blue * level


def turns_of(cues: Mapping[Square, Cue]) -> dict[Square, float]:
    """Return each square's place among those with the same cue, as a share 0..1."""
    turns: dict[Square, float] = {}
    for cue in set(cues.values()):
        group = sorted(square for square in cues if cues[square] is cue)
        turns |= {square: index / len(group) for index, square in enumerate(group)}
    return turns


LAMP_OF = tuple(Lamp(square) for square in SQUARES)


class LightsSeen:
    """The last lights shown, which the `lamps` beside it show too."""

    def __init__(self, lamps: Lamps | None = None) -> None:
        self.lights: Sequence[RGB] = ()
        self._lamps = lamps

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, in lamp order."""
        self.lights = lights
        if self._lamps is not None:
            self._lamps.show(lights)
