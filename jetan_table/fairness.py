"""Whether a die is fair: a game's rolls once more from its seed, and counts of many throws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import erfc, exp, gamma, sqrt

from hardware.die import FACES, commitment, roll_numbers
from rules import format_move
from rules.duel import Throw
from rules.game import Game
from rules.game_text import LOST, WON, format_roll, format_throw, parse_roll, parse_throw
from rules.juggernaut import Roll

from .errors import TableError
from .evening.duels import duel_occasion
from .evening.opening import Matter, occasion_of
from .evening.opening_text import bias_of_tags, first_of_tags
from .events import Bias, DieRoll, DuelTold, Entry, FirstMove, Header
from .parts_told import TableDie
from .record import Record
from .rolling import next_occasion, occasion


class NotCheckable(TableError, ValueError):
    """A record that does not tell what its die must have shown."""


@dataclass(frozen=True, slots=True)
class Told:
    """A roll, or a throw in a fight, as a record tells it: after ply `number`, told as `move`.

    Before the first ply the number is 0 and `move` says what the roll settles: only its face does.
    """

    number: int
    move: str
    occasion: str
    roll: Roll | Throw


@dataclass(frozen=True, slots=True)
class Bent:
    """A roll that the seed does not tell: it should have been `due`."""

    told: Told
    due: Roll | Throw


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many rolls of a game people told (`by_hand`) and the die, and which of these are bent.

    `is_kept`: whether the seed is the one the table had committed itself to.
    """

    is_kept: bool
    by_table: int
    by_hand: int
    bent: tuple[Bent, ...]

    @property
    def is_fair(self) -> bool:
        """Whether every roll of the table's die is as its seed tells."""
        return self.is_kept and not self.bent


def judge(die: TableDie | None, rolls: Iterable[Told]) -> Verdict:
    """Roll once more what a record tells; NotCheckable where it does not show the seed."""
    if die is None:
        raise NotCheckable("the table's die was not in this game: it has no DieCommit")
    if die.seed is None:
        raise NotCheckable("the die's seed is not shown before the game is over")
    try:
        seed = bytes.fromhex(die.seed)
    except ValueError:
        raise NotCheckable(f"DieSeed {die.seed!r}: must be a seed in hex") from None
    told = list(rolls)
    by_table = [roll for roll in told if not roll.roll.by_hand]
    due = [_due(seed, die.added, told) for told in by_table]
    bent = (Bent(*pair) for pair in zip(by_table, due, strict=True) if pair[0].roll != pair[1])
    is_kept = commitment(seed) == die.commit.lower()
    return Verdict(is_kept, len(by_table), len(told) - len(by_table), tuple(bent))


def _due(seed: bytes, added: Sequence[int], told: Told) -> Roll | Throw:
    """Return what the die must have shown."""
    if isinstance(told.roll, Throw):
        attack, *_ = roll_numbers(seed, added, f"{told.occasion} attack")
        defence, *_ = roll_numbers(seed, added, f"{told.occasion} defence")
        return Throw(attack, defence)
    face, *teleport = roll_numbers(seed, added, told.occasion)
    file, rank = teleport or (None, None)
    return Roll(face, file, rank) if told.number else Roll(face)


def opening_roll(settled: FirstMove | Bias) -> Iterator[Told]:
    """Yield the roll that settled something before the first ply, if one did."""
    if settled.face is not None:
        matter: Matter = "first" if isinstance(settled, FirstMove) else "bias"
        roll = Roll(settled.face, by_hand=settled.by == "hand")
        yield Told(0, matter, occasion_of(matter), roll)


def rolls_of_tags(tags: Mapping[str, str]) -> Iterator[Told]:
    """Yield the rolls before the first ply that a game text's tags tell."""
    for read in (first_of_tags, bias_of_tags):
        settled = read(tags)
        if settled is not None:
            yield from opening_roll(settled)


def shown(roll: Roll | Throw) -> str:
    """Return what was rolled or thrown, as a game text has it."""
    return format_throw(roll) if isinstance(roll, Throw) else format_roll(roll)


def rolls_of_game(game: Game) -> Iterator[Told]:
    """Yield the throws and rolls of a game text: of every ply that stands."""
    for position, ply in zip(game.positions, game.plies, strict=False):
        number, move = position.ply_number, format_move(ply.move, position)
        for earlier, throw in enumerate(ply.duel.throws if ply.duel else ()):
            yield Told(number, move, duel_occasion(position, ply.move, earlier), throw)
        for earlier, roll in enumerate(ply.rolls):
            yield Told(number, move, occasion(position, ply, earlier), roll)


def rolls_of_journal(header: Header, entries: Iterable[Entry]) -> Iterator[Told]:
    """Yield the throws and rolls a journal tells, those of plies that were taken back included."""
    record = Record.begin(header)
    for entry in entries:
        if isinstance(entry.event, FirstMove | Bias):
            yield from opening_roll(entry.event)
        elif isinstance(entry.event, DuelTold) and record.fight is not None:
            if entry.event.told not in (WON, LOST):
                throw = parse_throw(entry.event.told)
                yield Told(record.last_told, record.moves[-1], record.fight.occasion, throw)
        elif isinstance(entry.event, DieRoll):
            roll = parse_roll(entry.event.roll)
            yield Told(record.last_number, record.moves[-1], next_occasion(record.game), roll)
        record = record.after(entry)


def die_of_tags(tags: Mapping[str, str]) -> TableDie | None:
    """Return the die that a game text's tags tell; None without a commitment."""
    if "DieCommit" not in tags:
        return None
    told = tags.get("DieNumbers", "")
    try:
        added = tuple(int(number) for number in told.split(",")) if told else ()
    except ValueError:
        raise NotCheckable(f"DieNumbers {told!r}: must be numbers such as 17,4") from None
    return TableDie(tags["DieCommit"], added, seed=tags.get("DieSeed"))


def chi_square(counts: Sequence[int]) -> float:
    """Return how far counts of faces are from even: about `FACES - 1` for a fair die."""
    even = sum(counts) / len(counts)
    return sum((count - even) ** 2 / even for count in counts)


def share_as_uneven(chi2: float) -> float:
    """Return how often a fair ten-sided die is as uneven as that, or more: 0..1.

    The chi-square distribution with nine degrees of freedom, which has a closed form.
    """
    half = chi2 / 2
    root = sqrt(half)
    terms = (root ** (2 * n - 1) / gamma(n + 0.5) for n in range(1, FACES // 2))
    return erfc(root) + exp(-half) * sum(terms)
