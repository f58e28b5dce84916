"""Squares, and who stands on them, as text, both ways (RULES, Texts)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from .board import SQUARE_NAMES, SQUARES, Square
from .errors import BadText, UnknownName, near_miss
from .pieces import JUGGERNAUT_LETTER, PIECES, Kind, Piece, Side
from .plain import TYPE_CHECKING
from .sentences import _

if TYPE_CHECKING:
    import re

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
