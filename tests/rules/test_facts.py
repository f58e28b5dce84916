"""What the sources print: Chapter XVII, the Ninth-Ray page's examples, the Appendix's words."""

import pytest

from rules import (
    Direction,
    IllegalMove,
    Kind,
    Position,
    Side,
    Termination,
    format_square,
    parse_move,
    parse_position,
    parse_rules,
    parse_square,
)
from rules.pieces import PIECES
from rules.topology import SQUARE_NAMES


def position_of(pieces: str, rules: str = "appendix", side: Side = Side.BLACK) -> Position:
    """Set up `Wd4 qa10 ...`: letter and square, escapes spent."""
    men = {parse_square(word[1:]): PIECES[word[0]] for word in pieces.split()}
    return Position.of(parse_rules(rules), men, side, escapes=frozenset())


def reach(position: Position, square: str) -> str:
    """Return where the piece on a square may go, escapes left out, as sorted names."""
    moves = position.moves_from(parse_square(square))
    return " ".join(sorted(format_square(m.to_square) for m in moves if m.kind.value != "escape"))


def test_chapter_seventeen() -> None:
    game = Position.start(parse_rules("manator"), Side.ORANGE)
    game = game.play(parse_move("Og10-d7", game))
    game = game.play(parse_move("d2-d3", game))
    black = parse_position(
        "wadfcq1daw/tppppppppt/10/3f6/10/10/10/3P6/TPP1PPPPPT/WADFCQFDAW b BO - 2 2", game.rules
    )
    assert reach(black, "e1") == "b3 b4 c4 d4 e4 f3 f4"
    landed = parse_position(
        "wadfcq1daw/tppppppppt/10/10/10/10/6f3/3P6/TPP1PPPPPT/WADFCQFDAW b BO - 0 3", game.rules
    )
    assert landed.threats() >> parse_square("f1") & 1
    takers = {m.from_square for m in landed.moves() if m.to_square == parse_square("g4")}
    assert takers == {parse_square("d1")}
    walking = landed.rules.changed({"flier": "walks"})
    assert not any(
        m.to_square == parse_square("g4")
        for m in parse_position(
            "wadfcq1daw/tppppppppt/10/10/10/10/6f3/3P6/TPP1PPPPPT/WADFCQFDAW b BO - 0 3", walking
        ).moves()
    )


def test_chapter_seventeen_needs_manators_set_up() -> None:
    start = Position.start(parse_rules("appendix"), Side.ORANGE)
    with pytest.raises(IllegalMove):
        parse_move("Fd10-d7", start)
    assert parse_move("Og10-d7", start)


@pytest.mark.parametrize(
    ("rules", "panthan", "squares"),
    [
        ("ninth-ray-clockwise", "a5", "a6 b5 i5 j5 j6"),
        ("ninth-ray-clockwise", "c5", "a6 b5 b6 c6 d5"),
        ("ninth-ray-counterclockwise", "c5", "b5 c6 d5 d6 e6"),
    ],
)
def test_ninth_ray_examples_a_and_b(rules: str, panthan: str, squares: str) -> None:
    assert reach(position_of(f"P{panthan} Qa1 qa10", rules), panthan) == squares


def test_ninth_ray_example_c() -> None:
    """The odwar that came h8-g7-f6 goes on to f5 or h5 where the centre bends counterclockwise."""
    inwards = {Direction.SOUTH_EAST, Direction.SOUTH_WEST}
    ends = {}
    for bias in ("clockwise", "counterclockwise"):
        row = parse_rules(f"ninth-ray-{bias}").topology.neighbours[parse_square("f6")]
        ends[bias] = {SQUARE_NAMES[at] for way in inwards if (at := row[way]) is not None}
    assert ends == {"counterclockwise": {"f5", "h5"}, "clockwise": {"d5", "f5"}}
    board = position_of("Fh8 Qa1 qa10", "ninth-ray-counterclockwise")
    assert {"f5", "h5"} <= set(reach(board, "h8").split())


def test_a_flier_in_the_corner_has_few_squares() -> None:
    assert reach(position_of("Fa1 Qj1 qa10"), "a1") == "b4 d2 d4"


@pytest.mark.parametrize(
    ("rules", "captures"),
    [
        ("ninth-ray-clockwise", {"a2-j9", "j2-a9"}),
        ("ninth-ray-clockwise,thoat=jumps", {"a2-j9", "j2-a9", "a2-i10", "j2-b10"}),
    ],
)
def test_thoats_open_the_ball_on_two_fronts(rules: str, captures: set[str]) -> None:
    start = Position.start(parse_rules(rules))
    found = {
        f"{format_square(m.from_square)}-{format_square(m.to_square)}"
        for m in start.moves()
        if m.kind.value == "capture"
    }
    assert found == captures


def test_an_attack_on_the_disk_is_not_mutual() -> None:
    there = position_of("Pa5 pj5 Qf1 qf10", "ninth-ray-clockwise")
    back = position_of("Pa5 pj5 Qf1 qf10", "ninth-ray-clockwise", Side.ORANGE)
    assert "j5" in reach(there, "a5").split()
    assert "a5" not in reach(back, "j5").split()


def test_warrior_padwar_and_dwar_from_an_open_centre() -> None:
    assert reach(position_of("We5 Qa1 qa10"), "e5") == "c5 d4 d6 e3 e7 f4 f6 g5"
    assert reach(position_of("Ae5 Qa1 qa10"), "e5") == "c3 c5 c7 e3 e7 g3 g5 g7"
    dwar = "b5 c4 c6 d3 d5 d7 e2 e4 e6 e8 f3 f5 f7 g4 g6 h5"
    assert reach(position_of("De5 Qa1 qa10"), "e5") == dwar


def test_a_padwar_shut_in_cannot_move_unless_it_may_stop_short() -> None:
    shut = "Ae5 Pd4 Pd6 Pf4 Pf6 Qa1 qa10"
    assert reach(position_of(shut), "e5") == ""
    second = "Ae5 Pc3 Pc5 Pc7 Pe3 Pe7 Pg3 Pg5 Pg7 Qa1 qa10"
    assert reach(position_of(second, "appendix,stride.padwar=up-to"), "e5") == "d4 d6 f4 f6"


def test_a_panthan_on_the_last_rank_only_sidles_and_is_not_promoted() -> None:
    assert reach(position_of("Pe10 Qa1 qa8"), "e10") == "d10 f10"
    assert reach(position_of("Pa1 Qf1 qf10", "ninth-ray-clockwise"), "a1") == "a2 b1 b2 j10 j9"


@pytest.mark.parametrize(
    ("chief", "winner", "termination"),
    [("draw", None, Termination.CHIEF_BY_OTHER), ("win", Side.BLACK, Termination.CHIEF_BY_OTHER)],
)
def test_a_chief_taken_by_another_piece(
    chief: str, winner: Side | None, termination: Termination
) -> None:
    rules = f"appendix,chief-taken-by-other={chief}"
    before = position_of("We5 ce7 Qa1 qa10", rules)
    outcome = before.play(parse_move("We5xe7", before)).outcome
    assert outcome is not None
    assert outcome == (winner, termination)


def test_a_chief_taken_goes_on_or_is_not_allowed() -> None:
    before = position_of("We5 Wb1 ce7 pa9 Qa1 qa10", "appendix,chief-taken-by-other=play-on")
    assert before.play(parse_move("We5xe7", before)).outcome is None
    kept = position_of("We5 ce7 Qa1 qa10", "appendix,chief-taken-by-other=forbidden")
    with pytest.raises(IllegalMove, match="Only a Chief may take a Chief"):
        parse_move("We5xe7", kept)


def test_a_princess_may_not_take_the_chief_where_only_chiefs_may() -> None:
    rules = "appendix,princess-takes=yes,chief-taken-by-other=forbidden"
    assert "e4" not in reach(position_of("Qe1 ce4 qa10", rules), "e1").split()
    assert "e4" in reach(position_of("Qe1 de4 qa10", rules), "e1").split()


def test_a_line_goes_on_through_the_centre_and_over_the_seam() -> None:
    rules = "ninth-ray-clockwise,warrior=straight-or-diagonal-line"
    line = reach(position_of("Wa4 Qf1 qf10", rules), "a4").split()
    assert "j5" in line  # a4-a5-j5
    assert "j4" in reach(position_of("Wa5 Qf1 qf10", rules), "a5").split()  # a5-j5-j4, outwards
    assert "i8" in reach(position_of("Wa1 Qf1 qf10", rules), "a1").split()  # a1-j9-i8, inwards


def test_the_tenth_ply_of_few_and_equal_pieces_draws_and_a_win_on_it_counts() -> None:
    text = "9q/10/10/10/10/10/4w5/10/4W5/Q9 b - 9 40 60"
    before = parse_position(text, parse_rules("appendix"))
    after = before.play(parse_move("We2-d1", before))
    assert after.few_counter == 10
    assert after.outcome == (None, Termination.FEW_PIECES)
    assert after.moves() == ()
    taking = parse_position(text.replace("9q", "10").replace("4w5", "4q5"), before.rules)
    won = taking.play(parse_move("We2xe4", taking))
    assert won.outcome == (Side.BLACK, Termination.PRINCESS_TAKEN)


def test_the_count_begins_with_the_ply_that_brings_few_and_equal_about() -> None:
    start = parse_position("9q/10/10/10/10/10/4w5/3p6/4W5/Q9 b - - 7 60", parse_rules("appendix"))
    fewer = start.play(parse_move("We2xd3", start))
    assert fewer.few_counter == 0
    assert fewer.quiet_plies == 0
    assert fewer.play(parse_move("We4-d5", fewer)).few_counter == 1


@pytest.mark.parametrize(("option", "winner"), [("loss", Side.BLACK), ("draw", None)])
def test_a_side_without_a_move_loses_or_draws(option: str, winner: Side | None) -> None:
    text = "a9/1P8/10/10/10/10/10/10/10/W9 o - - 0 9"
    stuck = parse_position(text, parse_rules(f"appendix,no-move={option}"))
    assert stuck.moves() == ()
    assert stuck.outcome == (winner, Termination.NO_MOVE)


def test_a_mated_or_stalemated_side_loses_where_mate_ends_the_game() -> None:
    rules = parse_rules("friedlander")
    mated = parse_position("q9/10/3C6/1D8/10/10/10/10/10/Q9 o - - 0 9", rules)
    assert mated.outcome == (Side.BLACK, Termination.CHECKMATE)
    escaped = parse_position("q9/10/10/1D8/7T2/10/9T/10/10/Q9 o - - 0 9", rules)
    assert escaped.moves()
    for move in escaped.moves():
        after = escaped.play(move)
        princess = parse_square("a10") if move.from_square != 90 else move.to_square
        assert all(reply.to_square != princess for reply in after.moves())
    stuck = parse_position("a9/1P8/10/10/10/10/10/10/10/W9 o - - 0 9", rules)
    assert stuck.outcome == (Side.BLACK, Termination.NO_MOVE)


def test_a_chief_takes_a_chief_and_wins() -> None:
    before = position_of("Ce5 ce8 Qa1 qa10")
    assert before.play(parse_move("Ce5xe8", before)).outcome == (
        Side.BLACK,
        Termination.CHIEF_BY_CHIEF,
    )


def test_moves_each_without_a_capture_draw() -> None:
    text = "wadfqcfdaw/tppppppppt/10/10/10/10/10/10/TPPPPPPPPT/WADFCQFDAW b BO - 99 50"
    before = parse_position(text, parse_rules("abstract-games"))
    after = before.play(parse_move("b2-b3", before))
    assert after.outcome == (None, Termination.CAPTURELESS)
    assert before.play(parse_move("b2-b3", before)).moves() == ()
    endless = parse_position(text, parse_rules("appendix"))
    assert endless.play(parse_move("b2-b3", endless)).outcome is None


def test_a_post_that_has_answered_nothing_yet_is_still_a_piece() -> None:
    """An empty memory is falsy, and pieces seemed to be gone."""
    rules = parse_rules("appendix,value.chief=11")  # rules of its own: nothing has been asked yet
    start = Position.start(rules)
    assert start.piece_at(parse_square("f1")) == (Side.BLACK, Kind.PRINCESS)
    assert len(start.pieces()) == 40
