"""Everything a table is made from, file by file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from hardware.build import Build

from .parts import parts_list

Made = Iterator[tuple[str, bytes]]
"""Files: their paths below the folder that they are written to, and their bytes."""

Maker = Callable[[Build], Made]


def makers(build: Build) -> Mapping[str, Maker]:
    """Return what makes the files of a table, by what they are."""
    from .case import case
    from .paper.kit import paper, surface
    from .pcb.ready import boards
    from .pieces import pieces
    from .templates import templates

    if build.way == "paper":
        return {"paper": paper, "parts": _parts}
    made: dict[str, Maker] = {"surface": surface, "pieces": pieces, "parts": _parts}
    if build.way == "strip":
        made["boards"] = boards
    else:
        made["drilling"] = templates
    if build.way == "strip" or build.board == "ninth-ray":
        made["case"] = case
    return made


def _parts(build: Build) -> Made:
    yield "parts.csv", parts_list(build)
