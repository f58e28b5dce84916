"""Texts that somebody made to cost much: they are refused in words, by little memory."""

import tracemalloc
from collections.abc import Callable

import pytest

from rules import RulesError, decimal_number, parse_position, parse_rules, whole_number
from rules import text as game_text
from rules.text import MOST_LETTERS, parse_games, parse_roll, parse_throw

SIZE = 500_000
QUOTED = r"\a"
EMPTY = "/".join(["10"] * 10)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f'[Rules "{"a" * SIZE}"]\n\n*\n', "letters in one piece"),
        (f'[Rules "{QUOTED * (SIZE // 2)}"]\n\n*\n', "letters in one piece"),
        (f'[Rules "{"a" * SIZE}', "is out of place"),
        (f"{{{'a' * SIZE}}}", "letters in one piece"),
        ("a" * SIZE, "letters in one piece"),
        ("(" * SIZE, "deeper than 100"),
        ("{ " * (SIZE // 2), "is out of place"),
        ("[" + " " * SIZE, "is out of place"),
        (f'[Rules "{"a+" * (MOST_LETTERS // 2 - 10)}"]\n\n*\n', "no such"),
    ],
    ids=["tag", "escapes", "open", "comment", "word", "brackets", "braces", "blanks", "+"],
)
def test_a_text_without_end_is_refused_in_few_words_and_little_memory(text: str, why: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(RulesError, match=why) as refused:
            parse_games(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * SIZE + 40_000_000
    assert len(str(refused.value)) < 3 * MOST_LETTERS


def test_a_game_of_too_many_words_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_text, "MOST_TOKENS", 100)
    with pytest.raises(RulesError, match="a game of more than 100 words"):
        parse_games("a " * 101)


def test_commands_that_do_not_end_are_read_once() -> None:
    """Each would be looked for to the end of the comment, in time that grows with its square."""
    comment = "[%die " * (MOST_LETTERS // 6 - 10)
    (game,) = parse_games(f"1. d2-d3 {{{comment}}} *")
    assert game.notes[0].comment == comment.strip()


@pytest.mark.parametrize(
    "read",
    [
        lambda digits: parse_position(f"{EMPTY} b - - {digits} 1", parse_rules("appendix")),
        lambda digits: parse_position(f"{EMPTY} b - - 0 {digits}", parse_rules("appendix")),
        lambda digits: parse_rules(f"appendix,captureless={digits}"),
        parse_roll,
        lambda digits: parse_throw(f"{digits},3"),
    ],
)
def test_numbers_of_thousands_of_digits_are_refused_in_words(read: Callable[[str], object]) -> None:
    with pytest.raises(RulesError) as refused:
        read("9" * 5000)
    assert "Exceeds the limit" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("1" * 20, int("1" * 20)), ("1" * 21, None), ("", None), ("²", None)],
)
def test_a_whole_number_is_of_few_plain_digits(text: str, number: int | None) -> None:
    assert whole_number(text) == number
    assert decimal_number(text) == (None if number is None else float(number))


@pytest.mark.parametrize("text", ["nan", "inf", "1e5", "-5", "+5", "1_0", "٧", "1.", ".5", "1.2.3"])
def test_a_number_is_of_plain_digits_with_at_most_one_point_between_them(text: str) -> None:
    assert whole_number(text) is None
    assert decimal_number(text) is None
    assert decimal_number("12.5") == 12.5
