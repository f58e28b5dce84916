"""What the rules refuse, each in words a player or builder can act on."""

from __future__ import annotations

from collections.abc import Iterable

from .plain import NamedTuple
from .sentences import SentenceError, Translate, _, in_words


class Near(NamedTuple):
    """What a wrong name may have meant, as the value of a template; None where nothing is close."""

    name: str | None

    def __format__(self, how: str) -> str:
        return self.said(str)

    def said(self, translate: Translate) -> str:
        """Return it in one language."""
        return in_words(translate, _(", did you mean {name}?"), name=self.name) if self.name else ""


class RulesError(SentenceError):
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

    def __init__(self, why: RulesError, line: int, ply: int | None = None, move: str = "") -> None:
        if ply is None:
            super().__init__(_("line {line}: {why}"), line=line, why=why)
        else:
            at = _("line {line}, move {ply} ({move}): {why}")
            super().__init__(at, line=line, ply=ply, move=move, why=why)
        self.line = line
        self.ply = ply


class IllegalMove(RulesError, ValueError):
    """A move, roll or duel the position does not allow."""


def closest(wrong: str, names: Iterable[str]) -> str | None:
    """Return the one of `names` that was probably meant; None where none is close."""
    # Only a mistake needs difflib, and its import is a good part of this package's own.
    from difflib import get_close_matches

    return next(iter(get_close_matches(wrong, list(names), n=1)), None)


def near_miss(wrong: str, names: Iterable[str]) -> Near:
    """Return the closest of `names`: ", did you mean X?" as text, "" where none is close."""
    return Near(closest(wrong, names))
