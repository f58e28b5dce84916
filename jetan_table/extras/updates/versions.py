"""Whether a newer package lies in a folder or is offered at an address; by default nobody looks.

A folder holds packages as a release names them, with `SHA256SUMS` beside them. An address answers
with the release's `jetan-table.json`.
"""

import hashlib
import platform
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import msgspec

from rules.sentences import Worded, _

from ...errors import TableError, UpdateRefused
from ...files import read_text
from ...languages import worded
from ...notices import Notice
from ...session.guests import Guest
from ...session.view import View

SUMS: Final = "SHA256SUMS"
NAME: Final = re.compile(
    r"jetan-table_(?P<version>[0-9]+(?:\.[0-9]+)*)_(?P<machine>[a-z0-9]+)\.deb"
)
MACHINES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
"""Debian's names of the kinds of machines that packages are made for."""
MOST_OFFER_BYTES, MOST_PACKAGE_BYTES = 10_000, 200_000_000
LOOK_S, ASK_S = 60.0, 24 * 3600.0
"""A folder is looked at so often, and an address asked."""


@dataclass(frozen=True, slots=True)
class OfferedPackage:
    """A package for this machine: its version, where it is, and what its SHA-256 must be."""

    version: str
    place: str
    """A path or an address."""
    sha256: str | None
    """None where nobody says it."""


class PackageFile(msgspec.Struct, frozen=True):
    """A file that an address offers for one kind of machine."""

    file: str
    sha256: str


class Offer(msgspec.Struct, frozen=True):
    """What an address answers: a version, and its file for each kind of machine."""

    version: str
    packages: dict[str, PackageFile]


def is_newer(version: str, than: str) -> bool:
    """Whether a version of numbers comes after another; what is no such version never does."""
    try:
        return _numbers(version) > _numbers(than)
    except ValueError:
        return False


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(part) for part in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def is_address(source: str) -> bool:
    """Whether a source is a web address, and no folder."""
    return "://" in source


def newest(source: str, machine: str | None = None) -> OfferedPackage | None:
    """Return the newest package for this kind of machine; None where there is none.

    UpdateRefused where the source cannot be read, or says what is not understood.
    """
    machine = machine or MACHINES.get(platform.machine(), platform.machine())
    if is_address(source):
        return _at_address(source, machine)
    try:
        names = [path.name for path in Path(source).iterdir()]
    except OSError as error:
        raise UpdateRefused(
            _("{source}: cannot be read ({why})"), source=source, why=error.strerror or error
        ) from None
    found = [match for name in names if (match := NAME.fullmatch(name))]
    ours = [match for match in found if match["machine"] == machine]
    if not ours:
        return None
    last = max(ours, key=lambda match: _numbers(match["version"]))
    path = Path(source, last[0])
    return OfferedPackage(last["version"], str(path), listed_sum(path))


def listed_sum(package: Path) -> str | None:
    """Return the SHA-256 that the list beside a package has of it; None where there is none."""
    with suppress(OSError, TableError):
        for line in read_text(package.with_name(SUMS), MOST_OFFER_BYTES).splitlines():
            digest, _space, name = line.partition(" ")
            if name.strip().removeprefix("*") == package.name:
                return digest.lower()
    return None


def sum_of(path: Path) -> str:
    """Return the SHA-256 of a file; OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _at_address(source: str, machine: str) -> OfferedPackage | None:
    from .fetching import fetch  # what speaks to the web takes long to import

    text = fetch(source, MOST_OFFER_BYTES)
    try:
        offer = msgspec.json.decode(text, type=Offer)
        _numbers(offer.version)
        entry = offer.packages.get(machine)
        place = urljoin(source, entry.file) if entry else ""
    except (ValueError, RecursionError) as error:
        raise UpdateRefused(
            _("{source}: answers with no list of packages ({why})"), source=source, why=error
        ) from None
    if entry is None:
        return None
    found = NAME.fullmatch(place.rpartition("/")[2])
    if found is None or found.groups() != (offer.version, machine):
        raise UpdateRefused(
            _("{source}: what it offers is not named jetan-table_VERSION_{machine}.deb"),
            source=source,
            machine=machine,
        )
    return OfferedPackage(offer.version, place, entry.sha256.lower())


class UpdateWatch(Guest):
    """Looks now and then, in a thread of its own, and adds a notice where there is news."""

    def __init__(
        self,
        source: str,
        own: str,
        look: Callable[[str], OfferedPackage | None] = newest,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """Begin to look at `source` for what is newer than the version `own`."""
        self._source, self._own, self._look = source, own, look
        self._wait = wait or threading.Event().wait
        self._note: Notice | None = None
        threading.Thread(target=self._watch, name="update", daemon=True).start()

    def _watch(self) -> None:
        while True:
            with suppress(TableError, OSError):  # the doctor says what is wrong with a source
                found = self._look(self._source)
                is_news = found is not None and is_newer(found.version, self._own)
                self._note = note_of(found) if found and is_news else None
            if self._wait(ASK_S if is_address(self._source) else LOOK_S):
                return

    def overlay(self, view: View) -> View:
        """Say that a newer version is there."""
        if self._note is None:
            return view
        return replace(view, notices=(*view.notices, self._note))


def note_of(package: OfferedPackage) -> Notice:
    """Return what says that a newer version is there."""
    found = Worded(_("version {version} is available"), version=package.version)
    return Notice("update", "warn", found, "sudo jetan update", package.version)


def update_finding(source: str, own: str) -> Notice:
    """Return what the doctor says of newer versions than `own`."""
    here = Worded(_("version {version}"), version=own)
    if not source:
        return Notice("update", "pass", here)
    try:
        found = newest(source)
    except UpdateRefused as error:
        return Notice("update", "warn", worded(error), _("mend [update] source in the settings"))
    if found is None or not is_newer(found.version, own):
        return Notice("update", "pass", here)
    return note_of(found)
