"""The one place where a table's parts are chosen and joined."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rules import Rules, parse_rules

from .board.orientation import AS_WIRED, Orientation, orientation_of
from .files import make_folder, replacing
from .journal.agreement import Agreement
from .journal.journal import Journal
from .journal.opening import Opened, next_games
from .lamps.lighting import Lighting
from .lamps.lights import LAMP_OF, Dimming, Lamp
from .lamps.palette import PALETTES
from .reading.table_reader import by_looks, by_switches
from .session.guests import Guest
from .session.session import Session
from .settings import Settings
from .simulation.board import Switched, SwitchSource
from .simulation.screen import ScreenBoard
from .simulation.table import LightsSeen, SimulatedHands, TouchedSensor, TypedHands
from .table.dice import Dice
from .table.heartbeat import Heartbeat
from .table.loop import Table, TableBoard
from .table.pin import GuardedPin
from .table.seeds import Seeds

if TYPE_CHECKING:  # drivers are loaded where there is a board
    from firmware_bridge import SerialBoard

    from .boards.board import RealBoard

Drive: TypeAlias = "Callable[[Switched], SerialBoard]"
"""Puts a microcontroller under a simulated board, and returns the driver of its line."""


def arbiter_of(journal: Journal) -> GuardedPin:
    """Return the arbiter's PIN, which is kept beside the journal."""
    return GuardedPin(kept_pin(journal.folder, ARBITER_PIN))


def dice_of(journal: Journal, settings: Settings) -> Dice:
    """Return the table's own die, which keeps its secrets beside the journal."""
    rolls_itself = settings.table.rolls == "self"
    return Dice(Seeds(journal.folder / "seeds", os.urandom), rolls_itself)


def join(
    hands: SimulatedHands,
    board: SwitchSource,
    journal: Journal,
    opened: Opened,
    settings: Settings,
    drive: Drive | None = None,
    dice: Dice | None = None,
    guests: Sequence[Guest] = (),
    screen: ScreenBoard | None = None,
) -> tuple[Table, LightsSeen]:
    """Join a simulated board and the hands at it with all that stands above a table.

    With a `screen` its board is what is seen there.
    """
    lamps = LightsSeen()
    turned = hands.turn if isinstance(hands, TypedHands) else None
    read_by = by_switches if screen is None else screen.read_by
    session = Session(opened.record, settings.table.patience_s, read_by)
    if screen is not None:
        screen.show(lambda: session.record)
        joined = TableBoard(screen, lamps, turned=turned)
    elif drive is None:
        sensor = TouchedSensor(hands, board.sensor(settings.reed.debounce_ms))
        joined = TableBoard(sensor, lamps, turned=turned)
    else:
        from .boards.emulated_table import LampsTogether

        driver = drive(board)
        both = LampsTogether(lamps, driver)
        joined = TableBoard(TouchedSensor(hands, driver), both, driver, turned=turned)
    table = Table(
        joined,
        lighting_of(settings, LAMP_OF),
        journal,
        opened.game,
        session,
        [*guests, Heartbeat(os.environ)],
        dice,
        arbiter_of(journal),
        next_games(journal.archive, usual_wager(settings)),
    )
    return table, lamps


def join_board(
    board: RealBoard,
    journal: Journal,
    opened: Opened,
    settings: Settings,
    dice: Dice | None = None,
    guests: Sequence[Guest] = (),
) -> tuple[Table, LightsSeen]:
    """Join a real board with all that stands above a table."""
    from .boards.emulated_table import LampsTogether

    lamps = LightsSeen()
    read_by = by_looks if settings.table.board == "camera" else by_switches
    lies = how_it_lies(journal, opened.record.position.rules)
    table = Table(
        TableBoard(board, LampsTogether(lamps, board), board, lies),
        lighting_of(settings, settings.lamps.lamp_of()),
        journal,
        opened.game,
        Session(opened.record, settings.table.patience_s, read_by),
        [*guests, Heartbeat(os.environ)],
        dice,
        arbiter_of(journal),
        next_games(journal.archive, usual_wager(settings)),
    )
    return table, lamps


def usual_wager(settings: Settings) -> Agreement:
    """Return what games of new series are played for by these settings."""
    return Agreement(stake=settings.series.stake, prices=settings.series.price)


def how_it_lies(journal: Journal, rules: Rules) -> Orientation:
    """Return how people have said, in all games so far, that the board of these rules lies."""
    lies = AS_WIRED
    for text, turned in journal.archive.turns():
        if parse_rules(text).topology.columns_around == rules.topology.columns_around:
            lies = orientation_of(turned, rules.topology).after(lies)
    return lies


def lighting_of(settings: Settings, lamp_of: Sequence[Lamp]) -> Lighting:
    """Return how meanings become light by these settings."""
    lamps = settings.lamps
    return Lighting(PALETTES[lamps.palette], lamp_of, Dimming(lamps.brightness, lamps.limit_ma))


TABLE_PIN, ARBITER_PIN = "pin", "arbiter"
"""The files of the data folder that keep them: who may change anything, and the arbiter's."""


def kept_pin(folder: Path, name: str) -> str:
    """Return the PIN kept in a file of the data folder, made up if there is none yet."""
    path = folder / name
    if not path.exists():
        make_folder(folder)
        with replacing(path) as begun:
            begun.touch(mode=0o600)
            begun.write_text(f"{secrets.randbelow(1_000_000):06}\n", encoding="utf-8")
    return path.read_text(encoding="utf-8").strip()


def unguessable() -> str:
    """Return a word nobody can guess."""
    return secrets.token_urlsafe(18)
