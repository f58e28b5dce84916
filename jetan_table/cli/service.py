"""`jetan service`: the table as a service that starts with the machine."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, TypeAlias

import click

from rules.sentences import _

from ..files import find_checkout
from ..machine import service as units
from .options import FOLDER, OneJson, Words, argument, command, group, option, print_json

Units: TypeAlias = Annotated[
    Path, option("Where systemd looks for units.", "--units", type=FOLDER, default=units.UNITS)
]


@group(
    *("sudo ./jetan service install", "jetan service status", "sudo ./jetan service remove"),
)
def service() -> None:
    """Start the table with the machine, and keep it running."""


@command(
    "sudo ./jetan service install",
    "jetan service install --dry-run",
    "sudo ./jetan service install -- --lan",
    of=service,
)
def install(
    user: Annotated[str, option("Who runs it; made if missing.", default=units.NAME)],
    dry_run: Annotated[bool, "Print what would be written and done."],
    folder: Units,
    say: Words,
    arguments: Annotated[tuple[str, ...], argument(type=click.UNPROCESSED)],
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
    print(say(runs, unit=chosen.unit_path))


@command("sudo ./jetan service remove", of=service)
def remove(folder: Units, say: Words) -> None:
    """Stop the table, and start it no more. Games and settings stay."""
    chosen = units.Service(_program(), units=folder)
    units.remove(chosen)
    removed = _("{unit}: removed; the games stay in {folder}")
    print(say(removed, unit=chosen.unit_path, folder=units.STATE))


@command("jetan service status", "jetan service status --json", of=service)
def status(as_json: OneJson, folder: Units, say: Words) -> None:
    """Say whether the service runs, and since when."""
    properties = units.status(units.Service(_program(), units=folder))
    if as_json:
        print_json(properties)
        return
    for name, value in properties.items():
        print(f"{name:20} {value}")
    print(say(_("what it said: {command}"), command="journalctl --unit jetan"))


def _program() -> Path:
    """Return the program `jetan` of the environment that runs this."""
    return Path(sys.executable).with_name("jetan")
