"""Makes all boards: `python -m packages.kicad OUT [--root DIR] [--square-mm N]`.

KiCad 9 is on this machine, or in a Debian 13 under DIR:
`mmdebstrap --variant=apt --include=kicad,kicad-symbols,kicad-footprints,python3
--aptopt='APT::Install-Recommends "false"' trixie DIR`

Where InteractiveHtmlBom is installed beside it (`pip install InteractiveHtmlBom`), each board also
gets that program's page to solder by.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from hardware.build import Build, build_of
from jetan_table.extras.workshop.parts import circuits

from .kicad import KiCad
from .outputs import interactive_bom, originals, outputs, renders


def main(words: Sequence[str] | None = None) -> int:
    """Write the files; return 1 where KiCad finds something wrong with a board."""
    parser = argparse.ArgumentParser(prog="python -m packages.kicad", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--root", type=Path, default=Path("/"))
    parser.add_argument("--square-mm", type=float)
    asked = parser.parse_args(words)
    return make(build_of(square_mm=asked.square_mm), asked.out, asked.root)


def make(build: Build, out: Path, root: Path) -> int:
    """Draw, check and put out all boards of a table by the KiCad under `root`."""
    enter = ["chroot", str(root)] if root != Path("/") else []
    if enter and os.geteuid() != 0:
        enter = ["sudo", "-n", *enter]
    found = []
    with tempfile.TemporaryDirectory(dir=root / "tmp", ignore_cleanup_errors=True) as folder:
        for circuit in circuits(build):
            kicad = KiCad(Path(folder) / circuit.name, root, enter)
            kicad.draw(circuit)
            found += [f"{circuit.name}: {each}" for each in kicad.findings(circuit.name)]
            makers = (outputs, originals, renders, interactive_bom)
            for path, content in chain.from_iterable(maker(kicad, circuit) for maker in makers):
                (out / path).parent.mkdir(parents=True, exist_ok=True)
                (out / path).write_bytes(content)
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
