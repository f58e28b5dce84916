"""The table's own die in its games: committed to, rolled when asked, and revealed in the end."""

from __future__ import annotations

from hardware.die import ElectronicDie, commitment
from rules.juggernaut import Roll

from .commands import CommandRefused
from .events import DieCommit, DieSeed, Entry
from .record import TableDie
from .refusals import No
from .rolling import check_roll_due, next_occasion, owes_seed, wants_seed
from .seeds import Seeds
from .session import News, Session


class Dice:
    """Draws seeds for the games of one table and rolls by them; the session is told what is shown.

    What it returns must be on the disk before anybody sees it, as all that a session tells.
    """

    def __init__(self, seeds: Seeds) -> None:
        self._seeds = seeds
        self._found: dict[str, bytes | None] = {}

    def follow(self, session: Session, now: float) -> list[News]:
        """Commit to a seed before the first roll, and reveal it after the last.

        Raises JournalUnwritable where the disk does not take the seed.
        """
        record = session.record
        if wants_seed(record):
            return session.tell_die(DieCommit(self._seeds.draw()), now)
        if record.die is not None and owes_seed(record):
            seed = self._find(record.die.commit)
            return [] if seed is None else session.tell_die(DieSeed(seed.hex()), now)
        return []

    def roll(self, session: Session, now: float) -> list[News]:
        """Roll for the ply that waits; CommandRefused where none does, or the die cannot."""
        record = session.record
        check_roll_due(record)
        if record.die is None:
            raise CommandRefused(No.NO_DIE)
        die = ElectronicDie(self._seed(record.die), record.die.added)
        die.request(next_occasion(record.game), now)
        told = die.poll(now)
        if told is None:
            return []
        face, *teleport = told.numbers
        file, rank = teleport or (None, None)
        return session.roll(Roll(face, file, rank), now)

    def forget_revealed(self, news: list[News]) -> None:
        """Drop the seeds that `news`, which is on the disk, reveals."""
        for item in news:
            if isinstance(item, Entry) and isinstance(item.event, DieSeed):
                self._seeds.forget(commitment(bytes.fromhex(item.event.seed)))

    def _find(self, commit: str) -> bytes | None:
        """Return the seed behind a commitment; the disk is asked once for each."""
        if commit not in self._found:
            self._found[commit] = self._seeds.find(commit)
        return self._found[commit]

    def _seed(self, die: TableDie) -> bytes:
        if die.seed is not None:
            raise CommandRefused(No.SEED_SHOWN)
        seed = self._find(die.commit)
        if seed is None:
            raise CommandRefused(No.SEED_LOST)
        return seed
