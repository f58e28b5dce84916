"""`jetan test`: the project's tests, as pytest runs them."""

import importlib.util
import subprocess
import sys

import click

from ..errors import MissingPackage
from ..files import find_checkout
from . import examples


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples(
        "jetan test",
        "jetan test tests/rules -k perft",
        "jetan test --soak",
        "JETAN_CI=1 jetan test",
    ),
)
@click.option("--soak", is_flag=True, help="Run the long tests too (many minutes).")
@click.argument("pytest_arguments", nargs=-1, type=click.UNPROCESSED)
def test(soak: bool, pytest_arguments: tuple[str, ...]) -> int:
    """Run the project's own tests; PYTEST_ARGUMENTS go to pytest as they are.

    Suites that need a program which is not installed are skipped and named at the end, with the
    line that brings it. With JETAN_CI=1 in the environment a skipped test is a failed one.
    """
    root = find_checkout()
    if importlib.util.find_spec("pytest") is None:
        raise MissingPackage("pytest is not installed here; ./jetan test brings it")
    everything = ("-m", "soak or not soak") if soak else ()
    command = [sys.executable, "-m", "pytest", *everything, *pytest_arguments]
    return subprocess.run(command, cwd=root, check=False).returncode
