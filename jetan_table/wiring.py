"""The one place where a table's parts are chosen and joined."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from firmware_bridge import SerialBoard
from rules import SQUARES, Position, Rules, Square, format_position, format_rules, parse_rules

from . import __version__
from .board.orientation import AS_WIRED, Orientation, orientation_of
from .board.piece_tracker import Whereabouts
from .boards.boards import Board
from .boards.emulated_table import LampsTogether
from .game.commands import NewGame
from .game.events import Entry, Event, Header
from .game.placement import UNKNOWN, letters
from .game.record import Record
from .journal.agreement import another
from .journal.archive import Archive, GameId
from .journal.journal import Journal
from .lamps.lights import Dimming, Lamp
from .lamps.palette import PALETTES
from .reading.occupancy import Seen
from .reading.readers import by_looks, by_switches
from .session.gesture_commands import NextGame
from .session.session import Session
from .settings import Settings
from .simulation.board import SimulatedBoard
from .simulation.simulated_table import (
    BETWEEN_S,
    Hands,
    LightsSeen,
    TouchedSensor,
    TypedHands,
    lying_ready,
)
from .table.dice import Dice
from .table.heartbeat import Heartbeat
from .table.loop import Lighting, Table
from .table.pin import Arbiter
from .table.seeds import Seeds

LAMP_OF = tuple(Lamp(square) for square in SQUARES)


@dataclass(frozen=True, slots=True)
class Opened:
    """A game that the journal holds and that is to be played; `is_resumed`: it had begun before."""

    game: GameId
    record: Record
    is_resumed: bool


def data_folder(named: Path | None, environment: Mapping[str, str]) -> Path:
    """Return where games are kept: `named`, or jetan under $XDG_DATA_HOME."""
    if named is not None:
        return named
    home = environment.get("HOME", "/")
    return Path(environment.get("XDG_DATA_HOME") or Path(home, ".local", "share")) / "jetan"


TABLE_PIN, ARBITER_PIN = "pin", "arbiter"


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


def begin_header(start: Position, at: float) -> Header:
    """Return the header of a game from `start`, begun at `at`."""
    return Header(
        started=at,
        rules=format_rules(start.rules),
        start=format_position(start),
        version=__version__,
    )


def next_games(archive: Archive) -> NextGame:
    """Return what begins the game after another: on its terms, the next of its series."""

    def begin(record: Record, now: float) -> NewGame:
        header = begin_header(Position.start(parse_rules(record.header.rules)), now)
        begun = another(record, header, archive)
        return NewGame(begun.header, begun.events)

    return begin


def open_game(
    journal: Journal, header: Header | None, otherwise: Header, events: Sequence[Event] = ()
) -> Opened:
    """Resume the newest game if it is unfinished, unless `header` asks for a new one.

    Without either, the game of the header `otherwise` begins; `events` happen in a new game first.
    """
    unfinished = journal.archive.unfinished()
    if header is None and unfinished is not None:
        told = journal.archive.header(unfinished)
        record = Record.read(told, journal.archive.entries(unfinished))
        return Opened(unfinished, record, True)
    return begin_game(journal, header or otherwise, events)


def begin_game(journal: Journal, header: Header, events: Sequence[Event] = ()) -> Opened:
    """Begin a game in the journal, in which `events` have happened already."""
    game = journal.begin(header)
    entries = [Entry(header.started, event) for event in events]
    if entries:
        journal.append(game, entries)
    return Opened(game, Record.read(header, entries), False)


def pieces_left(journal: Journal, opened: Opened) -> tuple[dict[Square, str], list[str]]:
    """Return what stands on a simulated table where it was left, and what was in the hand.

    The switches' last word counts, as on a real one: a piece that was in the air still is.
    """
    seen = Seen()
    for observation in journal.archive.observations(opened.game):
        seen.update(observation)
    position, remains = opened.record.stands, opened.record.remains
    where = Whereabouts(position, seen.occupied if seen else letters(position), remains)
    where.confirm(position, opened.record.faults.keys(), remains)
    in_hand = where.in_hand + where.absent
    for square in [at for at, letter in where.standing.items() if letter == UNKNOWN]:
        del where.standing[square]
        if in_hand:
            where.standing[square] = in_hand.pop()
    return where.standing, in_hand


def typed_hands(
    journal: Journal, opened: Opened, seed: int, between_s: float = BETWEEN_S
) -> tuple[TypedHands, SimulatedBoard]:
    """Return a simulated board, as the game was left, and hands that do there what is typed."""
    standing, in_hand = pieces_left(journal, opened)
    board = SimulatedBoard(sorted(standing), Random(f"table {seed}"))
    hands = TypedHands(board, standing, between_s)
    hands.in_hand += in_hand
    hands.box += lying_ready(opened.record.position)
    return hands, board


Drive = Callable[[SimulatedBoard], SerialBoard]
"""Puts a microcontroller under a simulated board, and returns the driver of its line."""


def arbiter_of(journal: Journal) -> Arbiter:
    """Return the arbiter, whose PIN is kept beside the journal."""
    return Arbiter(kept_pin(journal.folder, ARBITER_PIN))


def dice_of(journal: Journal, settings: Settings) -> Dice:
    """Return the table's own die, which keeps its secrets beside the journal."""
    rolls_itself = settings.table.rolls == "self"
    return Dice(Seeds(journal.folder / "seeds", os.urandom), rolls_itself)


def join(
    hands: Hands,
    board: SimulatedBoard,
    journal: Journal,
    opened: Opened,
    settings: Settings,
    drive: Drive | None = None,
    dice: Dice | None = None,
) -> tuple[Table, LightsSeen]:
    """Join a simulated board and the hands at it with all that stands above a table."""
    lamps, lighting = LightsSeen(), lighting_of(settings, LAMP_OF)
    session, beat = Session(opened.record, settings.table.patience_s), Heartbeat(os.environ)
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
    if drive is None:
        sensor = TouchedSensor(hands, board.sensor(settings.reed.debounce_ms))
        joined = table(sensor, lamps)
    else:
        driver = drive(board)
        both = LampsTogether(lamps, driver)
        joined = table(TouchedSensor(hands, driver), both, parts=driver)
    if isinstance(hands, TypedHands):
        joined.bearings.followers.append(hands.turn)
    return joined, lamps


def join_board(
    board: Board, journal: Journal, opened: Opened, settings: Settings, dice: Dice | None = None
) -> tuple[Table, LightsSeen]:
    """Join a real board with all that stands above a table."""
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
    told = settings.lamps
    return Lighting(PALETTES[told.palette], lamp_of, Dimming(told.brightness, told.limit_ma))
