"""`jetan series`: games that two people play in a row, and what stands between them."""

from __future__ import annotations

import os
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from ..journal.agreement import Agreement
from ..journal.archive import Archive
from ..journal.journal import Journal
from ..journal.opening import begin_game
from ..journal.series import PlayedSeries, format_csv, read_series, series_rows
from ..settings import data_folder, find_settings, read_settings
from . import examples
from .agreed import agreement_options
from .start import agreed_start, wanted_start

DATA = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Where games are."
)
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON text a line.")

SHOWN = ("game", "black", "orange", "stake", "result", "gain_of_black")
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
@JSON
def list_series(data: Path | None, as_json: bool) -> None:
    """List all series with their players, and how they stand."""
    with closing(_archive(data)) as archive:
        told = [read_series(archive, name) for name in archive.series()]
    if as_json:
        for each in told:
            _print_json(_summary(each))
        return
    table = Table("Series", "Games", "Players", "Won", "Balance")
    for each in told:
        table.add_row(
            each.name,
            str(len(each.games)),
            " - ".join(each.players),
            " - ".join(map(str, each.wins)),
            " / ".join(f"{tokens:+}" for tokens in each.balance),
        )
    Console().print(table)


@series.command(epilog=examples("jetan series show sunday", "jetan series show sunday --json"))
@click.argument("name")
@DATA
@JSON
def show(name: str, data: Path | None, as_json: bool) -> None:
    """Show the games of a series, and what each has cost."""
    told = _read(data, name)
    if as_json:
        for row in series_rows(told):
            _print_json(row)
        return
    columns = [name.replace("_", " ").capitalize() for name in SHOWN]
    table = Table(*columns, *(f"Balance of {player}" for player in told.players))
    for row in series_rows(told):
        shown = [str(row[name]) for name in SHOWN]
        table.add_row(*shown, f"{row['balance_1']:+}", f"{row['balance_2']:+}")
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
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings file.")
@agreement_options
def start(
    name: str, rules: str | None, data: Path | None, config: Path | None, agreement: Agreement
) -> int:
    """Begin a series, or its next game.

    `jetan play` goes on with it.
    """
    settings = read_settings(find_settings(config, os.environ))
    folder, now = data_folder(data, os.environ), time.time()
    default = settings.table.rules
    wanted = wanted_start(None, None, rules, None, default, folder, now, settings, False)
    told = replace(agreement, series=name)
    begun = agreed_start(told, wanted, default, settings, folder, now)
    if begun is None:
        print(f"{name}: its game goes on: jetan play")
        return 0
    with closing(Journal(folder)) as journal:
        opened = begin_game(journal, begun.header, begun.events)
    print(
        f"{name}, game {opened.game}: {begun.header.black} has Black, {begun.header.orange} Orange"
    )
    return 0


@series.command(epilog=examples("jetan series export sunday > sunday.csv"))
@click.argument("name")
@DATA
def export(name: str, data: Path | None) -> None:
    """Print the series NAME as CSV, one row a game."""
    print(format_csv(_read(data, name)), end="")


def _archive(data: Path | None) -> Archive:
    return Archive.open(data_folder(data, os.environ))


def _read(data: Path | None, name: str) -> PlayedSeries:
    with closing(_archive(data)) as archive:
        return read_series(archive, name)


def _summary(told: PlayedSeries) -> dict[str, object]:
    return {
        "series": told.name,
        "games": [played.game for played in told.games],
        "players": told.players,
        "wins": told.wins,
        "balance": told.balance,
    }


def _print_json(value: object) -> None:
    print(msgspec.json.encode(value).decode())
