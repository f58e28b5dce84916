"""The page's words: every key in both languages, and every key that the page uses."""

import re
from pathlib import Path

from jetan_table.lamps.cues import Cue
from jetan_table.web.frame import STATIC
from jetan_table.web.state import cue_name
from jetan_table.web.words import PAGE_WORDS

USED = re.compile(r"""data-(?:word|label)="([\w-]+)"|\bsay\("([\w-]+)\"""")
NAMES = re.compile(r"\{\w+\}")


def test_both_languages_say_the_same_things() -> None:
    english, german = PAGE_WORDS["en"], PAGE_WORDS["de"]
    assert english.keys() == german.keys()
    for key, words in english.items():
        assert words
        assert german[key]
        assert sorted(NAMES.findall(words)) == sorted(NAMES.findall(german[key])), key


def test_the_page_says_nothing_that_has_no_words() -> None:
    used = set()
    for path in (*STATIC.glob("*.js"), STATIC / "index.html"):
        for found in USED.findall(Path(path).read_text()):
            used |= set(filter(None, found))
    assert len(used) > 60
    assert used <= PAGE_WORDS["en"].keys()


def test_every_cue_has_words() -> None:
    assert {f"cue-{cue_name(cue)}" for cue in Cue} <= PAGE_WORDS["de"].keys()
