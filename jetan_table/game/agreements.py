"""Agreements of players before a game (rules, conduct, time, stakes), and the clocks by them.

*Rules* are named by a rules text, or by a file with rules of their own.

*Conduct* decides what they may ask of the table, and what a touch means. Touch-move: an own piece
held for `ADJUST_S` must be moved if it can be, an enemy's must be taken if it can be; whoever puts
a piece straight back has adjusted it. Of several touched pieces the first that can be moved or
taken counts; one of each side means that the one must take the other, if it can.

*Time* is told in minutes and seconds: `10` (sudden death), `10+5` (five seconds are added after
each ply), `10d5` (the first five seconds of each ply are free: the simple or US delay), `10b5`
(what was used of five seconds is given back after each ply: Bronstein's delay), `hourglass 3` (what
one player uses the other gains). `buttons` behind it: the clock is pressed, not the ply read. A
game text's TimeControl tag has all in seconds, as PGN does: `600+5`, `600d5`, `*180`, `-`.

*Clocks* are a value, pure in every step. The first ply, or a press, starts them. From then on one
player's runs, until a ply is made (or, where buttons are pressed, until the press after it). A time
counts to when the hand was done, so an event may be told a moment after it happened; what lies
before the last one counts as then.

*Prices* of heads are told as `2` (each at twice its value), `C=30,Q=5` (some at a price of their
own), or both, the number first: `2,C=30`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import ceil
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from rules import (
    OCCUPANT_OF,
    BadText,
    BadValue,
    Kind,
    Move,
    Position,
    Rules,
    RulesError,
    Sentence,
    Side,
    Square,
    _,
    decimal_number,
    parse_rules,
    parse_rules_file,
    whole_number,
)
from rules.ledger import Wager

from ..errors import TableError
from .commands import CommandRefused
from .events import MOST_TOKENS, ConductName, WagerAgreed

MOST_RULES_BYTES: Final = 100_000
"""Largest file with rules: a page or two."""


def named_rules(name: str) -> Rules:
    """Return the rules of a rules text, or of a TOML file, whose `name` ends in `.toml`.

    Raises RulesError, CommandRefused, NotText, or OSError where the file cannot be opened.
    """
    from ..files import read_text  # a session, which asks for no file, loads this module, too

    if not name.endswith(".toml"):
        return parse_rules(name)
    try:
        return parse_rules_file(read_text(Path(name), MOST_RULES_BYTES))
    except RulesError as error:
        raise CommandRefused(_("{name}: {why}"), name=name, why=error) from error


KIND_OF = {kind.value: kind for kind in Kind}


def wager_of(event: WagerAgreed) -> Wager:
    """Return the wager of a journal's event; a kind that it does not name is worth nothing."""
    prices = {kind: event.prices.get(kind.value, 0) for kind in Kind}
    return Wager(event.stake, prices, event.for_bias)


def wager_event(wager: Wager) -> WagerAgreed:
    """Return a wager as the journal keeps it."""
    prices = {kind.value: wager.prices[kind] for kind in Kind}
    return WagerAgreed(checked_tokens(STAKE, wager.stake), prices, wager.for_bias)


def parse_prices(text: str, rules: Rules) -> Mapping[Kind, int]:
    """Read prices told by people; BadText or BadValue where it makes no sense."""
    parts = [part.strip() for part in text.split(",")]
    factor = whole_number("1" if "=" in parts[0] else parts.pop(0))
    if factor is None:
        raise BadText(_("price {text!r}: write 2, C=30,Q=5 or 2,C=30"), text=text)
    prices = {kind: factor * rules.worth(kind) for kind in Kind}
    for part in parts:
        letter, equals, told_price = (word.strip() for word in part.partition("="))
        price = whole_number(told_price)
        kind = KIND_OF.get(letter.upper().replace("O", "F"))
        if not equals or kind is None or price is None:
            letters = ", ".join(KIND_OF)
            raise BadText(
                _("price {text!r}: write a kind's letter and tokens, as C=30 ({letters})"),
                text=part,
                letters=letters,
            )
        prices[kind] = price
    return {kind: checked_tokens(PRICE, price, kind.value) for kind, price in prices.items()}


def format_prices(prices: Mapping[Kind, int]) -> str:
    """Write prices with a letter each: `P=1,T=3,...`; parse_prices reads the same ones back."""
    return ",".join(f"{kind.value}={price}" for kind, price in prices.items())


STAKE = _("stake {tokens}: must be 0..{most} tokens")
PRICE = _("price {letter} {tokens}: must be 0..{most} tokens")


def checked_tokens(otherwise: Sentence, tokens: int, letter: str = "") -> int:
    """Return a number of tokens; BadValue if it is more than anybody plays for."""
    if not 0 <= tokens <= MOST_TOKENS:
        raise BadValue(otherwise, letter=letter, tokens=tokens, most=MOST_TOKENS)
    return tokens


AS_IN = _(
    "clock {text!r}: write as in 10 (minutes), 10+5, 10d5, 10b5, 1:30+2, hourglass 3; or none"
)
NO_CLOCK = "none"
MOST_MAIN_S = 24 * 3600
MOST_EXTRA_S = 3600
"""Longest times: a day, and an hour a ply. Times are kept to a tenth of a second."""

_TEXT = re.compile(
    r"(?P<glass>hourglass\s*)?(?P<main>\d{1,9}(?:\.\d+|(?::[0-5]\d){1,2})?)"
    r"(?:\s*(?P<mark>[+db])\s*(?P<extra>\d+(?:\.\d+)?))?(?P<buttons>\s+buttons)?",
    re.IGNORECASE | re.ASCII,
)
_TAG = re.compile(
    r"(?P<glass>\*)?(?P<main>\d+(?:\.\d+)?)(?:(?P<mark>[+db])(?P<extra>\d+(?:\.\d+)?))?",
    re.ASCII,
)


class BadTimeControl(TableError, ValueError):
    """A text that tells no time control, or no time; the message shows some that do."""


class TimeExtra(Enum):
    """The use of the seconds beside a player's own time; the value is its mark in texts."""

    NONE = ""
    INCREMENT = "+"
    DELAY = "d"
    BRONSTEIN = "b"
    HOURGLASS = "*"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: `main_s` seconds for each player, and `extra_s` a ply, used as `extra` says.

    `by_buttons`: the other clock runs only once the player who has moved presses a button.
    """

    main_s: float
    extra: TimeExtra = TimeExtra.NONE
    extra_s: float = 0.0
    by_buttons: bool = False


def parse_time_control(text: str) -> TimeControl | None:
    """Read what people write; None for `none`. Raises BadTimeControl."""
    if text.strip().lower() == NO_CLOCK:
        return None
    # People write minutes, game texts seconds: the two forms have patterns of their own.
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise BadTimeControl(AS_IN, text=text)
    main = found["main"]
    seconds = parse_seconds(main) if ":" in main else float(main) * 60
    return replace(_checked(text, seconds, found), by_buttons=bool(found["buttons"]))


def format_time_control(control: TimeControl | None) -> str:
    """Write it for people; parse_time_control reads the same back."""
    if control is None:
        return NO_CLOCK
    whole, rest = divmod(control.main_s, 60)
    if rest == 0:
        main = f"{whole:.0f}"
    elif rest == int(rest):
        main = f"{whole:.0f}:{rest:02.0f}"
    else:
        main = repr(control.main_s / 60)
    glass = "hourglass " if control.extra is TimeExtra.HOURGLASS else ""
    return f"{glass}{main}{_extra(control)}{' buttons' if control.by_buttons else ''}"


def parse_tag(text: str) -> TimeControl | None:
    """Read a TimeControl tag; None where it tells no clock, or one that is not kept here."""
    found = _TAG.fullmatch(text.strip())
    if found is None:
        return None
    try:
        return _checked(text, float(found["main"]), found)
    except BadTimeControl:
        return None


def format_tag(control: TimeControl | None) -> str:
    """Write it as a TimeControl tag has it: in seconds."""
    if control is None:
        return "-"
    glass = "*" if control.extra is TimeExtra.HOURGLASS else ""
    return f"{glass}{control.main_s:g}{_extra(control)}"


def _extra(control: TimeControl) -> str:
    if control.extra in (TimeExtra.NONE, TimeExtra.HOURGLASS):
        return ""
    return f"{control.extra.value}{control.extra_s:g}"


def _checked(text: str, main_s: float, found: re.Match[str]) -> TimeControl:
    extra = TimeExtra((found["mark"] or "").lower())
    main_s, extra_s = round(main_s, 1), round(float(found["extra"] or 0), 1)
    is_kept = 1 <= main_s <= MOST_MAIN_S and extra_s <= MOST_EXTRA_S
    if not is_kept or (found["glass"] and extra is not TimeExtra.NONE):
        raise BadTimeControl(AS_IN, text=text)
    if found["glass"]:
        return TimeControl(main_s, TimeExtra.HOURGLASS)
    return TimeControl(main_s, extra if extra_s else TimeExtra.NONE, extra_s)


def parse_seconds(text: str) -> float:
    """Read `h:mm:ss`, `m:ss` or seconds, as a clock shows them. Raises BadTimeControl."""
    seconds, parts = 0.0, text.split(":")
    for part in parts:
        number = decimal_number(part)
        if number is None or len(parts) > 3:
            raise BadTimeControl(
                _("clock {text!r} shows no time: write 0:12:30, 12:30 or 9.5"), text=text
            )
        seconds = 60 * seconds + number
    return seconds


ADJUST_S: Final = 1.5
"""Seconds within which a lifted piece that is put back was adjusted, not touched."""

AMEND_S: Final = 3.0
"""Seconds after a ply in which hands may still amend it where nothing is taken back: they slide."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """The manners of a game: `allows_hints` is about any help with play, on the board or on pages.

    `needs_arbiter`: corrections of the game take the arbiter's PIN.
    """

    name: ConductName
    is_touch_move: bool = False
    allows_hints: bool = True
    allows_take_back: bool = True
    needs_arbiter: bool = False


FRIENDLY: Final = Conduct("friendly")
CONDUCTS: Final[Mapping[str, Conduct]] = {
    "friendly": FRIENDLY,
    "strict": Conduct("strict", is_touch_move=True),
    "tournament": Conduct("tournament", True, False, False, True),
}


def owed(position: Position, touched: Sequence[Square]) -> frozenset[Move]:
    """Return the plies to choose from after the pieces on the squares `touched` were touched.

    Empty if any ply will do: nothing was touched, or nothing touched can be moved or taken.
    """
    if not touched:
        return frozenset()
    # The same order as in the laws of chess: a piece of each side binds both, else the first one
    # does.
    moves = position.moves()
    own = [at for at in touched if position.occupant_at(at) is OCCUPANT_OF[position.side]]
    foe = [at for at in touched if position.occupant_at(at) is OCCUPANT_OF[position.side.other]]
    both = [move for move in moves if move.from_square in own and move.to_square in foe]
    if both:
        return frozenset(both)
    for square in touched:
        chosen = [move for move in moves if square in (move.from_square, move.to_square)]
        if chosen:
            return frozenset(chosen)
    return frozenset()


Stop: TypeAlias = Literal["people", "table", "over"]
"""A reason for which a clock stands: people pause, the table is not ready, the game is over."""

LOW_S = 20.0
"""Seconds below which time is low; or a tenth of the time at the start, if that is less."""


class Times(NamedTuple):
    """Seconds of each side."""

    black: float
    orange: float

    def of(self, side: Side) -> float:
        return self.black if side is Side.BLACK else self.orange

    def plus(self, more: Times) -> Times:
        return Times(self.black + more.black, self.orange + more.orange)

    def with_more(self, side: Side, seconds: float) -> Times:
        """Return the times after `seconds` are added for a side."""
        if side is Side.BLACK:
            return Times(self.black + seconds, self.orange)
        return Times(self.black, self.orange + seconds)


@dataclass(frozen=True, slots=True)
class Turn:
    """A ply as the clocks saw it."""

    number: int
    began: Times
    """Both clocks when its player's time began to run."""
    ended: Times
    """Both clocks when it was made, before anything was added."""
    thought_s: float
    """Seconds that the clock ran, the free part of a delay included."""
    shown: float
    """Seconds that its player had left in the end."""
    was_running: bool
    """False for a ply that started the clock."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """Both clocks at one moment."""

    control: TimeControl
    left: Times
    """Time that each side has left at `at`."""
    at: float
    """The moment, in seconds on the table clock."""
    began: Times
    """Time that each side had left when the present turn began."""
    thought_s: float = 0.0
    """Seconds that the present turn has lasted, the free part of a delay included."""
    running: Side | None = None
    """The side whose turn it is; its clock stands while there are `stops`. None before the
    start."""
    stops: frozenset[Stop] = frozenset()
    is_made: bool = False
    """True once the ply was made and while the button is still to be pressed."""
    is_pressed: bool = False
    """True once the button was pressed and while the ply is still unknown."""
    turns: tuple[Turn, ...] = ()

    @classmethod
    def agreed(cls, control: TimeControl, at: float) -> Clocks:
        """Return the clocks before the start."""
        left = Times(control.main_s, control.main_s)
        return cls(control, left, at, left)

    @property
    def is_running(self) -> bool:
        """True while time passes for somebody."""
        return self.running is not None and not self.stops

    @property
    def takes_press(self) -> bool:
        """True if a press has a meaning: it starts the clock, or buttons end the turns."""
        return self.running is None or self.control.by_buttons

    @property
    def flag_at(self) -> float | None:
        """Time at which the running side's flag will fall; None while no clock runs."""
        if self.running is None or self.stops:
            return None
        return self.at + self.left.of(self.running) + self.free_left_s

    @property
    def free_left_s(self) -> float:
        """Seconds of the present turn that cost nothing, as far as they are left."""
        return max(0.0, self._free_s - self.thought_s)

    @property
    def low_s(self) -> float:
        """Seconds below which a side is short of time."""
        return min(LOW_S, self.control.main_s / 10)

    def is_low(self, side: Side) -> bool:
        return self.left.of(side) < self.low_s

    # What changes them

    def until(self, now: float) -> Clocks:
        """Return the clocks as they stand at `now`; an earlier time changes nothing."""
        if now <= self.at:
            return self
        if self.running is None or self.stops:
            return replace(self, at=now)
        passed, thought = now - self.at, self.thought_s + now - self.at
        # By the whole turn, not by this step: the free part of a delay is used up only once.
        cost = max(0.0, thought - self._free_s) - max(0.0, self.thought_s - self._free_s)
        left = self.left.with_more(self.running, -cost)
        if self.control.extra is TimeExtra.HOURGLASS:
            left = left.with_more(self.running.other, passed)
        return replace(self, at=now, left=left, thought_s=thought)

    def stopped(self, stop: Stop, at: float) -> Clocks:
        """Return the clocks standing for one reason more."""
        return replace(self.until(at), stops=self.stops | {stop})

    def released(self, stop: Stop, at: float) -> Clocks:
        """Return the clocks standing for one reason less."""
        return replace(self.until(at), stops=self.stops - {stop})

    def skipped(self, to: float) -> Clocks:
        """Return the clocks at a later time, up to which none has run: the table was off."""
        return replace(self, at=to)

    def made(self, number: int, at: float) -> Clocks:
        """Return the clocks after ply `number`; an answer to a question was counted with it."""
        if self.turns and number <= self.turns[-1].number:
            return self.until(at)
        clocks, mover = self.until(at), side_of(number)
        if clocks.running is mover.other:
            # Nobody pressed the button after the ply before; the reply takes it for made.
            clocks = clocks._handed_over()
        was_running = clocks.running is not None
        turn = Turn(
            number,
            clocks.began,
            clocks.left,
            clocks.thought_s,
            clocks.left.of(mover),
            was_running,
        )
        clocks = replace(clocks, turns=(*clocks.turns, turn))
        # With buttons the turn goes on until the press; where that came first, the ply completes
        # it.
        if self.control.by_buttons and not (was_running and self.is_pressed):
            return replace(clocks, is_made=was_running)
        return clocks._handed_over() if was_running else clocks._begun(mover.other)

    def pressed(self, at: float, to_move: Side) -> Clocks:
        """Return the clocks after a press; one that comes before its ply waits for that."""
        clocks = self.until(at)
        if clocks.running is None:
            return clocks._begun(to_move)
        return clocks._handed_over() if clocks.is_made else replace(clocks, is_pressed=True)

    def taken_back(self, number: int, at: float, gives_all: bool) -> Clocks:
        """Return the clocks without ply `number`, taken back at `at`.

        Time that ran since it was made is given back, and time that it added is gone; with
        `gives_all` its player also gets back the time spent on it.
        """
        turn = next((turn for turn in self.turns if turn.number == number), None)
        clocks = replace(self.until(at), stops=self.stops - {"over"})
        if turn is None:
            return clocks if clocks.running is None else clocks._begun(side_of(number))
        return replace(
            clocks,
            is_made=False,
            is_pressed=False,
            left=turn.began if gives_all else turn.ended,
            began=turn.began,
            thought_s=0.0 if gives_all else turn.thought_s,
            running=side_of(number) if turn.was_running else None,
            turns=self.turns[: self.turns.index(turn)],
        )

    def corrected(self, to_move: Side, at: float) -> Clocks:
        """Return the clocks where play goes on from another position."""
        clocks = replace(self.until(at), turns=(), stops=self.stops - {"over"})
        return clocks if clocks.running is None else clocks._begun(to_move)

    def shown(self, left: Times, at: float) -> Clocks:
        """Return the clocks set to what they show; a take-back later does not undo that."""
        clocks = self.until(at)
        # The correction goes into the turns before, too, so that taking one back keeps it.
        more = Times(left.black - clocks.left.black, left.orange - clocks.left.orange)
        if not any(more):
            return clocks
        turns = tuple(
            replace(turn, began=turn.began.plus(more), ended=turn.ended.plus(more))
            for turn in clocks.turns
        )
        return replace(clocks, left=left, began=clocks.began.plus(more), turns=turns)

    @property
    def _free_s(self) -> float:
        """Seconds of each turn that cost nothing."""
        return self.control.extra_s if self.control.extra is TimeExtra.DELAY else 0.0

    def _begun(self, side: Side) -> Clocks:
        return replace(
            self,
            running=side,
            began=self.left,
            thought_s=0.0,
            is_made=False,
            is_pressed=False,
        )

    def _handed_over(self) -> Clocks:
        """Return the clocks after the running side's turn, with the time that it adds."""
        side = self.running
        assert side is not None
        added = 0.0
        if self.control.extra is TimeExtra.INCREMENT:
            added = self.control.extra_s
        elif self.control.extra is TimeExtra.BRONSTEIN:
            added = min(self.control.extra_s, self.thought_s)
        left = self.left.with_more(side, added)
        turns = self.turns
        if turns and side_of(turns[-1].number) is side:
            last = replace(
                turns[-1], ended=self.left, thought_s=self.thought_s, shown=left.of(side)
            )
            turns = (*turns[:-1], last)
        return replace(self, left=left, turns=turns)._begun(side.other)


def side_of(number: int) -> Side:
    """Return the side that plays ply `number`: Black's are odd."""
    return Side.BLACK if number % 2 else Side.ORANGE


def format_seconds(seconds: float) -> str:
    """Write a time as a clock shows it: `1:02:03`, `9:58`, and below ten seconds `0:09.8`.

    Rounded up, so that a clock shows 0 only once its flag has fallen.
    """
    tenths = max(ceil(seconds * 10 - 1e-6), 0)
    if 0 < tenths < 100:
        return f"0:0{tenths / 10:.1f}"
    minutes, rest = divmod(max(ceil(seconds - 1e-6), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
