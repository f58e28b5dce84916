"""What a follower said of a game, held to what was played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from jetan_table.reading.readings import (
    Answered,
    Asked,
    GameLost,
    Played,
    Reading,
    Recalled,
    TakenBack,
    Wandered,
)
from jetan_table.replay.watching import Follower, Watched
from rules import Square
from vision.sources import Frame

Pair = tuple[Square, Square]
Figures = dict[str, float | int]


@dataclass(frozen=True)
class Game:
    """A game that is to be followed, whose truth is known."""

    follower: Follower[Any]
    frames: Sequence[Frame]
    shown: Sequence[int]
    """For each frame, how many of the true steps it shows."""
    true: Sequence[Pair]


MOST_CANDIDATES = 3
"""A question that names more is no help."""


@dataclass
class Ledger:
    """Steps as they are said and taken back, and the true ones, in order."""

    true: Sequence[Pair]
    record: list[Pair | None] = field(default_factory=list)
    """None for what is asked about while play is told to have gone on."""
    open: dict[int, int] = field(default_factory=dict)
    """Where in the record each of those is, by the number in its question."""
    wrong_when_told: int = 0
    taken_back: int = 0
    asked: int = 0
    asked_rightly: int = 0
    lost: int = 0
    """How often it was said that the game was lost."""
    question: Asked | None = None

    def take(self, readings: Sequence[Reading[Any]], shown: int) -> None:
        """Take in what one look led to; `shown` true steps have been played by then."""
        for reading in readings:
            match reading:
                case Answered(number=number, step=step) if number in self.open:
                    self.record[self.open.pop(number)] = step.squares
                    self.wrong_when_told += step.squares not in self.true[:shown]
                case Played(step=step) | Answered(step=step) | Wandered(step=step):
                    if isinstance(reading, Played) and self.question is not None:
                        self.open[self.question.number] = len(self.record)
                        self.record.append(None)
                    self.question = None
                    self.record.append(step.squares)
                    self.wrong_when_told += step.squares not in self.true[:shown]
                case TakenBack(number=number) | Recalled(after_number=number):
                    if self.question is not None and self.question.number == number:
                        self.question = None
                    else:
                        self.taken_back += self.record.pop() is not None
                        self.open.pop(number, None)
                case GameLost():
                    self.lost += 1
                case Asked():
                    self.question = reading
                    self.asked += 1
                    self.asked_rightly += self.answer(reading, shown) is not None

    def follow(
        self, follower: Follower[Any], frame: Frame, shown: int, answered: bool
    ) -> Watched[Any]:
        """Give a frame, take in what is read, and answer questions by the truth if so wanted."""
        watched = follower.see(frame)
        self.take(watched.readings, shown)
        if answered and self.question is not None:
            answer = self.answer(self.question, shown)
            if answer is not None:
                self.take(follower.answer(self.question.number, answer), shown)
        return watched

    def answer(self, asked: Asked, shown: int) -> Square | None:
        """Return the candidate of a question that is true, None where none is."""
        if len(asked.candidates) > MOST_CANDIDATES:
            return None
        rest = self.true[len(self.record) : shown]
        for candidate in asked.candidates:
            if asked.denies(candidate):
                ends = set(asked.candidates) - {candidate}
                starts = {asked.from_square} if asked.to_square is None else ends
                if not rest or rest[0][0] not in starts:
                    return candidate
            elif rest and rest[0] == (
                (candidate, asked.to_square)
                if asked.from_square is None
                else (asked.from_square, candidate)
            ):
                return candidate
        return None

    def figures(self, name: str) -> Figures:
        """Return what was right in the end, wrong, and missed; and what was asked."""
        right = sum(one == true for one, true in zip(self.record, self.true, strict=False))
        count = sum(one is not None for one in self.record)
        asked = None if self.question is None else self.answer(self.question, len(self.true))
        return {
            f"{name}/plies": len(self.true),
            f"{name}/right": right,
            f"{name}/wrong": count - right,
            f"{name}/missed": max(len(self.true) - count - (asked is not None), 0),
            f"{name}/wrong when told": self.wrong_when_told,
            f"{name}/taken back": self.taken_back,
            f"{name}/asked": self.asked,
            f"{name}/asked, the truth among at most 3": self.asked_rightly,
            f"{name}/said to be lost": self.lost,
        }
