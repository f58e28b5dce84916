"""Games as `.jgn` files beside the journal: for people to copy and for folders to watch."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from rules.game_text import GameText, Note, format_game

from .archive import GameId
from .journal import JournalUnwritable
from .record import Record, TableDie


def game_text(record: Record) -> str:
    """Return the game as text; plies that wait for an answer are not in it."""
    header = record.header
    day = datetime.fromtimestamp(header.started, UTC)
    tags = {
        "Event": "Jetan",
        "Site": "?",
        "Date": f"{day:%Y.%m.%d}",
        "Round": "-",
        "Black": header.black,
        "Orange": header.orange,
    }
    if record.die is not None:
        tags |= die_tags(record.die)
    before = (header.started, *record.times)
    notes = {
        index: Note(elapsed=_clock(at - since))
        for index, (since, at) in enumerate(zip(before, record.times, strict=False))
    }
    return format_game(GameText(record.game, tags, notes=notes))


def die_tags(die: TableDie) -> dict[str, str]:
    """Return what a game text says of the table's die; the seed only once it is no secret."""
    tags = {"DieCommit": die.commit}
    if die.added:
        tags["DieNumbers"] = ",".join(map(str, die.added))
    if die.seed is not None:
        tags["DieSeed"] = die.seed
    return tags


def game_path(folder: Path, game: GameId) -> Path:
    """Return where a game's file stands in the data folder."""
    return folder / "games" / f"{game:05}.jgn"


def write_game(folder: Path, game: GameId, record: Record) -> Path:
    """Write a game's file as a whole or not at all, and return its path.

    Raises JournalUnwritable where the disk refuses.
    """
    path = game_path(folder, game)
    write_text(path, game_text(record))
    return path


def write_text(path: Path, text: str) -> None:
    """Write a game's text to a file, as a whole or not at all; JournalUnwritable if refused."""
    begun = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with begun.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        begun.replace(path)
    except OSError as error:
        raise JournalUnwritable(f"{path}: {error.strerror}; the journal has the game") from error


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(max(seconds, 0.0)), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
