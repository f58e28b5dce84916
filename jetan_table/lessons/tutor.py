"""Who teaches at a table: sets lesson after lesson, lights what each asks for, and judges plies.

A lesson is a game of its own. The tutor follows what is certain of it, answers a wrong try by why
the piece may not go there, takes back a ply that was not asked for, and lays its light over the
view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from msgspec.structs import replace as changed

from rules import Position, Square
from rules.explain import explain
from rules.sentences import _

from ..errors import TableError
from ..game.commands import Help, NewGame, TakeBackLast
from ..game.events import Header
from ..game.record import Record
from ..journal.archive import GameId
from ..languages import LANGUAGES, Language
from ..session.guests import Guest
from ..session.session import News, Session
from ..session.view import Advice, Phase, View
from .course import course, is_start_of
from .progress import Progress, keep_progress, read_progress
from .teaching import Teaching
from .words import taught

PRAISE_S: Final = 1.2
"""A ply that solves a lesson is looked at for so long before the next lesson begins."""

SetUp = Callable[[Position, float], None]
"""Sets simulated pieces up at once for a position, at a time."""


class NoSuchLesson(TableError, LookupError):
    """A name that no lesson has, or none on this board."""


class Tutor(Guest):
    """Teaches at one table on a board of that name; `may_change`: it is drawn, not real.

    `set_up` sets simulated pieces up; without it lamps lead hands to each lesson's position.
    """

    def __init__(
        self, folder: Path, board: str, may_change: bool, set_up: SetUp | None = None
    ) -> None:
        self.teaching: Teaching | None = None
        """What is being taught; None before the course is opened."""
        self._folder, self._board, self._set_up = folder, board, set_up
        self._lessons = course(board, may_change)
        self._progress = read_progress(folder)
        self._started: tuple[float, str] | None = None
        """When the lesson's game began, and where; None while it is still to begin."""
        self._next_at = 0.0
        self._worded: Teaching | None = None
        self._words: Mapping[Language, tuple[str, ...]] = {}
        """What there is to say of `_worded`, by language."""
        self._tried_to: tuple[Square, Square] | None = None

    @property
    def left(self) -> GameId | None:
        """The game that was left for the course, if any."""
        return self._progress.left

    def open(self, name: str | None = None, left: GameId | None = None) -> None:
        """Teach the lesson of that name next, or the first one that is not solved.

        Where all are, the course begins anew; `left` is the game that is left for it. NoSuchLesson
        where this course has none of that name.
        """
        names = [lesson.name for lesson in self._lessons]
        if name is None:
            unsolved = [each for each in names if each not in self._progress.solved]
            name = unsolved[0] if unsolved else names[0]
        if name not in names:
            raise NoSuchLesson(
                _("{name}: no lesson here is called so; there are {names}"),
                name=name,
                names=", ".join(names),
            )
        if left is not None:
            self._keep(changed(self._progress, left=left))
        self._begin(names.index(name))

    def take_up(self, record: Record) -> bool:
        """Go on with a lesson that the table is in the middle of; return whether it is in one."""
        for index, lesson in enumerate(self._lessons):
            is_open = lesson.name == self._progress.open_at
            header = record.header
            if is_open and is_start_of(lesson, self._board, header.rules, header.start):
                self._begin(index)
                self._started = header.started, header.start
                return True
        return False

    def close(self) -> GameId | None:
        """Teach no more; return the game that was left for the course, if any."""
        left = self._progress.left
        self.teaching = None
        self._keep(Progress(solved=self._progress.solved))
        return left

    def note_try(self, start: Square, end: Square) -> None:
        """Note why the piece on `start` may not go to `end`, where somebody has tried that."""
        teaching = self.teaching
        if teaching is not None and not teaching.is_solved and (start, end) != self._tried_to:
            self._tried_to = start, end
            self.teaching = replace(teaching, tried=explain(teaching.position, start, end))

    def attend(self, session: Session, now: float) -> list[News]:
        """Look at what is certain, and do what is to be done; return what has happened by it."""
        teaching, record = self.teaching, session.record
        if teaching is None:
            return []
        if self._started is None:
            return self._begin_game(teaching, session, now)
        if (record.header.started, record.header.start) != self._started:
            self.close()  # people have begun another game
            return []
        if teaching.is_solved:
            if now >= self._next_at and not teaching.is_done:
                self._begin(teaching.number, is_after_another=True)
            return []
        if record.game.plies and record.question is None:
            return self._judge(teaching, session, now)
        if record.ending is not None:
            self._started = None
            return []
        self._note_try(teaching, session.view)
        return []

    def overlay(self, view: View) -> View:
        """Return the view with the lesson's words, and its light: the piece, and where it goes."""
        teaching = self.teaching
        if teaching is None:
            return view
        words = self._words_to(teaching)
        if view.leading.repair is not None and teaching.tried is not None:
            words = {language: lines[:-1] for language, lines in words.items()}  # the table says it
        view = replace(view, help=replace(view.help, taught=words))
        if teaching.is_solved or view.phase is not Phase.PLAYING:
            return view
        is_asked = self._started is not None and view.position == teaching.position
        if not is_asked or view.leading.repair is not None:
            return view
        return replace(view, help=replace(view.help, advice=Advice(Help.MOVE, teaching.wanted[0])))

    def _words_to(self, teaching: Teaching) -> Mapping[Language, tuple[str, ...]]:
        if teaching is not self._worded:
            self._worded = teaching
            self._words = {language: tuple(taught(teaching, language)) for language in LANGUAGES}
        return self._words

    def _begin(self, index: int, is_after_another: bool = False) -> None:
        lesson = self._lessons[index]
        self._keep(changed(self._progress, open_at=lesson.name))
        start, wanted = lesson.start(self._board), lesson.accepted(self._board)
        count = len(self._lessons)
        self.teaching = Teaching(
            lesson,
            index + 1,
            count,
            self._progress,
            start,
            wanted,
            is_after_another=is_after_another,
        )
        self._started = self._tried_to = None

    def _begin_game(self, teaching: Teaching, session: Session, now: float) -> list[News]:
        header = Header.of(teaching.position, now)
        self._started = header.started, header.start
        news = session.obey(NewGame(header), now)
        self._put_up(teaching.position, now)
        return news

    def _judge(self, teaching: Teaching, session: Session, now: float) -> list[News]:
        """Praise the ply that was asked for; take any other one back, and say what it was."""
        move = session.record.game.plies[0].move
        if move in teaching.wanted:
            is_done = teaching.number == teaching.count
            self._keep(self._progress.after(teaching.lesson.name))
            self.teaching = replace(
                teaching, progress=self._progress, tried=None, is_solved=True, is_done=is_done
            )
            self._next_at = now + PRAISE_S
            return []
        tried = explain(teaching.position, move.from_square, move.to_square)
        self.teaching = replace(teaching, tried=tried)
        news = session.obey(TakeBackLast(), now)
        self._put_up(teaching.position, now)
        return news

    def _note_try(self, teaching: Teaching, view: View) -> None:
        """Note why a piece may not stand where hands have put it, once they are led back."""
        step = view.leading.repair
        if step is None or step.from_square is None or step.to_square is None:
            return
        piece = teaching.position.piece_at(step.to_square)
        if piece is None or piece.letter != step.letter or view.phase is not Phase.PLAYING:
            return
        self.note_try(step.to_square, step.from_square)

    def _put_up(self, position: Position, now: float) -> None:
        if self._set_up is not None:
            self._set_up(position, now)

    def _keep(self, progress: Progress) -> None:
        self._progress = progress
        with suppress(OSError):  # a disk that refuses is told of by the journal; lessons go on
            keep_progress(self._folder, progress)
