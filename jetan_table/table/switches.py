"""Counts of how reliably the switches of a real board work, kept in the data folder over evenings.

The file's squares have the names of the board's wiring, whatever its orientation.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from hardware.ports import FaultKind, SwitchCounts
from rules import Notice, RulesError, Square, Worded, _, format_square, parse_square

from ..files import read_json, write_whole
from ..reading.costs import PRICES
from ..reading.scene import Rates
from ..session.orientation import Orientation
from ..session.session import Certain, Guest
from ..session.view import View

KEPT_IN: Final = "switches.json"
FORMER: Final = "switches.before-trial.json"
DAMAGED: Final = "switches.damaged.json"

FEW: Final = 2
"""Errors of one switch that it takes to blame it: fewer may be anybody's hand."""


class KeptSwitches(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: counts by the names of squares."""

    squares: dict[str, SwitchCounts] = {}


class Known(NamedTuple):
    """The content of a file: the counts, and a sentence about damage if it has any."""

    counts: dict[Square, SwitchCounts]
    trouble: str | None = None


def read_switches(folder: Path, kept_in: str = KEPT_IN) -> Known:
    """Return the counts in the data folder; none if there is no file, or a damaged one."""
    path = folder / kept_in
    try:
        kept = read_json(path, KeptSwitches) or KeptSwitches()
        counts = {parse_square(name): _checked(one) for name, one in kept.squares.items()}
    except (OSError, ValueError, RulesError):
        return Known({}, Worded(_("{path} is damaged: switches are counted anew"), path=path))
    return Known(counts)


def _checked(counts: SwitchCounts) -> SwitchCounts:
    """Return counts that are possible; ValueError for others."""
    is_possible = 0 <= counts.row <= counts.missed <= counts.placed
    if not is_possible or counts.ghosts < 0 or not counts.empty_s >= 0.0:
        raise ValueError(counts)
    return counts


def keep_switches(folder: Path, counts: Mapping[Square, SwitchCounts]) -> None:
    """Write counts into the data folder; they are on the disk on return. OSError."""
    squares = {format_square(square): counts[square] for square in sorted(counts)}
    text = msgspec.json.format(msgspec.json.encode(KeptSwitches(squares)), indent=1)
    write_whole(folder / KEPT_IN, text + b"\n")


def take_up(folder: Path) -> Known:
    """Return the kept counts, to count on from them; a damaged file is moved out of the way."""
    known = read_switches(folder)
    if known.trouble is not None:
        with suppress(OSError):
            (folder / KEPT_IN).replace(folder / DAMAGED)
    return known


def teach_switches(folder: Path, counts: Mapping[Square, SwitchCounts]) -> None:
    """Write other counts, and keep the former ones beside them for `forget_teaching`. OSError."""
    former = read_switches(folder)
    squares = {format_square(square): one for square, one in former.counts.items()}
    write_whole(folder / FORMER, msgspec.json.encode(KeptSwitches(squares)))
    keep_switches(folder, counts)


def forget_teaching(folder: Path) -> bool:
    """Restore the counts from before the last teaching; False if there are none. OSError."""
    former = read_switches(folder, FORMER)
    if former.trouble is not None or not (folder / FORMER).exists():
        return False
    keep_switches(folder, former.counts)
    with suppress(FileNotFoundError):
        (folder / FORMER).unlink()
    return True


def poor_switches(
    counts: Mapping[Square, SwitchCounts],
) -> Iterator[tuple[Square, SwitchCounts, FaultKind]]:
    """Yield the switches that err clearly more often than others, each with its kind of error.

    One misses pieces, as a dead one does, or stays closed, as a stuck one does.
    """
    rates = Rates(counts)
    for square in sorted(counts):
        one = counts[square]
        for kind, times in ((FaultKind.DEAD, one.missed), (FaultKind.STUCK, one.ghosts)):
            if times >= FEW and rates.shift((square, kind)) < -PRICES.LIKELIER:
                yield square, one, kind


PIECES_KEPT = 10
"""Pieces put down after which the file is written again; after an error it is at once."""


class SwitchKeeper(Guest):
    """Keeps the counts of a table; `rates` are its reader's, by the table's names for squares."""

    def __init__(self, folder: Path, orientation: Orientation) -> None:
        """Take up the counts in the data folder; a damaged file is set aside, with a notice."""
        known = take_up(folder)
        self.rates = Rates(_by_table(known.counts, orientation))
        self._folder, self._orientation, self._note = folder, orientation, known.trouble
        self._kept = _sums(known.counts)

    @property
    def by_wire(self) -> dict[Square, SwitchCounts]:
        """The counts by the names of the board's wiring."""
        return {self._orientation.seen(square): one for square, one in self.rates.counts.items()}

    def follow(self, certain: Certain) -> None:
        """Write the counts once they have changed enough; a game goes on without that, too."""
        if certain.orientation != self._orientation:
            counts, self._orientation = self.by_wire, certain.orientation
            self.rates.counts = _by_table(counts, certain.orientation)
        placed, erred = _sums(self.rates.counts)
        # A card lasts longer with few writes; an error is rare, and worth more than all that
        # worked.
        is_due = erred != self._kept[1] or placed >= self._kept[0] + PIECES_KEPT
        if is_due:
            self._kept = placed, erred
            with suppress(OSError):
                keep_switches(self._folder, self.by_wire)

    def overlay(self, view: View) -> View:
        """Add a notice about a damaged file."""
        if self._note is None:
            return view
        return replace(view, notices=(*view.notices, Notice("switches", "warn", self._note)))


def _by_table(
    counts: Mapping[Square, SwitchCounts], orientation: Orientation
) -> dict[Square, SwitchCounts]:
    return {orientation.actual[square]: one for square, one in counts.items()}


def _sums(counts: Mapping[Square, SwitchCounts]) -> tuple[int, int]:
    """Return the number of pieces put down, and the number of errors of all switches."""
    placed = sum(one.placed for one in counts.values())
    return placed, sum(one.missed + one.ghosts for one in counts.values())
