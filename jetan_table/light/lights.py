"""How a cue looks, a colour and a rhythm, and which colours that gives the lamps at one moment.

Every cue can be told by its rhythm alone. Meanings have colours that all eyes tell apart, or share
one and differ by rhythm; `jetan bench lamps` says by how much. The standard palette serves
everybody, `red-green` serves protan and deutan eyes better, `mono` uses no colour at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NewType

from hardware.ports import RGB, Lamps, capped
from rules import SQUARES, Square

from .choice import LampChoice
from .cues import Cue


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Brightness over time: `levels` 0..1, each held for an equal part of `period_s`.

    Where it `alternates`, squares with the same cue take turns: each is shifted by its share of
    the period.
    """

    period_s: float
    levels: tuple[float, ...]
    alternates: bool = False

    def level(self, now: float, turn: float = 0.0) -> float:
        """Return the brightness at `now`; `turn` is the square's share of the period, 0..1."""
        part = (now / self.period_s - (turn if self.alternates else 0.0)) % 1.0
        return self.levels[int(part * len(self.levels)) % len(self.levels)]


@dataclass(frozen=True, slots=True)
class Glow:
    """The colour of a lamp at full brightness, and its rhythm."""

    colour: RGB
    rhythm: Rhythm


@dataclass(frozen=True, slots=True)
class Palette:
    """A look for every cue."""

    name: str
    looks: Mapping[Cue, Glow]


FLUTTER = Rhythm(0.4, (1.0, 1.0, 0.4, 0.4))
FAST_BLINK = Rhythm(0.25, (1.0, 0.0))
BREATHING = Rhythm(2.0, (0.1, 0.25, 0.45, 0.7, 0.9, 1.0, 0.9, 0.7, 0.45, 0.25))
TAKING_TURNS = Rhythm(1.2, (1.0, 0.0), alternates=True)
DOUBLE_BLINK = Rhythm(1.2, (1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
SLOW_BLINK = Rhythm(2.4, (1.0, 0.0))
TRIPLE_BLINK = Rhythm(1.8, (1.0, 0.0, 1.0, 0.0, 1.0, *(0.0,) * 7))
FADING = Rhythm(0.9, (1.0, 0.75, 0.5, 0.25, 0.1, 0.0))
STEADY = Rhythm(1.0, (0.6,))
WINKING = Rhythm(1.6, (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.2))
DIM = Rhythm(1.0, (0.15,))
RARE_FLASH = Rhythm(3.0, (0.5, *(0.0,) * 19))

RHYTHMS: Mapping[Cue, Rhythm] = MappingProxyType(
    {
        Cue.GESTURE: FLUTTER,
        Cue.WRONG: FAST_BLINK,
        Cue.BELONGS: BREATHING,
        Cue.QUESTION: TAKING_TURNS,
        Cue.ADVICE: TRIPLE_BLINK,
        Cue.DICE: FADING,
        Cue.CAPTURE: DOUBLE_BLINK,
        Cue.WANTED: SLOW_BLINK,
        Cue.LEGAL: STEADY,
        Cue.LIFTED: WINKING,
        Cue.LAST_MOVE: DIM,
        Cue.FAULT: RARE_FLASH,
    }
)
"""One rhythm for each cue, the same in all palettes, so that it has to be learned once."""

_WHITE = (255, 255, 255)


def _palette(name: str, **colours: RGB) -> Palette:
    looks = {cue: Glow(colours.get(cue.name.lower(), _WHITE), RHYTHMS[cue]) for cue in Cue}
    return Palette(name, MappingProxyType(looks))


_ALL = (
    _palette(
        "standard",
        wrong=(240, 0, 0),
        belongs=(0, 185, 255),
        question=(255, 175, 0),
        capture=(140, 0, 120),
        legal=(20, 95, 255),
        fault=(255, 175, 0),
    ),
    _palette(
        "red-green",
        wrong=(205, 60, 12),
        belongs=(120, 134, 255),
        question=(237, 221, 3),
        capture=(121, 36, 100),
        legal=(0, 0, 255),
        fault=(237, 221, 3),
    ),
    _palette("mono"),
)

PALETTES: Mapping[str, Palette] = MappingProxyType({palette.name: palette for palette in _ALL})
"""`standard`; `red-green` for protan and deutan eyes; `mono`, told apart by rhythm alone."""


Lamp = NewType("Lamp", int)
"""Index of a lamp as it is wired; `lamp_of[square]` crosses over."""

OFF: RGB = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Dimming:
    """How bright the lamps may be: a share 0..1 of full, and the supply's limit in mA."""

    brightness: float = 1.0
    limit_ma: float = 2000.0


@dataclass(frozen=True, slots=True)
class Lighting:
    """How meanings become light at this table."""

    palette: Palette
    lamp_of: Sequence[Lamp]
    """The lamp under each square, by square."""
    dimming: Dimming

    def chosen(self, choice: LampChoice) -> Lighting:
        """Return it with the palette and brightness that people have chosen."""
        dimming = replace(self.dimming, brightness=choice.brightness)
        return replace(self, palette=PALETTES[choice.palette], dimming=dimming)


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
        self.lights = lights
        if self._lamps is not None:
            self._lamps.show(lights)
