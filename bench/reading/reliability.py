"""Whether the reader is as sure as it says: `python -m bench.reading.reliability`.

Simulated games, whose truth is known: by themselves two of 60 plies of each of six kinds of people,
seeds from 9300001 on; the environment chooses others (`choice.py`). The first table is a
reliability diagram: of the plies told with about the same chance, how many were right, and how many
of the others the reader took back itself, for hands had put a piece down and went on. The second
says what it costs to be surer: by how much a ply must outweigh all else to be told (`MARGIN`), and
how many are told wrongly, asked about or never told then. JETAN_BENCH_MARGINS=1.5,2.5,4 chooses
others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import exp
from typing import NamedTuple

from bench._figures import print_table
from jetan_table.game.events import Ply, Question, TakeBack
from jetan_table.people.truth import Happened, ReadingVerdict, happened, landed, score
from jetan_table.reading.costs import PRICES, Charge
from jetan_table.reading.readings import Reading, Standing
from jetan_table.replay.recordings import Recording
from jetan_table.replay.replay import Replay, advance, replay_of_recording
from rules import format_square

from . import per_thousand
from .choice import chosen, played

BOUNDS = (0.0, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
"""Chances, between which plies are counted together."""

SOON_S = 60.0
"""A ply that is told this long after its landing is none of that landing."""

EARLY_S = 0.5
"""Nothing is told earlier than so long before its landing; truth and scan differ by less."""


class Told(NamedTuple):
    """One ply that was told: how sure the reader was, and whether it had been played."""

    chance: float
    is_right: bool
    is_amended: bool
    """Whether the reader took it back itself, where it was not right."""


Game = tuple[str, Recording, Happened]


def main() -> None:
    """Play, read and print."""
    games = [
        (name, game.recording, happened(game.truth))
        for name, game in played(games=2, plies=60, first=9300001)
    ]
    report(games, [float(each) for each in chosen("MARGINS", "1,2.5,4").split(",")])


def report(games: Sequence[Game], margins: Iterable[float]) -> None:
    """Read all games and print the diagram, and the curve over the margins."""
    columns = ("says", "plies", "says, mean", "is right", "amended", "wrong")
    print_table(f"{len(games)} games", columns, diagram(outcome(games)[0]))
    usual, rows = PRICES.MARGIN, []
    for margin in margins:
        object.__setattr__(PRICES, "MARGIN", Charge(margin, "MARGIN"))  # it is frozen for others
        _, verdicts, questions = outcome(games)
        shares = per_thousand(verdicts, tuple(ReadingVerdict)).values()
        odds = f"{exp(margin):.0f} to 1"
        rows.append((odds, f"{margin:.1f}", str(questions), *(f"{each:.1f}" for each in shares)))
    object.__setattr__(PRICES, "MARGIN", usual)
    headings = ("margin", "nats", "questions", *(verdict.value for verdict in ReadingVerdict))
    print_table("per thousand plies", headings, rows)


def diagram(found: Iterable[Told]) -> Iterator[tuple[str, ...]]:
    """Yield by how sure the reader was: how many plies it told so, and what became of them."""
    plies = list(found)
    for least, most in pairwise(BOUNDS):
        some = [each for each in plies if least <= each.chance < most]
        if some:
            mean = sum(each.chance for each in some) / len(some)
            right = sum(each.is_right for each in some)
            amended = sum(each.is_amended for each in some)
            counts = str(amended), str(len(some) - right - amended)
            says = f"{least:.1%} to {most:.1%}", str(len(some)), f"{mean:.2%}"
            yield (*says, f"{right / len(some):.2%}", *counts)


def outcome(games: Iterable[Game]) -> tuple[list[Told], Counter[ReadingVerdict], int]:
    """Let the reader read some games; return the plies told, their verdicts, and the questions."""
    plies, verdicts, questions = list[Told](), Counter[ReadingVerdict](), 0
    for name, recording, truth in games:
        replay = replay_of_recording(recording, name)
        readings = list(advance(replay.source, Replay.reader(replay), replay.ends_at))
        verdicts.update(line.verdict for line in score(truth, readings) if line.sort == "ply")
        questions += sum(isinstance(reading.event, Question) for reading in readings)
        plies += of_plies(truth, readings)
    return plies, verdicts, questions


def of_plies(truth: Happened, readings: Sequence[Reading[Standing]]) -> Iterator[Told]:
    """Yield for every ply told whether it had been played by then, be it taken back later."""
    landings = [((row.from_, row.to), landed(row)) for row in truth.plies]
    for index, reading in enumerate(readings):
        if reading.step is None or reading.evidence is None or not isinstance(reading.event, Ply):
            continue
        start, end = map(format_square, reading.step.squares)
        is_right = any(
            squares == (start, end) and at - EARLY_S < reading.at < at + SOON_S
            for squares, at in landings
        )
        is_undone = any(
            isinstance(later.event, TakeBack) and later.event.number == reading.event.number
            for later in readings[index:]
        )
        chance = 1.0 / (1.0 + exp(-reading.evidence.margin))
        yield Told(chance, is_right, is_undone and not is_right)


if __name__ == "__main__":
    main()
