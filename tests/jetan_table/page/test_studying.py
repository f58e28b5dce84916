"""The switch of a study on the page: lines kept in the game that is played, and its best moves."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.extras.lessons.lines import KEPT_IN
from jetan_table.extras.opponent.seat import Seat
from jetan_table.game.commands import CommandRefused, New, SetConduct, TakeBackLast
from jetan_table.light.lamps import Cue, LampChoice, cues
from jetan_table.page.asked import AskedTable
from jetan_table.page.documents import games
from jetan_table.page.requests import (
    GuessRequest,
    LearnRequest,
    LeaveRequest,
    PuzzleRequest,
    StudyRequest,
)
from jetan_table.page.state import state_of
from jetan_table.table.dice import Dice, Seeds
from tests.jetan_table.sitting import Evening


@pytest.fixture
def seat(evening: Evening, tmp_path: Path) -> Iterator[Seat]:
    dice = Dice(Seeds(tmp_path / "seeds", bytes))
    with closing(Seat(evening.table.record, dice, wait_s=20.0)) as taken:
        evening.table.welcome(taken)
        yield taken


@pytest.fixture
def asked(evening: Evening, seat: Seat) -> AskedTable:
    return AskedTable(
        table=evening.table,
        hands=evening.hands,
        seat=seat,
        archive=evening.journal.archive,
        folder=evening.journal.folder,
        clock=evening.clock,
        language="en",
        look=LampChoice(),
    )


def test_the_switch_keeps_lines_and_shows_the_best_moves(
    evening: Evening, asked: AskedTable, seat: Seat, tmp_path: Path
) -> None:
    asked.do(StudyRequest(is_wanted=True))
    evening.wait(1.0)
    evening.move("d2", "d3")
    evening.tell(TakeBackLast())
    evening.move("d3", "d2")
    evening.move("e2", "e3")
    assert "(1. Pe2-e3)" in (tmp_path / KEPT_IN).read_text()
    state = state_of(evening.table, evening.hands, True, seat)
    assert state.means.is_study
    assert any(line.startswith("3. ") for line in state.demands.said["de"])
    assert Cue.ADVICE in cues(evening.table.view).values()
    asked.do(StudyRequest(is_wanted=False))
    evening.wait(1.0)
    assert not state_of(evening.table, evening.hands, True, seat).means.is_study
    assert evening.table.view.help.best == ()


def test_a_study_ends_with_its_game(evening: Evening, asked: AskedTable, seat: Seat) -> None:
    asked.do(StudyRequest(is_wanted=True))
    evening.move("d2", "d3")
    evening.tell(TakeBackLast())
    evening.move("d3", "d2")
    assert evening.table.view.help.best
    evening.tell(New(rules="appendix"))
    assert not seat.is_study
    assert evening.table.view.help.best == ()


def test_a_puzzle_is_not_studied(evening: Evening, asked: AskedTable, seat: Seat) -> None:
    asked.do(StudyRequest(is_wanted=True))
    evening.wait(1.0)
    asked.do(PuzzleRequest(number=1))
    evening.wait(2.0)
    assert not seat.is_study
    with pytest.raises(CommandRefused, match="leave the puzzle"):
        asked.do(StudyRequest(is_wanted=True))
    asked.do(LeaveRequest())
    evening.wait(2.0)
    asked.do(StudyRequest(is_wanted=True))
    assert seat.is_study


def test_a_tournament_game_is_not_studied(evening: Evening, asked: AskedTable) -> None:
    evening.tell(SetConduct("tournament"))
    with pytest.raises(CommandRefused, match="tournament"):
        asked.do(StudyRequest(is_wanted=True))


def test_a_puzzle_is_set_by_theme_and_left_for_the_game_before(
    evening: Evening, asked: AskedTable, seat: Seat
) -> None:
    evening.move("d2", "d3")
    asked.do(PuzzleRequest(theme="save"))
    evening.wait(2.0)
    state = state_of(evening.table, evening.hands, True, seat)
    training = state.means.training
    assert training is not None
    assert "every move but one loses" in training.words["en"][0]
    assert not state.demands.said["en"][1:]
    asked.do(LeaveRequest())
    evening.wait(2.0)
    assert evening.table.view.record.moves == ("Pd2-d3",)
    assert state_of(evening.table, evening.hands, True, seat).means.training is None


def test_from_a_puzzle_to_a_lesson_and_back_the_same_game_goes_on(
    evening: Evening, asked: AskedTable
) -> None:
    evening.move("d2", "d3")
    for request in (PuzzleRequest(number=1), LearnRequest(), PuzzleRequest(number=2)):
        asked.do(request)
        evening.wait(2.0)
    asked.do(LeaveRequest())
    evening.wait(2.0)
    assert evening.table.view.record.moves == ("Pd2-d3",)


def test_lessons_and_puzzles_are_not_among_the_games(
    evening: Evening, asked: AskedTable, tmp_path: Path
) -> None:
    first = evening.table.game
    for request in (PuzzleRequest(theme="save"), LearnRequest()):
        asked.do(request)
        evening.wait(2.0)
    assert evening.table.game > first + 1
    kept = games(evening.journal.archive, tmp_path)["kept"]
    assert [row["game"] for row in kept] == [first]


def test_the_moves_of_a_kept_game_are_guessed(
    evening: Evening, asked: AskedTable, seat: Seat
) -> None:
    evening.move("d2", "d3")
    asked.do(GuessRequest(game=evening.table.game))
    evening.wait(2.0)
    evening.move("d2", "d3")
    training = state_of(evening.table, evening.hands, True, seat).means.training
    assert training is not None
    assert training.is_over
    assert training.words["de"][-1] == "1 von 1 Zügen beim ersten Versuch gefunden."


def test_no_puzzle_in_a_tournament_game(evening: Evening, asked: AskedTable) -> None:
    evening.tell(SetConduct("tournament"))
    evening.move("d2", "d3")
    for request in (PuzzleRequest(), GuessRequest(game=evening.table.game)):
        with pytest.raises(CommandRefused, match="tournament"):
            asked.do(request)
