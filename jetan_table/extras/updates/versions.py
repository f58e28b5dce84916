"""Another version of the table: whether one is offered, and putting it in with a way back.

By default nobody looks. A folder holds packages as a release names them, with `SHA256SUMS` beside
them. An address answers with the release's `jetan-table.json`; what comes from one is fetched
within bounds, over lines on which nobody can change it.

What is put in is watched, and the version before comes back where it fails. What runs here belongs
to the version that is replaced meanwhile: nothing may be imported once the package is being put in,
and no hangup of the terminal may end it halfway.
"""

import fcntl
import hashlib
import os
import platform
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import msgspec

from rules import Notice, Worded, _

from ...errors import TableError, UpdateRefused
from ...files import read_text, replacing, sync_folder
from ...languages import worded
from ...machine.service import KEPT_PACKAGES, ServiceWatch
from ...notices import Reporter
from ...session.session import Guest
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


PATIENCE_S: Final = 10.0
"""An address that says nothing for so long is given up."""


def is_safe(address: str) -> bool:
    """Whether nobody between can change what an address answers."""
    parts = urlsplit(address)
    is_here = parts.hostname in {"127.0.0.1", "::1", "localhost"}
    return parts.scheme == "https" or (parts.scheme == "http" and is_here)


def check(address: str) -> None:
    """Raise UpdateRefused where anybody on the way could change what comes from an address."""
    if not is_safe(address):
        raise UpdateRefused(_("{address}: begin it with https://"), address=address)


def fetch(address: str, most_bytes: int) -> bytes:
    """Return what an address answers; UpdateRefused where that fails or is too long."""
    # What speaks to the web takes long to import, and few ask for it.
    from http.client import HTTPException
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class SafeRedirects(HTTPRedirectHandler):
        """Follows to addresses that are as safe as the first one."""

        def redirect_request(
            self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
        ) -> Request | None:
            check(newurl)
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    try:
        check(address)
        with build_opener(SafeRedirects).open(address, timeout=PATIENCE_S) as answer:
            content: bytes = answer.read(most_bytes + 1)
    except (OSError, HTTPException, ValueError) as error:
        why = getattr(error, "reason", None) or error
        raise UpdateRefused(
            _("{source}: cannot be read ({why})"), source=address, why=why
        ) from None
    if len(content) > most_bytes:
        raise UpdateRefused(_("{address}: answers with too much"), address=address)
    return content


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


PACKAGE: Final = "jetan-table"
GAMES_KEPT: Final = re.compile(r"games as they were are in (\S+)")
"""What the package says when it has backed the games up before it is put in."""
WATCHED: Final = Path("/run/jetan/update")
"""Where this file is made, `jetan-update.path` has root run `jetan update`."""
LOG: Final = Path("/run/jetan-update/log")
"""What that says, in a folder of root's own."""
MOST_LOG_BYTES: Final = 100_000
PUT_IN: Final = ("apt-get", "install", "--yes", "--allow-downgrades", "--no-remove")
QUIET: Final = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
CONTROL: Final = re.compile(r"^(Package|Version|Architecture): (.+)", re.MULTILINE)


class InstalledPackage(NamedTuple):
    """The package as dpkg knows it; `is_whole` unless something was broken off."""

    version: str
    machine: str
    is_whole: bool


def installed() -> InstalledPackage:
    """Return what is installed; UpdateRefused where that is no package."""
    form = "${db:Status-Abbrev}\t${Version}\t${Architecture}"
    asked = ("dpkg-query", "--show", f"--showformat={form}", PACKAGE)
    if shutil.which(asked[0]) is None or (done := _tried(*asked)).returncode:
        raise UpdateRefused(
            _(
                "this table was not installed as a Debian package: "
                "docs/service.md says how to update it"
            )
        )
    status, version, machine = done.stdout.split("\t")
    return InstalledPackage(version, machine, status.strip() == "ii")


def kept_as(version: str, machine: str, folder: Path = KEPT_PACKAGES) -> Path:
    """Return where the package of a version is kept."""
    return folder / f"{PACKAGE}_{version.replace(':', '%3a')}_{machine}.deb"


@contextmanager
def undisturbed(folder: Path = KEPT_PACKAGES) -> Iterator[None]:
    """Let no other update and no hangup come between; UpdateRefused where one is under way."""
    umask = os.umask(0o022)  # what is packed again must be as open as it was
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    ignored = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UpdateRefused(_("another update is under way: wait for it")) from None
        before = [(one, signal.signal(one, signal.SIG_IGN)) for one in ignored]
        try:
            yield
        finally:
            for one, handler in before:
                signal.signal(one, handler)
            os.umask(umask)


def keep(
    package: Path, sha256: str | None, machine: str, folder: Path = KEPT_PACKAGES
) -> tuple[str, Path]:
    """Copy a package to root's folder and return its version and the copy; UpdateRefused.

    What is read is the copy, which nobody else can change after it was checked.
    """
    if sha256 is None:
        raise UpdateRefused(
            _("nothing says what {file} must be: lay {sums} beside it, or name its --sha256"),
            file=package,
            sums=SUMS,
        )
    with TemporaryDirectory(dir=folder) as scratch:
        copy = Path(scratch) / "package.deb"
        shutil.copyfile(package, copy)
        if sum_of(copy) != sha256.lower():
            raise UpdateRefused(
                _("{file}: is not what its sum says; nothing was changed. Download it again"),
                file=package,
            )
        control = dict(CONTROL.findall(_done("dpkg-deb", "--field", str(copy))))
        if (control.get("Package"), control.get("Architecture")) != (PACKAGE, machine):
            raise UpdateRefused(
                _("{file}: is no {package} for {machine}"),
                file=package,
                package=PACKAGE,
                machine=machine,
            )
        version = control.get("Version", "")
        kept = kept_as(version, machine, folder)
        if kept != folder / package.name:  # by its name it was found, and taken for newer
            raise UpdateRefused(
                _("{file}: is {name} inside; nothing was changed. Download it again"),
                file=package,
                name=kept.name,
            )
        copy.chmod(0o644)
        with replacing(kept) as begun:
            copy.rename(begun)
    return version, kept


def keep_installed(now: InstalledPackage, folder: Path = KEPT_PACKAGES) -> Path:
    """Return the package that is in, packed again from its files if it is not kept yet."""
    kept = kept_as(now.version, now.machine, folder)
    if kept.is_file():
        return kept
    if not now.is_whole:
        raise UpdateRefused(_("the package is not whole: sudo dpkg --configure -a, and again"))
    with TemporaryDirectory(dir=folder) as scratch:
        root = Path(scratch) / "root"
        (root / "DEBIAN").mkdir(parents=True)
        for line in _done("dpkg-query", "--listfiles", PACKAGE).splitlines():
            _copy(Path(line), root / line.lstrip("/"))
        for name in _done("dpkg-query", "--control-list", PACKAGE).split():
            shown = _done("dpkg-query", "--control-show", PACKAGE, name)
            (root / "DEBIAN" / name).write_text(shown, encoding="utf-8")
            (root / "DEBIAN" / name).chmod(0o644 if name == "md5sums" else 0o755)
        status = _done("dpkg-query", "--status", PACKAGE).splitlines(keepends=True)
        control = "".join(line for line in status if not line.startswith("Status:"))
        (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")
        root.chmod(0o755)
        with replacing(kept) as begun:
            made = ("dpkg-deb", "--root-owner-group", "-Zgzip", "--build", str(root), str(begun))
            _done(*made)
    return kept


def _copy(path: Path, to: Path) -> None:
    """Copy a file, link or folder of the package; what was left out or removed is left out."""
    if path.is_dir() and not path.is_symlink():
        to.mkdir(mode=0o755, parents=True, exist_ok=True)
    elif path.is_symlink() or path.is_file():
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, to, follow_symlinks=False)


def renew(
    package: Path, version: str, now: InstalledPackage, watch: ServiceWatch, say: Reporter
) -> bool:
    """Put a kept package in; return whether it came up, and leave the one before in otherwise.

    The package itself stops the table and backs its games up before anything is changed.
    UpdateRefused where nothing was changed, or where neither version comes up.
    """
    before = keep_installed(now, package.parent)
    say(_("Installing {version}; {before} is kept in {file}."), version=version, before=now.version,
        file=before)  # fmt: skip
    done = _tried(*PUT_IN, str(package))
    backup = GAMES_KEPT.search(done.stdout)
    if backup is not None:
        say(_("The games as they were are in {file}."), file=backup[1])
    if done.returncode and _is_still(now):
        raise UpdateRefused(_("nothing was changed: {why}"), why=_last(done))
    why = watch.trouble(version) if done.returncode == 0 else watch.last_words() or _last(done)
    if why is None:
        _forget(package.parent, {package, before})
        return True
    say(_("{version} does not come up: {why}"), version=version, why=why)
    back = _tried("dpkg", "--install", str(before))
    why = _last(back) if back.returncode else watch.trouble(now.version)
    if why is not None:
        raise UpdateRefused(
            _("{version} does not come up either: {why}. The games are in {file}"),
            version=now.version,
            why=why,
            file=backup[1] if backup else "/var/lib/jetan",
        )
    package.unlink()
    say(_("{version} is back, with all games."), version=now.version)
    return False


def _is_still(now: InstalledPackage) -> bool:
    try:
        return installed() == now
    except UpdateRefused:
        return False


def previous(now: InstalledPackage, folder: Path = KEPT_PACKAGES) -> tuple[str, Path]:
    """Return the version that was in before, and its package; UpdateRefused where none is kept."""
    pattern = kept_as("*", now.machine, folder)
    others = set(folder.glob(pattern.name)) - {kept_as(now.version, now.machine, folder)}
    if not others:
        raise UpdateRefused(_("no other version is kept in {folder}"), folder=folder)
    package = max(others, key=lambda path: path.stat().st_mtime_ns)
    return package.name.split("_")[1].replace("%3a", ":"), package


def _forget(folder: Path, but: set[Path]) -> None:
    for path in set(folder.glob(f"{PACKAGE}_*.deb")) - but:
        path.unlink()
    sync_folder(folder)


def _last(done: subprocess.CompletedProcess[str]) -> str:
    """Return the last words of a command that failed."""
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    return " / ".join(lines[-3:])


def _done(*command: str) -> str:
    """Return what a command prints that must succeed; UpdateRefused."""
    done = _tried(*command)
    if done.returncode:
        raise UpdateRefused(_("{command} failed: {why}"), command=command[0], why=_last(done))
    return done.stdout


def _tried(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command, away from a terminal that may be closed, and return how it went."""
    environment: Mapping[str, str] = {**os.environ, **QUIET}
    return subprocess.run(
        command,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    )


def ask_for_update(tell: Reporter) -> None:
    """Have root's own unit install what is newer; UpdateRefused where this is no package.

    The page may ask, and says no more than that: which package it is says the settings file.
    """
    installed()
    if not WATCHED.parent.is_dir():
        raise UpdateRefused(_("no service runs here: sudo jetan update, at the machine itself"))
    WATCHED.touch()
    tell(_("The table stops for its update, and is back in a minute or two."))


def last_update() -> list[str]:
    """Return what the last update that was asked for on the page had to say."""
    with suppress(OSError, TableError):
        return read_text(LOG, MOST_LOG_BYTES).splitlines()
    return []
