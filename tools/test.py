"""`jetan test`: the project's tests, as pytest runs them."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Final

import click

from jetan_table.cli.options import argument, command, examples, option
from jetan_table.errors import MissingPackage
from jetan_table.files import find_checkout
from rules.sentences import _

AREAS: Final = {
    "rules": _("the rules against the independent program, and every square explained"),
    "properties": _("every property of the usual tests, by many more examples"),
    "lessons": _("clumsy hands learn and study by the lamps alone, fifty of each"),
    "reading": _("games whose hands make no gesture, and people who follow the lamps alone"),
    "evenings": _("a hundred thousand plies at a table whose parts do as they like"),
    "line": _("games and noise through the codec of the serial line"),
    "emulated": _("noise into the firmware in an emulated chip"),
    "opponent": _("games of the table's own player by any rules"),
    "hall": _("a thousand matches of two tables far apart, and ten minutes of killing in a hall"),
    "door": _("a siege of the page for five minutes, while somebody plays"),
    "faults": _("power cuts, failures and lies of a disk at every write of an evening"),
    "kill": _("a table killed at random moments, and a million throws of its die"),
}
"""What `--soak` can be told: each takes well under 80 minutes on two cores."""

EVERY_AREA: Final = "all"
REMEMBERED: Final = Path(".pytest_cache", "soak")
"""Where it stands what has passed, a file for each area."""

LONGEST_S: Final = 90 * 60
"""A long test that takes longer hangs; the others may take so long as `pyproject.toml` says."""

NOTHING_LEFT: Final = 5  # how pytest says that it ran no test


AREAS_LISTED: Final = _("Areas of the long tests:")

EPILOG: Final = "\n".join(
    (
        f"\b\n{AREAS_LISTED}",
        *(f"  {area:<11} {summary}" for area, summary in AREAS.items()),
        "",
        examples(
            "jetan test",
            "jetan test tests/rules -k perft",
            "jetan test --soak",
            "jetan test --soak=rules",
            "JETAN_CI=1 jetan test",
        ),
    )
)


@command(epilog=EPILOG, context_settings={"ignore_unknown_options": True})
def test(
    soak: Annotated[
        str | None,
        option(
            "Run the long tests: all areas one after another, or this one.",
            is_flag=False,
            flag_value=EVERY_AREA,
            type=click.Choice([EVERY_AREA, *AREAS]),
        ),
    ],
    anew: Annotated[bool, "Run those long tests again that have passed already."],
    pytest_arguments: Annotated[tuple[str, ...], argument(type=click.UNPROCESSED)],
) -> int:
    """Run the project's own tests; PYTEST_ARGUMENTS go to pytest as they are.

    Suites that need a program which is not installed are skipped and named at the end, with the
    line that installs it. With JETAN_CI=1 in the environment a skipped test counts as failed, and
    the dearest run too, such as those of packages. jetan check runs only the cheapest.

    All cores test at once; one file, or tests named by themselves, run in one process.

    The long tests take hours. What has passed is remembered until a file of the project changes:
    after Ctrl-C the same command goes on where it was stopped.
    """
    root = tested_checkout()
    if soak is None:
        return run_pytest(root, pytest_arguments)
    areas = AREAS if soak == EVERY_AREA else (soak,)
    codes = [run_area(root, area, anew, pytest_arguments) for area in areas]
    return next(filter(None, codes), 0)


def tested_checkout() -> Path:
    """Return the project's folder; refuse where what checks it is not installed."""
    root = find_checkout()
    if importlib.util.find_spec("pytest") is None:
        raise MissingPackage(_("pytest is not installed here; ./jetan test brings it"))
    return root


def run_area(root: Path, area: str, anew: bool, arguments: tuple[str, ...]) -> int:
    """Run what is left of an area's long tests; nothing left is well."""
    click.echo(f"jetan test: {area}", err=True)
    if anew:
        (root / REMEMBERED / area).unlink(missing_ok=True)
    chosen = ("-m", "soak or hypothesis", "-o", f"faulthandler_timeout={LONGEST_S}")
    code = run_pytest(root, (*chosen, *arguments), JETAN_SOAK=area)
    return 0 if code == NOTHING_LEFT else code


def run_pytest(root: Path, arguments: tuple[str, ...], **variables: str) -> int:
    """Run pytest in the project's folder, and return its exit code.

    What Python compiles is kept, whatever the environment says: tests start hundreds of programs.
    """
    environment = {**os.environ, **variables}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=root, env=environment, check=False).returncode
