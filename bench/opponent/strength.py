"""How strong the opponent is: matches against two plain players, and level against level.

`python -m bench.opponent.strength [GAMES] [NODES]` plays them all at so many positions a move
(2000), so that they can be repeated on any machine. Points are the first player's, with the
interval of 95 %.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from jetan_table.opponent.levels import LEVELS, Level, as_seen
from jetan_table.opponent.match import Player, Tally, play_match
from jetan_table.opponent.search import Limits, Search
from jetan_table.opponent.weights import Weights, fitted_weights, read_weights
from rules import Kind, Move, MoveKind, Position, format_move, parse_rules
from rules.game import Game

GAMES: Final = 40
NODES: Final = 2000
WINS: Final = 1_000_000
PLAIN_DEPTH: Final = 3


@dataclass(frozen=True, slots=True)
class Thinker:
    """The table's own player, in this process."""

    name: str
    level: Level
    nodes: int
    weights: Weights

    def play(self, game: Game) -> str:
        """Return its move as text."""
        position = game.position
        search = Search(
            position,
            self.weights,
            lambda: 0.0,
            self.level.bounded(Limits(nodes=self.nodes)),
            earlier=game.positions[:-1],
            seen=lambda whole: as_seen(
                whole, self.level.unseen, f"{self.name} {position.ply_number}"
            ),
        )
        *_, thought = search.deepen()
        return format_move(thought.move, position)


def value_of(position: Position, kind: Kind) -> int:
    """Return what the rules say a piece is worth; a Princess is worth the game."""
    return WINS if kind is Kind.PRINCESS else position.rules.worth(kind)


def taken(position: Position, move: Move) -> int:
    """Return the value of what a move takes."""
    victim = position.piece_at(move.to_square)
    return 0 if victim is None else value_of(position, victim.kind)


def spread(game: Game, number: int) -> int:
    """Return a number that looks like chance, for choosing among equals."""
    return hash((game.position.ply_number * 7919 + number) * 2654435761 % 2**32)


@dataclass(frozen=True, slots=True)
class Taker:
    """Looks one ply ahead: takes the most valuable piece it can, else plays anything."""

    name: str = "taker"

    def play(self, game: Game) -> str:
        """Return its move as text."""
        position = game.position
        moves = [m for m in position.moves() if m.kind is not MoveKind.ESCAPE]
        ranked = enumerate(moves or position.moves())
        _, _, best = max((taken(position, m), spread(game, n), m) for n, m in ranked)
        return format_move(best, position)


@dataclass(frozen=True, slots=True)
class Plain:
    """Alpha-beta of three plies that counts nothing but the values of the pieces."""

    name: str = "plain"

    def play(self, game: Game) -> str:
        """Return its move as text."""
        position, best, alpha = game.position, None, -3 * WINS
        moves = position.moves()
        ranked = sorted(
            enumerate(moves), key=lambda m: (-taken(position, m[1]), spread(game, m[0]))
        )
        for _, move in ranked:
            after = position.play(move)
            value = taken(position, move) - self._value(after, PLAIN_DEPTH - 1, -3 * WINS, -alpha)
            if best is None or value > alpha:
                best, alpha = move, max(value, alpha)
        assert best is not None
        return format_move(best, position)

    def _value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return the material the side to move gains from here on, within a window."""
        outcome = position.outcome
        if outcome is not None:
            if outcome.winner is None or position.ours.princess is None:
                return 0  # the Princess taken has been counted
            return WINS if outcome.winner is position.side else -WINS
        if depth == 0:
            return 0
        moves = [m for m in position.moves() if m.kind is not MoveKind.ESCAPE]
        best = -3 * WINS
        for move in sorted(moves, key=lambda m: -taken(position, m)):
            gain, floor = taken(position, move), max(alpha, best)
            # The window is about this side's balance from here on: shift it by what is gained.
            value = gain - self._value(position.play(move), depth - 1, gain - beta, gain - floor)
            best = max(best, value)
            if best >= beta:
                break
        return best


def pairings(nodes: int) -> Iterator[tuple[str, Player, Player]]:
    """Yield the matches: rules, and both players."""
    fitted = fitted_weights()
    full = Thinker("jeddak", LEVELS["jeddak"], nodes, fitted)
    for rules in ("cazaux", "appendix"):
        yield rules, full, Taker()
        yield rules, full, Plain()
    ladder = [Thinker(name, level, 10 * nodes, fitted) for name, level in LEVELS.items()]
    for weaker, stronger in pairwise(ladder):
        yield "cazaux", stronger, weaker


def play(rules: str, first: Player, second: Player, games: int) -> Tally:
    """Play one match and print what it showed."""
    tally = Tally()
    for played in play_match((first, second), parse_rules(rules), games, seed=1):
        tally = tally.after(played)
    counts = f"+{tally.wins} ={tally.draws} -{tally.losses}"
    points = f"{tally.share:6.1%} +- {tally.error:.1%}"
    print(f"{rules:10} {first.name:8} {second.name:8} {counts:14} {points}", flush=True)
    return tally


def compare(other: Path, rules: str, games: int, nodes: int) -> Tally:
    """Play the weights that come with the table against those of another file."""
    level = LEVELS["jeddak"]
    first = Thinker("fitted", level, nodes, fitted_weights())
    return play(rules, first, Thinker(other.stem, level, nodes, read_weights(other)), games)


def main(games: int = GAMES, nodes: int = NODES) -> None:
    """Play every match."""
    for rules, first, second in pairings(nodes):
        play(rules, first, second, games)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
