"""How much time two players have, as a value and as texts.

People write minutes and seconds: `10` (sudden death), `10+5` (five seconds are added after each
ply), `10d5` (the first five seconds of each ply are free: the simple or US delay), `10b5` (what was
used of five seconds is given back after each ply: Bronstein's delay), `hourglass 3` (what one
player uses the other gains). `buttons` behind it: the clock is pressed, not the ply read.
A game text's TimeControl tag has all in seconds, as PGN does: `600+5`, `600d5`, `*180`, `-`.
"""

import re
from dataclasses import dataclass, replace
from enum import Enum

from rules.plain import decimal_number
from rules.sentences import _

from ..errors import TableError

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


class Extra(Enum):
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
    extra: Extra = Extra.NONE
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
    glass = "hourglass " if control.extra is Extra.HOURGLASS else ""
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
    glass = "*" if control.extra is Extra.HOURGLASS else ""
    return f"{glass}{control.main_s:g}{_extra(control)}"


def _extra(control: TimeControl) -> str:
    if control.extra in (Extra.NONE, Extra.HOURGLASS):
        return ""
    return f"{control.extra.value}{control.extra_s:g}"


def _checked(text: str, main_s: float, found: re.Match[str]) -> TimeControl:
    extra = Extra((found["mark"] or "").lower())
    main_s, extra_s = round(main_s, 1), round(float(found["extra"] or 0), 1)
    is_kept = 1 <= main_s <= MOST_MAIN_S and extra_s <= MOST_EXTRA_S
    if not is_kept or (found["glass"] and extra is not Extra.NONE):
        raise BadTimeControl(AS_IN, text=text)
    if found["glass"]:
        return TimeControl(main_s, Extra.HOURGLASS)
    return TimeControl(main_s, extra if extra_s else Extra.NONE, extra_s)


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
