"""The languages of the table: English, and each that has a catalogue in `locale/`."""

import gettext
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePath
from typing import TypeAlias

from rules import Sentence, SentenceError, Translate, Worded, _, english, in_words, value_in_words

Language: TypeAlias = str
"""A language's code, such as `de`: one of `LANGUAGES`."""

ENGLISH, DOMAIN = "en", "jetan"
LOCALE = Path(__file__).parent / "locale"

LANGUAGES: tuple[Language, ...] = (
    ENGLISH,
    *sorted(path.parts[-3] for path in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")),
)
"""English first."""


SYSTEM_ERRORS = frozenset(
    {
        _("No such file or directory"),
        _("Permission denied"),
        _("Is a directory"),
        _("Not a directory"),
        _("File exists"),
        _("No space left on device"),
        _("Read-only file system"),
        _("Input/output error"),
        _("Address already in use"),
    }
)
"""Messages of the system on files and ports that people name, which are translated."""


def environment_language(environment: Mapping[str, str]) -> Language:
    """Return the language of LC_ALL, LC_MESSAGES or LANG; English for any that is not ours."""
    # In the order in which the C library looks: the first that is set decides.
    asked = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    language = re.split("[_.@]", asked)[0]
    return language if language in LANGUAGES else ENGLISH


@cache
def translation(language: Language) -> Translate:
    """Return the translation of English templates; FileNotFoundError without a catalogue."""
    if language == ENGLISH:
        return english
    return gettext.translation(DOMAIN, LOCALE, [language]).gettext


def say_in(language: Language, template: str, /, **values: object) -> str:
    """Return a sentence in a language, its values filled in."""
    return in_words(translation(language), template, **values)


def worded_in(language: Language, words: str) -> str:
    """Return a sentence that has its values already; bare text stays as it is."""
    return str(value_in_words(translation(language), words))


def refused_in(language: Language, error: Exception) -> str:
    """Return an error's message to people, in their language if it has a sentence."""
    return worded_in(language, worded(error))


def plain(value: object) -> str:
    """Return a sentence as bare text: msgspec's encoders take no other (their `enc_hook`)."""
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"{type(value).__name__} is no text")


def without_folders(words: str) -> str:
    """Return words that may be shown to anybody: files by their names, without their folders."""
    if not isinstance(words, Worded):
        return words
    return Worded(words.template, **{name: _nowhere(it) for name, it in words.values.items()})


def _nowhere(value: object) -> object:
    if isinstance(value, PurePath):
        return value.name
    if isinstance(value, Exception):
        return without_folders(worded(value))
    return without_folders(value) if isinstance(value, str) else value


def worded(error: Exception) -> str:
    """Return an error's message as a sentence; the system's as `FILE: what is wrong`."""
    if isinstance(error, SentenceError):
        return error.worded
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    why = Sentence(error.strerror)
    if not error.filename:
        return why
    return Worded(_("{path}: {why}"), path=Path(str(error.filename)), why=why)
