"""Time and chance are arguments; only the outermost places read a clock or throw a die."""

import ast
from pathlib import Path
from typing import Final

from tests.tidy.tree import ROOT, assert_none, package_files, parse, shown

PLACES: Final = ("jetan_table/cli/", "jetan_table/table/loop.py", "jetan_table/wiring.py")
CLOCKS: Final = {"time": None, "datetime": {"now", "today", "utcnow"}, "date": {"today"}}
CHANCE: Final = {"random": None, "secrets": None}


def is_drawn(call: ast.Call) -> bool:
    """Whether `call` asks the world for a time or a random value.

    `random.Random(seed)` does not: whoever passes the seed knows what will come.
    """
    match call.func:
        case ast.Attribute(value=ast.Name(id="random"), attr="Random"):
            return not call.args
        case ast.Attribute(value=ast.Name(id=module), attr=attribute):
            sources = CLOCKS | CHANCE
            return module in sources and attribute in (sources[module] or {attribute})
        case ast.Attribute(value=ast.Attribute(attr=cls), attr=attribute):
            return attribute in (CLOCKS.get(cls) or ())
    return False


def offences_in(path: Path) -> list[str]:
    offences = []
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            imported = {alias.name for alias in node.names}
            if node.module in {"time", "secrets"} or (
                node.module == "random" and imported != {"Random"}
            ):
                offences.append(f"{shown(path, node)}: import {node.module} as a module")
        elif isinstance(node, ast.Call) and is_drawn(node):
            offences.append(
                f"{shown(path, node)}: {ast.unparse(node.func)}: take it as an argument"
            )
    return offences


def test_time_and_chance_are_arguments() -> None:
    offences = []
    for path in package_files():
        if not path.relative_to(ROOT).as_posix().startswith(PLACES):
            offences += offences_in(path)
    assert_none(offences)
