"""What the pages say: every sentence of a script is found, and put into words by the table."""

import re
from pathlib import Path

import pytest

from jetan_table import page
from jetan_table.extras import hall
from jetan_table.light.lamps import Cue
from jetan_table.page.documents import about
from jetan_table.page.pages import SAID, STATIC, catalogue_of, files_of, said_by
from jetan_table.page.state import cue_name
from rules.options import PRESETS

FOLDERS = [Path(str(room.__file__)).parent / "static" for room in (page, hall)]
LITERAL = re.compile(r"""\b(?:say|_)\(\s*["'`]|data-(?:word|label)=["']""")
"""How a sentence begins, however it is written."""
UNMARKED = re.compile(r"""\bsay\([^"'`()]*[?:] ?["'`]""")
"""`say(isOne ? "one" : ...)`, which nobody would find."""


def table_of(name: str) -> str:
    """A table of `names.js`, as it is written there."""
    names = (STATIC / "names.js").read_text()
    return names.partition(f"const {name} = {{")[2].partition("};")[0]


def keys_of(name: str) -> set[str]:
    return set(re.findall(r'(?:^|[{,])\s*"?([\w-]+)"?: [_\[]', table_of(name), re.MULTILINE))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_every_sentence_of_a_page_is_found_however_it_is_written(folder: Path) -> None:
    for path in files_of(folder):
        text = path.read_text()
        assert len(LITERAL.findall(text)) == len(SAID.findall(text)), path
        assert not UNMARKED.search(text), path


@pytest.mark.parametrize("written", ["say('a')", "say(`a`)", 'say(\n  "a")', 'say("a" + b)'])
def test_a_sentence_that_nobody_would_find_is_noticed(written: str) -> None:
    assert len(LITERAL.findall(written)) == 1
    assert not SAID.search(written)


def test_sentences_are_found_within_one_another_and_in_markup(tmp_path: Path) -> None:
    script = tmp_path / "page.js"
    script.write_text(
        r'say("{side} \"won\"", { side: say("Black"), x: `${say("deep")}` }); _("later")'
    )
    markup = tmp_path / "page.html"
    markup.write_text('<b data-word="Off &amp; on"></b><i data-label="Close"></i>')
    assert list(said_by(script)) == ['{side} "won"', "Black", "deep", "later"]
    assert list(said_by(markup)) == ["Off & on", "Close"]


def test_the_page_is_told_its_own_sentences_alone() -> None:
    german = catalogue_of("de", STATIC)
    assert german["Resign this game?"] == "Diese Partie aufgeben?"
    assert german[str(PRESETS["appendix"].source)]
    assert "the table is away" not in german
    assert catalogue_of("de", FOLDERS[1])["the table is away"]
    assert catalogue_of("en", STATIC) == {}


def test_every_cue_has_a_name() -> None:
    where = "jetan_table/page/static/names.js: CUES must have a line for each, and no other"
    assert keys_of("CUES") == {cue_name(cue) for cue in Cue}, where


@pytest.mark.parametrize("name", PRESETS)
def test_the_page_is_told_what_a_reading_is_called_and_means(name: str) -> None:
    told = about()["presets"][name]
    assert {told["title"], told["gist"], told["source"]} <= catalogue_of("de", STATIC).keys()
