"""The loop: the disk comes before the lamps, and a disk that refuses is told."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from math import inf
from pathlib import Path

import pytest

from hardware.ports import RGB, Observation
from jetan_table.game.commands import AgreeDraw, NewGame
from jetan_table.game.events import Ending, Entry, Ply
from jetan_table.game.record import Record
from jetan_table.journal.journal import Journal, JournalUnwritable, game_path
from jetan_table.light.lamps import Lighting
from jetan_table.reading.readings import Reading, Standing
from jetan_table.reading.switch_reader import SwitchReader
from jetan_table.session.session import Session
from jetan_table.session.view import View
from jetan_table.table import loop
from jetan_table.table.board import Plain
from jetan_table.table.loop import LAGS_S, RETRY_S, Table
from rules import SQUARES, Notice, parse_square
from rules.text import parse_game
from tests.jetan_table.hands import EVIDENCE, board_of, header
from tests.jetan_table.sitting import sitting
from tests.tidy.tree import assert_none, package_files

Limit = Callable[[int], AbstractContextManager[None]]


class Script(Plain):
    """A board that tells what it was given, late over a slow line, and has lamps."""

    hands: None = None
    trouble: Notice | None = None
    shown: Sequence[RGB] = ()
    told_until = inf

    def __init__(self) -> None:
        self.told: list[Observation] = []

    def poll(self, now: float) -> Iterable[Observation]:
        due, self.told = self.told, []
        return due

    def show(self, lights: Sequence[RGB]) -> None:
        self.shown = lights

    def catch_up(self, at: float) -> bool:
        return at <= self.told_until


class Bench:
    """A table on a scripted sensor."""

    def __init__(self, folder: Path) -> None:
        self.journal, self.board = Journal(folder), Script()
        lighting = Lighting("mono", limit_ma=5000.0)
        game = self.journal.begin(header())
        session = Session(Record.begin(header()))
        self.table = Table(self.board, lighting, self.journal, game, session)
        self.at = 100.0
        self.board.told.append(board_of(session.record.position, self.at))
        self.wait(0.1)

    def touch(self, name: str, is_occupied: bool) -> None:
        self.board.told.append(Observation(self.at, {parse_square(name): EVIDENCE[is_occupied]}))
        self.wait(0.4)

    def move(self, start: str, end: str) -> None:
        self.touch(start, False)
        self.touch(end, True)
        self.wait(2.0)

    def wait(self, seconds: float) -> None:
        until = self.at + seconds
        while self.at < until:
            self.at += 0.05
            self.table.step(self.at)

    def look(self) -> View:
        return self.table.view


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.journal.close()


def written(bench: Bench) -> list[object]:
    return [entry.event for entry in bench.journal.archive.entries(bench.table.game)]


def test_a_ply_is_in_journal_and_game_file_once_it_is_shown(bench: Bench, tmp_path: Path) -> None:
    bench.move("d2", "d3")
    assert bench.look().record.moves == ("Pd2-d3",)
    assert written(bench) == [Ply(1, "Pd2-d3")]
    text = game_path(tmp_path, bench.table.game).read_text()
    assert [ply.move for ply in parse_game(text).game.plies] == [
        ply.move for ply in bench.table.session.record.game.plies
    ]


def test_an_idle_step_asks_the_reader_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a ply or a lifted piece lies before it."""
    asked: list[float] = []
    tick = SwitchReader.tick

    def noted(reader: SwitchReader, now: float) -> "list[Reading[Standing]]":
        asked.append(now)
        return tick(reader, now)

    monkeypatch.setattr(SwitchReader, "tick", noted)
    for touched in ({"d2": False, "d3": True}, {"e9": False}):
        for name, is_occupied in touched.items():
            bench.touch(name, is_occupied)
        bench.wait(30.0)
        before = list(asked)
        bench.wait(10.0)
        assert asked == before
    assert asked


def test_silence_is_no_evidence_while_the_line_lags(bench: Bench) -> None:
    bench.touch("d2", False)
    came = bench.at
    bench.board.told_until = came
    bench.touch("d3", True)
    bench.wait(1.0)
    assert bench.look().record.moves == ()
    # It had gone on at once, which the line had not brought yet.
    bench.board.told.append(Observation(came + 0.1, {parse_square("d3"): EVIDENCE[False]}))
    bench.board.told.append(Observation(came + 0.2, {parse_square("c3"): EVIDENCE[True]}))
    bench.board.told_until = inf
    bench.wait(0.1)
    assert bench.look().record.moves == ("Pd2-c3",)
    assert written(bench) == [Ply(1, "Pd2-c3")]


def test_a_line_that_brings_nothing_is_not_waited_for_long(bench: Bench) -> None:
    bench.board.told_until = bench.at
    bench.move("d2", "d3")
    bench.wait(LAGS_S)
    assert bench.look().record.moves == ("Pd2-d3",)


@pytest.mark.promises("the disk is full, or refuses to write", "lamps")
def test_nothing_is_confirmed_while_the_disk_refuses_and_all_once_it_takes(
    bench: Bench, limit: Limit
) -> None:
    bench.move("d2", "d3")
    with limit(0):
        bench.move("e9", "e8")
        bench.move("c2", "c3")
        assert bench.look().record.moves == ("Pd2-d3",)
        assert bench.look().trouble is not None
        assert "cannot be kept" in str(bench.look().trouble)
        assert not any(map(any, bench.board.shown))
        with pytest.raises(JournalUnwritable):
            bench.table.obey(AgreeDraw(), bench.at)
    bench.wait(2 * RETRY_S + 2.0)
    assert bench.look().trouble is None
    assert bench.look().record.moves == ("Pd2-d3", "Pe9-e8", "Pc2-c3")
    assert written(bench) == [Ply(1, "Pd2-d3"), Ply(2, "Pe9-e8"), Ply(3, "Pc2-c3")]


def test_what_the_sensor_sees_meanwhile_is_bounded_and_its_end_is_kept(
    bench: Bench, limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "MOST_WAITING", 100)
    with limit(0):
        bench.move("d2", "d3")
        for count in range(150, -1, -1):
            bench.board.told.append(Observation(bench.at, {SQUARES[50]: EVIDENCE[count % 2 == 0]}))
        bench.wait(0.1)
    bench.wait(2 * RETRY_S + 3.0)
    assert bench.look().trouble is None
    assert SQUARES[50] in bench.look().leading.extra | bench.look().record.faults.keys()


def test_lamps_light_at_once_when_a_piece_is_lifted(bench: Bench) -> None:
    bench.board.told.append(Observation(bench.at, {parse_square("d2"): EVIDENCE[False]}))
    bench.table.step(bench.at)
    lit = {SQUARES[index] for index, colour in enumerate(bench.board.shown) if any(colour)}
    assert lit == {parse_square(name) for name in ("d2", "c3", "d3", "e3")}


def test_a_new_game_ends_the_old_one_in_the_journal(bench: Bench) -> None:
    old = bench.table.game
    bench.move("d2", "d3")
    news = bench.table.obey(NewGame(header()), bench.at)
    assert [type(each) for each in news] == [Entry, NewGame]
    assert bench.table.game == old + 1
    last = bench.journal.archive.entries(old)[-1].event
    assert last == Ending("*", "abandoned")
    assert bench.journal.archive.unfinished() == bench.table.game


def test_a_game_begun_at_the_table_is_taken_up_with_all_its_pieces(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        evening.move("d2", "d3")
        evening.tell(NewGame(header()))
        evening.hands.set_up(evening.table.record.position, evening.clock.now())
        evening.wait(2.0)
        evening.move("c2", "c3")
    with sitting(tmp_path) as again:
        assert len(again.hands.standing) == 40
        again.move("e9", "e8")
        assert again.table.view.record.moves == ("Pc2-c3", "Pe9-e8")


def test_a_view_to_which_nothing_is_added_stays_one_object(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    before = bench.table.view
    bench.wait(0.1)
    assert bench.table.view is before
    bench.journal.close()


def test_nothing_of_a_table_is_set_from_outside() -> None:
    theirs = re.compile(r"table\.(board|game|session|record|view|lighting)( [+|-]?)?= ")
    assert_none(f"{path}" for path in package_files() if theirs.search(path.read_text("utf-8")))
