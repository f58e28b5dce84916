"""The search in C as a library: built once where a C compiler is, then found by what it was made of.

Nothing here is needed to play. A release may carry the library ready for some machines; where it
does not, the first who asks has it built, and keeps it in the user's cache.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, Protocol

from ..errors import TableError

SOURCES: Final = Path(__file__).with_name("quick")
READY: Final = SOURCES / "ready"
"""Where a release carries libraries."""

COMPILERS: Final = ("cc", "gcc", "clang")
FLAGS: Final = (
    *("-std=c11", "-O2", "-fPIC", "-shared", "-fvisibility=default"),
    "-ffp-contract=off",  # sums of chances must come out alike on every machine
)
SECONDS_TO_BUILD: Final = 120.0
SWITCH: Final = "JETAN_QUICK_SEARCH"
"""Set to `off` in the environment, it keeps the search in Python."""


class NotBuilt(TableError, RuntimeError):
    """The compiler made no library of the search in C; the game goes on without."""


class Build(Protocol):
    """A compiler at work."""

    def poll(self) -> int | None:
        """Return its exit code; None while it works."""


def sources() -> tuple[Path, ...]:
    """Return the files in C, in order."""
    return tuple(sorted(SOURCES.glob("*.c")))


@cache
def name_of(flags: Sequence[str] = FLAGS) -> str:
    """Return the file name of the library: its machine, and a digest of what it is made of."""
    digest = sha256(" ".join(flags).encode())
    for path in (*sources(), *sorted(SOURCES.glob("*.h"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return f"search-{platform.machine()}-{digest.hexdigest()[:16]}.so"


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Return where libraries are kept: jetan under $XDG_CACHE_HOME."""
    home = environment.get("HOME", "/")
    return Path(environment.get("XDG_CACHE_HOME") or Path(home, ".cache")) / "jetan"


def find_library(environment: Mapping[str, str]) -> Path | None:
    """Return the library that is ready for these sources on this machine; None where none is."""
    if environment.get(SWITCH) == "off":
        return None
    places = (READY / name_of(), cache_folder(environment) / name_of())
    return next((path for path in places if path.is_file()), None)


class Builder:
    """A build under way: a compiler in a process of its own, and where its work will stand."""

    def __init__(self, compiler: str, path: Path, flags: Sequence[str] = FLAGS) -> None:
        """OSError where the folder cannot be written to or the compiler not be started."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._begun = path.with_name(f"{path.name}.{os.getpid()}")
        self._process = subprocess.Popen(
            [compiler, *flags, "-o", str(self._begun), *map(str, sources()), "-lm"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def poll(self) -> Path | None:
        """Return the library once it is there; None while it is built. NotBuilt where it fails."""
        if self._process.poll() is None:
            return None
        return self.wait()

    def wait(self) -> Path:
        """Return the library when it is built; NotBuilt where it fails, with the compiler's words."""
        try:
            _, words = self._process.communicate(timeout=SECONDS_TO_BUILD)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            words = b"it took too long"
        if self._process.returncode != 0:
            self._begun.unlink(missing_ok=True)
            reason = words.decode(errors="replace").strip()
            raise NotBuilt(f"{self._path.name}: not built, so the search stays in Python: {reason}")
        self._begun.replace(self._path)  # whoever else builds it makes the same
        return self._path


def begin_building(environment: Mapping[str, str]) -> Builder | None:
    """Start to build the library in the cache; None where it is unwanted or nothing can build it."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None or environment.get(SWITCH) == "off" or sys.platform != "linux":
        return None
    with suppress(OSError):
        return Builder(compiler, cache_folder(environment) / name_of())
    return None


@cache
def load(path: Path) -> ctypes.CDLL:
    """Return a library with the types of what Python calls in it; OSError where it is none."""
    library = ctypes.CDLL(str(path))
    pointer, whole, long = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
    types: dict[str, tuple[object, list[object]]] = {
        "jetan_law_new": (pointer, [pointer, pointer, pointer]),
        "jetan_law_free": (None, [pointer]),
        "jetan_perft": (long, [pointer, pointer, whole]),
        "jetan_tree_new": (pointer, [*[pointer] * 5, whole, pointer, long, pointer]),
        "jetan_tree_free": (None, [pointer]),
        "jetan_follow": (whole, [pointer, pointer, whole, whole, whole, pointer]),
        "jetan_forget": (None, [pointer]),
        "jetan_hint": (whole, [pointer, ctypes.c_uint64]),
        "jetan_set_horizon": (None, [pointer, whole]),
        "jetan_nodes": (long, [pointer]),
        "jetan_check_at": (None, [pointer, long]),
    }
    for name, (result, arguments) in types.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def quick_library(environment: Mapping[str, str]) -> ctypes.CDLL | None:
    """Return the search in C, built where it has to be; None where there can be none."""
    path = find_library(environment)
    try:
        if path is None and (builder := begin_building(environment)) is not None:
            path = builder.wait()
        return None if path is None else load(path)
    except (NotBuilt, OSError):
        return None
