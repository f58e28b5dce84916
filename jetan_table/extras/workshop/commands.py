"""`jetan build` and `jetan camera sheet`: all to order, print and cut for a table of one's own."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

from hardware.build import (
    LEAST_MM,
    MOST_MM,
    RING_MM,
    SQUARE_MM,
    Build,
    Shape,
    Way,
    build_of,
)
from rules import _
from vision.errors import require_opencv

from ...cli.camera import OutFile
from ...cli.options import FOLDER_TYPE, Json, Words, argument, command, misused, option, print_json
from ...errors import MissingPackage
from ...files import write_whole
from ...terminal.text import progress

NEEDED: Final = ("numpy", "cv2", "manifold3d")

Made = Iterator[tuple[str, bytes]]
"""Files: their paths below the folder that they are written to, and their bytes."""


@command(
    "jetan build table",
    "jetan build disk --board ninth-ray",
    "jetan build first-evening --way paper",
    "jetan build wide --way wired --square-mm 50",
)
def build(
    out: Annotated[Path, argument(type=FOLDER_TYPE)],
    board: Annotated[Shape, option("The flat board, or the disk.", default="grid")],
    way: Annotated[
        Way | None,
        "Paper under a camera; strips, which are circuit boards of five squares; or "
        "switches wired by hand. If not said, strips for a flat board, and a disk is wired.",
    ],
    square_mm: Annotated[
        float | None,
        option(
            "The squares' side, 45 if not said; on a disk the outer rings' width, 34 if not said.",
            within=(LEAST_MM, MOST_MM),
        ),
    ],
    as_json: Json,
    say: Words,
) -> None:
    """Write all that a table is made from into the folder OUT: files to order, print and cut.

    docs/build leads you through each way. Files that exist already are overwritten.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise MissingPackage(
            _("jetan build stands on {missing}: pip install 'jetan-table[build]'"),
            missing=", ".join(missing),
        )
    from .parts import is_ready

    wanted = build_of(board, way, square_mm)
    making = makers(wanted)
    bar = progress(making, str(out), is_hidden=as_json)
    made = [file for maker in bar for file in maker(wanted)]
    for name, content in made:
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
        if as_json:
            print_json({"file": name, "bytes": len(content)})
    if as_json:
        return
    folders = Counter(name.partition("/")[0] for name, _content in made)
    for name, count in folders.items():
        print(f"{count:4} {out / name}")
    if wanted.way == "strip" and not is_ready(wanted):
        hint = _("strips for such squares are drawn by KiCad: python -m packages.kicad --help")
        print(say(hint))


@command(
    "jetan camera sheet --out border.svg",
    "jetan camera sheet --board ninth-ray --squares --out board.pdf",
    "jetan camera sheet --squares --tiles --out pages.pdf",
    "jetan camera sheet --cards --out cards.pdf",
    "jetan camera sheet --charuco --out lens.pdf",
    name="sheet",
)
def camera_sheet(
    board: Annotated[Shape, option(default="grid")],
    cards: Annotated[bool, "Loose cards on A4, to lay beside any board."],
    charuco: Annotated[bool, "Squares and markers on A4, to measure a lens by."],
    squares: Annotated[bool, "The board's squares too."],
    tiles: Annotated[
        bool, "A PDF of A4 pages to glue together; else one sheet, for a copy shop if it is large."
    ],
    square_mm: Annotated[
        float | None,
        option(
            "Side of a square; of a disk the width of its four outer rings. Usually "
            f"{SQUARE_MM:g}, of a disk {RING_MM:g}.",
            within=(LEAST_MM, MOST_MM),
        ),
    ],
    out: OutFile,
    say: Words,
) -> None:
    """Write a sheet to print at its true size. It is SVG, or PDF where --out ends so.

    A board at its usual size is larger than printers at home take: let a copy shop print it, give
    --tiles for A4 pages, or --square-mm 16, which fits on one.

    Beside a border's sheet its markers are written as .json, for `jetan watch --markers`.
    """
    require_opencv()
    from .paper import board_sheet
    from .sheet import PAPERS, fits, format_pages, format_sheet, lens_sheet
    from .sheet import cards as cards_sheet
    from .sheet import tiles as cut

    suffix = out.suffix.lower().removeprefix(".")
    if suffix not in ("svg", "pdf"):
        raise misused(_("--out {out}: must end in .svg or .pdf"), out=out)
    if cards and charuco:
        raise misused(_("--cards and --charuco are two sheets: write one after the other"))
    if charuco:
        made = lens_sheet()
    elif cards:
        made = cards_sheet()
    else:
        made = board_sheet(build_of(board, "paper", square_mm), squares)
    if tiles:
        if suffix != "pdf":
            raise misused(_("--tiles makes pages: --out must end in .pdf"))
        pages = cut(made, PAPERS["a4"])
        out.write_bytes(format_pages(pages))
        print(say(_("{path}: {pages} pages A4, to be glued together"), path=out, pages=len(pages)))
    else:
        out.write_bytes(format_sheet(made, "pdf" if suffix == "pdf" else "svg"))
        print(f"{out}: {made.width:g} × {made.height:g} mm")
        if not fits(made, PAPERS["a4"]):
            print(say(_("larger than A4: for a copy shop, or give --tiles, or --square-mm 16")))
    if made.markers is not None:
        beside = out.with_suffix(".json")
        beside.write_text(made.markers + "\n", encoding="utf-8")
        print(say(_("{path}: for jetan watch --markers"), path=beside))


def makers(build: Build) -> Sequence[Callable[[Build], Made]]:
    """Return what makes the files of a table."""
    from .case import case
    from .paper import paper, surface, templates
    from .parts import boards, parts_list
    from .pieces import pieces

    if build.way == "paper":
        return [paper, parts_list]
    has_case = build.way == "strip" or build.board == "ninth-ray"
    inside = [boards if build.way == "strip" else templates, *([case] if has_case else [])]
    return [surface, *inside, pieces, parts_list]
