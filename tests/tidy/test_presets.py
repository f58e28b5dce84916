"""A preset is data: the interpreter reads options and never asks which preset they came from."""

import ast
from typing import Final

from rules.options import OPTIONS, PRESETS
from tests.tidy.tree import ROOT, assert_none, parse, python_files, shown

TABLE: Final = {"PRESETS", "RECOMMENDED", "DEFAULT_PRESET"}


def test_only_the_table_of_presets_names_them() -> None:
    option_values = {value for option in OPTIONS.values() for value in option.values}
    names = PRESETS.keys() - option_values
    assert_none(
        f"{shown(path, node)}: {node.value}: ask for the option"
        for path in python_files(ROOT / "rules")
        for statement in parse(path).body
        if not (isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) in TABLE)
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and node.value in names
    )
