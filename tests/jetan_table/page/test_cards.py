"""A card for each piece, by the rules in play."""

import pytest

from jetan_table.languages import Language
from jetan_table.page.cards import NoSuchCard, cards, find_card
from rules import parse_rules
from rules.options import PRESETS

APPENDIX = parse_rules("appendix")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_reading_has_a_card_of_two_sentences_for_every_piece(
    preset: str, language: Language
) -> None:
    of_all = cards(parse_rules(f"{preset}+juggernaut"), language)
    assert "".join(card.letter for card in of_all) == "PTWADFCQ*"
    for card in of_all:
        assert card.sentences.count(".") == 2
        assert "{" not in card.sentences


def test_a_card_says_how_the_piece_moves_under_the_rules_in_play() -> None:
    jumps = "jumps over pieces"
    assert jumps not in find_card("thoat", APPENDIX, "en").sentences
    assert jumps in find_card("thoat", parse_rules("cazaux"), "en").sentences
    assert "flees once" in find_card("Q", APPENDIX, "en").sentences
    assert "flees" not in find_card("Q", parse_rules("chapter-two"), "en").sentences
    assert find_card("flier", parse_rules("manator"), "en").name == "Odwar"


def test_the_figure_is_the_book_s() -> None:
    assert "one feather" in find_card("panthan", APPENDIX, "en").sentences
    assert "three blades" in find_card("F", APPENDIX, "en").sentences
    assert "ten jewels" in find_card("Anführer", APPENDIX, "en").sentences
    assert "einem Juwel" in find_card("princess", APPENDIX, "de").sentences


def test_no_such_piece() -> None:
    with pytest.raises(NoSuchCard, match="panthan"):
        find_card("panthar", APPENDIX, "en")
