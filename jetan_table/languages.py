"""The languages of the table: English, and each that has a catalogue in `locale/`."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path
from typing import TypeAlias

from rules.sentences import Translate, english, in_words, value_in_words

Language: TypeAlias = str
"""A language's code, such as `de`: one of `LANGUAGES`."""

ENGLISH, DOMAIN = "en", "jetan"
LOCALE = Path(__file__).parent / "locale"

LANGUAGES: tuple[Language, ...] = (
    ENGLISH,
    *sorted(path.parts[-3] for path in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")),
)
"""English first."""


@cache
def translation(language: Language) -> Translate:
    """Return what puts English templates into a language; FileNotFoundError without catalogue."""
    if language == ENGLISH:
        return english
    return gettext.translation(DOMAIN, LOCALE, [language]).gettext


def say_in(language: Language, template: str, /, **values: object) -> str:
    """Return a sentence in a language, its values filled in."""
    return in_words(translation(language), template, **values)


def refused_in(language: Language, error: Exception) -> str:
    """Return what an error says to people, in their language where it can."""
    return str(value_in_words(translation(language), error))
