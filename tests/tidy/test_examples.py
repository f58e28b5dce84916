"""The examples in docstrings of `rules` and `hardware` give what they say."""

import doctest
from importlib import import_module

import pytest

from tests.tidy.tree import ROOT, package_files

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in package_files()
    if path.relative_to(ROOT).parts[0] in ("rules", "hardware")
]


def examples(module: str) -> list[doctest.DocTest]:
    return [each for each in doctest.DocTestFinder().find(import_module(module)) if each.examples]


@pytest.mark.parametrize("module", MODULES)
def test_examples_give_what_they_say(module: str) -> None:
    runner, report = doctest.DocTestRunner(), list[str]()
    for example in examples(module):
        runner.run(example, out=report.append)
    assert not runner.failures, "".join(report)


def test_what_a_user_meets_first_has_an_example() -> None:
    wanted = {
        "rules": ["explain", "parse_position", "parse_rules", "perft", "Game", "Position"],
        "hardware": ["Believed", "Lamps", "Matrix", "Observation"],
    }
    found = {each.name.rpartition(".")[2] for module in MODULES for each in examples(module)}
    assert {name for names in wanted.values() for name in names} <= found
