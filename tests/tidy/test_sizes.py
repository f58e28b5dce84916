"""Files and functions stay small enough to be read at once."""

from typing import Final

from tests.tidy.tree import all_python_files, functions, shown

MOST_LINES_OF_A_FILE: Final = 700
MOST_LINES_OF_A_FUNCTION: Final = 60


def test_files_stay_small() -> None:
    lengths = {shown(path): len(path.read_text().splitlines()) for path in all_python_files()}
    assert {name: n for name, n in lengths.items() if n > MOST_LINES_OF_A_FILE} == {}


def test_functions_stay_small() -> None:
    lengths = {
        f"{shown(path, node)} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path in all_python_files()
        for node in functions(path)
    }
    assert {name: n for name, n in lengths.items() if n > MOST_LINES_OF_A_FUNCTION} == {}
