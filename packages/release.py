"""Makes all files of a release from the commit that is checked out, twice, and compares them.

`python3 packages/release.py` writes them into `dist/release/`. It stands on what
`packages/build.py` needs, on git, and on `make` and `gcc-avr` with `avr-libc` for the firmware. It
makes no tag and uploads nothing: it prints the commands with which the owner does that.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # run as a script

from packages.locked import find_uv, own_version
from packages.rules_alone import pack_rules

ROOT: Final = Path(__file__).resolve().parents[1]
TABLES: Final = {
    "paper": ("--way", "paper"),
    "strips": ("--way", "strip"),
    "wired": ("--way", "wired"),
    "disk": ("--board", "ninth-ray"),
}
"""What `jetan build` is asked for, by the folders of the bundle."""
FIRMWARE: Final = {"mega": "table.hex", "nano": "table.hex", "pico": "table.uf2"}
PICO: Final = Path("firmware_bridge/firmware/ready/pico.uf2")
ENDINGS: Final = ROOT / "dist" / "endings"
"""The folder of solved endings: too dear to solve anew for each release, and the same each time."""
SUMS: Final = "SHA256SUMS"
OFFER: Final = "jetan-table.json"
"""What a table reads that looks for a newer version at a web address."""
DEB: Final = re.compile(r"jetan-table_(?P<version>[^_]+)_(?P<machine>[^_]+)\.deb")


class NoRelease(Exception):
    """A release that cannot be made; the message says what is amiss, and the mend."""


class Round:
    """Makes the files of one commit once, in a scratch folder, by nothing but what it names."""

    def __init__(self, scratch: Path, commit: str, epoch: int) -> None:
        self._scratch, self._checkout = scratch, scratch / "checkout"
        self._epoch = epoch
        self._checkout.mkdir(parents=True)
        archive = scratch / "checkout.tar"
        git("-c", "tar.umask=0022", "archive", "--output", str(archive), commit)
        self._run("tar", "-xf", archive, "-C", self._checkout)

    def make(self, out: Path) -> None:
        """Write every file of a release into the folder `out`, the list of their sums last."""
        out.mkdir(parents=True)
        self._run(sys.executable, "packages/build.py", "--out", out)
        pack_rules(out, find_uv() or "uv", self._checkout)
        python = self._environment()
        name = f"jetan-table-{own_version()}"
        folder = self._scratch / "fabrication"
        for table, words in TABLES.items():
            self._run(python, "-m", "jetan_table", "build", *words, folder / table)
        pack(folder, out / f"{name}-fabrication.zip", self._epoch)
        for board, file in FIRMWARE.items():
            image = self._checkout / PICO
            if board != "pico":
                image = self._scratch / board / file
                build = ("firmware", "build", "--board", board, "--out", image.parent)
                self._run(python, "-m", "jetan_table", *build)
            shutil.copyfile(image, out / f"{name}-{board}{image.suffix}")
        for path in sorted(ENDINGS.glob("*.jetan-endings")):
            shutil.copyfile(path, out / path.name)
        changes = (self._checkout / "CHANGELOG.md").read_text(encoding="utf-8")
        (out / f"{name}.md").write_text(notes(changes, own_version()), encoding="utf-8")
        (out / OFFER).write_text(offer(out), encoding="utf-8")
        (out / SUMS).write_text(sums(out), encoding="utf-8")

    def _environment(self) -> Path:
        """Make an environment with what `jetan build` stands on, and return its Python."""
        home, listed = self._scratch / "making", self._scratch / "making.txt"
        self._run(sys.executable, "-m", "venv", home)
        python = home / "bin" / "python"
        with listed.open("w") as file:
            command = [sys.executable, "packages/locked.py", "play", "build"]
            subprocess.run(command, check=True, cwd=self._checkout, stdout=file)
        pip = ("-m", "pip", "--quiet", "--disable-pip-version-check", "install")
        self._run(python, *pip, "--no-deps", "--require-hashes", "-r", listed)
        return python

    def _run(self, *words: str | Path) -> None:
        """Run a command that must succeed, where the commit's files are and in its time."""
        fixed = {"SOURCE_DATE_EPOCH": str(self._epoch), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        # What is printed says how a command went; only the last list is the release's own word.
        subprocess.run(
            words, check=True, cwd=self._checkout, env={**os.environ, **fixed}, stdout=sys.stderr
        )


def git(*words: str) -> str:
    """Return what git says of this checkout; NoRelease where it refuses."""
    done = subprocess.run(["git", *words], check=False, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise NoRelease(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def pack(folder: Path, to: Path, epoch: int) -> None:
    """Pack a folder as a zip file whose bytes follow from the files alone, and from `epoch`."""
    date = datetime.fromtimestamp(epoch, UTC).timetuple()[:6]
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), date)
            entry.external_attr, entry.create_system = 0o100644 << 16, 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, path.read_bytes())


def notes(changes: str, version: str) -> str:
    """Return what a changelog has of one version; NoRelease where it has nothing of it."""
    head = re.compile(rf"^## \[{re.escape(version)}\].*\n", re.MULTILINE)
    match = head.search(changes)
    if match is None:
        raise NoRelease(f"CHANGELOG.md has no section '## [{version}]': write what is new in it")
    text = changes[match.end() :]
    following = re.search(r"^(## |\[[^]]+\]: )", text, re.MULTILINE)
    return (text[: following.start()] if following else text).strip() + "\n"


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sums(folder: Path) -> str:
    """Return the SHA-256 of every file in a folder, as `sha256sum --check` reads them."""
    names = sorted(path.name for path in folder.iterdir() if path.name != SUMS)
    return "".join(f"{digest(folder / name)}  {name}\n" for name in names)


def offer(folder: Path) -> str:
    """Return what tables are told of the Debian packages in a folder."""
    found = [
        (match, path) for path in sorted(folder.iterdir()) if (match := DEB.fullmatch(path.name))
    ]
    packages = {
        match["machine"]: {"file": path.name, "sha256": digest(path)} for match, path in found
    }
    (version,) = {match["version"] for match, _path in found}
    return json.dumps({"version": version, "packages": packages}, indent=1) + "\n"


def differing(one: Path, other: Path) -> Sequence[str]:
    """Return the names of files that are not the same in both folders, or are in one alone."""
    folders: Sequence[Mapping[str, str]] = [
        {path.name: digest(path) for path in folder.iterdir()} for folder in (one, other)
    ]
    names = sorted(folders[0].keys() | folders[1].keys())
    return [name for name in names if folders[0].get(name) != folders[1].get(name)]


def check_tree(version: str) -> str:
    """Return the commit that is checked out; NoRelease where it cannot be a release."""
    if git("status", "--porcelain"):
        raise NoRelease("not all changes are committed: a release is made from a commit alone")
    if git("tag", "--list", f"v{version}"):
        raise NoRelease(f"v{version} is released: raise __version__ in jetan_table/__init__.py")
    notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    for program, package in (("avr-gcc", "gcc-avr avr-libc"), ("make", "make")):
        if shutil.which(program) is None:
            raise NoRelease(f"{program} is missing: sudo apt-get install {package}")
    if find_uv() is None:
        raise NoRelease("uv is missing: ./jetan check brings it")
    return git("rev-parse", "HEAD")


def check_advisories(*words: str) -> None:
    """Raise NoRelease if an advisory is known for a package of the lock.

    `words` are further options for `uv audit`, which ends with 2 if it could ask nobody.
    """
    audit = (find_uv() or "uv", "audit", "--frozen", "--preview-features", "audit-command", *words)
    done = subprocess.run(audit, check=False, cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 1:
        mend = "raise its floor in pyproject.toml, then: uv lock"
        raise NoRelease(f"{done.stdout.strip()}\n{mend}")
    if done.returncode:
        print(f"release: nobody could be asked for advisories: {done.stderr}", file=sys.stderr)


def release(out: Path, is_twice: bool) -> str:
    """Make a release in the folder `out`, and return its commit; raises NoRelease."""
    commit = check_tree(own_version())
    check_advisories()
    epoch = int(git("show", "--no-patch", "--format=%ct", commit))
    if out.exists():
        raise NoRelease(f"{out} is there already: move it away, or name another folder by --out")
    second = out.with_name(f"{out.name}-second")
    for made in (out, second) if is_twice else (out,):
        with tempfile.TemporaryDirectory(prefix=f"jetan-{made.name}-") as scratch:
            Round(Path(scratch), commit, epoch).make(made)
    if is_twice:
        if different := differing(out, second):
            raise NoRelease(f"made twice, and not the same ({second}): {', '.join(different)}")
        shutil.rmtree(second)
    return commit


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a release, and print what it has and what is left to the owner."""
    parser = argparse.ArgumentParser(description="Make all files of a release, twice.")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist" / "release", help="Where they go."
    )
    parser.add_argument("--once", action="store_true", help="Do not make them again to compare.")
    asked = parser.parse_args(arguments)
    os.umask(0o022)
    try:
        commit = release(asked.out.resolve(), not asked.once)
    except NoRelease as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    for path in sorted(asked.out.iterdir()):
        print(f"{path}  {path.stat().st_size / 1e6:.2f} MB")
    version = own_version()
    print("Nothing is tagged or uploaded. To release it:")
    print(
        f"  git tag --annotate v{version} --file {asked.out / f'jetan-table-{version}.md'} {commit}"
    )
    print(f"  git push origin v{version}")
    print("To sign it, for tables that have your public key as [update] keyring:")
    print(f"  gpg --armor --detach-sign {asked.out / SUMS}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
