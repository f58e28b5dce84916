"""How far somebody has come with lessons or puzzles: a file of the data folder, written whole."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from ..files import Damaged, read_json, write_whole
from ..journal.archive import GameId

KEPT_IN: Final = "lessons.json"


class Progress(msgspec.Struct, frozen=True):
    """Which ones are solved, by name, which one is open, and the game that was left for it."""

    solved: tuple[str, ...] = ()
    open_at: str | None = None
    left: GameId | None = None
    """The number of a game in the journal; None where none is to be gone on with."""

    def after(self, name: str) -> Progress:
        """Return the progress once one is solved."""
        solved = self.solved if name in self.solved else (*self.solved, name)
        return msgspec.structs.replace(self, solved=solved)


def read_progress(folder: Path, kept_in: str = KEPT_IN) -> Progress:
    """Return what is kept in the data folder; the beginning where nothing can be read."""
    try:
        return read_json(folder / kept_in, Progress) or Progress()
    except (OSError, Damaged):
        return Progress()


def keep_progress(folder: Path, progress: Progress, kept_in: str = KEPT_IN) -> None:
    """Keep progress in the data folder; it is on the disk on return. OSError."""
    write_whole(folder / kept_in, msgspec.json.encode(progress))
