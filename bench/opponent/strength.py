"""How strong the opponent is: matches against a plain player, another engine, and level by level.

`./jetan bench opponent --strength` plays them all, each of 100 games; names of pairings after it
(`cazaux/plain`, `jed/jedwar`, ...) play those alone, `--games` more or fewer, `--seed` other
openings, `--nodes` more or fewer positions a move against the plain player, `--jobs` so many games
at once. Another engine, an older one for example, is met as `cazaux/other`. With `--out` each game
is kept as it ends, and a match broken off goes on from there. Players are bounded by positions
searched, not by time, so a match can be repeated to the move on any machine. Points are the first
player's, with the interval of 95 %.
"""

import json as json_text
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from multiprocessing import Pool
from multiprocessing.pool import Pool as ProcessPool
from pathlib import Path
from typing import Final

import click

from bench.opponent.in_c import CompiledPlain
from jetan_table.engine.evaluation import Weights, fitted_weights
from jetan_table.engine.levels import FULL, LEVELS, Level
from jetan_table.engine.library import quick_library
from jetan_table.engine.process import COMMAND, EngineProcess, start_engine
from jetan_table.engine.search import Limits, Search, Thought
from jetan_table.extras.opponent.commands import result_line, tallied
from jetan_table.extras.opponent.match import (
    MatchFile,
    MatchGame,
    MatchPlayer,
    Player,
    Tally,
    play_match,
)
from rules import Game, Rules, format_move, parse_rules
from rules.text import GameText, format_game, parse_game

GAMES: Final = 100
FULL_NODES: Final = 150_000
"""So many for full strength at the head of the ladder; the levels below have their own bounds."""

NODES: Final = 60_000
"""So many against the plain player: about a hundredth of a second."""

PYTHON_NODES: Final = 2720
"""So many the search in Python meets in the time in which that in C meets 100,000."""

PLAIN_DEPTH: Final = 4
FILE_NAME: Final = str.maketrans("/ ", "--")


@dataclass(frozen=True, slots=True)
class Thinker:
    """The table's own player, in this process, in C where that can be built."""

    name: str
    level: Level
    nodes: int
    weights: Weights

    def play(self, game: Game) -> str:
        """Return its move as text."""
        return format_move(self.think(game).move, game.position)

    def think(self, game: Game) -> Thought:
        """Return the last thought of its search."""
        return Search(
            game.position,
            self.weights,
            lambda: 0.0,
            self.level.bounded(Limits(nodes=self.nodes)),
            earlier=game.positions[:-1],
            glimpse=partial(self.level.glimpse, seed=self.name),
            library=quick_library(os.environ),
            contempt=self.level.contempt,
        ).think()


@dataclass(frozen=True, slots=True)
class Other:
    """Another engine, started by a command, with so many positions a move."""

    command: str
    nodes: int
    name: str = "other"

    def play(self, game: Game) -> str:
        """Return its move as text."""
        engine = engine_of(self.command, game.start.rules)
        return MatchPlayer(engine, Limits(nodes=self.nodes)).play(game)


@cache
def engine_of(command: str, rules: Rules) -> EngineProcess:
    """Return an engine that runs as long as this process does."""
    return start_engine(f"{COMMAND}{command}", rules)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players who meet under some rules; `name` is how people ask for it."""

    name: str
    rules: str
    players: tuple[Player, Player]


def pairings(nodes: int, other: Other | None) -> Mapping[str, Pairing]:
    """Return the matches by name; full strength has `nodes` a move against the plain player."""
    fitted = fitted_weights()
    full = Thinker(FULL, LEVELS[FULL], nodes, fitted)
    met: list[Player] = [CompiledPlain("plain", PLAIN_DEPTH)]
    if other is not None:
        met.append(other)
    found = [
        Pairing(f"{rules}/{opponent.name}", rules, (full, opponent))
        for rules in ("cazaux", "appendix")
        for opponent in met
    ]
    ladder = [Thinker(name, level, FULL_NODES, fitted) for name, level in LEVELS.items()]
    found += [
        Pairing(f"{stronger.name}/{weaker.name}", "cazaux", (stronger, weaker))
        for weaker, stronger in pairwise(ladder)
    ]
    return {pairing.name: pairing for pairing in found}


def play(
    pairing: Pairing, games: int, seed: int = 1, folder: Path | None = None, jobs: int = 1
) -> Tally:
    """Play one match behind a progress bar, so many games at once; return what it showed.

    The games are kept in a file in `folder`, and a match broken off goes on from there.
    """
    first, second = pairing.players
    match = f"{pairing.name} seed {seed}"
    if isinstance(first, Thinker):
        match += f" nodes {first.nodes}"
    file = None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{match.translate(FILE_NAME)}.jgn"
        file = MatchFile(path, match, (first.name, second.name))
    with Pool(jobs, initializer=leave_interrupts_to_others) as pool:
        return tallied(pairing.name, games, file, partial(played_by, pool, pairing, seed))


def leave_interrupts_to_others() -> None:
    """Let Ctrl-C end a match in the process that began it, which then ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def played_by(
    pool: ProcessPool, pairing: Pairing, seed: int, numbers: range
) -> Iterator[MatchGame]:
    """Yield the games of those numbers, in order, from the processes that play them."""
    texts = pool.imap(partial(played_text, pairing, seed), numbers)
    for number, text in zip(numbers, texts, strict=True):
        yield MatchGame.numbered(parse_game(text).game, number)


def played_text(pairing: Pairing, seed: int, number: int) -> str:
    """Play one game; return it as text, which goes from process to process more lightly."""
    rules = parse_rules(pairing.rules)
    (played,) = play_match(pairing.players, rules, range(number, number + 1), seed)
    return format_game(GameText(played.game))


@click.command()
@click.argument("names", nargs=-1)
@click.option("--games", type=click.IntRange(2), default=GAMES)
@click.option("--seed", type=int, default=1)
@click.option(
    "--nodes", type=click.IntRange(1), default=NODES, help="A move against `plain`, `other`."
)
@click.option("--other", default="", metavar="COMMAND", help="An engine's, for `RULES/other`.")
@click.option(
    "--others", type=click.IntRange(1), default=PYTHON_NODES, help="Its positions a move."
)
@click.option("--jobs", type=click.IntRange(1), default=1, help="Games at once, one a core.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder to keep games in."
)
@click.option("--json", is_flag=True)
def strength(
    names: Sequence[str],
    games: int,
    seed: int,
    nodes: int,
    other: str,
    others: int,
    jobs: int,
    out: Path | None,
    json: bool,
) -> None:
    """Play the pairings that are named, or all, and print each as it ends."""
    known = pairings(nodes, Other(other, others) if other else None)
    for name in names:
        if name not in known:
            raise click.UsageError(f"{name}: no such pairing ({', '.join(known)})")
    for name in names or known:
        tally = play(known[name], games, seed, out, jobs)
        if json:
            counts = {"won": tally.wins, "drawn": tally.draws, "lost": tally.losses}
            points_of = {"points": tally.share, "error": tally.error, "pairs": tally.pairs}
            figures = {"pairing": name, "seed": seed, **counts, **points_of}
            print(json_text.dumps(figures), flush=True)
        else:
            print(f"{name:16} {result_line(tally)}", flush=True)


if __name__ == "__main__":
    strength()
