"""Imports go one way, and each package stands on what it may."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.tidy.tree import (
    PACKAGES,
    ROOT,
    assert_none,
    imported_modules,
    package_files,
    parse,
    python_files,
    shown,
)

MAY_IMPORT: Final = {
    "rules": set[str](),
    "hardware": {"rules", "RPi", "lgpio", "spidev"},
    "firmware_bridge": {"rules", "hardware", "serial"},
    "vision": {"rules", "hardware", "cv2", "numpy"},
    "jetan_table": {
        *PACKAGES,
        *("click", "msgspec", "paho", "pairing_core", "rich", "segno"),
        *("starlette", "tomlkit", "uvicorn"),
        *("cv2", "manifold3d", "numpy"),
    },
}


def absolute_imports(path: Path) -> Iterator[tuple[ast.stmt, str]]:
    """Each absolute import in a module, those inside functions too, with its first name."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node, node.module.partition(".")[0]


def test_imports_go_one_way() -> None:
    offences = []
    for path in package_files():
        own = path.relative_to(ROOT).parts[0]
        for node, name in absolute_imports(path):
            if name != own and name not in sys.stdlib_module_names and name not in MAY_IMPORT[own]:
                offences.append(f"{shown(path, node)}: {own} may not import {name}")
    assert_none(offences)


def test_imports_inside_a_package_are_relative() -> None:
    offences = []
    for path in package_files():
        own = path.relative_to(ROOT).parts[0]
        for node, name in absolute_imports(path):
            if name == own:
                offences.append(f"{shown(path, node)}: import from {own} relatively")
    assert_none(offences)


def test_relative_imports_stay_inside_their_package() -> None:
    offences = []
    for path in package_files():
        depth = len(path.relative_to(ROOT).parts) - 1
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ImportFrom) and node.level > depth:
                offences.append(f"{shown(path, node)}: leaves the package")
    assert_none(offences)


FLOORS: Final = (
    ("errors", "files", "languages", "notices"),
    ("game", "engine"),
    ("reading",),
    ("journal", "session"),
    ("light",),
    ("settings", "table", "replay"),
    ("people",),
    ("boards", "machine"),
    ("terminal",),
    ("wiring", "page"),
    ("cli",),
    ("extras",),
)
"""The rooms of `jetan_table`, and the modules at its root. What a line may import stands above it.

`files` alone stands on its neighbour: a file that cannot be read is an error.
"""

FLOOR_OF: Final = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
FACES: Final = {"__init__", "__main__"}
"""What is run or asked for its version: doors, not rooms."""

MOST_AT_THE_ROOT: Final = 6


def imported_rooms(path: Path) -> Iterator[tuple[ast.stmt, str]]:
    """Each room that a module of `jetan_table` imports from, its own left out.

    Imports inside functions count, and those for types.
    """
    inside = path.relative_to(ROOT / "jetan_table").parts
    for node in ast.walk(parse(path)):
        if not isinstance(node, ast.ImportFrom) or node.level != len(inside):
            continue
        names = [node.module] if node.module else [alias.name for alias in node.names]
        for name in names:
            yield node, name.partition(".")[0]


def room_of(path: Path) -> str:
    """The room a module stands in, or its own name at the root."""
    first = path.relative_to(ROOT / "jetan_table").parts[0]
    return first.removesuffix(".py")


def test_every_room_has_its_floor() -> None:
    stand = {room_of(path) for path in python_files(ROOT / "jetan_table")} - FACES
    assert stand == FLOOR_OF.keys()


def test_few_modules_lie_at_the_root() -> None:
    loose = [path for path in (ROOT / "jetan_table").glob("*.py") if path.stem not in FACES]
    assert len(loose) <= MOST_AT_THE_ROOT


def test_a_room_imports_lower_rooms_only() -> None:
    offences = []
    for path in python_files(ROOT / "jetan_table"):
        own = room_of(path)
        if own in FACES:
            continue
        for node, room in imported_rooms(path):
            if room in ("__version__", own) or (own, room) == ("files", "errors"):
                continue
            if FLOOR_OF[room] >= FLOOR_OF[own]:
                offences.append(f"{shown(path, node)}: {own} stands below {room}, or beside it")
    assert_none(offences)


def test_a_session_opens_no_file() -> None:
    """It is a pure machine: what is on the disk is the journal's, and no affair of its own."""
    look = "import sys, jetan_table.session.session; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert_none(name for name in loaded if name == "sqlite3" or "journal" in name)


def test_modules_import_each_other_one_way() -> None:
    graph = {path: set(imported_modules(path)) for path in package_files()}
    circles = [component for component in components(graph) if len(component) > 1]
    assert_none(", ".join(sorted(map(shown, circle))) for circle in circles)


def components(graph: dict[Path, set[Path]]) -> list[set[Path]]:
    """The sets of modules that reach each other, each module in one of them."""

    def reached(start: Path, edges: dict[Path, set[Path]]) -> set[Path]:
        found, left = {start}, [start]
        while left:
            new = edges.get(left.pop(), set()) - found
            found |= new
            left += new
        return found

    back: dict[Path, set[Path]] = {}
    for path, imported in graph.items():
        for other in imported:
            back.setdefault(other, set()).add(path)
    parts, left = [], set(graph)
    while left:
        start = min(left)
        part = reached(start, graph) & reached(start, back)
        parts.append(part)
        left -= part
    return parts
