"""Options that several commands have, and how commands print JSON."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from ..languages import LANGUAGES

DATA = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Where games are."
)
CONFIG = click.option(
    "--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings file."
)
LANGUAGE = click.option("--lang", type=click.Choice(LANGUAGES), help="Language.")
RULES = click.option("--rules", default="appendix", show_default=True, metavar="RULES")
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON text a line.")


def print_json(value: object) -> None:
    """Print a value as one line of JSON."""
    print(msgspec.json.encode(value).decode())
