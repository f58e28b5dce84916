"""What a hall shows of a table, and how late: the arbiter's at once, spectators' after a delay."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from rules import format_move, format_position, format_square
from rules.game import Game
from rules.text import GameText, format_game, result_word

from ...game.events import Result
from ...languages import Language
from .hub import TableHeard
from .payloads import SaidClock, text_hash


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
    """How late spectators see a game: by so many plies, or so many seconds."""

    plies: int = 0
    seconds: float = 0.0

    def __bool__(self) -> bool:
        return self.plies > 0 or self.seconds > 0


NO_DELAY: Final = Delay()


def shown_game(heard: TableHeard, delay: Delay = NO_DELAY) -> ShownGame:
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
        result_of_text(text),
        text.tags.get("Black", "?"),
        text.tags.get("Orange", "?"),
        text.game.position.side.word,
        asks,
        ills,
        clock,
    )
    return ShownGame(table, text)


def result_of_text(text: GameText) -> Result:
    """Return how a game has ended, `*` where it goes on."""
    result: Result = msgspec.convert(result_word(text.game.outcome), Result)
    return result


def cut(text: GameText, plies: int) -> GameText:
    """Return a game text without its last plies."""
    game = text.game
    left = max(len(game.plies) - plies, 0)
    notes = {index: note for index, note in text.notes.items() if index < left}
    return GameText(Game(game.positions[: left + 1], game.plies[:left]), text.tags, "", notes)


@dataclass(slots=True)
class Showing:
    """Every table as it is shown to some: `delay` late."""

    delay: Delay = NO_DELAY
    shown: dict[str, ShownGame] = field(default_factory=dict)
    _waiting: deque[tuple[float, ShownGame]] = field(default_factory=deque)

    def take_in(self, heard: TableHeard, now: float) -> list[ShownGame]:
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
