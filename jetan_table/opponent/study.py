"""A study at a table: hands move freely, back and forth; every line is kept, the best moves lit.

Whoever takes moves back and plays others goes another way, and the old one stays a variation.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rules import Move, Position, format_move
from rules.errors import BadGame
from rules.game import Game
from rules.sentences import _

from ..engine.library import quick_library
from ..errors import TableError
from ..files import read_text, write_whole
from ..languages import LANGUAGES, Language, say_in
from ..lessons.lines import KEPT_IN, StudiedLines, read_lines
from ..lessons.tutor import SetUp
from ..session.guests import Guest
from ..session.session import News, Session
from ..session.umpire import allows_help
from ..session.view import Phase, View

if TYPE_CHECKING:
    from ..engine.search import Limits

BEST: Final = 3
"""So many of the best moves are shown."""
NODES: Final = 8_000
"""So long each of them is looked for."""


@dataclass(frozen=True, slots=True)
class GoodMove:
    """One of the best moves of a position, and what is expected to follow."""

    move: Move
    line: tuple[str, ...]
    """The texts of the moves expected, this one first."""
    chance: float
    """The share of the points to be expected by who moves, 0..1."""


def good_moves(game: Game, limits: Limits, count: int = BEST) -> tuple[GoodMove, ...]:
    """Return so many of the best moves of a game's position, the best first; none where it is over.

    Each is looked for within the limits, among those that were not found before.
    """
    from ..engine.evaluation import win_probability  # a search is heavy: only where one is wanted
    from ..engine.search import Search
    from ..engine.weights import fitted_weights

    position, found = game.position, list[GoodMove]()
    if game.outcome is not None or game.awaits_roll:
        return ()
    left, library = set(position.moves()), quick_library(os.environ)
    while left and len(found) < count:
        search = Search(
            position,
            fitted_weights(),
            time.perf_counter,
            limits,
            earlier=game.positions[:-1],
            allowed=left,
            library=library,
        )
        *_rest, thought = search.deepen()
        chance = win_probability(thought.score, thought.win_in)
        found.append(GoodMove(thought.move, _texts(thought.line, position), chance))
        left.discard(thought.move)
    return tuple(sorted(found, key=lambda each: -each.chance))


class Study(Guest):
    """Keeps the lines of the game at a table, in its folder, and looks for its best moves.

    `wait_s` is how long one look at the table may wait for them: 0 where lamps must go on.
    """

    def __init__(
        self,
        folder: Path,
        set_up: SetUp | None = None,
        wait_s: float = 0.0,
        nodes: int = NODES,
    ) -> None:
        """`set_up` sets drawn pieces up for a move that was taken back; lamps lead real hands."""
        self._set_up = set_up
        self.lines = StudiedLines()
        self._file, self._wait_s, self._nodes = folder / KEPT_IN, wait_s, nodes
        self._game: Game | None = None
        """The game as it was last looked at."""
        self._worker = ThreadPoolExecutor(1, "study")
        self._asked: Future[tuple[GoodMove, ...]] | None = None
        self.best: tuple[GoodMove, ...] = ()
        """The best moves of the position, once they are found."""
        self._is_allowed = True

    def attend(self, session: Session, now: float) -> list[News]:
        """Keep what was played, and look for what is best; nothing where no help is allowed."""
        record = session.record
        self._is_allowed = allows_help(record)
        if record.game is not self._game and record.question is None:
            is_back = self._game is not None and len(record.game.plies) < len(self._game.plies)
            self._take_in(record.game)
            if is_back and self._set_up is not None:
                self._set_up(record.game.position, now)
        self._look()
        return []

    def overlay(self, view: View) -> View:
        """Return a view with the best moves, and with words on them and on the lines."""
        game = self._game
        if not self._is_allowed or game is None or game.position != view.position:
            return view
        if view.phase is not Phase.PLAYING or view.leading.repair is not None:
            return view
        words = {language: tuple(self._words(game, language)) for language in LANGUAGES}
        return replace(
            view, help=replace(view.help, best=tuple(each.move for each in self.best), taught=words)
        )

    def close(self) -> None:
        """Look for nothing more."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _take_in(self, game: Game) -> None:
        if self._game is None:
            with suppress(OSError, TableError, BadGame):
                self.lines = read_lines(read_text(self._file), game.start)
        self._game, self.best = game, ()
        lines = self.lines.after(game)
        if lines != self.lines:
            self.lines = lines
            with suppress(OSError):  # a disk that refuses is told of by the journal
                write_whole(self._file, lines.text().encode())
        if self._asked is not None:
            self._asked.cancel()
        self._asked = None
        if self._is_allowed:
            from ..engine.search import Limits

            self._asked = self._worker.submit(good_moves, game, Limits(nodes=self._nodes))

    def _look(self) -> None:
        if self._asked is None:
            return
        with suppress(TimeoutError):
            self.best = self._asked.result(self._wait_s)
            self._asked = None

    def _words(self, game: Game, language: Language) -> list[str]:
        lines = [
            say_in(language, GOOD, place=place, line=" ".join(each.line), chance=each.chance)
            for place, each in enumerate(self.best, 1)
        ]
        onward = self.lines.onward(game)
        if onward:
            lines.append(say_in(language, TRIED, moves=", ".join(onward)))
        return lines


GOOD: Final = _("{place}. {line} ({chance:.0%} of the points)")
TRIED: Final = _("Tried here: {moves}.")


def _texts(line: Sequence[Move], position: Position) -> tuple[str, ...]:
    texts = []
    for move in line:
        texts.append(format_move(move, position))
        position = position.play(move)
    return tuple(texts)
