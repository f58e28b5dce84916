"""What games and series have cost, in words."""

from rules import Side
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
    if account is None:
        lines = [speaker.say(_("This game has no stake."))]
    else:
        sentence = _("Heads lost: Black {black}, Orange {orange}. The stake: {stake}.")
        heads = {side.word: account.heads[side] for side in Side}
        lines = [speaker.say(sentence, **heads, stake=account.stake), speaker.account(account)]
    if record.series is not None:
        lines += series_lines(read_series(archive, record.series), speaker)
    return lines


def damaged_lines(series: PlayedSeries, speaker: Speaker) -> list[str]:
    """Return a line for each game of a series that is damaged."""
    sentence = _("Game {game} is damaged, and does not count in this series.")
    return [speaker.say(sentence, game=game) for game in series.damaged]


def series_lines(series: PlayedSeries, speaker: Speaker) -> list[str]:
    """Return how a series stands: a line for each player, under its name."""
    heading = _("The series {name}, games decided or drawn: {games}")
    row = _("{name}: {wins} won, {balance} tokens")
    players = zip(series.players, series.wins, series.balance, strict=True)
    return [
        speaker.say(heading, name=series.name, games=len(series.ledger.games)),
        *damaged_lines(series, speaker),
        *(speaker.say(row, name=who, wins=won, balance=f"{left:+}") for who, won, left in players),
    ]
