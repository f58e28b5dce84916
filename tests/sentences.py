"""Sentences that a table sends as data, put into words as a page does it."""

import re
from typing import Any

from jetan_table.languages import ENGLISH, Language, catalogue


def said(sentence: Any, language: Language = ENGLISH) -> str:
    """Return a sentence in a language; nothing for None."""
    if sentence is None:
        return ""

    def value(found: re.Match[str]) -> str:
        shown = sentence["values"].get(found[1], "")
        return said(shown, language) if isinstance(shown, dict) else str(shown)

    template: str = sentence["template"]
    words = catalogue(language).get(template, template)
    return re.sub(r"\{(\w+)(?:!r)?(?::[^}]*)?\}", value, words)


def all_said(sentences: list[Any], language: Language = ENGLISH) -> list[str]:
    """Return sentences in a language."""
    return [said(each, language) for each in sentences]
