"""HANDS: how often boards' readers read right, wrong, asked or never what hands did, and how late.

Every reader is given the same kept games of Jetan and of chess on boards of switches, or the same
painted games of Jetan before a camera. `--reader 'COMMAND'` lets a program enter that speaks the
lines of docs/hands.md; with `--write` that page, its plot and its data are written anew. `--game
TEXT` reads only games whose names begin so; `chess`, `jetan` and `camera` may be written alone.
"""

from __future__ import annotations

import json as json_text
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Final, TypeAlias

from bench._figures import print_table
from bench.reading import Tally, plies_of
from bench.reading.plain_readers import FirstLandingReader, SnapshotReader
from jetan_table.files import find_checkout
from jetan_table.game.events import Fault
from jetan_table.people.truth import ReadingVerdict, score
from jetan_table.reading.readings import JetanGame
from jetan_table.replay.replay import ArchivedSensor, Replay

from .archive import SHA256, Case, cases
from .cameras import SCENES, CameraAtTable, Filmed, filmed_games
from .entry import Entry

Opening: TypeAlias = "Callable[[Any], AbstractContextManager[Any]]"
"""Opens a reader for a game, as long as the block goes on."""


def _entering(command: str) -> Opening:
    return lambda case: Entry(command, case.name, case.game, case.start, *case.known)


def _beside(name: str) -> str:
    return shlex.join((sys.executable, str(Path(__file__).with_name(name))))


SIMPLE: Final = _beside("simple.py")
READERS: Final[Mapping[str, Opening]] = {
    "jetan": lambda case: nullcontext(
        Replay(case.name, case.start.position, ArchivedSensor(case.shown), case.ends_at).reader()
    ),
    "snapshot": lambda case: nullcontext(SnapshotReader(case.game, case.start, case.number)),
    "first-landing": lambda case: nullcontext(
        FirstLandingReader(case.game, case.start, case.number)
    ),
    "simple.py": _entering(SIMPLE),
}
"""Jetan Table's own, two that anyone would write first, and the example of the protocol."""

LOOKERS: Final[Mapping[str, Opening]] = {
    "jetan": lambda case: nullcontext(CameraAtTable(case)),
    "difference.py": _entering(_beside("difference.py")),
}
"""Before a camera: Jetan Table's own, and what simple board cameras do."""

GAMES: Final = ("chess", "jetan", "camera")
ONLY_JETAN: Final = {"jetan"}
SHOWN: Final = (
    ReadingVerdict.RIGHT,
    ReadingVerdict.ASKED,
    ReadingVerdict.WRONG,
    ReadingVerdict.NEVER,
)
Results: TypeAlias = "dict[str, dict[str, Tally]]"
"""By kind of game, then by reader."""


def main(json: bool, arguments: Sequence[str] = ()) -> None:
    """Let every reader read every game, and print or write what came of it."""
    parser = ArgumentParser(prog="jetan bench hands", description=__doc__)
    parser.add_argument("--reader", action="append", default=[], metavar="COMMAND")
    parser.add_argument("--game", default="", metavar="TEXT")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(list(arguments))
    if asked.write and asked.game not in ("", *GAMES):
        parser.error(f"--write wants a whole game, which is {', '.join(GAMES)}")
    entering = {command: _entering(command) for command in asked.reader}
    chosen = [case for case in cases() if case.name.startswith(asked.game)]
    results = measure(chosen, {**READERS, **entering})
    results |= measure(filmed_games(asked.game), {**LOOKERS, **entering})
    if not results:
        parser.error(f"{asked.game}: no game's name begins so")
    if asked.write:
        from .page import write  # the pages' tools

        write(find_checkout() / "docs", document(results), asked.game)
    elif json:
        print(json_text.dumps(document(results)))
    else:
        for game in sorted({kind.partition("-")[0] for kind in results}):
            heading = ("reader", "plies", "right", "asked", "wrong", "never", "untrue", "s", "99 %")
            print_table(f"{game}: per hundred plies", heading, list(rows(results, game)))


def measure(chosen: Iterable[Case | Filmed], readers: Mapping[str, Opening]) -> Results:
    """Return what each reader has made of each kind of game."""
    results: Results = {}
    for case in chosen:
        for name, opening in readers.items():
            if name in ONLY_JETAN and not isinstance(case.game, JetanGame):
                continue
            with opening(case) as reader:
                readings = case.read_by(reader)
            tally = results.setdefault(case.kind, {}).setdefault(name, Tally())
            named = sum(isinstance(each.event, Fault) for each in readings)
            tally.add(score(case.truth, readings), named)
    return results


def together(results: Results, game: str) -> dict[str, Tally]:
    """Return what each reader has made of all games of Jetan, of chess, or before a camera."""
    all_of: dict[str, Tally] = {}
    for kind, tallies in results.items():
        if kind.startswith(game):
            for name, tally in tallies.items():
                whole = all_of.setdefault(name, Tally())
                whole.verdicts += tally.verdicts
                whole.delays += tally.delays
                whole.games += tally.games
                whole.clean += tally.clean
    return all_of


def rows(results: Results, game: str) -> Iterator[tuple[str, ...]]:
    """Yield each reader's row: plies, shares in per cent, and the delay's median and tail."""
    for name, tally in together(results, game).items():
        shares = [f"{share:.1f}" for share in shares_of(tally).values()]
        delays = [f"{max(delay, 0.0):.2f}" for delay in tally.delay_s]
        yield (name, str(plies_of(tally.verdicts)), *shares, *delays)


def shares_of(tally: Tally) -> dict[str, float]:
    """Return the shares of plies in per cent; `untrue` is what was told and never happened."""
    plies, counted = max(plies_of(tally.verdicts), 1), tally.verdicts
    shares = {verdict.value: 100 * counted[verdict] / plies for verdict in SHOWN}
    return {**shares, "untrue": 100 * counted[ReadingVerdict.EXTRA] / plies}


def document(results: Results) -> dict[str, Any]:
    """Return the results as data: by game, then by kind of game, then by reader."""
    return {
        "benchmark": "HANDS 1",
        "sha256": SHA256,
        "scenes": SCENES,
        "kinds": {
            kind: {
                name: {
                    "plies": plies_of(tally.verdicts),
                    **{key: round(share, 2) for key, share in shares_of(tally).items()},
                    "games": tally.games,
                    "clean": tally.clean,
                    "delay_median_s": round(tally.delay_s[0], 3),
                    "delay_p99_s": round(tally.delay_s[1], 3),
                }
                for name, tally in tallies.items()
            }
            for kind, tallies in results.items()
        },
        "all": {
            game: {row[0]: list(row[1:]) for row in rows(results, game)}
            for game in sorted({kind.partition("-")[0] for kind in results})
        },
    }
