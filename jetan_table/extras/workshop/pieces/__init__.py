"""The pieces of a set, to be printed: `pieces` makes the files of all of them.

Black's pieces are round, Orange's have six sides and the Juggernaut has eight, so that hands and
eyes tell the sides apart without a colour. Each kind carries its sign, to be counted by touch:
one, two or three feathers, two that cross, three blades, ten jewels or a single large one, and the
eight legs of a thoat.
"""

from collections import Counter
from collections.abc import Iterator
from math import ceil
from typing import Final, NamedTuple

from hardware.build import Build
from hardware.ports import CannotBeBuilt
from rules import Side, parse_rules
from rules.board import JUGGERNAUT_LETTER
from rules.options import DEFAULT_PRESET
from rules.sentences import _

from ..solids import stl, three_mf
from .kinds import TALLEST, piece
from .shapes import DRAWN_FOR, Mould

SIDES: Final = {Side.BLACK: 60, Side.ORANGE: 6}
"""How many sides each player's pieces have; those with sixty are round."""

OCTAGON: Final = 8

LEAST_FOOT: Final = 19.0
"""Millimetres: on a smaller foot what is thin would be too thin for a printer."""

WIDER_THAN_MAGNET: Final = 2.2
"""How many times as wide as its magnet a foot must be, so that a thoat's legs stand on enough."""


class Print(NamedTuple):
    """A piece to be printed: its name, its letter, how many sides it has, and how many of it."""

    name: str
    letter: str
    sides: int
    copies: int


def prints() -> Iterator[Print]:
    """Yield the forty men, those that are alike together, and the Juggernaut."""
    men = Counter(parse_rules(DEFAULT_PRESET).start_pieces().values())
    for (side, kind), count in men.items():
        yield Print(f"{side.word}-{kind.word}", kind.value, SIDES[side], count)
    yield Print("juggernaut", JUGGERNAUT_LETTER, OCTAGON, 1)


def frame_of(build: Build, sides: int = SIDES[Side.BLACK], height_mm: float | None = None) -> Mould:
    """Return what the pieces of a table share; `height_mm` is the Chief's, if not the usual.

    CannotBeBuilt: pieces for this table are too small to be printed, or cannot have that height.
    """
    foot, magnet = build.base_mm, build.magnet
    least = max(LEAST_FOOT, WIDER_THAN_MAGNET * magnet.width)
    if foot < least - 1e-9:
        larger = ceil(build.square_mm * least / foot)
        raise CannotBeBuilt(
            _(
                "a foot of {foot:.1f} mm is too small for printed pieces with magnets of "
                "{magnet:g} mm: make the squares {larger} mm or more"
            ),
            foot=foot,
            magnet=magnet.width,
            larger=larger,
        )
    scale = foot / DRAWN_FOR
    usual = TALLEST * scale
    if height_mm is not None and not 0.9 * usual <= height_mm <= 1.1 * usual:
        raise CannotBeBuilt(
            _("a Chief of {height:g} mm: between {least:.0f} and {most:.0f} on this foot"),
            height=height_mm,
            least=0.9 * usual,
            most=1.1 * usual,
        )
    longer = 0.0 if height_mm is None else height_mm / scale - TALLEST
    return Mould(foot, magnet, sides, longer)


def pieces(build: Build, height_mm: float | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a set as STL and 3MF; their names say how many of each to print.

    ValueError: as `frame_of` says.
    """
    for wanted in prints():
        solid = piece(wanted.letter, frame_of(build, wanted.sides, height_mm))
        path = f"pieces/{wanted.name}_x{wanted.copies}"
        yield f"{path}.stl", stl(solid)
        yield f"{path}.3mf", three_mf(solid, wanted.name)
