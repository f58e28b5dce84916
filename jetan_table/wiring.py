"""The one place where a table's parts are chosen and joined."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rules import Rules, parse_rules

from .board.orientation import AS_WIRED, Orientation, orientation_of
from .journal.journal import Journal
from .journal.opening import Opened
from .lamps.lighting import Lighting
from .lamps.lights import LAMP_OF, Dimming, Lamp
from .lamps.palette import PALETTES
from .reading.table_reader import by_looks, by_switches
from .session.session import Session
from .settings import Settings
from .simulation.board import SimulatedBoard
from .simulation.screen import ScreenBoard
from .simulation.table import LightsSeen, SimulatedHands, TouchedSensor, TypedHands
from .table.dice import Dice
from .table.heartbeat import Heartbeat
from .table.loop import Table
from .table.pin import GuardedPin
from .table.seeds import Seeds

if TYPE_CHECKING:  # drivers are loaded where there is a board
    from firmware_bridge import SerialBoard

    from .boards.board import RealBoard

Drive: TypeAlias = "Callable[[SimulatedBoard], SerialBoard]"
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
    board: SimulatedBoard,
    journal: Journal,
    opened: Opened,
    settings: Settings,
    drive: Drive | None = None,
    dice: Dice | None = None,
    screen: ScreenBoard | None = None,
) -> tuple[Table, LightsSeen]:
    """Join a simulated board and the hands at it with all that stands above a table.

    With a `screen` its board is what is seen there.
    """
    lamps, lighting = LightsSeen(), lighting_of(settings, LAMP_OF)
    read_by, beat = screen.read_by if screen else by_switches, Heartbeat(os.environ)
    session = Session(opened.record, settings.table.patience_s, read_by)
    table = partial(
        Table,
        lighting=lighting,
        journal=journal,
        game=opened.game,
        session=session,
        dice=dice,
        heartbeat=beat,
        arbiter=arbiter_of(journal),
    )
    if screen is not None:
        screen.show(lambda: session.record)
        joined = table(screen, lamps)
    elif drive is None:
        sensor = TouchedSensor(hands, board.sensor(settings.reed.debounce_ms))
        joined = table(sensor, lamps)
    else:
        from .boards.emulated_table import LampsTogether

        driver = drive(board)
        both = LampsTogether(lamps, driver)
        joined = table(TouchedSensor(hands, driver), both, parts=driver)
    if isinstance(hands, TypedHands):
        joined.orientation_finder.followers.append(hands.turn)
    return joined, lamps


def join_board(
    board: RealBoard, journal: Journal, opened: Opened, settings: Settings, dice: Dice | None = None
) -> tuple[Table, LightsSeen]:
    """Join a real board with all that stands above a table."""
    from .boards.emulated_table import LampsTogether

    lamps, lighting = LightsSeen(), lighting_of(settings, settings.lamps.lamp_of())
    read_by = by_looks if settings.table.board == "camera" else by_switches
    session = Session(opened.record, settings.table.patience_s, read_by)
    both, arbiter = LampsTogether(lamps, board), arbiter_of(journal)
    game, lies = opened.game, how_it_lies(journal, opened.record.position.rules)
    beat = Heartbeat(os.environ)
    table = Table(board, both, lighting, journal, game, session, board, dice, beat, arbiter, lies)
    return table, lamps


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
        folder.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(f"{secrets.randbelow(1_000_000):06}\n", encoding="utf-8")
    return path.read_text(encoding="utf-8").strip()


def unguessable() -> str:
    """Return a word nobody can guess."""
    return secrets.token_urlsafe(18)
