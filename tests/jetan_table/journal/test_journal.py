"""The journal: what it promises about a disk, a power cut and a damaged file."""

import errno
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest

from hardware.ports import Observation
from jetan_table.game.events import (
    EVENT_KINDS,
    Amended,
    Answer,
    BadRecord,
    Bias,
    Cleared,
    ClockAgreed,
    ClockShows,
    ConductAgreed,
    Correction,
    DieCommit,
    DieNumber,
    DieRoll,
    DieSeed,
    DrawDeclined,
    DrawOffer,
    DuelReport,
    Ending,
    Entry,
    Event,
    Fault,
    FirstMove,
    Fix,
    Follows,
    GameId,
    Noted,
    OpeningAgreed,
    Pause,
    Ply,
    Press,
    Question,
    Recall,
    Release,
    Remains,
    Resume,
    SeriesAgreed,
    Settled,
    TakeBack,
    Touch,
    Turned,
    WagerAgreed,
    Wander,
)
from jetan_table.journal.archive import Archive, NoSuchGame
from jetan_table.journal.file_format import JOURNAL_NAME, Tip
from jetan_table.journal.journal import Journal, JournalInUse, JournalUnwritable
from jetan_table.table.games import open_game
from rules import Square
from tests.jetan_table.hands import header
from tests.paths import ROOT

ONE_OF_EACH: tuple[Event, ...] = (
    Ply(1, "Pd2-d3"),
    TakeBack(1, "hands"),
    Question(1, "d5", ("d8", "e7")),
    Answer(1, "Dd5xe7"),
    Amended({1: "Dd5xd8", 3: "Pd2-d3"}, 4),
    Noted("a bold one"),
    Wander(1, "e5"),
    Recall(1),
    DieCommit("00ff"),
    DieNumber(17),
    DieRoll(1, "10,3,7 hand"),
    DieSeed("ff00"),
    DuelReport(1, "7,4 hand"),
    Remains({"d9": "c"}),
    Cleared("d9"),
    Settled(),
    Fault("a1", "dead"),
    Follows("a1"),
    Correction("10/10/10/10/10/10/10/10/10/10 b - - 0 1"),
    ClockAgreed("10+5 buttons"),
    ConductAgreed("tournament"),
    Pause("off"),
    Resume("people"),
    Press(),
    ClockShows(600.0, 12.3456789),
    Touch("d2"),
    Release(),
    Fix("took back 4 Pe8-e7"),
    Turned("j10", "i10"),
    DrawOffer("orange"),
    DrawDeclined(),
    SeriesAgreed("sunday"),
    WagerAgreed(10, {"P": 1, "C": 20}, for_bias=True),
    OpeningAgreed("roll", "orange"),
    FirstMove("orange", "table", 4),
    Bias("clockwise", "chosen"),
    Ending("draw", "agreed"),
)


def test_every_kind_of_event_comes_back_as_it_was_written(tmp_path: Path) -> None:
    assert {type(event) for event in ONE_OF_EACH} == set(EVENT_KINDS.values())
    written = [Entry(float(at), event) for at, event in enumerate(ONE_OF_EACH)]
    journal = Journal(tmp_path)
    game = journal.begin(header())
    journal.append(game, written[:3])
    journal.append(game, written[3:])
    journal.close()
    archive = Archive.open(tmp_path)
    assert archive.header(game) == header()
    assert archive.entries(game) == written
    archive.close()


def test_what_was_seen_is_kept_in_order_with_the_next_event(tmp_path: Path) -> None:
    observations = [
        Observation(1.5, {Square(13): (-0.25, -1.0, -1.0, -1.0), Square(99): None}),
        Observation(2.5, {Square(13): (-1.0, -0.25, -0.25, -0.25)}),
    ]
    journal = Journal(tmp_path)
    game = journal.begin(header())
    journal.observe(game, observations)
    assert list(journal.archive.observations(game)) == []
    journal.append(game, [Entry(3.0, Ply(1, "Pd2-d3"))])
    assert list(journal.archive.observations(game)) == observations
    journal.observe(game, observations[:1])
    journal.flush()
    journal.close()
    archive = Archive.open(tmp_path)
    assert len(list(archive.observations(game))) == 3
    archive.close()


def test_nothing_written_can_be_changed(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append(journal.begin(header()), [Entry(1.0, Ply(1, "Pd2-d3"))])
    journal.close()
    database = sqlite3.connect(tmp_path / JOURNAL_NAME)
    for statement in ("DELETE FROM events", "UPDATE games SET black = 'me'"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            database.execute(statement)
    database.close()


def test_the_newest_game_that_has_not_ended_is_unfinished(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert journal.archive.unfinished() is None
    older, newer = journal.begin(header()), journal.begin(header())
    assert journal.archive.unfinished() == newer
    journal.append(newer, [Entry(1.0, Ply(1, "Pd2-d3")), Entry(1.0, Ending("draw", "agreed"))])
    assert journal.archive.unfinished() == older
    journal.append(newer, [Entry(2.0, TakeBack(1, "words"))])
    assert journal.archive.unfinished() == newer
    journal.append(newer, [Entry(3.0, Ending("draw", "agreed"))])
    journal.append(older, [Entry(3.0, Ending("*", "abandoned"))])
    assert journal.archive.unfinished() is None
    journal.close()


def test_a_summary_counts_the_plies_that_stand(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    game = journal.begin(header())
    happened: list[Event] = [
        Ply(59, "x"),
        Ply(60, "y"),
        TakeBack(60, "hands"),
        Question(60, "d5", ()),
    ]
    journal.append(game, [Entry(1.0, event) for event in happened])
    summary = journal.archive.summary(game)
    assert (summary.plies, summary.result) == (2, "*")
    journal.append(game, [Entry(2.0, Correction("any")), Entry(3.0, Ending("orange", "no move"))])
    summary = journal.archive.summary(game)
    assert (summary.plies, summary.result) == (0, "orange")
    journal.close()


def test_two_tables_cannot_write_one_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(JournalInUse, match="another table is playing here"):
        Journal(tmp_path)
    journal.close()
    Journal(tmp_path).close()


def test_a_damaged_journal_is_kept_and_named_and_a_new_one_begun(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_NAME
    path.write_bytes(b"this is no journal" * 100)
    journal = Journal(tmp_path)
    assert journal.damaged is not None
    assert journal.damaged.read_bytes().startswith(b"this is no journal")
    game = journal.begin(header())
    journal.close()
    again = Journal(tmp_path)
    assert (again.damaged, again.archive.header(game)) == (None, header())
    again.close()


def test_a_torn_journal_is_kept_and_named(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    game = journal.begin(header())
    for at in range(200):
        journal.append(game, [Entry(float(at), Ply(1, "Pd2-d3" * 20))])
    journal.close()
    path = tmp_path / JOURNAL_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    again = Journal(tmp_path)
    assert again.damaged is not None
    assert again.archive.games() == []
    again.close()


def test_a_journal_of_another_version_is_refused(tmp_path: Path) -> None:
    Journal(tmp_path).close()
    database = sqlite3.connect(tmp_path / JOURNAL_NAME)
    database.execute("PRAGMA user_version = 7")
    database.close()
    with pytest.raises(BadRecord, match=r"wrote this journal \(7, not 3\)"):
        Journal(tmp_path)
    with pytest.raises(BadRecord, match=r"wrote this journal \(7, not 3\)"):
        Archive.open(tmp_path)


def seal_of(folder: Path) -> bytes:
    """The seal of the first game's header."""
    with closing(sqlite3.connect(folder / JOURNAL_NAME)) as database:
        (seal,) = database.execute("SELECT seal FROM games WHERE game = 1").fetchone()
    return bytes(seal)


@pytest.mark.parametrize("event", [("ply", '{"number": "x"}'), ("dream", "{}")])
def test_an_event_that_cannot_be_read_is_named_once(tmp_path: Path, event: tuple[str, str]) -> None:
    journal = Journal(tmp_path)
    game = journal.begin(header())
    journal.close()
    database = sqlite3.connect(tmp_path / JOURNAL_NAME, isolation_level=None)
    _, row = Tip(0, seal_of(tmp_path)).next_row(0.0, *event)
    database.execute("INSERT INTO events VALUES (1, ?, ?, ?, ?, ?, ?, ?)", row)
    database.close()
    journal = Journal(tmp_path)
    why = "game 1: event 1 cannot be read by this program"
    with pytest.raises(BadRecord, match=why):
        journal.archive.entries(game)
    assert open_game(journal, header()).damage == why
    journal.close()


def test_a_folder_without_a_journal_has_no_games(tmp_path: Path) -> None:
    archive = Archive.open(tmp_path / "nowhere")
    assert archive.games() == []
    with pytest.raises(NoSuchGame, match="3: no such game"):
        archive.header(GameId(3))
    archive.close()


def fill(journal: Journal, game: GameId, written: list[Entry]) -> None:
    """Append until the disk refuses."""
    for number in range(10_000):
        entry = Entry(1.0, Ply(number, "x" * 1000))
        journal.append(game, [entry])
        written.append(entry)


def test_a_full_disk_is_told_and_loses_nothing_that_was_written(small_disk: Path) -> None:
    journal = Journal(small_disk)
    game = journal.begin(header())
    written: list[Entry] = []
    with pytest.raises(JournalUnwritable, match="what happens now cannot be kept"):
        fill(journal, game, written)
    assert len(written) > 10
    assert journal.archive.entries(game) == written
    journal.close()


def test_a_card_that_can_only_be_read_is_told_from_a_full_one(
    tmp_path: Path,
    limit: Callable[[int], AbstractContextManager[None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To make room would be no mend there."""

    def refuse(**_where: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with closing(Journal(tmp_path)) as journal:
        monkeypatch.setattr("jetan_table.journal.journal.TemporaryFile", refuse)
        with limit(0), pytest.raises(JournalUnwritable, match=r"only be read now.*another card"):
            journal.begin(header())


@pytest.mark.needs("setpriv")
@pytest.mark.promises("the data folder, or the journal in it, is not this user's", "standard error")
def test_what_a_user_may_not_write_is_told_from_a_full_disk(tmp_path: Path) -> None:
    """Root may write all, unless it starts without its powers."""
    script = f"""
import pathlib
from jetan_table.cli import main
folder = pathlib.Path({str(tmp_path)!r})
for name, mode in (("journal.sqlite", 0o444), ("journal.lock", 0o444), (".", 0o555)):
    path = folder / name
    before = path.stat().st_mode
    path.chmod(mode)
    assert main(["play", "--plain", "--data", str(folder)]) == 2
    path.chmod(before)
"""
    Journal(tmp_path).close()
    powerless = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if not os.geteuid() else []
    command = [*powerless, sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    why = "this user has no permission to write it, and nothing is kept: chmod or chown it"
    for line, name in zip(
        done.stderr.splitlines(), ("journal.sqlite", "journal.lock", "."), strict=True
    ):
        assert line.startswith(f"jetan: {tmp_path / name}: {why}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["journal.lock", "journal.sqlite"]


def test_what_was_seen_waits_for_a_disk_that_refuses(
    tmp_path: Path, limit: Callable[[int], AbstractContextManager[None]]
) -> None:
    journal = Journal(tmp_path)
    game = journal.begin(header())
    observation = Observation(1.5, {Square(13): None})
    journal.observe(game, [observation])
    with limit(0), pytest.raises(JournalUnwritable):
        journal.flush()
    journal.flush()
    assert list(journal.archive.observations(game)) == [observation]
    journal.close()


def test_what_was_appended_outlives_the_process(tmp_path: Path) -> None:
    script = f"""
import os, pathlib
from jetan_table.game.events import Entry, Ply
from jetan_table.journal.journal import Journal
from tests.jetan_table.hands import header
journal = Journal(pathlib.Path({str(tmp_path)!r}))
game = journal.begin(header())
for number in range(1, 8):
    journal.append(game, [Entry(float(number), Ply(number, "Pd2-d3"))])
os.kill(os.getpid(), 9)
"""
    root = ROOT
    done = subprocess.run([sys.executable, "-c", script], cwd=root, check=False)
    assert done.returncode == -signal.SIGKILL
    journal = Journal(tmp_path)
    assert journal.damaged is None
    assert len(journal.archive.entries(journal.archive.games()[0].game)) == 7
    journal.close()
