"""The languages of the table: English, and each that has a catalogue in `locale/`."""

import gettext
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path, PurePath
from string import Formatter
from struct import unpack_from
from typing import TypeAlias, TypedDict

from rules import (
    Sentence,
    SentenceError,
    Translate,
    Worded,
    _,
    english,
    in_words,
    printable,
    value_in_words,
)

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


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """Return every sentence with its translation, as a page says it; empty for English."""
    if language == ENGLISH:
        return {}
    data = (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.mo").read_bytes()
    count, *tables = unpack_from("<3I", data, 8)
    # gettext tells none of what it has read. Both tables have the length and place of each text.
    # The empty sentence is a header; what depends on a number is said by the command line alone.
    texts, translated = ([_text_at(data, at + 8 * n) for n in range(count)] for at in tables)
    pairs = zip(texts, translated, strict=True)
    return {text: other for text, other in pairs if text and "\0" not in text}


def _text_at(data: bytes, at: int) -> str:
    length, start = unpack_from("<2I", data, at)
    return data[start : start + length].decode()


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


class SentenceData(TypedDict):
    """A sentence for programs: its English template, and what stands for each `{name}` in that.

    Where the template asks for a form, as in `{wait_s:.0f}`, the value is a text that has it.
    """

    template: str
    values: dict[str, "str | int | SentenceData"]


def as_data(words: str) -> SentenceData:
    """Return a sentence, or a bare text, as data; whoever shows it puts it into words."""
    if isinstance(words, Worded):
        values: dict[str, str | int | SentenceData] = {}
        for _text, name, form, conversion in _parsed(words.template):
            if name:
                values[name] = _value_as_data(words.values[name], form or "", conversion)
        return {"template": str.__str__(words.template), "values": values}
    if isinstance(words, Sentence):
        return {"template": str.__str__(words), "values": {}}
    return {"template": "{text}", "values": {"text": printable(words)}}


_parsed = lru_cache(maxsize=512)(lambda template: tuple(Formatter().parse(template)))


def _value_as_data(value: object, form: str, conversion: str | None) -> str | int | SentenceData:
    if form or conversion:
        return printable(format(repr(value) if conversion == "r" else value, form))
    value = worded(value) if isinstance(value, Exception) else getattr(value, "worded", value)
    if isinstance(value, Sentence | Worded):
        return as_data(value)
    # Other numbers, and None, are not written alike in every language of programs.
    return value if type(value) is int else printable(str(value))


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
