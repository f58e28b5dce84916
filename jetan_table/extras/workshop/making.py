"""Everything a table is made from, file by file."""

from collections.abc import Callable, Iterator, Sequence

from hardware.build import Build

from .parts import parts_list

Made = Iterator[tuple[str, bytes]]
"""Files: their paths below the folder that they are written to, and their bytes."""

Maker = Callable[[Build], Made]


def makers(build: Build) -> Sequence[Maker]:
    """Return what makes the files of a table."""
    from .case import case
    from .paper.kit import paper, surface
    from .pcb.ready import boards
    from .pieces import pieces
    from .templates import templates

    if build.way == "paper":
        return [paper, _parts]
    has_case = build.way == "strip" or build.board == "ninth-ray"
    inside = [boards if build.way == "strip" else templates, *([case] if has_case else [])]
    return [surface, *inside, pieces, _parts]


def _parts(build: Build) -> Made:
    yield "parts.csv", parts_list(build)
