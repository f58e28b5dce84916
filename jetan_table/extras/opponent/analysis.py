"""A game looked at afterwards: what each ply was worth, where it turned, what was better."""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Final

from rules import Move, Position, Side, format_move
from rules.game import Game

from ...engine.evaluation import Weights, win_probability
from ...engine.search import Limits, Search, Thought
from ...engine.why import Point, points_for


class PlyMark(Enum):
    """How much of its winning chances a ply gave away, as annotators write it."""

    BLUNDER = "??"
    MISTAKE = "?"
    DOUBTFUL = "?!"


LOSSES: Final = ((0.3, PlyMark.BLUNDER), (0.15, PlyMark.MISTAKE), (0.08, PlyMark.DOUBTFUL))
"""The least loss for each mark, as a share of the points; the heaviest first."""


@dataclass(frozen=True, slots=True)
class PlyVerdict:
    """What is to be said of a ply; moves are texts."""

    number: int
    """As positions count plies: 1 for Black's first."""
    side: Side
    played: str
    best: str
    line: tuple[str, ...]
    """What best play would have brought, `best` first."""
    reply: tuple[str, ...]
    """What is best after what was played."""
    chance: float
    """Black's share of the points to be expected after the ply, 0..1."""
    loss: float
    """The share of the points that the ply cost who played it, 0..1."""
    win_in: int | None
    """Plies to a proven end that was there to be forced, negative for a loss."""
    points: tuple[Point, ...]
    """What speaks for the best move."""
    allowed: tuple[Point, ...] = ()
    """What speaks for the best reply to what was played."""
    lost_in: int | None = None
    """Plies to a proven loss that the ply brought about; None where it brought about none."""

    @property
    def numbered(self) -> str:
        """The ply as game texts number it: `12. Pe2-e3`, `12... Pe9-e8`."""
        dots = "." if self.side is Side.BLACK else "..."
        return f"{(self.number + 1) // 2}{dots} {self.played}"

    @property
    def chance_before(self) -> float:
        """Black's share of the points to be expected had the best been played."""
        return self.chance + (self.loss if self.side is Side.BLACK else -self.loss)

    @property
    def mark(self) -> PlyMark | None:
        return next((mark for least, mark in LOSSES if self.loss >= least), None)


def analyse(
    game: Game,
    weights: Weights,
    clock: Callable[[], float],
    limits: Limits,
    library: ctypes.CDLL | None = None,
) -> Iterator[PlyVerdict]:
    """Yield the verdict on each ply, in order; each is thought about within the limits, twice.

    With a `library` it thinks there, alike but quicker. What the die did after a ply is no fault of
    who played it.
    """
    for number, ply in enumerate(game.plies):
        think = partial(_think, game, number, weights, clock, limits, library)
        best = think(None)
        played = best
        if best.move != ply.move:
            played = think(ply.move)
        position = game.positions[number]
        chance = win_probability(played.score, played.win_in)
        # To look at one move alone may find more in it than to look at all of them.
        loss = max(win_probability(best.score, best.win_in) - chance, 0.0)
        played = played._replace(line=(*played.line, *_end_of(position, played)))
        line = _in_texts(best.line, position)
        lost_in = -played.win_in if played.win_in is not None and played.win_in < 0 else None
        yield PlyVerdict(
            number=position.ply_number,
            side=position.side,
            played=format_move(ply.move, position),
            best=line[0],
            line=line,
            reply=_in_texts(played.line, position)[1:],
            chance=chance if position.side is Side.BLACK else 1 - chance,
            loss=loss,
            win_in=best.win_in,
            points=points_for(position, best.line, best.win_in),
            allowed=_allowed(position, played),
            lost_in=lost_in if best.win_in is None or best.win_in > 0 else None,
        )


def _end_of(position: Position, played: Thought) -> tuple[Move, ...]:
    """Return the reply that wins at once, where a search that knows of it has not told it."""
    if played.win_in != -2 or len(played.line) > 1 or position.is_fought(played.move):
        return ()
    after = position.play(played.move)
    for reply in after.moves():
        outcome = None if after.is_fought(reply) else after.play(reply).outcome
        if outcome is not None and outcome.winner is after.side:
            return (reply,)
    return ()


def _allowed(position: Position, played: Thought) -> tuple[Point, ...]:
    """Return what speaks for the reply expected to a ply; nothing where dice come between."""
    if len(played.line) < 2 or position.is_fought(played.move):
        return ()
    win_in = None if played.win_in is None else -played.win_in - 1
    return points_for(position.play(played.move), played.line[1:], win_in)


def _in_texts(line: Sequence[Move], position: Position) -> tuple[str, ...]:
    """Return moves that follow each other as texts."""
    texts = []
    for move in line:
        texts.append(format_move(move, position))
        position = position.play(move)
    return tuple(texts)


def _think(
    game: Game,
    number: int,
    weights: Weights,
    clock: Callable[[], float],
    limits: Limits,
    library: ctypes.CDLL | None,
    only: Move | None,
) -> Thought:
    allowed = None if only is None else [only]
    return Search(
        game.positions[number],
        weights,
        clock,
        limits,
        earlier=game.positions[:number],
        allowed=allowed,
        library=library,
    ).think()
