"""Sentences and errors for people: English here, translated where they are shown.

`_` marks a sentence for the catalogues. A sentence travels as it is, with what it names, and is
put into words where it is shown: by a `Translate`, which knows one language. An error is a sentence
that is raised, in words that a player or builder can act on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .plain import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal


class Sentence(str):
    """An English template that catalogues have in other languages; it names what is filled in."""

    __slots__ = ()


def _(template: str) -> Sentence:
    """Mark a template for the catalogues."""
    return Sentence(template)


_COMMANDS = dict.fromkeys({*range(32), *range(127, 160)} - {ord("\n")}, "\N{REPLACEMENT CHARACTER}")
"""Characters that could command a terminal, and the sign that is shown instead."""


def printable(text: str) -> str:
    """Return a text without characters that command a terminal: names come from anybody."""
    return text.translate(_COMMANDS)


Translate = Callable[[str], str]
"""Takes an English template and returns it in one language."""


def english(template: str) -> str:
    """Return a template as it stands."""
    return str(template)


class Worded(str):
    """A sentence with its values: English as text, and `said` in every language."""

    template: Sentence
    values: dict[str, object]

    def __new__(cls, template: Sentence, **values: object) -> Worded:
        worded = super().__new__(cls, printable(template.format(**values)))
        worded.template, worded.values = template, values
        return worded

    def said(self, translate: Translate) -> str:
        """Return it in one language."""
        return in_words(translate, self.template, **self.values)


def in_words(translate: Translate, template: str, /, **values: object) -> str:
    """Return a sentence in one language, its values filled in and put into words themselves."""
    # Values come first and the whole is cleaned last: a name in it may come from anybody.
    shown = {name: value_in_words(translate, value) for name, value in values.items()}
    return printable(translate(template).format(**shown))


def value_in_words(translate: Translate, value: object) -> object:
    """Return a value as it stands in a sentence: marked texts, and what has `said`, translated."""
    if isinstance(value, Sentence):
        return translate(value)
    said_in = getattr(value, "said", None)
    return value if said_in is None else said_in(translate)


def joined(parts: Iterable[object], between: str = " ") -> str:
    """Return texts and sentences, one after another, as one sentence; empty for none.

    `between` is a text or a sentence, such as " or ", that is said between each two.

    >>> joined(("d4", "e5", "f6"), _(" or "))
    'd4 or e5 or f6'
    """
    values = {f"part_{number}": part for number, part in enumerate(parts, 1)}
    if len(values) < 2:
        return next((part for part in values.values() if isinstance(part, str)), "")
    # The template has no words of its own, so no catalogue needs it: each part is said by itself.
    template = "{between}".join(f"{{{name}}}" for name in values)
    return Worded(Sentence(template), between=between, **values)


class SentenceError(Exception):
    """An error that can be said in every language; as text it is English.

    `template` is its sentence, and `values` what that names: texts, numbers, sentences, whatever
    is `said` in a language, another error.
    """

    def __init__(self, template: Sentence, **values: object) -> None:
        self.template, self.values = template, values
        super().__init__(printable(template.format(**values)))

    @property
    def worded(self) -> Worded:
        """The message as a text that can be translated later."""
        return Worded(self.template, **self.values)

    def said(self, translate: Translate) -> str:
        """Return it in one language."""
        return in_words(translate, self.template, **self.values)


class Notice(NamedTuple):
    """The finding of a check, and the way to mend it where something is wrong.

    Its sentences are translated where they are shown.
    """

    check: str
    verdict: Literal["pass", "warn", "fail"]
    found: str
    mend: str = ""
    place: str = ""
    """The one of several that it is about: a square, a remark on a part, a game's number."""

    @property
    def id(self) -> str:
        """Its name: `supply`, `switches-d4`, `part-lamps-lost`."""
        return f"{self.check}-{self.place}" if self.place else self.check

    @property
    def line(self) -> str:
        """Finding and mend in one line."""
        if not self.mend:
            return self.found
        return Worded(_("{found}: {mend}"), found=self.found, mend=self.mend)

    def in_words(self, translate: Translate) -> Notice:
        """Return the same, found and mend in one language."""
        found, mend = (str(value_in_words(translate, text)) for text in (self.found, self.mend))
        return self._replace(found=found, mend=mend)


class RulesError(SentenceError):
    """Base of everything this package raises on purpose."""


class UnknownName(RulesError, LookupError):
    """A square, option or preset that does not exist."""


class BadValue(RulesError, ValueError):
    """A value an option does not take, alone or beside another; or what no dice show."""


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


def near_miss(wrong: str, names: Iterable[str]) -> str:
    """Return ", did you mean X?" for the name closest to a wrong one; "" if none is close."""
    # Only a mistake needs difflib, and its import is a good part of this package's own.
    from difflib import get_close_matches

    close = get_close_matches(wrong, list(names), n=1)
    return Worded(_(", did you mean {name}?"), name=close[0]) if close else ""
