"""The table's own die: its secret seeds on disk, its rolls in a game, and proof of their fairness.

A seed is committed to before the first roll, and revealed once the game is over, so that anybody
can check that every roll followed from it. A game that is taken up again goes on with its own seed.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import erfc, exp, gamma, sqrt
from pathlib import Path

from hardware.die import FACES, SEED_BYTES, commitment, roll_numbers
from rules import Game, Position, Roll, Throw, _, format_move, juggernaut_starts, whole_number
from rules.text import LOST, WON, format_roll, format_throw, parse_roll, parse_throw

from ..errors import TableError
from ..files import make_folder, sync_folder
from ..game.commands import CommandRefused
from ..game.events import Bias, DieCommit, DieRoll, DieSeed, DuelReport, Entry, FirstMove, Header
from ..game.record import SEVERAL, Record, TableDie, duel_occasion
from ..game.rolling import (
    START_MOVE,
    check_roll_due,
    is_roll_due,
    next_occasion,
    occasion,
    open_fight,
    owes_seed,
    roll_event,
    roll_on,
    rolled_start,
    start_squares,
    throw_on,
    wants_seed,
)
from ..game.rolling import Dice as Faces
from ..game.terms import Matter, occasion_of
from ..game.texts import START_TAG, bias_of_tags, first_of_tags
from ..journal.journal import JournalUnwritable
from ..session.session import News, Session


class Seeds:
    """The seeds of games that are not over, one file each that only its owner can read."""

    def __init__(self, folder: Path, entropy: Callable[[int], bytes]) -> None:
        """Keep seeds in `folder`; `entropy(n)` draws n bytes from the operating system."""
        self._folder, self._entropy = folder, entropy

    def draw(self) -> str:
        """Draw a seed, keep it, and return its commitment once it is on the disk.

        Raises JournalUnwritable where the disk refuses.
        """
        seed = self._entropy(SEED_BYTES)
        path = self._path(commitment(seed))
        try:
            make_folder(self._folder, 0o700)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(seed.hex())
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self._folder)
        except OSError as error:
            raise JournalUnwritable(
                _("{path}: {strerror}; the die has no seed"), path=path, strerror=error.strerror
            ) from error
        return commitment(seed)

    def find(self, commit: str) -> bytes | None:
        """Return the seed behind a commitment; None if it is lost, or the file holds another."""
        try:
            seed = bytes.fromhex(self._path(commit).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None
        return seed if commitment(seed) == commit else None

    def forget(self, commit: str) -> None:
        """Delete a seed that has been revealed, if the disk lets us."""
        with suppress(OSError):
            self._path(commit).unlink(missing_ok=True)

    def _path(self, commit: str) -> Path:
        return self._folder / f"{commit}.seed"


BY_ITSELF_S = 1.0
"""Seconds before dice roll by themselves, in which hands may still put their ply right."""


def dice_event(record: Record, numbers: Callable[[str], tuple[int, ...]]) -> DuelReport | DieRoll:
    """Return the event of dice that show `numbers` on an occasion.

    It is a throw for both sides of an open fight, or a roll for the Juggernaut; CommandRefused if
    neither is due.
    """
    fight = open_fight(record)
    if fight is not None:
        return DuelReport(fight.number, format_throw(throw_on(fight.occasion, numbers)))
    check_roll_due(record)
    if starts := start_squares(record):
        return roll_event(record, rolled_start(starts, lambda on: numbers(on)[0]))
    return roll_event(record, roll_on(next_occasion(record.game), numbers))


class Dice:
    """Draws seeds for the games of one table, and rolls by them.

    The news it returns must be on the disk before anybody sees it, like all of a session's.
    """

    def __init__(self, seeds: Seeds, rolls_itself: bool = False) -> None:
        """`rolls_itself`: a roll that is due needs nobody to ask for it."""
        self._seeds, self._rolls_itself = seeds, rolls_itself
        self._waiting: Record | None = None
        """The game that waits for a roll of the dice by themselves."""
        self._due_at = 0.0
        self._found: dict[str, bytes | None] = {}

    def follow(self, session: Session, now: float) -> list[News]:
        """Commit to a seed before the first roll, and reveal it after the last.

        Raises JournalUnwritable if the disk does not take the seed.
        """
        record = session.record
        if wants_seed(record):
            return session.tell_dice(DieCommit(self._seeds.draw()), now)
        if record.die is not None and owes_seed(record):
            seed = self._find(record.die.commit)
            return [] if seed is None else session.tell_dice(DieSeed(seed.hex()), now)
        return []

    def attend(self, session: Session, now: float) -> list[News]:
        """Roll if hands have asked for it by a touch, or if it is time to by itself."""
        is_wanted, session.is_throw_wanted = session.is_throw_wanted, False
        self._wait_for_hands(session, now)
        if not is_wanted and (self._waiting is None or now < self._due_at):
            return []
        with suppress(CommandRefused):  # the view goes on showing that it is due
            return self.roll(session, now)
        return []

    def _wait_for_hands(self, session: Session, now: float) -> None:
        """Start the wait before a roll by itself once one is due, and anew after each hand move."""
        record = session.record
        is_due = is_roll_due(record) or open_fight(record) is not None
        if not self._rolls_itself or not is_due or session.view.away:
            self._waiting = None
        elif record is not self._waiting:
            self._waiting, self._due_at = record, now + BY_ITSELF_S

    def roll(self, session: Session, now: float) -> list[News]:
        """Roll for who begins, for the last ply, or for both sides of an open fight.

        Raises CommandRefused if none of these is due, or if the die has no seed.
        """
        record = session.record
        if record.unsettled is not None:
            return self._roll_opening(session, record.unsettled, now)
        event = dice_event(record, lambda occasion: self._numbers(record, occasion))
        return session.tell_dice(event, now)

    def _roll_opening(self, session: Session, matter: Matter, now: float) -> list[News]:
        """Roll for a matter before the first ply; CommandRefused if no roll is due."""
        record = session.record
        if not record.opening.is_roll_due:
            raise CommandRefused(_("nobody needs to roll for who begins"))
        face = self._numbers(record, occasion_of(matter))[0]
        return session.settle(record.opening.rolled(face, "table"), now)

    def _numbers(self, record: Record, occasion: str) -> tuple[int, ...]:
        """Return the die's faces on an occasion; CommandRefused if it has no secret seed."""
        if record.die is None:
            raise CommandRefused(
                _("the table has no die in this game: throw a real one, and enter it as in: roll 3")
            )
        return roll_numbers([self._seed(record.die)], record.die.added, occasion)

    def forget_revealed(self, entries: Iterable[Entry]) -> None:
        """Delete the seeds that `entries` reveal; they must be on the disk by now."""
        for entry in entries:
            if isinstance(entry.event, DieSeed):
                for seed in entry.event.seed.split(SEVERAL):
                    self._seeds.forget(commitment(bytes.fromhex(seed)))

    def _find(self, commit: str) -> bytes | None:
        """Return the seed behind a commitment; each is read from the disk once."""
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


@dataclass(frozen=True, slots=True)
class RecordedRoll:
    """A roll, or a throw in a fight, of a record: after ply `number`, which was `move`.

    `due` makes of the die's faces the roll that it must have been. Before the first ply the number
    is 0, and `move` is the matter that the roll settles.
    """

    number: int
    move: str
    roll: Roll | Throw
    due: Callable[[Faces], Roll | Throw]


@dataclass(frozen=True, slots=True)
class FairnessVerdict:
    """The verdict on a game's rolls: numbers of the table's and of people's, and the false ones.

    Beside each of the `bent` rolls is the true one, by the seed. `is_kept`: the seed is the one
    that the table had committed itself to.
    """

    is_kept: bool
    by_table: int
    by_hand: int
    bent: tuple[tuple[RecordedRoll, Roll | Throw], ...]

    @property
    def is_fair(self) -> bool:
        """True if the seed was kept and every roll of the table's die follows from it."""
        return self.is_kept and not self.bent


def judge(die: TableDie | None, rolls: Iterable[RecordedRoll]) -> FairnessVerdict:
    """Return the verdict on rolls by the seed of a game's die; TableError if it is not shown."""
    # Three things make a game fair: the seed was fixed before the first roll (its commitment), it
    # is shown in the end, and each roll follows from it and from the numbers that players added.
    if die is None:
        raise TableError(_("the table's die was not in this game: it has no DieCommit"))
    if die.seed is None:
        raise TableError(_("the die's seed is not shown before the game is over"))
    try:
        seeds = list(map(bytes.fromhex, die.seed.split(SEVERAL)))
    except ValueError:
        raise TableError(_("DieSeed {seed!r}: must be a seed in hex"), seed=die.seed) from None
    recorded = list(rolls)
    by_table = [each for each in recorded if not each.roll.by_hand]
    due = [each.due(partial(roll_numbers, seeds, die.added)) for each in by_table]
    bent = (pair for pair in zip(by_table, due, strict=True) if pair[0].roll != pair[1])
    is_kept = SEVERAL.join(map(commitment, seeds)) == die.commit.lower()
    return FairnessVerdict(is_kept, len(by_table), len(recorded) - len(by_table), tuple(bent))


def _one_face(occasion: str, dice: Faces) -> Roll:
    return Roll(dice(occasion)[0])


def _started(start: Position, dice: Faces) -> Roll:
    """Return the roll for the Juggernaut's first square; it may stand there already in `start`."""
    here = () if start.juggernaut is None else (start.juggernaut,)
    return rolled_start((*juggernaut_starts(start), *here), lambda on: dice(on)[0])


def opening_roll(settled: FirstMove | Bias) -> Iterator[RecordedRoll]:
    """Yield the roll that settled a matter before the first ply, if one did."""
    if settled.face is not None:
        matter: Matter = "first" if isinstance(settled, FirstMove) else "bias"
        roll = Roll(settled.face, by_hand=settled.by == "hand")
        yield RecordedRoll(0, matter, roll, partial(_one_face, occasion_of(matter)))


def rolls_of_tags(tags: Mapping[str, str]) -> Iterator[RecordedRoll]:
    """Yield the rolls for who begins and for the bias, from a game text's tags."""
    for read in (first_of_tags, bias_of_tags):
        settled = read(tags)
        if settled is not None:
            yield from opening_roll(settled)


def shown(roll: Roll | Throw) -> str:
    """Return a roll or a throw as game texts write it."""
    return format_throw(roll) if isinstance(roll, Throw) else format_roll(roll)


def rolls_of_game(game: Game, tags: Mapping[str, str]) -> Iterator[RecordedRoll]:
    """Yield the throws and rolls of a game text: of its beginning, and of every ply."""
    yield from rolls_of_tags(tags)
    if START_TAG in tags:
        yield RecordedRoll(
            0, START_MOVE, parse_roll(tags[START_TAG]), partial(_started, game.start)
        )
    for position, ply in zip(game.positions, game.plies, strict=False):
        number, move = position.ply_number, format_move(ply.move, position)
        for earlier, throw in enumerate(ply.duel.throws if ply.duel else ()):
            on = duel_occasion(position, ply.move, earlier)
            yield RecordedRoll(number, move, throw, partial(throw_on, on))
        for earlier, roll in enumerate(ply.rolls):
            yield RecordedRoll(
                number, move, roll, partial(roll_on, occasion(position, ply, earlier))
            )


def rolls_of_journal(header: Header, entries: Iterable[Entry]) -> Iterator[RecordedRoll]:
    """Yield the throws and rolls of a journal's game, also of plies that were taken back."""
    # A roll is named by the ply and the throws before it, so the game is replayed alongside.
    record = Record.begin(header)
    for entry in entries:
        match entry.event:
            case FirstMove() | Bias() as settled:
                yield from opening_roll(settled)
            case DuelReport(number=number, told=text) if record.fight and text not in (WON, LOST):
                throw, due = parse_throw(text), partial(throw_on, record.fight.occasion)
                yield RecordedRoll(number, record.moves[-1], throw, due)
            case DieRoll(roll=text) if not record.game.plies:
                yield RecordedRoll(
                    0, START_MOVE, parse_roll(text), partial(_started, record.position)
                )
            case DieRoll(after=number, roll=text):
                on = next_occasion(record.game)
                yield RecordedRoll(number, record.moves[-1], parse_roll(text), partial(roll_on, on))
        record = record.after(entry)


def die_of_tags(tags: Mapping[str, str]) -> TableDie | None:
    """Return the die of a game text's tags; None without a commitment."""
    if "DieCommit" not in tags:
        return None
    numbers = tags.get("DieNumbers", "")
    read = [whole_number(number) for number in numbers.split(",")] if numbers else []
    added = tuple(number for number in read if number is not None)
    if len(added) < len(read):
        raise TableError(_("DieNumbers {numbers!r}: must be numbers such as 17,4"), numbers=numbers)
    return TableDie(tags["DieCommit"], added, seed=tags.get("DieSeed"))


def chi_square(counts: Sequence[int]) -> float:
    """Return chi-square of counts of faces: about `FACES - 1` for a fair die."""
    even = sum(counts) / len(counts)
    return sum((count - even) ** 2 / even for count in counts)


def share_as_uneven(chi2: float) -> float:
    """Return the share, 0..1, of fair ten-sided dice that are as uneven as that, or more.

    It is the chi-square distribution with nine degrees of freedom, which has a closed form.
    """
    half = chi2 / 2
    root = sqrt(half)
    terms = (root ** (2 * n - 1) / gamma(n + 0.5) for n in range(1, FACES // 2))
    return erfc(root) + exp(-half) * sum(terms)
