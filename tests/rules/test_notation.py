"""Squares, positions and moves as text."""

import random

import pytest

from rules import (
    BadText,
    Game,
    IllegalMove,
    Move,
    MoveKind,
    Position,
    Side,
    Square,
    UnknownName,
    format_move,
    format_position,
    format_square,
    parse_move,
    parse_position,
    parse_rules,
    parse_square,
)

START = "wadfqcfdaw/tppppppppt/10/10/10/10/10/10/TPPPPPPPPT/WADFCQFDAW b BO - 0 1"
APPENDIX = parse_rules("appendix")


def test_the_start_is_written_as_the_rules_print_it() -> None:
    assert format_position(Position.start(APPENDIX)) == START
    manator = format_position(Position.start(parse_rules("manator")))
    assert manator.startswith("wadfcqfdaw/")


@pytest.mark.parametrize("rules", ["appendix", "ninth-ray-clockwise", "cazaux"])
def test_positions_and_moves_go_both_ways(rules: str) -> None:
    chance = random.Random(8)
    position = Position.start(parse_rules(rules), juggernaut=Square(55))
    for _ in range(60):
        text = format_position(position)
        assert parse_position(text, position.rules) == position
        moves = position.moves()
        if not moves:
            break
        for move in moves:
            assert parse_move(format_move(move, position), position) == move
            assert parse_move(format_move(move), position) == move
        after = position.play(chance.choice(moves))
        assert after != position
        position = after
    assert position.move_number > 5


def test_a_juggernaut_is_told_by_a_star() -> None:
    text = START.replace("/10/10/10/TPP", "/10/4*5/10/TPP")
    position = parse_position(text, APPENDIX)
    assert position.juggernaut == parse_square("e4")
    assert format_position(position) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (START + " x", "has 7 words, must have 6"),
        (START.replace("/10/10/10/10/10/10/", "/10/10/"), "has 6 ranks, must have 10"),
        (START.replace("TPPPPPPPPT", "TPPPPPPPP"), "rank 2 'TPPPPPPPP': has 9 squares"),
        (START.replace("TPPPPPPPPT", "TPPPPPPPP2"), "rank 2 'TPPPPPPPP2': has 11 squares"),
        (START.replace("TPPPPPPPPT", "TPPPPPPPPTP"), "rank 2 'TPPPPPPPPTP': has 11 squares"),
        (START.replace("TPPPPPPPPT", "TPPPPXPPPT"), "'X' is no piece (P T W A D F C Q"),
        (START.replace("TPPPPPPPPT", "TPPPPQPPPT"), "more than one Q"),
        (START.replace("/10/", "/*8*/", 1), "more than one *"),
        (START.replace(" b ", " w "), "side to move 'w': must be b or o"),
        (START.replace("BO", "OB"), "escapes 'OB': must be BO, B, O or -"),
        (START.replace("- 0 1", "11 0 1"), "few-pieces counter '11': must be a number 0..10"),
        (START.replace("- 0 1", "- x 1"), "moves since the last capture 'x': must be a number"),
        (START.replace("- 0 1", "- 0 0"), "move number '0': must be a number 1.."),
    ],
)
def test_a_bad_position_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(BadText) as refused:
        parse_position(text, APPENDIX)
    assert words in str(refused.value)


def test_a_move_is_read_however_people_write_it() -> None:
    start = Position.start(APPENDIX)
    flier = Move(parse_square("d1"), parse_square("a4"), MoveKind.MOVE)
    for text in ("Fd1-a4", "fd1-a4", "Od1-a4", "od1a4", "d1-a4", "d1a4", " Fd1-a4 "):
        assert parse_move(text, start) == flier
    escape = Move(parse_square("f1"), parse_square("e5"), MoveKind.ESCAPE)
    assert parse_move("Qf1~e5", start) == parse_move("f1e5", start) == escape
    assert format_move(escape, start) == "Qf1~e5"
    assert format_move(escape) == "f1~e5"


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("d1", BadText, "no move text"),
        ("Xd1-a4", IllegalMove, "on d1 stands a Flier (F)"),
        ("Dd1-a4", IllegalMove, "on d1 stands a Flier (F)"),
        ("d1xa4", IllegalMove, "d1 to a4 is written Fd1-a4"),
        ("f1-e5", IllegalMove, "f1 to e5 is written Qf1~e5"),
        ("e5-e6", IllegalMove, "Nobody stands on e5."),
        ("d9-d8", IllegalMove, "The piece on d9 belongs to the side that is not to move."),
        ("d1-d4", IllegalMove, "A Flier takes exactly three diagonal steps: from d1 it never"),
    ],
)
def test_a_bad_move_is_refused_in_words(text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as refused:
        parse_move(text, Position.start(APPENDIX))
    assert words in str(refused.value)


def test_squares_go_both_ways() -> None:
    for number in range(100):
        assert parse_square(format_square(Square(number))) == number
    assert parse_square("J10") == 99
    with pytest.raises(UnknownName, match="k1: no such square"):
        parse_square("k1")


def test_playing_changes_nothing_and_refuses_what_is_not_legal() -> None:
    start = Position.start(APPENDIX)
    after = start.play(start.moves()[0])
    assert format_position(start) == START
    assert after.side is Side.ORANGE
    assert (after.ply_number, after.move_number) == (2, 1)
    with pytest.raises(IllegalMove, match="a1-a3 is no legal move here"):
        start.play(Move(parse_square("a1"), parse_square("a3"), MoveKind.MOVE))
    with pytest.raises(IllegalMove, match="is no legal capture here"):
        start.play(Move(parse_square("b2"), parse_square("b3"), MoveKind.CAPTURE))
    with pytest.raises(IllegalMove, match="nobody fights for b3 here"):
        start.play(Move(parse_square("b2"), parse_square("b3"), MoveKind.MOVE), duel_lost=True)


def test_a_position_prints_as_a_board_and_names_itself_exactly() -> None:
    position = parse_position(START.replace("/10/10/10/TPP", "/10/4*5/10/TPP"), APPENDIX)
    assert str(position).splitlines() == [
        "10  w a d f q c f d a w",
        " 9  t p p p p p p p p t",
        *(f" {rank}  . . . . . . . . . ." for rank in (8, 7, 6, 5)),
        " 4  . . . . * . . . . .",
        " 3  . . . . . . . . . .",
        " 2  T P P P P P P P P T",
        " 1  W A D F C Q F D A W",
        "    a b c d e f g h i j",
    ]
    assert (
        repr(position) == f"<Position {format_position(position).split()[0]} black to play ply 1>"
    )


def test_a_disk_prints_its_rings_as_rows_and_its_centre_between_them() -> None:
    disk = str(Position.start(parse_rules("ninth-ray-clockwise"))).splitlines()
    assert disk[4:7] == [
        " 6  . . . . . . . . . .",
        "    -------- o --------",
        " 5  . . . . . . . . . .",
    ]
    assert len(disk) == 12


@pytest.mark.parametrize(
    "text", ["Pd2-d3", "pd2-d3", "d2-d3", "d2d3", "Pd2d3", "d2 d3", " d2  d3 ", "Pd2 d3"]
)
def test_a_move_is_played_by_its_text_in_every_form(text: str) -> None:
    start = Position.start(APPENDIX)
    after = start.play(parse_move("Pd2-d3", start))
    assert start.play(text) == after
    assert Game.begin(start).play(text).position == after


def test_what_is_played_by_its_text_is_refused_with_the_reason() -> None:
    start = Position.start(APPENDIX)
    with pytest.raises(BadText, match=r"^d2d: no move text; write one like Pb2-b3"):
        start.play("d2d")
    with pytest.raises(IllegalMove, match=r"^d2-d5: not a legal move here\. A Panthan takes one"):
        Game.begin(start).play("d2-d5")
    with pytest.raises(IllegalMove, match=r"^Wd2-d3: on d2 stands a Panthan"):
        start.play("Wd2-d3")
