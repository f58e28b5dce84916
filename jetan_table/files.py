"""Text files that people name."""

from __future__ import annotations

from pathlib import Path

from .errors import NotACheckout, TableError


class NotText(TableError, ValueError):
    """A file that holds something else than text."""


def read_text(path: Path) -> str:
    """Return the text of a file; NotText where it is none, OSError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise NotText(f"{path}: not UTF-8 text at byte {error.start}") from None


def find_checkout() -> Path:
    """The folder that holds pyproject.toml and the packages; raises NotACheckout without one."""
    root = Path(__file__).parents[1]
    if not (root / "pyproject.toml").is_file():
        raise NotACheckout(
            f"{root}: not a checkout of the project; clone its repository and use the ./jetan there"
        )
    return root
