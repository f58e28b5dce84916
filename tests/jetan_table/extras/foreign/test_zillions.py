"""The rules in Zillions' words, read by a reader of our own that shares no code with them."""

import pytest

from jetan_table.extras.foreign.zillions import CannotSay, exported, left_out, why_not
from rules import (
    PRESETS,
    Kind,
    MoveKind,
    Position,
    Side,
    format_square,
    parse_rules,
)
from tests.jetan_table.extras.foreign import zrf
from tests.jetan_table.extras.foreign.played import positions, seen_through

PLAYERS = {Side.BLACK: "Black", Side.ORANGE: "Orange"}
SAYABLE = [name for name in PRESETS if name not in ("friedlander", "manator-arena")]
POSITIONS = 27
"""Of each reading; 405 in all."""


def told(position: Position) -> zrf.Board:
    """Tell a position in Zillions' words."""
    board, can_escape = {}, position.rules["escape"] != "none"
    for at, (side, kind) in position.pieces().items():
        may = can_escape and kind is Kind.PRINCESS and side in position.escapes
        flags = {"may-escape?"} if may else set[str]()
        piece = kind.word.capitalize()
        board[format_square(at)] = zrf.Man(PLAYERS[side], piece, frozenset(flags))
    return board


@pytest.mark.ci
@pytest.mark.parametrize("name", SAYABLE)
def test_a_reader_of_its_own_finds_the_same_moves(name: str) -> None:
    """But for squares threatened through the Princess, which the file says it leaves out."""
    rules = parse_rules(name)
    game = zrf.game(exported(rules))
    assert game.start == told(Position.start(rules))
    count = 0
    for position in positions(rules, POSITIONS):
        moves = set(zrf.moves(game, told(position), PLAYERS[position.side]))
        found = {(start, end) for start, end, _man in moves}
        ours = {
            (format_square(move.from_square), format_square(move.to_square))
            for move in position.moves()
        }
        assert ours <= found
        assert found - ours <= seen_through(position)
        count += len(ours)
        fled = {
            (format_square(move.from_square), format_square(move.to_square))
            for move in position.moves()
            if move.kind is MoveKind.ESCAPE
        }
        spent = {
            (start, end)
            for start, end, man in moves
            if told(position)[start].flags and not man.flags
        }
        assert spent - seen_through(position) == fled
    assert count > 20 * POSITIONS


def test_a_chief_that_takes_a_chief_is_told_from_others() -> None:
    rules = parse_rules("appendix")
    game = zrf.game(exported(rules))
    board = {
        "d4": zrf.Man("Black", "Chief"),
        "d7": zrf.Man("Orange", "Chief"),
        "a7": zrf.Man("Black", "Dwar"),
    }
    onto = {
        move.start: move.man.piece for move in zrf.moves(game, board, "Black") if move.end == "d7"
    }
    assert onto == {"d4": "Victor", "a7": "Dwar"}
    goals = [
        goal[0] + " " + " ".join(goal[2] if isinstance(goal[2], list) else [goal[2]])[:20]
        for goal in game.goals
        if goal[2][0] != "absolute-config"
    ]
    assert goals == [
        "loss-condition captured Princess",
        "draw-condition captured Chief",
        "loss-condition stalemated",
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("manator-arena", "dice"),
        ("friedlander", "enemy Chief is forbidden"),
        ("zillions+juggernaut", "moved by a die"),
        ("appendix,escape=unoccupied", "threatened squares"),
        ("ninth-ray-clockwise,chief=line", "centre of a disk"),
    ],
)
def test_what_cannot_be_said_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(CannotSay, match=why):
        exported(parse_rules(text))


def test_what_is_left_out_is_said_in_the_file() -> None:
    text = exported(parse_rules("abstract-games"))
    for each in left_out(parse_rules("abstract-games")):
        assert f";   {each}\n" in text
    assert "without a capture" in text
    assert not list(why_not(parse_rules("abstract-games")))
