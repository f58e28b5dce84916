"""Options that several commands have, and how commands print JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

import click
import msgspec

from rules.sentences import Sentence, Worded

from ..errors import TableError
from ..languages import LANGUAGES, Language, asked_of, say_in
from ..settings import find_settings, origins, read_settings

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
    """Return the language that is `named`, else that of the settings, else the environment's."""
    if named is not None:
        return named
    try:
        path = find_settings(config, os.environ)
        chosen = read_settings(path).table.language
        return chosen if ("table", "language") in origins(path) else asked_of(os.environ)
    except (TableError, OSError):
        return asked_of(os.environ)


class Say(Protocol):
    """Puts a sentence and what it names into the language of a command."""

    def __call__(self, template: Sentence, /, **values: object) -> str: ...


def saying(named: Language | None, config: Path | None = None) -> Say:
    """Return what puts sentences into the language of `spoken`."""
    return partial(say_in, spoken(named, config))


@click.command(
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
)
@CONFIG
@LANGUAGE
def any_command(config: Path | None, lang: Language | None) -> None:
    """Take of any command line what says its language."""


def language_of(words: Sequence[str]) -> Language:
    """Return the language of a command line, which may be wrong in everything else."""
    asked = any_command.make_context("jetan", list(words), resilient_parsing=True).params
    return spoken(asked["lang"], asked["config"])


def misused(template: Sentence, **values: object) -> click.UsageError:
    """Return the refusal of a command line, to be said in its language."""
    return click.UsageError(Worded(template, **values))
