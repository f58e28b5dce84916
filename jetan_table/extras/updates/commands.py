"""`jetan update`: another version of the package, with a way back."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated
from urllib.parse import urljoin

import click

from rules import _

from ... import __version__
from ...cli import refusals
from ...cli.options import EXIT_PROBLEM, Config, Words, argument, command, option, telling
from ...machine.service import KEPT_PACKAGES
from ...settings import find_settings, read_settings
from ...table.supervision import GOOD_S
from .health import ServiceWatch, port_of_service
from .settings import UpdateSettings
from .versions import (
    MOST_OFFER_BYTES,
    MOST_PACKAGE_BYTES,
    SIGNATURE,
    SUMS,
    UpdateRefused,
    fetch,
    installed,
    is_address,
    is_newer,
    keep,
    keep_installed,
    listed_sum,
    newest,
    previous,
    renew,
    undisturbed,
)


@command(
    "sudo jetan update",
    "sudo jetan update /media/usb/jetan-table_0.2.0_arm64.deb",
    "sudo jetan update --back",
)
def update(
    file: Annotated[
        Path | None, argument(type=click.Path(path_type=Path, dir_okay=False, exists=True))
    ],
    back: Annotated[bool, "Go back to the version before."],
    sha256: Annotated[str | None, "What the file's sum must be, if no SHA256SUMS lies beside it."],
    watch: Annotated[
        float, option("Seconds that the service must stay well.", within=(1, 3600), default=GOOD_S)
    ],
    config: Config,
    heard: Words,
) -> int:
    """Install a newer package, and go back to the old one by itself where that fails.

    FILE is a package; without it, the newest where `[update] source` says. Its sum is checked and
    the games are backed up first. Exit code 1: the new version did not come up, the old one is
    back.
    """
    refusals()  # imported now: later these files are of another version
    say = telling(heard)
    settings = read_settings(find_settings(config, os.environ))
    now = installed()
    if os.geteuid() != 0:
        raise UpdateRefused(_("only root may change packages: put sudo before it"))
    with undisturbed():
        if back:
            version, package = previous(now)
        else:
            wanted = settings.of(UpdateSettings)
            if not (file or wanted.source):
                raise UpdateRefused(
                    _("name a package, or where to look for one: [update] source in the settings")
                )
            kept = _kept(file, sha256, wanted, now.machine)
            if kept is None:
                say(_("{version} is the newest there is."), version=__version__)
                return 0
            version, package = kept
        if version == now.version and now.is_whole:
            say(_("{version} is already installed."), version=version)
            return 0
        port = port_of_service(settings.web.port)
        if port is None:
            say(_("No service runs here: only the program itself is tried."))
        watched = ServiceWatch(port, watch)
        beside = file.parent if file else Path(settings.of(UpdateSettings).source)
        try:
            before = keep_installed(now, beside)
            if not renew(package, version, now, before, watched, say):
                return EXIT_PROBLEM
        except UpdateRefused:
            if not back:  # what was refused is no way back
                package.unlink(missing_ok=True)
            raise
        say(_("{version} is installed. To go back: sudo jetan update --back"), version=version)
    return 0


def _kept(
    file: Path | None, sha256: str | None, wanted: UpdateSettings, machine: str
) -> tuple[str, Path] | None:
    """Take in the file, or the newest that is offered; None if there is nothing newer."""
    if file is not None:
        return keep(file, sha256 or listed_sum(file, wanted.keyring), machine)
    offered = newest(wanted.source, machine)
    if offered is None or not is_newer(offered.version, __version__):
        return None
    if not is_address(offered.place):
        package = Path(offered.place)
        return keep(package, listed_sum(package, wanted.keyring), machine)
    with TemporaryDirectory(dir=KEPT_PACKAGES) as scratch:
        loaded = Path(scratch) / offered.place.rpartition("/")[2]
        loaded.write_bytes(fetch(offered.place, MOST_PACKAGE_BYTES))
        if not wanted.keyring:
            return keep(loaded, offered.sha256, machine)
        for name in (SUMS, SIGNATURE):
            (loaded.parent / name).write_bytes(
                fetch(urljoin(offered.place, name), MOST_OFFER_BYTES)
            )
        return keep(loaded, listed_sum(loaded, wanted.keyring), machine)
