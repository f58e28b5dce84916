"""`jetan settings`: which options count at this table, and where each of them comes from."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click
import msgspec

from rules.sentences import _

from ..languages import Language
from ..settings import find_settings, origins, places, read_settings
from . import examples
from .options import CONFIG, JSON, LANGUAGE, saying

DEFAULT = _("default")


@click.group(epilog=examples("jetan settings show", "jetan settings show --json"))
def settings() -> None:
    """Show the table's settings."""


@settings.command(
    epilog=examples(
        "jetan settings show",
        "jetan settings show --config table.toml",
        "jetan settings show > table.toml",
    )
)
@CONFIG
@LANGUAGE
@JSON
def show(config: Path | None, lang: Language | None, as_json: bool) -> None:
    """Print every option with its value, and where that comes from.

    The output is a settings file itself. A file with an option that does not exist, or cannot have
    its value, is refused.
    """
    path = find_settings(config, os.environ)
    sections = msgspec.to_builtins(read_settings(path))
    sources = origins(path)
    say = saying(lang, config)
    if not as_json:
        looked_at = say(_(" nor ")).join(_looked_at())
        none = say(_("no file: neither {places}"), places=looked_at)
        print(f"# {path or none}")
    for section, options in sections.items():
        if not as_json:
            print(f"\n[{section}]")
        for name, value in options.items():
            source = sources.get((section, name))
            if as_json:
                origin = source or str(DEFAULT)
                row = {"section": section, "option": name, "value": value, "from": origin}
                print(json.dumps(row))
            else:
                print(f"{f'{name} = {toml_value(value)}':32} # {source or say(DEFAULT)}")


def toml_value(value: object) -> str:
    """Write a value as TOML has it: for texts, numbers, truths and lists, JSON's way is one."""
    return json.dumps(value, ensure_ascii=False)


def _looked_at() -> list[str]:
    return [str(place) for place in places(os.environ)]
