"""Requests of a page, and what does them on the table's thread.

Requests are JSON objects, told apart by `do`. Commands are those of `game.commands`; here is what
else a page asks for: touches of a simulated board, games kept and saved, lamps, a camera.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace as changed

from hardware.ports import FaultKind
from rules import Position, RulesError, Side, Square, Worded, _, parse_square
from vision.errors import VisionError

from ..game.commands import (
    NO_MOVE_NOW,
    AnyCommand,
    AsArbiter,
    Command,
    CommandRefused,
    Line,
    New,
    NewGame,
    SquareName,
    TakeBackLast,
)
from ..game.events import Header, kinds_of
from ..game.record import Record
from ..game.texts import game_text, read_saved, start_from
from ..journal.archive import Archive
from ..journal.journal import JournalUnwritable
from ..languages import Language
from ..light.lamps import LampChoice, PaletteName, keep_choice, kept_choice
from ..session.tabletop import named_position
from ..table.board import BoardWatch
from ..table.games import save_game, saved_text
from ..table.loop import Clock, Table
from ..terminal.typed import Quit, TypedWords
from .documents import kept_record

if TYPE_CHECKING:  # a camera brings OpenCV, a screen simulated hands: only where there is one
    from ..boards.camera import TableCamera
    from ..boards.screen import ScreenBoard, TypedHands

Letter = Annotated[
    str, msgspec.Meta(pattern="^[PTWADFCQptwadfcq*]$", description="as in position texts")
]
GameNumber = Annotated[int, msgspec.Meta(ge=1, le=10**9)]
PlyCount = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


Pixel = Annotated[float, msgspec.Meta(ge=-20_000, le=20_000)]


class PageRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of the requests below."""


class LiftRequest(PageRequest, frozen=True, tag="lift"):
    """A simulated hand lifts what stands on a square."""

    square: SquareName


class PutRequest(PageRequest, frozen=True, tag="put"):
    """It puts down what it lifted last, or a piece of that letter, from the hand or the box."""

    square: SquareName
    letter: Letter | None = None


class TakeRequest(PageRequest, frozen=True, tag="take"):
    """It takes what stands on a square into the box, and puts a piece it holds there."""

    square: SquareName
    letter: Letter | None = None


class BoxRequest(PageRequest, frozen=True, tag="box"):
    """It puts what it holds, or the piece of one letter, into the box."""

    letter: Letter | None = None


class TiltRequest(PageRequest, frozen=True, tag="tilt"):
    """It knocks a piece over, which lies beside its square for a while."""

    square: SquareName


class AilRequest(PageRequest, frozen=True, tag="ail"):
    """A simulated switch begins to fail, or is mended."""

    square: SquareName
    fault: Literal["stuck", "dead", "weak"] | None


class TidyRequest(PageRequest, frozen=True, tag="tidy"):
    """Simulated hands put all pieces where they belong."""


class ObligeRequest(PageRequest, frozen=True, tag="oblige"):
    """Simulated hands carry out what the player without hands wishes."""


class PickRequest(PageRequest, frozen=True, tag="pick"):
    """On a screen: show where the piece of a square may go; None: nobody is about to move."""

    square: SquareName | None = None


class MoveRequest(PageRequest, frozen=True, tag="move"):
    """On a screen: play from one square to another."""

    from_square: SquareName
    to_square: SquareName


class SimulateRequest(PageRequest, frozen=True, tag="simulate"):
    """Begin, or cease, to simulate a real table's hands, switches and faults on the screen."""

    is_wanted: bool


class HereRequest(PageRequest, frozen=True, tag="here"):
    """Leave this game and begin another from what stands on the board: each piece by its letter."""

    pieces: Annotated[dict[SquareName, Letter], msgspec.Meta(max_length=100)]
    side: Literal["black", "orange"] = "black"


class SaveRequest(PageRequest, frozen=True, tag="save"):
    """Save the game under a name; `game` is a kept one's number, None the one being played."""

    name: Line
    game: GameNumber | None = None


class LoadRequest(PageRequest, frozen=True, tag="load"):
    """Begin a game that goes on after so many plies (None: all) of another.

    The other one is told by exactly one of: the name it was saved under, its number among the
    games kept, or its text (`.jgn`).
    """

    name: Line | None = None
    game: GameNumber | None = None
    text: Annotated[str, msgspec.Meta(max_length=60_000)] | None = None
    plies: PlyCount | None = None


class PlaceRequest(PageRequest, frozen=True, tag="place"):
    """Tell the camera where the board's corners a1, j1, j10 and a10 are, in its pixels."""

    corners: Annotated[list[tuple[Pixel, Pixel]], msgspec.Meta(min_length=4, max_length=4)]


class LightRequest(PageRequest, frozen=True, tag="light"):
    """Change the lamps' palette or brightness, for later evenings, too."""

    palette: PaletteName | None = None
    brightness: Annotated[float, msgspec.Meta(ge=0.02, le=1)] | None = None


class PaceRequest(PageRequest, frozen=True, tag="pace"):
    """Set the pace of a table that plays both sides on a screen, or let it pause."""

    every_s: Annotated[float, msgspec.Meta(ge=0.1, le=60)] | None = None
    """None: as often as before."""
    is_paused: bool = False


class LampRequest(PageRequest, frozen=True, tag="lamp"):
    """Light the lamp of one square for a moment, to see which it is."""

    square: SquareName


class TypeRequest(PageRequest, frozen=True, tag="type"):
    """Do what is typed, as at the table in a terminal."""

    line: Line


if TYPE_CHECKING:
    Request: TypeAlias = Command | PageRequest
else:
    Request = reduce(or_, kinds_of(PageRequest, globals()), AnyCommand)
"""Anything a page can ask for."""


class EntryRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table's PIN, told at the door."""

    pin: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """Empty from this machine's own browser, which need not know it."""


# How soon the table plays on a screen: once people have seen what was played before

REPLY_S: Final = 0.6
"""A piece has landed by then, wherever it went."""
ROLLED_S: Final = 1.6
"""Seconds for the Juggernaut's die to roll, and for it to walk."""
FOUGHT_S: Final = 2.4
"""Seconds for people to read who has won a fight."""
WATCHED_S: Final = 1.0
"""Between two plies of a table that plays both sides, unless people want it otherwise."""


class Pace:
    """The pace of the table's own plies, on a board that needs no hands."""

    def __init__(self) -> None:
        self.every_s = WATCHED_S
        """Between two plies that are only watched."""
        self.is_paused = False
        self._stands: Position | None = None
        self._since = 0.0

    def allows(self, record: Record, now: float, is_watched: bool) -> bool:
        """Return True once people have seen the position for long enough; ask at each step."""
        if self._stands is not record.stands:
            self._stands, self._since = record.stands, now
        if is_watched and self.is_paused:
            return False
        return now - self._since >= (self.every_s if is_watched else _seen_in(record))


def _seen_in(record: Record) -> float:
    """Return how long people look at the last ply and what came of it."""
    if not record.game.plies:
        return REPLY_S
    last = record.game.plies[-1]
    if last.duel is not None:
        return FOUGHT_S
    return ROLLED_S if last.rolls else REPLY_S


# What does what is asked

NOT_YOURS = _("these pieces are not yours to move from here")

TYPED_MOVE = re.compile(r"([a-j](?:10|[1-9]))[ -]?([a-j](?:10|[1-9]))")


@dataclass(frozen=True, slots=True)
class AskedTable:
    """A table and all that a request may need."""

    table: Table
    archive: Archive
    folder: Path
    clock: Clock
    language: Language
    """The table's own language, for pages that choose none."""
    look: LampChoice
    """The lamps' palette and brightness by the settings."""
    hands: TypedHands | None = None
    """None where pieces are real, or simulated people hold them."""
    typed: TypedWords | None = None
    """None where nobody types."""
    eye: TableCamera | None = None
    """None where no camera looks on."""
    screen: ScreenBoard | None = None
    """None where there is no board on the screen."""
    watch: BoardWatch = field(default_factory=BoardWatch)
    """Notes what the board shows of itself."""
    scan_hz: float | None = None
    """Looks at a real board in a second; None where there is none."""
    pace: Pace = field(default_factory=Pace)
    """The pace of the table's own plies on a screen."""

    @property
    def touching(self) -> TypedHands | None:
        """The hands that can touch a simulated board now; None where there is none."""
        return None if self.is_on_screen else self.hands

    @property
    def is_on_screen(self) -> bool:
        """True while the board is a picture, on which moves are certain."""
        return self.screen is not None and not self.screen.simulates

    @property
    def is_watched(self) -> bool:
        """True while the table plays both sides on a screen."""
        return len(self.table.sides) == 2 and self.is_on_screen

    @property
    def plays_now(self) -> bool:
        """True while it is the turn of a player without hands."""
        record = self.table.session.record
        is_open = record.ending is None and record.unsettled is None
        return is_open and record.position.side in self.table.sides

    def oblige(self) -> None:
        """On a screen, carry out what the player without hands wishes, when it has been awaited."""
        wish = self.table.view.help.wish
        if self.screen is None or not self.is_on_screen:
            return
        is_due = self.pace.allows(self.table.session.record, self.clock.now(), self.is_watched)
        if wish is not None and is_due:
            with suppress(CommandRefused, RulesError, JournalUnwritable):
                self._play(self.screen, wish.from_square, wish.to_square)

    def do(self, request: Request) -> list[str]:
        """Do what is asked and return what there is to say; a refusal of the table's if not.

        What is refused is not done later either: while the disk refuses, nothing is begun.
        """
        if isinstance(request, New) or (
            isinstance(request, AsArbiter) and isinstance(request.command, New)
        ):
            self.begin(request)
        elif isinstance(request, Command):
            self._tell(request)
        else:
            return HANDLERS[type(request)](self, request) or []
        return []

    def _tap(self, request: LampRequest) -> None:
        """Light one lamp, where a lamp may mean nothing: it could be a hint."""
        record = self.table.record
        if not record.conduct.allows_hints and record.game.outcome is None:
            raise CommandRefused(
                _("a tournament's game is on: its lamps show nothing but the game")
            )
        self.watch.tap(parse_square(request.square), self.clock.now())

    def _place(self, request: PlaceRequest) -> None:
        if self.eye is None:
            raise CommandRefused(_("there is no camera at this table"))
        try:
            self.eye.place([list(corner) for corner in request.corners])
        except VisionError:
            raise CommandRefused(
                _("the corners must go once round the board: a1, j1, j10, a10")
            ) from None

    def _type(self, request: TypeRequest) -> list[str]:
        if self.typed is None:
            raise CommandRefused(_("nothing can be typed while simulated people play"))
        line = request.line
        if self.is_on_screen and (squares := TYPED_MOVE.fullmatch(line.strip())):
            return self.do(MoveRequest(squares[1], squares[2]))
        try:
            return self.typed.do(line)
        except Quit:
            raise CommandRefused(_("close the page to leave; Ctrl-C stops the table")) from None

    def _tell(self, command: Command | NewGame) -> None:
        self.table.obey(command, self.clock.now())
        sides = self.table.sides
        if not (self.is_on_screen and isinstance(command, TakeBackLast) and len(sides) == 1):
            return
        # Who takes a move back against the table wants his own back, and so the reply before.
        record, waits = self.table.session.record, self.table.is_unwritten
        if record.position.side in sides and record.game.plies and not waits:
            self.table.obey(command, self.clock.now())

    def step(self, now: float) -> None:
        """Let the table step; on a screen until the board shows the game and all of it is read."""
        table, screen = self.table, self.screen
        table.step(now)
        if screen is None or screen.simulates:
            return
        while table.has_unread or screen.is_behind:
            table.step(now)

    def _simulate(self, request: SimulateRequest) -> None:
        if self.screen is None:
            raise CommandRefused(NOT_YOURS)
        self.table.check_disk()
        if request.is_wanted != self.screen.simulates:
            self.screen.simulate(request.is_wanted)
            self.table.read_anew(self.clock.now())

    def _on_screen(self, request: PickRequest | MoveRequest) -> None:
        """Do what can only be done on a board that is a picture."""
        screen = self.screen
        if screen is None or screen.simulates:
            raise CommandRefused(NOT_YOURS)
        self.step(self.clock.now())  # what was taken back or begun just now is to be read first
        if isinstance(request, PickRequest):
            screen.pick(None if request.square is None else parse_square(request.square))
            self.table.session.look_again()
        else:
            start, end = map(parse_square, (request.from_square, request.to_square))
            if self.plays_now:
                raise CommandRefused(NO_MOVE_NOW)
            self._play(screen, start, end)

    def _play(self, screen: ScreenBoard, start: Square, end: Square) -> None:
        """Let a ply be played on the screen; a refusal where it does not stand afterwards.

        Then it is forgotten, whatever it was that hindered it.
        """
        self.table.check_disk()
        before, now = self.table.session.record, self.clock.now()
        screen.play(start, end, now)
        self.table.step(now)
        after = self.table.session.record
        if after.moves == before.moves and after.ending is before.ending:
            screen.unplay()
            self.table.check_disk()
            raise CommandRefused(NO_MOVE_NOW)

    def _touch(self, request: Request) -> None:
        """Let simulated hands touch the board."""
        hands, now = self.touching, self.clock.now()
        if hands is None:
            raise CommandRefused(NOT_YOURS)
        match request:
            case LiftRequest(square=square):
                hands.lift(parse_square(square), now)
            case PutRequest(square=square, letter=letter):
                hands.put(parse_square(square), now, letter)
            case TakeRequest(square=square, letter=letter):
                if not hands.in_hand:
                    raise CommandRefused(_("the hand is empty"))
                hands.take(parse_square(square), now)
                hands.put(parse_square(square), now, letter)
            case BoxRequest(letter=letter):
                hands.drop(letter)
            case TiltRequest(square=square):
                hands.tilt(parse_square(square), now)
            case AilRequest(square=square, fault="weak"):
                hands.weaken(parse_square(square), now)
            case AilRequest(square=square, fault=fault):
                hands.fail(parse_square(square), FaultKind(fault) if fault else None, now)
            case ObligeRequest():
                self._oblige(hands, now)
            case TidyRequest():
                hands.set_up(self.table.view.position, now)

    def _oblige(self, hands: TypedHands, now: float) -> None:
        """Let simulated hands make the move that is wished for."""
        wish = self.table.view.help.wish
        if wish is None:
            raise CommandRefused(_("no move is wished for just now"))
        if hands.in_hand:
            raise CommandRefused(_("put down first what is in the hand"))
        hands.move((wish.from_square, wish.to_square), now)

    def _save(self, request: SaveRequest) -> list[str]:
        game = request.game
        record = self.table.record if game is None else kept_record(self.archive, game)
        save_game(self.folder, request.name, game_text(record))
        return [Worded(_("Saved as {name}."), name=request.name)]

    def _load(self, request: LoadRequest) -> None:
        text = read_saved(self._text(request))
        start_there = start_from(text, request.plies, self.clock.now())
        self.begin(NewGame(start_there.header, start_there.events))

    def _go_on_from_here(self, request: HereRequest) -> None:
        """Begin a game from what stands on the board, as people name it."""
        record, standing = self.table.record, self.table.view.standing
        position = named_position(
            record.position.rules,
            {parse_square(name): letter for name, letter in request.pieces.items()},
            standing.keys() if self.touching is None else self.touching.standing.keys(),
            record.faults.keys(),
            Side[request.side.upper()],
        )
        header = Header.of(position, self.clock.now())
        header = changed(header, black=record.header.black, orange=record.header.orange)
        self.begin(NewGame(header, record.terms.agreed))

    def begin(self, command: Command | NewGame) -> None:
        """Begin a game; simulated pieces are set up for it at once."""
        self._tell(command)
        if self.touching is not None:
            self.touching.mend(self.clock.now())
            self.touching.set_up(self.table.session.record.position, self.clock.now())

    def _text(self, request: LoadRequest) -> str:
        match (request.name, request.game, request.text):
            case (str(name), None, None):
                return saved_text(self.folder, name)
            case (None, int(game), None):
                return game_text(kept_record(self.archive, game))
            case (None, None, str(text)):
                return text
        raise CommandRefused(_("load: tell one of name, game and text"))

    def _pace(self, request: PaceRequest) -> None:
        if not self.is_watched:
            raise CommandRefused(_("nothing to watch: let the table play both sides first"))
        self.pace.every_s = request.every_s or self.pace.every_s
        self.pace.is_paused = request.is_paused

    def _light(self, request: LightRequest) -> None:
        now = kept_choice(self.folder, self.look)
        chosen = LampChoice(request.palette or now.palette, request.brightness or now.brightness)
        keep_choice(self.folder, chosen, self.look)
        self.table.light_by(chosen)


Handler: TypeAlias = Callable[[AskedTable, Any], list[str] | None]
"""Does what is asked on the table's thread; returns what there is to say, if anything."""

HANDLERS: Final[Mapping[type, Handler]] = {
    SaveRequest: AskedTable._save,
    LoadRequest: AskedTable._load,
    HereRequest: AskedTable._go_on_from_here,
    LightRequest: AskedTable._light,
    PaceRequest: AskedTable._pace,
    LampRequest: AskedTable._tap,
    PlaceRequest: AskedTable._place,
    TypeRequest: AskedTable._type,
    SimulateRequest: AskedTable._simulate,
    PickRequest: AskedTable._on_screen,
    MoveRequest: AskedTable._on_screen,
    LiftRequest: AskedTable._touch,
    PutRequest: AskedTable._touch,
    TakeRequest: AskedTable._touch,
    BoxRequest: AskedTable._touch,
    TiltRequest: AskedTable._touch,
    AilRequest: AskedTable._touch,
    TidyRequest: AskedTable._touch,
    ObligeRequest: AskedTable._touch,
}
"""The handler of each of the core's own requests; commands go to the game."""
