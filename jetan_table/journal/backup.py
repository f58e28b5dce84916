"""Copies of a journal, each a file by itself: made while the table plays, and put back later."""

import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from rules import RulesError, _

from ..errors import TableError
from ..files import make_folder, replacing
from ..game.events import BadRecord, Entry, GameId, Header
from ..game.record import Record
from ..game.texts import events_of_text
from .archive import (
    Archive,
    connect_to_read,
    damage_as_bad_record,
    is_of_damage,
    is_sound,
    open_to_salvage,
    witness_in,
)
from .file_format import JOURNAL_NAME, check_schema
from .journal import Journal, journal_lock, keep, keep_texts, set_aside, write_game

SQLITE: Final = b"SQLite format 3\0"
"""Beginning of a database's file."""


def back_up(folder: Path, copy: Path) -> int:
    """Copy the journal in `folder` to the file `copy`, whole or not at all; return its game count.

    The table may play meanwhile; the copy is read again before it counts. A damaged game is copied
    as it is: `check_journal` finds it. Raises BadRecord, TableError if `copy` is a file of another
    kind, and OSError if the copy cannot be written.
    """
    if not _may_be_replaced(copy):
        raise TableError(_("{copy}: is there already, and no backup: name another file"), copy=copy)
    source = folder / JOURNAL_NAME
    if not source.is_file():
        raise BadRecord(_("{source}: there is no journal to copy"), source=source)
    Archive.open(folder).close()  # one of another version is refused by its own name
    with replacing(copy) as begun:
        _copy(source, begun)
        if not is_sound(begun):
            raise BadRecord(_("{source}: is damaged: see jetan games salvage"), source=source)
        with closing(Archive.open_file(begun)) as archive:
            return len(archive.games())


def check_journal(archive: Archive) -> dict[GameId, str]:
    """Return the games that are damaged, or were set aside, each with the reason."""
    damaged = dict[GameId, str]()
    for summary in archive.games():
        try:
            if summary.damage is not None:
                raise BadRecord(_("{why}"), why=summary.damage)
            archive.check(summary.game)
        except TableError as error:
            damaged[summary.game] = error.worded
    return damaged


def changed_texts(archive: Archive) -> list[Path]:
    """Return the texts beside a journal that were changed since they were written."""
    texts = archive.texts
    return [texts.path(game) for game in texts.numbers() if texts.is_changed(game)]


def restore(copy: Path, folder: Path) -> tuple[int, Path | None]:
    """Put a copy in the place of the journal in `folder`, and write its games' texts anew.

    All of the copy is checked first, and then one rename puts it there: a copy that is refused
    changes nothing. Returns the number of its games, and the name under which the former journal
    is kept. Raises BadRecord for a copy that is damaged, of another version, or has a game that
    cannot be played; JournalInUse while a table plays there, and OSError.
    """
    if not copy.is_file():
        raise FileNotFoundError(2, "No such file", str(copy))
    make_folder(folder)
    path = folder / JOURNAL_NAME
    with journal_lock(folder):
        with replacing(path) as begun:
            _bring(copy, begun)
            with closing(Archive.open_file(begun)) as archive:
                games = _replay_all(copy, archive)
            kept = _keep(path) if path.exists() else None
            keep_texts(path, "replaced")
        with closing(Archive.open(folder)) as archive:
            for game in games:
                write_game(folder, witness_in(archive, game), read_record(archive, game))
            return len(archive.games()), kept


class Salvaged(NamedTuple):
    """The yield of a salvage."""

    added: int
    lost: dict[GameId, str]
    """Reasons why games could not be added, by their old numbers."""
    retold: dict[GameId, tuple[str, int]]
    """Damage of games that were taken from their texts, with the number of moves these have."""


def salvage(file: Path, folder: Path) -> Salvaged:
    """Add every whole game of a journal to the one in `folder`, under new numbers.

    The journal may be damaged or of another version; `file` may be the folder of the texts of one
    that is lost. A game is whole if its chain holds and it can be played, or if its text beside the
    journal is as it was written. Games that are there already are left out. Raises BadRecord if
    nothing in the file can be read, JournalInUse, and OSError.
    """
    if not file.exists():
        raise FileNotFoundError(2, "No such file", str(file))
    if file.resolve() == (folder / JOURNAL_NAME).resolve():
        with journal_lock(folder):
            file = set_aside(file, "salvaged")
    with closing(open_to_salvage(file)) as archive, closing(Journal(folder)) as journal:
        here = journal.archive
        # By content, not by number: the same game may have been salvaged before under another
        # number.
        there = {_fingerprint(here, summary.game) for summary in here.games()} - {None}
        salvaged = Salvaged(0, {}, {})
        for game in archive.numbers():
            try:
                start, batches = _salvaged(archive, game, salvaged)
            except (TableError, RulesError) as error:
                salvaged.lost[game] = error.worded
                continue
            if _fingerprint_of(*start) in there:
                continue
            number = journal.begin(*start, batches)
            write_game(folder, journal.witness(number), Record.read(*start))
            salvaged = salvaged._replace(added=salvaged.added + 1)
        return salvaged


def _salvaged(
    archive: Archive, game: GameId, salvaged: Salvaged
) -> tuple[tuple[Header, list[Entry]], list[bytes]]:
    """Return header, events and observations of a game; `salvaged` notes one read from its text."""
    try:
        record = read_record(archive, game)
        return (record.header, archive.entries(game)), _whole_batches(archive, game)
    except (TableError, RulesError) as error:
        text = archive.texts.read(game)
        if text is None:
            raise
        start = events_of_text(text[0])
        salvaged.retold[game] = error.worded, len(Record.read(*start).game.plies)
        return start, []


def read_record(archive: Archive, game: GameId) -> Record:
    """Return the record of a journal's game; BadRecord if it cannot be played."""
    try:
        return archive.record(game)
    except TableError:
        raise
    except (RulesError, ValueError, LookupError, RecursionError) as error:
        raise BadRecord(_("game {game}: {why}"), game=game, why=error) from error


def _bring(copy: Path, begun: Path) -> None:
    """Copy a sound journal into `begun`; BadRecord for any other file."""
    try:
        with closing(connect_to_read(copy)) as old:
            check_schema(old, copy)
            if not is_sound(copy):
                raise BadRecord(
                    _("{copy}: is damaged: take another copy, or jetan games salvage it"), copy=copy
                )
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise BadRecord(
            _("{copy}: is damaged, or no journal: take another copy"), copy=copy
        ) from error
    _copy(copy, begun)


def _replay_all(copy: Path, archive: Archive) -> list[GameId]:
    """Return the games that can be played; BadRecord if another one is not set aside."""
    games = []
    for summary in archive.games():
        if archive.is_set_aside(summary.game):
            continue
        try:
            read_record(archive, summary.game)
            archive.check(summary.game)
        except TableError as error:
            raise BadRecord(
                _("{copy}: {why}; jetan games salvage takes the others"), copy=copy, why=error
            ) from error
        games.append(summary.game)
    return games


def _keep(path: Path) -> Path:
    """Keep a journal under a second name, with all of its content folded into the one file."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        pass  # it is damaged: it is kept with what lies beside it
    return keep(path, "replaced")


def _whole_batches(archive: Archive, game: GameId) -> list[bytes]:
    """Return a game's observations; none if they are damaged: the game is whole without them."""
    try:
        list(archive.observations(game))
        return list(archive.batches(game))
    except BadRecord:
        return []


def _fingerprint(archive: Archive, game: GameId) -> bytes | None:
    """Return a hash of a game, the same in any journal; None if it is damaged."""
    try:
        return _fingerprint_of(archive.header(game), archive.entries(game))
    except TableError:
        return None


def _fingerprint_of(header: Header, entries: list[Entry]) -> bytes:
    return blake2b(repr((header, entries)).encode(errors="replace")).digest()


def _may_be_replaced(copy: Path) -> bool:
    if not copy.is_file():
        return True
    with copy.open("rb") as file:
        return file.read(len(SQLITE)) in (SQLITE, b"")


def _copy(source: Path, target: Path) -> None:
    """Copy a database, as it is at one moment, into a file that needs no other beside it."""
    with damage_as_bad_record(str(source)):
        old = connect_to_read(source)
    try:
        with closing(old), closing(sqlite3.connect(target)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if is_of_damage(error):
            raise BadRecord(
                _("{source}: is damaged: see jetan games salvage"), source=source
            ) from error
        raise OSError(0, str(error), str(target)) from error
