"""Puts a table that runs in a browser beside the pages: what `play/index.html` needs.

It is the project's own sources and what they stand on, as `uv.lock` names it, compiled into one
archive, Python for WebAssembly, and the search in C. That takes pip, npm, node, ziglang and, for
the first time, a network: what was fetched is kept in the cache. Where it cannot be had, or
`JETAN_SITE_TABLE=off` is set, the site is made without.
"""

import hashlib
import io
import json
import logging
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # as mkdocs calls it

from jetan_table.engine.library import SOURCES as SOURCES_IN_C
from jetan_table.engine.library import sources
from packages.locked import LockedPackage, locked, read_lock

ROOT: Final = Path(__file__).resolve().parents[1]
SWITCH: Final = "JETAN_SITE_TABLE"
PYODIDE: Final = "pyodide@314.0.7"
PYODIDE_SHA256: Final = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
CORE: Final = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
PYTHON: Final = {
    "sys_platform": "emscripten",
    "platform_python_implementation": "CPython",
    "python_full_version": "3.14.2",
}
PLATFORM: Final = ("--python-version=3.14", "--platform=pyemscripten_2026_0_wasm32")
LEFT_OUT: Final = frozenset(("click", "h11", "idna", "pyserial", "uvicorn"))
"""Packages that a table without terminal, network and ports never imports."""

SOURCES: Final = (
    *("rules", "hardware", "vision/__init__.py", "vision/errors.py", "jetan_table"),
    "pyproject.toml",  # which has the repository's address
)
WITHOUT: Final = tuple(
    ROOT / "jetan_table" / room
    for room in (
        *("cli", "site"),
        *("extras/commissioning", "extras/hall", "extras/updates", "extras/workshop"),
    )
)
"""Rooms that such a table never imports."""

SEARCH: Final = ROOT / "jetan_table" / "extras" / "site" / "quick"
"""What makes the search in C a module of a browser."""
CALLED: Final = (
    *(f"jetan_{name}" for name in ("law_new", "law_free", "tree_new", "tree_free", "hint")),
    *("jetan_nodes", "jetan_deepen_asking", "malloc", "free", "__stack_pointer"),
)
"""What `search.js` calls of it."""
MODULE_FLAGS: Final = (
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-std=c11", "-O2", "-ffp-contract=off"),
    *("-s", "-Wl,-z,stack-size=1048576", f"-I{SEARCH}"),
    *(f"-Wl,--export={name}" for name in CALLED),
)

KINDS: Final = frozenset(
    (".py", ".toml", ".txt", ".mo", ".svg", ".json", ".jgn", ".html", ".js", ".net")
)
NO_PAGES: Final = shutil.ignore_patterns("*.html")
"""Pages that the table itself puts into a frame."""
BEGUN: Final = (1980, 1, 1, 0, 0, 0)

log = logging.getLogger("mkdocs.plugins.in_browser")


class NotHad(Exception):
    """Something could not be fetched."""


def on_post_build(config: Mapping[str, Any]) -> None:
    """Complete the built site."""
    play = Path(config["site_dir"]) / "play"
    drawn = ROOT / "jetan_table" / "page" / "static"
    shutil.copytree(drawn, play / "static", ignore=NO_PAGES, dirs_exist_ok=True)
    for panel in (ROOT / "jetan_table" / "extras").glob("*/static/panel.js"):
        to = play / "static" / "extras" / panel.parents[1].name
        shutil.copytree(panel.parent, to, ignore=NO_PAGES, dirs_exist_ok=True)
    if os.environ.get(SWITCH) == "off":
        return
    try:
        lay_table(play / "core", cache())
    except NotHad as error:
        log.info("no table in the browser: %s", error)
        return
    (play / "kept.json").write_text(json.dumps(files_to_keep(play)))


def files_to_keep(play: Path) -> dict[str, Any]:
    """Return the files that a browser keeps, with size and hash of each, and their version.

    The list itself is none, nor the service worker, which a browser keeps by itself.
    """
    names = {path for path in play.rglob("*") if path.is_file()}
    paths = sorted(names - {play / "sw.js", play / "kept.json"})
    contents = {str(path.relative_to(play)): path.read_bytes() for path in paths}
    files = {name: (len(each), digest(each)) for name, each in contents.items()}
    return {"version": digest(json.dumps(files).encode()), "files": files}


def digest(content: bytes) -> str:
    """Return a short hash."""
    return hashlib.sha256(content).hexdigest()[:16]


def cache() -> Path:
    """Return where fetched files are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or Path(os.environ.get("HOME", "/"), ".cache")
    folder = Path(home) / "jetan" / "in-browser"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def lay_table(core: Path, kept: Path) -> None:
    """Put Python for WebAssembly, and the table packed for it, into a folder; NotHad."""
    packed, wheels = python_for_browsers(kept), wheels_for_browsers(kept)
    core.mkdir(parents=True, exist_ok=True)
    with tarfile.open(packed) as archive:
        for name in CORE:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            (core / name).write_bytes(member.read())
    lay_search(core / "search.wasm", kept)
    compiled = core / "table.zip"
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder, "table.zip")
        sources.write_bytes(packed_table(wheels))
        run("node", str(Path(__file__).with_name("play") / "compiled.mjs"), core, sources, compiled)


def lay_search(path: Path, kept: Path) -> None:
    """Compile the search in C for browsers, by a compiler that is fetched for it; NotHad."""
    zig = [each for each in locked(read_lock(), ["compiler"]) if each.name == "ziglang"]
    folder = by_pip(kept, zig, "install", "--target")
    flags: tuple[str | Path, ...] = (*MODULE_FLAGS, f"-I{SOURCES_IN_C}", "-o", path)
    run(sys.executable, folder / "ziglang", "cc", *flags, *sources(), SEARCH / "asking.c")


def python_for_browsers(kept: Path) -> Path:
    """Return the archive with Python for WebAssembly."""
    path = kept / f"{PYODIDE.replace('@', '-')}.tgz"
    if not path.exists():
        with tempfile.TemporaryDirectory() as folder:
            run("npm", "pack", "--silent", PYODIDE, folder=Path(folder))
            shutil.move(Path(folder) / path.name, path)
    if hashlib.sha256(path.read_bytes()).hexdigest() != PYODIDE_SHA256:
        path.unlink()
        raise NotHad(f"{PYODIDE} is not what it was: nothing of it is used")
    return path


def wanted() -> list[LockedPackage]:
    """Return what the table stands on in a browser."""
    named = locked(read_lock(), [])
    return [each for each in named if each.name not in LEFT_OUT and each.is_wanted(PYTHON)]


def wheels_for_browsers(kept: Path) -> list[Path]:
    """Return the wheels, as the lock names them."""
    packages = [each._replace(conditions=()) for each in wanted()]
    folder = by_pip(kept, packages, "download", "--only-binary=:all:", *PLATFORM, "-d")
    return sorted(folder.glob("*.whl"))


def by_pip(kept: Path, packages: Iterable[LockedPackage], *words: str) -> Path:
    """Return the folder into which pip has put packages; the last of its words names it."""
    lines = "".join(f"{each.requirement}\n" for each in packages)
    folder = kept / hashlib.sha256(lines.encode()).hexdigest()[:16]
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=kept) as name:
            new = Path(name, "new")
            asked = Path(name, "locked.txt")
            asked.write_text(lines)
            tools = Path(name, "tools")  # an environment of this project has no pip
            run(sys.executable, "-m", "venv", tools)
            python = tools / "bin" / "python"
            command, *how = words
            told = ("--quiet", "--no-deps", "--require-hashes", "-r", asked)
            run(python, "-m", "pip", command, *told, *how, new)
            new.rename(folder)
    return folder


def run(*words: str | Path, folder: Path | None = None) -> None:
    """Run a command; NotHad where it fails."""
    try:
        subprocess.run(words, check=True, cwd=folder, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        raise NotHad(f"{words[0]}: {said.strip().splitlines()[-1]}") from error


def packed_table(wheels: Iterable[Path]) -> bytes:
    """Return the sources and what they stand on as one archive, the same each time."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted([*own_files(), *files_of(wheels)]):
            archive.writestr(zipfile.ZipInfo(name, BEGUN), content, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def own_files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each file of the project that a table in a browser needs."""
    for top in SOURCES:
        for path in (ROOT / top, *(ROOT / top).rglob("*")):
            name = path.relative_to(ROOT)
            is_left = any(map(path.is_relative_to, WITHOUT)) or "__pycache__" in name.parts
            is_drawn_elsewhere = "static" in name.parts and path.suffix not in {".html", ".js"}
            if path.suffix in KINDS and not (is_left or is_drawn_elsewhere):
                yield str(name), path.read_bytes()


def files_of(wheels: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each file of some wheels that a program reads."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not name.endswith((".pyi", "/", ".h")) and "/tests/" not in name:
                    yield name, archive.read(name)
