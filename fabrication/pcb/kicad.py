"""Makes a circuit with KiCad, which lies on this machine or under another root."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .circuit import Circuit
from .schematic import schematic

HERE = Path(__file__).parent
SHARE = Path("usr/share/kicad")
LIBRARIES = {"sym": "symbols", "fp": "footprints"}


@dataclass(frozen=True, slots=True)
class KiCad:
    """KiCad 9 under a root, which is `/` where this machine has it itself.

    Its programs work in `folder`, which lies under the root.
    """

    root: Path
    folder: Path

    def runs(self, *words: str) -> str:
        """Run a command in the folder; return what it says. RuntimeError: it has failed."""
        inside = "/" / self.folder.relative_to(self.root)
        command = ["sh", "-c", 'cd "$0" && exec "$@"', str(inside), *words]
        entered = [] if self.root == Path("/") else _rights("chroot", str(self.root))
        path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
        done = subprocess.run(
            [*entered, "env", "-i", path, f"HOME={inside}", *command],
            check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}\n{done.stdout}")
        return done.stdout

    def symbols(self, library: str) -> str:
        """Return the text of a library of symbols."""
        return (self.root / SHARE / "symbols" / f"{library}.kicad_sym").read_text(encoding="utf-8")

    def draw(self, circuit: Circuit, board: Circuit | None = None) -> None:
        """Write the schematic, its netlist and the board; the board of another circuit on wish."""
        name = circuit.name
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "kicad_board.py").write_bytes((HERE / "kicad_board.py").read_bytes())
        for kind, text in _tables(circuit).items():
            (self.folder / f"{kind}-lib-table").write_text(text, encoding="utf-8")
        (self.folder / f"{name}.kicad_sch").write_text(schematic(circuit, self.symbols), encoding="utf-8")
        described = vars_of(board or circuit)
        (self.folder / f"{name}.json").write_text(json.dumps(described), encoding="utf-8")
        self.runs("kicad-cli", "sch", "export", "netlist", "--format", "kicadxml", "-o", f"{name}.xml", f"{name}.kicad_sch")
        self.runs("python3", "kicad_board.py", f"{name}.json", f"{name}.xml", f"{name}.kicad_pcb")
