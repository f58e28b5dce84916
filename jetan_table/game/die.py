"""What events tell of the table's parts in a game: of its own die, and of its switches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .errors import BadRecord
from .events import DieCommit, DieNumber, DieSeed


@dataclass(frozen=True, slots=True)
class TableDie:
    """What is known of the table's own die in a game: its commitment, and its seed in the end.

    `added` are the players' numbers; `is_thrown` is whether it has been thrown, taken back or not.
    """

    commit: str
    added: tuple[int, ...] = ()
    is_thrown: bool = False
    seed: str | None = None


def thrown(die: TableDie | None) -> TableDie:
    """Return the table's die after a throw; BadJournal where it has no secret seed."""
    if die is None or die.seed is not None:
        raise BadRecord("the table's die was rolled without a secret seed")
    return replace(die, is_thrown=True)


def die_after(die: TableDie | None, event: DieCommit | DieNumber | DieSeed) -> TableDie:
    """Return the die after an event of its own; BadJournal where they are out of order."""
    match event:
        case DieCommit(commit=commit) if die is None:
            return TableDie(commit)
        case DieNumber(number=number) if die is not None and not die.is_thrown:
            return replace(die, added=(*die.added, number))
        case DieSeed(seed=seed) if die is not None and die.seed is None:
            return replace(die, seed=seed)
    raise BadRecord(f"{event!r} comes at the wrong time")
