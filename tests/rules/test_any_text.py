"""Whatever people type: it is read, or refused in words; nothing else ever happens."""

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules import (
    Position,
    RulesError,
    parse_move,
    parse_position,
    parse_rules,
    parse_rules_file,
    parse_square,
)
from rules.text import parse_games, parse_roll

APPENDIX = parse_rules("appendix")
START = Position.start(APPENDIX)
ALPHABET = 'abj019 /-x~*PTqQ.,=+[]{}()%$;!?"\\\n²٣é'
PIECES_OF_TEXT = [
    '[Rules "appendix"]\n',
    '[Position "9q/10/10/10/10/10/10/10/10/Q8* b BO - 0 1"]\n',
    "1. ",
    "Pb2-b3 ",
    "Tj9-i7 ",
    "{[%die 7]} ",
    "{[%duel 7,4]} ",
    "(Pc2-c3) ",
    "black",
    "*",
    "appendix",
    "+juggernaut",
    ",stride=up-to",
    "base = ",
]
TEXTS = st.one_of(
    st.text(ALPHABET, max_size=60),
    st.lists(st.one_of(st.sampled_from(PIECES_OF_TEXT), st.text(ALPHABET, max_size=4))).map(
        "".join
    ),
)
READERS: dict[str, Callable[[str], object]] = {
    "square": parse_square,
    "rules": parse_rules,
    "rules file": parse_rules_file,
    "position": lambda text: parse_position(text, APPENDIX),
    "placement": lambda text: parse_position(f"{text.strip()} b BO - 0 1", APPENDIX),
    "move": lambda text: parse_move(text, START),
    "games": parse_games,
    "roll": parse_roll,
}


@pytest.mark.parametrize("reader", READERS)
@given(text=TEXTS)
@example(text="²9/10/10/10/10/10/10/10/10/10")
@example(text="0x9/10/10/10/10/10/10/10/10/10")
def test_a_text_is_read_or_refused_in_words(reader: str, text: str) -> None:
    assert refusal(READERS[reader], text) != ""


def refusal(read: Callable[[str], object], text: str) -> str | None:
    """Return the words a text is refused in, None where it is read."""
    try:
        read(text)
    except RulesError as error:
        return str(error)
    return None


def test_a_run_of_no_squares_is_no_run() -> None:
    with pytest.raises(RulesError, match="'0' is no piece"):
        parse_position("010/10/10/10/10/10/10/10/10/10 b BO - 0 1", APPENDIX)
