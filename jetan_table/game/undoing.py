"""How a game goes back over a roll or a rest, and how the rules end it, as records tell it."""

from __future__ import annotations

from rules.game import Game
from rules.juggernaut import REST, Roll

from .events import RESULTS, Ending

RESTED = Roll(REST, by_hand=True)
"""What a ply by the next side tells of a Juggernaut that nobody has moved."""


def unrolled(game: Game) -> Game:
    """Return the game with the Juggernaut where it stood when the last ply had been played."""
    last = game.plies[-1]
    return game.take_back().play(last.move, last.duel)


def unrested(game: Game) -> Game:
    """Return the game with a rest unsaid that only the next ply, now taken back, had shown."""
    return unrolled(game) if game.plies and game.plies[-1].rolls == (RESTED,) else game


def ending_of(game: Game) -> Ending | None:
    """Return how the rules end the game here; None while it goes on."""
    outcome = game.outcome
    if outcome is None:
        return None
    return Ending(RESULTS[outcome.winner], outcome.termination.value)
