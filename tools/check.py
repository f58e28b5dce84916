"""`jetan check`: the linters, the type checker and the unit tests, in about two minutes."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated, Final

import click

from jetan_table.cli.options import argument, command, saying
from rules.sentences import _

from .test import run_pytest, tested_checkout

CHECKED: Final = (
    *("rules", "hardware", "firmware_bridge", "vision", "jetan_table"),
    *("tests", "bench", "training", "packages", "docs", "tools"),
)

UNIT: Final = "unit"
PARTS: Final = ("lint", "types", UNIT)


def programs(root: Path) -> dict[str, list[list[str]]]:
    """The commands of the parts that run no tests, each a module of Python's and its words."""
    pages = [root / "README.md", root / "CHANGELOG.md", *(root / "docs").rglob("*.md")]
    english = [str(page) for page in pages if page.name != "regeln.md" and page.parent.name != "de"]
    return {
        "lint": [
            ["ruff", "check", *CHECKED],
            ["ruff", "format", "--check", "--diff", *CHECKED],
            ["codespell_lib", *english],
        ],
        "types": [["mypy", *CHECKED]],
    }


@command("jetan check", "jetan check lint types", "jetan check unit")
def check(parts: Annotated[tuple[str, ...], argument(type=click.Choice(PARTS))]) -> int:
    """Check the project's code in about two minutes: all PARTS, or those named.

    lint is ruff and codespell, types is mypy, and unit is every test that needs no browser, no
    emulator and no command of its own; jetan test runs all of this and those tests too.

    Ends with exit code 1 where a part fails. The others are run all the same.
    """
    root, say = tested_checkout(), saying(None)
    failed, lines = [], []
    for part in parts or PARTS:
        click.echo(f"jetan check: {part}", err=True)
        begun = time.monotonic()
        is_well = run_part(root, part)
        lines.append(f"  {part:<6}{time.monotonic() - begun:6.1f} s")
        if not is_well:
            failed.append(part)
    verdict = _("not well: {parts}") if failed else _("all is well")
    click.echo("\n".join((*lines, say(verdict, parts=", ".join(failed)))))
    return 1 if failed else 0


def run_part(root: Path, part: str) -> bool:
    """Run a part in the project's folder, and return whether it is well."""
    if part == UNIT:
        return run_pytest(root, (), JETAN_TIER=UNIT) == 0
    done = [
        subprocess.run([sys.executable, "-m", *command], cwd=root, check=False)
        for command in programs(root)[part]
    ]
    return not any(process.returncode for process in done)
