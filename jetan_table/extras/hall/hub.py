"""What a hall knows of its tables: the newest word of each, checked before it is believed.

One thread calls it. Whatever cannot be taken in is refused by name and counted; what was known
before stays.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from rules import Position, RulesError
from rules.sentences import _
from rules.text import GameText, KnownGame, parse_on, result_word

from .archive import HallArchive
from .payloads import GAME, HEALTH, ONLINE, BadWord, Health, SaidGame, decode, read_topic, text_hash

MOST_TABLES: Final = 5000
"""So many tables are followed; others are refused."""


@dataclass(slots=True)
class TableHeard:
    """All that was heard of one table."""

    name: str
    online: bool = False
    said_game: SaidGame | None = None
    text: GameText | None = None
    """That game, read."""
    health: Health | None = None
    refused: Counter[str] = field(default_factory=Counter)
    """How often something was refused that came under this name, by what was wrong."""
    last_refusal: str | None = None
    known: KnownGame | None = None

    @property
    def position(self) -> Position | None:
        """What stands there for certain."""
        return None if self.text is None else self.text.game.position

    @property
    def needs_somebody(self) -> bool:
        """Whether this table asks, or is ill."""
        asks = self.said_game is not None and self.said_game.asks is not None
        is_ill = self.health is not None and (self.health.trouble or self.health.failed)
        return asks or bool(is_ill)


class Hub:
    """The tables of a hall. `archive` keeps the newest state of every game."""

    def __init__(self, archive: HallArchive) -> None:
        self.tables: dict[str, TableHeard] = {}
        self.refused: Counter[str] = Counter()
        """What could not be taken in, by what was wrong."""
        self._archive = archive
        for name, game in archive.newest():
            table = self._table(name)
            try:
                self._take_game(table, game, is_kept=True)
            except BadWord:  # an older program's
                archive.forget(name)
                del self.tables[name]

    def take_in(self, topic: str, content: bytes) -> TableHeard | None:
        """Take in what was said; return whose state has changed by it, if anybody's has."""
        table = None
        try:
            name, what = read_topic(topic) or ("", "")
            if not name or (name not in self.tables and len(self.tables) >= MOST_TABLES):
                raise BadWord(_("{topic}: no table of this hall"), "no topic", topic=topic[:100])
            table = self.tables.get(name) or TableHeard(name)
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

    def _table(self, name: str) -> TableHeard:
        return self.tables.setdefault(name, TableHeard(name))

    def _take(self, table: TableHeard, what: str, content: bytes) -> bool:
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

    def _take_game(self, table: TableHeard, game: SaidGame, is_kept: bool = False) -> bool:
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
    """Return a game read; BadWord where it is not what it is said to be."""
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
