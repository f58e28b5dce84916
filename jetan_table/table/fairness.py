"""Whether a die is fair: a game's rolls once more from its seed, and counts of many throws."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import erfc, exp, gamma, sqrt

from hardware.die import FACES, commitment, roll_numbers
from rules import Position, format_move
from rules.duel import Throw
from rules.game import Game
from rules.game_text import LOST, WON, format_roll, format_throw, parse_roll, parse_throw
from rules.juggernaut import Roll, juggernaut_starts
from rules.numbers import whole_number
from rules.sentences import _

from ..errors import TableError
from ..game.dice import SEVERAL, TableDie, duel_occasion
from ..game.events import Bias, DieRoll, DuelTold, Entry, FirstMove, Header
from ..game.record import Record
from ..game.rolling import START, Dice, next_occasion, occasion, roll_on, rolled_start, throw_on
from ..game.terms import Matter, occasion_of
from ..journal.game_files import START_TAG, bias_of_tags, first_of_tags


class NotCheckable(TableError, ValueError):
    """A record that does not tell what its die must have shown."""


@dataclass(frozen=True, slots=True)
class RecordedRoll:
    """A roll, or a throw in a fight, as a record tells it: after ply `number`, told as `move`.

    `due` tells from the die what it must have been. Before the first ply the number is 0, and
    `move` says what the roll settles.
    """

    number: int
    move: str
    roll: Roll | Throw
    due: Callable[[Dice], Roll | Throw]


@dataclass(frozen=True, slots=True)
class Bent:
    """A roll that the seed does not tell: it should have been `due`."""

    told: RecordedRoll
    due: Roll | Throw


@dataclass(frozen=True, slots=True)
class FairnessVerdict:
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


def judge(die: TableDie | None, rolls: Iterable[RecordedRoll]) -> FairnessVerdict:
    """Roll once more what a record tells; NotCheckable where it does not show the seed."""
    if die is None:
        raise NotCheckable(_("the table's die was not in this game: it has no DieCommit"))
    if die.seed is None:
        raise NotCheckable(_("the die's seed is not shown before the game is over"))
    try:
        seeds = list(map(bytes.fromhex, die.seed.split(SEVERAL)))
    except ValueError:
        raise NotCheckable(_("DieSeed {seed!r}: must be a seed in hex"), seed=die.seed) from None
    recorded = list(rolls)
    by_table = [each for each in recorded if not each.roll.by_hand]
    due = [each.due(partial(roll_numbers, seeds, die.added)) for each in by_table]
    bent = (Bent(*pair) for pair in zip(by_table, due, strict=True) if pair[0].roll != pair[1])
    is_kept = SEVERAL.join(map(commitment, seeds)) == die.commit.lower()
    return FairnessVerdict(is_kept, len(by_table), len(recorded) - len(by_table), tuple(bent))


def _one_face(occasion: str, dice: Dice) -> Roll:
    return Roll(dice(occasion)[0])


def _started(start: Position, dice: Dice) -> Roll:
    """Return what puts the Juggernaut on its first square; it may stand there in `start`."""
    here = () if start.juggernaut is None else (start.juggernaut,)
    return rolled_start((*juggernaut_starts(start), *here), lambda on: dice(on)[0])


def opening_roll(settled: FirstMove | Bias) -> Iterator[RecordedRoll]:
    """Yield the roll that settled something before the first ply, if one did."""
    if settled.face is not None:
        matter: Matter = "first" if isinstance(settled, FirstMove) else "bias"
        roll = Roll(settled.face, by_hand=settled.by == "hand")
        yield RecordedRoll(0, matter, roll, partial(_one_face, occasion_of(matter)))


def rolls_of_tags(tags: Mapping[str, str]) -> Iterator[RecordedRoll]:
    """Yield the rolls that a game text's tags tell of who begins, and of the bias."""
    for read in (first_of_tags, bias_of_tags):
        settled = read(tags)
        if settled is not None:
            yield from opening_roll(settled)


def shown(roll: Roll | Throw) -> str:
    """Return what was rolled or thrown, as a game text has it."""
    return format_throw(roll) if isinstance(roll, Throw) else format_roll(roll)


def rolls_of_game(game: Game, tags: Mapping[str, str]) -> Iterator[RecordedRoll]:
    """Yield the throws and rolls of a game text: of its beginning, and of every ply that stands."""
    yield from rolls_of_tags(tags)
    if START_TAG in tags:
        yield RecordedRoll(0, START, parse_roll(tags[START_TAG]), partial(_started, game.start))
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
    """Yield the throws and rolls a journal tells, those of plies that were taken back included."""
    record = Record.begin(header)
    for entry in entries:
        match entry.event:
            case FirstMove() | Bias() as settled:
                yield from opening_roll(settled)
            case DuelTold(number=number, told=text) if record.fight and text not in (WON, LOST):
                throw, due = parse_throw(text), partial(throw_on, record.fight.occasion)
                yield RecordedRoll(number, record.moves[-1], throw, due)
            case DieRoll(roll=text) if not record.game.plies:
                yield RecordedRoll(0, START, parse_roll(text), partial(_started, record.position))
            case DieRoll(after=number, roll=text):
                on = next_occasion(record.game)
                yield RecordedRoll(number, record.moves[-1], parse_roll(text), partial(roll_on, on))
        record = record.after(entry)


def die_of_tags(tags: Mapping[str, str]) -> TableDie | None:
    """Return the die that a game text's tags tell; None without a commitment."""
    if "DieCommit" not in tags:
        return None
    numbers = tags.get("DieNumbers", "")
    read = [whole_number(number) for number in numbers.split(",")] if numbers else []
    added = tuple(number for number in read if number is not None)
    if len(added) < len(read):
        raise NotCheckable(
            _("DieNumbers {numbers!r}: must be numbers such as 17,4"), numbers=numbers
        )
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
