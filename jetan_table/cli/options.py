"""Options that several commands have, and how commands print JSON."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from ..errors import TableError
from ..languages import ENGLISH, LANGUAGES, Language
from ..settings import find_settings, read_settings

DATA = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Where games are."
)
CONFIG = click.option(
    "--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings file."
)
LANGUAGE = click.option("--lang", type=click.Choice(LANGUAGES), help="Language.")
RULES = click.option("--rules", default="appendix", show_default=True, metavar="RULES")
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON text a line.")


ESCAPED = {code: f"\\u{code:04x}" for code in range(127, 160)}
"""Letters that command some terminals, and that JSON allows in a text as they are."""


def print_json(value: object) -> None:
    """Print a value as one line of JSON, which commands no terminal."""
    print(msgspec.json.encode(value).decode().translate(ESCAPED))


def spoken(named: Language | None, config: Path | None = None) -> Language:
    """Return the language that is `named`, else that of the settings; English without any."""
    try:
        return named or read_settings(find_settings(config, os.environ)).table.language
    except (TableError, OSError):
        return ENGLISH
