"""`jetan games analyse`: where a game turned, and what was better."""

from __future__ import annotations

import os
import time
from contextlib import closing
from itertools import groupby
from pathlib import Path
from statistics import mean
from typing import TextIO

import click
from rich.console import Console, Group
from rich.padding import Padding
from rich.progress import track
from rich.table import Table

from rules import Rules, Side
from rules.game_reader import parse_games
from rules.game_text import GameText
from rules.sentences import _, in_words

from ..engine.library import quick_library
from ..engine.search import Limits
from ..engine.weights import fitted_weights
from ..errors import TableError
from ..game.record import Record
from ..journal.archive import Archive, GameId
from ..journal.game_files import game_text, read_games
from ..languages import Language, say_in, translation
from ..opponent.analysis import PlyMark, PlyVerdict
from ..opponent.analysis import analyse as verdicts_on
from ..opponent.explained import explained, row_of
from ..opponent.plot import plot
from ..settings import data_folder
from . import examples
from .options import DATA, LANGUAGE, print_json, spoken


class NoSuchGameInFile(TableError, LookupError):
    """A file of games has fewer than was asked for."""


@click.command(
    epilog=examples(
        "jetan games analyse 1",
        "jetan games analyse mine.jgn",
        "jetan games analyse mine.jgn --plot mine.svg --nodes 50000",
        "jetan games analyse match.jgn --number 3 --json",
    )
)
@click.argument("game", metavar="GAME")
@click.option("--number", type=click.IntRange(1), default=1, help="Which game of a file.")
@click.option("--nodes", type=click.IntRange(1), default=5000, show_default=True)
@click.option("--plot", "picture", type=click.File("w", "utf-8", lazy=False), help="SVG.")
@DATA
@LANGUAGE
@click.option("--json", "as_json", is_flag=True, help="One JSON text a move.")
def analyse(
    game: str,
    number: int,
    nodes: int,
    picture: TextIO | None,
    data: Path | None,
    lang: Language | None,
    as_json: bool,
) -> None:
    """Tell where GAME turned, and what was better.

    GAME is the number of a game that was kept, or a file of game text.

    Marks are for winning chances given away: ?! a little (8 %), ? much (15 %), ?? very much (30 %).
    """
    language = spoken(lang)
    text = _kept(int(game), data) if game.isdecimal() else _game(Path(game), number)
    limits, library = Limits(nodes=nodes), quick_library(os.environ)
    found = verdicts_on(text.game, fitted_weights(), time.perf_counter, limits, library)
    console, plies = Console(stderr=True), len(text.game.plies)
    verdicts = list(
        track(found, say_in(language, _("Thinking")), total=plies, console=console, transient=True)
    )
    if picture is not None:
        names = [text.tags.get(side, "?") for side in ("Black", "Orange")]
        picture.write(plot(verdicts, " - ".join(names), translation(language)))
    rules = text.game.start.rules
    if as_json:
        for verdict in verdicts:
            print_json(row_of(verdict, rules, language))
        return
    shown = Console()
    shown.print(_score_sheet(verdicts, language))
    for verdict in verdicts:
        if verdict.mark is not None:
            shown.print(_turning_point(verdict, verdict.mark, rules, language))
    shown.print(_summary(verdicts, language), highlight=False)


def _kept(game: int, data: Path | None) -> GameText:
    """Return a kept game as its text has it."""
    with closing(Archive.open(data_folder(data, os.environ))) as archive:
        number = GameId(game)
        record = Record.read(archive.header(number), archive.entries(number))
    return parse_games(game_text(record))[0]


def _game(file: Path, number: int) -> GameText:
    games = read_games(file)
    if number > len(games):
        raise NoSuchGameInFile(
            _("{file}: has {count} games, there is no number {number}"),
            file=file,
            count=len(games),
            number=number,
        )
    return games[number - 1]


def _score_sheet(verdicts: list[PlyVerdict], language: Language) -> Table:
    """Return the moves, a row each, with Black's chances after each ply."""
    say = translation(language)
    headings = (say(_("Move")), say(_("Black")), "", say(_("Orange")), "")
    table = Table(*headings, title=say(_("Black's chances, move by move")))
    for number, plies in groupby(verdicts, key=lambda verdict: (verdict.number + 1) // 2):
        columns = {verdict.side: _ply_and_chance(verdict) for verdict in plies}
        black, orange = (columns.get(side, ("", "")) for side in Side)
        table.add_row(str(number), *black, *orange)
    return table


def _ply_and_chance(verdict: PlyVerdict) -> tuple[str, str]:
    mark = f" {verdict.mark.value}" if verdict.mark else ""
    return f"{verdict.played}{mark}", f"{verdict.chance:.0%}"


def _turning_point(verdict: PlyVerdict, mark: PlyMark, rules: Rules, language: Language) -> Group:
    """Return what a ply cost, what was better and why, and what it allows."""
    say = translation(language)
    chances = in_words(
        say,
        _("Black's chances {before:.0%} -> {after:.0%}"),
        before=verdict.chance_before,
        after=verdict.chance,
    )
    table = Table.grid(padding=(0, 2))
    table.add_row(say(_("better")), " ".join(verdict.line))
    if verdict.reply:
        table.add_row(say(_("allows")), " ".join(verdict.reply))
    for words in explained(verdict, rules, language):
        table.add_row("", words)
    heading = f"[bold]{verdict.numbered} {mark.value}[/bold]  {chances}"
    return Group(heading, Padding(table, (0, 0, 0, 3)))


def _summary(verdicts: list[PlyVerdict], language: Language) -> str:
    """Return how much both sides gave away in the mean."""
    losses = {side: [v.loss for v in verdicts if v.side is side] or [0.0] for side in Side}
    return say_in(
        language,
        _("Given away by each move in the mean: Black {black:.1%}, Orange {orange:.1%}."),
        black=mean(losses[Side.BLACK]),
        orange=mean(losses[Side.ORANGE]),
    )
