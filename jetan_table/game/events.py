"""Events of a game as the journal keeps them: one struct for each thing that can happen.

Squares and moves are the texts of the rules (`d2`, `Pd2-d3`), so that a journal can be read with
any SQLite shell. Times stand beside the events, in `Entry`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, NewType, Self, TypeAlias, TypeVar

import msgspec

from rules import Position, Side, Square, format_position, format_rules, format_square, parse_square

from .. import __version__
from ..errors import TableError

GameId = NewType("GameId", int)
"""Number of a game in its journal, counted from 1."""

T = TypeVar("T")

Result = Literal["black", "orange", "draw", "*"]
"""The winner, as game texts write it; `*` for a game that was left."""


class BadRecord(TableError, ValueError):
    """A journal, or a line of one, that this program cannot read."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a game that stand before its first ply."""

    started: float
    """Time of its beginning, in seconds since 1970, UTC."""
    rules: str
    start: str
    """The first position, as a position text."""
    black: str = "?"
    """Name of Black's player; `?` where nobody gave one."""
    orange: str = "?"
    version: str

    @classmethod
    def of(cls, start: Position, at: float) -> Self:
        """Return the header of a game from `start`, begun at `at`."""
        return cls(
            started=at,
            rules=format_rules(start.rules),
            start=format_position(start),
            version=__version__,
        )


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the kinds below, which the unions after them group by what they are about."""


class Ply(Event, frozen=True):
    """Ply `number` (1 is Black's first) has been played."""

    number: int
    move: str


class TakeBack(Event, frozen=True):
    """Ply `number` no longer stands: undone by hand, or asked for in words."""

    number: int
    by: Literal["hands", "words"]


class Question(Event, frozen=True, forbid_unknown_fields=False):
    """The board cannot show what ply `number` was: where a piece went, or which piece it was.

    Reader, journal, lamps and pages know it by this one shape. Mostly it is not known where a piece
    ended: it took one of those on the candidates, or a switch there has failed.
    """

    number: int
    from_square: str | None
    """The square the piece came from; None where the candidates are pieces that may have come."""
    candidates: tuple[str, ...]
    """The squares to choose from; the one the piece came from, or would have ended on, means that
    it was not moved."""
    to_square: str | None = None
    """The square the piece went to; None where the candidates are those it may have gone to."""
    is_ply: bool = True
    """False if somebody moved the Juggernaut, after ply `number`."""

    @property
    def squares(self) -> tuple[Square, ...]:
        """The candidates as squares."""
        return tuple(map(parse_square, self.candidates))

    def is_fresh(self, last: int) -> bool:
        """Return True while at most a reply has been played since; `last` is the last ply's number.

        After that pieces are touched for other reasons, and later plies answer the question.
        """
        return last <= self.number + 1

    def answer(self, candidate: str) -> Answer | Wander | TakeBack | Recall:
        """Return the event that says it was `candidate`, or that nothing has been moved."""
        if self.denies(candidate):
            return self.denial
        if self.is_ply:
            return Answer(self.number, self.move(candidate))
        return Wander(self.number, candidate)

    def denies(self, candidate: str) -> bool:
        """Return True if `candidate` means that the piece asked about was not moved."""
        return candidate in (self.from_square, self.to_square)

    @property
    def denial(self) -> TakeBack | Recall:
        """The event by which the ply or the walk asked about did not happen."""
        return TakeBack(self.number, "words") if self.is_ply else Recall(self.number)

    def move(self, candidate: str) -> str:
        """Return the two squares of the ply that `candidate`, or a mark for none, completes."""
        return f"{self.from_square or candidate}{self.to_square or candidate}"

    def means(self, candidate: str, start: Square, end: Square) -> bool:
        """Return True if `candidate` is the answer that a piece went from one square to another."""
        return self.move(candidate) == format_square(start) + format_square(end)


class Answer(Event, frozen=True):
    """Ply `number`, which was in question, was this move."""

    number: int
    move: str


class Amended(Event, frozen=True):
    """What hands have played is known better: some plies that had been told were others.

    Those between them stand, and none after ply `last` does.
    """

    moves: Annotated[dict[int, str], msgspec.Meta(min_length=1)]
    """The plies that were others, by number."""
    last: int

    @property
    def first(self) -> int:
        """Number of the first ply that was another."""
        return min(self.moves)


class Wander(Event, frozen=True):
    """The Juggernaut went to `to_square` after ply `after`."""

    after: int
    to_square: str


class Recall(Event, frozen=True):
    """The Juggernaut stands again where it stood right after ply `after`."""

    after: int


HandsEvent: TypeAlias = Ply | TakeBack | Question | Answer | Amended | Wander | Recall
"""A deed of the hands, or a question about one."""


class DieCommit(Event, frozen=True):
    """The table's die has its secret seed, whose SHA-256 is `commit`, in hex."""

    commit: str


class DieNumber(Event, frozen=True):
    """A player has added `number` to the seed."""

    number: int


class DieRoll(Event, frozen=True):
    """The Juggernaut's die shows `roll` after ply `after`; the piece belongs where that sends it.

    `roll` is written as in a game text: `7`, `10,3,7`, and `7 hand` where people threw a die.
    """

    after: int
    roll: str


class DieSeed(Event, frozen=True):
    """The seed, in hex, is no secret any more: the game is over."""

    seed: str


class DuelReport(Event, frozen=True):
    """A throw, or its result, in the fight that ply `number` began.

    As game texts write it: `7,4` (the piece that entered first), `7,4 hand` where people threw
    their own dice, `won` or `lost` (by that piece) where they say who won.
    """

    number: int
    told: str


DiceEvent: TypeAlias = DieCommit | DieNumber | DieRoll | DieSeed | DuelReport
"""A throw of dice, or a fact about the table's own die."""


class Remains(Event, frozen=True):
    """The board does not show the position of a game that begins.

    `standing` has the letters of pieces known to stand where another one belongs, by square.
    """

    standing: dict[str, str]

    @property
    def by_square(self) -> dict[Square, str]:
        return {parse_square(name): letter for name, letter in self.standing.items()}


class Cleared(Event, frozen=True):
    """The piece on `square`, where another one belongs, has been lifted off."""

    square: str


class Settled(Event, frozen=True):
    """The board stands as it should again: what a roll, a fight or words had changed is done."""


class Fault(Event, frozen=True):
    """The switch under `square` no longer follows."""

    square: str
    fault: Literal["stuck", "dead"]


class Follows(Event, frozen=True):
    """The switch under `square`, which had been named, follows again: it counts again."""

    square: str


class Correction(Event, frozen=True):
    """People have said that `position` (a position text) stands on the board."""

    position: str


ConductName: TypeAlias = Literal["friendly", "strict", "tournament"]


class ClockAgreed(Event, frozen=True):
    """The game is played with this time control, as people write one; `none`: without a clock."""

    control: str


class ConductAgreed(Event, frozen=True):
    """The players keep to these manners from now on."""

    conduct: ConductName


class Pause(Event, frozen=True):
    """The clock stands: people want a pause, the table is not ready, or it had been off.

    `off` tells that the table is on again: since the event before it no time has run.
    """

    by: Literal["people", "table", "off"]


class Resume(Event, frozen=True):
    """The pause that people asked for, or a power cut made, is over; or the table is ready."""

    by: Literal["people", "table"]


class Press(Event, frozen=True):
    """The clock was pressed: by the player who has moved, or to start it."""


class ClockShows(Event, frozen=True):
    """The seconds left on the clocks: noted from time to time, or set by people."""

    black_s: float
    orange_s: float


class Touch(Event, frozen=True):
    """The piece on `square` was touched: it must be moved, or if it is an enemy's taken."""

    square: str


class Release(Event, frozen=True):
    """Pieces that were touched need not be moved or taken."""


class Fix(Event, frozen=True):
    """People have corrected the game; `what` they did, as game texts write it."""

    what: str


class Noted(Event, frozen=True):
    """People have remarked `text` on the last ply."""

    text: str


class Turned(Event, frozen=True):
    """People have said how the board is turned: a1 and b1 are the squares called `a1` and `b1`."""

    a1: str
    b1: str


TermsEvent: TypeAlias = (
    ClockAgreed
    | ConductAgreed
    | Pause
    | Resume
    | Press
    | ClockShows
    | Touch
    | Release
    | Fix
    | Noted
    | Turned
)
"""A change of nothing on the board: of clocks, conduct, pauses, touches, corrections."""


class DrawOffer(Event, frozen=True):
    """`side` offers a draw; the offer stands until the other side has played."""

    side: Literal["black", "orange"]


class DrawDeclined(Event, frozen=True):
    """The draw that was offered is not wanted."""


class SeriesAgreed(Event, frozen=True):
    """The game belongs to the series `name` of its two players."""

    name: str


MOST_TOKENS = 1_000_000
"""Largest stake or price, in tokens."""


class WagerAgreed(Event, frozen=True):
    """The wager in whole tokens: the main stake, and the price of each head.

    `prices` are by the letters of the kinds. `for_bias`: the winner also says which way the next
    game on the disk crosses the centre.
    """

    stake: int
    prices: dict[str, int]
    for_bias: bool = False


SideName = Literal["black", "orange"]
SIDE_NAMES: dict[Side, SideName] = {Side.BLACK: "black", Side.ORANGE: "orange"}


def side_named(name: SideName | None, otherwise: Side) -> Side:
    """Return the side of a name; `otherwise` where none is named."""
    return otherwise if name is None else Side[name.upper()]


Settler = Literal["roll", "black", "orange"]
"""The one who settles something before a game: the die, or the player of a side."""


class OpeningAgreed(Event, frozen=True):
    """The ones who settle who moves first, and which way the disk's centre is crossed.

    None where that is settled already.
    """

    first: Settler | None = None
    bias: Settler | None = None


Way = Literal["clockwise", "counterclockwise"]
"""The bias of the disk: which way its centre is crossed."""

SettledBy = Literal["agreed", "chosen", "table", "hand"]
"""Way of settling: by agreement, by somebody's choice, by the table's die, or by people's own."""


class FirstMove(Event, frozen=True):
    """`side` moves first; `face` is the die's, where one was thrown."""

    side: SideName
    by: SettledBy
    face: int | None = None


class Bias(Event, frozen=True):
    """The disk's centre is crossed `way`; `face` as in FirstMove."""

    way: Way
    by: SettledBy
    face: int | None = None


Preamble: TypeAlias = SeriesAgreed | WagerAgreed | OpeningAgreed | FirstMove | Bias
"""An agreement of two people, or something that they settle, before the first ply."""


class Ending(Event, frozen=True):
    """The game is over; `termination` is a word of the rules, or `resignation` or `abandoned`."""

    result: Result
    termination: str


def kinds_of(base: type[T], names: Mapping[str, object]) -> tuple[type[T], ...]:
    """Return the classes of a module that derive from `base` and are no base themselves.

    `names` are the module's globals, whose order is that of the file.
    """
    classes = [each for each in names.values() if isinstance(each, type) and issubclass(each, base)]
    return tuple(each for each in classes if not each.__subclasses__())


KEPT_AS: Mapping[type[Event], str] = {
    DuelReport: "duel",
    ClockAgreed: "clock",
    ConductAgreed: "conduct",
    SeriesAgreed: "series",
    WagerAgreed: "wager",
    OpeningAgreed: "opening",
}
"""The journal's names for events where those are not the classes' own."""

EVENT_KINDS: dict[str, type[Event]] = {
    KEPT_AS.get(kind, kind.__name__.lower()): kind for kind in kinds_of(Event, globals())
}
"""Every kind of event by the name the journal has for it."""

KIND_OF = {event: kind for kind, event in EVENT_KINDS.items()}


@dataclass(frozen=True, slots=True)
class Entry:
    """An event and its time, in seconds on the table clock."""

    at: float
    event: Event


RESULTS: dict[Side | None, Result] = {Side.BLACK: "black", Side.ORANGE: "orange", None: "draw"}
"""The result by winner; None for a draw."""
