"""Secret seeds on disk: a game that is taken up again goes on with its own die."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hardware.die import SEED_BYTES, commitment
from rules.sentences import _

from ..files import make_folder, sync_folder
from ..journal.journal import JournalUnwritable


class Seeds:
    """The seeds of games that are not over, one file each that only its owner can read."""

    def __init__(self, folder: Path, entropy: Callable[[int], bytes]) -> None:
        """Keep seeds in `folder`; `entropy(n)` draws n bytes from the operating system."""
        self._folder, self._entropy = folder, entropy

    def draw(self) -> str:
        """Draw a seed, keep it, and return its commitment once it is on the disk.

        Raises JournalUnwritable where the disk refuses.
        """
        seed = self._entropy(SEED_BYTES)
        path = self._path(commitment(seed))
        try:
            make_folder(self._folder, 0o700)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(seed.hex())
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self._folder)
        except OSError as error:
            raise JournalUnwritable(
                _("{path}: {strerror}; the die has no seed"), path=path, strerror=error.strerror
            ) from error
        return commitment(seed)

    def find(self, commit: str) -> bytes | None:
        """Return the seed behind a commitment; None where it is lost, or is another by now."""
        try:
            seed = bytes.fromhex(self._path(commit).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None
        return seed if commitment(seed) == commit else None

    def forget(self, commit: str) -> None:
        """Drop a seed that has been revealed; where the disk refuses, it stays."""
        with suppress(OSError):
            self._path(commit).unlink(missing_ok=True)

    def _path(self, commit: str) -> Path:
        return self._folder / f"{commit}.seed"
