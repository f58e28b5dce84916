"""Engines that hang: how long they are waited for, by whom, and what is heard of it.

The processes are real and stopped as the system stops one; only the clock is ours.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from jetan_table.engine.process import (
    LATE_S,
    MOST_UNSENT,
    OWN,
    SILENT_S,
    EngineLost,
    EngineProcess,
)
from jetan_table.engine.search import Limits
from jetan_table.extras.opponent.seat import EngineAdviser, EnginePlayer
from jetan_table.game.commands import AskAdvice
from rules import Game, Position, Side, parse_move, parse_rules
from tests.e2e.command import command, run
from tests.jetan_table.sitting import Evening

pytestmark = pytest.mark.parts

START = Game.begin(Position.start(parse_rules("cazaux")))
IN_A_SECOND = Limits(nodes=500, seconds=1.0)
DEAF = (sys.executable, "-c", "import time; time.sleep(600)")
"""An engine that reads nothing and says nothing."""


class Watch:
    """A clock that stands until it is set on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def started(watch: Watch, words: tuple[str, ...] = OWN) -> Iterator[EngineProcess]:
    engine = EngineProcess({"Rules": "cazaux"}, words, clock=watch)
    try:
        yield engine
    finally:
        with suppress(ProcessLookupError):
            os.kill(engine.pid, signal.SIGKILL)
        engine.close()


def test_one_that_hangs_is_replaced_and_asked_again() -> None:
    watch = Watch()
    with started(watch) as engine:
        os.kill(engine.pid, signal.SIGSTOP)
        first = engine.pid
        engine.think(START, IN_A_SECOND)
        watch.now += 1.0 + LATE_S
        assert engine.poll() is None
        assert (engine.pid, engine.trouble) == (first, None)
        watch.now += 0.1
        answer = engine.poll()
        assert engine.pid != first
        assert engine.trouble == "engine gave no answer, and was started anew"
        while answer is None:
            answer = engine.poll(1.0)
        assert parse_move(answer, START.position) in START.position.moves()
        assert engine.trouble is None


def test_one_that_always_hangs_is_given_up_and_named() -> None:
    watch = Watch()
    with started(watch, DEAF) as engine:
        engine.think(START, IN_A_SECOND)
        for _look in range(2):
            watch.now += 1.1 + LATE_S
            assert engine.poll() is None
        watch.now += 1.1 + LATE_S
        with pytest.raises(EngineLost, match="engine has hung 3 times"):
            engine.poll()


def test_without_a_time_the_own_player_must_say_that_it_is_there() -> None:
    watch = Watch()
    with started(watch) as engine:
        first = engine.pid
        engine.think(START, Limits())
        while not engine.info.depth:  # a busy machine starts it slowly
            engine.poll(0.1)
        for _silence in range(6):
            watch.now += SILENT_S + 0.1
            engine.poll(0.5)
        assert (engine.pid, engine.trouble) == (first, None)
        os.kill(first, signal.SIGSTOP)
        for _silence in range(6):
            watch.now += SILENT_S + 0.1
            engine.poll(0.0)
        assert engine.pid != first


def test_another_engine_may_think_as_long_as_it_likes_where_no_time_is_set() -> None:
    watch = Watch()
    with started(watch, DEAF) as engine:
        engine.think(START, Limits(depth=9))
        watch.now += 3600
        assert engine.poll() is None
        assert engine.trouble is None


@pytest.mark.parametrize("words", [OWN, DEAF])
def test_nobody_waits_for_a_pipe_that_is_full(words: tuple[str, ...]) -> None:
    """A pipe takes 64 kB: each of these asks is of 100 bytes."""
    watch = Watch()
    with started(watch, words) as engine:
        os.kill(engine.pid, signal.SIGSTOP)
        first, signal_before = engine.pid, signal.signal(signal.SIGALRM, waited)
        signal.alarm(20)
        try:
            for _ask in range(5 * MOST_UNSENT // 100):
                engine.think(START, IN_A_SECOND)
            engine.poll()
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, signal_before)
        assert engine.pid != first


def waited(*_: object) -> None:
    raise AssertionError("it waits for a pipe")


def test_one_that_is_closed_while_it_hangs_is_gone_in_a_moment() -> None:
    engine = EngineProcess({})
    os.kill(engine.pid, signal.SIGSTOP)
    begun = Path(f"/proc/{engine.pid}")
    engine.close()
    assert begun.exists(), "who closes it does not wait"
    while begun.exists():
        time.sleep(0.05)


def test_one_that_says_no_more_but_lives_is_ended() -> None:
    closed = (sys.executable, "-c", "import os, time; os.close(1); time.sleep(600)")
    with started(Watch(), closed) as engine:
        engine.think(START, IN_A_SECOND)
        with pytest.raises(EngineLost, match="engine has ended 3 times"):
            engine.poll(60.0)


def test_one_that_never_stops_talking_holds_nobody_up() -> None:
    talks = (sys.executable, "-uc", "while True: print('info string more')")
    watch = Watch()
    with started(watch, talks) as engine:
        engine.think(START, IN_A_SECOND)
        assert engine.poll(1.0) is None


def test_players_are_told_and_play_on(evening: Evening) -> None:
    watch = Watch()
    with started(watch) as engine:
        engine.set_option("Rules", "appendix")
        evening.table.welcome(EnginePlayer(Side.BLACK, engine, IN_A_SECOND))
        os.kill(engine.pid, signal.SIGSTOP)
        evening.wait(0.1)
        watch.now += 1.1 + LATE_S
        evening.wait(0.1)
        assert evening.table.view.guest_notes == ("engine gave no answer, and was started anew",)
        while evening.table.view.help.wish is None:
            evening.wait(0.1)
        assert not evening.table.view.guest_notes


def test_who_asks_for_advice_of_one_that_hangs_is_told_why_there_is_none(evening: Evening) -> None:
    watch = Watch()
    with started(watch, DEAF) as engine:
        adviser = EngineAdviser(lambda _rules: engine)
        evening.table.welcome(adviser)
        evening.tell(AskAdvice())
        for _look in range(3):
            watch.now += 3 + LATE_S
            evening.wait(0.1)
        assert evening.table.view.guest_notes == ("engine has hung 3 times, and was ended",)


@pytest.mark.parametrize(
    "typed",
    [
        "go\nposition start\nquit\n",
        "go\nposition start\n",
        "go\nposition start\ngo ponder\nposition start\ngo\n",
        "position start\ngo ponder\nponderhit\nposition start\nponderhit\nquit\n",
        "go infinite\nposition start\ngo infinite\nstop\n",
    ],
)
def test_quit_and_the_end_of_lines_are_heard_while_it_thinks_without_end(
    typed: str, tmp_path: Path
) -> None:
    done = run(tmp_path, "engine", typed=typed)
    assert done.returncode == 0
    assert "bestmove" in done.stdout


def test_a_question_behind_one_without_end_is_answered(tmp_path: Path) -> None:
    typed = "go infinite\nposition start\ngo depth 1\n"
    assert run(tmp_path, "engine", typed=typed).stdout.count("bestmove") == 2


def test_it_does_not_outlive_who_started_it(tmp_path: Path) -> None:
    """Killed as a table is: nobody writes to it any more, and nobody reads."""
    engine = subprocess.Popen(
        command("engine"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path
    )
    with engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(b"position start\ngo depth 90\n")
        engine.stdin.flush()
        assert engine.stdout.readline().startswith(b"info")
        engine.stdout.close()
        engine.stdin.close()
        assert engine.wait(timeout=60) is not None
