"""Squares, boards, pieces, moves and endings as plain values, and their texts.

Both boards, the flat one and the Ninth-Ray disk, use the same names for their hundred squares. A
direction is as Black sees it: NORTH goes towards the higher ranks, EAST towards the next file
letter. On the disk the ring closes (east of j1 lies a10) and NORTH of rank 5 crosses the centre,
which makes its innermost ring a directed graph: an attack there is not mutual and a retreat is not
the reverse of an advance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, IntEnum
from functools import cache

from .plain import TYPE_CHECKING, NamedTuple, NewType
from .sentences import BadText, UnknownName, _, near_miss

if TYPE_CHECKING:
    import re
    from typing import Literal

    Bias = Literal["clockwise", "counterclockwise"]


Square = NewType("Square", int)
"""0..99 = (rank - 1) * 10 + file: a1 = 0, j1 = 9, a10 = 90, j10 = 99."""

Point = tuple[float, float]

FILES = "abcdefghij"
SQUARES = tuple(Square(index) for index in range(100))
SQUARE_NAMES = tuple(f"{FILES[index % 10]}{index // 10 + 1}" for index in SQUARES)


class Direction(IntEnum):
    """The eight ways of a step; even ones are straight, odd ones diagonal.

    A die of the Juggernaut showing 1..8 means the direction one less.
    """

    NORTH = 0
    NORTH_EAST = 1
    EAST = 2
    SOUTH_EAST = 3
    SOUTH = 4
    SOUTH_WEST = 5
    WEST = 6
    NORTH_WEST = 7


_RANKS_UP = (1, 1, 0, -1, -1, -1, 0, 1)
_FILES_ON = (0, 1, 1, 1, 0, -1, -1, -1)
_MIRRORED_IN_RANK = tuple(Direction((4 - way) % 8) for way in Direction)

# Chords this short leave the polygon of a rim square within 2 % of a ring's width of its arc.
_POINTS_ON_ARC = 5

RING_RADII = tuple(5 * millimetres / 210 for millimetres in (210, 176, 142, 108, 74, 0))
"""The circles between a disk's rings, from the rim to the centre, in board units.

The innermost ring is so much wider that its wedges hold the same piece as the other squares.
"""


class Topology(NamedTuple):
    """A board: what lies beside what, and where it is drawn."""

    name: str
    neighbours: tuple[tuple[Square | None, ...], ...]
    """`neighbours[square][direction]`: the square one step away, or None off the board."""
    onward: tuple[tuple[Direction, ...], ...]
    """`onward[square][direction]`: the direction that goes straight on after that step. On the disk
    it is another one where a step changes halves beside the centre, or keeps its half across it."""
    colours: tuple[int, ...]
    """0 or 1 for each square; a1 has 0."""
    outlines: tuple[tuple[Point, ...], ...]
    """Each square's polygon, counter-clockwise as seen from above with Black in the south, in board
    units: the board fills 0..10 both ways, a1 towards (0, 0)."""
    centres: tuple[Point, ...]
    """The middle of each square, where a piece stands, in board units."""
    places: tuple[tuple[int, int], ...]
    """Each square's column and row where the board is unrolled."""
    columns_around: int = 0
    """The number of columns after which a round board begins again; 0 on a flat one."""


def mask_of(squares: Iterable[Square]) -> int:
    """Return the squares as a set of bits: bit n is square n."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def squares_of(mask: int) -> Iterator[Square]:
    """Yield the squares of a set of bits, lowest first."""
    while mask:
        lowest = mask & -mask
        yield SQUARES[lowest.bit_length() - 1]
        mask ^= lowest


@cache
def grid() -> Topology:
    """Return the flat board of 10 by 10 unit squares."""

    def neighbour(square: Square, way: Direction) -> Square | None:
        rank, file = divmod(square, 10)
        rank += _RANKS_UP[way]
        file += _FILES_ON[way]
        return SQUARES[rank * 10 + file] if 0 <= rank < 10 and 0 <= file < 10 else None

    def outline(square: Square) -> tuple[Point, ...]:
        y, x = divmod(square, 10)
        return ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))

    return Topology(
        name="grid",
        neighbours=tuple(tuple(neighbour(s, way) for way in Direction) for s in SQUARES),
        onward=(tuple(Direction),) * 100,
        colours=tuple((s // 10 + s % 10) % 2 for s in SQUARES),
        outlines=tuple(outline(square) for square in SQUARES),
        centres=tuple((square % 10 + 0.5, square // 10 + 0.5) for square in SQUARES),
        places=tuple((square % 10, square // 10) for square in SQUARES),
    )


def sector_and_ring(square: Square) -> tuple[int, int]:
    """Return a square's place on the disk: sector 0..19, ring 1 (rim) .. 5 (innermost)."""
    rank, file = divmod(square, 10)
    return (file, rank + 1) if rank < 5 else (file + 10, 10 - rank)


def at_sector_and_ring(sector: int, ring: int) -> Square:
    """Return the square of a sector (taken modulo 20) and a ring 1..5."""
    half, file = divmod(sector % 20, 10)
    return SQUARES[(10 - ring if half else ring - 1) * 10 + file]


@cache
def ninth_ray(bias: Bias) -> Topology:
    """Return D. Henry's disk of 20 sectors and 5 rings, its centre crossed by `bias`."""
    # Ten sectors on would be straight across. The bias turns a step over the centre by one sector,
    # so that the innermost square opposite is not simply the next one.
    across = 9 if bias == "clockwise" else 11

    def step(square: Square, way: Direction) -> tuple[Square | None, Direction]:
        sector, ring = sector_and_ring(square)
        inward = _RANKS_UP[way] if sector < 10 else -_RANKS_UP[way]
        sector += _FILES_ON[way]
        ring += inward
        if ring < 1:
            return None, way
        crosses = ring > 5
        landed = at_sector_and_ring(sector + across * crosses, min(ring, 5))
        # Inwards stays inwards, and becomes outwards at the centre; which of both is north is
        # another matter in each half.
        stays = (square < 50) == (landed < 50)
        return landed, _MIRRORED_IN_RANK[way] if crosses == stays else way

    steps = tuple(tuple(step(square, way) for way in Direction) for square in SQUARES)
    return Topology(
        name=f"ninth-ray-{bias}",
        neighbours=tuple(tuple(landed for landed, _ in row) for row in steps),
        onward=tuple(tuple(onward for _, onward in row) for row in steps),
        colours=tuple((sum(sector_and_ring(square)) - 1) % 2 for square in SQUARES),
        outlines=tuple(_sector_outline(square) for square in SQUARES),
        centres=tuple(_sector_centre(square) for square in SQUARES),
        places=tuple(sector_and_ring(square) for square in SQUARES),
        columns_around=20,
    )


def _sector_outline(square: Square) -> tuple[Point, ...]:
    """Draw one square of the disk: sector 0 begins in the west, sectors run counter-clockwise."""
    sector, ring = sector_and_ring(square)
    angles = [
        math.radians(180 + 18 * (sector + part / (_POINTS_ON_ARC - 1)))
        for part in range(_POINTS_ON_ARC)
    ]
    outer = [_on_circle(RING_RADII[ring - 1], angle) for angle in angles]
    inner = (
        [_on_circle(RING_RADII[ring], angle) for angle in reversed(angles)]
        if ring < 5
        else [(5.0, 5.0)]
    )
    return (*outer, *inner)


def _sector_centre(square: Square) -> Point:
    """Return the middle of a square's middle ray; in a wedge, that of the largest circle in it."""
    sector, ring = sector_and_ring(square)
    outer, inner = RING_RADII[ring - 1 : ring + 1]
    slope = math.sin(math.radians(9))
    radius = (outer + inner) / 2 if ring < 5 else outer / (1 + slope)
    return _on_circle(radius, math.radians(180 + 18 * (sector + 0.5)))


def _on_circle(radius: float, angle: float) -> Point:
    return 5 + radius * math.cos(angle), 5 + radius * math.sin(angle)


class Side(IntEnum):
    """Black sits in the south (ranks 1 and 2), Orange in the north (ranks 9 and 10)."""

    BLACK = 0
    ORANGE = 1

    @property
    def other(self) -> Side:
        return _OTHER[self]

    @property
    def word(self) -> str:
        """`black` or `orange`, as texts name the side."""
        return self.name.lower()


_OTHER = (Side.ORANGE, Side.BLACK)


class Kind(Enum):
    """A kind of piece; its value is the letter texts use for it."""

    PANTHAN = "P"
    THOAT = "T"
    WARRIOR = "W"
    PADWAR = "A"
    DWAR = "D"
    FLIER = "F"
    CHIEF = "C"
    PRINCESS = "Q"

    @property
    def word(self) -> str:
        """`panthan`, `thoat`, ...: the kind's name in rules texts."""
        return self.name.lower()


KINDS = tuple(Kind)
"""Every kind, in an order that never changes."""


class Piece(NamedTuple):
    """A man: a side and a kind. The Juggernaut belongs to no side and is not one."""

    side: Side
    kind: Kind

    @property
    def letter(self) -> str:
        """Upper case for Black, lower case for Orange."""
        letter = self.kind.value
        return letter if self.side is Side.BLACK else letter.lower()


class Occupant(IntEnum):
    """The contents of a square as a sensor sees them: whose piece, not which kind."""

    EMPTY = 0
    BLACK = 1
    ORANGE = 2
    NEUTRAL = 3


OCCUPANT_OF = (Occupant.BLACK, Occupant.ORANGE)
"""The occupant a side's piece is, by Side."""

PIECES = {piece.letter: piece for piece in (Piece(s, k) for s in Side for k in Kind)}
"""Every piece by its letter in position texts."""

JUGGERNAUT_LETTER = "*"


class MoveKind(Enum):
    """The effect of a ply on the square where it ends; the Princess's escape is its own kind."""

    MOVE = str(_("move"))
    CAPTURE = str(_("capture"))
    ESCAPE = str(_("escape"))


class Move(NamedTuple):
    """A move, by the squares where it begins and ends and its kind; its path is not part of it."""

    from_square: Square
    to_square: Square
    kind: MoveKind


class Termination(Enum):
    """The reason why a game is over, as the Termination tag of a game text has it.

    People read these texts too, so each is marked as a sentence; files want them as plain `str`.
    """

    PRINCESS_TAKEN = str(_("princess taken"))
    CHIEF_BY_CHIEF = str(_("chief taken by chief"))
    CHIEF_BY_OTHER = str(_("chief taken by another piece"))
    JUGGERNAUT = str(_("juggernaut"))
    CHECKMATE = str(_("checkmate"))
    NO_MOVE = str(_("no move"))
    FEW_PIECES = str(_("few pieces"))
    CAPTURELESS = str(_("captureless"))
    REPETITION = str(_("repetition"))
    RESIGNED = str(_("resigned"))
    AGREED = str(_("agreed"))
    TIME = str(_("time forfeit"))


class Outcome(NamedTuple):
    """A finished game's winner (None: a draw) and the reason."""

    winner: Side | None
    termination: Termination


BY_NAME = dict(zip(SQUARE_NAMES, SQUARES, strict=True))
_RUNS = {str(length): length for length in range(1, 11)}
_RUN_OR_LETTER = "10|."


@cache
def pattern(expression: str) -> re.Pattern[str]:
    """Return a compiled expression."""
    import re  # only where texts are read or written, for it takes as long as half this package

    return re.compile(expression)


def parse_square(text: str) -> Square:
    """Return the square of a name such as `d4`; UnknownName where there is none."""
    try:
        return BY_NAME[text.strip().lower()]
    except KeyError:
        near = near_miss(text, SQUARE_NAMES)
        raise UnknownName(
            _("{name}: no such square (a1 to j10){near}"), name=text, near=near
        ) from None


def format_square(square: Square) -> str:
    """Return a square's name."""
    return SQUARE_NAMES[square]


def format_placement(pieces: Mapping[Square, Piece], juggernaut: Square | None) -> str:
    """Write who stands where, from rank 10 down: the first field of a position text."""
    letters = {square: piece.letter for square, piece in pieces.items()}
    if juggernaut is not None:
        letters[juggernaut] = JUGGERNAUT_LETTER
    ranks = []
    for first in range(90, -10, -10):
        row = "".join(letters.get(square, ".") for square in SQUARES[first : first + 10])
        ranks.append(pattern("[.]+").sub(lambda run: str(len(run[0])), row))
    return "/".join(ranks)


def parse_placement(text: str) -> tuple[dict[Square, Piece], Square | None]:
    """Read who stands where, and where the Juggernaut does; BadText says what is wrong."""
    ranks = text.split("/")
    if len(ranks) != 10:
        raise BadText(
            _("placement {text!r}: has {count} ranks, must have 10"), text=text, count=len(ranks)
        )
    pieces: dict[Square, Piece] = {}
    juggernauts: list[Square] = []
    for number, rank in zip(range(10, 0, -1), ranks, strict=True):
        at = first = (number - 1) * 10
        for token in pattern(_RUN_OR_LETTER).findall(rank):
            if token in _RUNS:
                at += _RUNS[token]
                continue
            if at < first + 10 and token in PIECES:
                pieces[SQUARES[at]] = PIECES[token]
            elif at < first + 10 and token == JUGGERNAUT_LETTER:
                juggernauts.append(SQUARES[at])
            elif token not in PIECES and token != JUGGERNAUT_LETTER:
                letters = " ".join([*PIECES, JUGGERNAUT_LETTER])
                raise BadText(
                    _("rank {number} {rank!r}: {letter!r} is no piece ({letters})"),
                    number=number,
                    rank=rank,
                    letter=token,
                    letters=letters,
                )
            at += 1
        if at != first + 10:
            raise BadText(
                _("rank {number} {rank!r}: has {count} squares, must have 10"),
                number=number,
                rank=rank,
                count=at - first,
            )
    for piece in (Piece(side, kind) for side in Side for kind in (Kind.CHIEF, Kind.PRINCESS)):
        if list(pieces.values()).count(piece) > 1:
            raise BadText(
                _("placement {text!r}: more than one {letter}"), text=text, letter=piece.letter
            )
    if len(juggernauts) > 1:
        raise BadText(
            _("placement {text!r}: more than one {letter}"), text=text, letter=JUGGERNAUT_LETTER
        )
    return pieces, juggernauts[0] if juggernauts else None
