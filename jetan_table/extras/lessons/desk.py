"""Who teaches at a table: lessons, puzzles and guessing, begun where a game is and left for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rules.sentences import _

from ...game.commands import Command, CommandRefused, New, NewGame
from ...game.events import BadRecord, GameId
from ...journal.game_files import game_text, read_saved, start_from
from ...session.guests import Guest
from ...session.session import News, Session
from ...session.umpire import check_command
from ...session.view import View
from ...table.loop import Table
from .exercise import Exercise, cut_short, lesson_to_learn, lessons, read_progress
from .teacher import Teacher, Teaching

if TYPE_CHECKING:
    from ...boards.screen import TypedHands


@dataclass(frozen=True, slots=True)
class AskedLesson:
    """What a command asks a table to begin with."""

    lesson: str | None = None
    """The name of a lesson; empty: the first one that is not solved."""
    exercise: Exercise | None = None
    is_study: bool = False
    """Whether people study: their lines are kept, and the best moves shown."""


class Desk(Guest):
    """A table's teacher, who comes when an exercise is set and goes when it is left.

    What is solved is kept in `folder`. `hands` set drawn pieces up, where there are such; they play
    the replies too where they carry. `wait_s` is how long one look may wait for a judgement.
    """

    rank = 20

    def __init__(self, folder: Path, hands: TypedHands | None, wait_s: float = 0.0) -> None:
        self._folder, self._hands, self._wait_s = folder, hands, wait_s
        self._teacher: Teacher | None = None

    @property
    def teaching(self) -> Teaching | None:
        """What is taught here; None where nobody teaches."""
        return None if self._teacher is None else self._teacher.teaching

    @property
    def _left(self) -> GameId | None:
        """The game that was left for what is taught here, if any."""
        return None if self._teacher is None else self._teacher.left

    def learn(self, table: Table, name: str | None) -> None:
        """Open the course, at the lesson of that name or the first that is not solved.

        CommandRefused where the game that is played may not be left.
        """
        given = lessons(table.record.position.rules["board"], self._hands is not None)
        self.train(table, lesson_to_learn(given, name, read_progress(self._folder).solved))

    def train(self, table: Table, exercise: Exercise, carries: bool = False) -> None:
        """Set an exercise; simulated hands play its replies where they are to `carry` them.

        CommandRefused where the game that is played may not be left.
        """
        check_command(table.record, New())
        teacher = self._new_teacher(carries)
        teacher.open(exercise, table.game if self.teaching is None else self._left)
        self.teach(teacher, table)

    def teach(self, teacher: Teacher, table: Table) -> None:
        """Let who teaches take the place of whoever plays or teaches here."""
        self._teacher = teacher
        table.make_way_for(self)

    def go_on(self, table: Table) -> bool:
        """Go on with what was taught when the table was switched off; False if that was nothing."""
        if table.sides:
            return False
        teacher, board = self._new_teacher(), table.record.position.rules["board"]
        for exercise in cut_short(self._folder, board, self._hands is not None):
            if teacher.take_up(table.record, exercise):
                self.teach(teacher, table)
                return True
        return False

    def leave(self, table: Table, now: float) -> New | NewGame:
        """Teach no more, and return the game that goes on; CommandRefused where nobody teaches.

        The one that was left for it, where it had begun, was not over and is not damaged; else a
        new one.
        """
        if self._teacher is None or self.teaching is None:
            raise CommandRefused(_("no course is open here"))
        left = self._teacher.close()
        self._teacher = None
        if left is None:
            return New(rules=table.record.header.rules)
        try:
            record = table.archive.record(left)
        except BadRecord:  # the list of games names it; lessons can be left nevertheless
            return New(rules=table.record.header.rules)
        if not record.game.plies or record.game.outcome is not None:
            return New(rules=record.header.rules)
        begun = start_from(read_saved(game_text(record)), None, now)
        return NewGame(begun.header, begun.events)

    def leave_and_tidy(
        self, table: Table, now: Callable[[], float], pause: Callable[[], None]
    ) -> None:
        """Go on with the game that was left; simulated hands set it up in a moment."""
        if self.teaching is None:
            return
        table.obey(self.leave(table, now()), now())
        if self._hands is not None:
            self._hands.set_up(table.session.record.position, now())
            until = now() + SET_UP_S
            while now() < until:
                table.step(now())
                pause()

    def _new_teacher(self, carries: bool = False) -> Teacher:
        hands = self._hands
        if hands is None:
            return Teacher(self._folder, wait_s=self._wait_s)
        return Teacher(self._folder, hands.set_up, hands.move if carries else None, self._wait_s)

    # What the table asks of its guests

    def give_way(self) -> None:
        self._teacher = None

    def attend(self, session: Session, now: float) -> list[News]:
        return [] if self._teacher is None else self._teacher.attend(session, now)

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        return None if self._teacher is None else self._teacher.hear(command, session, now)

    def overlay(self, view: View) -> View:
        return view if self._teacher is None else self._teacher.overlay(view)


SET_UP_S = 2.5
"""Seconds that simulated hands take to set up a game that goes on, before the table is left."""
