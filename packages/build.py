"""Packs a table: a wheel for pipx, and a Debian package for each kind of machine.

`python3 packages/build.py` writes them into `dist/`, of what `uv.lock` names and nothing else. It
stands on Python's venv, `dpkg-deb` and a network alone, and needs no machine of the other kind:
what is compiled comes from wheels, and the search in C from a compiler that knows every machine.

A Debian package carries an environment of its own under `/opt/jetan`, which the system's Python
runs, so that pins and camera can come to it from apt.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # run as a script

from packages.locked import (
    LockedPackage,
    locked,
    own_version,
    read_lock,
)

ROOT: Final = Path(__file__).resolve().parents[1]
DEB: Final = Path(__file__).with_name("deb")
MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}
"""Debian's name of a kind of machine, and Linux's."""
PYTHONS: Final = ("3.11", "3.12", "3.13")
"""The versions a package runs on: Debian 12 has the first, Debian 13 the last."""
CPYTHON: Final = {"sys_platform": "linux", "platform_python_implementation": "CPython"}
TAGS: Final = ("manylinux_2_28", "manylinux_2_17", "manylinux2014")
SITE: Final = Path("/usr/share/doc/jetan-table/site")
"""Where a Debian package has its pages."""
SCRIPT: Final = """\
#!/opt/jetan/bin/python
import sys

from jetan_table.__main__ import main

sys.exit(main())
"""


QUIET: Final = {"PYTHONDONTWRITEBYTECODE": "1", "NO_MKDOCS_2_WARNING": "1"}
SAME: Final = {"DPKG_DEB_THREADS_MAX": "1"}
"""How many cores a machine has must not be seen in what is packed on it."""
NO_TABLE: Final = {"JETAN_SITE_TABLE": "off"}
"""The pages of a package need no table in them: it is one."""


class Packer:
    """Packs what stands in a checkout, in a scratch folder."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._python = scratch / "tools" / "bin" / "python"

    def wheel(self, out: Path, *, is_quick: bool) -> Path:
        """Build the wheel in `out`; `is_quick` with the search in C for every machine."""
        checkout = self._scratch / "checkout"
        leave = shutil.ignore_patterns(
            *("__pycache__", ".*", "dist", "build"), *("tests", "bench", "training")
        )
        shutil.copytree(ROOT, checkout, ignore=leave)
        run(sys.executable, "-m", "venv", self._python.parents[1])
        self._install("docs", "pack", *(["compiler"] if is_quick else []))
        if is_quick:
            run(self._python, "-m", "packages.ready", cwd=checkout)
        self._site(checkout / "jetan_table" / "site")
        self._pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", out, checkout)
        return max(out.glob("jetan_table-*.whl"), key=lambda path: path.stat().st_mtime)

    def _site(self, to: Path) -> None:
        """Build the pages as a site, to be read without any network."""
        build = ("build", "--strict", "--quiet", "--site-dir", to)
        run(self._python, "-m", "mkdocs", *build, cwd=ROOT)
        for path in (*to.rglob("*.map"), *to.glob("sitemap.*")):
            path.unlink()

    def deb(self, wheel: Path, architecture: str, out: Path) -> Path:
        """Build the Debian package of `wheel` for `architecture` in `out`."""
        root = self._scratch / architecture
        home = root / "opt" / "jetan"
        packages = home / "lib" / "python3" / "site-packages"
        packages.mkdir(parents=True)
        for path in self._wheels(wheel, MACHINES[architecture]):
            with zipfile.ZipFile(path) as packed:
                packed.extractall(packages)
        site, shown = packages / "jetan_table" / "site", root / SITE.relative_to("/")
        shown.parent.mkdir(parents=True)
        shutil.move(site, shown)
        site.symlink_to(SITE)
        for machine in set(MACHINES.values()) - {MACHINES[architecture]}:
            for path in packages.rglob(f"*{machine}*.so"):
                path.unlink()
        for python in PYTHONS:
            (home / "lib" / f"python{python}").symlink_to("python3")
        (home / "bin").mkdir()
        (home / "bin" / "python").symlink_to("/usr/bin/python3")
        program(home / "bin" / "jetan", SCRIPT)
        (home / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = true\n")
        (root / "usr" / "bin").mkdir(parents=True)
        (root / "usr" / "bin" / "jetan").symlink_to("/opt/jetan/bin/jetan")
        place(DEB / "60-jetan.rules", root / "usr/lib/udev/rules.d/60-jetan.rules")
        for unit in ("jetan.service", "jetan-update.path", "jetan-update.service"):
            place(DEB / unit, root / "usr/lib/systemd/system" / unit)
        place(ROOT / "LICENSE", root / "usr/share/doc/jetan-table/copyright")
        leave = shutil.ignore_patterns("*.py", "__pycache__", "pictures")
        shutil.copytree(ROOT / "docs", root / "usr/share/doc/jetan-table/docs", ignore=leave)
        self.materials(root / "usr/share/doc/jetan-table")
        version = wheel.name.split("-")[1]
        self._control(root, version, architecture)
        made = out / f"jetan-table_{version}_{architecture}.deb"
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, made)
        return made

    def _wheels(self, wheel: Path, machine: str) -> Iterator[Path]:
        """What the table stands on, for every Python; the table itself last."""
        folder = self._scratch / f"wheels-{machine}"
        platforms = [f"--platform={tag}_{machine}" for tag in TAGS]
        for python in PYTHONS:
            only = (*platforms, f"--python-version={python}", "--only-binary=:all:")
            # pip would ask the markers of this Python, and not of that one.
            wanted = [
                each._replace(conditions=())
                for each in locked(read_lock(), [])
                if each.is_wanted({**CPYTHON, "python_full_version": f"{python}.0"})
            ]
            self._pip("download", *only, "--dest", folder, *self._exactly(wanted))
        yield from sorted(path for path in folder.glob("*.whl") if path.name != wheel.name)
        yield wheel

    def materials(self, folder: Path) -> Path:
        """Write the packages in a table, as uv lists them, into `folder`, and return the file."""
        export = ("export", "--frozen", "--no-dev", "--preview-features", "sbom-export")
        listed = run(self._python.with_name("uv"), *export, "--format", "cyclonedx1.5", cwd=ROOT)
        document = json.loads(listed)
        # Two packings of one commit are the same to the byte.
        del document["serialNumber"], document["metadata"]["timestamp"]
        document["metadata"]["component"]["version"] = own_version()
        file = folder / "jetan-table.cdx.json"
        file.write_text(json.dumps(document, indent=1) + "\n")
        file.chmod(0o644)
        return file

    def _control(self, root: Path, version: str, architecture: str) -> None:
        control = root / "DEBIAN"
        control.mkdir()
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024
        text = (DEB / "control").read_text()
        text = text.format(version=version, architecture=architecture, size=size)
        (control / "control").write_text(text)
        for name in ("preinst", "postinst", "prerm", "postrm"):
            program(control / name, (DEB / name).read_text())

    def _install(self, *wanted: str) -> None:
        """Lay what the lock names for these extras and groups into the tools' environment."""
        self._pip("install", *self._exactly(locked(read_lock(), wanted)))

    def _exactly(self, packages: Sequence[LockedPackage]) -> Sequence[str | Path]:
        """Return pip's words for these packages, as they were when they were tested."""
        file = self._scratch / "locked.txt"
        file.write_text("".join(f"{each.requirement}\n" for each in packages))
        return "--no-deps", "--require-hashes", "-r", file

    def _pip(self, *words: str | Path) -> None:
        run(self._python, "-m", "pip", "--quiet", "--disable-pip-version-check", *words)


def run(*words: str | Path, cwd: Path | None = None) -> str:
    """Run a command that must succeed, and return its output."""
    environment = {**os.environ, **QUIET, **NO_TABLE, **SAME}
    done = subprocess.run(
        words, check=True, cwd=cwd, env=environment, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def program(path: Path, text: str) -> None:
    """Write `text` as a file that can be run."""
    path.write_text(text)
    path.chmod(0o755)


def place(source: Path, to: Path) -> None:
    """Copy `source` to `to`, readable by all."""
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, to)
    to.chmod(0o644)


def requirements(wheel: Path) -> Path:
    """Write beside a wheel how it is laid in with what it was tested with, and return the file."""
    file = wheel.with_name(f"{'-'.join(wheel.name.split('-')[:2])}.txt")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    named = [each.requirement for each in locked(read_lock(), [])]
    file.write_text("\n".join([*named, f"./{wheel.name} --hash=sha256:{digest}", ""]))
    return file


def main(arguments: Sequence[str] | None = None) -> None:
    """Pack what is asked for, and print the file and size of each package."""
    parser = argparse.ArgumentParser(description="Pack a table: a wheel and Debian packages.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="Where they go.")
    parser.add_argument("--wheel-only", action="store_true", help="Without Debian packages.")
    parser.add_argument(
        "--plain", action="store_true", help="Without the search in C: no compiler is fetched."
    )
    asked = parser.parse_args(arguments)
    asked.out.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)
    with tempfile.TemporaryDirectory() as scratch:
        packer = Packer(Path(scratch))
        wheel = packer.wheel(asked.out.resolve(), is_quick=not asked.plain)
        kinds = () if asked.wheel_only else MACHINES
        made = [wheel, *(packer.deb(wheel, kind, asked.out.resolve()) for kind in kinds)]
        made += [requirements(wheel), packer.materials(asked.out.resolve())]
    for path in made:
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
