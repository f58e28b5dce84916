"""Rulings that the sources leave open or say in passing, each by its own small position."""

import pytest

from rules import (
    MoveKind,
    Position,
    Side,
    format_square,
    parse_move,
    parse_position,
    parse_rules,
    parse_square,
    squares_of,
)
from rules.game import Game
from rules.juggernaut import Roll
from rules.pieces import PIECES


def stand(
    pieces: str, rules: str = "appendix", side: Side = Side.BLACK, escape: bool = False
) -> Position:
    """Set up `Wd4 qa10 ...`; both escapes are unspent or spent."""
    men = {parse_square(word[1:]): PIECES[word[0]] for word in pieces.split()}
    escapes = frozenset(Side) if escape else frozenset[Side]()
    return Position.of(parse_rules(rules), men, side, escapes=escapes)


def ends(position: Position, square: str, escapes: bool = False) -> set[str]:
    """Where the piece on a square may go: by its steps, or by an escape."""
    moves = position.moves_from(parse_square(square))
    return {
        format_square(move.to_square) for move in moves if (move.kind is MoveKind.ESCAPE) is escapes
    }


def threatened(position: Position) -> set[str]:
    return {format_square(square) for square in squares_of(position.threats())}


@pytest.mark.parametrize(
    ("preset", "black", "orange"),
    [
        ("appendix", "WADFCQFDAW", "wadfqcfdaw"),
        ("manator", "WADFCQFDAW", "wadfcqfdaw"),
        ("ninth-ray-clockwise", "WADFCQFDAW", "wadfcqfdaw"),
    ],
)
def test_back_rows(preset: str, black: str, orange: str) -> None:
    start = Position.start(parse_rules(preset))
    letters = {format_square(at): piece.letter for at, piece in start.pieces().items()}
    assert "".join(letters[f"{file}1"] for file in "abcdefghij") == black
    assert "".join(letters[f"{file}10"] for file in "abcdefghij") == orange
    assert "".join(letters[f"{file}9"] for file in "abcdefghij") == "tppppppppt"


def test_a_panthan_in_the_other_half_goes_outwards_and_never_back_over_the_centre() -> None:
    black = stand("Pc6 Qf1 qf10", "ninth-ray-clockwise")
    assert ends(black, "c6") == {"b6", "d6", "b7", "c7", "d7"}
    orange = stand("pc5 Qf1 qf10", "ninth-ray-clockwise", Side.ORANGE)
    assert ends(orange, "c5") == {"b5", "d5", "b4", "c4", "d4"}


def test_a_princess_cannot_hide_behind_herself_nor_take_cover_on_her_own_men() -> None:
    position = stand("Qe5 Pe4 de7 qa10")
    assert {"e4", "e6"} <= threatened(position), "through her own square, and where her man stands"
    assert "e6" not in ends(position, "e5")


def test_the_enemy_princess_threatens_nothing_unless_she_may_take() -> None:
    assert threatened(stand("Qe1 qe5")) == set()
    assert "e4" in threatened(stand("Qe1 qe5", "appendix,princess-takes=yes"))


def test_a_piece_that_may_not_move_threatens_all_the_same() -> None:
    men, rules = "Qe2 Wa8 wa9 qa10", "appendix,ending=checkmate"
    assert "b8" not in ends(stand(men, rules, Side.ORANGE), "a9"), "it would bare its Princess"
    assert "b8" in threatened(stand(men, rules))


def test_an_escape_to_where_steps_lead_is_a_step_and_is_not_spent() -> None:
    position = stand("Qe1 qa10", escape=True)
    assert not ends(position, "e1") & ends(position, "e1", escapes=True)
    assert len(ends(position, "e1") | ends(position, "e1", escapes=True)) == 98
    after = position.play(parse_move("e1e4", position))
    assert after.escapes == set(Side)
    assert position.play(parse_move("e1e10", position)).escapes == {Side.ORANGE}


@pytest.mark.parametrize(
    ("escape", "calm", "in_danger", "onto_a_threat"),
    [
        ("unthreatened", True, True, False),
        ("unoccupied", True, True, True),
        ("when-threatened", False, True, False),
        ("none", False, False, False),
    ],
)
def test_when_and_where_she_may_escape(
    escape: str, calm: bool, in_danger: bool, onto_a_threat: bool
) -> None:
    rules = f"appendix,escape={escape}"
    assert bool(ends(stand("Qa1 wi8 qa10", rules, escape=True), "a1", escapes=True)) is calm
    hunted = ends(stand("Qa1 wa3 wi8 qa10", rules, escape=True), "a1", escapes=True)
    assert bool(hunted) is in_danger
    assert ("i6" in hunted) is onto_a_threat


@pytest.mark.parametrize(
    ("equal", "alike_in_number", "alike_in_value"),
    [("value", None, 0), ("count", 0, None), ("any", 0, 0)],
)
def test_what_makes_few_pieces_equal(
    equal: str, alike_in_number: int | None, alike_in_value: int | None
) -> None:
    rules = f"appendix,few-equal={equal}"
    three_each = stand("Qa1 We5 Dj2 pe7 qa10 ai9 pj9", rules)
    after = three_each.play(parse_move("We5xe7", three_each))
    assert after.few_counter == alike_in_number
    two_and_three = stand("Qa1 De4 pe7 qa10 ai9 wj9", rules)
    after = two_and_three.play(parse_move("De4xe7", two_and_three))
    assert after.few_counter == alike_in_value


def test_the_count_of_ten_stops_when_the_sides_are_equal_no_more() -> None:
    text = "9q/10/10/10/4a5/10/4A5/10/9w/Q8W b - 4 20 60"
    before = parse_position(text, parse_rules("appendix"))
    assert before.play(parse_move("Ae4-c4", before)).few_counter == 5
    assert before.play(parse_move("Ae4xe6", before)).few_counter is None


def test_a_kill_by_the_juggernaut_may_begin_the_count_of_ten_or_stop_it() -> None:
    text = "9q/10/10/10/4a5/10/4A5/10/9w/Q8W o - - 20 60"
    counting = parse_position(text.replace("- - 20", "- 3 20"), parse_rules("appendix"))
    killed = counting.move_juggernaut(parse_square("e6"))
    assert (killed.few_counter, killed.quiet_plies) == (None, 0)
    one_more = parse_position(text.replace("/10/9w", "/9p/9w"), parse_rules("appendix"))
    assert one_more.few_counter is None
    assert one_more.move_juggernaut(parse_square("j3")).few_counter == 0


def test_the_juggernaut_threatens_nothing_and_stays_when_thrown_where_it_stands() -> None:
    start = stand("Qe1 qa10").move_juggernaut(parse_square("e5"))
    assert threatened(start) == set()
    assert {"e4", "d4", "f4"} <= ends(start, "e1")
    game = Game.begin(start).play(parse_move("e1e4", start)).roll(Roll(10, 5, 5))
    assert game.position.juggernaut == parse_square("e5")
    assert len(game.position.pieces()) == 2
    assert game.outcome is None


def test_a_chief_may_not_be_left_to_a_chief_where_mate_ends_the_game() -> None:
    rules = "appendix,ending=checkmate"
    assert "e7" not in ends(stand("Ce4 ce10 Qa1 qj10", rules), "e4")
    assert "e7" in ends(stand("Ce4 ce10 Qa1 qj10"), "e4")
    assert "e7" in ends(stand("Ce4 de10 ca5 Qa1 qj10", rules), "e4"), "to a Chief only"
