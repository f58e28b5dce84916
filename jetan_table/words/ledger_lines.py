"""The account of a game and of its series, in the words of the table."""

from __future__ import annotations

from rules import Side

from ..game.record import Record
from ..journal.archive import Archive
from ..journal.series import PlayedSeries, read_series
from .catalogue import Say
from .opening_words import account_sentence
from .words import Speaker


def account_lines(record: Record, archive: Archive, speaker: Speaker) -> list[str]:
    """Return what a game has cost so far, and how its series stands, where it belongs to one.

    The game itself counts in the series once it is over.
    """
    account = record.account
    told = [speaker.say(Say.FOR_NOTHING)]
    if account is not None:
        black, orange = account.heads[Side.BLACK], account.heads[Side.ORANGE]
        told = [speaker.say(Say.HEADS, black=black, orange=orange, stake=account.stake)]
        told.append(account_sentence(speaker.say, account))
    if record.series is not None:
        told += series_lines(read_series(archive, record.series), speaker)
    return told


def series_lines(series: PlayedSeries, speaker: Speaker) -> list[str]:
    """Return how a series stands: a line for each player, under its name."""
    told = [speaker.say(Say.SERIES_STANDS, name=series.name, games=len(series.ledger.games))]
    for name, wins, balance in zip(series.players, series.wins, series.balance, strict=True):
        told.append(speaker.say(Say.PLAYER_STANDS, name=name, wins=wins, balance=f"{balance:+}"))
    return told
