"""The hall's view of its tables: what it knows, keeps on its disk, and shows.

Every word is checked before it is believed. A word that cannot be accepted is refused by a named
reason and counted; the state before it stays. The arbiter sees everything at once, spectators see
it after a delay. All calls come from one thread.
"""

import sqlite3
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from rules import Game, RulesError, _, format_move, format_position, format_square
from rules.text import GameText, KnownGame, format_game, parse_on, result_word

from ...game.events import Result
from ...languages import Language
from ...page.stream import Stream
from .payloads import (
    GAME,
    HEALTH,
    ONLINE,
    BadWord,
    Health,
    SaidClock,
    SaidGame,
    decode,
    read_topic,
    text_hash,
)

FILE_NAME: Final = "hall.sqlite"
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS games (
    at_table TEXT NOT NULL, game INTEGER NOT NULL, rev INTEGER NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (at_table, game)) WITHOUT ROWID;
"""
NEWEST: Final = """
SELECT at_table, content FROM games AS kept
WHERE rev = (SELECT max(rev) FROM games WHERE at_table = kept.at_table) ORDER BY at_table
"""


class HallArchive:
    """One file in the hall's data folder.

    A copy of what the tables' journals hold: what a power cut takes of it, they say again.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(
            folder / FILE_NAME, isolation_level=None, check_same_thread=False
        )  # opened on one thread, then used by another alone
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.executescript(SCHEMA)

    def keep(self, table: str, game: SaidGame) -> None:
        """Keep a game as it is now, instead of how it was."""
        row = (table, game.game, game.rev, msgspec.json.encode(game))
        self._db.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?)", row)

    def newest(self) -> Iterator[tuple[str, SaidGame]]:
        """Yield each table's newest game."""
        for table, content in self._db.execute(NEWEST).fetchall():
            yield table, msgspec.json.decode(content, type=SaidGame)

    def games(self, table: str) -> list[SaidGame]:
        """Return all games of a table, oldest first."""
        select = "SELECT content FROM games WHERE at_table = ? ORDER BY game"
        rows = self._db.execute(select, (table,)).fetchall()
        return [msgspec.json.decode(content, type=SaidGame) for (content,) in rows]

    def forget(self, table: str) -> None:
        """Drop all games of a table."""
        self._db.execute("DELETE FROM games WHERE at_table = ?", (table,))

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


MOST_TABLES: Final = 5000
"""The number of tables that are followed; others are refused."""


@dataclass(slots=True)
class KnownTable:
    """All that was heard of one table."""

    name: str
    online: bool = False
    said_game: SaidGame | None = None
    text: GameText | None = None
    health: Health | None = None
    refused: Counter[str] = field(default_factory=Counter)
    """The number of refusals under this name, by reason."""
    last_refusal: str | None = None
    known: KnownGame | None = None


class Hub:
    """The tables of a hall. `archive` keeps the newest state of every game."""

    def __init__(self, archive: HallArchive) -> None:
        self.tables: dict[str, KnownTable] = {}
        self.refused: Counter[str] = Counter()
        """The number of refused words, by reason."""
        self._archive = archive
        for name, game in archive.newest():
            table = self.tables.setdefault(name, KnownTable(name))
            try:
                self._take_game(table, game, is_kept=True)
            except BadWord:  # an older program's
                archive.forget(name)
                del self.tables[name]

    def take_in(self, topic: str, content: bytes) -> KnownTable | None:
        """Take in a message; return the table that it changed, if any."""
        table = None
        try:
            name, what = read_topic(topic) or ("", "")
            if not name or (name not in self.tables and len(self.tables) >= MOST_TABLES):
                raise BadWord(_("{topic}: no table of this hall"), "no topic", topic=topic[:100])
            table = self.tables.get(name) or KnownTable(name)
            is_new = self._take(table, what, content)
        except BadWord as error:
            self.refused[error.kind] += 1
            if table is not None and table.name in self.tables:
                table.refused[error.kind] += 1
                table.last_refusal = str(error)
            return None
        self.tables[table.name] = table
        return table if is_new else None

    def forget(self, name: str) -> None:
        """Know nothing of a table: one that begins anew with an empty journal counts from one."""
        self.tables.pop(name, None)
        self._archive.forget(name)

    def _take(self, table: KnownTable, what: str, content: bytes) -> bool:
        if what == ONLINE:
            if content not in (b"0", b"1"):
                raise BadWord(_("online: must be 0 or 1"))
            before, table.online = table.online, content == b"1"
            return table.online is not before or table.name not in self.tables
        if what == HEALTH:
            health = decode(content, Health)
            before_health, table.health = table.health, health
            return health != before_health
        assert what == GAME
        return self._take_game(table, decode(content, SaidGame))

    def _take_game(self, table: KnownTable, game: SaidGame, is_kept: bool = False) -> bool:
        before = table.said_game
        if before is not None and game.rev < before.rev:
            raise BadWord(
                _("{table}: rev {rev} is older than {known}"),
                "old",
                table=table.name,
                rev=game.rev,
                known=before.rev,
            )
        if game == before:
            return False
        if before is None or game.hash != before.hash or table.text is None:
            table.text, table.known = _checked(table.name, game, table.known)
        elif before.jgn != game.jgn or before.plies != game.plies:
            raise BadWord(_("{table}: one hash of two games"), "false", table=table.name)
        table.said_game = game
        if not is_kept:
            self._archive.keep(table.name, game)
        return True


def _checked(table: str, game: SaidGame, known: KnownGame | None) -> tuple[GameText, KnownGame]:
    """Return a game's text, parsed; BadWord if it does not match its word."""
    if text_hash(game.jgn) != game.hash:
        raise BadWord(_("{table}: the hash is of another text"), "false", table=table)
    try:
        text, known = parse_on(game.jgn, known)
    except RulesError as error:
        raise BadWord(_("{table}: {why}"), "false", table=table, why=error) from None
    outcome = result_word(text.game.outcome)
    if len(text.game.plies) != game.plies or outcome != game.result:
        raise BadWord(_("{table}: plies or result are not those of the text"), "false", table=table)
    return text, known


class ShownTable(msgspec.Struct, frozen=True):
    """A table as a page shows it: the newest game as far as it may be known by now.

    `ills` is what is wrong with the table; `asks` the question that is open there, in words by
    language, empty ones where spectators must not know more than that there is one.
    """

    table: str
    online: bool
    game: int
    rev: int
    plies: int
    hash: str
    result: Result
    black: str
    orange: str
    side: str
    asks: dict[Language, str] | None
    ills: list[str]
    clock: SaidClock | None


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A table as it is shown, with the game that belongs to it."""

    table: ShownTable
    text: GameText | None


@dataclass(frozen=True, slots=True)
class Delay:
    """The spectators' delay, in plies and in seconds."""

    plies: int = 0
    seconds: float = 0.0

    def __bool__(self) -> bool:
        return self.plies > 0 or self.seconds > 0


NO_DELAY: Final = Delay()


def shown_game(heard: KnownTable, delay: Delay = NO_DELAY) -> ShownGame:
    """Return a table as it may be shown once `delay.seconds` have passed."""
    word, text = heard.said_game, heard.text
    ills = [] if heard.health is None else [f"{s}: {why}" for s, why in heard.health.failed.items()]
    if heard.health is not None and heard.health.trouble is not None:
        ills.insert(0, heard.health.trouble)
    if word is None or text is None:
        nothing = ShownTable(
            heard.name, heard.online, 0, 0, 0, "", "*", "", "", "", None, ills, None
        )
        return ShownGame(nothing, None)
    digest = word.hash
    asks: dict[Language, str] | None = None if word.asks is None else word.asks.words
    clock = word.clock
    if delay.plies and text.game.outcome is None and text.game.plies:
        text = cut(text, delay.plies)
        digest, clock = text_hash(format_game(text)), None
    if delay and asks is not None:
        asks = {}
    if clock is not None and delay.seconds:
        clock = msgspec.structs.replace(clock, at=clock.at + delay.seconds)
    table = ShownTable(
        heard.name,
        heard.online,
        word.game,
        word.rev,
        len(text.game.plies),
        digest,
        msgspec.convert(result_word(text.game.outcome), Result),
        text.tags.get("Black", "?"),
        text.tags.get("Orange", "?"),
        text.game.position.side.word,
        asks,
        ills,
        clock,
    )
    return ShownGame(table, text)


def cut(text: GameText, plies: int) -> GameText:
    """Return a game text without its last plies."""
    game = text.game
    left = max(len(game.plies) - plies, 0)
    notes = {index: note for index, note in text.notes.items() if index < left}
    return GameText(Game(game.positions[: left + 1], game.plies[:left]), text.tags, "", notes)


@dataclass(slots=True)
class Audience:
    """Some who watch: every table as they are shown it, `delay` late, and how they hear of it."""

    stream: Stream
    delay: Delay = NO_DELAY
    shown: dict[str, ShownGame] = field(default_factory=dict)
    _waiting: deque[tuple[float, ShownGame]] = field(default_factory=deque)

    def take_in(self, heard: KnownTable, now: float) -> list[ShownGame]:
        """Take in a change; return what changes by it for those who watch, now."""
        changed = shown_game(heard, self.delay)
        if self.delay.seconds:
            self._waiting.append((now + self.delay.seconds, changed))
            return []
        self.shown[heard.name] = changed
        return [changed]

    def due(self, now: float) -> list[ShownGame]:
        """Return what is to be shown from now on, as its time has come."""
        changed = {}
        while self._waiting and self._waiting[0][0] <= now:
            game = self._waiting.popleft()[1]
            changed[game.table.table] = self.shown[game.table.table] = game
        return list(changed.values())

    def forget(self, table: str) -> None:
        """Show a table no more."""
        self.shown.pop(table, None)
        self._waiting = deque(entry for entry in self._waiting if entry[1].table.table != table)


def game_document(shown: ShownGame) -> dict[str, Any]:
    """Return one table with its whole game: moves, positions, and the last one's squares."""
    document: dict[str, Any] = {"table": msgspec.to_builtins(shown.table)}
    if shown.text is None:
        return document
    game = shown.text.game
    pairs = zip(game.plies, game.positions, strict=False)
    last = game.plies[-1].move if game.plies else None
    document |= {
        "rules": shown.text.tags.get("Rules", ""),
        "moves": [format_move(ply.move, before) for ply, before in pairs],
        "positions": [format_position(position) for position in game.positions],
        "first_number": game.start.ply_number,
        "last": [] if last is None else [format_square(last[0]), format_square(last[1])],
        "jgn": format_game(shown.text),
    }
    return document
