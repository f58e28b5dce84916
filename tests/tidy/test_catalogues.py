"""Whatever the table says is in every catalogue, with the same names, and none has more.

A sentence without a translation is no failure here, only listed at the end of a run
(`test_translated` fails before a release): whoever speaks no German can add one.
"""

import ast
import re
from collections.abc import Callable
from pathlib import Path
from string import Formatter
from unittest.mock import Mock

import pytest
from babel.messages import Catalog

from jetan_table.languages import DOMAIN, ENGLISH, LANGUAGES, LOCALE, translation
from tests.conftest import TO_TRANSLATE, pytest_terminal_summary
from tests.tidy import catalogue
from tests.tidy.catalogue import forms
from tests.tidy.tree import ROOT, assert_none, package_files, parse, shown

OTHERS = [language for language in LANGUAGES if language != ENGLISH]


COMMAND = ".venv/bin/python -m tests.tidy.catalogue"


def names(template: str) -> set[tuple[str, str, str]]:
    """What a template fills in, and how it is written: `{wait_s:.0f}`, `{name!r}`."""
    return {
        (name, how or "", turned or "")
        for _text, name, how, turned in Formatter().parse(template)
        if name is not None
    }


def lacks(spoken: Catalog, kept: Catalog) -> list[str]:
    """What is wrong with a catalogue, sentence by sentence."""
    wrong = [f"nobody says: {entry.id}" for entry in kept if entry.id and not spoken.get(entry.id)]
    for sentence in spoken:
        if not sentence.id:
            continue
        entry = kept.get(sentence.id)
        if entry is None:
            wrong.append(f"not there: {sentence.id}")
        elif entry.fuzzy:
            wrong.append(f"only guessed: {sentence.id}")
        else:
            # Until it has all of its forms it is not translated.
            pairs = zip(forms(sentence.id), forms(entry.string or ""), strict=False)
            wrong += [f"other names: {a} | {b}" for a, b in pairs if b and names(a) != names(b)]
    return wrong


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_there_with_its_names_and_none_is_left_over(
    language: str, record_property: Callable[[str, object], None]
) -> None:
    spoken, kept = catalogue.extracted(), catalogue.read(language)
    for part in catalogue.ABOUT:
        file = catalogue.file_of(language, part).relative_to(ROOT).as_posix()
        if missing := catalogue.untranslated(spoken, kept, part):
            record_property(f"{TO_TRANSLATE}{file}", missing)
    assert_none(lacks(spoken, kept), f"run {COMMAND}")


def test_a_catalogue_that_lacks_something_is_found_out() -> None:
    spoken, kept = Catalog(), Catalog()
    for text in ("kept {name}", "lost", "turned {name!r}", "empty"):
        spoken.add(text)
    kept.add("kept {name}", "behalten {name}")
    kept.add("turned {name!r}", "gedreht {name}")
    kept.add("empty", "")
    kept.add("unsaid", "ungesagt")
    assert lacks(spoken, kept) == [
        "nobody says: unsaid",
        "not there: lost",
        "other names: turned {name!r} | gedreht {name}",
    ]
    assert catalogue.untranslated(spoken, kept, catalogue.MAKERS) == ["lost", "empty"]
    assert catalogue.untranslated(spoken, kept, catalogue.PLAYERS) == []


def test_what_players_see_stands_apart() -> None:
    spoken = Catalog()
    spoken.add("seen", locations=[("vision/camera.py", 0), ("jetan_table/light/words.py", 0)])
    spoken.add("typed", locations=[("jetan_table/cli/games.py", 0)])
    files = catalogue.up_to_date(spoken, Catalog(locale="de"))
    assert {part: b"seen" in text for part, text in files.items()} == {
        catalogue.PLAYERS: True,
        catalogue.MAKERS: False,
    }
    assert catalogue.untranslated(spoken, Catalog(), catalogue.PLAYERS) == ["seen"]
    assert catalogue.untranslated(spoken, Catalog(), catalogue.MAKERS) == ["typed"]


def test_what_is_not_translated_is_listed_at_the_end_of_a_run() -> None:
    report = pytest.TestReport(
        "test_one",
        ("file", 1, "test_one"),
        {},
        "passed",
        None,
        "call",
        user_properties=[(TO_TRANSLATE + "players.po", [f"sentence {n}" for n in range(25)])],
    )
    terminal = Mock(getreports={"passed": [report], "skipped": []}.__getitem__)
    pytest_terminal_summary(terminal)
    lines = [call.args[0] for call in terminal.write_line.call_args_list]
    assert lines[0].startswith("players.po: 25 sentences")
    assert lines[1:3] + lines[-1:] == ["  sentence 0", "  sentence 1", "  and 5 more"]


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_table_reads_is_made_from_what_translators_write(language: str) -> None:
    compiled = (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.mo").read_bytes()
    assert compiled == catalogue.compiled(catalogue.read(language)), f"run {COMMAND}"


@pytest.mark.parametrize("language", OTHERS)
def test_the_command_changes_nothing_where_nothing_has_changed(language: str) -> None:
    """Else what it moves stands in the changes of whoever runs it next."""
    kept = catalogue.read(language)
    for part, text in catalogue.up_to_date(catalogue.extracted(), kept).items():
        assert text == catalogue.file_of(language, part).read_bytes(), f"run {COMMAND}"


def test_a_sentence_that_moves_in_its_file_stays_where_it_is_in_a_catalogue() -> None:
    kept, spoken = Catalog(locale="de"), Catalog()
    for text in ("first", "second"):
        kept.add(text, text.upper(), locations=[("a.py", 0)])
    for text in ("second", "new", "first"):
        spoken.add(text, locations=[("a.py", 0)])
    written = catalogue.up_to_date(spoken, kept)[catalogue.MAKERS].decode()
    assert re.findall('msgid "(.+)"', written) == ["first", "second", "new"]


def test_every_catalogue_is_offered_as_a_language() -> None:
    kept = {path.name for path in LOCALE.iterdir()}
    assert kept == set(OTHERS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_can_be_said_with_what_it_names(language: str) -> None:
    spoken = [entry.id for entry in catalogue.extracted() if entry.id]
    templates = [text for text in spoken if isinstance(text, str)]
    assert len(templates) > 700
    for template in templates:
        # A number stands for everything: it takes every way of writing a value.
        values = {name: 7 for name, _how, _turned in names(template)}
        sentence = translation(language)(template).format(**values)
        assert "{" not in sentence.replace("{{", "")
        assert sentence


def test_no_sentence_hides_where_none_is_looked_for() -> None:
    offences = []
    for path in package_files():
        for node in ast.walk(parse(path)):
            hidden = ast.walk(node) if isinstance(node, ast.JoinedStr) else ()
            offences += [
                f"{shown(path, inner)}: in an f-string" for inner in hidden if marks(inner)
            ]
            if marks(node) and not is_plain(node):
                offences.append(f"{shown(path, node)}: marks what is no plain text")
    assert_none(offences)


def marks(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_"


def is_plain(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    )


def test_a_sentence_inside_another_text_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        'said = _("plain") + _(\n    "in "\n    "two"\n)\n'
        '# Translators: of a door\nmore = _("open")\n'
    )
    assert [text for text, _notes in catalogue.sentences_in(module)] == ["plain", "in two", "open"]


def test_notes_for_translators_stand_beside_their_sentences(tmp_path: Path) -> None:
    module, script = tmp_path / "module.py", tmp_path / "script.js"
    module.write_text('# Translators: of a door\nmore = _("open")\nless = _("shut")\n')
    script.write_text('// Translators: of a door\nsay("open");\nsay("shut");\n')
    found = [("open", ["Translators: of a door"]), ("shut", [])]
    assert list(catalogue.sentences_in(module)) == found
    assert list(catalogue.said_by(script)) == found
    spoken = Catalog()
    spoken.add("open", auto_comments=["Translators: of a door"])
    files = catalogue.up_to_date(spoken, Catalog(locale="de"))
    assert b'#. Translators: of a door\nmsgid "open"\n' in files[catalogue.MAKERS]
