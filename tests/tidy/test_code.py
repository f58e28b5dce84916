"""Names use the project's words."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeGuard

from tests.tidy.tree import all_python_files, assert_none, package_files, parse, shown

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
