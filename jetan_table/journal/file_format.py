"""The format of a journal on disk: its tables, batches and seals, and the texts beside it.

Three tables hold games, events and observations, and triggers keep them append-only; a file with
other tables is another version's, and stays as it is. Observations are kept in batches: JSON
(`[[at, {"d2": [log-likelihoods], "e4": null}], ...]`), deflated by a dictionary of what such
batches commonly hold, each with its own check sum.

Each row of a game is sealed over its content and the seal before it. A seal betrays damage and
careless edits, not forgers: whoever may write the file can seal anew. Each game also has a text
beside the journal, which is on the disk before a ply is shown or another game begins. Its last
line, `%journal GAME SEQ BEGUN SEAL SUM`, is skipped by readers of games. It has the number of the
last event, the first bytes of the seals of header and event, and a sum over the text: a journal
that has lost its end is found out, and so is a text that was changed.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from os import scandir
from pathlib import Path
from typing import Final

import msgspec

from hardware.ports import Evidence, Observation
from rules import RulesError, _, format_square, parse_square

from ..files import sync_folder
from ..game.events import (
    EVENT_KINDS,
    Amended,
    BadRecord,
    Correction,
    Ending,
    Event,
    Ply,
    Question,
    Recall,
    TakeBack,
)


class OtherVersion(BadRecord):
    """A journal whose tables are not those of this program."""


JOURNAL_NAME = "journal.sqlite"
SCHEMA_VERSION: Final = 3
"""The version of journals that are opened; `salvage` brings games out of others."""

_REFUSED: Final = "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"


def _append_only(*tables: str) -> str:
    return "".join(
        f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table} {_REFUSED}"
        for table in tables
        for verb in ("UPDATE", "DELETE")
    )


SCHEMA: Final = (
    f"PRAGMA user_version = {SCHEMA_VERSION};"
    """
CREATE TABLE games (
    game INTEGER PRIMARY KEY, started REAL NOT NULL, rules TEXT NOT NULL, start TEXT NOT NULL,
    black TEXT NOT NULL, orange TEXT NOT NULL, version TEXT NOT NULL, seal BLOB NOT NULL);
CREATE TABLE events (
    game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, at REAL NOT NULL,
    kind TEXT NOT NULL, payload TEXT NOT NULL, plies INTEGER NOT NULL, ending TEXT,
    seal BLOB NOT NULL, PRIMARY KEY (game, seq)) WITHOUT ROWID;
CREATE TABLE observations (
    game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, batch BLOB NOT NULL,
    PRIMARY KEY (game, seq)) WITHOUT ROWID;
CREATE TABLE set_aside (
    game INTEGER PRIMARY KEY REFERENCES games, at REAL NOT NULL, why TEXT NOT NULL);
CREATE INDEX turned ON events (game, seq) WHERE kind = 'turned';
CREATE INDEX of_series ON events (game, seq) WHERE kind = 'series';
"""
    + _append_only("games", "events", "set_aside")
    + f"""
CREATE TRIGGER observations_update BEFORE UPDATE ON observations {_REFUSED}
CREATE TRIGGER observations_delete BEFORE DELETE ON observations
WHEN OLD.seq = 0 OR NOT EXISTS (SELECT 1 FROM observations WHERE game = OLD.game AND seq = 0)
{_REFUSED}"""
)
"""The schema. Batch 0 of a game holds all others up to then: these, and nothing else, may go."""


def check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raise BadRecord unless a journal has exactly the tables above; OtherVersion by its number.

    Only the file's list of them is read: a view in it is not run.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        raise BadRecord(_("{path}: is no journal"), path=path)
    if version != SCHEMA_VERSION:
        raise OtherVersion(
            _(
                "{path}: another version of the program wrote this journal ({version}, not "
                "{schema_version}); it stays as it is, and jetan games salvage {path} brings "
                "its games out"
            ),
            path=path,
            version=version,
            schema_version=SCHEMA_VERSION,
        )
    made = sqlite3.connect(":memory:")
    try:
        made.executescript(SCHEMA)
        wanted = set(made.execute(_ALL))
    finally:
        made.close()
    strange = sorted(
        f"{kind} {name}" for kind, name, *rest in set(connection.execute(_ALL)) ^ wanted
    )
    if strange:
        raise BadRecord(
            _("{path}: is no journal of version {version}: {names}"),
            path=path,
            version=version,
            names=", ".join(strange),
        )


_ALL = "SELECT type, name, sql FROM sqlite_master"


COMMON: Final = (
    b'"a1":"b1":"c1":"d1":"e1":"f1":"g1":"h1":"i1":"j1":null'
    b'[[17000000.0,{"d2":[-6.2146,-0.0101,-0.0101,-0.0101]}],[17'
    b'00000.0,{"d2":[-0.002,-4.6052,-4.6052,-4.6052]}],[17'
)
"""The dictionary of common content for deflating; part of the format, as no other can inflate."""

MOST_TEXT: Final = 64 << 20
"""Most bytes of an unpacked batch: a bomb must not take the memory."""

_BATCH = msgspec.json.Decoder(list[tuple[float, dict[str, Evidence | None]]])


def pack(observations: Iterable[Observation]) -> bytes:
    """Return observations as one batch."""
    return _deflated(msgspec.json.encode([(one.at, _named(one)) for one in observations]))


def merge(batches: Iterable[bytes]) -> bytes | None:
    """Return batches as one, which is much smaller; None if that is more than one may hold.

    BadRecord if one of them is damaged.
    """
    rows = b",".join(filter(None, (_inflated(batch)[1:-1] for batch in batches)))
    return _deflated(b"[%b]" % rows) if len(rows) < MOST_TEXT - 2 else None


def unpack(batch: bytes) -> list[Observation]:
    """Return the observations of a batch, oldest first; BadRecord if it is damaged."""
    try:
        rows = _BATCH.decode(_inflated(batch))
        return [
            Observation(at, {parse_square(name): named[name] for name in named})
            for at, named in rows
        ]
    except (msgspec.DecodeError, UnicodeError, RulesError) as error:
        raise BadRecord(_("a batch of observations is damaged: {why}"), why=error) from error


def _deflated(text: bytes) -> bytes:
    packer = zlib.compressobj(9, zdict=COMMON)
    return packer.compress(text) + packer.flush()


def _inflated(batch: bytes) -> bytes:
    try:
        unpacker = zlib.decompressobj(zdict=COMMON)
        text = unpacker.decompress(batch, MOST_TEXT)
    except (zlib.error, TypeError) as error:
        raise BadRecord(_("a batch of observations is damaged: {why}"), why=error) from error
    if not unpacker.eof:
        raise BadRecord(_("a batch of observations is cut short"))
    return text


def _named(observation: Observation) -> dict[str, Sequence[float] | None]:
    return {
        format_square(square): evidence and [round(value, 4) for value in evidence]
        for square, evidence in observation.squares.items()
    }


SEAL_BYTES = 16

EventRow = tuple[int, float, str, str, int, str | None, bytes]
"""A row of an event, after its game: seq, at, kind, payload; the number of plies after it, and the
payload of the ending if the game is over; and the seal."""

COUNTED = frozenset(
    kind
    for kind, event in EVENT_KINDS.items()
    if event in (Ply, Question, TakeBack, Amended, Recall, Correction, Ending)
)
"""The kinds of events that change the number of plies, or whether the game is over."""


def seal_header(game: int, values: Sequence[object]) -> bytes:
    """Return the seal of a game's number and header, with which its chain begins."""
    return blake2b(msgspec.json.encode([game, *values]), digest_size=SEAL_BYTES).digest()


def seal_event(before: bytes, row: Sequence[object]) -> bytes:
    """Return the seal of an event's row, made of all its columns but the last, the seal's own."""
    seq, at, kind, payload, plies, ending, *_ = row
    content = f"{seq} {at!r} {kind} {plies} {ending}\n{payload}"
    return blake2b(before + content.encode(errors="replace"), digest_size=SEAL_BYTES).digest()


@dataclass(frozen=True, slots=True)
class Tip:
    """The end of a game's chain: all of it that the next row depends on."""

    seq: int
    """Number of the last event; 0 if there is none yet."""
    seal: bytes
    plies: tuple[int, ...] = ()
    """Numbers of the plies that were not taken back."""
    ending: str | None = None
    """Payload of the game's end, unless that was taken back."""

    def next_row(self, at: float, kind: str, payload: str) -> tuple[Tip, EventRow]:
        """Return the row of one event more, sealed, and the tip after it."""
        plies, ending = self.plies, self.ending
        event = _counted(kind, payload)
        match event:
            case Ply(number=number) | Question(number=number, is_ply=True):
                plies = (*plies, number)
            case TakeBack(number=number):
                plies, ending = tuple(earlier for earlier in plies if earlier < number), None
            case Amended(last=last):
                plies, ending = tuple(earlier for earlier in plies if earlier <= last), None
            case Recall():
                ending = None
            case Correction():
                plies, ending = (), None
            case Ending():
                ending = payload
        content = (self.seq + 1, float(at), kind, payload, len(plies), ending)
        seal = seal_event(self.seal, content)
        return Tip(self.seq + 1, seal, plies, ending), (*content, seal)


def _counted(kind: str, payload: str) -> Event | None:
    """Return an event that counts for the tip; None for others, and for one that is damaged."""
    if kind not in COUNTED:
        return None
    try:
        return msgspec.json.decode(payload, type=EVENT_KINDS[kind])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


SHORT: Final = 8
"""Bytes of a seal, and of the sum, that the last line of a text has."""

_LINE: Final = re.compile(
    rb"%journal (\d{1,7}) (\d{1,9}) ([0-9a-f]{16}) ([0-9a-f]{16}) ([0-9a-f]{16})\n"
)
LONGEST: Final = 100

_NAME: Final = re.compile(r"\d{5,7}\.jgn")


@dataclass(frozen=True, slots=True)
class Witness:
    """The numbers of a game and its last event, and the first bytes of the seals of both."""

    game: int
    seq: int
    begun: bytes
    seal: bytes

    @classmethod
    def of(cls, game: int, seq: int, begun: bytes, seal: bytes) -> Witness:
        """Return the witness of a game with these seals."""
        return cls(game, seq, begun[:SHORT], seal[:SHORT])

    def signed(self, text: str) -> bytes:
        """Return a text with its last line, as its file has it."""
        content = text.encode()
        line = f"%journal {self.game} {self.seq} {self.begun.hex()} {self.seal.hex()}"
        return content + f"{line} {_sum(content + line.encode())}\n".encode()


def read_witness(content: bytes) -> tuple[str, Witness] | None:
    """Return a file's text and witness; None if it is not as it was written."""
    at = content.rfind(b"%journal ", -LONGEST)
    found = _LINE.fullmatch(content, at) if at >= 0 else None
    if found is None or _sum(content[: found.start(5) - 1]) != found[5].decode():
        return None
    begun, seal = (bytes.fromhex(found[number].decode()) for number in (3, 4))
    return content[:at].decode(), Witness(int(found[1]), int(found[2]), begun, seal)


def is_signed(content: bytes) -> bool:
    """Return True if a text has a witness, be it right or wrong."""
    return b"%journal" in content


def _sum(content: bytes) -> str:
    return blake2b(content, digest_size=SHORT).hexdigest()


class Texts:
    """The texts of games beside a journal, one file each; none if the folder is None."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, journal: Path) -> Texts:
        """Return the texts of a journal: in `games`, or of a kept one in `games.damaged-1`."""
        stem = Path(JOURNAL_NAME).stem
        if not journal.stem.startswith(stem):
            return cls(None)
        return cls(journal.with_name(f"games{journal.stem.removeprefix(stem)}"))

    def numbers(self) -> list[int]:
        """Return the numbers of the games that have a text, in order."""
        try:
            names = [] if self.folder is None else [entry.name for entry in scandir(self.folder)]
        except OSError:
            return []
        return sorted(int(name.removesuffix(".jgn")) for name in names if _NAME.fullmatch(name))

    def path(self, game: int) -> Path:
        """Return the path of a game's text."""
        assert self.folder is not None
        return self.folder / f"{game:05}.jgn"

    def read(self, game: int) -> tuple[str, Witness] | None:
        """Return a game's text and witness; None without one that is as it was written."""
        if self.folder is None:
            return None
        try:
            found = read_witness(self.path(game).read_bytes())
        except OSError:
            return None
        return found if found is not None and found[1].game == game else None

    def witness(self, game: int) -> Witness | None:
        """Return the witness of a game's text; None without one that is as it was written."""
        found = self.read(game)
        return None if found is None else found[1]

    def is_changed(self, game: int) -> bool:
        """Return True if a game's text has a witness, and is not as it was written."""
        try:
            return is_signed(self.path(game).read_bytes()) and self.read(game) is None
        except OSError:
            return False

    def witnesses(self, games: Iterable[int]) -> list[int]:
        """Return the games with a text that is as it was written."""
        return [game for game in games if self.witness(game) is not None]

    def move(self, other: Texts) -> None:
        """Move them beside another journal. OSError."""
        if self.folder is not None and other.folder is not None and self.folder.is_dir():
            self.folder.rename(other.folder)
            sync_folder(self.folder.parent)
