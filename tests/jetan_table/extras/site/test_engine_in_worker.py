"""An engine that only hears between its thoughts is never asked to think without end."""

import asyncio
import json
from functools import partial

import pytest

from jetan_table.engine.process import EngineLost, EngineProcess
from jetan_table.engine.search import Limits
from jetan_table.extras.site.engine import BESIDE_S, EngineBeside, EngineInWorker, analysed, begins
from rules import Game, Position, parse_rules

APPENDIX = parse_rules("appendix")


class Told:
    """A worker whose engine answers at once; `lines` is what it was told."""

    def __init__(self, say: object, is_beside: bool = False) -> None:
        self.lines: list[str] = []
        self.is_beside = is_beside
        self.is_ended = False
        self._engine = EngineInWorker(lambda line: say(f"{line}\n"))  # type: ignore[operator]

    def send(self, text: str) -> None:
        self.lines.append(text)
        self._engine.feed(text)

    def terminate(self) -> None:
        self.is_ended = True


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[Told]:
    """Those that engines are started in."""
    made: list[Told] = []

    def begin(say: object, is_beside: bool = False) -> Told:
        made.append(Told(say, is_beside))
        return made[-1]

    monkeypatch.setattr(EngineProcess, "begin", begins(begin, partial(begin, is_beside=True)))
    return made


def test_it_thinks_and_answers(workers: list[Told]) -> None:
    game = Game((Position.start(APPENDIX),))
    engine = EngineProcess({"Level": "panthan"})
    engine.think(game, Limits(nodes=200))
    answer = engine.poll()
    assert answer is not None
    engine.close()
    assert workers[0].is_ended


@pytest.mark.parametrize(
    ("level", "is_beside"), [("panthan", True), ("jed", True), ("jeddak", False), (None, False)]
)
def test_only_who_thinks_a_moment_does_so_beside_the_table(
    workers: list[Told], level: str | None, is_beside: bool
) -> None:
    engine = EngineProcess({} if level is None else {"Level": level, "Seed": "7"})
    assert workers == []  # nobody knows yet
    engine.think(Game((Position.start(APPENDIX),)), Limits(nodes=50))
    assert engine.poll() is not None
    assert [each.is_beside for each in workers] == [is_beside]


def test_an_engine_beside_the_table_lets_the_page_hear_first() -> None:
    async def evening() -> tuple[list[str], list[str]]:
        lines: list[str] = []
        engine, gone = EngineBeside(lines.append, None), EngineBeside(lines.append, None)
        for each in (engine, gone):
            each.send("position start\n")
            each.send("go nodes 20\n")
        gone.terminate()
        at_once = [*lines]
        await asyncio.sleep(3 * BESIDE_S)
        return at_once, lines

    at_once, lines = asyncio.run(evening())
    assert at_once == []
    assert sum(line.startswith("bestmove") for line in lines) == 1


def test_what_may_have_no_end_waits_for_its_move(workers: list[Told]) -> None:
    game = Game((Position.start(APPENDIX),))
    engine = EngineProcess({"Level": "panthan"})
    engine.ponder(game, Limits(nodes=200))
    assert engine.poll() is None
    assert not any(line.startswith("go") for line in workers[0].lines)
    engine.hit(Limits(nodes=200))
    assert engine.poll() is not None
    engine.ponder(game, Limits(nodes=200))
    engine.think(game, Limits(nodes=100))
    assert engine.poll() is not None
    assert not any("ponder" in line for line in workers[0].lines)


def test_no_other_program_can_be_asked(workers: list[Told]) -> None:
    with pytest.raises(EngineLost, match="no programs can be started here"):
        EngineProcess({}, ["stockfish"])
    assert workers == []


def test_a_game_is_analysed_as_elsewhere() -> None:
    text = '[Event "Jetan"]\n[Rules "appendix"]\n\n1. Pd2-d3 pe9-e8\n*\n'
    rows = json.loads(analysed(text, "en", 50))
    assert [row["number"] for row in rows] == [1, 2]


def test_a_machine_starts_processes() -> None:
    child = EngineProcess.begin(["cat"], {})
    child.write(b"heard\n")
    assert child.lines.next(5.0) == "heard"
    assert child.end(1.0) == 0
