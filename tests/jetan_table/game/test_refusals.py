"""What the table refuses: in both languages, with the same values, and nothing unused."""

import ast
from collections.abc import Callable, Iterator
from string import Formatter

import pytest

import rules.errors
from jetan_table.game.commands import CommandRefused
from jetan_table.game.refusals import No, refused_in
from jetan_table.game.rules_in_german import RULES_IN_GERMAN
from rules import Position, RulesError, parse_move, parse_position, parse_rules
from rules.errors import near_miss
from rules.game_reader import parse_game
from tests.tidy.tree import ROOT, package_files, parse

APPENDIX = parse_rules("appendix")


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
    refused = CommandRefused(No.NO_SUCH_WORD, word="rol", near=near_miss("rol", ["roll", "new"]))
    assert str(refused) == "rol: no such word, did you mean roll? (? for help)"
    assert refused_in("de", refused) == "rol: kein solches Wort, war roll gemeint? (? für Hilfe)"


def test_nothing_is_meant_where_no_word_is_close() -> None:
    refused = CommandRefused(No.NO_SUCH_WORD, word="xyz", near=near_miss("xyz", ["roll"]))
    assert str(refused) == "xyz: no such word (? for help)"


def test_a_refusal_inside_another_one_is_said_in_the_same_language() -> None:
    inner = CommandRefused(No.NO_QUESTION)
    outer = CommandRefused(No.NO_ANSWER, name="d5", why=inner)
    assert refused_in("de", outer) == "d5 kann es nicht sein: es ist keine Frage offen"


def test_other_errors_say_what_they_say() -> None:
    assert refused_in("de", OSError(28, "No space left on device")).endswith("left on device")


def templates() -> Iterator[str]:
    """Every sentence with which an error of the rules is raised."""
    errors = {kind.__name__ for kind in vars(rules.errors).values() if is_rules_error(kind)}
    for path in package_files():
        for node in ast.walk(parse(path)):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(told)), *_]):
                    if name in errors:
                        yield told


def is_rules_error(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, RulesError)


def test_each_error_of_the_rules_has_its_german_with_the_same_values() -> None:
    raised = set(templates())
    assert len(raised) > 40
    assert raised - RULES_IN_GERMAN.keys() == set()
    for english in raised:
        assert values(english) == values(RULES_IN_GERMAN[english])


def test_no_german_is_kept_for_what_the_rules_do_not_say() -> None:
    constants = {
        node.value
        for path in package_files()
        if path.stem not in ("rules_in_german", "german")
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert RULES_IN_GERMAN.keys() - constants == set()


@pytest.mark.parametrize(
    ("read", "german"),
    [
        (
            lambda: parse_position("10/10/10/10/10/10/10/10/10/5QC4 b - - 0 1", APPENDIX),
            "Reihe 1 '5QC4': hat 11 Felder, braucht 10",
        ),
        (
            lambda: parse_position(f"{'/'.join(['10'] * 10)} b - - 0 x", APPENDIX),
            "Nummer des Zugpaars 'x': muss eine Zahl 1..99999 sein",
        ),
        (
            lambda: parse_rules("apendix"),
            "apendix: keine solche Lesart, war appendix gemeint?",
        ),
        (
            lambda: parse_move("Ce1-e4", Position.start(APPENDIX)),
            "Ce1-e4: hier kein erlaubter Zug. Der Anführer zieht genau drei Schritte",
        ),
        (
            lambda: parse_game("1. Pd2-d3 Pd9-d5 *"),
            "Zeile 1, Zug 2 (Pd9-d5): hier kein erlaubter Zug. Ein Panthan",
        ),
    ],
)
def test_an_error_of_the_rules_is_german_throughout(
    read: Callable[[], object], german: str
) -> None:
    with pytest.raises(RulesError) as refused:
        read()
    assert refused_in("de", refused.value).startswith(german)
    assert refused_in("en", refused.value) == str(refused.value)
