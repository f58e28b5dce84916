"""The German words of the glossary are those that people meet at a table."""

import re
from collections.abc import Iterator
from typing import Final

from tests.tidy.catalogue import forms, read
from tests.tidy.tree import ROOT, assert_none

DOCS: Final = ROOT / "docs"
ROW: Final = re.compile(r"^\| (?!ours|---)[^|]+\|[^|]+\|([^|]+)\|[^|]+\|$", re.MULTILINE)


def listed() -> list[str]:
    """The German words of every row."""
    rows = ROW.findall((DOCS / "glossary.md").read_text(encoding="utf-8"))
    return [word.strip() for row in rows for word in re.split("[,;]", row) if word.strip()]


def german() -> Iterator[str]:
    """All German that people read."""
    for entry in read("de"):
        yield from forms(entry.string or "")
    for page in (DOCS / "regeln.md", *(DOCS / "de").glob("*.md")):
        yield page.read_text(encoding="utf-8")


def test_german_words_are_what_the_table_says() -> None:
    words, text = listed(), "\n".join(german()).lower()
    assert len(words) > 30
    assert_none(f"nobody says {word}" for word in words if word.lower() not in text)
