"""Every test is able to fail."""

import ast

from tests.tidy.tree import ROOT, assert_none, functions, python_files, shown


def asserts_something(test: ast.AST) -> bool:
    """Whether a test compares something, expects something, or calls an `assert_...` function."""
    for node in ast.walk(test):
        if isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant):
            return True
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in {"pytest.raises", "pytest.warns", "expect"}:
                return True
            if name.rpartition(".")[2].startswith("assert_"):
                return True
    return False


def test_every_test_asserts_something() -> None:
    offences = [
        f"{shown(path, node)}: {node.name} asserts nothing"
        for path in python_files(ROOT / "tests")
        for node in functions(path)
        if path.name.startswith("test_") and node.name.startswith("test_")
        if not asserts_something(node)
    ]
    assert_none(offences)
