"""Newer versions of the table: looking for one, and installing it with a way back.

By default nobody looks. A folder holds packages as a release names them, with `SHA256SUMS` beside
them. An address answers with the release's `jetan-table.json`. Downloads are bounded in size, and
come over connections on which nobody can change them.

The new version is watched, and the old package is installed again if it fails. This code belongs to
the version that is being replaced: nothing may be imported once the installation has begun, and a
terminal that is closed must not end it halfway.
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

from ...errors import TableError
from ...files import read_text, replacing, sync_folder
from ...languages import worded
from ...machine.service import KEPT_PACKAGES
from ...notices import Reporter
from ...session.session import Guest
from ...session.view import View
from .health import ServiceWatch

SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.asc"
NAME: Final = re.compile(
    r"jetan-table_(?P<version>[0-9]+(?:\.[0-9]+)*)_(?P<machine>[a-z0-9]+)\.deb"
)
MACHINES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
"""Debian's names of the kinds of machines that packages are made for."""
MOST_OFFER_BYTES, MOST_PACKAGE_BYTES = 10_000, 200_000_000
FOLDER_S, ADDRESS_S = 60.0, 24 * 3600.0
"""Seconds between two looks into a folder, and at an address."""
ADDRESS_PATIENCE_S: Final = 10.0
"""Seconds of silence after which an address is given up."""


class UpdateRefused(TableError, RuntimeError):
    """A package of another version that cannot be found, believed or installed."""


@dataclass(frozen=True, slots=True)
class OfferedPackage:
    """A package for this machine, at a path or an address; `sha256` is None if unknown."""

    version: str
    place: str
    sha256: str | None


class PackageFile(msgspec.Struct, frozen=True):
    """A file that an address offers for one kind of machine, such as `amd64`."""

    file: str
    sha256: str


class Offer(msgspec.Struct, frozen=True):
    """A version that an address offers, with a file for each kind of machine."""

    version: str
    packages: dict[str, PackageFile]


def is_newer(version: str, than: str) -> bool:
    """Return True if a version comes after another; never for a text that is no version."""
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
    """Return True if a source is a web address, False if it is a folder."""
    return "://" in source


def newest(source: str, machine: str | None = None) -> OfferedPackage | None:
    """Return the newest package for this kind of machine, or None.

    UpdateRefused if the source cannot be read, or its answer is not understood.
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


def listed_sum(package: Path, keyring: str = "") -> str | None:
    """Return the SHA-256 that the list beside a package has of it, or None.

    With a keyring, UpdateRefused unless the list is signed by one of its keys.
    """
    with suppress(OSError):
        text = read_text(package.with_name(SUMS), MOST_OFFER_BYTES)
        if keyring:
            check_signature(text, package.with_name(SIGNATURE), Path(keyring))
        for line in text.splitlines():
            digest, _space, name = line.partition(" ")
            if name.strip().removeprefix("*") == package.name:
                return digest.lower()
    return None


def check_signature(text: str, signature: Path, keyring: Path) -> None:
    """Raise UpdateRefused unless a detached signature of a text is by a key of the keyring."""
    verifiers = [program for program in ("gpgv", "sqv") if shutil.which(program)]
    if not verifiers:
        raise UpdateRefused(_("no gpgv and no sqv to check a signature: sudo apt install gpgv"))
    with TemporaryDirectory() as scratch:
        signed = Path(scratch) / SUMS  # the text that was read, which nobody can change any more
        signed.write_text(text, encoding="utf-8")
        files = str(keyring.absolute()), str(signature), str(signed)
        done = _tried(verifiers[0], "--keyring", *files)
    if done.returncode:
        raise UpdateRefused(
            _("{file}: no signature of {sums} by a key in {keyring}; nothing was changed ({why})"),
            file=signature,
            sums=SUMS,
            keyring=keyring,
            why=_last(done),
        )


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


def is_safe(address: str) -> bool:
    """Return True if nobody on the way can change what an address answers."""
    parts = urlsplit(address)
    is_here = parts.hostname in {"127.0.0.1", "::1", "localhost"}
    return parts.scheme == "https" or (parts.scheme == "http" and is_here)


def check(address: str) -> None:
    """Raise UpdateRefused unless an address is safe."""
    if not is_safe(address):
        raise UpdateRefused(_("{address}: begin it with https://"), address=address)


def fetch(address: str, most_bytes: int) -> bytes:
    """Return an address's answer; UpdateRefused if that fails or is too long."""
    # The web's modules take long to import, and few tables ever ask an address.
    from http.client import HTTPException
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class SafeRedirects(HTTPRedirectHandler):
        """Follows redirections to safe addresses alone."""

        def redirect_request(
            self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
        ) -> Request | None:
            check(newurl)
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    try:
        check(address)
        with build_opener(SafeRedirects).open(address, timeout=ADDRESS_PATIENCE_S) as answer:
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
    """Looks for a newer version now and then, in its own thread, and shows a notice of it."""

    def __init__(
        self,
        source: str,
        own: str,
        look: Callable[[str], OfferedPackage | None] = newest,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """Begin to look at `source` for a newer version than `own`."""
        self._source, self._own, self._look = source, own, look
        self._wait = wait or threading.Event().wait
        self._note: Notice | None = None
        threading.Thread(target=self._watch, name="update", daemon=True).start()

    def _watch(self) -> None:
        while True:
            with suppress(TableError, OSError):  # the doctor reports a bad source
                found = self._look(self._source)
                is_news = found is not None and is_newer(found.version, self._own)
                self._note = note_of(found) if found and is_news else None
            if self._wait(ADDRESS_S if is_address(self._source) else FOLDER_S):
                return

    def overlay(self, view: View) -> View:
        """Add the notice of a newer version to a view."""
        if self._note is None:
            return view
        return replace(view, notices=(*view.notices, self._note))


def note_of(package: OfferedPackage) -> Notice:
    """Return the notice that a newer version is available."""
    found = Worded(_("version {version} is available"), version=package.version)
    return Notice("update", "warn", found, "sudo jetan update", package.version)


def update_finding(source: str, own: str) -> Notice:
    """Return the doctor's notice about newer versions than `own`."""
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
"""The line by which the package's own script reports a backup of the games."""
WATCHED: Final = Path("/run/jetan/update")
"""The file at whose creation `jetan-update.path` has root run `jetan update`."""
LOG: Final = Path("/run/jetan-update/log")
"""The output of that update, in a folder of root's own."""
MOST_LOG_BYTES: Final = 100_000
APT_CACHE: Final = Path("/var/cache/apt/archives")
INSTALL: Final = ("apt-get", "install", "--yes", "--allow-downgrades", "--no-remove")
QUIET: Final = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
CONTROL: Final = re.compile(r"^(Package|Version|Architecture): (.+)", re.MULTILINE)


class InstalledPackage(NamedTuple):
    """The package as dpkg knows it; `is_whole` unless an installation was interrupted."""

    version: str
    machine: str
    is_whole: bool


def installed() -> InstalledPackage:
    """Return the installed package; UpdateRefused if the table came in another way."""
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
    """Return the path of a version's package among those kept."""
    return folder / f"{PACKAGE}_{version.replace(':', '%3a')}_{machine}.deb"


@contextmanager
def undisturbed(folder: Path = KEPT_PACKAGES) -> Iterator[None]:
    """Keep other updates and hangups away; UpdateRefused while another update runs."""
    umask = os.umask(0o022)  # apt reads the kept packages as a user of its own
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
    """Copy a package to root's folder, and return its version and the copy's path.

    UpdateRefused unless it has this SHA-256, and is the package its name says. The copy is what is
    checked: nobody else can change it afterwards.
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


def keep_installed(now: InstalledPackage, beside: Path, folder: Path = KEPT_PACKAGES) -> Path:
    """Return the kept package of the installed version; UpdateRefused if it is nowhere to be had.

    It may be kept already, or be in apt's cache, in a source of apt's, or in the folder `beside`,
    whose list of sums has to name it.
    """
    kept = kept_as(now.version, now.machine, folder)
    if not kept.is_file() and (cached := APT_CACHE / kept.name).is_file():
        keep(cached, sum_of(cached), now.machine, folder)
    if not kept.is_file():
        with TemporaryDirectory(dir=folder) as scratch:
            _tried("apt-get", "download", f"{PACKAGE}={now.version}", cwd=scratch)
            loaded = Path(scratch) / kept.name
            if loaded.is_file():  # apt has checked it
                keep(loaded, sum_of(loaded), now.machine, folder)
    if not kept.is_file() and (old := beside / kept.name).is_file():
        keep(old, listed_sum(old), now.machine, folder)
    if not kept.is_file():
        raise UpdateRefused(
            _("{version} could not be put back: apt does not have it. Nothing was changed; put "
              "{file} into {folder} and try again"),
            version=now.version,
            file=kept.name,
            folder=folder,
        )  # fmt: skip
    return kept


def renew(
    package: Path,
    version: str,
    now: InstalledPackage,
    before: Path,
    watch: ServiceWatch,
    say: Reporter,
) -> bool:
    """Install a kept package; return True if it comes up, else install the one `before` again.

    The package itself stops the table and backs its games up before anything is changed.
    UpdateRefused if nothing was changed, or if neither version comes up.
    """
    say(_("Installing {version}; {before} is kept in {file}."), version=version, before=now.version,
        file=before)  # fmt: skip
    done = _tried(*INSTALL, str(package))
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
    """Return the version installed before, and its package; UpdateRefused if none is kept."""
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
    """Return the last lines of a failed command's output."""
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    return " / ".join(lines[-3:])


def _done(*command: str) -> str:
    """Return the output of a command; UpdateRefused if it fails."""
    done = _tried(*command)
    if done.returncode:
        raise UpdateRefused(_("{command} failed: {why}"), command=command[0], why=_last(done))
    return done.stdout


def _tried(*command: str, cwd: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command without a terminal, which may be closed, and return its result."""
    environment: Mapping[str, str] = {**os.environ, **QUIET}
    return subprocess.run(
        command,
        check=False,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    )


def ask_for_update(tell: Reporter) -> None:
    """Have root's own unit install the newest version; UpdateRefused if this is no package.

    The page may ask, and can say no more than that: the settings file names the source.
    """
    installed()
    if not WATCHED.parent.is_dir():
        raise UpdateRefused(_("no service runs here: sudo jetan update, at the machine itself"))
    WATCHED.touch()
    tell(_("The table stops for its update, and is back in a minute or two."))


def last_update() -> list[str]:
    """Return the output of the last update that was asked for on the page, in lines."""
    with suppress(OSError, TableError):
        return read_text(LOG, MOST_LOG_BYTES).splitlines()
    return []
