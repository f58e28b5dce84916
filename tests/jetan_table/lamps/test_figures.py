"""The die's figure on the lamps: readable, told apart, and gone again."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from jetan_table.game.commands import RollDie
from jetan_table.game.events import Bias
from jetan_table.game.opening import Opening
from jetan_table.lamps.figures import (
    SHOWN_S,
    BiasArrow,
    DiceFigures,
    Figures,
    arrow,
    figure,
    turned,
)
from jetan_table.session.view import DiceView, Phase, View
from rules import Position, Side, Square, format_square, parse_rules, parse_square
from rules.duel import Duel, Throw
from rules.juggernaut import Roll
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening, sitting

GRID = parse_rules("appendix")
DISK = parse_rules("ninth-ray-clockwise")
VIEW = View(Phase.PLAYING, Position.start(GRID))
ROLLED = replace(VIEW, dice=DiceView(rolls=(Roll(7),)))


def test_ten_figures_are_told_apart_from_both_sides() -> None:
    faces = [figure(face, GRID) for face in range(1, 11)]
    ways = [*faces, *map(turned, faces)]
    assert min(len(one ^ other) for one, other in combinations(ways, 2)) >= 2
    assert len(set(ways)) == 20


def test_a_seven_looks_like_one() -> None:
    drawn = figure(7, GRID)
    lines = [
        "".join("#" if Square(10 * rank + file) in drawn else "." for file in range(10))
        for rank in range(9, -1, -1)
    ]
    assert lines == [
        "...####...",
        "......#...",
        "......#...",
        ".....#....",
        "....#.....",
        "....#.....",
        "....#.....",
        "..........",
        "...####...",
        "..........",
    ]


@pytest.mark.parametrize("face", range(1, 11))
def test_on_a_disk_so_many_squares_of_the_rim_are_lit(face: int) -> None:
    drawn = figure(face, parse_rules("ninth-ray-clockwise"))
    assert len(drawn) == face
    assert all(square < 10 for square in drawn)


def test_a_new_roll_is_drawn_for_a_while() -> None:
    shown = DiceFigures()
    assert not shown.squares(VIEW, 1.0)
    assert shown.squares(ROLLED, 2.0) == figure(7, GRID)
    assert shown.squares(ROLLED, 1.9 + SHOWN_S)
    assert not shown.squares(ROLLED, 2.0 + SHOWN_S)


def test_a_roll_that_is_followed_by_another_is_drawn_anew() -> None:
    shown = DiceFigures()
    shown.squares(VIEW, 0.0)
    shown.squares(ROLLED, 1.0)
    again = replace(VIEW, dice=DiceView(rolls=(Roll(7), Roll(8))))
    assert shown.squares(again, 9.0) == figure(8, GRID)


ORANGE = replace(VIEW, position=Position.start(GRID, Side.ORANGE))
AT_E5 = replace(VIEW, position=Position.start(parse_rules("appendix,juggernaut=e5")))
FIGURES = {face: figure(face, GRID) for face in range(1, 11)}


@pytest.mark.parametrize(
    ("before", "after", "drawn"),
    [
        # A teleport with its file and its rank; after a rest the square where the Juggernaut stays.
        (VIEW, {"dice": DiceView(rolls=(Roll(10, 3, 7),))}, [FIGURES[face] for face in (10, 3, 7)]),
        (AT_E5, {"dice": DiceView(rolls=(Roll(9),))}, [FIGURES[9], {parse_square("e5")}]),
        # Each side reads what it has thrown: Black has entered, and Orange, to move, defends.
        (
            ORANGE,
            {"dice": DiceView(duel=Duel(True, (Throw(7, 4),)))},
            [FIGURES[7], turned(FIGURES[4])],
        ),
        # A lifted piece matters more, and a real die shows itself.
        (VIEW, {"dice": ROLLED.dice, "lifted": (Square(12),)}, []),
        (VIEW, {"dice": DiceView(rolls=(Roll(7, by_hand=True),))}, []),
    ],
    ids=["teleport", "rest", "duel", "lifted", "by hand"],
)
def test_what_the_die_showed_is_drawn_one_figure_after_another(
    before: View, after: dict[str, Any], drawn: list[frozenset[Square]]
) -> None:
    shown = DiceFigures()
    shown.squares(before, 0.0)
    then = replace(before, **after)
    ends = [shown.squares(then, 1.0 + number * SHOWN_S) for number in range(4)]
    assert ends == [*drawn, *[frozenset()] * (4 - len(drawn))]


def test_what_was_rolled_before_the_table_woke_is_not_drawn() -> None:
    assert not DiceFigures().squares(ROLLED, 1.0)


def test_the_lamps_draw_what_the_die_shows_and_then_lead_the_hands(tmp_path: Path) -> None:
    with sitting(tmp_path, header(parse_rules("appendix,juggernaut=e5"))) as evening:
        evening.move("d2", "d3")
        evening.tell(RollDie())
        (roll,) = evening.table.view.dice.rolls
        assert lit_lamps(evening) == figure(roll.face, GRID)
        evening.wait(4 * SHOWN_S)
        assert len(lit_lamps(evening)) <= 4


def lit_lamps(evening: Evening) -> set[Square]:
    return {Square(lamp) for lamp, light in enumerate(evening.lamps.lights) if any(light)}


def names(squares: frozenset[Square]) -> set[str]:
    return set(map(format_square, squares))


def test_the_bias_is_an_arrow_that_goes_round_alike_for_both_players() -> None:
    ahead = names(arrow("counterclockwise"))
    shaft = {f"{file}3" for file in "bcdefghi"}
    assert {name for name in ahead if int(name[1:]) <= 5} == shaft | {"h2", "h4", "g1", "g5"}
    # Half a turn of the disk leads from a file of one half to the same file of the other.
    assert {f"{name[0]}{11 - int(name[1:])}" for name in ahead} == ahead
    other_way = str.maketrans("abcdefghij", "jihgfedcba")
    assert names(arrow("clockwise")) == {name.translate(other_way) for name in ahead}


def test_the_bias_is_drawn_as_a_disk_s_game_begins_and_when_it_changes() -> None:
    shown = BiasArrow()
    start = View(Phase.PLAYING, Position.start(DISK))
    assert shown.squares(replace(start, phase=Phase.SETTING_UP), 1.0) == frozenset()
    assert shown.squares(replace(start, opening=Opening(bias="roll")), 2.0) == frozenset()
    assert shown.squares(start, 3.0) == arrow("clockwise")
    assert shown.squares(replace(start, lifted=(Square(12),)), 3.5) == frozenset()
    assert shown.squares(start, 3.0 + SHOWN_S) == frozenset()
    other = parse_rules("ninth-ray-counterclockwise")
    settled = replace(start, position=Position.start(other))
    assert shown.squares(settled, 9.0) == arrow("counterclockwise")
    assert BiasArrow().squares(replace(settled, moves=("Pd2-d3",)), 1.0) == frozenset()
    assert BiasArrow().squares(View(Phase.PLAYING, Position.start(GRID)), 1.0) == frozenset()


def test_the_bias_is_drawn_after_the_roll_that_has_settled_it() -> None:
    shown = Figures()
    begun = View(Phase.PLAYING, Position.start(DISK), opening=Opening(bias="roll"))
    assert shown.squares(begun, 1.0) == frozenset()
    rolled = replace(begun, opening=begun.opening.after(Bias("clockwise", "table", 3)))
    assert shown.squares(rolled, 2.0) == figure(3, DISK)
    assert shown.squares(rolled, 2.0 + SHOWN_S) == arrow("clockwise")
    assert shown.squares(rolled, 2.0 + 2 * SHOWN_S) == frozenset()
