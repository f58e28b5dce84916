"""The games of a match in a file (`.jgn`), each written as it ends, so that none is lost.

A match that was broken off goes on from the games there. The tag `Match` says which match it is,
and a game's place in the file is its number.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rules import RulesError
from rules.game_reader import parse_games
from rules.game_text import GameText, format_game

from ..errors import TableError
from .match import Played

MATCH: Final = "Match"
SIDES: Final = ("Black", "Orange")


class BadMatchFile(TableError, ValueError):
    """A file that holds something else than the games of the match it should."""


class MatchFile:
    """The games of the match `told`, between players of these names; `played` are those so far.

    BadMatchFile where the file at `path` holds anything else.
    """

    def __init__(self, path: Path, told: str, names: tuple[str, str]) -> None:
        self._path, self._told, self._names = path, told, names
        self.played = self._read() if path.exists() else []

    def _read(self) -> list[Played]:
        try:
            games = parse_games(self._path.read_text(encoding="utf-8"))
        except (RulesError, UnicodeDecodeError) as error:
            raise BadMatchFile(f"{self._path}: {error}; mend it, or name another file") from error
        for text in games:
            other = text.tags.get(MATCH, "other games")
            if other != self._told:
                told = f"holds {other}, not {self._told}"
                raise BadMatchFile(f"{self._path}: {told}; name another file or remove it")
        return [Played.numbered(text.game, number) for number, text in enumerate(games)]

    def add(self, played: Played) -> None:
        """Write one more game behind the others."""
        self.played.append(played)
        names = self._names if played.black == 0 else self._names[::-1]
        tags = {"Event": "Match", "Round": str(len(self.played)), MATCH: self._told}
        text = format_game(GameText(played.game, tags | dict(zip(SIDES, names, strict=True))))
        with self._path.open("a", encoding="utf-8") as file:
            print(text, file=file)
