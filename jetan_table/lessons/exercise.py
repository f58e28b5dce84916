"""Moves to be found at a table, one after the other: a puzzle's, or those of a game to be guessed.

An exercise knows where it begins, what it asks, and what a move comes to; a `Trainer` does the rest
at the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from rules import Move, Position, Side, format_move
from rules.game import Game
from rules.sentences import Worded, _
from rules.words import SIDES

from ..errors import TableError
from .puzzles import ASKED, PLIES, DailyPuzzle, judge

SHOWN_AFTER: Final = 2
"""After so many wrong guesses the move that was played is shown."""


class NothingToGuess(TableError, ValueError):
    """A game in which no move can be guessed from there on."""


@dataclass(frozen=True, slots=True)
class TryVerdict:
    """What a move that was tried comes to."""

    words: Worded
    is_right: bool
    reply: Move | None = None
    """What is to be played next for the other side; None where there is nothing more to find."""


class Exercise(Protocol):
    """Moves to be found from a position: a value."""

    @property
    def name(self) -> str:
        """What it is kept under once it is solved; empty where that is not kept."""
        ...

    @property
    def start(self) -> Position:
        """Where it begins; its side to move is who finds moves."""
        ...

    @property
    def heading(self) -> Worded:
        """What it is."""
        ...

    @property
    def asked(self) -> Worded:
        """What is to be found."""
        ...

    def judge(self, tried: Game) -> TryVerdict:
        """Return what the last move of a game from the start comes to; it may take seconds."""
        ...

    def shown(self, after: int, wrong: int) -> Move | None:
        """Return the move to be shown after so many plies, once so many were wrong there."""
        ...

    def summary(self, right: int, count: int) -> Worded | None:
        """Return what is said in the end: so many of all were found at the first try."""
        ...


@dataclass(frozen=True, slots=True)
class PuzzleExercise:
    """A puzzle to be solved."""

    puzzle: DailyPuzzle

    @property
    def name(self) -> str:
        return str(self.puzzle.number)

    @property
    def start(self) -> Position:
        return self.puzzle.position

    @property
    def heading(self) -> Worded:
        words = _("Puzzle {number}, level {level}")
        return Worded(words, number=self.puzzle.number, level=self.puzzle.level)

    @property
    def asked(self) -> Worded:
        return Worded(ASKED[self.puzzle.task], side=SIDES[self.start.side.word])

    def judge(self, tried: Game) -> TryVerdict:
        """Return what a move comes to, proved by going through the replies."""
        task, before = self.puzzle.task, tried.positions[-2]
        left = PLIES[task] - len(tried.plies) + 1
        verdict = judge(before, task, left, tried.plies[-1].move)
        return TryVerdict(
            verdict.words, verdict.is_solved or verdict.reply is not None, verdict.reply
        )

    def shown(self, after: int, wrong: int) -> Move | None:
        """Return nothing: who wants a hint asks for it."""
        return None

    def summary(self, right: int, count: int) -> Worded | None:
        """Return nothing: the last answer has said it."""
        return None


@dataclass(frozen=True, slots=True)
class GuessExercise:
    """The moves of one side in a game that was played, to be guessed."""

    game: Game
    after: int
    """How many plies of it were played where guessing begins."""
    title: str
    """How the game is called."""

    @property
    def name(self) -> str:
        return ""

    @property
    def start(self) -> Position:
        return self.game.positions[self.after]

    @property
    def heading(self) -> Worded:
        return Worded(_("Guess the moves: {title}"), title=self.title)

    @property
    def asked(self) -> Worded:
        return Worded(_("Which move did {side} play here?"), side=SIDES[self.start.side.word])

    def judge(self, tried: Game) -> TryVerdict:
        """Return whether the move was played in the game, too."""
        before, move = tried.positions[-2], tried.plies[-1].move
        left = [ply.move for ply in self.game.plies[self.after + len(tried.plies) - 1 :]]
        text = format_move(move, before)
        if move != left[0]:
            return TryVerdict(Worded(_("{move} was not played here."), move=text), is_right=False)
        if len(left) < 3:
            return TryVerdict(Worded(_("Yes: {move} was played."), move=text), is_right=True)
        reply = format_move(left[1], tried.position)
        words = Worded(_("Yes: {move} was played; the reply was {reply}."), move=text, reply=reply)
        return TryVerdict(words, is_right=True, reply=left[1])

    def shown(self, after: int, wrong: int) -> Move | None:
        """Return what was played, once enough was wrong."""
        if wrong < SHOWN_AFTER:
            return None
        return self.game.plies[self.after + after].move

    def summary(self, right: int, count: int) -> Worded | None:
        words = _("{right} of {count} moves were found at the first try.")
        return Worded(words, right=right, count=count)


def to_guess(game: Game, side: Side, after: int, title: str) -> GuessExercise:
    """Return the moves of a side to be guessed after so many plies of a game.

    NothingToGuess where it makes none, or where dice had a say, which do not fall so again.
    """
    after += after < len(game.plies) and game.positions[after].side is not side
    if after >= len(game.plies):
        raise NothingToGuess(_("{side} makes no move there"), side=SIDES[side.word])
    if game.start.juggernaut is not None or any(ply.duel or ply.rolls for ply in game.plies):
        raise NothingToGuess(_("dice fell in this game: its moves cannot be guessed"))
    return GuessExercise(game, after, title)
