"""The opponent's seat at a table, empty or not."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from rules import Side
from rules.sentences import Worded, _

from ...game.commands import Command
from ...game.record import Record
from ...notices import Notice
from ...session.guests import Certain, Guest
from ...session.session import News, Session
from ...session.view import View
from ...table.dice import Dice
from .adviser import EngineAdviser
from .invitation import Invitation

if TYPE_CHECKING:
    from ...engine.process import EngineProcess
    from ...engine.protocol import Info
    from .engine_player import EnginePlayer


class Seat(Guest):
    """Seats one opponent after another; each thinks in a process of its own.

    `wait_s` is how long one look at the table may wait for an answer.
    """

    rank = 10

    def __init__(
        self, record: Record, dice: Dice, adviser: EngineAdviser | None = None, wait_s: float = 0.0
    ) -> None:
        """`record` is the game that is played now; the `adviser` guides people who ask for it."""
        self.guest: Invitation | None = None
        self._record, self._dice, self._adviser, self._wait_s = record, dice, adviser, wait_s
        self._engine: EngineProcess | None = None
        self._player: EnginePlayer | None = None
        self._lack: Notice | None = None
        """What says that the player plays below its strength."""

    @property
    def thinking(self) -> Info | None:
        """What the opponent thinks of the game; None without one."""
        return None if self._player is None else self._player.thinking

    def invite(self, guest: Invitation | None) -> None:
        """Let an opponent take the place of the one before, or nobody.

        UnknownLevel or EngineLost where there is no such player; the one before then stays.
        """
        if guest is None:
            self.give_way()
            return
        from ...engine.process import start_engine  # a search is heavy: only where one is wanted
        from ...engine.search import Limits
        from .engine_player import EnginePlayer

        rules = self._record.position.rules
        engine = start_engine(guest.name, rules, has_book=guest.has_book)
        self.give_way()
        self.guest, self._engine, self._lack = guest, engine, _lack_of(guest.name)
        self._guide(guest.side.other if guest.guides else None)
        limits = Limits(seconds=guest.think_s)
        self._player = EnginePlayer(
            guest.side, engine, limits, self._dice, self._wait_s, guest.ponders
        )

    def close(self) -> None:
        """Let the opponent go, if any."""
        self.give_way()

    def _guide(self, side: Side | None) -> None:
        if self._adviser is not None:
            self._adviser.guides = side

    # What the table asks of its guests

    @property
    def sides(self) -> frozenset[Side]:
        guest = self.guest
        if guest is None:
            return frozenset()
        return frozenset(Side) if guest.plays_both else frozenset({guest.side})

    def give_way(self) -> None:
        self._player = self._lack = self.guest = None
        self._guide(None)
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def attend(self, session: Session, now: float) -> list[News]:
        """Let the player look at the game."""
        if self._player is None:
            session.wait_for(None)
            return []
        if self.guest is not None and self.guest.plays_both:
            self._player.side = session.record.stands.side
        return self._player.attend(session, now)

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Let the player hear what people say; CommandRefused where it is against that."""
        return None if self._player is None else self._player.hear(command, session, now)

    def overlay(self, view: View) -> View:
        """Return a view with what the player wishes."""
        if self._lack is not None:
            view = replace(view, notices=(*view.notices, self._lack))
        return view if self._player is None else self._player.overlay(view)

    def follow(self, certain: Certain) -> None:
        """Know what game is played."""
        self._record = certain.record


def _lack_of(name: str) -> Notice | None:
    """Return what says that a level plays below its strength; None where it does not."""
    from ...engine.levels import LEVELS
    from ...engine.library import mend_of

    level, mend = LEVELS.get(name), mend_of(os.environ)
    if mend is None or level is None or not level.is_strong:
        return None
    found = Worded(_("{level} plays below its strength, without the search in C"), level=name)
    return Notice("search", "warn", found, mend, name)
