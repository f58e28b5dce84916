"""`jetan settings`: which options count at this table, and where each of them comes from."""

import json
import os

import msgspec

from rules.sentences import _

from ..settings import find_settings, origins, places, read_settings, section_types
from .options import Config, Json, Words, command, group, print_json

DEFAULT = _("default")


@group("jetan settings show", "jetan settings show --json")
def settings() -> None:
    """Show the table's settings."""


@command(
    "jetan settings show",
    "jetan settings show --config table.toml",
    "jetan settings show > table.toml",
    of=settings,
)
def show(config: Config, say: Words, as_json: Json) -> None:
    """Print every option with its value, and where that comes from.

    The output is a settings file itself. A file with an option that does not exist, or cannot have
    its value, is refused.
    """
    path = find_settings(config, os.environ)
    kept, sources = read_settings(path), origins(path)
    sections = {name: msgspec.to_builtins(kept.section(name)) for name in section_types()}
    if not as_json:
        looked_at = say(_(" nor ")).join(map(str, places(os.environ)))
        none = say(_("no file: neither {places}"), places=looked_at)
        print(f"# {path or none}")
    for section, options in sections.items():
        if not as_json:
            print(f"\n[{section}]")
        for name, value in options.items():
            source = sources.get((section, name))
            if as_json:
                origin = source or str(DEFAULT)
                print_json({"section": section, "option": name, "value": value, "from": origin})
            else:  # for texts, numbers, truths and lists TOML's way is JSON's
                text = json.dumps(value, ensure_ascii=False)
                print(f"{f'{name} = {text}':32} # {source or say(DEFAULT)}")
