"""What players agree on before a game: its rules, their conduct, their time, and their stakes.

*Rules* are named by a rules text, or by a file with rules of their own.

*Conduct* says what they may ask of the table, and what a touch means. Touch-move: an own piece that
is held for `ADJUST_S` must be moved if it can, an enemy's must be taken if it can; whoever puts a
piece straight back has adjusted it. Of several that were touched the first that can be moved or
taken counts; one of each side must take the other if it can.

*Time* is told in minutes and seconds: `10` (sudden death), `10+5` (five seconds are added after
each ply), `10d5` (the first five seconds of each ply are free: the simple or US delay), `10b5`
(what was used of five seconds is given back after each ply: Bronstein's delay), `hourglass 3` (what
one player uses the other gains). `buttons` behind it: the clock is pressed, not the ply read. A
game text's TimeControl tag has all in seconds, as PGN does: `600+5`, `600d5`, `*180`, `-`.

*Prices* of heads are told as `2` (each at twice its value), `C=30,Q=5` (some at a price of their
own), or both, the number first: `2,C=30`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final

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

MOST_BYTES: Final = 100_000
"""A file with rules is a page or two."""


def named_rules(name: str) -> Rules:
    """Return the rules of a rules text, or of the TOML file that `name` ends in `.toml` for.

    Raises RulesError, CommandRefused, NotText, or OSError where the file cannot be opened.
    """
    from ..files import read_text  # a session, which asks for no file, loads this module, too

    if not name.endswith(".toml"):
        return parse_rules(name)
    try:
        return parse_rules_file(read_text(Path(name), MOST_BYTES))
    except RulesError as error:
        raise CommandRefused(_("{name}: {why}"), name=name, why=error) from error


KIND_OF = {kind.value: kind for kind in Kind}


def wager_told(event: WagerAgreed) -> Wager:
    """Return the wager that the journal tells; a kind it does not name is worth nothing."""
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
    """Return a number of tokens; BadValue where nobody plays for so many."""
    if not 0 <= tokens <= MOST_TOKENS:
        raise BadValue(otherwise, letter=letter, tokens=tokens, most=MOST_TOKENS)
    return tokens


AS_IN = _(
    "clock {text!r}: write as in 10 (minutes), 10+5, 10d5, 10b5, 1:30+2, hourglass 3; or none"
)
NO_CLOCK = "none"
MOST_MAIN_S = 24 * 3600
MOST_EXTRA_S = 3600
"""Times are kept to a tenth of a second, and no longer than a day."""

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
    """What the seconds beside a player's own time are; the mark that texts have for it."""

    NONE = ""
    INCREMENT = "+"
    DELAY = "d"
    BRONSTEIN = "b"
    HOURGLASS = "*"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Each player has `main_s` seconds; `extra_s` are what `extra` makes of them.

    `by_buttons`: who has played presses a button, and only then the other clock runs.
    """

    main_s: float
    extra: TimeExtra = TimeExtra.NONE
    extra_s: float = 0.0
    by_buttons: bool = False


def parse_time_control(text: str) -> TimeControl | None:
    """Read what people write; None for `none`. Raises BadTimeControl."""
    if text.strip().lower() == NO_CLOCK:
        return None
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
"""A piece that was lifted and stands again within so long was adjusted, not touched."""

AMEND_S: Final = 3.0
"""So long after a ply hands may still amend it where nothing may be taken back: they slid on."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """What is allowed: `allows_hints` is of all help with play, at the board, in words, on pages.

    `needs_arbiter`: what corrects the game takes the arbiter's PIN.
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
    """Return the plies that must be chosen from, the pieces on `touched` having been touched.

    Empty where any will do: nothing was touched, or nothing touched can be moved or taken.
    """
    if not touched:
        return frozenset()
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


class Fingers:
    """Notices which pieces are held for so long that they are touched."""

    def __init__(self) -> None:
        self._since: dict[Square, float] = {}

    def watch(self, lifted: Sequence[Square], now: float) -> list[Square]:
        """Take in what is in the air, and return what has been there for `ADJUST_S`."""
        self._since = {square: self._since.get(square, now) for square in lifted}
        return [square for square in lifted if now >= self._since[square] + ADJUST_S]
