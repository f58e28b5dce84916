"""Everything a build is made from, file by file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from hardware.build import Build, Way

Made = Iterator[tuple[str, bytes]]
"""Files, by their paths below the folder that they are written to, and their bytes."""

Maker = Callable[[Build], Made]


def makers(way: Way) -> Mapping[str, Maker]:
    """Return what makes the files of a way of building, by the word that people are shown."""
    from .case import case
    from .paper import board, paper
    from .pcb import boards
    from .pieces import pieces
    from .templates import templates

    if way == "paper":
        return {"paper": paper}
    if way == "strip":
        return {"board": board, "circuit boards": boards, "pieces": pieces, "case": case}
    return {"board": board, "templates": templates, "pieces": pieces, "case": case}
