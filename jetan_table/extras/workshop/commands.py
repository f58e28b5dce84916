"""`jetan build`: everything to order, to print and to cut for a table of one's own."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

from rich.console import Console
from rich.progress import track

from hardware.build import LEAST_MM, MOST_MM, Build, Shape, Way, build_of
from rules.sentences import _

from ...cli.options import FOLDER, Json, Words, argument, command, option, print_json
from ...errors import MissingPackage
from ...files import write_whole

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
    out: Annotated[Path, argument(type=FOLDER)],
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
    from .boards import is_ready

    wanted = build_of(board, way, square_mm)
    making = makers(wanted)
    bar = track(making, str(out), console=Console(stderr=True), transient=True, disable=as_json)
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


def makers(build: Build) -> Sequence[Callable[[Build], Made]]:
    """Return what makes the files of a table."""
    from .boards import boards
    from .case import case
    from .paper import paper, surface
    from .pieces import pieces
    from .templates import templates

    if build.way == "paper":
        return [paper, _parts]
    has_case = build.way == "strip" or build.board == "ninth-ray"
    inside = [boards if build.way == "strip" else templates, *([case] if has_case else [])]
    return [surface, *inside, pieces, _parts]


def _parts(build: Build) -> Made:
    from .parts import parts_list

    yield "parts.csv", parts_list(build)
