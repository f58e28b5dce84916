"""`jetan bench`: the measurements of `bench/`, by name.

A measurement is a script `bench/NAME.py` (or folder `bench/NAME/` with an `__init__.py`) with a
docstring whose first line says what it measures, and `main(json: bool) -> None`, or
`main(json: bool, arguments: Sequence[str]) -> None`.
"""

import ast
import importlib
import inspect
from pathlib import Path
from typing import Annotated, Final

import click

from jetan_table.cli.options import argument, command, misused
from jetan_table.errors import MissingPackage, UnknownBench
from jetan_table.files import find_checkout
from rules.errors import near_miss
from rules.sentences import _

BENCH_PACKAGES: Final = {"chess", "cv2", "paho"}  # what the extra `bench` of pyproject.toml brings


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
        raise UnknownBench(
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
