"""A series: games that the same two players play in a row, and what stands between them.

The journal says of each game what series it belongs to; all else follows from these games.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rules import Kind, Side, _
from rules.ledger import Account, Series, Wager

from ..files import csv_text
from .commands import CommandRefused
from .events import GameId
from .record import Record

UNKNOWN = "?"
"""A player nobody has named."""

NAME = re.compile(r"\w[\w .,()'+-]{0,39}")

FOR_NOTHING = Wager(0, dict.fromkeys(Kind, 0))

HEAD = (
    *("series", "game", "begun", "rules", "black", "orange", "first"),
    *("stake", "result", "termination", "plies"),
    *("heads_lost_by_black", "heads_lost_by_orange", "gain_of_black", "gain_of_orange"),
    *("player_1", "player_2", "balance_1", "balance_2"),
)
"""The columns of a series as CSV: one row a game, the balance of both players after it."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a series."""

    game: GameId
    record: Record
    black: int
    """Which player had Black: 0 or 1."""
    account: Account | None
    """What it has cost; None where it has no result, because it goes on or was left."""
    balance: tuple[int, int]
    """What each player has gained by all games up to this one, in tokens."""

    def gain(self, player: int) -> int:
        """Return what a player has gained by this game."""
        if self.account is None:
            return 0
        return self.account.balance(Side.BLACK if player == self.black else Side.ORANGE)


@dataclass(frozen=True, slots=True)
class PlayedSeries:
    """A series as the journal tells it: `ledger` has the games that were decided or drawn."""

    name: str
    ledger: Series
    games: tuple[PlayedGame, ...]
    damaged: tuple[GameId, ...] = ()
    """Those of its games that cannot be read, and so count for nothing."""

    @property
    def is_last_damaged(self) -> bool:
        """Whether nobody knows how the last game ended."""
        return any(game > self.games[-1].game for game in self.damaged)

    @property
    def players(self) -> tuple[str, str]:
        """Both names; the first had Black in the first game."""
        return self.ledger.players

    @property
    def balance(self) -> tuple[int, int]:
        """What each player has gained over all games."""
        return self.ledger.balance(0), self.ledger.balance(1)

    @property
    def wins(self) -> tuple[int, int]:
        """How many games each player has won."""
        return self.ledger.wins(0), self.ledger.wins(1)


def series_of(
    name: str, records: Mapping[GameId, Record], damaged: Sequence[GameId] = ()
) -> PlayedSeries:
    """Return a series by its games, oldest first; of `damaged` ones nothing is known."""
    headers = [record.header for record in records.values()]
    ledger = Series((headers[0].black, headers[0].orange) if headers else (UNKNOWN, UNKNOWN))
    games = []
    for game, record in records.items():
        black = 0 if record.header.black == ledger.players[0] else 1
        account = None
        if record.game.outcome is not None:
            ledger = ledger.add(record.game, record.wager or FOR_NOTHING, black, record.set_up)
            account = ledger.games[-1].account
        balance = ledger.balance(0), ledger.balance(1)
        games.append(PlayedGame(game, record, black, account, balance))
    return PlayedSeries(name, ledger, tuple(games), tuple(damaged))


def checked_name(name: str) -> str:
    """Return the name of a series; CommandRefused where it is none."""
    if not NAME.fullmatch(name) or name.endswith((".", " ")):
        raise CommandRefused(
            _(
                "{name!r}: a series has a name of up to 40 letters, digits, spaces and . , ( ) "
                "' + -"
            ),
            name=name,
        )
    return name


def series_rows(series: PlayedSeries) -> list[dict[str, str | int]]:
    """Return a row a game, by the columns of HEAD."""
    return [_row(series, played) for played in series.games]


def format_csv(series: PlayedSeries) -> str:
    """Write a series as CSV."""
    return csv_text([HEAD, *(row.values() for row in series_rows(series))])


def _row(series: PlayedSeries, played: PlayedGame) -> dict[str, str | int]:
    record = played.record
    header, ending = record.header, record.ending
    begun = datetime.fromtimestamp(header.started, UTC)
    heads = dict.fromkeys(Side, 0) if played.account is None else played.account.heads
    values = (
        *(series.name, played.game, f"{begun:%Y-%m-%d %H:%M}", record.rules_text),
        *(header.black, header.orange, record.game.start.side.word),
        (record.wager or FOR_NOTHING).stake,
        ending.result if ending else "*",
        ending.termination if ending else "",
        len(record.game.plies),
        *(heads[Side.BLACK], heads[Side.ORANGE]),
        *(played.gain(played.black), played.gain(1 - played.black)),
        *(*series.players, *played.balance),
    )
    return dict(zip(HEAD, values, strict=True))
