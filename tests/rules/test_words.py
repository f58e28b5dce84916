"""Why and why not: the answer agrees with the moves, and says the right thing."""

import random
import re
from collections.abc import Container

import pytest

from jetan_table.languages import LANGUAGES, translation
from rules import (
    NOUNS,
    OPTIONS,
    PRESETS,
    SQUARES,
    Explanation,
    Kind,
    Position,
    Square,
    explain,
    gait_in_words,
    parse_position,
    parse_rules,
    parse_square,
    value_in_words,
)
from rules.movement import gaits
from rules.words import REASONS, Reason


def positions(rules: str, seed: int, plies: Container[int]) -> list[Position]:
    """Return the positions after some plies of one random game."""
    chance = random.Random(seed)
    position = Position.start(parse_rules(rules), juggernaut=Square(44))
    met = []
    for ply in range(41):
        if ply in plies:
            met.append(position)
        moves = position.moves()
        if not moves:
            return met
        position = position.play(chance.choice(moves))
    return met


@pytest.mark.parametrize(
    ("rules", "ply"),
    [
        ("appendix", 5),
        ("ninth-ray-counterclockwise,thoat=jumps", 40),
        ("chapter-two,escape=when-threatened", 40),
        (
            "wikipedia-free,princess-passes=safe,princess-ends=safe,chief-taken-by-other=forbidden",
            5,
        ),
    ],
)
def test_every_pair_of_squares_agrees_with_the_moves(rules: str, ply: int) -> None:
    for position in positions(rules, seed=7, plies=(ply,)):
        assert_every_pair_agrees(position)


@pytest.mark.soak("rules")
@pytest.mark.parametrize("rules", PRESETS)
def test_every_pair_of_squares_agrees_with_the_moves_all_along_a_game(rules: str) -> None:
    met = positions(rules, seed=11, plies=range(41))
    assert len(met) > 5
    for position in met:
        assert_every_pair_agrees(position)


def assert_every_pair_agrees(position: Position) -> None:
    """Each of the ten thousand answers is what the moves say, and makes sense."""
    legal = {(m.from_square, m.to_square): m for m in position.moves()}
    for start in SQUARES:
        for end in SQUARES:
            answer = explain(position, start, end)
            assert answer.move == legal.get((start, end))
            check_sense(position, answer)


def test_a_mate_rule_agrees_too() -> None:
    text = "q9/10/10/1D8/7T2/10/9T/10/10/Q9 o - - 0 9"
    position = parse_position(text, parse_rules("friedlander"))
    legal = {(m.from_square, m.to_square): m for m in position.moves()}
    reasons = set()
    for end in SQUARES:
        answer = explain(position, parse_square("a10"), end)
        assert answer.move == legal.get((parse_square("a10"), end))
        reasons.add(answer.reason)
    assert Reason.LEAVES_ROYAL in reasons


def check_sense(position: Position, answer: Explanation) -> None:
    """A path joins the squares by neighbours; sentences leave nothing unfilled."""
    if answer.path:
        assert (answer.path[0], answer.path[-1]) == (answer.start, answer.end)
        neighbours = position.rules.board.neighbours
        for here, there in zip(answer.path, answer.path[1:], strict=False):
            assert there in neighbours[here]
    if answer.reason is Reason.LEAVES_ROYAL:
        assert position.rules["ending"] == "checkmate"
    for language in LANGUAGES:
        sentence = answer.said(translation(language))
        assert sentence.endswith(".")
        assert not re.search(r"[{}]|  ", sentence)
        assert sentence.count(". ") <= 2


def test_every_gait_of_every_option_has_words() -> None:
    appendix = parse_rules("appendix")
    for option in ("thoat", "warrior", "panthan", "chief", "flier", "stride"):
        values = ("exact", "up-to") if option == "stride" else OPTIONS[option].values
        for value in values:
            for stride in ("exact", "up-to"):
                rules = appendix.changed({"stride": stride}).changed({option: value})
                for kind, gait in gaits(rules).items():
                    for language in LANGUAGES:
                        assert value_in_words(translation(language), gait_in_words(gait, kind))


def test_every_reason_and_kind_has_words() -> None:
    assert set(REASONS) == set(Reason)
    assert set(NOUNS) == set(Kind)
