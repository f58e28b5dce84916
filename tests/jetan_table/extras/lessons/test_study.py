"""A study goes on whatever becomes of the engine it asks."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from typing import TypeAlias

import pytest

from jetan_table.engine.process import EngineProcess
from jetan_table.extras.lessons.lines import KEPT_IN
from jetan_table.extras.lessons.study import Study, full_strength
from rules import Rules
from tests.jetan_table.sitting import Evening

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
        assert "1. Pd2-d3 Pd9-d8" in (evening.journal.folder / KEPT_IN).read_text()


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
