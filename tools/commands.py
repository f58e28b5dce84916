"""What a checkout's own commands do: its tests, its checks, its measurements and its pages.

A measurement is a script `bench/NAME.py` (or folder `bench/NAME/` with an `__init__.py`) with a
docstring whose first line says what it measures, and `main(json: bool) -> None`, or
`main(json: bool, arguments: Sequence[str]) -> None`.
"""

import ast
import importlib
import importlib.util
import inspect
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated, Final

import click

from jetan_table.cli.options import argument, command, examples, misused, option, saying
from jetan_table.errors import MissingPackage, TableError
from jetan_table.files import find_checkout
from rules import _, near_miss

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


BENCH_PACKAGES: Final = {"chess", "cv2", "paho", "pyspiel"}  # what the extra `bench` brings


@command(
    *("jetan bench", "jetan bench rules --json", "jetan bench vision --sequences pictures"),
    context_settings={"ignore_unknown_options": True},
)
def bench(
    name: str | None,
    arguments: Annotated[tuple[str, ...], argument(type=click.UNPROCESSED)],
    json: Annotated[bool, "Print one JSON object, with stable keys."],
) -> None:
    """Run the measurement NAME; without a name, list them.

    The measurement gets what follows its name.
    """
    scripts = find_scripts(find_checkout() / "bench")
    if name is None:
        for known, script in scripts.items():
            click.echo(f"{known:12} {first_line(script)}")
    elif name not in scripts:
        raise TableError(
            _("{name}: no such measurement{near}"), name=name, near=near_miss(name, scripts)
        )
    else:
        measure(name, json, arguments)


def find_scripts(folder: Path) -> dict[str, Path]:
    """The measurements in `folder`, name to script, in order of name."""
    scripts = {path.stem: path for path in folder.glob("*.py")}
    scripts |= {path.parent.name: path for path in folder.glob("*/__init__.py")}
    return {name: scripts[name] for name in sorted(scripts) if not name.startswith("_")}


def first_line(script: Path) -> str:
    """What `script` measures, by its docstring's first line."""
    return (ast.get_docstring(ast.parse(script.read_text())) or "").partition("\n")[0]


def measure(name: str, json: bool, arguments: tuple[str, ...] = ()) -> None:
    """Import `bench.NAME`, which stands beside the packages, and call its `main(json)`.

    One that takes more words is called `main(json, arguments)`.
    """
    try:
        main = importlib.import_module(f"bench.{name}").main
        takes_more = len(inspect.signature(main).parameters) > 1
        if arguments and not takes_more:
            raise misused(
                _("jetan bench {name} takes no more words: {word}"), name=name, word=arguments[0]
            )
        main(json, arguments) if takes_more else main(json)
    except ModuleNotFoundError as error:
        if error.name not in BENCH_PACKAGES:
            raise
        raise MissingPackage(
            _("{name} is not installed here; ./jetan bench brings it"), name=error.name
        ) from None
