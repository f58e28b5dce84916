"""Has circuits drawn, checked and put out by KiCad 9, on this machine or under another root."""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jetan_table.extras.workshop.circuits import Circuit

from .schematic import schematic

HERE = Path(__file__).parent
SHARE = Path("usr/share/kicad")
OWN = "jetan"
"""The library of our own footprints."""

ORIGINALS = {"PinHeader": "Connector_PinHeader_2.54mm", "PinSocket": "Connector_PinSocket_2.54mm"}
"""Where those of our footprints come from that are KiCad's without their print: they stand over a
board's edge, where nothing can be printed."""

_PRINT = re.compile(r'^\t\(fp_(?:(?!^\t\)).)*"F\.SilkS".*?^\t\)\n', re.M | re.S)


@dataclass(frozen=True, slots=True)
class KiCad:
    """KiCad under a root, and a folder there for it to draw one circuit in.

    What else lies in the folder would change the names that it gives things, and their order.
    `enter` is the command that runs others under that root, `chroot DIR`; empty for this machine.
    """

    folder: Path
    root: Path = Path("/")
    enter: Sequence[str] = ()

    def run(self, *words: str) -> None:
        """Run a program in the folder. RuntimeError: it has failed, and said this."""
        home = "/" / self.folder.relative_to(self.root)
        path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
        command = ["env", "-i", path, f"HOME={home}", "sh", "-c", 'cd "$HOME" && exec "$0" "$@"']
        done = subprocess.run(
            [*self.enter, *command, *words],
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}\n{done.stdout}")

    def cli(self, words: str, out: str, source: str) -> bytes:
        """Have one file made of another by `kicad-cli`; return it."""
        self.run("kicad-cli", *words.split(), "-o", out, source)
        return (self.folder / out).read_bytes()

    def symbols(self, library: str) -> str:
        """Return the text of a library of symbols."""
        return (self.root / SHARE / "symbols" / f"{library}.kicad_sym").read_text(encoding="utf-8")

    def draw_sheet(self, circuit: Circuit) -> str:
        """Write the schematic; return the netlist that KiCad makes of it."""
        name = circuit.name
        self.folder.mkdir(exist_ok=True)
        self._lay_libraries(circuit)
        self._write(f"{name}.kicad_sch", schematic(circuit, self.symbols))
        export = "sch export netlist --format kicadxml"
        return self.cli(export, f"{name}.xml", f"{name}.kicad_sch").decode()

    def draw(self, circuit: Circuit, board: Circuit | None = None) -> str:
        """Write the schematic and its board, or the `board` of another circuit; say the netlist."""
        name, netlist = circuit.name, self.draw_sheet(circuit)
        self._write(f"{name}.json", json.dumps(asdict(board or circuit)))
        self.run("python3", "kicad_board.py", f"{name}.json", f"{name}.xml", f"{name}.kicad_pcb")
        return netlist

    def findings(self, name: str) -> list[str]:
        """Return what the rules for schematics and boards find: what kind, and where."""
        rules = "--severity-all --format json"
        found = json.loads(self.cli(f"sch erc {rules}", "erc.json", f"{name}.kicad_sch"))
        listed = [("erc", each) for sheet in found["sheets"] for each in sheet["violations"]]
        rules += " --all-track-errors --schematic-parity"
        found = json.loads(self.cli(f"pcb drc {rules}", "drc.json", f"{name}.kicad_pcb"))
        kinds = {"drc": "violations", "open": "unconnected_items", "parity": "schematic_parity"}
        listed += [(kind, each) for kind, key in kinds.items() for each in found[key]]
        return [_told(kind, each) for kind, each in listed]

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def _lay_libraries(self, circuit: Circuit) -> None:
        """Lay out what KiCad looks for beside a project: settings, footprints, and our script."""
        shutil.copy(HERE / "kicad_board.py", self.folder)
        self._write(f"{circuit.name}.kicad_pro", "{}")
        symbols = {part.symbol.partition(":")[0] for part in circuit.parts} | {"power"}
        places = {nick: f"/{SHARE}/symbols/{nick}.kicad_sym" for nick in sorted(symbols)}
        self._write("sym-lib-table", _table("sym", places))
        for nick, shape in {tuple(part.footprint.split(":")) for part in circuit.parts}:
            (self.folder / f"{nick}.pretty").mkdir(exist_ok=True)
            self._write(f"{nick}.pretty/{shape}.kicad_mod", self._footprint(nick, shape))
        nicks = {part.footprint.partition(":")[0] for part in circuit.parts}
        places = {nick: f"${{KIPRJMOD}}/{nick}.pretty" for nick in sorted(nicks)}
        self._write("fp-lib-table", _table("fp", places))

    def _footprint(self, nick: str, shape: str) -> str:
        """Return a footprint's text: KiCad's, our own, or KiCad's without what is printed."""
        own = HERE / f"{nick}.pretty" / f"{shape}.kicad_mod"
        if own.exists():
            return own.read_text(encoding="utf-8")
        library = ORIGINALS[shape.partition("_")[0]] if nick == OWN else nick
        path = self.root / SHARE / "footprints" / f"{library}.pretty" / f"{shape}.kicad_mod"
        text = path.read_text(encoding="utf-8")
        return _PRINT.sub("", text).replace("F.SilkS", "F.Fab") if nick == OWN else text


def _table(kind: str, places: dict[str, str]) -> str:
    rows = [
        f'(lib (name "{name}") (type "KiCad") (uri "{place}") (options "") (descr ""))'
        for name, place in places.items()
    ]
    return "\n".join([f"({kind}_lib_table (version 7)", *rows, ")"]) + "\n"


def _told(kind: str, finding: dict[str, Any]) -> str:
    items = "; ".join(item["description"] for item in finding["items"])
    return f"{kind} {finding['type']}: {finding['description']} {items}"
