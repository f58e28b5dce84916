"""What is under version control reads the same on every machine."""

import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest

from tests.tidy.tree import ROOT, assert_none, shown, tracked_texts

pytestmark = pytest.mark.needs("git")

MACHINE_PATH: Final = re.compile(r"(?<![\w.~])/(?:root|home|work|tmp|Users)/[\w.]+")
LINK: Final = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCED: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING: Final = re.compile(r"^#+\s+(.*)$", re.MULTILINE)


def anchors(text: str) -> set[str]:
    """The places in a Markdown text that a link can name, as GitHub derives them."""
    headings = HEADING.findall(FENCED.sub("", text))
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    }


def is_dead(link: str, page: Path) -> bool:
    """Whether a link on `page` leads to a file or heading of the project that is not there."""
    if link.startswith(("http://", "https://", "mailto:")):
        return False
    name, _, anchor = unquote(link).partition("#")
    target = page.parent / name if name else page
    if not target.exists() or not target.resolve().is_relative_to(ROOT):
        return True
    return bool(anchor) and target.suffix == ".md" and anchor not in anchors(target.read_text())


def test_every_folder_at_the_root_is_a_room_of_the_house() -> None:
    """What a command has written there is nobody's room."""
    folders = {path.relative_to(ROOT).parts[0] for path in tracked_texts() if path.parent != ROOT}
    rooms = re.findall(r"^\| `(\w+)/` \|", (ROOT / "docs/architecture.md").read_text(), re.M)
    assert {name for name in folders if not name.startswith(".")} == set(rooms)


def test_no_text_names_a_path_of_one_machine() -> None:
    offences = [
        f"{shown(path)}: {match.group()}"
        for path, text in tracked_texts().items()
        for match in MACHINE_PATH.finditer(text)
    ]
    assert_none(offences)


def test_links_between_pages_resolve() -> None:
    offences = [
        f"{shown(path)}: {link}"
        for path, text in tracked_texts().items()
        if path.suffix == ".md"
        for link in LINK.findall(FENCED.sub("", text))
        if is_dead(link, path)
    ]
    assert_none(offences)


def test_lines_end_cleanly() -> None:
    offences = [
        shown(path)
        for path, text in tracked_texts().items()
        if text and (not text.endswith("\n") or re.search(r"[ \t\r]+$", text, re.MULTILINE))
    ]
    assert_none(offences)
