"""Puzzles drawn from solved endings: proved once more by the rules alone, set and solved."""

from itertools import pairwise
from pathlib import Path

import pytest

from jetan_table.engine.endings import SWITCH, Endings
from jetan_table.extras.lessons.desk import Desk
from jetan_table.extras.lessons.exercise import Progress, keep_progress, read_progress
from jetan_table.extras.lessons.page import LessonsPage, PuzzleRequest
from jetan_table.extras.lessons.proved import (
    PROVED_KEPT_IN,
    ProvedExercise,
    cut_short,
    drawn,
)
from jetan_table.extras.lessons.puzzles import NoSuchExercise
from jetan_table.light.lamps import LampChoice
from jetan_table.page.asked import AskedTable
from jetan_table.page.documents import games
from jetan_table.page.house import do, is_listed
from rules import Game, Move, Position, format_move, format_square
from tests.jetan_table.cli.in_process import Jetan
from tests.jetan_table.extras.endings.tiny import packed
from tests.jetan_table.sitting import Evening
from tests.sentences import all_said

pytestmark = pytest.mark.needs("cc")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of Chief and Princess against a Princess, by the standard rules."""
    return packed(tmp_path_factory.mktemp("proved"), "zillions")


@pytest.fixture
def given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ProvedExercise:
    """Puzzle 1 of these tables, which are those of this machine."""
    monkeypatch.setenv(SWITCH, str(folder))
    return drawn(1, Endings([folder]))


def wins_at_once(position: Position) -> bool:
    afters = (position.play(move).outcome for move in position.moves())
    return any(after is not None and after.winner is position.side for after in afters)


def wins_with_the_second(position: Position, move: Move) -> bool:
    """Whether a move wins whatever is replied, by the rules alone."""
    after = position.play(move)
    replies = after.moves()
    return bool(replies) and all(wins_at_once(after.play(reply)) for reply in replies)


def moves_of(given: ProvedExercise) -> tuple[Move, Move]:
    """The first move that solves it, and one that does not."""
    start = given.position
    key = next(move for move in start.moves() if format_move(move, start) == given.proof()[0][0])
    return key, next(move for move in start.moves() if move != key)


def test_a_number_draws_one_puzzle_and_the_next_another(folder: Path) -> None:
    drawn_of = [drawn(number, Endings([folder])).position for number in (1, 1, 2)]
    assert drawn_of[0] == drawn_of[1] != drawn_of[2]


def test_one_first_move_wins_in_time_by_the_rules_alone(given: ProvedExercise) -> None:
    start = given.position
    assert given.plies == 3
    assert not wins_at_once(start)
    assert [move for move in start.moves() if wins_with_the_second(start, move)] == [
        moves_of(given)[0]
    ]


def test_the_proof_answers_every_reply_and_begins_with_the_longest_defence(
    given: ProvedExercise,
) -> None:
    lines = given.proof()
    after = given.position.play(moves_of(given)[0])
    assert {line[1] for line in lines} == {format_move(move, after) for move in after.moves()}
    assert all(len(before) >= len(line) for before, line in pairwise(lines))
    assert len(lines[0]) == given.plies
    for line in lines:
        game = Game.begin(given.position)
        for text in line:
            game = game.play(text)
        assert game.outcome is not None
        assert game.outcome.winner is given.position.side


def test_it_is_solved_in_lines_and_what_only_wins_later_is_not_enough(
    jetan: Jetan, given: ProvedExercise, tmp_path: Path
) -> None:
    asked = "puzzle --proved --number 1 --data"
    key, wrong = (format_move(move, given.position) for move in moves_of(given))
    line = given.proof()[0]
    shown = jetan(asked, tmp_path, wrong, code=1)
    assert "wins in 2 moves at most, whatever is replied." in shown
    # With a Chief more, nearly every move wins sooner or later.
    assert f"No: {wrong} wins too, but takes " in shown
    assert read_progress(tmp_path, PROVED_KEPT_IN).solved == ()
    solved = jetan(asked, tmp_path, wrong, key, line[2])
    assert f"{line[1]} holds out longest; proved: won in 1 more." in solved
    assert "Proved: won in 2 moves, whatever is replied." in solved
    assert read_progress(tmp_path, PROVED_KEPT_IN).solved == ("proved-1",)
    assert " ".join(line) in jetan(asked, tmp_path, "--solve").splitlines()


def test_without_tables_it_says_what_makes_them(
    jetan: Jetan, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(SWITCH, "off")
    assert "`jetan endings make zillions` makes some" in jetan("puzzle --proved", code=2)
    keep_progress(tmp_path, Progress(open_at="proved-1"), PROVED_KEPT_IN)
    assert list(cut_short(tmp_path)) == []


def test_a_table_of_a_count_that_may_begin_anew_proves_nothing(
    folder: Path, tmp_path: Path
) -> None:
    content = (folder / "three.jetan-endings").read_bytes()
    changed = content.replace(b'"is_final":true', b'"is_final":false')
    (tmp_path / "three.jetan-endings").write_bytes(changed)
    with pytest.raises(NoSuchExercise):
        drawn(1, Endings([tmp_path]))


def test_one_that_was_open_is_drawn_again(given: ProvedExercise, tmp_path: Path) -> None:
    keep_progress(tmp_path, Progress(open_at="proved-1"), PROVED_KEPT_IN)
    assert [each.position for each in cut_short(tmp_path)] == [given.position]


def test_on_the_page_the_next_follows_and_none_is_among_the_games(
    evening: Evening, given: ProvedExercise, tmp_path: Path
) -> None:
    desk = Desk(tmp_path, evening.hands, wait_s=20.0)
    evening.table.welcome(desk)
    asked = AskedTable(
        table=evening.table,
        hands=evening.hands,
        archive=evening.journal.archive,
        folder=evening.journal.folder,
        clock=evening.clock,
        language="en",
        look=LampChoice(),
    )
    first, names = evening.table.game, []
    for _at in range(2):
        do(asked, PuzzleRequest(is_proved=True))
        evening.wait(2.0)
        training = LessonsPage().state_of(asked).training
        assert training is not None
        assert training.is_proved
        names.append(int(training.name.removeprefix("proved-")))
    assert names[1] == names[0] + 1
    exercise = desk.teaching and desk.teaching.exercise
    assert isinstance(exercise, ProvedExercise)
    key, _wrong = moves_of(exercise)
    evening.move(format_square(key.from_square), format_square(key.to_square))
    training = LessonsPage().state_of(asked).training
    assert training is not None
    assert "proved: won in " in all_said(training.words)[-1]
    kept = games(evening.journal.archive, tmp_path, is_listed)["kept"]
    assert [row["game"] for row in kept] == [first]
