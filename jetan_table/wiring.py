"""Joins the parts of a table, as its settings choose them."""

import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from rules import Notice, Rules, Worded, _, parse_rules

from .boards.screen import ScreenBoard, TypedHands
from .errors import TableError
from .extras import extras
from .files import PRIVATE, Damaged, read_json, read_whole, set_aside, write_whole
from .game.commands import New
from .game.record import Record
from .journal.journal import Journal
from .languages import worded
from .light.lamps import CHOICE_FILE, LAMP_OF, KeptChoice, Lamp, Lighting
from .light.words import Speaker
from .people.board import SimulatedBoard
from .people.manners import Profile
from .people.people import SimulatedPeople, SimulatedPlay, settled
from .people.world import world_of
from .reading.table_reader import ReadBy, by_looks, by_switches
from .session.orientation import AS_WIRED, Orientation, OrientationFinder, orientation_of
from .session.session import Guest, Session
from .settings import Settings
from .table.board import Board
from .table.dice import Dice, Seeds
from .table.games import Opened, new_game
from .table.loop import Clock, Table
from .table.pin import KNOWN_WAIT_S, GuardedPin
from .table.supervision import Heartbeat, Starts
from .table.switches import SwitchKeeper


@dataclass
class Seating:
    """All that guests may need to know before there is a table, and that table once it is made."""

    settings: Settings
    folder: Path
    record: Record
    """The game that goes on."""
    dice: Dice
    clock: Clock
    speaker: Speaker
    hands: TypedHands | None = None
    """None where pieces are real, or simulated people hold them."""
    has_people: bool = False
    """True if simulated people play both sides."""
    wait_s: float = 0.0
    """Seconds that one look at the table may wait for a guest's answer."""
    extra_options: Mapping[type, Any] = field(default_factory=dict)
    """Options of features on the command line, by their type."""
    is_paged: bool = False
    """True if it is shown on a page, not in a terminal."""
    is_open: bool = False
    """True if everybody on the network may open the page."""
    config: Path | None = None
    port: int = 0
    """Port of its page, once there is one."""
    then: list[Callable[[], None]] = field(default_factory=list)
    """Actions for when the table is left and all of it closed."""
    table: Table | None = None
    """None until it is made."""

    def pause(self) -> None:
        """Let time pass until the table is to be looked at again."""
        self.clock.sleep(1 / self.settings.reed.scan_hz)


@contextmanager
def guests_of(seating: Seating) -> Iterator[list[Guest]]:
    """Give the guests that all features bring to a table, while the block runs."""
    with ExitStack() as ends:
        yield [
            guest
            for each in extras().values()
            for guest in ends.enter_context(each.guests(seating))
        ]


@contextmanager
def at_table(seating: Seating) -> Iterator[None]:
    """Let features act at a table once it is made, and when it is left."""
    with ExitStack() as ends:
        for each in extras().values():
            ends.enter_context(each.at_table(seating))
        yield


def arbiter_of(journal: Journal) -> GuardedPin | None:
    """Return the arbiter's PIN, which is kept beside the journal; None where it is damaged.

    Nobody is kept waiting for long: whoever guesses at it sits at the table.
    """
    try:
        return GuardedPin(kept_pin(journal.folder, ARBITER_PIN), KNOWN_WAIT_S)
    except BadPin:
        return None


def dice_of(journal: Journal, settings: Settings) -> Dice:
    """Return the table's own die, which keeps its secrets beside the journal."""
    rolls_itself = settings.table.rolls == "self"
    return Dice(Seeds(journal.folder / "seeds", os.urandom), rolls_itself)


def join(
    board: Board,
    journal: Journal,
    opened: Opened,
    settings: Settings,
    dice: Dice | None = None,
    guests: Sequence[Guest] = (),
    typed: TypedHands | None = None,
) -> Table:
    """Join a board and all other parts of a table.

    Of a board that is touched by `typed` hands, these are told when it is turned.
    """
    # A simulated board is wired as it should be and never fails, so nothing is learned or kept of
    # it.
    is_simulated = board.hands is not None or isinstance(board, ScreenBoard)
    rules = opened.record.position.rules
    orientation = AS_WIRED if is_simulated else kept_orientation(journal, rules)
    # The reader follows from the board: a picture names plies, a camera gives looks, and switches
    # come with all that has been learnt of each of them.
    read_by: ReadBy = by_switches
    keepers: list[SwitchKeeper] = []
    if isinstance(board, ScreenBoard):
        read_by = board.read_by
    elif settings.table.board == "camera":
        read_by = by_looks
    elif not is_simulated:
        keepers = [SwitchKeeper(journal.folder, orientation)]
        read_by = partial(by_switches, rates=keepers[0].rates)
    session = Session(opened.record, settings.table.patience_s, read_by)
    # A screen shows the game itself: it needs the record that it is read into.
    if isinstance(board, ScreenBoard):
        board.follow(lambda: session.record)
    return Table(
        board,
        lighting_of(settings, LAMP_OF if is_simulated else settings.lamps.lamp_of()),
        journal,
        opened.game,
        session,
        [*guests, *keepers, *_managers(os.environ)],
        dice,
        arbiter_of(journal),
        partial(new_game, journal.archive, usual_game(settings)),
        opened.damage,
        OrientationFinder(orientation, None if typed is None else typed.turn),
    )


def _managers(environment: Mapping[str, str]) -> Iterator[Guest]:
    """Yield the guests that report to a service manager, if one listens."""
    heartbeat, starts = Heartbeat(environment), Starts(environment)
    if heartbeat.is_heard:
        yield heartbeat
    if starts.is_counted:
        yield starts


def seat_people(
    journal: Journal,
    opened: Opened,
    settings: Settings,
    profile: Profile,
    seed: int,
    clock: Clock,
    guests: Sequence[Guest] = (),
    drive: Callable[[SimulatedBoard], Board] = lambda board: board,
) -> SimulatedPlay:
    """Let simulated people go on with a game, from the position the journal has.

    `drive` returns the driver of the board that is under their hands, by itself its own.
    """
    opened = settled(journal, opened, seed, clock)
    position, rng = opened.record.position, Random(f"people {seed}")
    world, now = world_of(profile, position, rng), clock.now()
    board = SimulatedBoard(world, rng, now, debounce_ms=settings.reed.debounce_ms)
    driver = drive(board)
    dice = dice_of(journal, settings)
    table = join(driver, journal, opened, settings, dice, guests)
    people, played = SimulatedPeople(board, position, profile, rng), len(opened.record.game.plies)
    return SimulatedPlay(table, clock, played, people, driver)


def usual_game(settings: Settings) -> New:
    """Return the rules and terms of new games by these settings, and what series are played for."""
    table, series = settings.table, settings.series
    return New(
        rules=table.rules,
        clock=table.clock,
        conduct=table.conduct,
        stake=series.stake,
        prices=series.price,
    )


def kept_orientation(journal: Journal, rules: Rules) -> Orientation:
    """Return the orientation of these rules' board that people have named in earlier games."""
    orientation = AS_WIRED
    for text, turned in journal.archive.turns():
        if parse_rules(text).board.columns_around == rules.board.columns_around:
            orientation = orientation_of(turned, rules.board).after(orientation)
    return orientation


def lighting_of(settings: Settings, lamp_of: Sequence[Lamp]) -> Lighting:
    """Return the lighting of these settings."""
    lamps = settings.lamps
    return Lighting(lamps.palette, lamp_of, lamps.brightness, lamps.limit_ma)


PIN: Final = re.compile("[0-9]{6}")
MOST_PIN_BYTES: Final = 1000

TABLE_PIN, ARBITER_PIN = "pin", "arbiter"
"""Files of the data folder with the PINs: for changing anything, and the arbiter's."""


class BadPin(TableError, ValueError):
    """A file that should hold a PIN, and holds none."""


def kept_pin(folder: Path, name: str) -> str:
    """Return the PIN kept in a file of the data folder, made up if there is none yet; BadPin."""
    # Kept before it is shown: a PIN that people note and a crash loses would lock them out.
    path = folder / name
    if not path.exists():
        write_whole(path, f"{secrets.randbelow(1_000_000):06}\n".encode(), PRIVATE)
    pin = read_whole(path, MOST_PIN_BYTES).decode(errors="replace").strip()
    if not PIN.fullmatch(pin):
        raise BadPin(
            _("{path}: holds no PIN, which is six digits; for a new one delete it: rm {path}"),
            path=path,
        )
    return pin


def unguessable() -> str:
    """Return a secret word."""
    return secrets.token_urlsafe(18)


def set_damaged_files_aside(folder: Path) -> Iterator[str]:
    """Set damaged files aside, and yield a sentence about each; OSError.

    No damaged PIN is made anew: its owner must notice, and deletes the file.
    """
    for name, kind in small_files().items():
        try:
            read_json(folder / name, kind)
        except Damaged as error:
            kept = set_aside(folder / name)
            yield Worded(_("{why}: it is kept as {path}, and begun anew"), why=error, path=kept)
    for name in (TABLE_PIN, ARBITER_PIN):
        if not (folder / name).exists():
            kept_pin(folder, name)
    yield from (each.found for each in damaged_pins(folder))


def damaged_pins(folder: Path) -> Iterator[Notice]:
    """Yield notices about damaged PINs in the data folder; makes no new ones."""
    for name in (TABLE_PIN, ARBITER_PIN):
        if (folder / name).exists():
            try:
                kept_pin(folder, name)
            except (TableError, OSError) as error:
                yield Notice(name, "fail", worded(error))


def small_files() -> Mapping[str, type]:
    """Return the small files of the data folder, each with the type of its content."""
    brought = (each.keeps() for each in extras().values())
    return {
        CHOICE_FILE: KeptChoice,
        **{name: kind for kept in brought for name, kind in kept.items()},
    }
