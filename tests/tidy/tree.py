"""The project's files as the house rules see them."""

import ast
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = tuple(
    name
    for name in ("rules", "hardware", "firmware_bridge", "vision", "jetan_table")
    if (ROOT / name / "__init__.py").is_file()
)


def package_files() -> list[Path]:
    """Every module of the packages."""
    return [path for name in PACKAGES for path in python_files(ROOT / name)]


def all_python_files() -> list[Path]:
    """Every module of the packages, the tests, the benches and the training."""
    beside = (python_files(ROOT / name) for name in ("tests", "bench", "training", "tools"))
    return [*package_files(), *chain.from_iterable(beside)]


def python_files(folder: Path) -> list[Path]:
    """The modules in `folder` and below, in order of name."""
    return sorted(folder.rglob("*.py"))


@cache
def parse(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(), str(path))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method of a module, nested ones included."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def imported_modules(path: Path) -> Iterator[Path]:
    """Each module of ours that a module imports, by its file; packages' own too."""
    folder = path.parent
    for node in ast.walk(parse(path)):
        if not isinstance(node, ast.ImportFrom) or node.module == "__future__":
            continue
        base = folder.parents[node.level - 2] if node.level > 1 else folder
        base = base if node.level else ROOT
        base = base.joinpath(*(node.module or "").split(".")) if node.module else base
        for alias in node.names:
            for found in (base / f"{alias.name}.py", base.with_suffix(".py"), base / "__init__.py"):
                if found.is_file() and found != path:
                    yield found
                    break


def shown(path: Path, node: ast.AST | None = None) -> str:
    """`path` as a message names it, with the line of `node`."""
    where = path.relative_to(ROOT).as_posix()
    return f"{where}:{node.lineno}" if isinstance(node, ast.stmt | ast.expr | ast.arg) else where


def assert_none(offences: Iterable[str], mend: str = "") -> None:
    """Fail with every one of `offences`, one a line, and what mends them."""
    found = list(offences)
    assert not found, "\n".join(["", *found, mend])


def tracked_texts() -> dict[Path, str]:
    """Every text file under version control, by path. Needs git and a checkout."""
    # A container often runs as another user than the checkout's owner, which git refuses.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    texts = {}
    for name in filter(None, listing.split("\0")):
        path = ROOT / name
        if path.suffix == ".pdf" or not path.is_file():
            continue
        if b"\0" not in (content := path.read_bytes()):
            texts[path] = content.decode()
    return texts
