"""House rules of code: its words, sizes and sources of chance; and tests that can fail, and prove
what is promised.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeGuard

from rules import OPTIONS, PRESETS
from tests.promises import SURFACES, marks, promised, proved
from tests.tidy.tree import (
    ROOT,
    all_python_files,
    assert_none,
    functions,
    package_files,
    parse,
    python_files,
    shown,
)

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


PLACES: Final = re.compile(
    r"jetan_table/(cli/|table/loop\.py|wiring\.py|extras/\w+/(__init__|commands|trial)\.py)"
)
"""The outermost modules: they hand time and chance on."""

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
        if not PLACES.match(path.relative_to(ROOT).as_posix()):
            offences += offences_in(path)
    assert_none(offences)


def test_the_table_says_what_is_proved_and_no_more() -> None:
    """Where it does not: `python -m tests.promises`."""
    by_tests = proved()
    wrong = [
        f"{each.line}: {sorted(heard ^ each.proved)}"
        for each in promised()
        if (heard := by_tests.get(each.line, frozenset())) != each.proved
    ]
    assert_none(wrong)


def test_every_mark_is_of_a_line_and_of_surfaces_that_there_are() -> None:
    lines = {each.line for each in promised()}
    assert len(lines) > 20
    assert_none(
        f"{name}: {line}: {sorted(surfaces)}"
        for name, line, surfaces in marks()
        if line not in lines or not surfaces <= set(SURFACES)
    )


def test_all_that_is_promised_is_proved() -> None:
    """Whoever promises more proves more; `python -m tests.promises` names what is not."""
    assert_none(f"{each.line}: {sorted(each.unproved)}" for each in promised() if each.unproved)


INSTEAD_OF: Final = {
    "cell": "square",
    "cells": "squares",
    "field": "square",
    "fields": "squares",
    "helper": "what it does",
    "helpers": "what they do",
    "manager": "what it does",
    "util": "what it does",
    "utils": "what they do",
}
OF_OTHERS: Final = {"_fields_"}
"""What a library asks for by that name: ctypes."""
SAYS_NOTHING: Final = {"told", "said", "seen"}
"""What alone names no thing: settings, a record, sentences, evidence and an event are all told."""

WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def given_names(path: Path) -> Iterator[tuple[ast.AST, str]]:
    """Every name that a module gives: its own, and those of what it defines."""
    yield parse(path), path.stem
    for node in ast.walk(parse(path)):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node, node.name
            case ast.arg():
                yield node, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node, node.attr


def test_names_use_the_house_words() -> None:
    offences = []
    for path in all_python_files():
        for node, name in given_names(path):
            for word in WORD.findall(name if name not in OF_OTHERS else ""):
                if better := INSTEAD_OF.get(word.lower()):
                    offences.append(f"{shown(path, node)}: {name}: say {better}")
    assert_none(offences)


def test_a_class_name_means_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for path in package_files():
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(shown(path, node))
    assert_none(f"{name}: {', '.join(at)}" for name, at in places.items() if len(at) > 1)


def test_names_say_what_they_hold() -> None:
    offences = []
    for path in all_python_files():
        structs = [node for node in ast.walk(parse(path)) if isinstance(node, ast.ClassDef)]
        on_the_wire = {id(line.target) for s in structs for line in s.body if is_declared(line)}
        for node in ast.walk(parse(path)):
            name = node.arg if isinstance(node, ast.arg) else getattr(node, "id", None)
            is_given = isinstance(node, ast.arg) or isinstance(getattr(node, "ctx", 0), ast.Store)
            if name in SAYS_NOTHING and is_given and id(node) not in on_the_wire:
                offences.append(f"{shown(path, node)}: {name}: say what it is")
    assert_none(offences)


def is_declared(line: ast.stmt) -> TypeGuard[ast.AnnAssign]:
    """Whether a line of a class declares one of its values: such names stand in JSON, too."""
    return isinstance(line, ast.AnnAssign)
