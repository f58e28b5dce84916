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

from rules.words import Language

from ..boards import open_board
from ..loop import EagerClock, WallClock
from ..settings import Settings, find_settings, places, read_settings
from ..settings_file import order_option, with_options, write_options
from ..simulation.wired import Builder, TrueWiring, WiredBoard
from ..terminal import LinesTyped
from ..wire.walk import Walk, wiring_map
from ..wire.wizard import Wiring
from ..wire.words import WORDS, Say
from . import examples

EXIT_UNKNOWN = 1


@click.command(
    epilog=examples(
        "jetan wire",
        "jetan wire --walk",
        "jetan wire --board simulated --seed 7 --dry-run",
    )
)
@click.option("--board", type=click.Choice(["simulated"]), help="Watch it done at a wrong board.")
@click.option("--walk", "walks", is_flag=True, help="Try every square, and draw the map.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the simulated board.")
@click.option("--dry-run", is_flag=True, help="Print the settings, and write none.")
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings file.")
@click.option("--lang", type=click.Choice(["en", "de"]), help="Language.")
def wire(
    board: str | None,
    walks: bool,
    seed: int,
    dry_run: bool,
    config: Path | None,
    lang: Literal["en", "de"] | None,
) -> int:
    """Find out how the board of the settings is wired, and write it into them.

    Wires and lamps may run in any order: put one piece on the squares that are named, then on those
    that are lit. A dozen and some pieces tell a usual wiring; with --walk every square is tried.
    Ends with exit code 1 where too many switches are silent.
    """
    path = find_settings(config, os.environ)
    settings = read_settings(path if path is not None and path.exists() else None)
    language: Language = lang or settings.table.language
    if board == "simulated":
        wiring = at_simulated_board(seed, walks, language)
    elif settings.table.board == "simulated":
        raise click.UsageError(
            'the settings name no real board: [table] board = "serial" or "pins"; '
            "or watch jetan wire --board simulated"
        )
    else:
        wiring = at_board(settings, walks, language)
    if wiring is None:
        return EXIT_UNKNOWN
    print("\n".join(wiring_map(wiring, language)))
    keep(wiring, path or places(os.environ)[0], dry_run, language)
    return 0


def at_simulated_board(seed: int, walks: bool, language: Language) -> Wiring | None:
    """Let a simulated builder do what is asked, at a board wired by chance."""
    rng = Random(seed)
    board, clock = WiredBoard(TrueWiring.drawn(rng), rng), EagerClock()
    builder = Builder(board, rng)

    def tell(line: str) -> None:
        print(line)
        builder.hear(line)

    return Walk(board, builder, clock, tell, language).run(walks)


def at_board(settings: Settings, walks: bool, language: Language) -> Wiring | None:
    """Ask the people at a real board, whose driver is told of no order."""
    bare = replace(
        settings,
        reed=replace(settings.reed, order="rows"),
        lamps=replace(settings.lamps, order="rows"),
    )
    clock = WallClock()
    with closing(open_board(bare, clock.now, time.sleep)) as board:
        typist = LinesTyped(sys.stdin.fileno())
        return Walk(board, typist, clock, lambda line: print(line, flush=True), language).run(walks)


def keep(wiring: Wiring, path: Path, dry_run: bool, language: Language) -> None:
    """Write a wiring into the settings file, or print it."""
    switches, lamps = order_option(wiring.switches), order_option(wiring.lamps)
    options = {"reed": {"order": switches}, "lamps": {"order": lamps}}
    if dry_run:
        print(with_options("", options), end="")
        return
    write_options(path, options)
    print(WORDS[language][Say.WRITTEN].format(path=path))
