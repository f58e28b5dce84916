"""Moves to be found at a table: a lesson's, a puzzle's, or those of a game to be guessed.

An exercise knows where it begins, what it asks, and what a move comes to; a `Teacher` does the rest
at the table. How far somebody has come is a file of the data folder, written whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from pathlib import Path
from typing import ClassVar, Final

import msgspec

from rules import (
    SIDES,
    TOPOLOGIES,
    Game,
    Move,
    MoveKind,
    Position,
    Side,
    Worded,
    _,
    explain,
    format_move,
    format_position,
    format_square,
)

from ...errors import TableError
from ...files import Damaged, read_json, write_whole
from ...game.events import GameId
from .course import GRID, Lesson, course
from .puzzles import (
    ASKED,
    PLIES,
    DailyPuzzle,
    NoSuchExercise,
    TryVerdict,
    judge,
    puzzle_numbered,
    read_daily,
)

LESSONS_KEPT_IN: Final = "lessons.json"
PUZZLES_KEPT_IN: Final = "puzzles.json"


class Progress(msgspec.Struct, frozen=True):
    """The names of the solved exercises, the open one, and the game that was left for it."""

    solved: tuple[str, ...] = ()
    open_at: str | None = None
    left: GameId | None = None
    """The journal's number of the game to resume, or None."""


def read_progress(folder: Path, kept_in: str = LESSONS_KEPT_IN) -> Progress:
    """Return what is kept in the data folder; the beginning where nothing can be read."""
    try:
        return read_json(folder / kept_in, Progress) or Progress()
    except (OSError, Damaged):
        return Progress()


def keep_progress(folder: Path, progress: Progress, kept_in: str = LESSONS_KEPT_IN) -> None:
    """Keep progress in the data folder; it is on the disk on return. OSError."""
    write_whole(folder / kept_in, msgspec.json.encode(progress))


SHOWN_AFTER: Final = 2
"""The number of wrong tries after which the wanted move is shown, if it is known."""

SOUGHT_S: Final = 20.0
"""Seconds after which a lesson's move is shown."""

WELL_DONE = _("Well done!")
INVITATION = _(
    "You know Jetan now. Play your first game: the table shows you a good move each time."
)
HOW_TO_TYPE = _("Type moves like `e3 d4`; `?` shows all words, `quit` leaves.")


class NothingToGuess(TableError, ValueError):
    """A game in which no move can be guessed from there on."""


class Exercise(ABC):
    """Moves to be found from a position: a value."""

    __slots__ = ()
    kept_in: ClassVar[str] = PUZZLES_KEPT_IN
    """The file of the data folder that keeps which of its kind are solved."""
    takes_long: ClassVar[bool] = False
    """True if judging may take seconds."""
    patience_s: ClassVar[float] = inf
    """Seconds after which the wanted move is shown; infinite for never."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name under which it is kept once solved; empty if it is not kept."""

    @property
    def next(self) -> Exercise | None:
        """The exercise that follows by itself once this is solved."""
        return None

    @property
    @abstractmethod
    def start(self) -> Position:
        """The position at its beginning; its side to move finds the moves."""

    @property
    @abstractmethod
    def heading(self) -> Worded:
        """The heading."""

    @property
    @abstractmethod
    def asked(self) -> Worded:
        """The task."""

    @abstractmethod
    def judge(self, tried: Game) -> TryVerdict:
        """Return what the last move of a game from the start comes to."""

    def wanted(self, after: int) -> Move | None:
        """Return the move to be found after that many plies; None if an engine has to find it."""
        return None

    def summary(self, right: int, count: int) -> Worded | None:
        """Return the closing words: the moves found at the first try, out of all."""
        return None


@dataclass(frozen=True, slots=True)
class LessonExercise(Exercise):
    """A lesson of a course on the board of that name."""

    course: tuple[Lesson, ...]
    board: str
    number: int
    """1 for the first of the course."""
    kept_in: ClassVar[str] = LESSONS_KEPT_IN
    patience_s: ClassVar[float] = SOUGHT_S

    @property
    def lesson(self) -> Lesson:
        return self.course[self.number - 1]

    @property
    def next(self) -> LessonExercise | None:
        is_last = self.number == len(self.course)
        return None if is_last else replace(self, number=self.number + 1)

    @property
    def name(self) -> str:
        return self.lesson.name

    @property
    def start(self) -> Position:
        return self.lesson.start(self.board)

    @property
    def heading(self) -> Worded:
        words, title = _("Lesson {number} of {count}: {title}."), self.lesson.title
        return Worded(words, number=self.number, count=len(self.course), title=title)

    @property
    def asked(self) -> Worded:
        words, move = self.lesson.words, self.wanted(0)
        if move.kind is not MoveKind.MOVE or self.lesson.needs_disk:
            return Worded(words)  # what is taken, or where to flee, is to be found out, too
        end = format_square(move.to_square)
        return Worded(_("{words} Collect the star on {square}."), words=words, square=end)

    def judge(self, tried: Game) -> TryVerdict:
        move = tried.plies[0].move
        if move in self.lesson.accepted(self.board):
            return TryVerdict(Worded(WELL_DONE), is_right=True)
        explained = explain(tried.start, move.from_square, move.to_square)
        words = _("{why} But this lesson asks for another move.")
        return TryVerdict(Worded(words, why=explained), is_right=False)

    def wanted(self, after: int) -> Move:
        return self.lesson.accepted(self.board)[0]

    def summary(self, right: int, count: int) -> Worded | None:
        """Return the way to a first game, once the course is through."""
        return Worded(INVITATION) if self.next is None else None


def lessons(board: str = GRID, may_change: bool = True) -> list[LessonExercise]:
    """Return the course for a board of that name; `may_change`: it is drawn, not real."""
    given = course(board, may_change)
    return [LessonExercise(given, board, number) for number in range(1, len(given) + 1)]


def lesson_to_learn(
    given: list[LessonExercise], name: str | None, solved: Collection[str]
) -> LessonExercise:
    """Return the lesson of that name, or the first that is not solved; NoSuchExercise.

    Where all are solved, the course begins anew.
    """
    if name is None:
        return next((each for each in given if each.name not in solved), given[0])
    for each in given:
        if each.name == name:
            return each
    raise NoSuchExercise(
        _("{name}: no lesson here is called so; there are {names}"),
        name=name,
        names=", ".join(each.name for each in given),
    )


def cut_short(folder: Path, board: str, may_change: bool) -> Iterator[Exercise]:
    """Yield what was open in the data folder when the table was switched off.

    A lesson that had just been opened may not have begun: the one before stands there still.
    """
    named, given = read_progress(folder, LESSONS_KEPT_IN).open_at, lessons(board, may_change)
    for number, each in enumerate(given):
        if each.name == named:
            yield from (each, *given[max(number - 1, 0) : number])
    puzzle = puzzle_numbered(read_progress(folder, PUZZLES_KEPT_IN).open_at or "")
    if puzzle is not None:
        yield PuzzleExercise(puzzle)


def was_taught(start: str) -> bool:
    """Return True if a game from that position text is a lesson's or a puzzle's, by any rules."""
    return start in _taught_starts()


@cache
def _taught_starts() -> frozenset[str]:
    begun = [each.start for board in TOPOLOGIES for each in lessons(board, may_change=True)]
    begun += [puzzle.position for puzzle in read_daily()]
    return frozenset(map(format_position, begun))


@dataclass(frozen=True, slots=True)
class PuzzleExercise(Exercise):
    """A puzzle to be solved."""

    puzzle: DailyPuzzle
    takes_long: ClassVar[bool] = True

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
        return judge(before, task, left, tried.plies[-1].move)


@dataclass(frozen=True, slots=True)
class GuessExercise(Exercise):
    """The moves of one side in a game that was played, to be guessed."""

    game: Game
    after: int
    """The number of its plies before guessing begins."""
    title: str

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

    def wanted(self, after: int) -> Move | None:
        return self.game.plies[self.after + after].move

    def summary(self, right: int, count: int) -> Worded | None:
        words = _("{right} of {count} moves were found at the first try.")
        return Worded(words, right=right, count=count)


def to_guess(game: Game, side: Side, after: int, title: str) -> GuessExercise:
    """Return a side's moves to be guessed after that many plies of a game.

    NothingToGuess if it makes none, or if dice were thrown, which would not fall so again.
    """
    after += after < len(game.plies) and game.positions[after].side is not side
    if after >= len(game.plies):
        raise NothingToGuess(_("{side} makes no move there"), side=SIDES[side.word])
    if game.start.juggernaut is not None or any(ply.duel or ply.rolls for ply in game.plies):
        raise NothingToGuess(_("this game has dice, so there is nothing to guess"))
    return GuessExercise(game, after, title)
