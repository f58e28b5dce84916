"""Names use the project's words."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.tidy.tree import all_python_files, assert_none, parse, shown

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
            for word in WORD.findall(name):
                if better := INSTEAD_OF.get(word.lower()):
                    offences.append(f"{shown(path, node)}: {name}: say {better}")
    assert_none(offences)
