"""Imports go one way, and each package stands on what it may."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.tidy.tree import PACKAGES, ROOT, assert_none, package_files, parse, shown

MAY_IMPORT: Final = {
    "rules": set[str](),
    "hardware": {"rules", "RPi", "lgpio", "spidev"},
    "firmware_bridge": {"rules", "hardware", "serial"},
    "vision": {"rules", "hardware", "cv2", "numpy"},
    "jetan_table": {
        *PACKAGES,
        *("click", "msgspec", "rich", "segno", "starlette", "tomlkit", "uvicorn"),
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
