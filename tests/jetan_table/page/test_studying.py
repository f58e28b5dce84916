"""The switch of a study on the page: lines kept in the game that is played, and its best moves."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.extras.lessons.desk import Desk
from jetan_table.extras.lessons.page import (
    GuessRequest,
    LearnRequest,
    LeaveRequest,
    LessonsPage,
    NameStudyRequest,
    PuzzleRequest,
    StudyRequest,
)
from jetan_table.extras.lessons.study import STUDY_KEPT_IN, StudyDesk, study_names
from jetan_table.game.commands import CommandRefused, New, SetConduct, TakeBackLast
from jetan_table.light.lamps import Cue, LampChoice, cues
from jetan_table.page.asked import AskedTable
from jetan_table.page.documents import games
from jetan_table.page.house import do, is_listed
from jetan_table.page.state import state_of
from tests.jetan_table.sitting import Evening
from tests.sentences import all_said, said


@pytest.fixture
def seat(evening: Evening, tmp_path: Path) -> Iterator[StudyDesk]:
    desk = Desk(tmp_path, evening.hands, wait_s=20.0)
    with closing(StudyDesk(tmp_path, desk, wait_s=20.0)) as study:
        evening.table.welcome(desk)
        evening.table.welcome(study)
        yield study


@pytest.fixture
def asked(evening: Evening, seat: StudyDesk) -> AskedTable:
    return AskedTable(
        table=evening.table,
        hands=evening.hands,
        archive=evening.journal.archive,
        folder=evening.journal.folder,
        clock=evening.clock,
        language="en",
        look=LampChoice(),
    )


def test_the_switch_keeps_lines_and_shows_the_best_moves(
    evening: Evening, asked: AskedTable, seat: StudyDesk, tmp_path: Path
) -> None:
    do(asked, StudyRequest(is_wanted=True))
    evening.wait(1.0)
    evening.move("d2", "d3")
    evening.tell(TakeBackLast())
    evening.move("d3", "d2")
    evening.move("e2", "e3")
    assert "(1. Pe2-e3)" in (tmp_path / STUDY_KEPT_IN).read_text()
    state = state_of(evening.table, evening.hands)
    part = LessonsPage().state_of(asked)
    assert part.study is not None
    assert part.study.lines == [("Pd2-d3",), ("Pe2-e3",)]
    assert len(part.study.best) == 3
    assert [each["kind"] for each in state["arrows"]].count("best") == 3
    assert all_said(state["said"]) == ["Orange to move."]
    assert Cue.ADVICE in cues(evening.table.view).values()
    do(asked, StudyRequest(is_wanted=False))
    evening.wait(1.0)
    assert LessonsPage().state_of(asked).study is None
    assert evening.table.view.help.best == ()


def test_a_study_ends_with_its_game(evening: Evening, asked: AskedTable, seat: StudyDesk) -> None:
    do(asked, StudyRequest(is_wanted=True))
    evening.move("d2", "d3")
    evening.tell(TakeBackLast())
    evening.move("d3", "d2")
    assert evening.table.view.help.best
    evening.tell(New(rules="appendix"))
    assert not seat.now
    assert evening.table.view.help.best == ()


def test_a_study_has_a_name_and_goes_on_by_it(
    evening: Evening, asked: AskedTable, seat: StudyDesk
) -> None:
    with pytest.raises(CommandRefused, match="nothing is studied"):
        do(asked, NameStudyRequest("Cut"))
    do(asked, StudyRequest(is_wanted=True))
    evening.move("d2", "d3")
    do(asked, NameStudyRequest("Cut"))
    evening.move("d9", "d8")
    do(asked, StudyRequest(is_wanted=True))
    with pytest.raises(CommandRefused, match="called so already"):
        do(asked, NameStudyRequest("Cut"))
    assert study_names(asked.folder) == ["Cut"]
    with pytest.raises(CommandRefused, match="no study is called so"):
        do(asked, StudyRequest(is_wanted=True, name="Cat"))
    evening.tell(New(rules="cazaux"))
    do(asked, StudyRequest(is_wanted=True, name="Cut"))
    evening.wait(2.0)
    study = LessonsPage().state_of(asked).study
    assert study is not None
    assert (study.name, study.lines) == ("Cut", [("Pd2-d3", "Pd9-d8")])
    assert evening.table.record.moves == ()


def test_a_puzzle_is_not_studied(evening: Evening, asked: AskedTable, seat: StudyDesk) -> None:
    do(asked, StudyRequest(is_wanted=True))
    evening.wait(1.0)
    do(asked, PuzzleRequest(number=1))
    evening.wait(2.0)
    assert not seat.now
    with pytest.raises(CommandRefused, match="leave the puzzle"):
        do(asked, StudyRequest(is_wanted=True))
    do(asked, LeaveRequest())
    evening.wait(2.0)
    do(asked, StudyRequest(is_wanted=True))
    assert seat.now


def test_a_tournament_game_is_not_studied(evening: Evening, asked: AskedTable) -> None:
    evening.tell(SetConduct("tournament"))
    with pytest.raises(CommandRefused, match="tournament"):
        do(asked, StudyRequest(is_wanted=True))


def test_a_puzzle_is_set_by_theme_and_left_for_the_game_before(
    evening: Evening, asked: AskedTable, seat: StudyDesk
) -> None:
    evening.move("d2", "d3")
    do(asked, PuzzleRequest(theme="save"))
    evening.wait(2.0)
    state = state_of(evening.table, evening.hands)
    part = LessonsPage().state_of(asked)
    training = part.training
    assert training is not None
    assert "every move but one loses" in all_said(training.words)[0]
    assert not state["said"][1:]
    do(asked, LeaveRequest())
    evening.wait(2.0)
    assert evening.table.view.record.moves == ("Pd2-d3",)
    assert LessonsPage().state_of(asked).training is None


def test_from_a_puzzle_to_a_lesson_and_back_the_same_game_goes_on(
    evening: Evening, asked: AskedTable
) -> None:
    evening.move("d2", "d3")
    for request in (PuzzleRequest(number=1), LearnRequest(), PuzzleRequest(number=2)):
        do(asked, request)
        evening.wait(2.0)
    do(asked, LeaveRequest())
    evening.wait(2.0)
    assert evening.table.view.record.moves == ("Pd2-d3",)


def test_lessons_and_puzzles_are_not_among_the_games(
    evening: Evening, asked: AskedTable, tmp_path: Path
) -> None:
    first = evening.table.game
    for request in (PuzzleRequest(theme="save"), LearnRequest()):
        do(asked, request)
        evening.wait(2.0)
    assert evening.table.game > first + 1
    kept = games(evening.journal.archive, tmp_path, is_listed)["kept"]
    assert [row["game"] for row in kept] == [first]


def test_the_moves_of_a_kept_game_are_guessed(
    evening: Evening, asked: AskedTable, seat: StudyDesk
) -> None:
    evening.move("d2", "d3")
    do(asked, GuessRequest(game=evening.table.game))
    evening.wait(2.0)
    evening.move("d2", "d3")
    training = LessonsPage().state_of(asked).training
    assert training is not None
    assert training.is_over
    assert said(training.words[-1], "de") == "1 von 1 Zügen beim ersten Versuch gefunden."


def test_no_puzzle_in_a_tournament_game(evening: Evening, asked: AskedTable) -> None:
    evening.tell(SetConduct("tournament"))
    evening.move("d2", "d3")
    for request in (PuzzleRequest(), GuessRequest(game=evening.table.game)):
        with pytest.raises(CommandRefused, match="tournament"):
            do(asked, request)
