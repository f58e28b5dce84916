"""`jetan service`: the table as a service that starts with the machine."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from rules.sentences import _

from ..files import find_checkout
from ..languages import Language
from ..machine import service as units
from . import examples
from .options import LANGUAGE, print_json, saying

UNITS = click.option(
    "--units",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=units.UNITS,
    show_default=True,
    help="Where systemd looks for units.",
)


@click.group(
    epilog=examples(
        "sudo ./jetan service install", "jetan service status", "sudo ./jetan service remove"
    )
)
def service() -> None:
    """Start the table with the machine, and keep it running."""


@service.command(
    epilog=examples(
        "sudo ./jetan service install",
        "jetan service install --dry-run",
        "sudo ./jetan service install -- --lan",
    )
)
@click.option("--user", default=units.NAME, show_default=True, help="Who runs it; made if missing.")
@click.option("--dry-run", is_flag=True, help="Print what would be written and done.")
@UNITS
@LANGUAGE
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def install(
    user: str, dry_run: bool, folder: Path, lang: Language | None, arguments: tuple[str, ...]
) -> None:
    """Install the service, or bring it up to date.

    ARGUMENTS go to `jetan serve`. It runs as a user without privileges, in the groups of pins, SPI,
    serial ports and cameras. It is started anew when it fails or its scan stands still. Games are
    in /var/lib/jetan, settings in /etc/jetan/table.toml.
    """
    docs = find_checkout() / "docs" / "service.md"
    chosen = units.Service(_program(), arguments, user, folder)
    if dry_run:
        print(f"# {chosen.unit_path}")
        print(units.unit_text(chosen, docs, units.part_groups()))
        print("\n".join(shlex.join(step) for step in units.install_steps(chosen)))
        return
    units.install(chosen, docs)
    runs = _("{unit}: the table runs, and starts with the machine")
    print(saying(lang)(runs, unit=chosen.unit_path))


@service.command(epilog=examples("sudo ./jetan service remove"))
@UNITS
@LANGUAGE
def remove(folder: Path, lang: Language | None) -> None:
    """Stop the table, and start it no more. Games and settings stay."""
    chosen = units.Service(_program(), units=folder)
    units.remove(chosen)
    removed = _("{unit}: removed; the games stay in {folder}")
    print(saying(lang)(removed, unit=chosen.unit_path, folder=units.STATE))


@service.command(epilog=examples("jetan service status", "jetan service status --json"))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@UNITS
@LANGUAGE
def status(as_json: bool, folder: Path, lang: Language | None) -> None:
    """Say whether the service runs, and since when."""
    properties = units.status(units.Service(_program(), units=folder))
    if as_json:
        print_json(properties)
        return
    for name, value in properties.items():
        print(f"{name:20} {value}")
    print(saying(lang)(_("what it said: {command}"), command="journalctl --unit jetan"))


def _program() -> Path:
    """Return the program `jetan` of the environment that runs this."""
    return Path(sys.executable).with_name("jetan")
