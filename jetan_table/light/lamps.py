"""The meaning of each square to the players at a moment, and its look on the lamps.

`MEANINGS` is the one table of what a lamp can mean: page, terminal and docs have its names, marks
and words from there (`python -m docs.lamps_page` writes what is a copy). Every meaning can be told
by its rhythm alone. Meanings have colours that all eyes tell apart, or share one and differ by
rhythm; `jetan bench lamps` says by how much. The standard palette serves everybody, `red-green`
serves protan and deutan eyes better, `mono` uses no colour at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import repeat
from pathlib import Path
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Final,
    Literal,
    NamedTuple,
    NewType,
    TypeAlias,
    get_args,
)

import msgspec

from hardware.ports import RGB, capped
from rules import SQUARES, Move, MoveKind, Sentence, Square, _

from ..files import Damaged, read_json, write_whole
from ..game.commands import Help
from ..game.rolling import thrown_for

if TYPE_CHECKING:  # settings name meanings, and are read where no game is played
    from ..session.view import Advice, View

PaletteName: TypeAlias = Literal["standard", "red-green", "mono"]
PALETTES: Final[tuple[PaletteName, ...]] = get_args(PaletteName)


class Rhythm(NamedTuple):
    """Brightness over time: `levels` 0..1, each held for an equal part of `period_s`.

    Where it `alternates`, squares with the same cue take turns: each is shifted by its share of
    the period.
    """

    name: str
    period_s: float
    levels: tuple[float, ...]
    alternates: bool = False

    def level(self, now: float, turn: float = 0.0) -> float:
        """Return the brightness at `now`; `turn` is the square's share of the period, 0..1."""
        part = (now / self.period_s - (turn if self.alternates else 0.0)) % 1.0
        return self.levels[int(part * len(self.levels)) % len(self.levels)]


FLUTTER = Rhythm("flutter", 0.4, (1.0, 1.0, 0.4, 0.4))
FAST_BLINK = Rhythm("fast blinking", 0.25, (1.0, 0.0))
BREATHING = Rhythm("breathing", 2.0, (0.1, 0.25, 0.45, 0.7, 0.9, 1.0, 0.9, 0.7, 0.45, 0.25))
TAKING_TURNS = Rhythm("squares take turns", 1.2, (1.0, 0.0), alternates=True)
TRIPLE_BLINK = Rhythm("triple blink", 1.8, (1.0, 0.0, 1.0, 0.0, 1.0, *(0.0,) * 7))
FADING = Rhythm("fading out again and again", 0.9, (1.0, 0.75, 0.5, 0.25, 0.1, 0.0))
DOUBLE_BLINK = Rhythm("double blink", 1.2, (1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
SLOW_BLINK = Rhythm("slow blink", 2.4, (1.0, 0.0))
STEADY = Rhythm("steady", 1.0, (0.6,))
WINKING = Rhythm("steady, with a wink", 1.6, (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.2))
DIM = Rhythm("dim", 1.0, (0.15,))
SWAYING = Rhythm("swaying", 0.8, (0.2, 0.35, 0.5, 0.35))
RARE_FLASH = Rhythm("rare flash", 3.0, (0.5, *(0.0,) * 19))


class Hue(NamedTuple):
    """A colour of the standard palette, by its name there, and what `red-green` has for it."""

    name: str
    standard: RGB
    red_green: RGB


WHITE = Hue("white", (255, 255, 255), (255, 255, 255))
RED = Hue("red", (240, 0, 0), (205, 60, 12))
SKY_BLUE = Hue("sky blue", (0, 185, 255), (120, 134, 255))
AMBER = Hue("amber", (255, 175, 0), (237, 221, 3))
PURPLE = Hue("purple", (140, 0, 120), (121, 36, 100))
BLUE = Hue("blue", (20, 95, 255), (0, 0, 255))


class Cue(IntEnum):
    """The meanings a lamp can have; of two for one square the smaller number is shown."""

    GESTURE = 0
    WRONG = 1
    BELONGS = 2
    QUESTION = 3
    ADVICE = 4
    DICE = 5
    CAPTURE = 6
    WANTED = 7
    LEGAL = 8
    LIFTED = 9
    SEEN = 10
    LAST_MOVE = 11
    FAULT = 12


@dataclass(frozen=True, slots=True)
class Meaning:
    """The look and the names of a cue."""

    mark: str
    """The character behind the square's letter in a terminal without colour."""
    rhythm: Rhythm
    """The same in all palettes, so that it has to be learned once."""
    hue: Hue
    name: Sentence
    explained: str
    """Its explanation in `docs/playing.md`."""

    def colour(self, palette: PaletteName) -> RGB:
        """Return its colour at full brightness."""
        if palette == "mono":
            return WHITE.standard
        return self.hue.standard if palette == "standard" else self.hue.red_green


MEANINGS: Final[Mapping[Cue, Meaning]] = MappingProxyType(
    {
        Cue.GESTURE: Meaning(
            "~",
            FLUTTER,
            WHITE,
            _("a gesture’s light"),
            "held pieces ask for something; the light fills up ([gestures](evening.md#gestures))",
        ),
        Cue.WRONG: Meaning(
            "!", FAST_BLINK, RED, _("does not belong here"), "this piece does not belong here"
        ),
        Cue.BELONGS: Meaning(
            "+", BREATHING, SKY_BLUE, _("a piece belongs here"), "put a piece here"
        ),
        Cue.QUESTION: Meaning(
            "?",
            TAKING_TURNS,
            AMBER,
            _("was it here?"),
            "did it go here? lift the piece and put it back to say yes",
        ),
        Cue.ADVICE: Meaning("=", TRIPLE_BLINK, WHITE, _("the hint"), "a hint: this piece, to here"),
        Cue.DICE: Meaning(
            "%",
            FADING,
            WHITE,
            _("roll the die for it"),
            "a throw is due for this piece: lift it and put it back, and the table throws",
        ),
        Cue.CAPTURE: Meaning(
            "x",
            DOUBLE_BLINK,
            PURPLE,
            _("may be taken"),
            "the lifted piece may take here; if you lifted an enemy, these may take it",
        ),
        Cue.WANTED: Meaning(
            ">",
            SLOW_BLINK,
            WHITE,
            _("to be lifted"),
            "lift this piece: the opponent asks for it (its goal breathes, its victim blinks"
            " twice), or it was [touched](evening.md#conduct)",
        ),
        Cue.LEGAL: Meaning("o", STEADY, BLUE, _("may go here"), "the lifted piece may go here"),
        Cue.LIFTED: Meaning(
            "^", WINKING, WHITE, _("lifted from here"), "a piece was lifted from here"
        ),
        Cue.SEEN: Meaning(
            ",",
            SWAYING,
            WHITE,
            _("put down"),
            "the piece has come down here; it is a ply once it has rested",
        ),
        Cue.LAST_MOVE: Meaning(
            "'", DIM, WHITE, _("last move"), "the last ply went from here to here"
        ),
        Cue.FAULT: Meaning(
            "#", RARE_FLASH, AMBER, _("switch failed"), "the switch under this square has failed"
        ),
    }
)


def cues(view: View) -> dict[Square, Cue]:
    """Return the one meaning of each square that has any."""
    # One lamp has one meaning: of two, the more urgent one, which has the smaller number.
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
        yield from zip(view.gesture.lit, repeat(Cue.GESTURE))
    if view.leading.placing:
        yield from zip(view.leading.placing.squares, repeat(Cue.BELONGS))
    if view.leading.repair:
        if view.leading.repair.from_square is not None:
            yield view.leading.repair.from_square, Cue.WRONG
        if view.leading.repair.to_square is not None:
            yield view.leading.repair.to_square, Cue.BELONGS
    yield from zip(view.choices, repeat(Cue.QUESTION))
    yield from zip(view.answer_squares, repeat(Cue.QUESTION))
    if view.help.advice:
        yield from zip(_advised(view.help.advice, view), repeat(Cue.ADVICE))
    yield from zip(_best(view), repeat(Cue.ADVICE))
    yield from zip(thrown_for(view.record), repeat(Cue.DICE))
    if view.help.wish:
        yield from _wish(view.help.wish, view)
    else:
        yield from zip(view.captures, repeat(Cue.CAPTURE))
        yield from zip(view.legal, repeat(Cue.LEGAL))
    yield from ((square, Cue.WANTED) for square in view.touched if square not in view.away)
    yield from zip(view.lifted, repeat(Cue.LIFTED))
    yield from zip(view.seen, repeat(Cue.SEEN))
    if (last := view.record.last_move) and not (view.away or view.help.wish):
        yield from zip((last.from_square, last.to_square), repeat(Cue.LAST_MOVE))
    yield from zip(view.record.faults, repeat(Cue.FAULT))


def _advised(advice: Advice, view: View) -> Iterator[Square]:
    """Yield the squares of the advised move, as far as it is shown and not done yet."""
    if advice.move is None:
        return
    if advice.move.from_square not in view.away:
        yield advice.move.from_square
    if advice.help >= Help.MOVE:
        yield advice.move.to_square


def _best(view: View) -> Iterator[Square]:
    """Yield the pieces of the best moves; of a lifted one, where it goes by them."""
    for move in view.help.best:
        if not view.away:
            yield move.from_square
        elif move.from_square in view.lifted and move.to_square not in view.lifted:
            yield move.to_square


def _wish(wish: Move, view: View) -> Iterator[tuple[Square, Cue]]:
    """Yield the cues of a wish: lift this piece, put it there, take what stands there."""
    if wish.from_square not in view.away:
        yield wish.from_square, Cue.WANTED
    if wish.kind is MoveKind.CAPTURE and wish.to_square not in view.lifted:
        yield wish.to_square, Cue.CAPTURE
    else:
        yield wish.to_square, Cue.BELONGS


Lamp = NewType("Lamp", int)
"""Index of a lamp as it is wired; `lamp_of[square]` crosses over."""

LAMP_OF = tuple(Lamp(square) for square in SQUARES)

OFF: RGB = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Lighting:
    """The way from meanings to light at one table."""

    palette: PaletteName = "standard"
    lamp_of: Sequence[Lamp] = LAMP_OF
    """The lamp under each square, by square."""
    brightness: float = 1.0
    """A share 0..1 of full."""
    limit_ma: float = 2000.0
    """Current that the supply can carry."""

    def chosen(self, choice: LampChoice) -> Lighting:
        """Return it with the palette and brightness that people have chosen."""
        return replace(self, palette=choice.palette, brightness=choice.brightness)


def lights(cues: Mapping[Square, Cue], lighting: Lighting, now: float) -> tuple[RGB, ...]:
    """Return one colour a lamp, in lamp order, for `cues` at `now` seconds.

    A lamp that no square has stays dark.
    """
    turns = turns_of(cues)
    colours = {}
    for square, cue in cues.items():
        level = MEANINGS[cue].rhythm.level(now, turns[square])
        colours[square] = _scaled(MEANINGS[cue].colour(lighting.palette), level)
    return lit(colours, lighting)


def lit(
    colours: Mapping[Square, tuple[float, float, float]], lighting: Lighting
) -> tuple[RGB, ...]:
    """Return one colour a lamp, in lamp order, where squares have these colours and others none."""
    shown = [OFF] * (max(lighting.lamp_of) + 1)
    for square, colour in colours.items():
        red, green, blue = _scaled(colour, lighting.brightness)
        shown[lighting.lamp_of[square]] = (round(red), round(green), round(blue))
    # The supply comes last: dimming all lamps alike keeps the meanings, a brown-out ends the game.
    return capped(shown, lighting.limit_ma)


def _scaled(colour: tuple[float, float, float], level: float) -> tuple[float, float, float]:
    red, green, blue = colour
    return red * level, green * level, blue * level


def turns_of(cues: Mapping[Square, Cue]) -> dict[Square, float]:
    """Return each square's place among those with the same cue, as a share 0..1."""
    groups: dict[Cue, list[Square]] = {}
    for square in sorted(cues):
        groups.setdefault(cues[square], []).append(square)
    return {
        square: index / len(group)
        for group in groups.values()
        for index, square in enumerate(group)
    }


CHOICE_FILE = "lamps.json"
"""The file of the data folder that keeps people's choice of a look."""


class LampChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lamps' palette, and their brightness as a share of full."""

    palette: PaletteName = "standard"
    brightness: Annotated[float, msgspec.Meta(ge=0.02, le=1)] = 1.0


class KeptChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """People's choice, and the settings at that time."""

    chosen: LampChoice
    instead_of: LampChoice


def kept_choice(folder: Path, as_set: LampChoice) -> LampChoice:
    """Return the last choice; or the settings, if these have changed since."""
    # Settings changed since the choice are newer: whoever edits a file expects to see it count.
    with suppress(OSError, Damaged):
        choice = read_json(folder / CHOICE_FILE, KeptChoice)
        if choice is not None and choice.instead_of == as_set:
            return choice.chosen
    return as_set


def keep_choice(folder: Path, chosen: LampChoice, as_set: LampChoice) -> None:
    """Keep a choice that was made against the settings; OSError if the disk refuses."""
    write_whole(folder / CHOICE_FILE, msgspec.json.encode(KeptChoice(chosen, as_set)))
