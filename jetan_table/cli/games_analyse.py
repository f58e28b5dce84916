"""`jetan games analyse`: where a game turned, and what was better."""

from __future__ import annotations

import os
import time
from itertools import groupby
from pathlib import Path
from statistics import mean
from typing import TextIO

import click
import msgspec
from rich.console import Console, Group
from rich.padding import Padding
from rich.progress import track
from rich.table import Table

from rules import Rules, Side
from rules.game_text import GameText

from ..engine.library import quick_library
from ..engine.search import Limits
from ..engine.weights import fitted_weights
from ..errors import TableError
from ..journal.game_files import read_games
from ..opponent.analysis import PlyMark, PlyVerdict
from ..opponent.analysis import analyse as verdicts_on
from ..opponent.plot import plot
from ..words.why_words import why_in_words
from . import examples
from .options import print_json


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
@click.option("--plot", "picture", type=click.File("w", "utf-8", lazy=False), help="SVG.")
@click.option("--json", "as_json", is_flag=True, help="One JSON text a ply.")
def analyse(file: Path, number: int, nodes: int, picture: TextIO | None, as_json: bool) -> None:
    """Tell where a game in FILE turned, and what was better.

    Marks are for winning chances given away: ?! a little (8 %), ? much (15 %), ?? very much (30 %).
    """
    game = _game(file, number)
    limits, library = Limits(nodes=nodes), quick_library(os.environ)
    found = verdicts_on(game.game, fitted_weights(), time.perf_counter, limits, library)
    console, plies = Console(stderr=True), len(game.game.plies)
    verdicts = list(track(found, "Thinking", total=plies, console=console, transient=True))
    if picture is not None:
        names = [game.tags.get(side, "?") for side in ("Black", "Orange")]
        picture.write(plot(verdicts, " - ".join(names)))
    rules = game.game.start.rules
    if as_json:
        for verdict in verdicts:
            print_json(_row(verdict, rules))
        return
    shown = Console()
    shown.print(_score_sheet(verdicts))
    for verdict in verdicts:
        if verdict.mark is not None:
            shown.print(_turning_point(verdict, verdict.mark, rules))
    shown.print(_summary(verdicts), highlight=False)


def _game(file: Path, number: int) -> GameText:
    games = read_games(file)
    if number > len(games):
        raise NoSuchGameInFile(f"{file}: has {len(games)} games, there is no number {number}")
    return games[number - 1]


def _row(verdict: PlyVerdict, rules: Rules) -> dict[str, object]:
    row: dict[str, object] = msgspec.to_builtins(verdict)
    del row["points"]
    mark = verdict.mark.value if verdict.mark else None
    why = why_in_words(verdict.points, rules, "en")
    return {**row, "side": verdict.side.word, "mark": mark, "why": why}


def _score_sheet(verdicts: list[PlyVerdict]) -> Table:
    """Return the moves, a row each, with Black's chances after each ply."""
    table = Table("Move", "Black", "", "Orange", "", title="Black's chances, ply by ply")
    for number, plies in groupby(verdicts, key=lambda verdict: (verdict.number + 1) // 2):
        columns = {verdict.side: _ply_and_chance(verdict) for verdict in plies}
        black, orange = (columns.get(side, ("", "")) for side in Side)
        table.add_row(str(number), *black, *orange)
    return table


def _ply_and_chance(verdict: PlyVerdict) -> tuple[str, str]:
    mark = f" {verdict.mark.value}" if verdict.mark else ""
    return f"{verdict.played}{mark}", f"{verdict.chance:.0%}"


def _turning_point(verdict: PlyVerdict, mark: PlyMark, rules: Rules) -> Group:
    """Return what a ply cost, what was better and why, and what it allows."""
    chances = f"Black's chances {verdict.chance_before:.0%} -> {verdict.chance:.0%}"
    table = Table.grid(padding=(0, 2))
    table.add_row("better", " ".join(verdict.line))
    for label, words in (
        ("", why_in_words(verdict.points, rules, "en")),
        ("allows", " ".join(verdict.reply)),
    ):
        if words:
            table.add_row(label, words)
    heading = f"[bold]{verdict.numbered} {mark.value}[/bold]  {chances}"
    return Group(heading, Padding(table, (0, 0, 0, 3)))


def _summary(verdicts: list[PlyVerdict]) -> str:
    """Return how much both sides gave away in the mean."""
    losses = {side: [v.loss for v in verdicts if v.side is side] or [0.0] for side in Side}
    black, orange = (f"{side.word.title()} {mean(losses[side]):.1%}" for side in Side)
    return f"Given away by each ply in the mean: {black}, {orange}."
