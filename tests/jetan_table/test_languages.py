"""What the table refuses, in words of a language asked for."""

from collections.abc import Callable

import pytest

from jetan_table.game.commands import CommandRefused
from jetan_table.languages import refused_in
from rules import Position, RulesError, _, near_miss, parse_move, parse_position, parse_rules
from rules.text import parse_game

APPENDIX = parse_rules("appendix")


def test_a_refusal_is_english_as_text_and_german_where_it_is_asked_for() -> None:
    refused = CommandRefused(
        _("{word}: no such word{near} (? for help)"),
        word="rol",
        near=near_miss("rol", ["roll", "new"]),
    )
    assert str(refused) == "rol: no such word, did you mean roll? (? for help)"
    assert refused_in("de", refused) == "rol: kein solches Wort, war roll gemeint? (? für Hilfe)"


def test_nothing_is_meant_where_no_word_is_close() -> None:
    refused = CommandRefused(
        _("{word}: no such word{near} (? for help)"), word="xyz", near=near_miss("xyz", ["roll"])
    )
    assert str(refused) == "xyz: no such word (? for help)"


def test_a_refusal_inside_another_one_is_said_in_the_same_language() -> None:
    inner = CommandRefused(_("no question is open"))
    outer = CommandRefused(_("{name}: {why}"), name="d5", why=inner)
    assert refused_in("de", outer) == "d5 kann es nicht sein: es ist keine Frage offen"


def test_other_errors_say_what_they_say() -> None:
    assert refused_in("de", OSError(90, "Message too long")) == "Message too long"
    assert refused_in("de", ValueError("wrong")) == "wrong"


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
