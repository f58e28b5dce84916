"""What the rules refuse, each in words a player or builder can act on."""

from __future__ import annotations

from collections.abc import Iterable


class RulesError(Exception):
    """Base of everything this package raises on purpose."""


class UnknownName(RulesError, LookupError):
    """A square, option or preset that does not exist."""


class BadValue(RulesError, ValueError):
    """A value an option does not take."""


class Contradiction(RulesError, ValueError):
    """Options, each fine alone, that cannot be played together."""


class BadText(RulesError, ValueError):
    """A rules, position, move or game text that cannot be read."""


class BadGame(BadText):
    """A game text that goes wrong somewhere: `line` from 1, `ply` from 1 where it is a ply's."""

    def __init__(self, why: str, line: int, ply: int | None = None, move: str = "") -> None:
        at = f"line {line}" if ply is None else f"line {line}, ply {ply} ({move})"
        super().__init__(f"{at}: {why}")
        self.why = why
        self.line = line
        self.ply = ply


class IllegalMove(RulesError, ValueError):
    """A move, roll or duel the position does not allow."""


def closest(wrong: str, names: Iterable[str]) -> str | None:
    """Return the one of `names` that was probably meant; None where none is close."""
    # Only a mistake needs difflib, and its import is a good part of this package's own.
    from difflib import get_close_matches

    return next(iter(get_close_matches(wrong, list(names), n=1)), None)


def near_miss(wrong: str, names: Iterable[str]) -> str:
    """Return ", did you mean X?" for the closest of `names`, or "" where none is close."""
    close = closest(wrong, names)
    return f", did you mean {close}?" if close else ""
