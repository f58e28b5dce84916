"""Jetan as the reader sees it: legal moves and the Juggernaut's wanderings as steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from rules import SQUARES, Move, MoveKind, Position, Square

from .board import Step

ESCAPE_SURPRISE = 2.5
"""The Princess escapes once in a game, and mostly late in it."""

TELEPORT_SURPRISE = 2.5
"""A tenth of all rolls sends the Juggernaut to one of a hundred squares, the rest next door."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A position, and whether the Juggernaut may still be moved before the next ply.

    `is_fought`: the last ply entered a square that is fought for; nothing follows it from here.
    """

    position: Position
    may_wander: bool = False
    is_fought: bool = False
    _steps: dict[Square, tuple[Step[Standing], ...]] = field(
        default_factory=dict, compare=False, repr=False
    )


class JetanBoard:
    """Fills the reader's `Board` from the rules of a position."""

    def occupied(self, standing: Standing) -> int:
        """Return the squares of all men and of the Juggernaut, as bits."""
        return standing.position.occupied

    def steps_from(self, standing: Standing, square: Square) -> tuple[Step[Standing], ...]:
        """Return the legal moves of the piece on `square`, or where the Juggernaut may be put."""
        known = standing._steps.get(square)
        if known is None:
            if standing.is_fought:
                known = ()
            elif square == standing.position.juggernaut:
                known = self._wanderings(standing) if standing.may_wander else ()
            else:
                known = self._moves(standing, square)
            standing._steps[square] = known
        return known

    def _moves(self, standing: Standing, square: Square) -> tuple[Step[Standing], ...]:
        position = standing.position
        taken = position.occupied
        wanders = position.juggernaut is not None

        def after(move: Move) -> Standing:
            is_fought = position.is_fought(move)
            return Standing(position.play(move), wanders and not is_fought, is_fought)

        return tuple(
            Step(
                square,
                move.to_square,
                bool(taken >> move.to_square & 1),
                partial(after, move),
                surprise=ESCAPE_SURPRISE if move.kind is MoveKind.ESCAPE else 0.0,
            )
            for move in position.moves_from(square)
        )

    def _wanderings(self, standing: Standing) -> tuple[Step[Standing], ...]:
        position = standing.position
        start = position.juggernaut
        assert start is not None
        beside = position.rules.topology.neighbours[start]
        taken = position.occupied

        def after(square: Square) -> Standing:
            return Standing(position.move_juggernaut(square))

        return tuple(
            Step(
                start,
                square,
                bool(taken >> square & 1),
                partial(after, square),
                is_ply=False,
                surprise=0.0 if square in beside else TELEPORT_SURPRISE,
            )
            for square in SQUARES
            if square != start
        )
