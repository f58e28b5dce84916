"""`jetan wire`: find out how a board is wired, from pieces put on its squares."""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Literal

import click
from msgspec.structs import replace

from rules.sentences import _

from ..boards.opening import open_board
from ..languages import Language, say_in
from ..settings import Settings, find_settings, places, read_settings
from ..setup.builder import Builder, drawn_wiring
from ..setup.settings_file import (
    wiring_options,
    with_options,
    without_orders,
    write_options,
)
from ..setup.walk import Walk, wiring_map
from ..setup.wizard import Wiring
from ..simulation.board import steady_board
from ..table.loop import EagerClock, WallClock
from ..terminal.terminal import LinesTyped
from . import examples
from .options import CONFIG, LANGUAGE, misused, spoken

EXIT_UNKNOWN = 1


@click.command(
    epilog=examples(
        "jetan wire",
        "jetan wire --board serial --walk",
        "jetan wire --board simulated --seed 7 --dry-run",
    )
)
@click.option(
    "--board",
    type=click.Choice(["serial", "pins", "simulated"]),
    help="Which board, if not that of the settings; simulated: watch it done.",
)
@click.option("--walk", "walks", is_flag=True, help="Try every square, and draw the map.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the simulated board.")
@click.option("--dry-run", is_flag=True, help="Print the settings, and write none.")
@CONFIG
@LANGUAGE
def wire(
    board: Literal["serial", "pins", "simulated"] | None,
    walks: bool,
    seed: int,
    dry_run: bool,
    config: Path | None,
    lang: Language | None,
) -> int:
    """Find out how a board is wired, and write it into the settings.

    Wires and lamps may run in any order: put one piece on the squares that are named, then on those
    that are lit. A dozen and some pieces tell a usual wiring; with --walk every square is tried.
    What a simulated board has told is only printed, unless --config names a file. Ends with exit
    code 1 where too many switches are silent.
    """
    path = find_settings(config, os.environ)
    settings = read_settings(path if path is not None and path.exists() else None)
    language = spoken(lang, config)
    if board == "simulated":
        wiring = at_simulated_board(seed, walks, language)
    else:
        settings = replace(
            settings, table=replace(settings.table, board=real_board(board, settings))
        )
        wiring = at_board(settings, walks, language)
    if wiring is None:
        return EXIT_UNKNOWN
    print("\n".join(wiring_map(wiring, language)))
    options = wiring_options(wiring)
    if board != "simulated":
        options = {"table": {"board": settings.table.board}, **options}
    if dry_run or (board == "simulated" and config is None):
        print(with_options("", options), end="")
        return 0
    kept = path or places(os.environ)[0]
    write_options(kept, options)
    print(say_in(language, _("{path}: the wiring is written."), path=kept))
    return 0


def real_board(
    board: Literal["serial", "pins"] | None, settings: Settings
) -> Literal["serial", "pins"]:
    """Return which real board is meant, by name or by the settings; UsageError for none."""
    named = board or settings.table.board
    if named != "serial" and named != "pins":
        raise misused(
            _(
                "the settings name no real board: say --board serial or --board pins; or watch it "
                "done with --board simulated"
            )
        )
    return named


def at_simulated_board(seed: int, walks: bool, language: Language) -> Wiring | None:
    """Let a simulated builder do what is asked, at a board wired by chance."""
    rng = Random(seed)
    board, clock = steady_board((), rng, wiring=drawn_wiring(rng)), EagerClock()
    builder = Builder(board, rng, clock.now)

    def tell(line: str) -> None:
        print(line)
        builder.hear(line)

    return Walk(board, builder, clock, tell, language).run(walks)


def at_board(settings: Settings, walks: bool, language: Language) -> Wiring | None:
    """Ask the people at a real board, whose driver is told of no order."""
    clock = WallClock()
    with closing(open_board(without_orders(settings), clock.now, time.sleep)) as board:
        typist = LinesTyped(sys.stdin.fileno())
        walk = Walk(board, typist, clock, say, language, lambda: board.trouble)
        return walk.run(walks)


def say(line: str) -> None:
    """Show people a line at once, whatever it is written to."""
    print(line, flush=True)
