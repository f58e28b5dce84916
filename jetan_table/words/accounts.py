"""What games and series have cost, in words."""

from __future__ import annotations

from rules import (
    Side,
)
from rules.sentences import _

from ..game.record import Record
from ..journal.archive import Archive
from ..journal.series import PlayedSeries, read_series
from .words import Speaker


def account_lines(record: Record, archive: Archive, speaker: Speaker) -> list[str]:
    """Return what a game has cost so far, and how its series stands, where it belongs to one.

    The game itself counts in the series once it is over.
    """
    account = record.account
    lines = [speaker.say(_("The game is played for nothing."))]
    if account is not None:
        black, orange = account.heads[Side.BLACK], account.heads[Side.ORANGE]
        lines = [
            speaker.say(
                _("Heads lost: Black {black}, Orange {orange}. The stake: {stake}."),
                black=black,
                orange=orange,
                stake=account.stake,
            )
        ]
        lines.append(speaker.account(account))
    if record.series is not None:
        lines += series_lines(read_series(archive, record.series), speaker)
    return lines


def series_lines(series: PlayedSeries, speaker: Speaker) -> list[str]:
    """Return how a series stands: a line for each player, under its name."""
    lines = [
        speaker.say(
            _("The series {name}, games decided or drawn: {games}"),
            name=series.name,
            games=len(series.ledger.games),
        )
    ]
    for name, wins, balance in zip(series.players, series.wins, series.balance, strict=True):
        lines.append(
            speaker.say(
                _("{name}: {wins} won, {balance} tokens"),
                name=name,
                wins=wins,
                balance=f"{balance:+}",
            )
        )
    return lines
