"""Which row and column of the matrix runs under which rank and file, from few squares.

Rows may run under ranks, or the board is turned and they run under files; either way in any order.
Eleven squares tell all hundred switches, as long as the wires do form a matrix.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from hardware.switches import Switch
from rules import SQUARES, Square

SIZE = 10
ENOUGH_IN_VAIN = 2
"""Squares of a line that were tried in vain, before the line is taken for the one that is left."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns of the matrix by rank and file; `is_turned`: by file and rank."""

    is_turned: bool
    rows: Mapping[int, int]
    columns: Mapping[int, int]

    def switch(self, square: Square) -> Switch | None:
        """Return the switch under a square, None where its row or column is not known."""
        along, across = _places(square, self.is_turned)
        if along not in self.rows or across not in self.columns:
            return None
        return Switch(self.rows[along] * SIZE + self.columns[across])


def fit(readings: Mapping[Square, Switch], is_turned: bool) -> Grid | None:
    """Return the grid that explains every reading; None where none of this kind does.

    Where all but one rank or file are known, the last one is what is left.
    """
    rows: dict[int, int] = {}
    columns: dict[int, int] = {}
    for square, switch in readings.items():
        for lines, place, line in zip(
            (rows, columns), _places(square, is_turned), divmod(switch, SIZE), strict=True
        ):
            if lines.setdefault(place, line) != line:
                return None
    if any(len(set(lines.values())) < len(lines) for lines in (rows, columns)):
        return None
    return Grid(is_turned, _completed(rows), _completed(columns))


def fits(readings: Mapping[Square, Switch]) -> list[Grid]:
    """Return the grids that explain every reading: two, one, or none where wires form none."""
    grids = (fit(readings, is_turned) for is_turned in (False, True))
    return [grid for grid in grids if grid is not None]


def next_square(readings: Mapping[Square, Switch], in_vain: Collection[Square]) -> Square | None:
    """Return the square that tells most, None where nothing is left to be told.

    Squares `in_vain` have told nothing: their switches may be dead.
    """
    grids = fits(readings)
    left = [square for square in SQUARES if square not in readings and square not in in_vain]
    if not grids:
        return left[0] if left else None
    files = _lacking({square % SIZE for square in readings}, [s % SIZE for s in in_vain])
    ranks = _lacking({square // SIZE for square in readings}, [s // SIZE for s in in_vain])

    def gain(square: Square) -> tuple[int, int]:
        lines_read = (square % SIZE in files) + (square // SIZE in ranks)
        # A new file on a known rank, or the reverse, tells whether the board is turned.
        is_telling = lines_read == 1 and readings and len(grids) == 2
        beside = sum(square % SIZE == s % SIZE or square // SIZE == s // SIZE for s in in_vain)
        return 3 if is_telling else lines_read, -beside

    best = max(left, key=gain, default=None)
    return best if best is not None and gain(best)[0] > 0 else None


def _places(square: Square, is_turned: bool) -> tuple[int, int]:
    rank, file = divmod(square, SIZE)
    return (file, rank) if is_turned else (rank, file)


def _lacking(known: set[int], in_vain: list[int]) -> set[int]:
    """Return the lines that must still be read; the last one may be left to be inferred."""
    lacking = set(range(SIZE)) - known
    is_last = len(lacking) == 1
    return {line for line in lacking if not is_last or in_vain.count(line) < ENOUGH_IN_VAIN}


def _completed(lines: dict[int, int]) -> dict[int, int]:
    if len(lines) == SIZE - 1:
        (place,) = set(range(SIZE)) - lines.keys()
        (line,) = set(range(SIZE)) - set(lines.values())
        return lines | {place: line}
    return lines
