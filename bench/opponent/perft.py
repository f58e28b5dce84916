"""The search in C with another file beside it, and the one that counts games (`perft.c`)."""

import ctypes
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from jetan_table.engine.library import FLAGS, SOURCES, LibraryBuild, load, quick_law, standing_of
from rules import Position

PERFT: Final = Path(__file__).with_name("perft.c")


@cache
def library_with(
    source: Path, flags: tuple[str, ...] = FLAGS, search: Path = SOURCES
) -> ctypes.CDLL:
    """Return them as a library, built for this process; NotBuilt without a C compiler."""
    with tempfile.TemporaryDirectory() as folder:
        return load(LibraryBuild(Path(folder, "search.so"), flags, [source], folder=search).wait())


def quick_perft(library: ctypes.CDLL, position: Position, depth: int) -> int:
    """Return what `perft` of `rules` does, counted by a library with `PERFT`."""
    law = quick_law(library, position.law)
    library.jetan_perft.restype = ctypes.c_int64
    library.jetan_perft.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32]
    return int(library.jetan_perft(law.address, standing_of(position), depth))
