"""The interpreter against a brute-force walker that shares no code with it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Move, Position, Rules, Side, parse_rules
from rules.board import PIECES, SQUARE_NAMES, SQUARES, Square
from rules.options import OPTIONS, PRESETS
from rules.sentences import Contradiction
from tests.rules import walker

MEN = [letter for letter in PIECES if letter not in "CcQq"]
FREE = [name for name in OPTIONS if name != "juggernaut" and not name.startswith("value.")]


def walker_options(rules: Rules) -> walker.Options:
    return dict(zip(OPTIONS, rules.values, strict=True))


def walker_state(position: Position) -> walker.State:
    """Tell the walker a position, in its own words."""
    jug = position.juggernaut
    return walker.State(
        board={SQUARE_NAMES[at]: piece.letter for at, piece in position.pieces().items()},
        turn="bo"[position.side],
        escapes=frozenset("bo"[side] for side in position.escapes),
        juggernaut=None if jug is None else SQUARE_NAMES[jug],
        few=position.few_counter,
        quiet=position.quiet_plies,
        options=walker_options(position.rules),
    )


def told(move: Move) -> walker.Played:
    return SQUARE_NAMES[move.from_square], SQUARE_NAMES[move.to_square], move.kind.value


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    values = {}
    for name in draw(st.lists(st.sampled_from(FREE), unique=True, max_size=12)):
        values[name] = draw(st.sampled_from(OPTIONS[name].values))
    try:
        return parse_rules(draw(st.sampled_from(list(PRESETS)))).changed(values)
    except Contradiction:
        return parse_rules("appendix")


@st.composite
def any_position(draw: st.DrawFn) -> Position:
    """Pieces anywhere: crowded boards and bare ones, royal pieces there or not."""
    rules = draw(any_rules())
    most = 8 if rules["ending"] == "checkmate" else 30
    squares = draw(st.lists(st.sampled_from(SQUARES), unique=True, min_size=6, max_size=most))
    royals = draw(st.sampled_from(["QqCc", "QqC", "Qqc", "Qq", "Cc"]))
    letters = list(royals) + [draw(st.sampled_from(MEN)) for _ in squares[len(royals) :]]
    juggernaut = squares.pop() if draw(st.booleans()) else None
    side = draw(st.sampled_from(Side))
    return Position.of(
        rules,
        {square: PIECES[letter] for square, letter in zip(squares, letters, strict=False)},
        side,
        escapes=draw(st.sampled_from([frozenset(), frozenset(Side), frozenset({side})])),
        juggernaut=juggernaut,
        few_counter=draw(st.sampled_from([None, None, 4, 9])),
    )


@given(any_position())
def test_moves_and_outcomes_agree_anywhere(position: Position) -> None:
    state = walker_state(position)
    moves = position.moves()
    assert {told(move) for move in moves} == walker.legal(state)
    assert len(set(moves)) == len(moves) == position.count_moves()
    assert set(moves) == {move for square in SQUARES for move in position.moves_from(square)}
    for move in moves[:: len(moves) // 4 + 1]:
        after, expected = position.play(move), walker.played(state, told(move))
        agree(after, expected)
    assert walker_state(position) == state, "a position never changes"


def agree(position: Position, state: walker.State) -> None:
    """The position is the state, and is over or not as the walker has it."""
    shown = walker_state(position)
    assert (shown.board, shown.turn, shown.escapes) == (state.board, state.turn, state.escapes)
    assert (shown.few, shown.quiet) == (state.few, state.quiet)
    outcome = position.outcome
    result = None if outcome is None else "draw"
    if outcome is not None and outcome.winner is not None:
        result = "bo"[outcome.winner]
    assert result == walker.result(state)


def play_along(rules: Rules, seed: int, plies: int) -> int:
    """Play a game at random in both programs; return how many plies it took."""
    chance = random.Random(seed)
    position = Position.start(rules)
    state = walker_state(position)
    for number in range(plies):
        moves = position.moves()
        assert {told(move) for move in moves} == walker.legal(state)
        agree(position, state)
        if not moves:
            return number
        move = chance.choice([move for move in moves if move.kind.value == "capture"] or moves)
        position, state = position.play(move), walker.played(state, told(move))
    return plies


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_of_every_preset_agrees(preset: str) -> None:
    plies = 6 if PRESETS[preset].differs.get("ending") == "checkmate" else 40
    assert play_along(parse_rules(preset), seed=1922, plies=plies) > 0


@pytest.mark.soak("rules")
@pytest.mark.parametrize("preset", PRESETS)
def test_many_games_of_every_preset_agree(preset: str) -> None:
    for seed in range(5):
        assert play_along(parse_rules(preset), seed, plies=200) > 0


@pytest.mark.parametrize("bias", ["clockwise", "counterclockwise"])
def test_the_walkers_disk_is_the_interpreters(bias: str) -> None:
    board = parse_rules(f"ninth-ray-{bias}").board
    for square in SQUARES:
        reached = {walker.step(board.name, SQUARE_NAMES[square], way) for way in walker.WAYS}
        names = {step[0] for step in reached if step is not None}
        neighbours = {n for n in board.neighbours[square] if n is not None}
        assert names == {SQUARE_NAMES[n] for n in neighbours}


def test_the_walker_finds_what_the_first_board_offers() -> None:
    start = walker_state(Position.start(parse_rules("appendix")))
    assert len(walker.legal(start)) == 78
    assert Square(0) == SQUARES[0]
