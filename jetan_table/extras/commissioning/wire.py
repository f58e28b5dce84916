"""`jetan wire`: finds out how a board is wired, and writes it into a settings file.

The rest of the file, comments included, stays as it is.
"""

import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Annotated, Final, Literal, Self

import tomlkit
from msgspec.structs import replace
from tomlkit.items import Item

from hardware.matrix import ORDERS
from rules import Square, _, format_square

from ...boards.opening import open_board
from ...cli.options import EXIT_AMISS, Config, Lang, command, misused, option
from ...files import read_text, write_whole
from ...languages import Language, say_in
from ...settings import Settings, find_settings, parse_settings, places, read_settings
from ...table.loop import EagerClock, WallClock
from ...terminal.terminal import LinesTyped
from .walk import Errand, Leading, Wiring, WiringWalk, wiring_map

Options = Mapping[str, Mapping[str, object]]
"""Values by section and name."""

IN_A_LINE = 10


def order_option(squares: Sequence[Square]) -> str | list[str]:
    """Return an order of squares as its option has it: by name, if it has one."""
    names = (name for name, order in ORDERS.items() if order == tuple(squares))
    return next(names, [format_square(square) for square in squares])


def wiring_options(wiring: Wiring) -> dict[str, dict[str, object]]:
    """Return how a board is wired as options."""
    return {
        "reed": {"order": order_option(wiring.switches)},
        "lamps": {"order": order_option(wiring.lamps)},
    }


def without_orders(settings: Settings) -> Settings:
    """Return settings by which a driver is told of no order: switch n is taken for square n."""
    return replace(
        settings,
        reed=replace(settings.reed, order="rows"),
        lamps=replace(settings.lamps, order="rows"),
    )


def write_options(path: Path, options: Options) -> None:
    """Set options in a settings file, which is made where there is none.

    Raises BadSettings, and changes nothing, where the file is none or would be none afterwards.
    """
    text = with_options(read_text(path) if path.exists() else "", options)
    write_whole(path, text.encode())


def with_options(text: str, options: Options) -> str:
    """Return the text of a settings file with options set; raises BadSettings."""
    parse_settings(text)
    document = tomlkit.parse(text)
    for section, values in options.items():
        table = document.setdefault(section, tomlkit.table())
        for name, value in values.items():
            table[name] = _item(value)
    changed = tomlkit.dumps(document)
    parse_settings(changed)
    return changed


def _item(value: object) -> Item:
    """Return a value as TOML; a long list in lines of ten, as a board has them."""
    if not isinstance(value, list) or len(value) <= IN_A_LINE:
        return tomlkit.item(value)
    rows = (value[n : n + IN_A_LINE] for n in range(0, len(value), IN_A_LINE))
    lines = (", ".join(tomlkit.item(entry).as_string() for entry in row) for row in rows)
    return tomlkit.value("[\n    " + ",\n    ".join(lines) + ",\n]")


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
    from ...people.board import steady_board  # simulated people: only for such a board
    from .simulated import LedHands, drawn_wiring

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
