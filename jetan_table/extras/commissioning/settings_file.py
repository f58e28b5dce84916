"""Writes options into a settings file, and leaves the rest of it, comments included, as it is."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import tomlkit
from msgspec.structs import replace as changed
from tomlkit.items import Item

from hardware.matrix import ORDERS
from rules import Square, format_square

from ...files import read_text, write_whole
from ...settings import Settings, parse_settings
from .walk import Wiring

Options = Mapping[str, Mapping[str, object]]
"""Values by section and name."""

IN_A_LINE = 10


def order_option(squares: Sequence[Square]) -> str | list[str]:
    """Return an order of squares as its option has it: by name, if it has one."""
    names = (name for name, order in ORDERS.items() if order == tuple(squares))
    return next(names, [format_square(square) for square in squares])


def wiring_options(wiring: Wiring) -> dict[str, dict[str, object]]:
    """Return how a board is wired as options."""
    return {
        "reed": {"order": order_option(wiring.switches)},
        "lamps": {"order": order_option(wiring.lamps)},
    }


def without_orders(settings: Settings) -> Settings:
    """Return settings by which a driver is told of no order: switch n is taken for square n."""
    return changed(
        settings,
        reed=changed(settings.reed, order="rows"),
        lamps=changed(settings.lamps, order="rows"),
    )


def write_options(path: Path, options: Options) -> None:
    """Set options in a settings file, which is made where there is none.

    Raises BadSettings, and changes nothing, where the file is none or would be none afterwards.
    """
    text = with_options(read_text(path) if path.exists() else "", options)
    write_whole(path, text.encode())


def with_options(text: str, options: Options) -> str:
    """Return the text of a settings file with options set; raises BadSettings."""
    parse_settings(text)
    document = tomlkit.parse(text)
    for section, values in options.items():
        table = document.setdefault(section, tomlkit.table())
        for name, value in values.items():
            table[name] = _item(value)
    changed = tomlkit.dumps(document)
    parse_settings(changed)
    return changed


def _item(value: object) -> Item:
    """Return a value as TOML; a long list in lines of ten, as a board has them."""
    if not isinstance(value, list) or len(value) <= IN_A_LINE:
        return tomlkit.item(value)
    rows = (value[n : n + IN_A_LINE] for n in range(0, len(value), IN_A_LINE))
    lines = (", ".join(tomlkit.item(entry).as_string() for entry in row) for row in rows)
    return tomlkit.value("[\n    " + ",\n    ".join(lines) + ",\n]")
