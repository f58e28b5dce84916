"""What the pages for people promise is there."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest

from jetan_table import cli
from tests.tidy.tree import ROOT

FENCE: Final = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES: Final = [ROOT / "README.md", ROOT / "AGENTS.md", *sorted((ROOT / "docs").rglob("*.md"))]


def promised_lines(page: Path) -> Iterator[list[str]]:
    """The words after `./jetan` of each such line in a code block."""
    for block in FENCE.findall(page.read_text()):
        for line in block.splitlines():
            _, found, rest = line.partition("./jetan ")
            if found:
                yield shlex.split(rest.partition("|")[0], comments=True)


def parse(words: list[str]) -> None:
    """Find the command of `words` and give it their options; raises click's error if it refuses."""
    context = click.Context(cli.jetan)
    name, command, rest = cli.jetan.resolve_command(context, words)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        name, command, rest = command.resolve_command(context, rest)
    assert command is not None
    options = {
        option
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    own = rest[: rest.index("--")] if "--" in rest else rest  # what follows is for another command
    for word in own:
        if word.startswith("--"):
            assert word.partition("=")[0] in options | {"--help"}, f"{name} has no {word}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_on_the_page_exist(page: Path) -> None:
    for words in promised_lines(page):
        parse(words)
        assert words


def test_readme_names_the_two_commands_first() -> None:
    first = [words[0] for words in promised_lines(ROOT / "README.md")][:2]
    assert first == ["play", "test"]
