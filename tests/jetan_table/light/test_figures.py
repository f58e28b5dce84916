"""The die's figure on the lamps: readable, told apart, and gone again."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from jetan_table.game.commands import RollDie
from jetan_table.game.events import Bias, DieCommit, DieRoll, DuelReport, OpeningAgreed, Ply
from jetan_table.light.figures import SHOWN_S, Figures, arrow, figure, turned
from jetan_table.session.view import Phase, View
from rules import Position, Square, format_square, parse_position, parse_rules, parse_square
from tests.jetan_table.hands import header, seen
from tests.jetan_table.sitting import Evening, sitting

GRID = parse_rules("appendix")
DISK = parse_rules("ninth-ray-clockwise")
AT_E5 = Position.start(parse_rules("appendix,juggernaut=e5"))
AGAIN = parse_rules("appendix,juggernaut=e5,juggernaut-edge=rolls-again")
AT_A5 = Position.start(AGAIN).move_juggernaut(parse_square("a5"))
ARENA = parse_position("9q/10/5c4/10/4d5/10/4A5/10/3C6/Q9 b BO - 0 1", parse_rules("manator-arena"))
FOUGHT = (DieCommit("00"), Ply(1, "Ae4xe6"))
PLAYED = (DieCommit("00"), Ply(1, "Pd2-d3"))
VIEW = seen(AT_E5, *PLAYED)
ROLLED = seen(AT_E5, *PLAYED, DieRoll(1, "7"))


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
    shown = Figures()
    assert not shown.squares(VIEW, 1.0)
    assert shown.squares(ROLLED, 2.0) == figure(7, GRID)
    assert shown.squares(ROLLED, 1.9 + SHOWN_S)
    assert not shown.squares(ROLLED, 2.0 + SHOWN_S)


def test_a_roll_that_is_followed_by_another_is_drawn_anew() -> None:
    shown = Figures()
    for count in range(2):  # both lead off the board
        shown.squares(seen(AT_A5, *PLAYED, *[DieRoll(1, "7")] * count), count)
    again = seen(AT_A5, *PLAYED, DieRoll(1, "7"), DieRoll(1, "8"))
    assert shown.squares(again, 9.0) == figure(8, GRID)


FIGURES = {face: figure(face, GRID) for face in range(1, 11)}


@pytest.mark.parametrize(
    ("before", "then", "drawn"),
    [
        # A teleport with its file and its rank; after a rest the square where the Juggernaut stays.
        (VIEW, seen(AT_E5, *PLAYED, DieRoll(1, "10,3,7")), [FIGURES[face] for face in (10, 3, 7)]),
        (VIEW, seen(AT_E5, *PLAYED, DieRoll(1, "9")), [FIGURES[9], {parse_square("e5")}]),
        # Each side reads what it has thrown: Black has entered, and Orange, to move, defends.
        (
            seen(ARENA, *FOUGHT),
            seen(ARENA, *FOUGHT, DuelReport(1, "7,4")),
            [FIGURES[7], turned(FIGURES[4])],
        ),
        # A lifted piece matters more, and a real die shows itself.
        (VIEW, replace(ROLLED, lifted=(Square(12),)), []),
        (VIEW, seen(AT_E5, *PLAYED, DieRoll(1, "7 hand")), []),
    ],
    ids=["teleport", "rest", "duel", "lifted", "by hand"],
)
def test_what_the_die_showed_is_drawn_one_figure_after_another(
    before: View, then: View, drawn: list[frozenset[Square]]
) -> None:
    shown = Figures()
    shown.squares(before, 0.0)
    ends = [shown.squares(then, 1.0 + number * SHOWN_S) for number in range(4)]
    assert ends == [*drawn, *[frozenset()] * (4 - len(drawn))]


def test_what_was_rolled_before_the_table_woke_is_not_drawn() -> None:
    assert not Figures().squares(ROLLED, 1.0)


def test_the_lamps_draw_what_the_die_shows_and_then_lead_the_hands(tmp_path: Path) -> None:
    with sitting(tmp_path, header(parse_rules("appendix,juggernaut=e5"))) as evening:
        evening.move("d2", "d3")
        evening.tell(RollDie())
        (roll,) = evening.table.view.record.rolls
        assert lit_lamps(evening) == figure(roll.face, GRID)
        evening.wait(4 * SHOWN_S)
        assert len(lit_lamps(evening)) <= 4


def lit_lamps(evening: Evening) -> set[Square]:
    return {Square(lamp) for lamp, light in enumerate(evening.table.lights) if any(light)}


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
    shown = Figures()
    disk = Position.start(DISK)
    start = seen(disk)
    assert shown.squares(replace(start, phase=Phase.SETTING_UP), 1.0) == frozenset()
    assert shown.squares(seen(disk, OpeningAgreed(bias="roll")), 2.0) == frozenset()
    assert shown.squares(start, 3.0) == arrow("clockwise")
    assert shown.squares(replace(start, lifted=(Square(12),)), 3.5) == frozenset()
    assert shown.squares(start, 3.0 + SHOWN_S) == frozenset()
    other = parse_rules("ninth-ray-counterclockwise")
    assert shown.squares(seen(Position.start(other)), 9.0) == arrow("counterclockwise")
    assert Figures().squares(seen(disk, Ply(1, "Pd2-d3")), 1.0) == frozenset()
    assert Figures().squares(seen(Position.start(GRID)), 1.0) == frozenset()


def test_the_bias_is_drawn_after_the_roll_that_has_settled_it() -> None:
    shown = Figures()
    begun = (OpeningAgreed(bias="roll"), DieCommit("00"))
    assert shown.squares(seen(Position.start(DISK), *begun), 1.0) == frozenset()
    rolled = seen(Position.start(DISK), *begun, Bias("clockwise", "table", 3))
    assert shown.squares(rolled, 2.0) == figure(3, DISK)
    assert shown.squares(rolled, 2.0 + SHOWN_S) == arrow("clockwise")
    assert shown.squares(rolled, 2.0 + 2 * SHOWN_S) == frozenset()
