"""A game begun from what stands on the board: names are checked in words."""

from collections.abc import Mapping

import pytest

from jetan_table.game.commands import CommandRefused
from jetan_table.session.tabletop import named_position
from rules import Position, Side, Square, parse_position, parse_rules, parse_square
from rules.position import letters

APPENDIX, PLAY_ON = parse_rules("appendix"), parse_rules("cazaux")
FEW = parse_position("10/10/3q6/10/4c5/10/4P5/3C6/10/2Q3W3 b BO - 0 1", APPENDIX)


def named(changes: Mapping[str, str | None], rules: str = "appendix") -> Position:
    """The position FEW by names, some of them changed; what stands is as it was."""
    named: dict[Square, str] = dict(letters(FEW))
    for name, letter in changes.items():
        named.pop(parse_square(name), None)
        if letter is not None:
            named[parse_square(name)] = letter
    return named_position(parse_rules(rules), named, letters(FEW).keys(), (), Side.ORANGE)


def test_the_position_is_what_people_name() -> None:
    position = named({})
    assert letters(position) == letters(FEW)
    assert position.side is Side.ORANGE
    assert named({"e4": "D"}).pieces()[parse_square("e4")].letter == "D"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"e4": None, "g1": None}, "say which piece stands on g1, e4"),
        ({"a5": "P"}, "no piece is seen on a5"),
        ({"e4": "C"}, "2 of C are named: at most 1"),
        ({"e4": "*"}, "at most 0 are in a game"),
        ({"d3": "P"}, "no C is named"),
        ({"c1": "D"}, "no Q is named"),
    ],
)
def test_what_is_wrong_with_the_names_is_said(changes: dict[str, str | None], why: str) -> None:
    with pytest.raises(CommandRefused, match=why):
        named(changes)


def test_rules_that_play_on_need_no_chief() -> None:
    assert named({"d3": "P"}, "cazaux").piece_at(parse_square("d3"))


def test_a_failed_switch_may_be_named_or_not() -> None:
    named = letters(FEW)
    unsure = (parse_square("e4"), parse_square("a5"))
    with_stuck = {*named, parse_square("a5")}
    assert named_position(APPENDIX, named, with_stuck, unsure, Side.BLACK).piece_at(unsure[0])
