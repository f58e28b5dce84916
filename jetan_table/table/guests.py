"""A table's guests: what it asks of an opponent, an adviser, an onlooker, and a board's parts."""

from __future__ import annotations

from typing import Protocol

from rules import Side
from rules.game import Game

from ..board.orientation import Orientation
from ..game.commands import Help
from ..game.record import Record
from ..session.session import News, Session
from ..session.view import View


class Parts(Protocol):
    """A real board's parts, as far as they can fail."""

    @property
    def trouble(self) -> str | None:
        """Why the board cannot be trusted now, in words; None while it can."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know of parts that work."""
        ...


class Onlooker(Protocol):
    """Somebody who learns from what is certain: a camera learns the pieces' looks."""

    def tell(self, view: View, lies: Orientation) -> None:
        """Take in the table as it is now, and how its board lies: what it calls the squares."""
        ...


class Opponent(Protocol):
    """A player who has no hands: others carry out what it wishes for `side`."""

    side: Side

    def attend(self, session: Session, now: float) -> list[News]:
        """Look at the game and do what is to be done; return what has happened by it."""
        ...

    def add_wish(self, view: View) -> View:
        """Return a view of the table with what this player wishes to be played now."""
        ...

    def agrees_to_draw(self, game: Game) -> bool:
        """Whether it takes a draw that is offered."""
        ...


class Adviser(Protocol):
    """Somebody who tells people what to play, where they ask."""

    def ask(self, record: Record, wanted: Help | None) -> None:
        """Advise who is to move; CommandRefused where nobody can move now."""
        ...

    def attend(self, record: Record) -> None:
        """Look whether there is an answer."""
        ...

    def add_advice(self, view: View) -> View:
        """Return a view of the table with what is advised."""
        ...
