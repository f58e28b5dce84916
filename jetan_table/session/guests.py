"""A table's guests: whoever follows a game at it besides the hands, and what they add to it.

An opponent, an adviser, who says plies aloud, a page, a camera that learns: all of them follow one
feed of what is certain, and lay their part over the view in one place.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from hardware.ports import Believed
from rules import Side

from ..game.commands import Command, New
from ..game.events import GameId
from ..game.record import Record
from .orientation import Orientation
from .session import News, Session
from .view import View


@dataclass(frozen=True, slots=True)
class Certain:
    """What is certain of a table at one step: all of it is on the disk, and may be told anybody."""

    at: float
    """When, in seconds on the table clock."""
    record: Record
    view: View
    """What is shown, guests' parts included."""
    lies: Orientation
    """How the board lies: what the table calls its squares."""
    game: GameId
    """The game's number in the journal."""
    rev: int
    """So much has been written in all games of the journal, this one's record included."""
    brightness: float
    """How bright the lamps are, as a share of full."""
    believed: Callable[[], Believed | None] = lambda: None
    """Tells what the reader believes of all that has been polled; None while it reads nothing."""


class Guest:
    """A guest that does nothing; each kind of guest overrides what it needs.

    The table calls all of them on its own thread, and none may wait.
    """

    rank: ClassVar[int] = 50
    """Its place in the order in which guests are asked: the lowest hears people first, and what
    the highest lays over the view lies uppermost."""

    @property
    def sides(self) -> frozenset[Side]:
        """The sides that it plays now, without hands."""
        return frozenset()

    @property
    def is_done(self) -> bool:
        """Whether the table is to be left, for this guest's part."""
        return False

    def give_way(self) -> None:
        """Play or teach no more: another guest does, from now on."""

    def attend(self, session: Session, now: float) -> list[News]:
        """Look at the game and do what is to be done; return what has happened by it."""
        return []

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Do what people say, where it is this guest's to do, and return what has happened by it.

        None where it is not; CommandRefused where this guest is against it.
        """
        return None

    def offers(self) -> New | None:
        """Return the game that this guest proposes to whoever begins another, if any."""
        return None

    def overlay(self, view: View) -> View:
        """Return a view of the table with this guest's part."""
        return view

    def at_disk(self, waits: bool) -> None:
        """Hear that the table begins to wait for its disk, which may take long, or goes on."""

    def follow(self, certain: Certain) -> None:
        """Take in what is certain, once a step."""
