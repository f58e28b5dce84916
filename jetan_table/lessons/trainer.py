"""Who sets exercises at a table: follows each try, takes back what is wrong, wishes the replies.

An exercise is a game of its own, as a lesson is. Judging may take seconds and is done beside the
table; until then hands may do what they like.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from rules import Move, Square
from rules.game import Game, PlayedPly
from rules.sentences import Worded

from ..game.commands import Help, NewGame, TakeBackLast
from ..game.events import Header
from ..game.record import Record
from ..journal.archive import GameId
from ..languages import LANGUAGES, Language, translation
from ..session.guests import Guest
from ..session.session import News, Session
from ..session.view import Advice, Phase, View
from .exercise import Exercise, TryVerdict
from .progress import Progress, keep_progress, read_progress
from .tutor import SetUp

KEPT_IN: Final = "puzzles.json"

Carry: TypeAlias = Callable[[Sequence[Square], float], None]
"""Lets hands carry a piece over squares, at a time."""


@dataclass(frozen=True, slots=True)
class Training:
    """What a trainer is at, as a value."""

    exercise: Exercise
    solved: tuple[str, ...]
    """The names of all that were solved."""
    answer: Worded | None = None
    """What there is to say of the last try; None where nobody has tried yet."""
    reply: Move | None = None
    """What is to be played now for the other side."""
    right: int = 0
    """So many moves were found at the first try,"""
    count: int = 0
    """of so many that were found."""
    wrong: int = 0
    """So many tries were wrong where the game stands."""
    is_over: bool = False

    def words(self) -> list[Worded]:
        """Return all there is to say now."""
        exercise = self.exercise
        lines: list[Worded | None] = [exercise.heading, None if self.is_over else exercise.asked]
        summary = exercise.summary(self.right, self.count) if self.is_over else None
        return [line for line in (*lines, self.answer, summary) if line is not None]

    def after(self, answer: TryVerdict) -> Training:
        """Return what it is at once a try is judged."""
        if not answer.is_right:
            return replace(self, answer=answer.words, wrong=self.wrong + 1)
        is_over, solved = answer.reply is None, self.solved
        if is_over and self.exercise.name and self.exercise.name not in solved:
            solved = (*solved, self.exercise.name)
        return replace(
            self,
            answer=answer.words,
            reply=answer.reply,
            right=self.right + (self.wrong == 0),
            count=self.count + 1,
            wrong=0,
            is_over=is_over,
            solved=solved,
        )


class Trainer(Guest):
    """Sets an exercise at a table and keeps what is solved in its folder.

    `set_up` sets drawn pieces up, and `carry` has hands play the replies; without them lamps lead.
    `wait_s` is how long one look may wait for a judgement: 0 where lamps must go on.
    """

    def __init__(
        self,
        folder: Path,
        set_up: SetUp | None = None,
        carry: Carry | None = None,
        wait_s: float = 0.0,
    ) -> None:
        self.training: Training | None = None
        """None before an exercise is opened, and once people have begun another game."""
        self._folder, self._set_up, self._carry, self._wait_s = folder, set_up, carry, wait_s
        self._progress = read_progress(folder, KEPT_IN)
        self._worker = ThreadPoolExecutor(1, "exercise")
        self._started: tuple[float, str] | None = None
        """When the exercise's game began, and where; None while it is still to begin."""
        self._found: tuple[PlayedPly, ...] = ()
        """The plies that stand: what was found, and the replies."""
        self._worded: Training | None = None
        self._words: Mapping[Language, tuple[str, ...]] = {}
        """What there is to say of `_worded`, by language."""
        self._tried: Game | None = None
        self._asked: Future[TryVerdict] | None = None

    def open(self, exercise: Exercise, left: GameId | None = None) -> None:
        """Set an exercise next; `left` is the game that is left for it."""
        game = self._progress.left if left is None else left
        self._keep(Progress(self._progress.solved, exercise.name or None, game))
        self.training = Training(exercise, self._progress.solved)
        self._started, self._found = None, ()
        self._drop()

    @property
    def left(self) -> GameId | None:
        """The game that was left, if any."""
        return self._progress.left

    @property
    def opened(self) -> str | None:
        """The name of the exercise that was open when the table was switched off, if any."""
        return self._progress.open_at

    def take_up(self, record: Record, exercise: Exercise) -> bool:
        """Go on with an exercise where the table is in the middle of it; return whether it is."""
        if Header.of(exercise.start, 0.0).start != record.header.start:
            return False
        self.training = Training(exercise, self._progress.solved)
        self._started = record.header.started, record.header.start
        plies = record.game.plies
        self._found = plies[: len(plies) - len(plies) % 2]
        return True

    def close(self) -> GameId | None:
        """Set no more; return the game that was left, if any."""
        left = self._progress.left
        self.training = None
        self._drop()
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._keep(Progress(self._progress.solved))
        return left

    def attend(self, session: Session, now: float) -> list[News]:
        """Look at what is certain, and do what is to be done; return what has happened by it."""
        training, record = self.training, session.record
        if training is None:
            return []
        if self._started is None:
            return self._begin(training, session, now)
        if (record.header.started, record.header.start) != self._started:
            self.close()  # people have begun another game
            return []
        if training.is_over or record.question is not None:
            return []
        game = record.game
        if record.ending is not None and game.plies == self._found:
            self._started = None  # somebody resigned, or the like: once more
            return []
        if game.plies[: len(self._found)] != self._found:  # people took something back
            self._found = game.plies[: len(game.plies) - len(game.plies) % 2]
            self.training = training = replace(training, reply=None, wrong=0)
            self._drop()
        if len(game.plies) > len(self._found):
            return self._follow(training, game, session, now)
        session.wait_for(training.reply)
        return []

    def overlay(self, view: View) -> View:
        """Return the view with the exercise's words, and in light the reply that is wished."""
        training = self.training
        if training is None:
            return view
        if training is not self._worded:
            self._worded = training
            self._words = {
                language: tuple(line.said(translation(language)) for line in training.words())
                for language in LANGUAGES
            }
        view = replace(view, help=replace(view.help, taught=self._words))
        is_free = view.phase is Phase.PLAYING and view.leading.repair is None
        if not is_free or self._started is None or len(view.moves) != len(self._found):
            return view
        if training.reply is not None:
            return replace(view, help=replace(view.help, wish=training.reply))
        shown = training.exercise.shown(len(self._found), training.wrong)
        if shown is None or training.is_over:
            return view
        return replace(view, help=replace(view.help, advice=Advice(Help.MOVE, shown)))

    def _follow(self, training: Training, game: Game, session: Session, now: float) -> list[News]:
        """Take in the first ply that is new; what is wrong is taken back, the last ply first."""
        ply, count = game.plies[len(self._found)], len(self._found) + 1
        if training.reply is not None:
            if ply.move != training.reply:
                return self._take_back(session, now)
            self._found = game.plies[:count]
            self.training = replace(training, reply=None)
            return []
        if self._tried is None or self._tried.plies != game.plies[:count]:
            self._drop()
            self._tried = Game(game.positions[: count + 1], game.plies[:count])
            self._asked = self._worker.submit(training.exercise.judge, self._tried)
        if self._asked is not None:
            try:
                answer = self._asked.result(self._wait_s)
            except TimeoutError:
                return []
            self._asked = None
            self.training = training = training.after(answer)
            if answer.is_right:
                self._found = game.plies[:count]
                if training.is_over:
                    self._keep(Progress(training.solved, None, self._progress.left))
                elif self._carry is not None and training.reply is not None:
                    self._carry(training.reply[:2], now)
                return []
        news = self._take_back(session, now)
        if len(session.record.game.plies) == len(self._found):
            self._tried = None
        return news

    def _take_back(self, session: Session, now: float) -> list[News]:
        news = session.obey(TakeBackLast(), now)
        if self._set_up is not None:
            self._set_up(session.record.position, now)
        return news

    def _begin(self, training: Training, session: Session, now: float) -> list[News]:
        header = Header.of(training.exercise.start, now)
        self._started, self._found = (header.started, header.start), ()
        self.training = Training(training.exercise, training.solved)
        self._drop()
        news = session.obey(NewGame(header), now)
        if self._set_up is not None:
            self._set_up(training.exercise.start, now)
        return news

    def _drop(self) -> None:
        """Judge no more what was tried."""
        if self._asked is not None:
            self._asked.cancel()
        self._tried = self._asked = None

    def _keep(self, progress: Progress) -> None:
        self._progress = progress
        with suppress(OSError):  # a disk that refuses is told of by the journal
            keep_progress(self._folder, progress, KEPT_IN)
