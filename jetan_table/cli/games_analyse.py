"""`jetan games analyse`: where a game turned, and what was better."""

from __future__ import annotations

import time
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from rules import Rules
from rules.game_text import GameText

from ..errors import TableError
from ..game_files import read_games
from ..opponent.analysis import Verdict
from ..opponent.analysis import analyse as verdicts_on
from ..opponent.plot import in_words, plot
from ..opponent.search import Limits
from ..opponent.weights import fitted_weights
from ..why_words import why_in_words
from . import examples


class NoSuchGameInFile(TableError, LookupError):
    """A file of games has fewer than was asked for."""


@click.command(
    epilog=examples(
        "jetan games analyse mine.jgn",
        "jetan games analyse mine.jgn --plot mine.svg --nodes 50000",
        "jetan games analyse match.jgn --number 3 --json",
    )
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--number", type=click.IntRange(1), default=1, help="Which game of the file.")
@click.option("--nodes", type=click.IntRange(1), default=5000, show_default=True)
@click.option("--plot", "picture", type=click.Path(path_type=Path, dir_okay=False), help="SVG.")
@click.option("--json", "as_json", is_flag=True, help="One JSON text a ply.")
def analyse(file: Path, number: int, nodes: int, picture: Path | None, as_json: bool) -> None:
    """Tell where a game in FILE turned, and what was better.

    Marks are for winning chances given away: ?! a little (8 %), ? much (15 %), ?? very much (30 %).
    """
    game = _game(file, number)
    found = verdicts_on(game.game, fitted_weights(), time.perf_counter, Limits(nodes=nodes))
    console, plies = Console(stderr=True), len(game.game.plies)
    verdicts = list(track(found, "Thinking", total=plies, console=console, transient=True))
    if picture is not None:
        names = [game.tags.get(side, "?") for side in ("Black", "Orange")]
        picture.write_text(plot(verdicts, " - ".join(names)), encoding="utf-8")
    rules = game.game.start.rules
    if as_json:
        for verdict in verdicts:
            print(msgspec.json.encode(_row(verdict, rules)).decode())
        return
    Console().print(_table(verdicts, rules))
    print(in_words(verdicts))


def _game(file: Path, number: int) -> GameText:
    games = read_games(file)
    if number > len(games):
        raise NoSuchGameInFile(f"{file}: has {len(games)} games, there is no number {number}")
    return games[number - 1]


def _row(verdict: Verdict, rules: Rules) -> dict[str, object]:
    row: dict[str, object] = msgspec.to_builtins(verdict)
    del row["points"]
    mark = verdict.mark.value if verdict.mark else None
    why = why_in_words(verdict.points, rules, "en")
    return {**row, "side": verdict.side.word, "mark": mark, "why": why}


def _table(verdicts: list[Verdict], rules: Rules) -> Table:
    table = Table("Ply", "Played", "", "Black's chances", "Better")
    for verdict in verdicts:
        mark = verdict.mark.value if verdict.mark else ""
        why = why_in_words(verdict.points, rules, "en")
        better = f"{' '.join(verdict.line)}\n{why}".strip() if mark else ""
        table.add_row(str(verdict.number), verdict.played, mark, f"{verdict.chance:.0%}", better)
    return table
