"""The rules in Ludii's words, read by a reader of our own that shares no code with them."""

from random import Random

import pytest

from jetan_table.extras.foreign.ludii import exported, left_out, why_not
from jetan_table.extras.foreign.zillions import CannotSay
from rules import (
    PRESETS,
    Game,
    MoveKind,
    Position,
    Side,
    format_square,
    parse_position,
    parse_rules,
)
from tests.jetan_table.extras.foreign.lud import Game as Read
from tests.jetan_table.extras.foreign.lud import Man, State
from tests.jetan_table.extras.foreign.played import positions, seen_through

SAYABLE = [name for name in PRESETS if not list(why_not(parse_rules(name)))]
POSITIONS = 18
"""Of each reading."""


def told(position: Position) -> State:
    """Tell a position as Ludii keeps it."""
    board = {
        format_square(at).upper(): Man(man.side + 1, man.kind.word.capitalize())
        for at, man in position.pieces().items()
    }
    spent = {side + 1: 1 for side in Side if side not in position.escapes}
    return State(board, position.side + 1, spent, counter=position.quiet_plies)


def moved(before: State, after: State) -> tuple[str, str]:
    (start,) = (at for at, man in before.board.items() if after.board.get(at) is None)
    return start.lower(), after.last_to.lower()


@pytest.mark.ci
@pytest.mark.parametrize("name", SAYABLE)
def test_a_reader_of_its_own_finds_the_same_moves(name: str) -> None:
    """But for squares threatened through the Princess, which the file says it leaves out."""
    rules = parse_rules(name)
    read = Read(exported(rules))
    assert read.start == told(Position.start(rules)).board
    count = 0
    for position in positions(rules, POSITIONS):
        before = told(position)
        after = {moved(before, each): each for each in read.legal(before)}
        hidden = seen_through(position) if list(left_out(rules)) else set()
        ours = {
            (format_square(move.from_square), format_square(move.to_square)): move
            for move in position.moves()
        }
        assert ours.keys() <= after.keys()
        assert after.keys() - ours.keys() <= hidden
        count += len(ours)
        for squares, move in ours.items():
            spends = after[squares].values != before.values
            assert spends == (move.kind is MoveKind.ESCAPE)
    assert count > 20 * POSITIONS


FEW = "4qc4/10/10/10/10/10/10/10/10/4QC4 b BO 0 0 1"
FEW_EQUAL_LATER = "4qc3d/10/10/9D/10/10/10/10/10/4QC4 b BO - 0 1"


@pytest.mark.parametrize(
    ("name", "start"),
    [
        *((name, text) for name in ("appendix", "zillions", "retired-chief") for text in (FEW, "")),
        ("abstract-games", FEW_EQUAL_LATER),
        ("abstract-games,captureless=3", ""),
        ("chapter-two,no-move=draw", "q9/10/10/10/10/10/10/10/8P1/10 b - - 0 1"),
        ("cazaux", "4qc4/10/10/4C5/10/10/10/10/10/4Q5 b BO - 0 1"),
        ("retired-chief", "4qc4/10/10/4C5/10/10/10/10/10/4Q5 b BO - 0 1"),
    ],
)
def test_games_at_random_end_alike(name: str, start: str) -> None:
    rules, random = parse_rules(name), Random(f"{name} {start}")
    read, endings = Read(exported(rules)), set()
    for _game in range(3):
        game = Game.begin(parse_position(start, rules) if start else Position.start(rules))
        state = told(game.position)
        while game.outcome is None and len(game.plies) < 120:
            moves = game.position.moves()
            takes = [move for move in moves if move.kind is MoveKind.CAPTURE]
            move = random.choice(takes or moves)
            squares = format_square(move.from_square), format_square(move.to_square)
            (after,) = (
                each
                for each in read.legal_from(state, squares[0].upper())
                if each.last_to == squares[1].upper()
            )
            side = game.position.side
            game, state = game.play(move), read.played(after)
            outcome = game.outcome
            if outcome is None or outcome.winner is None:
                assert state.result == (None if outcome is None else "Draw")
            else:
                assert outcome.winner is side
                assert state.result == "Win"
        endings.add(game.outcome and game.outcome.termination)
    assert endings - {None}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("manator-arena", "dice"),
        ("friedlander", "enemy Chief is forbidden"),
        ("ninth-ray-clockwise", "no directions"),
    ],
)
def test_what_cannot_be_said_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(CannotSay, match=why):
        exported(parse_rules(text))


def test_what_is_left_out_is_said_in_the_file() -> None:
    rules = parse_rules("abstract-games,few-equal=any")
    assert len(list(left_out(rules))) == 3
    for each in left_out(rules):
        assert f"// Left out: {each}\n" in exported(rules)
