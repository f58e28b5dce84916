"""`jetan series`: games that two people play in a row, and what stands between them."""

from __future__ import annotations

import os
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from rules.sentences import _, printable

from ..journal.agreement import Agreement
from ..journal.archive import Archive
from ..journal.journal import Journal
from ..journal.opening import begin_game
from ..journal.series import PlayedSeries, format_csv, read_series, series_rows
from ..languages import Language
from ..settings import data_folder, find_settings, read_settings
from . import examples
from .games import RESULTS
from .opening_options import agreement_options
from .options import CONFIG, DATA, JSON, LANGUAGE, print_json, saying
from .start import StartOptions

SHOWN = {
    "game": _("Game"),
    "black": _("Black"),
    "orange": _("Orange"),
    "stake": _("Stake"),
    "result": _("Result"),
    "gain_of_black": _("Gain of black"),
}
"""The columns that people are shown, before the balance of both."""


@click.group(
    epilog=examples(
        "jetan series start sunday --players Tara,Gahan --stake 10",
        "jetan series list",
        "jetan series show sunday",
        "jetan series export sunday > sunday.csv",
    )
)
def series() -> None:
    """List, show, start and export series: games of two people in a row, and their account."""


@series.command("list", epilog=examples("jetan series list", "jetan series list --json"))
@DATA
@LANGUAGE
@JSON
def list_series(data: Path | None, lang: Language | None, as_json: bool) -> None:
    """List all series with their players, and how they stand."""
    with closing(_archive(data)) as archive:
        all_series = [read_series(archive, name) for name in archive.series()]
    if as_json:
        for each in all_series:
            print_json(_summary(each))
        return
    say = saying(lang)
    headings = (_("Series"), _("Games"), _("Players"), _("Won"), _("Balance"))
    table = Table(*map(say, headings))
    for each in all_series:
        row = (
            each.name,
            str(len(each.games)),
            " - ".join(each.players),
            " - ".join(map(str, each.wins)),
            " / ".join(f"{tokens:+}" for tokens in each.balance),
        )
        table.add_row(*map(_shown, row))
    Console().print(table)


@series.command(epilog=examples("jetan series show sunday", "jetan series show sunday --json"))
@click.argument("name")
@DATA
@LANGUAGE
@JSON
def show(name: str, data: Path | None, lang: Language | None, as_json: bool) -> None:
    """Show the games of a series, and what each has cost."""
    played = _read(data, name)
    if as_json:
        for row in series_rows(played):
            print_json(row)
        return
    say = saying(lang)
    balances = [
        printable(say(_("Balance of {player}"), player=escape(player))) for player in played.players
    ]
    table = Table(*map(say, SHOWN.values()), *balances)
    for row in series_rows(played):
        row["result"] = say(RESULTS[str(row["result"])])
        shown = [str(row[name]) for name in SHOWN]
        table.add_row(*map(_shown, shown), f"{row['balance_1']:+}", f"{row['balance_2']:+}")
    Console().print(table)


@series.command(
    epilog=examples(
        "jetan series start sunday --players Tara,Gahan --stake 10 --price 2,C=30",
        "jetan series start sunday",
    )
)
@click.argument("name")
@click.option("--rules", metavar="RULES", help="By these rules; without: as before.")
@DATA
@CONFIG
@LANGUAGE
@agreement_options
def start(
    name: str,
    rules: str | None,
    data: Path | None,
    config: Path | None,
    lang: Language | None,
    agreement: Agreement,
) -> int:
    """Begin a series, or its next game.

    `jetan play` goes on with it.
    """
    say = saying(lang, config)
    settings = read_settings(find_settings(config, os.environ))
    folder, now = data_folder(data, os.environ), time.time()
    wanted = StartOptions(replace(agreement, series=name), rules)
    begun = wanted.start(settings.table.rules, settings, False, folder, now)
    if begun is None:
        print(say(_("{name}: its game goes on: jetan play"), name=name))
        return 0
    with closing(Journal(folder)) as journal:
        opened = begin_game(journal, begun.header, begun.events)
    begun_in_words = say(
        _("{name}, game {game}: {black} has Black, {orange} Orange"),
        name=name,
        game=opened.game,
        black=begun.header.black,
        orange=begun.header.orange,
    )
    print(printable(begun_in_words))
    return 0


@series.command(epilog=examples("jetan series export sunday > sunday.csv"))
@click.argument("name")
@DATA
def export(name: str, data: Path | None) -> None:
    """Print the series NAME as CSV, one row a game."""
    print(printable(format_csv(_read(data, name))), end="")


def _shown(text: str) -> Text:
    """Return text for a table in the terminal, which neither commands that nor is markup."""
    return Text(printable(text))


def _archive(data: Path | None) -> Archive:
    return Archive.open(data_folder(data, os.environ))


def _read(data: Path | None, name: str) -> PlayedSeries:
    with closing(_archive(data)) as archive:
        return read_series(archive, name)


def _summary(series: PlayedSeries) -> dict[str, object]:
    return {
        "series": series.name,
        "games": [played.game for played in series.games],
        "players": series.players,
        "wins": series.wins,
        "balance": series.balance,
    }
