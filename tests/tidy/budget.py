"""How much there is of the project, and how much there may be: `python -m tests.tidy.budget`.

`budget.toml` beside it holds what each part may have at most. The command lowers a number where
there is less by now, and raises none: whoever needs more takes it from elsewhere, or changes the
file by hand and says why. Lines that hold only a comment are free: reasons are wanted.
"""

import ast
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from tests.tidy.tree import PACKAGES, ROOT, imported_modules, package_files, parse, python_files

BUDGET: Final = Path(__file__).with_name("budget.toml")
BESIDE: Final = ("tests", "bench", "training", "tools", "packages", "docs")
LIBRARIES: Final = ("engine", "people")
"""Rooms of `jetan_table` that are libraries: they are no part of the core."""

Figures = dict[str, dict[str, int]]


def measured() -> Figures:
    """Count lines, modules and classes of each part, and how the product's modules hang together.

    `edges` are imports of one module of ours by another, `chain` is the longest row of modules of
    which each imports the next. The parts are the product, its core, its packages and libraries,
    each feature, and what stands beside the product.
    """
    sys.setrecursionlimit(10_000)
    graph = {path: frozenset(imported_modules(path)) for path in package_files()}

    @cache
    def chain(path: Path) -> int:
        return 1 + max((chain(each) for each in graph[path]), default=0)

    def joined(paths: list[Path]) -> dict[str, int]:
        return {
            **sized(paths),
            "edges": sum(len(graph[path]) for path in paths),
            "chain": max(map(chain, paths)),
        }

    table = ROOT / "jetan_table"
    features = sorted(path.parent for path in (table / "extras").glob("*/__init__.py"))
    apart = [*features, *(table / name for name in LIBRARIES)]
    core = [path for path in graph if not any(map(path.is_relative_to, apart))]
    rooms = [*(ROOT / name for name in PACKAGES if name != "jetan_table"), *apart[::-1]]
    return {
        "product": joined(list(graph)),
        "core": joined(core),
        **{room.name: joined(python_files(room)) for room in rooms},
        **{name: sized(python_files(ROOT / name)) for name in BESIDE},
    }


def sized(paths: list[Path]) -> dict[str, int]:
    """Count the lines, modules and classes of some modules."""
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    return {
        "lines": sum(not line.lstrip().startswith("#") for line in lines),
        "modules": len(paths),
        "classes": sum(
            isinstance(node, ast.ClassDef) for path in paths for node in ast.walk(parse(path))
        ),
    }


def budget() -> Figures:
    """Read what there may be."""
    return tomllib.loads(BUDGET.read_text(encoding="utf-8"))


def lowered(may: Figures, now: Figures) -> Figures:
    """Return the smaller of each two figures; parts that are new as they are."""
    return {
        part: {key: min(count, may.get(part, {}).get(key, count)) for key, count in counts.items()}
        for part, counts in now.items()
    }


def written(figures: Mapping[str, Mapping[str, int]]) -> str:
    """Write figures as TOML, a line for each part."""
    lines = ["# What each part may have at most; `python -m tests.tidy.budget` lowers it."]
    for part, counts in figures.items():
        row = ", ".join(f"{key} = {count}" for key, count in counts.items())
        lines.append(f'"{part}" = {{ {row} }}')
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    BUDGET.write_text(written(lowered(budget() if BUDGET.exists() else {}, measured())))
