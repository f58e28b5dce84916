"""`jetan die`: check the rolls of a game against their seed, and the die itself."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated

from hardware.die import FACES, SEED_BYTES, throw
from rules.sentences import _

from ..game.events import GameId
from ..game.record import Record
from ..game.rolling import START
from ..journal.archive import Archive
from ..journal.game_files import read_games
from ..table.dice import (
    FairnessVerdict,
    chi_square,
    die_of_tags,
    judge,
    rolls_of_game,
    rolls_of_journal,
    share_as_uneven,
    shown,
)
from ..terminal.text import progress
from .options import EXIT_AMISS, Data, Json, Say, Words, command, group, misused, option, print_json

UNFAIR_BELOW = 1e-6
"""A fair die is called loaded once in a million tests."""

BATCH = 10_000

SETTLED = {"first": _("who begins"), "bias": _("the bias"), START: _("the Juggernaut's start")}
"""What a roll before play settles, in words."""


@group("jetan die verify 3", "jetan die verify mine.jgn", "jetan die test --rolls 5000")
def die() -> None:
    """Check the rolls of a game against their seed, or count many throws."""


@command("jetan die verify 3", "jetan die verify mine.jgn --json", of=die)
def verify(game: str, data: Data, say: Words, as_json: Json) -> int:
    """Check the rolls of GAME against the seed they came from.

    GAME is a number of the journal, or a file of game texts. The seed must be the one whose hash
    stood in the record before the first roll, and every roll of the table's die must follow from
    it. Ends with exit code 1 where one does not.
    """
    is_fair = True
    for name, verdict in _verdicts(game, data, say):
        is_fair &= verdict.is_fair
        if as_json:
            print_json({"game": name, **_summary(verdict)})
        else:
            print("\n".join(_lines(name, verdict, say)))
    return 0 if is_fair else EXIT_AMISS


@command("jetan die test", "jetan die test --rolls 5000 --seed 00ff --json", of=die)
def test(
    rolls: Annotated[int, option(within=(100, 100_000_000), default=1_000_000)],
    seed: Annotated[str | None, "Throw by this seed, in hex, and not by a new one."],
    say: Words,
    as_json: Json,
) -> int:
    """Throw the die many times, and count its faces.

    Chi-square says how uneven the counts are. Ends with exit code 1 where a fair die would be as
    uneven in less than one of a million tests.
    """
    chosen = _seed(seed)
    counts = [0] * FACES
    starts = range(0, rolls, BATCH)
    for start in progress(starts, say(_("Throwing")), is_hidden=as_json):
        for number in range(start, min(start + BATCH, rolls)):
            counts[throw(chosen, f"test:{number}") - 1] += 1
    uneven = chi_square(counts)
    share = share_as_uneven(uneven)
    if as_json:
        print_json({"seed": chosen.hex(), "counts": counts, "chi_square": uneven, "share": share})
    else:
        for face, count in enumerate(counts, 1):
            of_share = say(_("{part:7.2%} of its share"), part=count * FACES / rolls)
            print(f"{face:2} {count:9}  {of_share}")
        outcome = _("chi-square {uneven:.2f}; a fair die is as uneven in {share:.2%} of such tests")
        print(say(outcome, uneven=uneven, share=share))
    return 0 if share >= UNFAIR_BELOW else EXIT_AMISS


def _seed(text: str | None) -> bytes:
    if text is None:
        return os.urandom(SEED_BYTES)
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise misused(_("--seed {seed}: must be bytes in hex, such as 00ff"), seed=text) from None


def _verdicts(game: str, data: Path, say: Say) -> Iterator[tuple[str, FairnessVerdict]]:
    """Yield each game by its name, with what is to be said of its rolls."""
    if not game.isdecimal():
        texts = read_games(Path(game))
        for number, text in enumerate(texts, 1):
            several = _("{file}, game {number}")
            name = game if len(texts) == 1 else say(several, file=game, number=number)
            yield name, judge(die_of_tags(text.tags), rolls_of_game(text.game, text.tags))
        return
    with closing(Archive.open(data)) as archive:
        header, entries = archive.header(GameId(int(game))), archive.entries(GameId(int(game)))
    record = Record.read(header, entries)
    yield say(_("game {game}"), game=game), judge(record.die, rolls_of_journal(header, entries))


def _lines(name: str, verdict: FairnessVerdict, say: Say) -> list[str]:
    seed = (
        _("{name}: the seed is the one that the table had committed itself to.")
        if verdict.is_kept
        else _("{name}: the seed is NOT the one that the table had committed itself to.")
    )
    lines = [say(seed, name=name)]
    lines += [
        say(
            _("after move {number} {move}: the record tells {told}, the seed {due}")
            if roll.number
            else _("before play, {move}: the record tells {told}, the seed {due}"),
            number=roll.number,
            move=SETTLED.get(roll.move, roll.move),
            told=shown(roll.roll),
            due=shown(due),
        )
        for roll, due in verdict.bent
    ]
    as_due, rolls = verdict.by_table - len(verdict.bent), verdict.by_table
    followed = _("{as_due} of {rolls} rolls by the table are as the seed tells.")
    lines.append(say(followed, as_due=as_due, rolls=rolls))
    if verdict.by_hand:
        lines.append(say(_("By hand, so not the table's: {by_hand}."), by_hand=verdict.by_hand))
    return lines


def _summary(verdict: FairnessVerdict) -> dict[str, object]:
    return {
        "fair": verdict.is_fair,
        "seed_kept": verdict.is_kept,
        "by_table": verdict.by_table,
        "by_hand": verdict.by_hand,
        "bent": [
            {"ply": roll.number, "move": roll.move, "told": shown(roll.roll), "due": shown(due)}
            for roll, due in verdict.bent
        ],
    }
