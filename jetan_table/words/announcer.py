"""Chooses what is worth saying aloud at a table: plies, questions, what is to be done, the end."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Protocol

from rules import Move, MoveKind, Position, Side, format_square

from ..game.record import Record
from ..session.guests import Certain, Guest
from ..session.view import View
from .catalogue import Say
from .words import Speaker

COUNTING = re.compile(r"\d+ s\b")
"""A time that counts up in a sentence is no news."""


PLIES = {
    MoveKind.MOVE: Say.PLY_GOES,
    MoveKind.CAPTURE: Say.PLY_TAKES,
    MoveKind.ESCAPE: Say.PLY_FLEES,
}


class Mouth(Protocol):
    """Whatever says a text aloud."""

    def say(self, words: str) -> None:
        """Say this next, instead of what is still waiting."""
        ...


class Announcer(Guest):
    """Says aloud what is new at a table: the last ply, and what the terminal would say of it.

    Whose turn it is and what is in the air is not said: everybody at the table sees that.
    """

    def __init__(self, mouth: Mouth, speaker: Speaker) -> None:
        self._mouth, self._speaker = mouth, speaker
        self._seen: tuple[Record, View] | None = None
        self._said: frozenset[str] = frozenset()

    def follow(self, certain: Certain) -> None:
        """Look at the table, and say what has not been said."""
        record, view = certain.record, certain.view
        if self._seen is not None and self._seen[1] == view:
            return
        sentences = self._sentences(view)
        keys = frozenset(COUNTING.sub("", sentence) for sentence in sentences)
        new = [sentence for sentence in sentences if COUNTING.sub("", sentence) not in self._said]
        before, self._seen, self._said = self._seen, (record, view), keys
        if before is not None:
            new = [*self._ply(before[0], record), *new]
        if new:
            self._mouth.say(" ".join(new))

    def _ply(self, before: Record, record: Record) -> list[str]:
        """Return the last ply in words, where it is new."""
        is_same = before.header is record.header
        if not is_same or len(record.game.plies) <= len(before.game.plies):
            return []
        return [ply_in_words(self._speaker, record.game.positions[-2], record.game.plies[-1].move)]

    def _sentences(self, view: View) -> list[str]:
        turns = {self._speaker.say(Say.TO_MOVE, side=self._speaker.side(side)) for side in Side}
        sentences = self._speaker.sentences(replace(view, lifted=()), is_typed=False)
        return [sentence for sentence in sentences if sentence not in turns]


def ply_in_words(speaker: Speaker, before: Position, move: Move) -> str:
    """Return a ply that was played from a position, for ears."""
    piece = before.piece_at(move.from_square)
    sentence = speaker.say(
        PLIES[move.kind],
        piece="" if piece is None else speaker.kind(piece.kind, before.rules),
        start=format_square(move.from_square),
        end=format_square(move.to_square),
    )
    return f"{speaker.side(before.side)}: {sentence}."
