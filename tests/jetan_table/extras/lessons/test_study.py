"""A study goes on whatever becomes of the engine it asks, and keeps the lines that were tried."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from typing import TypeAlias

import pytest

from jetan_table.engine.process import EngineProcess
from jetan_table.extras.lessons.study import (
    STUDY_KEPT_IN,
    StudiedLines,
    Study,
    all_lines,
    full_strength,
    read_lines,
)
from rules import Game, Position, Rules, Square, parse_move, parse_rules
from tests.jetan_table.sitting import Evening

START = Position.start(parse_rules("appendix"))


def game(*moves: str) -> Game:
    played = Game.begin(START)
    for move in moves:
        played = played.play(parse_move(move, played.position))
    return played


def test_a_line_grows_and_what_is_taken_back_stays() -> None:
    lines = all_lines([game(), game("d2d3"), game("d2d3", "d9d8"), game("d2d3")])
    assert lines.games == (game("d2d3", "d9d8"),)
    assert lines.onward(game("d2d3")) == ("Pd9-d8",)
    lines = lines.after(game("e2e3"))
    assert lines.onward(game()) == ("Pd2-d3", "Pe2-e3")
    assert lines.onward(game("e2e3")) == ()


def test_lines_are_read_back_for_their_own_start_alone() -> None:
    lines = all_lines([game("d2d3", "d9d8", "e2e3"), game("d2d3", "e9e8"), game("f2f3")])
    text = lines.text()
    assert "1. Pd2-d3 (1. Pf2-f3) 1... Pd9-d8 (1... Pe9-e8) 2. Pe2-e3 *" in text
    again = read_lines(text, START)
    assert again.text() == text
    assert set(again.games) == set(lines.games)
    assert again.games[0] == lines.games[0]
    assert read_lines(text, game("d2d3").position) == StudiedLines()


def test_another_start_begins_anew() -> None:
    other = Game.begin(game("d2d3").position)
    assert all_lines([game("d2d3"), other]).games == (other,)


def test_a_line_ends_where_its_dice_are_still_to_be_thrown() -> None:
    begun = Position.start(parse_rules("cazaux+juggernaut")).move_juggernaut(Square(45))
    waiting = Game.begin(begun).play(begun.moves()[0])
    assert waiting.awaits_roll
    assert all_lines([Game.begin(begun), waiting]).games == (Game.begin(begun),)


Start: TypeAlias = Callable[[Rules], EngineProcess]


def one_that_dies(rules: Rules) -> EngineProcess:
    return EngineProcess({}, [sys.executable, "-c", "import os; os.abort()"])


def one_that_is_not_there(rules: Rules) -> EngineProcess:
    return EngineProcess({}, ["/nowhere/engine"])


def one_that_talks_nonsense(rules: Rules) -> EngineProcess:
    return EngineProcess({}, [sys.executable, "-c", "print('bestmove a1a1', flush=True); input()"])


@pytest.mark.parametrize("start", [one_that_dies, one_that_is_not_there, one_that_talks_nonsense])
def test_a_study_goes_on_without_an_engine(evening: Evening, start: Start) -> None:
    with closing(Study(evening.journal.folder, wait_s=5.0, start=start)) as study:
        evening.table.welcome(study)
        evening.move("d2", "d3")
        evening.move("d9", "d8")
        assert evening.view.record.moves == ("Pd2-d3", "Pd9-d8")
        assert not study.best
        assert not evening.view.help.best
        assert "1. Pd2-d3 Pd9-d8" in (evening.journal.folder / STUDY_KEPT_IN).read_text()


def test_its_engine_thinks_in_a_process_of_its_own(evening: Evening) -> None:
    started = list[EngineProcess]()

    def counted(rules: Rules) -> EngineProcess:
        started.append(full_strength(rules))
        return started[-1]

    with closing(Study(evening.journal.folder, wait_s=20.0, nodes=300, start=counted)) as study:
        evening.table.welcome(study)
        evening.move("d2", "d3")
        assert len(study.best) == 3
        assert len({each.move for each in study.best}) == 3
        assert [each.chance for each in study.best] == sorted(
            (each.chance for each in study.best), reverse=True
        )
        (engine,) = started
        os.kill(engine.pid, signal.SIGKILL)
        evening.move("d9", "d8")
        assert len(study.best) == 3
