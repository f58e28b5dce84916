"""What events tell of the table's own die in a game."""

from dataclasses import dataclass, replace
from typing import Final

from rules.sentences import _

from .events import BadRecord, DiceEvent, DieCommit, DieNumber, DieSeed

SEVERAL: Final = "+"
"""Stands between the seeds, and their commitments, of a die that has several: Black's first."""


@dataclass(frozen=True, slots=True)
class TableDie:
    """What is known of the table's own die in a game."""

    commit: str
    """The SHA-256 of its secret seed, in hex."""
    added: tuple[int, ...] = ()
    """The numbers that players have added to the seed."""
    is_thrown: bool = False
    """Whether it has been thrown, be it for a ply that was taken back."""
    seed: str | None = None
    """The seed, in hex, once the game is over."""


def thrown(die: TableDie | None) -> TableDie:
    """Return the table's die after a throw; BadRecord where it has no secret seed."""
    if die is None or die.seed is not None:
        raise BadRecord(_("the table's die was rolled without a secret seed"))
    return replace(die, is_thrown=True)


def die_after(die: TableDie | None, event: DiceEvent) -> TableDie:
    """Return the die after an event of its own; BadRecord where they are out of order."""
    match event:
        case DieCommit(commit=commit) if die is None:
            return TableDie(commit)
        case DieNumber(number=number) if die is not None and not die.is_thrown:
            return replace(die, added=(*die.added, number))
        case DieSeed(seed=seed) if die is not None and die.seed is None:
            return replace(die, seed=seed)
    raise BadRecord(_("{event!r} comes at the wrong time"), event=event)
