"""The search in C as a library: built once where a compiler is, found by what it is made of.

Nothing here is needed to play. A release may carry the library ready for some machines; where it
does not, the first who asks has it built, and keeps it in the user's cache.
"""

import ctypes
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from rules.sentences import _

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


def sources(folder: Path = SOURCES) -> tuple[Path, ...]:
    """Return the files in C, in order."""
    return tuple(sorted(folder.glob("*.c")))


@cache
def name_of(machine: str = platform.machine()) -> str:
    """Return the file name of the library: its machine, and a digest of what it is made of."""
    digest = sha256(" ".join(FLAGS).encode())
    for path in (*sources(SOURCES), *sorted(SOURCES.glob("*.h"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return f"search-{machine}-{digest.hexdigest()[:16]}.so"


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


def own_compiler() -> list[str]:
    """Return the machine's C compiler as a command; empty where it has none."""
    return [*filter(None, map(shutil.which, COMPILERS))][:1]


def mend_of(environment: Mapping[str, str]) -> str | None:
    """Return the command that brings the library here, empty where nothing does.

    None where it is here, or will be built.
    """
    if find_library(environment) is not None:
        return None
    if environment.get(SWITCH) == "off" or sys.maxsize < 1 << 32:
        return ""  # compilers for 32 bits know no numbers of 128
    return None if own_compiler() else "sudo apt install gcc"


class LibraryBuild:
    """A build under way: a compiler in a process of its own, and where its work will stand."""

    def __init__(
        self,
        path: Path,
        flags: Sequence[str] = FLAGS,
        more_sources: Sequence[Path] = (),
        compiler: Sequence[str] = (),
        folder: Path = SOURCES,
    ) -> None:
        """Begin; with the machine's own compiler where none is given, and the search in `folder`.

        NotBuilt where there is none, OSError where it or the folder refuses.
        """
        compiler = compiler or own_compiler()
        if not compiler:
            raise NotBuilt(_("no C compiler, so the search stays in Python: apt install gcc"))
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path, self._begun = path, path.with_name(f"{path.name}.{os.getpid()}")
        search = (f"-I{folder}", *map(str, sources(folder)))
        self._process = subprocess.Popen(
            [*compiler, *flags, "-o", self._begun, *search, *more_sources, "-lm"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def poll(self) -> Path | None:
        """Return the library once it is there; None while it is built. NotBuilt where it fails."""
        return None if self._process.poll() is None else self.wait()

    def wait(self) -> Path:
        """Return the library when it is built; NotBuilt, with the compiler's words, where not."""
        try:
            _out, words = self._process.communicate(timeout=SECONDS_TO_BUILD)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            words = b"it took too long"
        if self._process.returncode != 0:
            self._begun.unlink(missing_ok=True)
            reason = words.decode(errors="replace").strip()
            raise NotBuilt(
                _("{name}: not built, so the search stays in Python: {reason}"),
                name=self._path.name,
                reason=reason,
            )
        self._begun.replace(self._path)  # whoever else builds it makes the same
        return self._path


@cache
def load(path: Path) -> ctypes.CDLL:
    """Return a library with the types of what Python calls in it; OSError where it is none."""
    library = ctypes.CDLL(str(path))
    pointer, whole, long = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
    types: dict[str, tuple[object, list[object]]] = {
        "jetan_law_new": (pointer, [pointer, pointer, pointer]),
        "jetan_law_free": (None, [pointer]),
        "jetan_tree_new": (
            pointer,
            [*[pointer] * 5, whole, ctypes.c_double, ctypes.c_uint64, long, whole, whole, pointer],
        ),
        "jetan_tree_free": (None, [pointer]),
        "jetan_deepen": (whole, [pointer, pointer, whole, whole, pointer, long, pointer]),
        "jetan_hint": (whole, [pointer, ctypes.c_uint64]),
        "jetan_nodes": (long, [pointer]),
    }
    for name, (result, arguments) in types.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class QuickSearch:
    """The search in C for one process: looked for, else built in the background."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        path, self._builder = find_library(environment), None
        self._library: ctypes.CDLL | None = None
        self.why_not = f"{SWITCH}=off" if environment.get(SWITCH) == "off" else ""
        """Why there is none and will be none; empty while there may be one yet."""
        try:
            if path is not None:
                self._library = load(path)
            elif not self.why_not:
                self._builder = LibraryBuild(cache_folder(environment) / name_of())
        except (NotBuilt, OSError) as error:
            self.why_not = str(error)

    @property
    def is_building(self) -> bool:
        return self._builder is not None

    def library(self, *, wait: bool = False) -> ctypes.CDLL | None:
        """Return the library, None where there is none; `wait` for one that is being built."""
        try:
            if self._builder is not None:
                path = self._builder.wait() if wait else self._builder.poll()
                if path is not None:
                    self._builder, self._library = None, load(path)
        except (NotBuilt, OSError) as error:
            self._builder, self.why_not = None, str(error)
        return self._library


def quick_library(environment: Mapping[str, str]) -> ctypes.CDLL | None:
    """Return the search in C, built where it has to be; None where there can be none."""
    return QuickSearch(environment).library(wait=True)
