"""What pages are made of: drawings by the same signs, sentences, and games that play themselves."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from hardware.signs import LETTERS
from jetan_table import page
from jetan_table.extras import hall
from jetan_table.languages import catalogue
from jetan_table.light.lamps import Cue
from jetan_table.page.documents import about
from jetan_table.page.pages import (
    STATIC,
    Figure,
    draw,
    page_pieces,
    sign_paths,
)
from jetan_table.page.state import cue_name, path_of
from rules import (
    JUGGERNAUT_LETTER,
    PRESETS,
    Kind,
    Position,
    format_placement,
    parse_rules,
    parse_square,
)
from tests.tidy.catalogue import SAID, files_of, said_by

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
    assert [text for text, _notes in said_by(script)] == ['{side} "won"', "Black", "deep", "later"]
    assert [text for text, _notes in said_by(markup)] == ["Off & on", "Close"]


def test_a_page_says_its_own_sentences_and_the_table_s_in_another_language() -> None:
    german = catalogue("de")
    assert german["Resign this game?"] == "Diese Partie aufgeben?"
    assert german["{side} to move."] == "{side} ist am Zug."
    assert "" not in german
    assert catalogue("en") == {}


def test_every_cue_has_a_name() -> None:
    where = "jetan_table/page/static/names.js: CUES must have a line for each, and no other"
    assert keys_of("CUES") == {cue_name(cue) for cue in Cue}, where


@pytest.mark.parametrize("name", PRESETS)
def test_the_page_is_told_what_a_reading_is_called_and_means(name: str) -> None:
    preset = about()["presets"][name]
    assert {preset["title"], preset["gist"], preset["source"]} <= catalogue("de").keys()


@pytest.mark.parametrize("name", ["grid", "disk"])
def test_each_kind_moves_as_the_rules_have_it_and_the_princess_is_taken(name: str) -> None:
    show: dict[str, Any] = json.loads((STATIC / f"show-{name}.json").read_text(encoding="utf-8"))
    position = Position.start(parse_rules(show["rules"]))
    assert position.rules.board.name == show["board"]
    assert format_placement(position.pieces(), position.juggernaut) == show["placement"]
    moved, taken = set[Kind](), None
    for path in show["plies"]:
        start, end = parse_square(path[0]), parse_square(path[-1])
        (move,) = [each for each in position.moves_from(start) if each[1] == end]
        assert path_of(position, move) == path
        piece, taken = position.piece_at(start), position.piece_at(end)
        assert piece is not None
        moved.add(piece.kind)
        position = position.play(move)
    assert moved == set(Kind)
    assert taken is not None
    assert taken.kind is Kind.PRINCESS
    assert position.outcome is not None


SVG = "{http://www.w3.org/2000/svg}"


def test_the_page_finds_a_token_for_each_side_and_every_sign() -> None:
    drawn = {symbol.attrib["id"] for symbol in ElementTree.fromstring(page_pieces())}
    assert drawn == {
        *("token-black", "token-orange", "token-neutral"),
        *(f"emblem-{letter}" for letter in LETTERS if letter != JUGGERNAUT_LETTER),
        "emblem-juggernaut",
    }
    for letter in LETTERS:
        assert "".join(sign_paths(letter, 'class="emblem"', 'class="emblem-hole"')) in page_pieces()


@pytest.mark.parametrize(("unit", "signs"), [(42, 2 * (40 + 1)), (20, 40 + 2)])
def test_a_board_shows_signs_where_they_can_be_seen(unit: float, signs: int) -> None:
    start = Position.start(parse_rules("appendix"))
    figure = Figure(
        "start", start.rules.board, start.pieces(), juggernaut=parse_square("e5"), unit=unit
    )
    text = draw(figure)
    uses = [use.attrib["href"] for use in ElementTree.fromstring(text).iter(f"{SVG}use")]
    assert len(uses) == signs
    assert {use.removeprefix("#") for use in uses} <= set(re.findall(r'<g id="([^"]+)"', text))
    assert text.count(">P<") == 8, "a letter is there at every size"


@pytest.mark.parametrize("name", ["inWords", "language", "say"])
def test_every_script_brings_what_it_says_sentences_with(name: str) -> None:
    """A name that is not imported fails only where somebody comes to that line."""
    used = re.compile(rf"(?<![\w.\"'<`/ -]){name}\b(?!:)|[(] ?{name}\b|[{{]{name}[}}]")
    known = re.compile(
        rf"^import [^;]*\b{name}\b|\b(?:let|const|function) {name}\b|\({name}[,)]", re.MULTILINE
    )
    for path in Path(str(page.__file__)).parents[1].rglob("static/*.js"):
        text = re.sub(r"^\s*(//|/\*\*).*$", "", path.read_text(), flags=re.MULTILINE)
        assert known.search(text) or not used.search(text), f"{path.name} does not import {name}"
