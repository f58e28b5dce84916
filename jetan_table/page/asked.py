"""Does what a page asks of the table, on the table's thread."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace as changed

from hardware.switches import FaultKind
from rules import RulesError, Side, Square, parse_square
from rules.sentences import _
from vision.errors import VisionError

from ..boards.screen import NO_MOVE_NOW, ScreenBoard
from ..boards.typed import HandRefused, TypedHands
from ..extras.commissioning.repairs import Repairs
from ..extras.lessons.course_at_table import game_after_lessons, learn, train
from ..extras.lessons.exercise import Exercise, PuzzleExercise, to_guess
from ..extras.lessons.puzzles import asked_puzzle, read_daily
from ..extras.opponent.invitation import THINK_S, Invitation
from ..extras.opponent.seat import Seat
from ..game.commands import AsArbiter, Command, CommandRefused, New, NewGame, TakeBackLast
from ..game.events import Header, SideName
from ..game.record import Record
from ..journal.archive import Archive
from ..journal.game_files import game_text, read_saved, save_game, saved_text, start_from
from ..journal.journal import JournalUnwritable
from ..languages import Language, say_in
from ..light.choice import LampChoice, keep_choice, kept_choice
from ..session.guests import FarMatch
from ..session.tabletop import named_position
from ..session.umpire import check_help
from ..table.board_watch import BoardWatch
from ..table.loop import Clock, Table
from ..terminal.typed import Quit, TypedWords
from . import requests as ask
from .documents import kept_record
from .pace import Pace

if TYPE_CHECKING:  # OpenCV: only where there is a camera
    from ..boards.table_camera import TableCamera


class FarCalls(Protocol):
    """Calls a far table to a match."""

    def open(self, code: str | None, side: SideName, record: Record) -> str:
        """Accept the match of that code, or invite to one on the terms of a game; return its code.

        CommandRefused where none can begin now.
        """
        ...

    @property
    def match(self) -> FarMatch | None:
        """The match that is played on this board; None where none is."""
        ...


NOT_YOURS = _("these pieces are not yours to move from here")

TYPED_MOVE = re.compile(r"([a-j](?:10|[1-9]))[ -]?([a-j](?:10|[1-9]))")


@dataclass(frozen=True, slots=True)
class AskedTable:
    """A table and all that a request may need."""

    table: Table
    archive: Archive
    folder: Path
    """Where games are kept and saved."""
    clock: Clock
    language: Language
    """What the table speaks, where a page does not choose."""
    look: LampChoice
    """The lamps' palette and brightness by the settings."""
    hands: TypedHands | None = None
    """None where pieces are real, or simulated people hold them."""
    typed: TypedWords | None = None
    """None where nobody types."""
    seat: Seat | None = None
    """None where no opponent may sit."""
    eye: TableCamera | None = None
    """None where no camera looks on."""
    screen: ScreenBoard | None = None
    """None where there is no board on the screen."""
    far: FarCalls | None = None
    """None where no line leads to a far table."""
    watch: BoardWatch = field(default_factory=BoardWatch)
    """Notes what the board shows of itself."""
    scan_hz: float | None = None
    """How often a real board is looked at; None where there is none."""
    pace: Pace = field(default_factory=Pace)
    """How soon the table plays on a screen."""
    repairs: Repairs | None = None
    """None where nobody looks after the machine, as in a browser."""

    @property
    def touching(self) -> TypedHands | None:
        """The hands that can touch a simulated board now; None where there is none."""
        return None if self.is_on_screen else self.hands

    @property
    def is_on_screen(self) -> bool:
        """Whether the board is a picture, on which moves are certain."""
        return self.screen is not None and not self.screen.simulates

    @property
    def is_watched(self) -> bool:
        """Whether the table plays both sides on a screen."""
        guest = None if self.seat is None else self.seat.guest
        return guest is not None and guest.plays_both and self.is_on_screen

    def oblige(self) -> None:
        """On a screen, carry out what the player without hands wishes, when it has been awaited."""
        wish = self.table.view.help.wish
        if self.screen is None or not self.is_on_screen:
            return
        is_due = self.pace.allows(self.table.session.record, self.clock.now(), self.is_watched)
        if wish is not None and is_due:
            with suppress(HandRefused, RulesError, JournalUnwritable):
                self._play(self.screen, wish.from_square, wish.to_square)

    def do(self, request: ask.Request) -> list[str]:
        """Do what is asked and return what there is to say; a refusal of the table's if not.

        What is refused is not done later either: while the disk refuses, nothing is begun.
        """
        match request:
            case New() | AsArbiter(command=New()):
                self._begin(request)
            case Command():
                self._tell(request)
            case ask.HereRequest() | ask.LoadRequest() | ask.SaveRequest():
                return self._about_games(request)
            case ask.LightRequest() | ask.PaceRequest():
                return self._show(request)
            case ask.PlaceRequest(corners=corners):
                self._place(corners)
            case ask.InviteRequest() | ask.FarRequest():
                return self._invite(request)
            case ask.LessonsRequest():
                self._learn(request)
            case ask.StudyRequest(is_wanted=is_wanted):
                self._study(is_wanted)
            case ask.PickRequest() | ask.MoveRequest() | ask.SimulateRequest():
                self._on_screen(request)
            case ask.TypeRequest(line=line):
                return self._type(line)
            case ask.MendRequest() | ask.LampRequest():
                self._mend(request)
            case _:
                self._touch(request)
        return []

    def _mend(self, request: ask.MendRequest | ask.LampRequest) -> None:
        """Show a lamp, or do what the table's owner asks of the machine and its parts."""
        if isinstance(request, ask.LampRequest):
            self._tap(parse_square(request.square))
        elif self.repairs is None:
            raise CommandRefused(_("this table cannot be mended from its page"))
        else:
            if request.act in ("flash", "update"):
                self.table.check_arbiter(request.pin or "", self.clock.now())
            self.repairs.do(request.act, request.name or "", self.table.board.parts.cabled)

    def _tap(self, square: Square) -> None:
        """Light one lamp, where a lamp may mean nothing: it could be a hint."""
        record = self.table.record
        if not record.conduct.allows_hints and record.game.outcome is None:
            raise CommandRefused(
                _("a tournament's game is on: its lamps show nothing but the game")
            )
        self.watch.tap(square, self.clock.now())

    def _invite(self, request: ask.InviteRequest | ask.FarRequest) -> list[str]:
        """Let somebody without hands play a side: the opponent, or a far table, by a code."""
        record = self.table.record
        if isinstance(request, ask.FarRequest):
            if self.far is None:
                raise CommandRefused(_("no far table can be reached: the settings name no broker"))
            return [self.far.open(request.code, request.side, record)]
        if self.seat is None:
            raise CommandRefused(_("simulated people play both sides here"))
        level, to_move = request.level, record.position.side
        self.seat.invite(None if level is None else _invitation(level, request, to_move))
        self.pace.is_paused = False  # what was watched before stood still, not this
        return []

    def _learn(self, request: ask.LessonsRequest) -> None:
        """Teach a lesson, set an exercise, or go back to the game that was left for them."""
        self.table.check_disk()
        match request:
            case ask.LearnRequest(lesson=name):
                learn(self.table, self.seat, self.hands, self.folder, name)
            case ask.PuzzleRequest() | ask.GuessRequest():
                exercise = self._exercise(request)
                train(self.table, self.seat, self.hands, self.folder, exercise)
            case ask.LeaveRequest():
                now = self.clock.now()
                self._begin(game_after_lessons(self.table, self.seat, self.archive, now))

    def _study(self, is_wanted: bool) -> None:
        if self.seat is None:
            raise CommandRefused(_("simulated people play both sides here"))
        self.seat.study(self.folder if is_wanted else None)

    def _exercise(self, request: ask.PuzzleRequest | ask.GuessRequest) -> Exercise:
        if isinstance(request, ask.GuessRequest):
            record = kept_record(self.archive, request.game)
            check_help(record if record.ending is None else self.table.record)
            side, names = Side[request.side.upper()], (record.header.black, record.header.orange)
            return to_guess(record.game, side, request.plies, " - ".join(names))
        today = datetime.fromtimestamp(self.clock.now()).astimezone().toordinal()
        number, theme, level = request.number, request.theme, request.level
        return PuzzleExercise(asked_puzzle(read_daily(), number, theme, level, today))

    def _place(self, corners: Sequence[tuple[float, float]]) -> None:
        if self.eye is None:
            raise CommandRefused(_("there is no camera at this table"))
        try:
            self.eye.place([list(corner) for corner in corners])
        except VisionError:
            raise CommandRefused(
                _("the corners must go once round the board: a1, j1, j10, a10")
            ) from None

    def _type(self, line: str) -> list[str]:
        if self.typed is None:
            raise CommandRefused(_("nothing can be typed while simulated people play"))
        if self.is_on_screen and (squares := TYPED_MOVE.fullmatch(line.strip())):
            return self.do(ask.MoveRequest(squares[1], squares[2]))
        try:
            return self.typed.do(line)
        except Quit:
            raise CommandRefused(_("close the page to leave; Ctrl-C stops the table")) from None

    def _tell(self, command: Command | NewGame) -> None:
        self.table.obey(command, self.clock.now())
        guest = None if self.seat is None else self.seat.guest
        is_back = self.is_on_screen and isinstance(command, TakeBackLast)
        if not is_back or guest is None or guest.plays_both:
            return
        # Who takes a move back against the table wants his own back, and so the reply before.
        record, waits = self.table.session.record, self.table.is_unwritten
        if record.position.side is guest.side and record.game.plies and not waits:
            self.table.obey(command, self.clock.now())

    def step(self, now: float) -> None:
        """Let the table step; on a screen until the board shows the game and all of it is read."""
        table, screen = self.table, self.screen
        table.step(now)
        if screen is None or screen.simulates:
            return
        while table.has_unread or screen.is_behind:
            table.step(now)

    def _on_screen(self, request: ask.Request) -> None:
        """Do what can only be done on a board that is a picture."""
        screen = self.screen
        if screen is None:
            raise HandRefused(NOT_YOURS)
        if isinstance(request, ask.SimulateRequest):
            self.table.check_disk()
            if request.is_wanted != screen.simulates:
                screen.simulate(request.is_wanted)
                self.table.read_anew(self.clock.now())
            return
        if screen.simulates:
            raise HandRefused(NOT_YOURS)
        self.step(self.clock.now())  # what was taken back or begun just now is to be read first
        if isinstance(request, ask.PickRequest):
            screen.pick(None if request.square is None else parse_square(request.square))
            self.table.session.look_again()
        elif isinstance(request, ask.MoveRequest):
            start, end = map(parse_square, (request.from_square, request.to_square))
            if self.seat is not None and self.seat.plays_now:
                raise HandRefused(NO_MOVE_NOW)
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
            raise HandRefused(NO_MOVE_NOW)

    def _touch(self, request: ask.Request) -> None:
        """Let simulated hands touch the board."""
        hands, now = self.touching, self.clock.now()
        if hands is None:
            raise HandRefused(NOT_YOURS)
        match request:
            case ask.LiftRequest(square=square):
                hands.lift(parse_square(square), now)
            case ask.PutRequest(square=square, letter=letter):
                hands.put(parse_square(square), now, letter)
            case ask.TakeRequest(square=square, letter=letter):
                if not hands.in_hand:
                    raise HandRefused(_("the hand is empty"))
                hands.take(parse_square(square), now)
                hands.put(parse_square(square), now, letter)
            case ask.BoxRequest(letter=letter):
                hands.drop(letter)
            case ask.TiltRequest(square=square):
                hands.tilt(parse_square(square), now)
            case ask.AilRequest(square=square, fault="weak"):
                hands.weaken(parse_square(square), now)
            case ask.AilRequest(square=square, fault=fault):
                hands.fail(parse_square(square), FaultKind(fault) if fault else None, now)
            case ask.ObligeRequest():
                self._oblige(hands, now)
            case ask.TidyRequest():
                hands.set_up(self.table.view.position, now)

    def _oblige(self, hands: TypedHands, now: float) -> None:
        """Let simulated hands make the move that is wished for."""
        wish = self.table.view.help.wish
        if wish is None:
            raise CommandRefused(_("no move is wished for just now"))
        if hands.in_hand:
            raise HandRefused(_("put down first what is in the hand"))
        hands.move((wish.from_square, wish.to_square), now)

    def _about_games(
        self, request: ask.HereRequest | ask.LoadRequest | ask.SaveRequest
    ) -> list[str]:
        match request:
            case ask.SaveRequest(name=name, game=game):
                record = self.table.record if game is None else kept_record(self.archive, game)
                save_game(self.folder, name, game_text(record))
                return [say_in(self.language, _("Saved as {name}."), name=name)]
            case ask.HereRequest():
                self._begin(self._from_here(request))
            case ask.LoadRequest(plies=plies):
                text = read_saved(self._text(request))
                start_there = start_from(text, plies, self.clock.now())
                self._begin(NewGame(start_there.header, start_there.events))
        return []

    def _from_here(self, request: ask.HereRequest) -> NewGame:
        """Return the game that begins from what stands on the board, as people name it."""
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
        return NewGame(header, record.terms.agreed)

    def _begin(self, command: Command | NewGame) -> None:
        """Begin a game; simulated pieces are set up for it at once."""
        self._tell(command)
        if self.touching is not None:
            self.touching.mend(self.clock.now())
            self.touching.set_up(self.table.session.record.position, self.clock.now())

    def _text(self, request: ask.LoadRequest) -> str:
        match (request.name, request.game, request.text):
            case (str(name), None, None):
                return saved_text(self.folder, name)
            case (None, int(game), None):
                return game_text(kept_record(self.archive, game))
            case (None, None, str(text)):
                return text
        raise CommandRefused(_("load: tell one of name, game and text"))

    def _show(self, request: ask.LightRequest | ask.PaceRequest) -> list[str]:
        if isinstance(request, ask.LightRequest):
            return self._light(request)
        if not self.is_watched:
            raise CommandRefused(_("nothing to watch: let the table play both sides first"))
        self.pace.every_s = request.every_s or self.pace.every_s
        self.pace.is_paused = request.is_paused
        return []

    def _light(self, request: ask.LightRequest) -> list[str]:
        now = kept_choice(self.folder, self.look)
        chosen = LampChoice(request.palette or now.palette, request.brightness or now.brightness)
        keep_choice(self.folder, chosen, self.look)
        self.table.light_by(chosen)
        return []


def _invitation(level: str, request: ask.InviteRequest, to_move: Side) -> Invitation:
    both = request.side == "both"
    side = to_move if both else Side[request.side.upper()]
    return Invitation(level, side, THINK_S, request.ponders, request.guides, plays_both=both)
