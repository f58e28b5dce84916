"""Whatever the table says is in every catalogue, whole and with the same names."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages import Catalog

from jetan_table.languages import ENGLISH, LANGUAGES, LOCALE, translation
from tests.tidy import catalogue
from tests.tidy.catalogue import forms
from tests.tidy.tree import ROOT, assert_none, package_files, parse, shown

OTHERS = [language for language in LANGUAGES if language != ENGLISH]


COMMAND = ".venv/bin/python -m tests.tidy.catalogue"


def file_of(language: str) -> str:
    """The file in which a language's translations are written, as a message names it."""
    return catalogue.po_of(language).relative_to(ROOT).as_posix()


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
        if entry is None or not all(forms(entry.string or "")):
            wrong.append(f"not translated: {sentence.id}")
        elif entry.fuzzy:
            wrong.append(f"only guessed: {sentence.id}")
        else:
            pairs = zip(forms(sentence.id), forms(entry.string or ""), strict=True)
            wrong += [f"other names: {a} | {b}" for a, b in pairs if names(a) != names(b)]
    return wrong


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_translated_with_its_names_and_none_is_left_over(language: str) -> None:
    wrong = lacks(catalogue.extracted(), catalogue.read(language))
    assert_none(wrong, f"run {COMMAND}, fill in {file_of(language)}, and run it again")


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
        "not translated: lost",
        "other names: turned {name!r} | gedreht {name}",
        "not translated: empty",
    ]


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_table_reads_is_made_from_what_translators_write(language: str) -> None:
    compiled = catalogue.po_of(language).with_suffix(".mo").read_bytes()
    assert compiled == catalogue.compiled(catalogue.read(language)), f"run {COMMAND}"


@pytest.mark.parametrize("language", OTHERS)
def test_the_command_changes_nothing_where_nothing_has_changed(language: str) -> None:
    """Else what it moves stands in the changes of whoever runs it next."""
    kept = catalogue.read(language)
    text = catalogue.up_to_date(catalogue.extracted(), kept)
    assert text == catalogue.po_of(language).read_bytes(), f"{file_of(language)}: run {COMMAND}"


def test_a_sentence_that_moves_in_its_file_stays_where_it_is_in_a_catalogue() -> None:
    kept, spoken = Catalog(locale="de"), Catalog()
    for text in ("first", "second"):
        kept.add(text, text.upper(), locations=[("a.py", 0)])
    for text in ("second", "new", "first"):
        spoken.add(text, locations=[("a.py", 0)])
    written = catalogue.up_to_date(spoken, kept).decode()
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
    module.write_text('said = _("plain") + _(\n    "in "\n    "two"\n)\n')
    assert [text for _line, text in catalogue.sentences_in(module)] == ["plain", "in two"]
