"""Two checkouts side by side: whether they print the same, and how much processor time each takes.

    jetan bench checkouts OTHER [FILE...]

OTHER is the folder of another checkout. Every FILE is a recording, which both replay; both answer
a list of commands, too. What is not the same to the byte is named. Then the measurements of `RACES`
run in both, in alternating pairs: the figure is the median of this checkout's processor seconds
by those of the other. JETAN_BENCH_PAIRS=3 runs so many pairs, 0 none.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from bench._figures import cpu_of_children, print_figures

HERE: Final = Path(__file__).parents[1]
PAIRS: Final = 9
RACES: Final = ("rules", "reading")

COMMANDS: Final = (
    ("moves", "--json"),
    ("moves", "--rules", "ninth-ray-clockwise,juggernaut=centre", "--json"),
    ("perft", "2", "--json"),
    ("explain", "e1", "e4", "--json"),
    ("explain", "d2", "d5", "--json"),
    ("rules", "--json"),
    ("rules", "appendix", "friedlander"),
    ("settings", "show"),
    ("play", "--help"),
    ("--help",),
)
"""Commands that answer the same on every machine and at any time."""


def main(json: bool, arguments: Sequence[str]) -> None:
    """Compare, and print the figures; click.UsageError where no other checkout is named."""
    if not arguments or not (Path(arguments[0]) / "jetan_table").is_dir():
        raise click.UsageError("name the folder of another checkout, and recordings if you like")
    other, files = Path(arguments[0]), [str(Path(name).resolve()) for name in arguments[1:]]
    commands = [*COMMANDS, *(("replay", "--json", file) for file in files)]
    differing = list(differences(other, commands))
    figures: dict[str, object] = {"asked": len(commands), "differing": len(differing)}
    for race in RACES:
        if ratios := list(paired(other, race, int(os.environ.get("JETAN_BENCH_PAIRS", PAIRS)))):
            figures[f"{race}_ratio"] = statistics.median(ratios)
            figures[f"{race}_least"], figures[f"{race}_most"] = min(ratios), max(ratios)
    print_figures(figures, json)
    for command in differing:
        print(f"not the same: jetan {' '.join(command)}", file=sys.stderr)


def differences(other: Path, commands: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yield each command whose exit code, output or errors differ between the checkouts."""
    with click.progressbar(commands, label="Answers", file=sys.stderr) as asked:
        for command in asked:
            if answer(HERE, command) != answer(other, command):
                yield command


def answer(checkout: Path, command: Sequence[str]) -> tuple[int, bytes, bytes]:
    """Return what a checkout answers: its exit code, what it prints, and its errors."""
    done = subprocess.run(
        [sys.executable, "-m", "jetan_table", *command],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), "COLUMNS": "100"},
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def paired(other: Path, race: str, pairs: int) -> Iterator[float]:
    """Yield our processor seconds by the other's, pair by pair; who is first alternates."""
    with click.progressbar(range(pairs), label=f"bench {race}", file=sys.stderr) as numbers:
        for number in numbers:
            order = (HERE, other) if number % 2 == 0 else (other, HERE)
            seconds = {checkout: cpu_s(checkout, ("bench", race, "--json")) for checkout in order}
            yield seconds[HERE] / seconds[other]


def cpu_s(checkout: Path, command: Sequence[str]) -> float:
    """Return the processor seconds that a command takes in a checkout."""
    before = cpu_of_children()
    code, _, errors = answer(checkout, command)
    if code:
        raise click.ClickException(f"{checkout}: jetan {' '.join(command)}: {errors.decode()}")
    return cpu_of_children() - before
