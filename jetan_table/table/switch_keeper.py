"""Keeps what the switches of a real board have shown, for the evenings to come."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hardware.ports import SwitchCounts
from rules import Square

from ..notices import Notice
from ..reading.scene import Rates
from ..session.guests import Certain, Guest
from ..session.orientation import Orientation
from ..session.view import View
from .kept_switches import keep_switches, take_up

PIECES_KEPT = 10
"""The file is written again after so many pieces put down, sooner where one was missed."""


class SwitchKeeper(Guest):
    """Follows a table: `rates` are its reader's, by the names that the table has for squares."""

    def __init__(self, folder: Path, lies: Orientation) -> None:
        """Take up what is kept in the data folder; a damaged file is set aside, and said."""
        known = take_up(folder)
        self.rates = Rates(_by_table(known.counts, lies))
        self._folder, self._lies, self._note = folder, lies, known.trouble
        self._kept = _sums(known.counts)

    @property
    def by_wire(self) -> dict[Square, SwitchCounts]:
        """The counts by the names that the board is wired by."""
        return {self._lies.seen(square): one for square, one in self.rates.counts.items()}

    def follow(self, certain: Certain) -> None:
        """Keep the counts where they have changed enough; a game goes on without that."""
        if certain.lies != self._lies:
            counts, self._lies = self.by_wire, certain.lies
            self.rates.counts = _by_table(counts, certain.lies)
        placed, erred = _sums(self.rates.counts)
        is_due = erred != self._kept[1] or placed >= self._kept[0] + PIECES_KEPT
        if is_due:
            self._kept = placed, erred
            with suppress(OSError):
                keep_switches(self._folder, self.by_wire)

    def overlay(self, view: View) -> View:
        """Say that the file was damaged."""
        if self._note is None:
            return view
        return replace(view, notices=(*view.notices, Notice("switches", "warn", self._note)))


def _by_table(
    counts: Mapping[Square, SwitchCounts], lies: Orientation
) -> dict[Square, SwitchCounts]:
    return {lies.really[square]: one for square, one in counts.items()}


def _sums(counts: Mapping[Square, SwitchCounts]) -> tuple[int, int]:
    """Return how many pieces were put down in all, and how often switches have erred."""
    placed = sum(one.placed for one in counts.values())
    return placed, sum(one.missed + one.ghosts for one in counts.values())
