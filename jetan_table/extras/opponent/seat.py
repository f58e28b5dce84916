"""The opponent's seat at a table, empty or not; and who advises people, beside it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rules.sentences import Worded, _

from ...game.commands import Command, CommandRefused
from ...game.events import GameId, Header
from ...game.record import Record
from ...notices import Notice
from ...session.guests import Certain, Guest
from ...session.session import News, Session
from ...session.umpire import check_help
from ...session.view import View
from ...table.dice import Dice
from ..lessons.teacher import Teacher, Teaching
from .adviser import EngineAdviser
from .invitation import Invitation

if TYPE_CHECKING:
    from ...engine.process import EngineProcess
    from ...engine.protocol import Info
    from ..lessons.study import Study
    from .engine_player import EnginePlayer


class Seat(Guest):
    """Seats one guest after another; each thinks in a process of its own, and so does the adviser.

    `wait_s` is how long one look at the table may wait for an answer.
    """

    def __init__(self, record: Record, dice: Dice, wait_s: float = 0.0) -> None:
        """`record` is the game that is played at the table now."""
        self.guest: Invitation | None = None
        self._record, self._dice, self.wait_s = record, dice, wait_s
        self._engine: EngineProcess | None = None
        self._player: EnginePlayer | None = None
        self._lack: Notice | None = None
        """What says that the player plays below its strength."""
        self._adviser = EngineAdviser(self._start_adviser, wait_s)
        self._teacher: Teacher | None = None
        self._study: Study | None = None
        self._studied: Header | None = None
        """How the game began that is studied; None until it has been looked at."""

    def attend(self, session: Session, now: float) -> list[News]:
        """Let the adviser, and the player or who teaches, look at the game."""
        self._adviser.attend(session, now)
        self._attend_study(session, now)
        if self._player is not None:
            if self.guest is not None and self.guest.plays_both:
                self._player.side = session.record.stands.side
            return self._player.attend(session, now)
        session.wait_for(None)
        return [] if self._teacher is None else self._teacher.attend(session, now)

    def _attend_study(self, session: Session, now: float) -> None:
        """Let the study look at its game; another one ends it."""
        if self._study is None:
            return
        header = session.record.header
        self._studied = self._studied or header
        if header is self._studied:
            self._study.attend(session, now)
        else:
            self._end_study()

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Let the player hear first what people say, then who teaches, and then the adviser."""
        if self._player is not None:
            self._player.hear(command, session, now)
        heard = None if self._teacher is None else self._teacher.hear(command, session, now)
        return self._adviser.hear(command, session, now) if heard is None else heard

    def overlay(self, view: View) -> View:
        """Return a view with what the player wishes and the adviser tells, or who teaches shows."""
        if self._lack is not None:
            view = replace(view, notices=(*view.notices, self._lack))
        if self._teacher is not None:
            return self._adviser.overlay(self._teacher.overlay(view))
        view = self._adviser.overlay(view if self._player is None else self._player.overlay(view))
        return view if self._study is None else self._study.overlay(view)

    def follow(self, certain: Certain) -> None:
        """Know what game is played."""
        self._record = certain.record

    @property
    def thinking(self) -> Info | None:
        """What the guest thinks of the game; None without one."""
        return None if self._player is None else self._player.thinking

    @property
    def teaching(self) -> Teaching | None:
        """What is taught here; None where nobody teaches."""
        return None if self._teacher is None else self._teacher.teaching

    @property
    def left(self) -> GameId | None:
        """The game that was left for what is taught here, if any."""
        return None if self._teacher is None else self._teacher.left

    def teach(self, teacher: Teacher) -> None:
        """Let who teaches take the guest's place."""
        self._empty()
        self._teacher = teacher

    def leave_lessons(self) -> GameId | None:
        """Let who teaches go; return the game that was left for the lessons, if any.

        CommandRefused where nobody teaches.
        """
        if self._teacher is None or self.teaching is None:
            raise CommandRefused(_("no course is open here"))
        left = self._teacher.close()
        self._teacher = None
        return left

    @property
    def is_study(self) -> bool:
        return self._study is not None

    def study(self, folder: Path | None) -> None:
        """Let people study the game until it is left, its lines kept in that folder, or no more.

        CommandRefused where no help is allowed, and in lessons and exercises.
        """
        from ..lessons.study import Study  # an engine: only where one is wanted

        check_help(self._record)
        if folder is not None and self.teaching is not None:
            raise CommandRefused(_("leave the puzzle or lesson first: only games are studied"))
        self._end_study()
        self._study = None if folder is None else Study(folder, wait_s=self.wait_s)

    def _end_study(self) -> None:
        if self._study is not None:
            self._study.close()
        self._study = self._studied = None

    @property
    def plays_now(self) -> bool:
        """Whether it is the guest's turn."""
        record, guest = self._record, self.guest
        if guest is None or record.ending is not None or record.unsettled is not None:
            return False
        return guest.plays_both or guest.side is record.position.side

    def invite(self, guest: Invitation | None) -> None:
        """Let a guest take the place of the one before, or nobody.

        UnknownLevel or EngineLost where there is no such player; the one before then stays.
        """
        if guest is None:
            self._empty()
            return
        from ...engine.process import start_engine  # a search is heavy: only where one is wanted
        from ...engine.search import Limits
        from .engine_player import EnginePlayer

        rules = self._record.position.rules
        engine = start_engine(guest.name, rules, has_book=guest.has_book)
        self._empty()
        self.guest, self._engine, self._lack = guest, engine, _lack_of(guest.name)
        self._adviser.guides = guest.side.other if guest.guides else None
        limits = Limits(seconds=guest.think_s)
        self._player = EnginePlayer(
            guest.side, engine, limits, self._dice, self.wait_s, guest.ponders
        )

    def close(self) -> None:
        self._empty()
        self._adviser.close()
        self._end_study()

    def _start_adviser(self) -> EngineProcess:
        from ...engine.process import start_adviser

        return start_adviser(self._record.position.rules)

    def _empty(self) -> None:
        self._player = self._teacher = self._lack = None
        self.guest = self._adviser.guides = None
        if self._engine is not None:
            self._engine.close()
            self._engine = None


def _lack_of(name: str) -> Notice | None:
    """Return what says that a level plays below its strength; None where it does not."""
    from ...engine.levels import LEVELS
    from ...engine.library import mend_of

    level, mend = LEVELS.get(name), mend_of(os.environ)
    if mend is None or level is None or not level.is_strong:
        return None
    found = Worded(_("{level} plays below its strength, without the search in C"), level=name)
    return Notice("search", "warn", found, mend, name)
