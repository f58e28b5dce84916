"""The lines of a study: all that was tried from one position, as a game text with variations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rules import Position, format_move
from rules.game import Game
from rules.text import GameText, format_game, parse_lines

KEPT_IN: Final = "study.jgn"


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
        grown = Game(game.positions, game.plies)
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

    def text(self) -> str:
        """Return the lines as a game text; '' where there are none."""
        return format_game(GameText(self.games[0], others=self.games[1:])) if self.games else ""


def begins(game: Game, line: Game) -> bool:
    """Whether a line goes on from where a game stands, or ends there."""
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
