"""Writes the repository's address into the pages that name it: `python -m docs.address`.

The address is in pyproject.toml alone; as long as it has none, the pages show nothing.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from jetan_table.files import repository

from .lamps_page import between

ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = (ROOT / "README.md", ROOT / "docs" / "CONTRIBUTING.md")
BEGIN, END = "<!-- clone -->", "<!-- end of clone -->"


def lines(address: str) -> Iterator[str]:
    """Yield the lines that say how to fetch a checkout; none without an address."""
    if address:
        folder = address.rstrip("/").rpartition("/")[2].removesuffix(".git")
        yield from ("", f"Fetch it with `git clone {address}`, and `cd {folder}`.", "")


def texts(address: str) -> dict[Path, str]:
    """Return each page's text with that address."""
    return {page: between(page, BEGIN, lines(address), END) for page in PAGES}


if __name__ == "__main__":
    for path, text in texts(repository()).items():
        path.write_text(text, encoding="utf-8")
