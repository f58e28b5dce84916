"""Analyses for the page: made in processes of their own, and refused where no help is allowed."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from jetan_table.extras.opponent.analyst import (
    MOST_WAITING,
    AnalysisFailed,
    Analyst,
    in_a_process,
)
from jetan_table.game.events import Ending, Entry, Ply, Result
from jetan_table.journal.journal import Journal
from jetan_table.page.access import Visit
from tests.e2e.guest import Guest, Line, get
from tests.e2e.served import Served, served
from tests.e2e.windows import OWN_NAME
from tests.jetan_table.hands import header

OWNER = Visit("127.0.0.1", lambda: None, 0.0, is_known=True)
ANALYSIS = "/api/games/1/analysis"


def keep(folder: Path, *moves: str, start: str | None = None) -> None:
    """Keep a game in which whoever would be to move resigns."""
    result: Result = "black" if len(moves) % 2 else "orange"
    plies = [Ply(number, move) for number, move in enumerate(moves, 1)]
    with closing(Journal(folder)) as journal:
        game = journal.begin(header(start=start))
        journal.append(game, [Entry(2.0, each) for each in (*plies, Ending(result, "resigned"))])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    """A table that has kept a game."""
    keep(tmp_path / "games", "Pd2-d3", "Pe9-e8")
    with served(tmp_path) as running:
        yield running


def analyses(table: Served) -> list[int]:
    """The processes that analyse a game for a table, each once it runs what it was begun for.

    Before that it holds the table up, and stopping it would stop the table (see vfork(2)).
    """
    children = Path(f"/proc/{table.pid}/task").glob("*/children")
    begun = [int(child) for each in children for child in each.read_text().split()]
    return [child for child in begun if b"analyse" in command_of(child)]


def command_of(process: int) -> list[bytes]:
    """What a process was begun with; nothing where it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except FileNotFoundError:
        return []


def await_that(is_so: Callable[[], bool]) -> None:
    patience = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < patience
        time.sleep(0.01)


def await_analyses(table: Served, count: int) -> list[int]:
    found: list[int] = []

    def has_begun() -> bool:
        found[:] = analyses(table)  # a short game's may have ended when one looks again
        return len(found) == count

    await_that(has_begun)
    return found


def stranger(table: Served, number: int) -> Line:
    """Somebody who has asked for an analysis, and waits; once it is answered the line ends."""
    asked = get(ANALYSIS).removesuffix(b"\r\n") + b"Connection: close\r\n\r\n"
    return Line(table.port, f"127.0.6.{number}", asked)


def test_a_kept_game_is_analysed_in_words_of_a_language(tmp_path: Path) -> None:
    keep(tmp_path, "Qj1-i3", start="q9/10/10/D9/10/10/10/10/9p/9Q b - - 0 1")
    analyst = Analyst(in_a_process(tmp_path))
    (row,) = asyncio.run(analyst.rows(1, 1, "de", OWNER))
    assert (row["played"], row["mark"]) == ("Qj1-i3", "??")
    assert row["explained"][0] == "Hier hätte Schwarz sofort gewinnen können."


def test_where_there_is_no_game_the_process_says_so(tmp_path: Path) -> None:
    with pytest.raises(AnalysisFailed, match="7: no such game"):
        asyncio.run(Analyst(in_a_process(tmp_path)).rows(7, 1, "en", OWNER))


def test_nothing_is_analysed_beside_a_tournament_game(tmp_path: Path) -> None:
    keep(tmp_path / "games", "Pd2-d3", "Pe9-e8")
    with served(tmp_path, "--conduct", "tournament") as table:
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{table.url}api/games/1/analysis")
        assert refused.value.code == 409
        assert "no help in a tournament game" in json.loads(refused.value.read())["refused"]


def test_what_is_analysed_for_somebody_who_hangs_up_is_dropped(table: Served) -> None:
    first, second = stranger(table, 1), stranger(table, 2)
    await_analyses(table, 1)
    (begun,) = analyses(table)
    first.close()
    second.close()
    await_that(lambda: not Path(f"/proc/{begun}").exists())
    assert analyses(table) == []


def test_an_analysis_ends_with_the_table(table: Served) -> None:
    with closing(stranger(table, 1)):
        (begun,) = await_analyses(table, 1)
        assert table.stop() == 0
        assert not Path(f"/proc/{begun}").exists()


def test_strangers_wait_in_a_short_line_and_the_owner_in_none(table: Served) -> None:
    with ExitStack() as held:
        lines = [held.enter_context(closing(stranger(table, 0)))]
        (begun,) = await_analyses(table, 1)
        os.kill(begun, signal.SIGSTOP)  # so that it takes as long as one of a long game
        for number in range(1, MOST_WAITING + 1):
            lines.append(held.enter_context(closing(stranger(table, number))))
        refused = await_answered(lines, len(lines) - MOST_WAITING)
        for line in refused:
            assert line.received.startswith(b"HTTP/1.1 503")
            assert b"retry-after: 30" in line.received
            assert b"too many games are waiting to be analysed" in line.received
        status, answer = Guest(table, host=OWN_NAME).ask("GET", ANALYSIS)
        assert (status, len(answer["rows"])) == (200, 2)
        assert begun in analyses(table)
        os.kill(begun, signal.SIGCONT)
        for line in await_answered([line for line in lines if line not in refused], MOST_WAITING):
            assert line.received.startswith(b"HTTP/1.1 200"), line.received


def await_answered(lines: list[Line], count: int) -> list[Line]:
    """Wait until so many have a whole answer, and return these."""
    patience = time.monotonic() + 30
    while time.monotonic() < patience:
        answered = [line for line in lines if line.is_closed()]
        if len(answered) == count:
            return answered
    raise AssertionError(f"{len(answered)} have an answer")
