"""Where a far player comes in: people at a table invite to a match, or accept one, as they play."""

from collections.abc import Callable
from dataclasses import replace
from threading import Thread

from rules import Position, format_position
from rules.sentences import Worded, _

from ...errors import TableError
from ...game.agreements import format_time_control
from ...game.commands import Command, CommandRefused
from ...game.events import SideName
from ...game.record import Record
from ...session.guests import Certain, Guest
from ...session.session import News, Session
from ...session.view import View
from .far import FarPlayer
from .far_match import FarMatch, side_of_match
from .payloads import MatchSide


class FarDoor(Guest):
    """A guest that is nobody until a match begins, and then the far player of it."""

    def __init__(
        self,
        name: str,
        join: Callable[[str, MatchSide], FarPlayer],
        make_code: Callable[[], str],
        player: FarPlayer | None = None,
    ) -> None:
        """`name` is who plays here; `join` seats a far player, and may wait for the broker.

        It is told the match's code, and what is proposed where nobody has proposed it yet. A
        `player` sits here already.
        """
        self._name, self._join, self._make_code, self._player = name, join, make_code, player
        self._coming: Thread | None = None
        self._refusal: Worded | None = None

    def open(self, code: str | None, side: SideName, record: Record) -> str:
        """Accept the match of that code, or invite to one on the terms of a game; return its code.

        CommandRefused where a match is being played; BadBroker where none can be on these terms.
        """
        if self._player is not None and self._player.is_playing:
            raise CommandRefused(_("a match against a far table is being played here"))
        if self._coming is not None and self._coming.is_alive():
            raise CommandRefused(_("the far table is being called"))
        start = Position.start(record.game.start.rules)
        clock = format_time_control(None if record.clocks is None else record.clocks.control)
        proposed = side_of_match(self._name, side, record.rules_text, format_position(start), clock)
        code = self._make_code() if code is None else code.upper()
        self._player, self._refusal = None, None
        self._coming = Thread(target=self._call, args=(code, proposed), daemon=True)
        self._coming.start()
        return code

    @property
    def match(self) -> FarMatch | None:
        """The match that is played on this board; None where none is."""
        return None if self._player is None else self._player.shown

    def _call(self, code: str, proposed: MatchSide) -> None:
        """Seat the far player; on a thread of its own, for the broker may let it wait."""
        try:
            self._player = self._join(code, proposed)
        except TableError as error:
            self._refusal = Worded(_("match {match}: {why}"), match=code, why=error)

    # What the table asks of its guests

    def attend(self, session: Session, now: float) -> list[News]:
        """Let the far player do what is to be done."""
        return [] if self._player is None else self._player.attend(session, now)

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Let the far player do what people say, or be against it."""
        return None if self._player is None else self._player.hear(command, session, now)

    def overlay(self, view: View) -> View:
        """Show the far player's part, or why there is none."""
        if self._refusal is not None:
            view = replace(view, notes=(*view.notes, self._refusal))
        return view if self._player is None else self._player.overlay(view)

    def follow(self, certain: Certain) -> None:
        """Let the far player say how the game stands."""
        if self._player is not None:
            self._player.follow(certain)
