"""What was told of a game, held to what was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from jetan_table.game.events import Answer, Ply, Question, Recall, TakeBack, Wander
from jetan_table.reading.readings import GameLost, Reading
from jetan_table.replay.watching import Follower, Watched
from rules import Square, format_square, parse_square
from vision.sources import Frame

Pair = tuple[Square, Square]
Figures = dict[str, float | int]


class Done(NamedTuple):
    """A step that was played, or told."""

    squares: Pair | None
    """None for what is asked about while play is told, or asked about, past it."""
    is_ply: bool = True
    """False where it is the Juggernaut that somebody moved."""


@dataclass(frozen=True)
class Game:
    """A game that is to be followed, whose truth is known."""

    follower: Follower[Any]
    frames: Sequence[Frame]
    shown: Sequence[int]
    """For each frame, how many of the true steps it shows."""
    true: Sequence[Done]


MOST_CANDIDATES = 3
"""A question that names more is no help."""


@dataclass
class Account:
    """Steps as they are told and taken back, and the true ones, in order."""

    true: Sequence[Done]
    told: list[Done] = field(default_factory=list)
    open: dict[int, int] = field(default_factory=dict)
    """Where among them each is that is asked about, by the number in its question."""
    now: tuple[int, bool] | None = None
    """The number of what was asked last and nothing was told past, and whether it is a ply."""
    wrong_when_told: int = 0
    taken_back: int = 0
    asked: int = 0

    @property
    def record(self) -> list[Pair | None]:
        """The squares of the steps that are told."""
        return [each.squares for each in self.told]

    def ask(self, number: int, is_ply: bool) -> None:
        """Take in a question."""
        self._pass()
        self.now, self.asked = (number, is_ply), self.asked + 1

    def tell(self, number: int, done: Done, shown: int) -> None:
        """Take in a step that is told when `shown` true ones have been played."""
        self.wrong_when_told += done not in self.true[:shown]
        if self.now == (number, done.is_ply):
            self.now = None
        elif number in self.open and self.told[self.open[number]].is_ply == done.is_ply:
            self.told[self.open.pop(number)] = done
            return
        self._pass()
        self.told.append(done)

    def take_back(self, number: int) -> None:
        """Take in that a step no longer stands, or that what was asked about has not happened."""
        if self.now is not None and self.now[0] == number:
            self.now = None
            return
        self.taken_back += self.told.pop().squares is not None
        self.open.pop(number, None)

    def amend(self, moves: Mapping[int, Pair], last: int) -> None:
        """Take in that some plies were others, by number, and that none after `last` stands."""
        places = [place for place, each in enumerate(self.told) if each.is_ply]
        self.taken_back += len(moves) + len(places[last:])
        if places[last:]:
            del self.told[places[last] :]
        for number, squares in moves.items():
            self.told[places[number - 1]] = Done(squares)
        kept = {number: place for number, place in self.open.items() if place < len(self.told)}
        self.open = {number: place for number, place in kept.items() if number not in moves}

    def _pass(self) -> None:
        """Leave room for what is asked about: there is something told past it."""
        if self.now is not None:
            self.open[self.now[0]] = len(self.told)
            self.told.append(Done(None, self.now[1]))
            self.now = None

    def answer(self, asked: Question, shown: int) -> Square | None:
        """Return the candidate of a question that is true, None where none is."""
        if len(asked.candidates) > MOST_CANDIDATES:
            return None
        rest = [each.squares for each in self.true[len(self.told) : shown]]
        for candidate in asked.candidates:
            if asked.denies(candidate):
                ends = set(asked.candidates) - {candidate}
                starts = {asked.from_square} if asked.to_square is None else ends
                if not rest or rest[0] is None or format_square(rest[0][0]) not in starts:
                    return parse_square(candidate)
            elif rest and rest[0] is not None and asked.means(candidate, *rest[0]):
                return parse_square(candidate)
        return None

    def figures(self, name: str) -> Figures:
        """Return what was right in the end, wrong, and missed; and what was asked.

        Right is what has the number it was played with. A question that is still open is missed.
        """
        true = _numbered(self.true)
        account = [each for each in _numbered(self.told) if each[2] is not None]
        right = sum(each in true for each in account)
        return {
            f"{name}/plies": len(true),
            f"{name}/right": right,
            f"{name}/wrong": len(account) - right,
            f"{name}/missed": max(len(true) - len(account), 0),
            f"{name}/wrong when told": self.wrong_when_told,
            f"{name}/taken back": self.taken_back,
            f"{name}/asked": self.asked,
        }


def _numbered(steps: Sequence[Done]) -> list[tuple[int, bool, Pair | None]]:
    """Return steps by the number of the ply that each is, or that it follows."""
    number, numbered = 0, []
    for squares, is_ply in steps:
        number += is_ply
        numbered.append((number, is_ply, squares))
    return numbered


@dataclass
class Ledger(Account):
    """An account of what one reader says, who may be answered by the truth."""

    asked_rightly: int = 0
    lost: int = 0
    """How often it was said that the game was lost."""
    question: Question | None = None

    def take(self, readings: Sequence[Reading[Any]], shown: int) -> None:
        """Take in what one look led to; `shown` true steps have been played by then."""
        for reading in readings:
            squares = reading.step.squares if reading.step else None
            match reading.event:
                case Ply(number=number) | Answer(number=number):
                    self.tell(number, Done(squares), shown)
                case Wander(after=number):
                    self.tell(number, Done(squares, False), shown)
                case TakeBack(number=number) | Recall(after=number):
                    self.take_back(number)
                case GameLost():
                    self.lost += 1
                case Question() as question:
                    plies = sum(each.is_ply for each in self.told)
                    waits = self.now is not None and self.now[1]
                    self.ask(question.number, question.number > plies + waits)
                    self.question = question
                    self.asked_rightly += self.answer(question, shown) is not None

    def follow(
        self, follower: Follower[Any], frame: Frame, shown: int, answered: bool
    ) -> Watched[Any]:
        """Give a frame, take in what is read, and answer questions by the truth if so wanted."""
        watched = follower.see(frame)
        self.take(watched.readings, shown)
        if answered and self.question is not None and self.now is not None:
            answer = self.answer(self.question, shown)
            if answer is not None:
                self.take(follower.reader.answer(self.question.number, answer), shown)
        return watched

    def figures(self, name: str) -> Figures:
        """Return the account's figures; what is asked in the end, truth among it, is not missed."""
        figures = super().figures(name)
        if self.now is not None and self.question is not None:
            figures[f"{name}/missed"] -= self.answer(self.question, len(self.true)) is not None
        return {
            **figures,
            f"{name}/asked, the truth among at most 3": self.asked_rightly,
            f"{name}/said to be lost": self.lost,
        }
