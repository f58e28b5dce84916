"""All that is printed for a table of paper: files by their paths, from one Build."""

from collections.abc import Iterator

from hardware.build import Build

from .board import board_sheet
from .pieces import disc_of, set_of_pieces, standing_of
from .sheet import Point, Sheet, format_pages, format_sheet
from .stand import stand_sheet
from .tiles import PAPERS, laid_out, tiles

FOLDER = "paper"


def paper(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield a PDF for each size of paper, the board whole for a print shop, and its markers.

    `jetan watch --markers` reads the markers' file.
    """
    for name, size in PAPERS.items():
        yield f"{FOLDER}/{name}.pdf", format_pages(pages(build, size))
    whole = board_sheet(build)
    yield f"{FOLDER}/board.pdf", format_sheet(whole, "pdf")
    yield f"{FOLDER}/board.svg", format_sheet(whole, "svg")
    assert whole.markers is not None
    yield f"{FOLDER}/markers.json", f"{whole.markers}\n".encode()


def surface(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield the board that is played on, to be glued on wood: in pages, and whole for a shop."""
    sheet = board_sheet(build)
    for name, size in PAPERS.items():
        yield f"surface/{name}.pdf", format_pages(tiles(sheet, size))
    yield "surface/board.pdf", format_sheet(sheet, "pdf")


def pages(build: Build, size: Point) -> list[Sheet]:
    """Return the board in pages, then discs, then standing pieces, then the camera's stand."""
    men = set_of_pieces()
    return [
        *tiles(board_sheet(build), size),
        *laid_out([disc_of(man, build) for man in men], size),
        *laid_out([standing_of(man, build) for man in men], size),
        stand_sheet(build, size),
    ]
