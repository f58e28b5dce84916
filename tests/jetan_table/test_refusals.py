"""What the table refuses: in both languages, with the same values, and nothing unused."""

from string import Formatter

import pytest

from jetan_table.commands import CommandRefused
from jetan_table.refusals import Near, No, refused_in
from rules import BadValue
from tests.tidy.tree import ROOT


def values(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("no", No)
def test_each_refusal_names_the_same_in_both_languages(no: No) -> None:
    english, german = no.value
    assert values(english) == values(german)
    assert english != german


def test_nothing_is_worded_that_is_never_refused() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "jetan_table").rglob("*.py"))
    assert {no.name for no in No if f"No.{no.name}" not in sources} == set()


def test_a_refusal_is_english_as_text_and_german_where_it_is_asked_for() -> None:
    refused = CommandRefused(No.NO_SUCH_WORD, word="rol", near=Near.of("rol", ["roll", "new"]))
    assert str(refused) == "rol: no such word, did you mean roll? (? for help)"
    assert refused_in("de", refused) == "rol: kein solches Wort, war roll gemeint? (? für Hilfe)"


def test_nothing_is_meant_where_no_word_is_close() -> None:
    refused = CommandRefused(No.NO_SUCH_WORD, word="xyz", near=Near.of("xyz", ["roll"]))
    assert str(refused) == "xyz: no such word (? for help)"


def test_a_refusal_inside_another_one_is_said_in_the_same_language() -> None:
    inner = CommandRefused(No.NO_QUESTION)
    outer = CommandRefused(No.NO_ANSWER, name="d5", why=inner)
    assert refused_in("de", outer) == "d5 kann es nicht sein: es ist keine Frage offen"


def test_other_errors_say_what_they_say() -> None:
    assert refused_in("de", BadValue("thoat=flies: no such value")) == "thoat=flies: no such value"
