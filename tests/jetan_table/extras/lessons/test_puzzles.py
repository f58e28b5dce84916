"""The puzzles of the day, proved once more by the rules alone: every reply, by plain play."""

import pytest

from jetan_table.engine.positions import has_won
from jetan_table.extras.lessons.puzzles import (
    PLIES,
    DailyPuzzle,
    Task,
    asked_puzzle,
    judge,
    read_daily,
    solutions,
)
from rules import Kind, Move, MoveKind, Position, Side

PUZZLES = read_daily()


def ends_for(after: Position, side: Side) -> bool:
    return after.outcome is not None and after.outcome.winner is side


def takes_and_wins(position: Position) -> bool:
    captures = (move for move in position.moves() if move.kind is MoveKind.CAPTURE)
    return any(ends_for(position.play(move), position.side) for move in captures)


def wins_whatever_is_replied(after: Position, plies: int) -> bool:
    """Whether who has moved wins within so many plies more."""
    side = after.side.other
    if after.outcome is not None:
        return after.outcome.winner is side
    return all(wins(after.play(reply), side, plies - 1) for reply in after.moves())


def wins(position: Position, side: Side, plies: int) -> bool:
    """Whether a side wins; `has_won` only proposes what is then played out."""
    if position.outcome is not None:
        return position.outcome.winner is side
    if takes_and_wins(position):
        return True
    proposed = (move for move in position.moves() if has_won(position.play(move), plies - 1))
    return plies >= 3 and any(
        wins_whatever_is_replied(position.play(move), plies - 1) for move in proposed
    )


def only_solution(puzzle: DailyPuzzle) -> Move:
    (move,) = solutions(puzzle.position, puzzle.task)
    return move


def test_there_are_puzzles_of_every_task_and_no_position_twice() -> None:
    assert {puzzle.task for puzzle in PUZZLES} == set(Task)
    assert len({puzzle.position for puzzle in PUZZLES}) == len(PUZZLES)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: f"{puzzle.number} {puzzle.task}")
def test_one_move_does_what_is_asked_by_the_rules_alone(puzzle: DailyPuzzle) -> None:
    position, side = puzzle.position, puzzle.position.side
    key = only_solution(puzzle)
    if puzzle.task is Task.DRAW:
        drawn = position.play(key)
        assert position.piece_at(key.to_square) == (side.other, Kind.CHIEF)
        assert drawn.outcome is not None
        assert drawn.outcome.winner is None
        for move in position.moves():
            after = position.play(move)
            assert move == key or ends_for(after, side.other) or wins(after, side.other, 3)
    elif puzzle.task is Task.SAVE:
        assert not takes_and_wins(position)
        for move in position.moves():
            after = position.play(move)
            is_lost = (
                takes_and_wins(after) if after.outcome is None else ends_for(after, side.other)
            )
            assert is_lost == (move != key)
    else:
        assert not takes_and_wins(position)
        assert wins_whatever_is_replied(position.play(key), PLIES[puzzle.task] - 1)


@pytest.mark.parametrize(
    "puzzle", [next(puzzle for puzzle in PUZZLES if puzzle.task is task) for task in Task]
)
def test_the_solution_is_led_to_its_end_and_other_moves_are_refuted(puzzle: DailyPuzzle) -> None:
    plies = PLIES[puzzle.task]
    position, move = puzzle.position, only_solution(puzzle)
    verdict = judge(position, puzzle.task, plies, move)
    for left in range(plies - 2, 0, -2):
        if verdict.is_solved:  # nobody was left to move
            assert puzzle.task is Task.WIN_7
            break
        assert verdict.reply is not None
        position = position.play(move).play(verdict.reply)
        move = next(each for each in position.moves() if has_won(position.play(each), left - 1))
        verdict = judge(position, puzzle.task, left, move)
    assert verdict.is_solved
    for other in puzzle.position.moves()[:3]:
        if other != only_solution(puzzle):
            wrong = judge(puzzle.position, puzzle.task, plies, other)
            assert not wrong.is_right
            assert wrong.words.startswith("No: ")


def test_each_day_has_the_next_puzzle_and_all_come_before_one_comes_again() -> None:
    days = [
        asked_puzzle(PUZZLES, None, None, None, day) for day in range(739000, 739000 + len(PUZZLES))
    ]
    assert set(days) == set(PUZZLES)
