"""`jetan series`: games that two people play in a row, and what stands between them."""

import os
import time
from contextlib import closing
from typing import Annotated

import click

from rules.sentences import _, printable

from ..journal.archive import Archive, read_kept
from ..journal.journal import Journal
from ..journal.opening import begin_game
from ..journal.series import PlayedSeries, format_csv, read_series, series_rows
from ..languages import Language
from ..light.news import damaged_lines
from ..light.words import Speaker
from ..settings import find_settings, read_settings
from ..terminal.text import print_table
from .games import RESULTS
from .options import Config, Data, Json, Lang, Words, command, group, option, print_json, saying
from .play_options import AgreementOptions, StartOptions
from .start import start_of

SHOWN = {
    "game": _("Game"),
    "black": _("Black"),
    "orange": _("Orange"),
    "stake": _("Stake"),
    "result": _("Result"),
    "gain_of_black": _("Gain of black"),
}
"""The columns that people are shown, before the balance of both."""


@group(
    "jetan series start sunday --players Tara,Gahan --stake 10",
    "jetan series list",
    "jetan series show sunday",
    "jetan series export sunday > sunday.csv",
)
def series() -> None:
    """List, show, start and export series: games of two people in a row, and their account."""


@command("jetan series list", "jetan series list --json", of=series, name="list")
def list_series(data: Data, lang: Lang, as_json: Json) -> None:
    """List all series with their players, and how they stand."""
    with closing(Archive.open(data)) as archive:
        all_series = [read_series(archive, name) for name in archive.series()]
    for each in all_series:
        _warn(each, lang)
    if as_json:
        for each in all_series:
            print_json(_summary(each))
        return
    say = saying(lang)
    headings = (_("Series"), _("Games"), _("Players"), _("Won"), _("Balance"))
    rows = [
        (
            each.name,
            str(len(each.games)),
            " - ".join(each.players),
            " - ".join(map(str, each.wins)),
            " / ".join(f"{tokens:+}" for tokens in each.balance),
        )
        for each in all_series
    ]
    print_table(list(map(say, headings)), rows)


@command("jetan series show sunday", "jetan series show sunday --json", of=series)
def show(name: str, data: Data, lang: Lang, as_json: Json) -> None:
    """Show the games of a series, and what each has cost."""
    played = read_kept(data, read_series, name)
    _warn(played, lang)
    if as_json:
        for row in series_rows(played):
            print_json(row)
        return
    say = saying(lang)
    balances = [say(_("Balance of {player}"), player=player) for player in played.players]
    rows = []
    for row in series_rows(played):
        row["result"] = say(RESULTS[str(row["result"])])
        shown = [str(row[name]) for name in SHOWN]
        rows.append([*shown, f"{row['balance_1']:+}", f"{row['balance_2']:+}"])
    print_table([*map(say, SHOWN.values()), *balances], rows)


@command(
    "jetan series start sunday --players Tara,Gahan --stake 10 --price 2,C=30",
    "jetan series start sunday",
    of=series,
)
def start(
    name: str,
    rules: Annotated[str | None, option("By these rules; without: as before.", metavar="RULES")],
    data: Data,
    config: Config,
    say: Words,
    agreement: AgreementOptions,
) -> int:
    """Begin a series, or its next game.

    `jetan play` goes on with it.
    """
    settings = read_settings(find_settings(config, os.environ))
    now = time.time()
    wanted = StartOptions(rules, None, None, None, name, agreement)
    begun = start_of(wanted, settings.table.rules, settings, False, data, now)
    if begun is None:
        print(say(_("{name}: its game goes on: jetan play"), name=name))
        return 0
    with closing(Journal(data)) as journal:
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


@command("jetan series export sunday > sunday.csv", of=series)
def export(name: str, data: Data, lang: Lang) -> None:
    """Print the series NAME as CSV, one row a game."""
    played = read_kept(data, read_series, name)
    _warn(played, lang)
    print(printable(format_csv(played)), end="")


def _warn(series: PlayedSeries, lang: Language) -> None:
    """Name the damaged games of a series, beside what is printed."""
    for line in damaged_lines(series, Speaker(lang)):
        click.echo(printable(f"{series.name}: {line}"), err=True)


def _summary(series: PlayedSeries) -> dict[str, object]:
    return {
        "series": series.name,
        "games": [played.game for played in series.games],
        "players": series.players,
        "wins": series.wins,
        "balance": series.balance,
        "damaged": series.damaged,
    }
