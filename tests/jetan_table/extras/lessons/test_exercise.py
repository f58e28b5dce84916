"""Exercises at a simulated table: real scan and reading, typed hands."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jetan_table.engine.proof import has_won
from jetan_table.extras.lessons.course import GRID
from jetan_table.extras.lessons.exercise import (
    PUZZLES_KEPT_IN,
    NothingToGuess,
    PuzzleExercise,
    cut_short,
    read_progress,
    to_guess,
)
from jetan_table.extras.lessons.puzzles import Task, read_daily, solutions
from jetan_table.extras.lessons.teacher import Teacher, Teaching
from jetan_table.light.cues import Cue, cues
from jetan_table.session.view import Phase
from rules import (
    Move,
    MoveKind,
    Position,
    Side,
    format_square,
    parse_move,
    parse_rules,
    parse_square,
)
from rules.game import Game
from tests.jetan_table.sitting import Evening, sitting

PUZZLES = read_daily()
WIN_3 = next(puzzle for puzzle in PUZZLES if puzzle.task is Task.WIN_3)
SAVE = next(puzzle for puzzle in PUZZLES if puzzle.task is Task.SAVE)
PATIENT_S = 60.0


@contextmanager
def training_at(folder: Path) -> Iterator[tuple[Evening, Teacher]]:
    with sitting(folder) as evening:
        teacher = Teacher(folder, evening.hands.set_up, wait_s=PATIENT_S)
        evening.table.welcome(teacher)
        yield evening, teacher


def now(teacher: Teacher) -> Teaching:
    assert teacher.teaching is not None
    return teacher.teaching


def play(evening: Evening, move: Move) -> None:
    evening.move(format_square(move.from_square), format_square(move.to_square))


def test_a_puzzle_is_set_up_led_through_and_kept_as_solved(tmp_path: Path) -> None:
    with training_at(tmp_path) as (evening, teacher):
        teacher.open(PuzzleExercise(WIN_3), left=evening.table.game)
        evening.wait(2.0)
        assert evening.record.position == WIN_3.position
        assert evening.view.help.taught["de"][0] == f"Rätsel {WIN_3.number}, Schwere 1"
        (key,) = solutions(WIN_3.position, WIN_3.task)
        play(evening, key)
        reply = now(teacher).reply
        assert reply is not None
        assert evening.view.help.wish == reply
        assert cues(evening.view)[reply.from_square] is Cue.WANTED
        play(evening, reply)
        position = evening.record.position
        assert evening.record.game.plies[1].move == reply
        play(evening, next(move for move in position.moves() if has_won(position.play(move), 0)))
        assert now(teacher).is_over
        assert "solved" in evening.view.help.taught["en"][-1]
        assert read_progress(tmp_path, PUZZLES_KEPT_IN).solved == (str(WIN_3.number),)
        assert teacher.close() == 1


def test_what_is_wrong_is_refuted_and_taken_back(tmp_path: Path) -> None:
    with training_at(tmp_path) as (evening, teacher):
        teacher.open(PuzzleExercise(SAVE))
        evening.wait(2.0)
        (key,) = solutions(SAVE.position, SAVE.task)
        quiet = [m for m in SAVE.position.moves() if m != key and m.to_square != key.to_square]
        play(evening, quiet[0])
        assert evening.record.position == SAVE.position
        assert evening.view.help.taught["en"][-1].startswith("No: ")
        assert not now(teacher).is_over
        play(evening, key)
        assert now(teacher).is_over


def test_a_wrong_reply_is_taken_back_and_a_way_back_is_gone_along(tmp_path: Path) -> None:
    with training_at(tmp_path) as (evening, teacher):
        teacher.open(PuzzleExercise(WIN_3))
        evening.wait(2.0)
        (key,) = solutions(WIN_3.position, WIN_3.task)
        play(evening, key)
        reply = now(teacher).reply
        position = evening.record.position
        ends = {key.to_square, *(() if reply is None else (reply.from_square, reply.to_square))}
        other = next(move for move in position.moves() if ends.isdisjoint(move[:2]))
        play(evening, other)
        assert evening.record.game.plies[1:] == ()
        assert now(teacher).reply == reply


def test_a_puzzle_goes_on_where_the_table_was_switched_off(tmp_path: Path) -> None:
    with training_at(tmp_path) as (evening, teacher):
        teacher.open(PuzzleExercise(WIN_3))
        evening.wait(2.0)
    with training_at(tmp_path) as (evening, teacher):
        (cut,) = cut_short(tmp_path, GRID, may_change=True)
        assert cut == PuzzleExercise(WIN_3)
        assert not teacher.take_up(evening.record, PuzzleExercise(SAVE))
        assert teacher.take_up(evening.record, PuzzleExercise(WIN_3))
        (key,) = solutions(WIN_3.position, WIN_3.task)
        play(evening, key)
        assert now(teacher).reply is not None


def played(text: str, rules: str = "appendix") -> Game:
    game = Game.begin(Position.start(parse_rules(rules)))
    for word in text.split():
        game = game.play(parse_move(word, game.position))
    return game


KEPT = played("d2d3 d9d8 e2e3 e9e8 f2f3")


def test_the_moves_of_a_game_are_guessed_one_after_the_other(tmp_path: Path) -> None:
    with training_at(tmp_path) as (evening, teacher):
        teacher.open(to_guess(KEPT, Side.BLACK, 1, "Tara - Gahan"))
        evening.wait(2.0)
        assert evening.record.position == KEPT.positions[2]
        evening.move("g2", "g3")
        assert evening.record.position == KEPT.positions[2]
        assert Cue.ADVICE not in cues(evening.view).values()
        evening.move("h2", "h3")
        lit = {square for square, cue in cues(evening.view).items() if cue is Cue.ADVICE}
        assert lit == set(KEPT.plies[2].move[:2])
        evening.move("e2", "e3")
        assert now(teacher).reply == KEPT.plies[3].move
        evening.move("e9", "e8")
        evening.move("f2", "f3")
        assert now(teacher).is_over
        said_last = evening.view.help.taught["en"][-1]
        assert said_last == "1 of 2 moves were found at the first try."


def test_what_cannot_be_guessed_is_refused() -> None:
    with pytest.raises(NothingToGuess, match="Orange makes no move there"):
        to_guess(KEPT, Side.ORANGE, 4, "")
    wandering = Game.begin(
        Position.start(parse_rules("appendix+juggernaut"), juggernaut=parse_square("e5"))
    )
    with pytest.raises(NothingToGuess, match="dice"):
        to_guess(wandering.play(parse_move("d2d3", wandering.start)), Side.BLACK, 0, "")


def test_at_a_real_board_lamps_lead_a_wrong_move_back_and_show_the_reply(
    tmp_path: Path, evening: Evening
) -> None:
    teacher = Teacher(tmp_path, wait_s=PATIENT_S)
    evening.table.welcome(teacher)
    teacher.open(PuzzleExercise(WIN_3))
    evening.wait(1.0)
    assert evening.view.phase is Phase.SETTING_UP
    evening.hands.set_up(WIN_3.position, evening.clock.now())
    evening.wait(3.0)
    (key,) = solutions(WIN_3.position, WIN_3.task)
    quiet = next(m for m in WIN_3.position.moves() if m.kind is MoveKind.MOVE and m != key)
    play(evening, quiet)
    evening.wait(10.0)
    lit = cues(evening.view)
    assert lit[quiet.to_square] is Cue.WRONG
    assert lit[quiet.from_square] is Cue.BELONGS
    play(evening, Move(quiet.to_square, quiet.from_square, MoveKind.MOVE))
    assert evening.record.position == WIN_3.position
    play(evening, key)
    reply = now(teacher).reply
    assert reply is not None
    assert cues(evening.view)[reply.from_square] is Cue.WANTED
