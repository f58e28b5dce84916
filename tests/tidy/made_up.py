"""A language made up by a script, in German's place: all that offers German offers it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from babel.messages import Catalog

from jetan_table import languages
from jetan_table.languages import DOMAIN, LANGUAGES, translation
from jetan_table.web import state
from jetan_table.words.words import Speaker
from tests.tidy import catalogue

MADE_UP = "de"
KEPT = re.compile(r"\{[^{}]*\}|%\S|`[^`]*`")
"""Names, and what is typed, stay as they are."""


def bent(text: str) -> str:
    """A sentence of the made-up language: every letter of it is Greek."""
    parts, at = [], 0
    for kept in KEPT.finditer(text):
        parts += [greek(text[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join([*parts, greek(text[at:])])


def greek(text: str) -> str:
    return re.sub(r"[A-Za-z]", "ω", text)


@cache
def made_without(lacking: tuple[str, ...]) -> bytes:
    """The catalogue of the made-up language, but for some sentences."""
    made = Catalog(locale="de", fuzzy=False)
    for entry in catalogue.extracted():
        if entry.id and entry.id not in lacking:
            words = entry.id
            made.add(words, bent(words) if isinstance(words, str) else tuple(map(bent, words)))
    return catalogue.compiled(made)


@contextmanager
def installed(folder: Path, *lacking: str) -> Iterator[str]:
    """Let the table read the made-up language, but for sentences that it is `lacking`."""
    kept = folder / MADE_UP / "LC_MESSAGES" / f"{DOMAIN}.mo"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(made_without(lacking))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(languages, "LOCALE", folder)
        translation.cache_clear()
        patched.setattr(state, "SPEAKERS", {each: Speaker(each) for each in LANGUAGES})
        yield MADE_UP
    translation.cache_clear()


def left(text: str, *names: str) -> list[str]:
    """The words of a text that nobody has translated; squares, moves and `names` are none."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    text = re.sub(r"`[^`]*`|\b[A-Z]?[a-j]\d+([-x~][a-j]\d+)?\b", "", text)
    return re.findall(r"[A-Za-z]{2,}", text)
