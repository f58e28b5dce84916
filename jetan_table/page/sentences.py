"""What the pages say: English stands in their own files; here it is put into other languages."""

import html
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from rules.options import OPTIONS, PRESETS

from ..languages import ENGLISH, Language, translation

SAID: Final = re.compile(
    r"""\b(?:say|_)\(("(?:[^"\\\n]|\\.)*")(?=[,)])|data-(?:word|label)="([^"]*)\""""
)
"""A sentence of a script, as JSON writes it; and one of a page's markup."""

TOLD: Final = tuple(
    str(sentence)
    for sentence in (
        *(option.meaning for option in OPTIONS.values()),
        *(text for each in PRESETS.values() for text in (each.title, each.gist, each.source)),
    )
)
"""Sentences that `/api/about` gives the page to be said."""


def said_by(path: Path) -> Iterator[str]:
    """Yield every sentence of a page or a script."""
    for spoken, shown in SAID.findall(path.read_text(encoding="utf-8")):
        yield json.loads(spoken) if spoken else html.unescape(shown)


def files_of(static: Path) -> list[Path]:
    """Return the pages and scripts of a folder."""
    return sorted(path for path in static.iterdir() if path.suffix in {".html", ".js"})


@cache
def catalogue_of(language: Language, *folders: Path) -> Mapping[str, str]:
    """Return what the pages of some folders say, English to the language; empty for English."""
    if language == ENGLISH:
        return {}
    translate = translation(language)
    paths = (path for folder in folders for path in files_of(folder))
    spoken = {sentence for path in paths for sentence in said_by(path)}
    return {sentence: translate(sentence) for sentence in sorted(spoken.union(TOLD))}
