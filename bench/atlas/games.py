"""The games of the atlas: the full player against itself, and what is kept of each game.

Each has an opening of its own, quiet plies at random, drawn anew where the player holds it for as
good as won. Positions bound the player and seeds the chance: the same games come again anywhere.
"""

from collections import Counter
from functools import reduce
from random import Random
from typing import Final

import msgspec

from bench.opponent import library
from bench.opponent.selfplay import Seat, quick_game
from bench.opponent.strength import Thinker
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.levels import FULL, LEVELS
from jetan_table.extras.opponent.match import MOST_PLIES, OPENING_PLIES, play_game, random_opening
from rules import (
    IllegalMove,
    Kind,
    MoveKind,
    Position,
    Side,
    format_move,
    parse_move,
    parse_rules,
)
from rules.game import Game

UNEVEN: Final = 250
"""An opening by which one side should win three games for one lost is not played."""

KINDS: Final = tuple(kind for kind in Kind if kind is not Kind.PRINCESS)
SAMPLE: Final = 10
"""Plies from one look at the pieces to the next."""

OWN_MOVES: Final = 4
"""So many moves of Black's own choice are his opening."""

BROKEN_OFF: Final = "broken off"


class AtlasGame(msgspec.Struct, frozen=True):
    """What is kept of a game."""

    points: float
    """Black's, who moves first: 1, 0 or a half."""
    ending: str
    plies: int
    escaped: bool
    """Whether a Princess did."""
    opening: tuple[str, ...]
    """Black's first moves of his own choice."""
    pieces: tuple[tuple[int, ...], ...]
    """How many more of each kind Black has, every so many plies, where nothing is being taken."""


def full_player(nodes: int) -> Thinker:
    """Return the table's strongest player, within so many positions a move."""
    library()  # in C from the first move on
    return Thinker(FULL, LEVELS[FULL], nodes, fitted_weights())


def played(reading: str, number: int, nodes: int, seed: int) -> AtlasGame:
    """Return the game of that number; none depends on those before."""
    chance = Random(f"{seed} {reading} {number}")
    rules = parse_rules(reading)
    player = full_player(nodes)
    opening = random_opening(rules, chance)
    while abs(player.think(opening).score) >= UNEVEN:
        opening = random_opening(rules, chance)
    if rules["duel"] != "off":
        return kept_of(play_game(opening, (player, player), chance))
    return kept_of(played_on(opening, nodes))


def played_on(opening: Game, nodes: int) -> Game:
    """Return a game without chance, played on in C.

    That knows no mate; but who may not leave a Princess to be taken plays as one who loses by it.
    Where he would rather, as the move before a draw, the player thinks again with what is legal.
    """
    seat, game = Seat(fitted_weights(), nodes), opening
    while game.outcome is None and len(game.plies) < MOST_PLIES:
        for move in quick_game(ended_by_capture(game), (seat, seat)).moves:
            try:
                game = game.play(move)
            except IllegalMove:
                game = game.play(parse_move(full_player(nodes).play(game), game.position))
                break
            if game.outcome is not None:
                break
    return game


def ended_by_capture(game: Game) -> Game:
    """Return the same plies under rules that end by capture."""
    rules = game.position.rules.changed({"ending": "capture"})
    return reduce(Game.play, (ply.move for ply in game.plies), Game.begin(Position.start(rules)))


def kept_of(game: Game) -> AtlasGame:
    """Return what is kept of a game."""
    outcome, moves = game.outcome, [ply.move for ply in game.plies]
    winner = outcome and outcome.winner
    own = range(OPENING_PLIES, min(OPENING_PLIES + 2 * OWN_MOVES, len(moves)), 2)
    quiet = [
        at
        for at in range(OPENING_PLIES, len(moves), SAMPLE)
        if MoveKind.CAPTURE not in (moves[at].kind, moves[at - 1].kind)
    ]
    return AtlasGame(
        0.5 if winner is None else float(winner is Side.BLACK),
        outcome.termination.value if outcome else BROKEN_OFF,
        len(moves),
        any(move.kind is MoveKind.ESCAPE for move in moves),
        tuple(format_move(moves[at], game.positions[at]) for at in own),
        tuple(more_of_each(game.positions[at]) for at in quiet),
    )


def more_of_each(position: Position) -> tuple[int, ...]:
    """Return how many more of each kind Black has."""
    counts = Counter((piece.kind, piece.side) for piece in position.pieces().values())
    return tuple(counts[kind, Side.BLACK] - counts[kind, Side.ORANGE] for kind in KINDS)
