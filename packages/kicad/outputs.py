"""What is put out of a board: all that a maker of boards asks for, and what helps to solder it."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from jetan_table.extras.workshop.circuits import Circuit

from .ipc import pads
from .kicad import KiCad
from .orders import orders
from .parts_page import drawing, parts_page

LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,B.SilkS,Edge.Cuts"
AWAY_MM = 50.0
"""How far a board lies off the corner of KiCad's sheet."""

DAY = b"2026-01-01T00:00:00+00:00"
"""Stands for the time at which a file was made, so that the same board makes the same files."""

_TIMES = re.compile(
    rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[+-]\d\d:?\d\d)?|(?<=\(D:)\d{14}(?:[+-]\d\d'\d\d')?"
)
PLACEMENT = "pcb export pos --format csv --units mm --side both --smd-only"
PDF = (
    "sch export pdf --black-and-white --exclude-drawing-sheet "
    "--exclude-pdf-property-popups --exclude-pdf-metadata"
)
IBOM = Path("usr/local/bin/generate_interactive_bom")
"""InteractiveHtmlBom's program, below KiCad's root: `pip install InteractiveHtmlBom` puts it there.
"""
RENDER = "pcb render --quality basic --width 1600 --height 900 --background opaque --side"


def outputs(kicad: KiCad, circuit: Circuit) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of each file for a board that was drawn."""
    name = circuit.name
    board, sheet = f"{name}.kicad_pcb", f"{name}.kicad_sch"
    yield f"{name}/gerbers.zip", gerbers(kicad, name)
    placement = kicad.cli(PLACEMENT, f"{name}-pos.csv", board).decode()
    for file, text in orders(circuit, placement):
        yield f"{name}/{file}", text.encode()
    yield f"{name}/schematic.pdf", timeless(kicad.cli(PDF, f"{name}.pdf", sheet))
    tested = kicad.cli("pcb export ipcd356", f"{name}.ipc", board)
    yield f"{name}/test.ipc", tested
    shown = list(pads(tested.decode()))
    yield f"{name}/placement.svg", drawing(circuit, shown, AWAY_MM).encode()
    yield f"{name}/parts.html", parts_page(circuit, shown, AWAY_MM).encode()


def originals(kicad: KiCad, circuit: Circuit) -> Iterator[tuple[str, bytes]]:
    """Yield KiCad's own files, to change a board by hand."""
    name = circuit.name
    for file in (f"{name}.kicad_sch", f"{name}.kicad_pcb"):
        yield f"{name}/{file}", (kicad.folder / file).read_bytes()


def renders(kicad: KiCad, circuit: Circuit) -> Iterator[tuple[str, bytes]]:
    """Yield a picture of either side of a board. No two pictures are quite the same."""
    name = circuit.name
    for side in ("top", "bottom"):
        picture = kicad.cli(f"{RENDER} {side}", f"{name}-{side}.png", f"{name}.kicad_pcb")
        yield f"{name}/{side}.png", picture


def interactive_bom(kicad: KiCad, circuit: Circuit) -> Iterator[tuple[str, bytes]]:
    """Yield InteractiveHtmlBom's page to solder a board by, if that program is installed.

    It reads boards by `pcbnew`, so it runs where KiCad does. The page names the board's time.
    """
    name = circuit.name
    if (kicad.root / IBOM).exists():
        words = "--no-browser --include-nets --dest-dir . --name-format %f-bom"
        quiet = ("env", "INTERACTIVE_HTML_BOM_NO_DISPLAY=1")  # else it opens a window
        kicad.run(*quiet, f"/{IBOM}", *words.split(), f"{name}.kicad_pcb")
        yield f"{name}/interactive-bom.html", (kicad.folder / f"{name}-bom.html").read_bytes()


def timeless(content: bytes) -> bytes:
    """Return a file without the time at which it was made."""

    def day(found: re.Match[bytes]) -> bytes:
        return DAY[: len(found[0])] if b"-" in found[0] else b"2" * len(found[0])

    return _TIMES.sub(day, content)


def gerbers(kicad: KiCad, name: str) -> bytes:
    """Return the layers and the holes of a board, packed as makers of boards take them."""
    folder = kicad.folder / f"{name}-gerbers"
    board = f"{name}.kicad_pcb"
    folder.mkdir(exist_ok=True)
    kicad.run(*f"kicad-cli pcb export gerbers --layers {LAYERS} -o {folder.name} {board}".split())
    drills = "--excellon-separate-th --excellon-units mm"
    kicad.run(*f"kicad-cli pcb export drill {drills} -o {folder.name}/ {board}".split())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(folder.iterdir()):
            entry = zipfile.ZipInfo(path.name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, timeless(path.read_bytes()), compresslevel=9)
    return packed.getvalue()
