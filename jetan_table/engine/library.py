"""The search in C: a library that is built once where a compiler is, and the tree it searches.

Nothing here is needed to play. A release may carry the library ready for some machines; where it
does not, the first who asks has it built, and keeps it in the user's cache. It knows no rules: they
are handed to it as data, and so are positions; `QuickTree` is asked as `tree.Tree` is.
"""

import ctypes
import os
import platform
import shutil
import subprocess
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain, islice, repeat
from pathlib import Path
from struct import Struct
from typing import Final
from weakref import finalize

from rules import KINDS, OPTIONS, SQUARES, Kind, Piece, Position, Side, _
from rules.movement import FEW, FEW_PLIES, Law, Post

from ..errors import TableError
from .evaluation import Weights, chance_to_win, net_for
from .positions import (
    ESCAPE_KEYS,
    FEW_KEYS,
    JUGGERNAUT_KEYS,
    POST_KEYS,
    SIDE_KEY,
    Glimpses,
    key_of,
    probe_of,
)
from .tree import Check, Choice, Stopped

SOURCES: Final = Path(__file__).with_name("quick")

READY: Final = SOURCES / "ready"
"""The folder in which a release carries libraries."""

COMPILERS: Final = ("cc", "gcc", "clang")

FLAGS: Final = (
    *("-std=c11", "-O2", "-fPIC", "-shared", "-fvisibility=default"),
    "-ffp-contract=off",  # sums of chances must come out alike on every machine
)

SECONDS_TO_BUILD: Final = 120.0

SWITCH: Final = "JETAN_QUICK_SEARCH"
"""Set to `off` in the environment, it keeps the search in Python."""

MOST_MEN: Final = 100

NOBODY: Final = -1

HALF: Final = 1 << 19
"""Entries of the younger half of the transposition table, of 16 bytes, half of the slots at most
taken: both halves, and one while it grows, stay below 48 MB."""

MOST_WORTH: Final = 1 << 15
"""A piece-square table with larger values does not fit into the ranks of the order in C."""

WORD: Final = (1 << 64) - 1

CHECK: Final = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)

STOP: Final = -1

TERMS: Final = Struct("@64dq19i800b0q")

STANDING: Final = Struct("@10i200h")
"""`struct terms` and `struct standing` of `quick/jetan.h`, the former as long as C makes it."""

KEYS: Final = array(
    "Q", [*POST_KEYS, SIDE_KEY, *ESCAPE_KEYS, *FEW_KEYS, *JUGGERNAUT_KEYS]
).tobytes()
"""`struct keys`: the numbers of `positions.py`."""


class NotBuilt(TableError, RuntimeError):
    """The compiler made no library of the search in C; the game goes on without."""


def quick_library(environment: Mapping[str, str]) -> ctypes.CDLL | None:
    """Return the search in C, built where it has to be; None where there can be none."""
    return QuickSearch(environment).library(wait=True)


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


def find_library(environment: Mapping[str, str]) -> Path | None:
    """Return the library that is ready for these sources on this machine; None where none is."""
    if environment.get(SWITCH) == "off":
        return None
    places = (READY / name_of(), cache_folder(environment) / name_of())
    return next((path for path in places if path.is_file()), None)


def mend_of(environment: Mapping[str, str]) -> str | None:
    """Return the command that brings the library here, empty where nothing does.

    None where it is here, or will be built.
    """
    if find_library(environment) is not None:
        return None
    if environment.get(SWITCH) == "off" or sys.maxsize < 1 << 32:
        return ""  # compilers for 32 bits know no numbers of 128
    return None if own_compiler() else "sudo apt install gcc"


def own_compiler() -> list[str]:
    """Return the machine's C compiler as a command; empty where it has none."""
    return [*filter(None, map(shutil.which, COMPILERS))][:1]


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Return where libraries are kept: jetan under $XDG_CACHE_HOME."""
    home = environment.get("HOME", "/")
    return Path(environment.get("XDG_CACHE_HOME") or Path(home, ".cache")) / "jetan"


@cache
def name_of(machine: str = platform.machine()) -> str:
    """Return the file name of the library: its machine, and a digest of what it is made of."""
    digest = sha256(" ".join(FLAGS).encode())
    for path in (*sources(SOURCES), *sorted(SOURCES.glob("*.h"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return f"search-{machine}-{digest.hexdigest()[:16]}.so"


def sources(folder: Path = SOURCES) -> tuple[Path, ...]:
    """Return the files in C, in order."""
    return tuple(sorted(folder.glob("*.c")))


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


class QuickTree:
    """The knowledge of the library while one position is searched; used like `Tree`."""

    def __init__(
        self,
        library: ctypes.CDLL,
        law: Law,
        position: Position,
        table: list[int],
        weights: Weights,
        earlier: Iterable[Position],
        contempt: int = 0,
        *,
        half: int = HALF,
        plain: bool = False,
    ) -> None:
        """`law` is the position's, with all ways of all pieces, where the player sees but some."""
        if max(map(abs, table)) >= MOST_WORTH:
            raise ValueError(f"a piece-square table with values of {MOST_WORTH} or more")
        self._library, self._law, self.value = library, quick_law(library, law), 0
        self._net = None if plain else net_for(law.rules)
        keys = array("Q", map(key_of, earlier))
        seen_by = position.law.peers[Piece(Side.BLACK, Kind.PANTHAN)]
        unseen, seed = (seen_by.unseen, seen_by.seed) if isinstance(seen_by, Glimpses) else (0.0, 0)
        worth = array("i", [*table, round(weights.escape), round(weights.tempo)])
        at = standing_of(position), keys.tobytes(), len(keys)
        how = unseen, seed, half, contempt, plain, self._net
        self._tree = library.jetan_tree_new(self._law.address, KEYS, worth.tobytes(), *at, *how)
        if not self._tree:
            raise MemoryError("no room for a search in C")
        finalize(self, library.jetan_tree_free, self._tree)

    @property
    def nodes(self) -> int:
        return int(self._library.jetan_nodes(self._tree))

    def deepen(self, choices: list[Choice], depth: int, ask_at: int, check: Check) -> None:
        """Search the choices at the root so deep, the best to the front, as `Tree` does."""
        raised: list[BaseException] = []

        def asked(nodes: int) -> int:
            try:
                return check(nodes)
            except BaseException as error:  # an interrupt, too: nothing may be raised through C
                raised.append(error)
                return STOP

        packed = array("i")
        for at, _here, there, gain, is_escape in choices:
            packed.extend((at, there.index, gain, is_escape))
        value, whole = ctypes.c_int32(self.value), ctypes.c_int32 * len(packed)
        asked_for = whole.from_buffer(packed), len(choices), depth, ctypes.byref(value)
        is_done = self._library.jetan_deepen(self._tree, *asked_for, ask_at, CHECK(asked))
        self.value = value.value
        by_goal = {(choice[0], choice[2].index): choice for choice in choices}
        choices[:] = [by_goal[goal] for goal in zip(packed[::4], packed[1::4], strict=True)]
        if not is_done:
            raise raised.pop() if raised else Stopped  # none is kept, for it would keep the tree

    def hint(self, position: Position) -> tuple[int, int] | None:
        """Return the squares of the best move known of a position; None where none is."""
        found = int(self._library.jetan_hint(self._tree, probe_of(position)))
        return None if found < 0 else divmod(found, 128)


class QuickLaw:
    """A law as the library holds it."""

    def __init__(self, library: ctypes.CDLL, law: Law) -> None:
        counts, words = array("i"), array("Q")
        for post in posts_of(law):
            _ = post[0]  # the first question finds the paths
            counts.append(len(post.paths))
            for between, beyond in post.paths.items():
                words.extend((between & WORD, between >> 64, beyond & WORD, beyond >> 64))
        self.address = library.jetan_law_new(terms_of(law), counts.tobytes(), words.tobytes())
        if not self.address:
            raise MemoryError("no room for the rules of the search in C")
        finalize(self, library.jetan_law_free, self.address)


@lru_cache(maxsize=8)
def quick_law(library: ctypes.CDLL, law: Law) -> QuickLaw:
    """Return a law for the library, from memory where it has been made."""
    return QuickLaw(library, law)


def terms_of(law: Law) -> bytes:
    """Return what a law's options mean for play."""
    rules, worth = law.rules, [law.worth[kind] for kind in KINDS]
    chosen = ("escape", "few-equal", "chief-taken-by-other")
    around = chain.from_iterable(rules.board.neighbours)
    return TERMS.pack(
        *(chance_to_win(ours - theirs) for ours in worth for theirs in worth),
        law.captureless_plies,
        FEW_PLIES,
        FEW,
        *worth,
        *(OPTIONS[name].values.index(rules[name]) for name in chosen),
        law.princess_takes,
        law.princess_ends_safe,
        law.crossings is not None,
        law.no_move_draws,
        law.mate_ends,
        rules["duel"] == "arena",
        *(NOBODY if near is None else near for near in around),
    )


def posts_of(law: Law) -> list[Post]:
    """Return every post, those for crossings last; without such, the Princess's own again."""
    of = [law.peers[Piece(side, kind)] for side in Side for kind in KINDS]
    of += [
        (law.crossings or {s: law.peers[Piece(s, Kind.PRINCESS)] for s in Side})[s] for s in Side
    ]
    return [peers[square] for peers in of for square in SQUARES]


def standing_of(position: Position) -> bytes:
    """Return a position as the library reads it."""
    armies = [position.ours, position.theirs]
    if position.side is Side.ORANGE:
        armies.reverse()
    men = chain.from_iterable(
        islice(chain((post.index for post in army.men), repeat(0)), MOST_MEN) for army in armies
    )
    return STANDING.pack(
        position.side,
        NOBODY if position.juggernaut is None else position.juggernaut,
        NOBODY if position.few_counter is None else position.few_counter,
        position.quiet_plies,
        *(len(army.men) for army in armies),
        *(NOBODY if army.princess is None else army.princess.index for army in armies),
        *(army.may_escape for army in armies),
        *men,
    )
