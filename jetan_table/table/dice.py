"""The table's own die in its games: committed to, rolled when asked, and revealed in the end."""

from collections.abc import Callable, Iterable
from contextlib import suppress

from hardware.die import commitment, roll_numbers
from rules.game_text import format_throw
from rules.sentences import _

from ..game.commands import CommandRefused
from ..game.dice import SEVERAL, TableDie
from ..game.events import DieCommit, DieRoll, DieSeed, DuelTold, Entry
from ..game.record import Record
from ..game.rolling import (
    check_roll_due,
    is_roll_due,
    next_occasion,
    open_fight,
    owes_seed,
    roll_event,
    roll_on,
    rolled_start,
    start_squares,
    throw_on,
    wants_seed,
)
from ..game.terms import Matter, occasion_of
from ..session.session import News, Session
from .seeds import Seeds

BY_ITSELF_S = 1.0
"""Dice that roll by themselves give hands so long to put a ply right that was just told."""


def dice_event(record: Record, numbers: Callable[[str], tuple[int, ...]]) -> DuelTold | DieRoll:
    """Return what dice tell that show `numbers` on an occasion.

    They are thrown for both sides of an open fight, or for the Juggernaut; CommandRefused where
    nothing waits for them.
    """
    fight = open_fight(record)
    if fight is not None:
        return DuelTold(fight.number, format_throw(throw_on(fight.occasion, numbers)))
    check_roll_due(record)
    if starts := start_squares(record):
        return roll_event(record, rolled_start(starts, lambda on: numbers(on)[0]))
    return roll_event(record, roll_on(next_occasion(record.game), numbers))


class Dice:
    """Draws seeds for the games of one table and rolls by them; the session is told what is shown.

    What it returns must be on the disk before anybody sees it, as all that a session tells.
    """

    def __init__(self, seeds: Seeds, rolls_itself: bool = False) -> None:
        """`rolls_itself`: nobody needs to ask for a roll that is due."""
        self._seeds, self._rolls_itself = seeds, rolls_itself
        self._waiting: Record | None = None
        self._due_at = 0.0
        self._found: dict[str, bytes | None] = {}

    def follow(self, session: Session, now: float) -> list[News]:
        """Commit to a seed before the first roll, and reveal it after the last.

        Raises JournalUnwritable where the disk does not take the seed.
        """
        record = session.record
        if wants_seed(record):
            return session.tell_dice(DieCommit(self._seeds.draw()), now)
        if record.die is not None and owes_seed(record):
            seed = self._find(record.die.commit)
            return [] if seed is None else session.tell_dice(DieSeed(seed.hex()), now)
        return []

    def attend(self, session: Session, now: float) -> list[News]:
        """Roll what hands have asked for by a touch, or what has been due for a while by itself."""
        is_wanted, session.is_throw_wanted = session.is_throw_wanted, False
        if not (is_wanted or self._is_time(session, now)):
            return []
        with suppress(CommandRefused):  # the view goes on saying that it is due
            return self.roll(session, now)
        return []

    def _is_time(self, session: Session, now: float) -> bool:
        """Whether the dice roll by themselves, and the hands have rested since a roll was due."""
        record = session.record
        is_due = is_roll_due(record) or open_fight(record) is not None
        if not self._rolls_itself or not is_due or session.view.lifted:
            self._waiting = None
            return False
        if record is not self._waiting:
            self._waiting, self._due_at = record, now + BY_ITSELF_S
        return now >= self._due_at

    def roll(self, session: Session, now: float) -> list[News]:
        """Roll for who begins, for the ply that waits, or for both sides of an open fight.

        CommandRefused where nothing waits, or the die cannot.
        """
        record = session.record
        if record.unsettled is not None:
            return self._roll_opening(session, record.unsettled, now)
        event = dice_event(record, lambda occasion: self._numbers(record, occasion))
        return session.tell_dice(event, now)

    def _roll_opening(self, session: Session, matter: Matter, now: float) -> list[News]:
        """Roll for what is to be settled before the first ply; CommandRefused where none is due."""
        record = session.record
        if not record.opening.is_roll_due:
            raise CommandRefused(_("nobody needs to roll for who begins"))
        face = self._numbers(record, occasion_of(matter))[0]
        return session.settle(record.opening.rolled(face, "table"), now)

    def _numbers(self, record: Record, occasion: str) -> tuple[int, ...]:
        """Return what the die shows on an occasion; CommandRefused where it can show nothing."""
        if record.die is None:
            raise CommandRefused(
                _("the table has no die in this game: throw a real one, and enter it as in: roll 3")
            )
        return roll_numbers([self._seed(record.die)], record.die.added, occasion)

    def forget_revealed(self, entries: Iterable[Entry]) -> None:
        """Drop the seeds that `entries`, which are on the disk, reveal."""
        for entry in entries:
            if isinstance(entry.event, DieSeed):
                for seed in entry.event.seed.split(SEVERAL):
                    self._seeds.forget(commitment(bytes.fromhex(seed)))

    def _find(self, commit: str) -> bytes | None:
        """Return the seed behind a commitment; the disk is asked once for each."""
        if commit not in self._found:
            self._found[commit] = self._seeds.find(commit)
        return self._found[commit]

    def _seed(self, die: TableDie) -> bytes:
        if die.seed is not None:
            raise CommandRefused(
                _(
                    "the seed of the table's die has been shown: throw a real one, and enter it as "
                    "in: roll 3"
                )
            )
        seed = self._find(die.commit)
        if seed is None:
            raise CommandRefused(
                _(
                    "the seed of the table's die is lost: throw a real one, and enter it as in: "
                    "roll 3"
                )
            )
        return seed
