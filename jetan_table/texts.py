"""Text files that people name."""

from __future__ import annotations

from pathlib import Path

from .errors import TableError


class NotText(TableError, ValueError):
    """A file that holds something else than text."""


def read_text(path: Path) -> str:
    """Return the text of a file; NotText where it is none, OSError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise NotText(f"{path}: not UTF-8 text at byte {error.start}") from None
