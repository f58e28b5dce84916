"""How anything is said: English where it is said, other languages by whoever shows it.

`_` marks a sentence for the catalogues. A sentence travels as it is, with what it names, and is
put into words where it is shown: by a `Translate`, which knows one language.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable


class Sentence(str):
    """An English template that catalogues have in other languages; it names what is filled in."""

    __slots__ = ()


def _(template: str) -> Sentence:
    """Mark a template for the catalogues."""
    return Sentence(template)


Translate: TypeAlias = Callable[[str], str]
"""Takes an English template and returns it in one language."""


def english(template: str) -> str:
    """Return a template as it stands."""
    return str(template)


class Worded(str):
    """A sentence with its values: English as text, and `Sayable` in every language."""

    template: Sentence
    values: dict[str, object]

    def __new__(cls, template: Sentence, **values: object) -> Worded:
        worded = super().__new__(cls, template.format(**values))
        worded.template, worded.values = template, values
        return worded

    def said(self, translate: Translate) -> str:
        """Return it in one language."""
        return in_words(translate, self.template, **self.values)


@runtime_checkable
class Sayable(Protocol):
    """A value of a sentence that is itself said in the sentence's language."""

    def said(self, translate: Translate) -> str:
        """Return it in one language."""


def in_words(translate: Translate, template: str, /, **values: object) -> str:
    """Return a sentence in one language, its values filled in and put into words themselves."""
    return translate(template).format(
        **{name: value_in_words(translate, value) for name, value in values.items()}
    )


def value_in_words(translate: Translate, value: object) -> object:
    """Return a value as it stands in a sentence: marked texts and what is `Sayable` translated."""
    if isinstance(value, Sentence):
        return translate(value)
    return value.said(translate) if isinstance(value, Sayable) else value


class SentenceError(Exception):
    """An error that can be said in every language; as text it is English.

    `template` is its sentence, and `values` what that names: texts, numbers, sentences, whatever
    is `Sayable`, another error.
    """

    def __init__(self, template: Sentence, **values: object) -> None:
        self.template, self.values = template, values
        super().__init__(template.format(**values))

    def said(self, translate: Translate) -> str:
        """Return it in one language."""
        return in_words(translate, self.template, **self.values)
