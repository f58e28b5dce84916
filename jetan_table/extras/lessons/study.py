"""A study: people move freely, back and forth; all lines are kept, and the best moves lit.

Taking moves back and playing others begins another line; the old one stays a variation in the kept
game text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rules import (
    BadGame,
    Game,
    Move,
    Position,
    Rules,
    RulesError,
    Worded,
    _,
    format_move,
    parse_move,
)
from rules.text import GameText, format_game, parse_lines

from ...engine.evaluation import win_probability
from ...errors import TableError
from ...files import read_text, set_aside, write_whole
from ...game.commands import CommandRefused
from ...game.events import Header
from ...game.record import Record
from ...session.session import Guest, News, Session
from ...session.umpire import allows_help, check_help
from ...session.view import Phase, View
from ...table.games import saved_path
from .desk import Desk, SetUpPieces

if TYPE_CHECKING:
    from ...engine.process import EngineProcess

STUDY_KEPT_IN: Final = "study.jgn"
NAMED_IN: Final = "studies"
"""The folder of studies that have a name."""


def study_file(folder: Path, name: str = "") -> Path:
    """Return the file of a study in a data folder; TableError for an impossible name."""
    return saved_path(folder, name, NAMED_IN) if name else folder / STUDY_KEPT_IN


def study_names(folder: Path) -> list[str]:
    """Return the names of the studies in a data folder."""
    return sorted(path.stem for path in (folder / NAMED_IN).glob("*.jgn"))


def named_lines(folder: Path, name: str) -> StudiedLines:
    """Return the lines of a study; CommandRefused where there is none, or it cannot be read."""
    try:
        return all_lines(parse_lines(read_text(study_file(folder, name))))
    except FileNotFoundError:
        raise CommandRefused(_("{name}: no study is called so"), name=name) from None
    except BadGame as error:
        raise CommandRefused(_("the study cannot be read: {why}"), why=error) from error


@dataclass(frozen=True, slots=True)
class StudiedLines:
    """Games from one start, none of which is the beginning of another; the first is the main line.

    Empty while nothing was tried.
    """

    games: tuple[Game, ...] = ()

    def after(self, game: Game) -> StudiedLines:
        """Return the lines with that game's; the old ones are gone where it starts elsewhere.

        A ply whose dice are still to be thrown is no part of a line yet.
        """
        if game.awaits_roll:
            return self
        kept = self.games if self.games and self.games[0].start == game.start else ()
        if any(begins(game, line) for line in kept):
            return self
        # A line is only a way through positions, and is compared as such.
        grown = Game(game.positions, game.plies)
        # A line that is now played further grows in its place, so the main line stays the first.
        for place, line in enumerate(kept):
            if begins(line, grown):
                return StudiedLines((*kept[:place], grown, *kept[place + 1 :]))
        return StudiedLines((*kept, grown))

    def onward(self, game: Game) -> tuple[str, ...]:
        """Return the texts of the plies that were tried after a game, the oldest line's first."""
        count = len(game.plies)
        tried = (
            format_move(line.plies[count].move, game.position)
            for line in self.games
            if len(line.plies) > count and begins(game, line)
        )
        return tuple(dict.fromkeys(tried))

    def texts(self) -> list[tuple[str, ...]]:
        """Return the texts of the plies of each line, the main line's first."""
        return [
            tuple(
                format_move(ply.move, before)
                for before, ply in zip(line.positions, line.plies, strict=False)
            )
            for line in self.games
        ]

    def text(self) -> str:
        """Return the lines as a game text, or ''."""
        return format_game(GameText(self.games[0], others=self.games[1:])) if self.games else ""


def begins(game: Game, line: Game) -> bool:
    """Return True if a line continues a game, or ends where it stands."""
    return game.start == line.start and line.plies[: len(game.plies)] == game.plies


def all_lines(games: Iterable[Game]) -> StudiedLines:
    """Return the lines that games from one start make."""
    lines = StudiedLines()
    for game in games:
        lines = lines.after(game)
    return lines


def read_lines(text: str, start: Position) -> StudiedLines:
    """Read a text of `StudiedLines` from that start: none where it has another; BadGame."""
    lines = all_lines(parse_lines(text))
    return lines if lines.games and lines.games[0].start == start else StudiedLines()


BEST: Final = 3
"""The number of best moves that are shown."""
NODES: Final = 8_000
"""The nodes of the search for each of them."""


def full_strength(rules: Rules) -> EngineProcess:
    """Start the engine that a study asks."""
    from ...engine.process import start_adviser  # a search is heavy: only where one is wanted

    return start_adviser(rules)


@dataclass(frozen=True, slots=True)
class GoodMove:
    """One of the best moves of a position, and what is expected to follow."""

    move: Move
    line: tuple[str, ...]
    """The texts of the moves expected, this one first."""
    chance: float
    """The share of the points to be expected by who moves, 0..1."""


class BestMoves:
    """Has the best moves of a position looked for, one after the other, in an engine's process.

    Each is looked for among those that were not found before.
    """

    def __init__(self, start: Callable[[Rules], EngineProcess], nodes: int) -> None:
        self._start, self._nodes = start, nodes
        self._engine: EngineProcess | None = None
        self._game: Game | None = None
        """The game that is being analysed, or None."""
        self._left: list[Move] = []
        self._found: list[GoodMove] = []

    def ask(self, game: Game) -> None:
        """Look for the best moves of a game's position; what was asked before is dropped."""
        self.drop()
        if game.outcome is not None or game.awaits_roll:
            return
        with suppress(TableError):  # no engine starts here: a study goes on without
            if self._engine is None:
                self._engine = self._start(game.start.rules)
            self._game, self._left, self._found = game, list(game.position.moves()), []
            self._ask_next(self._engine, game)

    def drop(self) -> None:
        """Look for nothing more."""
        if self._engine is not None:
            self._engine.stop()
        self._game = None

    def found(self, wait_s: float) -> tuple[GoodMove, ...] | None:
        """Return the best moves, best first, once all are found; wait up to `wait_s` for each."""
        while self._game is not None and self._engine is not None:
            try:
                answer = self._engine.poll(wait_s)
                if answer is None:
                    return None
                self._take(self._engine, self._game, answer)
            except (TableError, RulesError):  # it cannot be kept alive, or talks nonsense
                self._game = None
            if self._game is None:
                return tuple(sorted(self._found, key=lambda each: -each.chance))
        return None

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()

    def _take(self, engine: EngineProcess, game: Game, answer: str) -> None:
        from ...engine.process import expected_line

        move, info = parse_move(answer, game.position), engine.info
        line = _texts(expected_line(info, game.position, move), game.position)
        self._found.append(GoodMove(move, line, win_probability(info.score, info.win_in)))
        self._left.remove(move)
        if self._left and len(self._found) < BEST:
            self._ask_next(engine, game)
        else:
            self._game = None

    def _ask_next(self, engine: EngineProcess, game: Game) -> None:
        from ...engine.search import Limits

        engine.think(game, Limits(nodes=self._nodes), self._left if self._found else ())


class Study(Guest):
    """Keeps the lines of the game at a table, in its folder, and looks for its best moves.

    `wait_s` is how long one look at the table may wait for them: 0 where lamps must go on.
    """

    def __init__(
        self,
        folder: Path,
        set_up: SetUpPieces | None = None,
        wait_s: float = 0.0,
        nodes: int = NODES,
        start: Callable[[Rules], EngineProcess] = full_strength,
        name: str = "",
    ) -> None:
        """`set_up` sets drawn pieces up for a move that was taken back; lamps lead real hands.

        `start` starts the engine, when it is needed.
        """
        self._set_up = set_up
        self.lines, self.name = StudiedLines(), name
        self._folder, self._file, self._wait_s = folder, study_file(folder, name), wait_s
        self._game: Game | None = None
        """The game as it was last looked at."""
        self._thinker = BestMoves(start, nodes)
        self.best: tuple[GoodMove, ...] = ()
        """The best moves of the position, once they are found."""
        self._is_allowed = True

    def attend(self, session: Session, now: float) -> list[News]:
        """Keep what was played, and look for what is best; nothing where no help is allowed."""
        record = session.record
        self._is_allowed = allows_help(record)
        # While the reader asks, the last ply may still be another one: no line is kept of it.
        if record.game is not self._game and record.question is None:
            is_back = self._game is not None and len(record.game.plies) < len(self._game.plies)
            self._take_in(record.game)
            if is_back and self._set_up is not None:
                self._set_up(record.game.position, now)
        self.best = self._thinker.found(self._wait_s) or self.best
        return []

    def overlay(self, view: View) -> View:
        """Return a view with the best moves, and with words on them and on the lines."""
        game = self._game
        if not self._is_allowed or game is None or game.position != view.position:
            return view
        if view.phase is not Phase.PLAYING or view.leading.repair is not None:
            return view
        best, words = tuple(each.move for each in self.best), tuple(self._words(game))
        shown = replace(view.help, best=best, taught=words, has_own_place=True)
        return replace(view, help=shown)

    def close(self) -> None:
        """Look for nothing more."""
        self._thinker.close()

    @property
    def shown(self) -> object:
        """All that a page shows of it, as a value that changes with that."""
        return self.name, self.lines, self.best, self._game

    def rename(self, name: str) -> None:
        """Keep the lines under a name from now on; CommandRefused where another study has it."""
        file = study_file(self._folder, name)
        if name != self.name and file.exists():
            raise CommandRefused(_("{name}: a study is called so already"), name=name)
        file.parent.mkdir(exist_ok=True)
        self.name, self._file = name, file
        self._write()

    def _write(self) -> None:
        with suppress(OSError):  # a disk that refuses is told of by the journal
            write_whole(self._file, self.lines.text().encode())

    def _read(self, start: Position) -> None:
        """Go on with the lines that are kept; what cannot be read stays, under another name."""
        try:
            self.lines = read_lines(read_text(self._file), start)
        except FileNotFoundError:
            pass
        except (OSError, TableError, BadGame):
            with suppress(OSError):
                set_aside(self._file)

    def _take_in(self, game: Game) -> None:
        if self._game is None:
            self._read(game.start)
        self._game, self.best = game, ()
        lines = self.lines.after(game)
        if lines != self.lines:
            self.lines = lines
            self._write()
        if self._is_allowed:
            self._thinker.ask(game)
        else:
            self._thinker.drop()

    def _words(self, game: Game) -> list[str]:
        lines: list[str] = [
            Worded(GOOD, place=place, line=" ".join(each.line), chance=each.chance)
            for place, each in enumerate(self.best, 1)
        ]
        onward = self.lines.onward(game)
        if onward:
            lines.append(Worded(TRIED, moves=", ".join(onward)))
        return lines


class StudyDesk(Guest):
    """Opens and closes the study of the game that is played."""

    rank = 40

    def __init__(
        self,
        folder: Path,
        desk: Desk,
        wait_s: float = 0.0,
        lasting: Study | None = None,
    ) -> None:
        """A `lasting` study goes on in every game, until it is left."""
        self._folder, self._desk, self._wait_s = folder, desk, wait_s
        self.now: Study | None = lasting
        """The study that is going on, or None."""
        self._lasts = lasting is not None
        self._header: Header | None = None
        """The header of the studied game; None where any game is studied."""

    def check(self, record: Record) -> None:
        """Raise CommandRefused where no help is allowed, and in lessons and exercises."""
        check_help(record)
        if self._desk.teaching is not None:
            raise CommandRefused(_("leave the puzzle or lesson first: only games are studied"))

    def study(self, record: Record, name: str = "") -> None:
        """Let people study the game until it is left; CommandRefused as `check`."""
        self.check(record)
        self.close()
        self.now = Study(self._folder, wait_s=self._wait_s, name=name)
        self._header = record.header

    def close(self) -> None:
        """Study no more."""
        if self.now is not None:
            self.now.close()
        self.now = self._header = None
        self._lasts = False

    def attend(self, session: Session, now: float) -> list[News]:
        """Let the study look at its game; another one ends it."""
        if self.now is None:
            return []
        if session.record.header is self._header or self._lasts:
            return self.now.attend(session, now)
        self.close()
        return []

    def overlay(self, view: View) -> View:
        return view if self.now is None else self.now.overlay(view)


GOOD: Final = _("{place}. {line} (chances {chance:.0%})")
TRIED: Final = _("Tried here: {moves}.")


def _texts(line: tuple[Move, ...], position: Position) -> tuple[str, ...]:
    texts = []
    for move in line:
        texts.append(format_move(move, position))
        position = position.play(move)
    return tuple(texts)
