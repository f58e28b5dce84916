"""The rules against two others: an independent program's counts, and a second, plain player."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    OPTIONS,
    PIECES,
    PRESETS,
    SQUARE_NAMES,
    SQUARES,
    BadValue,
    Move,
    Position,
    Rules,
    Side,
    Square,
    divide,
    parse_rules,
    perft,
)
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
    except BadValue:
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


FACTS = {
    "appendix": (78, 6_066, 446_808),
    "abstract-games": (78, 6_066, 447_436),
    "abstract-games,escape=none": (52, 2_683, 157_347),
    "after-ekman-walking": (74, 5_462, 379_795),
    "ninth-ray-clockwise": (80, 6_334, 511_189),
    "ninth-ray-counterclockwise": (80, 6_334, 511_046),
}


@pytest.mark.parametrize("text", FACTS)
def test_perft_agrees_with_the_independent_program(text: str) -> None:
    start = Position.start(parse_rules(text))
    assert tuple(perft(start, depth) for depth in (1, 2, 3)) == FACTS[text]


@pytest.mark.soak("rules")
def test_perft_four_of_the_appendix() -> None:
    assert perft(Position.start(parse_rules("appendix")), 4) == 32_525_589


def test_divide_adds_up_to_perft() -> None:
    start = Position.start(parse_rules("appendix"))
    counts = divide(start, 2)
    assert set(counts) == set(start.moves())
    assert sum(counts.values()) == perft(start, 2)


def test_no_plies_are_one_game_and_fewer_are_refused() -> None:
    start = Position.start(parse_rules("appendix"))
    assert perft(start, 0) == 1
    with pytest.raises(ValueError, match="depth -1: must be 0 or more"):
        perft(start, -1)
    with pytest.raises(ValueError, match="depth 0: must be 1 or more"):
        divide(start, 0)
