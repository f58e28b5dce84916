"""Imports go one way: between packages, between rooms, and from a room's public face only."""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from jetan_table.extras import extras
from tests.tidy.tree import (
    PACKAGES,
    ROOT,
    assert_none,
    imported_modules,
    package_files,
    parse,
    shown,
)

MAY_IMPORT: Final = {
    "rules": set[str](),
    "hardware": {"rules", "RPi", "gpiod", "lgpio", "spidev"},
    "firmware_bridge": {"rules", "hardware", "serial"},
    "vision": {"rules", "hardware", "cv2", "numpy"},
    "jetan_table": {
        *PACKAGES,
        *("click", "msgspec", "paho", "pairing_core", "segno"),
        *("starlette", "tomlkit", "uvicorn"),
        *("cv2", "manifold3d", "numpy"),
    },
}

FLOORS: Final = (
    ("errors", "languages"),
    ("files", "logs", "notices"),
    ("extras",),
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
)
"""The rooms of `jetan_table`, and the modules at its root, lowest first.

A floor imports lower ones. `extras` is what asks all features; each feature stands above the rooms.
"""

FLOOR_OF: Final = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
DOORS: Final = ("", "__main__", "__version__")
"""What is run or asked for its version."""

LOADED: Final = {
    "jetan_table.extras": {"rules", "errors", "extras", "languages", "notices"},
    "jetan_table.session": {
        *("rules", "hardware"),
        *("engine", "errors", "extras", "game", "languages", "notices", "reading", "session"),
    },
}
"""What may be in memory once a room's modules are imported, standard library apart.

The seam loads no feature and no room, and the session is a pure machine: nothing that touches a
disk. What is not ours is not counted, but for SQLite.
"""


class Import(NamedTuple):
    """A name that a module imports, inside functions and for types too."""

    node: ast.stmt
    module: str
    name: str


@cache
def imports(path: Path) -> list[Import]:
    """Return all that a module imports, by absolute names."""
    found = []
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            found += [Import(node, alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *filter(None, [node.module])])
            found += [Import(node, module, alias.name) for alias in node.names]
    return found


@cache
def is_module(dotted: str) -> bool:
    path = ROOT.joinpath(*dotted.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def placed(dotted: str) -> tuple[str, str]:
    """Return which room a module of ours lies in, and its name there, which is "" for its face.

    Rooms are packages, and the folders of `jetan_table` and of its `extras`; a module at the root
    of `jetan_table` is a room of its own.
    """
    first, _, inside = dotted.partition(".")
    if first != "jetan_table":
        return first, inside
    room, _, inside = inside.partition(".")
    if room == "extras" and inside:
        feature, _, inside = inside.partition(".")
        return f"extras.{feature}", inside
    return room, inside


def place_of(path: Path) -> tuple[str, str]:
    """Return the room that a file lies in, and its name there."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return placed(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def used(path: Path) -> Iterator[tuple[ast.stmt, str, str]]:
    """Yield what a module uses of other rooms: the room, and what of it, "" for its face."""
    own = place_of(path)[0]
    for node, module, name in imports(path):
        if module.split(".")[0] not in PACKAGES:
            continue
        room, inside = placed(f"{module}.{name}" if is_module(f"{module}.{name}") else module)
        if room != own:
            yield node, room, inside or (name if placed(module)[0] == room else "")


def face_of(room: str) -> Path:
    folder = ROOT / (room if room in PACKAGES else f"jetan_table/{room.replace('.', '/')}")
    return folder / "__init__.py"


@cache
def said(room: str) -> tuple[str, ...] | None:
    """Return what a room says that others may use, its `__all__`."""
    for node in parse(face_of(room)).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            (target, *_) = node.targets if isinstance(node, ast.Assign) else [node.target]
            if ast.unparse(target) == "__all__" and node.value is not None:
                return tuple(ast.literal_eval(node.value))
    return None


ROOMS: Final = sorted(
    {place_of(path)[0] for path in package_files()} - {*DOORS, "jetan_table", "extras"}
)
"""All rooms, and the modules at the root of `jetan_table`."""

FOLDERS: Final = [room for room in ROOMS if face_of(room).is_file()]


def test_imports_go_one_way() -> None:
    assert_none(
        f"{shown(path, node)}: {own} may not import {first}"
        for path in package_files()
        for own in path.relative_to(ROOT).parts[:1]
        for node, module, _name in imports(path)
        for first in module.split(".")[:1]
        if first != own and first not in sys.stdlib_module_names | MAY_IMPORT[own]
    )


def test_imports_inside_a_package_are_relative_and_stay_there() -> None:
    offences = []
    for path in package_files():
        own, *inside = path.relative_to(ROOT).parts
        for node, module, _name in imports(path):
            level = getattr(node, "level", 0)
            if level > len(inside):
                offences.append(f"{shown(path, node)}: leaves the package")
            elif not level and module.split(".")[0] == own:
                offences.append(f"{shown(path, node)}: import from {own} relatively")
    assert_none(offences)


def test_every_room_has_its_floor() -> None:
    inside = [room for room in ROOMS if room not in PACKAGES and "." not in room]
    assert {*inside, "extras"} == FLOOR_OF.keys()


def test_a_room_imports_lower_rooms_and_no_feature_that_it_does_not_need() -> None:
    offences = []
    for path in package_files():
        own = place_of(path)[0]
        needs = extras()[own.partition(".")[2]].needs if "." in own else ()
        for node, room, _inside in used(path):
            if room in PACKAGES or room in DOORS or own in DOORS:
                continue
            if "." in room and room.partition(".")[2] not in needs:
                offences.append(f"{shown(path, node)}: {own} imports {room}, and does not need it")
            elif "." not in room + own and FLOOR_OF[room] >= FLOOR_OF[own]:
                offences.append(f"{shown(path, node)}: {own} stands below {room}, or beside it")
    assert_none(offences)


def test_others_use_what_a_room_says_that_they_may() -> None:
    assert_none(
        f"{shown(path, node)}: {inside} is not in `__all__` of {room}"
        for path in package_files()
        for node, room, inside in used(path)
        if inside and room in FOLDERS
        if inside not in (said(room) or ())
    )


def test_what_a_room_says_is_there() -> None:
    assert_none(
        f"{shown(face)}: {name} of `__all__` is neither a name nor a module there"
        for face in map(face_of, FOLDERS)
        for name in said(place_of(face)[0]) or ()
        if name not in names_in(face) and not is_module(".".join([*face_module(face), name]))
    )


def names_in(path: Path) -> set[str]:
    """Return the names at the top of a module."""
    bound = {name or module for _node, module, name in imports(path)}
    for node in parse(path).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            bound.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            bound |= {ast.unparse(target) for target in targets}
    return bound


def face_module(face: Path) -> tuple[str, ...]:
    return face.relative_to(ROOT).parent.parts


def test_every_room_says_what_others_may_use() -> None:
    assert_none(f"{room} has no `__all__`" for room in FOLDERS if said(room) is None)


@pytest.mark.parametrize("package", LOADED)
def test_a_room_loads_no_more_than_it_stands_on(package: str) -> None:
    """Asked of a process of its own, for imports inside functions are none of these."""
    look = (
        "import sys, pkgutil, importlib; package = importlib.import_module(sys.argv[1]);"
        "names = [each.name for each in pkgutil.iter_modules(package.__path__) if not each.ispkg];"
        "[importlib.import_module(f'{sys.argv[1]}.{name}') for name in names]; print(*sys.modules)"
    )
    command = [sys.executable, "-c", look, package]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rooms = {placed(name)[0] for name in loaded.split() if name.split(".")[0] in PACKAGES}
    assert_none(f"{package} loads {room}" for room in rooms - LOADED[package] - {*DOORS})
    assert "sqlite3" not in loaded.split()


def test_modules_import_each_other_one_way() -> None:
    graph = {path: set(imported_modules(path)) for path in package_files()}
    circles = [circle for circle in components(graph) if len(circle) > 1]
    assert_none(", ".join(sorted(map(shown, circle))) for circle in circles)


def components(graph: dict[Path, set[Path]]) -> Iterable[set[Path]]:
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
    left = set(graph)
    while left:
        start = min(left)
        part = reached(start, graph) & reached(start, back)
        yield part
        left -= part
