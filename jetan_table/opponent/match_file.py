"""The games of a match in a file (`.jgn`), each written as it ends, so that none is lost.

A match that was broken off goes on from the games there. The tag `Match` says which match it is,
and a game's place in the file is its number.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rules.game_text import GameText, format_game

from ..journal.game_files import BadGameFile, read_games
from .match import MatchGame

MATCH: Final = "Match"
SIDES: Final = ("Black", "Orange")


class OtherMatch(BadGameFile):
    """A file that holds games of another match."""


class MatchFile:
    """The games of the match `told`, between players of these names; `played` are those so far.

    BadGameFile where the file at `path` holds anything else.
    """

    def __init__(self, path: Path, told: str, names: tuple[str, str]) -> None:
        self._path, self._told, self._names = path, told, names
        self.played = self._read() if path.exists() else []

    def _read(self) -> list[MatchGame]:
        games = read_games(self._path)
        for text in games:
            other = text.tags.get(MATCH, "other games")
            if other != self._told:
                told = f"holds {other}, not {self._told}"
                raise OtherMatch(f"{self._path}: {told}; name another file or remove it")
        return [MatchGame.numbered(text.game, number) for number, text in enumerate(games)]

    def add(self, played: MatchGame) -> None:
        """Write one more game behind the others."""
        self.played.append(played)
        names = self._names if played.black == 0 else self._names[::-1]
        tags = {"Event": "Match", "Round": str(len(self.played)), MATCH: self._told}
        text = format_game(GameText(played.game, tags | dict(zip(SIDES, names, strict=True))))
        with self._path.open("a", encoding="utf-8") as file:
            print(text, file=file)
