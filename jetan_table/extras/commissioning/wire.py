"""`jetan wire`: find out how a board is wired, from pieces put on its squares."""

import os
import sys
import time
from contextlib import closing
from random import Random
from typing import Annotated, Final, Literal, Self

from msgspec.structs import replace

from rules.sentences import _

from ...boards.opening import open_board
from ...cli.options import EXIT_AMISS, Config, Lang, command, misused, option
from ...languages import Language, say_in
from ...people.board import steady_board
from ...settings import Settings, find_settings, places, read_settings
from ...table.loop import EagerClock, WallClock
from ...terminal.terminal import LinesTyped
from .planted import drawn_wiring
from .settings_file import wiring_options, with_options, without_orders, write_options
from .simulated import LedHands
from .walk import Errand, Leading, Wiring, WiringWalk, wiring_map


@command(
    "jetan wire",
    "jetan wire --board serial --walk",
    "jetan wire --board simulated --seed 7 --dry-run",
)
def wire(
    board: Annotated[
        Literal["serial", "pins", "simulated"] | None,
        "Which board, if not that of the settings; simulated: watch it done.",
    ],
    walks: Annotated[bool, option("Try every square, and draw the map.", "--walk")],
    seed: Annotated[int, option("Seed of the simulated board.", default=1)],
    dry_run: Annotated[bool, "Print the settings, and write none."],
    config: Config,
    lang: Lang,
) -> int:
    """Find out how a board is wired, and write it into the settings.

    Wires and lamps may run in any order: put one piece on the squares that are named, then on
    those that are lit. About fifteen pieces are enough for a usual wiring; --walk tries every
    square. What a simulated board has told is only printed, unless --config names a file. Ends
    with exit code 1 if too many switches did not respond.
    """
    path = find_settings(config, os.environ)
    settings = read_settings(path if path is not None and path.exists() else None)
    if board == "simulated":
        wiring = at_simulated_board(seed, walks, lang)
    else:
        settings = replace(
            settings, table=replace(settings.table, board=real_board(board, settings))
        )
        wiring = at_board(settings, walks, lang)
    if wiring is None:
        return EXIT_AMISS
    print("\n".join(wiring_map(wiring, lang)))
    options = wiring_options(wiring)
    if board != "simulated":
        options = {"table": {"board": settings.table.board}, **options}
    if dry_run or (board == "simulated" and config is None):
        print(with_options("", options), end="")
        return 0
    kept = path or places(os.environ)[0]
    write_options(kept, options)
    print(say_in(lang, _("{path}: the wiring is written."), path=kept))
    return 0


class People(LinesTyped):
    """People at a real board: they read what is asked, and type."""

    def hear(self, errand: Errand, now: float) -> None:
        """Nothing: it stands on the screen."""

    @classmethod
    def typing(cls) -> Self:
        """Return those who type here."""
        return cls(sys.stdin.fileno())


REAL: Final[tuple[Literal["serial", "pins"], ...]] = ("serial", "pins")


def real_board(
    board: Literal["serial", "pins"] | None, settings: Settings
) -> Literal["serial", "pins"]:
    """Return which real board is meant, by name or by the settings; UsageError for none."""
    for kind in REAL:
        if kind == (board or settings.table.board):
            return kind
    raise misused(
        _(
            "the settings name no real board: say --board serial or --board pins; or watch it "
            "done with --board simulated"
        )
    )


def at_simulated_board(seed: int, walks: bool, language: Language) -> Wiring | None:
    """Let a simulated builder do what is asked, at a board wired by chance."""
    rng = Random(seed)
    board, clock = steady_board((), rng, wiring=drawn_wiring(rng)), EagerClock()
    leading = Leading(board, LedHands(board, rng, clock.now), clock, say, language)
    return WiringWalk(leading).run(walks)


def at_board(settings: Settings, walks: bool, language: Language) -> Wiring | None:
    """Ask the people at a real board, whose driver is told of no order."""
    clock = WallClock()
    with closing(open_board(without_orders(settings), clock.now, time.sleep)) as board:
        leading = Leading(board, People.typing(), clock, say, language, lambda: board.trouble)
        return WiringWalk(leading).run(walks)


def say(line: str) -> None:
    """Show people a line at once, whatever it is written to."""
    print(line, flush=True)
