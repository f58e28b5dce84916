"""`jetan service`, `settings`, `firmware` and `docs`: the machine under a table, and its pages."""

import json
import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, TypeAlias

import click
import msgspec

from firmware_bridge.build import (
    BAUD,
    BUILDS,
    Microcontroller,
    Variant,
    build_firmware,
    find_build,
    flash_command,
    ready_image,
)
from rules import _

from ..errors import TableError
from ..files import find_checkout
from ..machine import flashing
from ..machine import service as units
from ..settings import Settings, find_settings, origins, places, read_settings, section_types
from .options import (
    FOLDER_TYPE,
    Config,
    Json,
    OneJson,
    Words,
    argument,
    command,
    group,
    option,
    print_json,
    telling,
)

DEFAULT_ORIGIN = _("default")


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
                origin = source or str(DEFAULT_ORIGIN)
                print_json({"section": section, "option": name, "value": value, "from": origin})
            else:  # for texts, numbers, truths and lists TOML's way is JSON's
                text = json.dumps(value, ensure_ascii=False)
                print(f"{f'{name} = {text}':32} # {source or say(DEFAULT_ORIGIN)}")


def image_of(
    board: Annotated[str, option(type=click.Choice(list(BUILDS)), default="mega")],
    watchdog: Annotated[
        bool,
        option(
            "Without: for old bootloaders, which loop for ever after a watchdog reset.",
            default=True,
        ),
    ],
    diodes: Annotated[
        bool,
        option(
            "Without: for boards whose switches have none; they can see two pieces at most.",
            default=True,
        ),
    ],
    baud: Annotated[int, option(within=(9600, 2_000_000), default=BAUD)],
) -> tuple[Microcontroller, Variant]:
    """Return the microcontroller and the variant for which the firmware is built."""
    return find_build(board), Variant(watchdog, diodes, baud)


Image: TypeAlias = Annotated[tuple[Microcontroller, Variant], image_of]


@group(
    "jetan firmware build --board nano",
    "jetan firmware flash --board mega --port /dev/ttyACM0 --dry-run",
    "jetan firmware flash --board pico",
)
def firmware() -> None:
    """Build and flash the program of the microcontroller under the board."""


@command("jetan firmware build", "jetan firmware build --board nano", of=firmware)
def build(
    image: Image,
    out: Annotated[Path, option(type=FOLDER_TYPE, default=Path("firmware-build"))],
    say: Words,
) -> None:
    """Build table.hex; or table.uf2 for a Pico.

    Needs make, and gcc-avr and avr-libc, or gcc-arm-none-eabi for a Pico.
    """
    made = build_firmware(*image, out)
    size = _("{file}: {flash} bytes of flash, {ram} of RAM")
    print(say(size, file=made.file, flash=made.flash, ram=made.ram))


@command(
    *("jetan firmware flash", "jetan firmware flash --port /dev/ttyACM0 --dry-run"), of=firmware
)
def flash(
    image: Image,
    port: Annotated[
        str | None, "The board's port, or the folder of a Pico's drive; the only one, if not named."
    ],
    dry_run: Annotated[bool, "Print what would be done."],
    say: Words,
) -> None:
    """Build the firmware and write it to the board. Needs avrdude, too.

    A Pico needs neither. Hold its button BOOTSEL while you plug it in: it is a drive then, and an
    image that comes with this program is copied to it.
    """
    chosen, variant = image
    if dry_run:
        print(shlex.join(dry_command(chosen, variant, port)))
        return
    flashing.write_firmware(chosen, variant, port, telling(say), None)


def dry_command(build: Microcontroller, variant: Variant, port: str | None) -> list[str]:
    """Return the command that would be run."""
    if build.programmer:
        return flash_command(build, Path("table.hex"), port or "PORT")
    return ["cp", str(ready_image(build, variant) or "table.uf2"), port or "DRIVE"]


Units: TypeAlias = Annotated[
    Path, option("Where systemd looks for units.", "--units", type=FOLDER_TYPE, default=units.UNITS)
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
    user: Annotated[str, option("Who runs it; made if missing.", default=units.SERVICE_NAME)],
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
    settings = Settings()
    with suppress(TableError, OSError):  # the service shows what is wrong with its settings
        settings = read_settings(find_settings(None, {"HOME": str(units.STATE)}))
    units.install(chosen, docs, settings.web.port)
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


PACKAGE = Path(__file__).parents[1]
PLACES = (PACKAGE / "site", PACKAGE.parent / "dist" / "site")
"""Folders of the site: a package's, and that in which a checkout builds it."""


@command("jetan docs", "jetan docs --no-browser")
def docs(
    browser: Annotated[bool, option("Open it where it can be seen.", default=True)],
    say: Words,
) -> None:
    """Say where all pages are as a site, and open it: it needs no network."""
    from .page import show_in_browser  # dear to load, and only this opens anything

    first = next((each / "index.html" for each in PLACES if (each / "index.html").exists()), None)
    if first is None:
        raise TableError(
            _("the pages are not built here: {command}, once ./jetan test has brought mkdocs"),
            command="./.venv/bin/mkdocs build --strict",
        )
    print(say(_("All pages: {url}"), url=first.as_uri()))
    if browser:
        show_in_browser(first.as_uri())
