"""Evenings as scripts: a line for each step. One that is kept says what it comes upon.

`python -m tests.simulation.scripts play LINE...` plays an evening again, and says what it comes
upon. `python -m tests.simulation.scripts choose THING...` searches for evenings that come upon
something, makes each as short as it can be, and prints it as `tests/data/evenings.txt` keeps it.
"""

import ast
import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import click
from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from tests.simulation.evening import AGAIN, Evenings
from tests.simulation.evenings import WholeEvenings

KEPT_IN: Final = Path(__file__).parents[1] / "data" / "evenings.txt"


class Script(NamedTuple):
    """An evening that is kept, for some things that it comes upon."""

    things: tuple[str, ...]
    lines: tuple[str, ...]


class Found(Exception):
    """An evening has come upon what was searched for."""


def read_scripts(text: str) -> list[Script]:
    """Read paragraphs: after `#` the things, with `;` between them, and then the steps."""
    scripts = []
    for paragraph in text.strip().split("\n\n"):
        lines = paragraph.splitlines()
        heads = [line.removeprefix("# ") for line in lines if line.startswith("#")]
        things = tuple(thing for head in heads for thing in head.split("; "))
        scripts.append(Script(things, tuple(lines[len(heads) :])))
    return scripts


def play(lines: Sequence[str]) -> Counter[str]:
    """Play an evening; return how often it came upon what. AssertionError where a truth fails."""
    evening = WholeEvenings()
    try:
        for line in lines:
            call = ast.parse(line, mode="eval").body
            assert isinstance(call, ast.Call)
            assert isinstance(call.func, ast.Name)
            chosen = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
            getattr(evening, call.func.id)(**chosen)
            evening.all_can_be_shown_and_said()
        evening.come_to_rest()
    except BaseException as error:
        error.add_note(f"{AGAIN}{shlex.join(lines)}")
        raise
    finally:
        evening.close()
    return evening.reached


def choosing(things: Sequence[str]) -> str:
    """Say how evenings are found that come upon things which no kept one reaches any more."""
    command = f"python -m tests.simulation.scripts choose {shlex.join(things)}"
    return f"not reached: {things}; for {KEPT_IN.name}: {command}"


def search(
    thing: str, number: int, examples: int, machine: type[Evenings] = WholeEvenings
) -> list[str]:
    """Return the shortest script that Hypothesis finds for a thing; nothing where it finds none."""
    shortest: list[str] = []

    @seed(number)
    class Searching(machine):  # type: ignore[misc,valid-type]
        @invariant()
        def is_still_lacking(self) -> None:
            if self.reached[thing]:
                shortest[:] = self.script
                raise Found

    phases = (Phase.generate, Phase.shrink)
    sample = settings(
        max_examples=examples,
        stateful_step_count=20,
        phases=phases,
        deadline=None,
        database=None,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    with suppress(Found):
        run_state_machine_as_test(Searching, settings=sample)
    return shortest


@click.group()
def main() -> None:
    """Evenings as scripts."""


@main.command("play")
@click.argument("lines", nargs=-1, required=True)
def play_again(lines: Sequence[str]) -> None:
    """Play an evening by the LINES of its script, and say what it comes upon."""
    for thing, count in sorted(play(lines).items()):
        click.echo(f"{thing}: {count}")


@main.command()
@click.argument("things", nargs=-1, required=True)
@click.option("--seed", "number", default=1, help="Another seed searches other evenings.")
@click.option("--examples", default=1000, help="So many evenings are searched.")
def choose(things: Sequence[str], number: int, examples: int) -> None:
    """Search for an evening that comes upon each of some THINGS."""
    for thing in things:
        lines = search(thing, number, examples)
        click.echo("\n".join((f"# {thing}", *lines)) + "\n" if lines else f"none for {thing}")


if __name__ == "__main__":
    main()
