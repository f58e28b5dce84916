"""A table's guests: whoever follows a game at it besides the hands, and what they add to it.

An opponent, an adviser, who says plies aloud, a page, a camera that learns: all of them follow one
feed of what is certain, and lay their part over the view in one place.

Some lead people through a `Walk`: one demand after another is made, looked for, helped with when it
takes long, and judged. A trial, the wiring of a board, the wires in set-up, lessons and puzzles are
walks; they differ in their demands alone. Time is an argument: who walks says what was seen, and
when.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Generic, Protocol, TypeVar

from hardware.ports import Believed
from rules import Side

from ..game.commands import Command, New
from ..game.events import GameId
from ..game.record import Record
from .orientation import Orientation
from .session import News, Session
from .view import View

Seen_contra = TypeVar("Seen_contra", contravariant=True)


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


class Demand(Protocol[Seen_contra]):
    """One thing that is asked of people."""

    @property
    def patience_s(self) -> float:
        """After so many seconds in vain people are helped; infinite: never."""
        ...

    def see(self, look: Seen_contra, now: float) -> bool:
        """Judge what was seen since the last look; return whether it is done, or given up."""
        ...

    def help(self) -> None:
        """Help people on: say or show what is to be done."""
        ...


class Walk(Generic[Seen_contra]):
    """Where people are: what is asked of them, since when, and whether they have been helped."""

    def __init__(self) -> None:
        self.demand: Demand[Seen_contra] | None = None
        """None before the first one, and between two."""
        self._asked_at = 0.0
        self._is_helped = False

    def ask(self, demand: Demand[Seen_contra], now: float) -> None:
        """Ask for something next."""
        self.demand, self._asked_at, self._is_helped = demand, now, False

    def look(self, look: Seen_contra, now: float) -> None:
        """Let what was seen be judged; help where it takes long."""
        demand = self.demand
        if demand is None:
            return
        if demand.see(look, now):
            self.demand = None
        elif not self._is_helped and now >= self._asked_at + demand.patience_s:
            self._is_helped = True
            demand.help()
