"""How a cue looks, a colour and a rhythm, and which colours that gives the lamps at one moment.

Every cue can be told by its rhythm alone. Meanings have colours that all eyes tell apart, or share
one and differ by rhythm; `jetan bench lamps` says by how much. The standard palette serves
everybody, `red-green` serves protan and deutan eyes better, `mono` uses no colour at all.

What each square means to the players just now, from the view alone.

How the lamps look by people's choice, kept in the data folder for the evenings to come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal, NewType

import msgspec

from hardware.ports import RGB, Lamps, capped
from rules import SQUARES, Move, MoveKind, Square

from ..files import Damaged, read_json, write_whole
from ..game.commands import Help
from ..game.rolling import thrown_for

if TYPE_CHECKING:  # settings name meanings, and are read where no game is played
    from ..session.view import Advice, View


class Cue(IntEnum):
    """The meanings a lamp can have; of two for one square the smaller number is shown."""

    GESTURE = 0
    """Pieces that are held ask for something, which is done when its light is full."""
    WRONG = 1
    """What stands here does not belong here."""
    BELONGS = 2
    """A piece is to be put here; or one that stands here unseen is to be shifted."""
    QUESTION = 3
    """Was it here? Touch the piece to say yes."""
    ADVICE = 4
    """Who asked is advised to move this piece, or to put it here."""
    DICE = 5
    """The dice are to be thrown for what stands here: touch it, and the table throws them."""
    CAPTURE = 6
    """The lifted piece may take here; or, of a lifted victim, a piece that may take it."""
    WANTED = 7
    """This piece is to be lifted: the player without hands asks for it, or it was touched."""
    LEGAL = 8
    """The lifted piece may go here."""
    LIFTED = 9
    """A piece was lifted from here."""
    LAST_MOVE = 10
    """The last ply went from here, or to here."""
    FAULT = 11
    """The switch under this square has failed."""


def cues(view: View) -> dict[Square, Cue]:
    """Return the one meaning of each square that has any."""
    shown: dict[Square, Cue] = {}
    for square, cue in _meanings(view):
        shown[square] = min(cue, shown.get(square, cue))
    for square in view.unseen:  # it stands there, so that all else is more urgent
        if shown.get(square, Cue.LAST_MOVE) >= Cue.LAST_MOVE:
            shown[square] = Cue.BELONGS
    return shown


def _meanings(view: View) -> Iterator[tuple[Square, Cue]]:
    """Yield every meaning of every square, in no order that matters."""
    if view.gesture:
        yield from ((square, Cue.GESTURE) for square in view.gesture.squares)
    if view.leading.placing:
        yield from ((square, Cue.BELONGS) for square in view.leading.placing.squares)
    if view.leading.repair:
        if view.leading.repair.from_square is not None:
            yield view.leading.repair.from_square, Cue.WRONG
        if view.leading.repair.to_square is not None:
            yield view.leading.repair.to_square, Cue.BELONGS
    yield from ((square, Cue.QUESTION) for square in view.choices)
    yield from ((square, Cue.QUESTION) for square in view.asked)
    if view.help.advice:
        yield from ((square, Cue.ADVICE) for square in _advised(view.help.advice, view))
    yield from ((square, Cue.ADVICE) for square in _best(view))
    yield from ((square, Cue.DICE) for square in thrown_for(view.record))
    if view.help.wish:
        yield from _wish(view.help.wish, view)
    else:
        yield from ((square, Cue.CAPTURE) for square in view.captures)
        yield from ((square, Cue.LEGAL) for square in view.legal)
    yield from ((square, Cue.WANTED) for square in view.touched if square not in view.lifted)
    yield from ((square, Cue.LIFTED) for square in view.lifted)
    if (last := view.record.last_move) and not view.lifted and not view.help.wish:
        yield from ((square, Cue.LAST_MOVE) for square in (last.from_square, last.to_square))
    yield from ((square, Cue.FAULT) for square in view.record.faults)


def _advised(advice: Advice, view: View) -> Iterator[Square]:
    """Yield the squares of what is advised, as far as it is told and not done yet."""
    if advice.move is None:
        return
    if advice.move.from_square not in view.lifted:
        yield advice.move.from_square
    if advice.help >= Help.MOVE:
        yield advice.move.to_square


def _best(view: View) -> Iterator[Square]:
    """Yield the pieces of the best moves; of a lifted one, where it goes by them."""
    for move in view.help.best:
        if not view.lifted:
            yield move.from_square
        elif move.from_square in view.lifted and move.to_square not in view.lifted:
            yield move.to_square


def _wish(wish: Move, view: View) -> Iterator[tuple[Square, Cue]]:
    """Yield what a wish means: lift this, put it there, taking what stands there."""
    if wish.from_square not in view.lifted:
        yield wish.from_square, Cue.WANTED
    if wish.kind is MoveKind.CAPTURE and wish.to_square not in view.lifted:
        yield wish.to_square, Cue.CAPTURE
    else:
        yield wish.to_square, Cue.BELONGS


FILE_NAME = "lamps.json"


class LampChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lamps' palette, and their brightness as a share of full."""

    palette: Literal["standard", "red-green", "mono"] = "standard"
    brightness: Annotated[float, msgspec.Meta(ge=0.02, le=1)] = 1.0


class KeptChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What people have chosen, and what the settings said then."""

    chosen: LampChoice
    instead_of: LampChoice


def kept_choice(folder: Path, as_set: LampChoice) -> LampChoice:
    """Return what was chosen last, or what is set, if that has changed since."""
    with suppress(OSError, Damaged):
        choice = read_json(folder / FILE_NAME, KeptChoice)
        if choice is not None and choice.instead_of == as_set:
            return choice.chosen
    return as_set


def keep_choice(folder: Path, chosen: LampChoice, as_set: LampChoice) -> None:
    """Keep what was chosen instead of what is set; OSError where the disk refuses."""
    write_whole(folder / FILE_NAME, msgspec.json.encode(KeptChoice(chosen, as_set)))


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
