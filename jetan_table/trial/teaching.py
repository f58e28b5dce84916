"""What a trial teaches of the switches: whatever was put down or lifted by name is counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from hardware.switches import SwitchCounts
from rules import Square, format_square
from rules.sentences import _

from ..board.kept_switches import take_up, teach_switches
from ..languages import Language, say_in
from ..reading.habits import UNKNOWN, Rates
from .running import Course

TAUGHT = _(
    "Its switches are known by {placed} pieces put down, {missed} of them missed; "
    "before by {was_placed}, {was_missed} missed."
)
ERRED = _("{square}: missed {missed} of {placed}; before {was_missed} of {was_placed}.")
UNDO = _("jetan trial --undo forgets what this trial has taught.")


def counted(course: Course, counts: Mapping[Square, SwitchCounts]) -> dict[Square, SwitchCounts]:
    """Return counts with all that was asked in a trial; what may go unseen counts if it showed.

    What was lit and not named may have been another piece.
    """
    rates = Rates(counts)
    for done in course.done:
        for (square, is_put_down), at in zip(done.demand.wants, done.seen_at, strict=True):
            if at is None and (done.demand.may_hide or done.demand.by_light):
                continue
            if is_put_down:
                rates.put_down(square, is_shown=at is not None)
            elif at is None:
                rates.count_ghost(square)
    return rates.counts


def teach(course: Course, folder: Path, language: Language) -> Iterator[str]:
    """Add what a trial has shown to what is kept in the data folder, and tell both. OSError."""
    before, trouble = take_up(folder)
    if trouble is not None:
        yield say_in(language, _("{why}"), why=trouble)
    after = counted(course, before)
    teach_switches(folder, after)
    yield say_in(language, TAUGHT, **_figures(Rates(after).total, Rates(before).total))
    for square, counts in sorted(after.items()):
        was = before.get(square, UNKNOWN)
        if counts.missed > was.missed:
            name = format_square(square)
            yield say_in(language, ERRED, square=name, **_figures(counts, was))
    yield say_in(language, UNDO)


def _figures(counts: SwitchCounts, was: SwitchCounts) -> dict[str, int]:
    return {
        "placed": counts.placed,
        "missed": counts.missed,
        "was_placed": was.placed,
        "was_missed": was.missed,
    }
