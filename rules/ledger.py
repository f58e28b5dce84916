"""Series and wagers: a main stake a game and a price on every head. No money moves here.

Amounts are whole tokens. What a game has cost follows from its start and its present position
alone, so a take-back reverses it by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from .board import Kind, Outcome, Side
from .game import Game
from .options import Rules
from .position import Position
from .sentences import BadValue, _


@dataclass(frozen=True, slots=True)
class Wager:
    """The stakes of a game: the main one, and the price of each kind's head.

    `for_bias`: the winner also chooses which way the next game on the disk crosses the centre.
    """

    stake: int
    prices: Mapping[Kind, int]
    for_bias: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """The cost of a game to each side, in tokens."""

    heads: Mapping[Side, int]
    """The price of the heads that each side has lost."""
    stake: int
    """The main stake, which the loser pays besides."""
    winner: Side | None
    """None while the game goes on, and where it is drawn."""

    def balance(self, side: Side) -> int:
        """Return what a side has gained, negative for a loss; both sides' add up to nothing."""
        won = 0 if self.winner is None else self.stake if self.winner is side else -self.stake
        return self.heads[side.other] - self.heads[side] + won


def account_of(game: Game, wager: Wager, set_up: Position | None = None) -> Account:
    """Return a game's account as it stands: heads lost to captures, duels and the Juggernaut.

    Every head is paid for to the opponent; a game that is drawn or goes on leaves the stake.
    `set_up` is where the play began, if not at the game's own start: people had to correct it.
    """
    # Reckoned from what is missing, not from captures: duels and the Juggernaut take heads, too,
    # and a take-back needs no reckoning of its own.
    stood = Counter((set_up or game.start).pieces().values())
    stood.subtract(game.position.pieces().values())
    heads = dict.fromkeys(Side, 0)
    for piece, lost in stood.items():
        heads[piece.side] += lost * wager.prices[piece.kind]
    outcome = game.outcome
    return Account(heads, wager.stake, None if outcome is None else outcome.winner)


@dataclass(frozen=True, slots=True)
class SeriesGame:
    """A finished game of a series."""

    black: int
    """The player, 0 or 1, who had Black."""
    rules: Rules
    """They hold the bias, too: which way the centre of the disk was crossed."""
    outcome: Outcome
    account: Account
    for_bias: bool = False
    """True if the bias of the next game was its prize."""


@dataclass(frozen=True, slots=True)
class Series:
    """The games that two players have played in a row, and the balance between them."""

    players: tuple[str, str]
    games: tuple[SeriesGame, ...] = ()

    def add(self, game: Game, wager: Wager, black: int, set_up: Position | None = None) -> Series:
        """Return the series with one more finished game; BadValue while the game goes on.

        `set_up` as in `account_of`.
        """
        outcome = game.outcome
        if outcome is None:
            raise BadValue(_("the game is not over: it cannot be written into the ledger"))
        if black not in (0, 1):
            raise BadValue(_("player {number}: must be 0 or 1"), number=black)
        account = account_of(game, wager, set_up)
        entry = SeriesGame(black, game.start.rules, outcome, account, wager.for_bias)
        return replace(self, games=(*self.games, entry))

    def balance(self, player: int) -> int:
        """Return what a player has gained over all games."""
        return sum(
            entry.account.balance(Side.BLACK if entry.black == player else Side.ORANGE)
            for entry in self.games
        )

    def wins(self, player: int) -> int:
        """Return how many games a player has won."""
        return sum(_winner(entry) == player for entry in self.games)

    @property
    def chooser(self) -> int | None:
        """The player who moves first next, or tells the other to: the last game's winner.

        None before the first game and after a draw: that is agreed or rolled.
        """
        return _winner(self.games[-1]) if self.games else None

    @property
    def bias_chooser(self) -> int | None:
        """The player who won the next game's bias as the prize of the last one's wager.

        None where it was not the prize or nobody won: the bias is agreed or rolled.
        """
        return self.chooser if self.games and self.games[-1].for_bias else None


def _winner(entry: SeriesGame) -> int | None:
    winner = entry.outcome.winner
    if winner is None:
        return None
    return entry.black if winner is Side.BLACK else 1 - entry.black
