"""Does what a page asks of the table, on the table's thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace as changed

from hardware.simulated_contacts import ContactFault
from rules import Position, Side, parse_position, parse_rules, parse_square
from rules.sentences import _
from vision.errors import VisionError

from ..game.commands import (
    AcceptDraw,
    AddNumber,
    AgreeDraw,
    AnswerQuestion,
    AskAdvice,
    BoardIsRight,
    ChooseBias,
    ChooseFirst,
    Command,
    CommandRefused,
    Correct,
    DeclineDraw,
    Help,
    NewGame,
    OfferDraw,
    PauseGame,
    PressClock,
    ReleaseTouched,
    Resign,
    ResumeGame,
    RollDie,
    SayAdjust,
    TakeBackLast,
)
from ..game.events import Event, Header
from ..game.rolling import duel_command, entered
from ..game.terms import agreed
from ..game.time_control import format_time_control
from ..journal.agreement import NOTHING_AGREED, Agreement, agree
from ..journal.archive import Archive
from ..journal.game_files import game_text
from ..journal.saved_games import read_saved, save_game, saved_text, start_from
from ..lamps.choice import LampChoice, keep_choice, kept_choice
from ..languages import Language
from ..opponent.seat import Guest, Seat
from ..session.standing import named_position
from ..simulation.table import HandRefused, TypedHands
from ..table.loop import Clock, Table
from ..terminal.typed import Quit, TypedWords
from . import requests as ask
from .camera import TableEye
from .documents import kept_record

FAULTS = {"stuck": ContactFault.STUCK_CLOSED, "dead": ContactFault.DEAD, None: None}

SIMPLE: Mapping[type[ask.Request], Command] = {
    ask.RightRequest: BoardIsRight(),
    ask.BackRequest: TakeBackLast(),
    ask.AcceptRequest: AcceptDraw(),
    ask.DeclineRequest: DeclineDraw(),
    ask.DrawRequest: AgreeDraw(),
    ask.PauseRequest: PauseGame(),
    ask.ResumeRequest: ResumeGame(),
    ask.PressRequest: PressClock(),
    ask.AdjustRequest: SayAdjust(),
    ask.ReleaseRequest: ReleaseTouched(),
}
"""What needs no more than its name."""


@dataclass(frozen=True, slots=True)
class AskedTable:
    """A table and all that a request may need."""

    table: Table
    hands: TypedHands | None
    """None where pieces are real, or simulated people hold them."""
    typed: TypedWords | None
    """None where nobody types."""
    seat: Seat | None
    """None where no opponent may sit."""
    archive: Archive
    folder: Path
    """Where games are kept and saved."""
    clock: Clock
    language: Language
    """What the table speaks, where a page does not choose."""
    look: LampChoice
    """The lamps' palette and brightness by the settings."""
    custom: Agreement = NOTHING_AGREED
    """What games of new series are played for."""
    eye: TableEye | None = None
    """None where no camera looks on."""

    def do(self, request: ask.Request) -> list[str]:
        """Do what is asked and return what there is to say; a refusal of the table's if not."""
        match request:
            case ask.NewRequest() | ask.HereRequest() | ask.LoadRequest() | ask.SaveRequest():
                return self._about_games(request)
            case ask.LightRequest():
                return self._light(request)
            case ask.PlaceRequest(corners=corners):
                self._place(corners)
            case ask.InviteRequest(level=level, side=side, ponders=ponders):
                plays = Side[side.upper()]
                self._invite(None if level is None else Guest(level, plays, ponders=ponders))
            case ask.TypeRequest(line=line):
                return self._type(line)
            case (
                (
                    ask.LiftRequest()
                    | ask.PutRequest()
                    | ask.TakeRequest()
                    | ask.BoxRequest()
                    | ask.TiltRequest()
                    | ask.AilRequest()
                )
                | ask.TidyRequest()
                | ask.ObligeRequest()
            ):
                self._touch(request)
            case _:
                self._tell(self._command(request))
        return []

    def _invite(self, guest: Guest | None) -> None:
        if self.seat is None:
            raise CommandRefused(_("simulated people play both sides here"))
        self.seat.invite(guest)

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
        try:
            return self.typed.do(line)
        except Quit:
            raise CommandRefused(_("close the page to leave; Ctrl-C stops the table")) from None

    def _tell(self, command: Command) -> None:
        self.table.obey(command, self.clock.now())

    def _command(self, request: ask.Request) -> Command:
        """Return what a request about the game in play is to the session."""
        match request:
            case ask.AnswerRequest(square=square):
                return AnswerQuestion(parse_square(square))
            case ask.HintRequest(wanted=wanted):
                return AskAdvice(None if wanted is None else Help[wanted.upper()])
            case ask.ResignRequest(side=side):
                return Resign(Side[side.upper()])
            case ask.OfferRequest(side=side):
                return OfferDraw(Side[side.upper()])
            case ask.RollRequest(shown=None):
                return RollDie()
            case ask.RollRequest(shown=str(shown)):
                return entered(shown, self.table.record)
            case ask.DuelRequest(told=text):
                return duel_command(text, self.table.view.fight)
            case ask.FirstRequest(side=side):
                return ChooseFirst(Side[side.upper()])
            case ask.CrossingRequest(way=way):
                return ChooseBias(way)
            case ask.AddNumberRequest(number=number):
                return AddNumber(number)
            case ask.CorrectRequest(position=text):
                return Correct(parse_position(text, self.table.view.position.rules))
        return SIMPLE[type(request)]

    def _touch(self, request: ask.Request) -> None:
        """Let simulated hands touch the board."""
        hands, now = self.hands, self.clock.now()
        if hands is None:
            raise HandRefused(_("these pieces are not yours to move from here"))
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
                hands.fail(parse_square(square), FAULTS[fault], now)
            case ask.ObligeRequest():
                self._oblige(hands, now)
            case ask.TidyRequest():
                hands.set_up(self.table.view.position, now)

    def _oblige(self, hands: TypedHands, now: float) -> None:
        """Let simulated hands make the move that is wished for."""
        wish = self.table.view.wish
        if wish is None:
            raise CommandRefused(_("nobody wishes anything just now"))
        if hands.in_hand:
            raise HandRefused(_("put down first what is in the hand"))
        hands.move((wish.from_square, wish.to_square), now)

    def _about_games(
        self, request: ask.NewRequest | ask.HereRequest | ask.LoadRequest | ask.SaveRequest
    ) -> list[str]:
        match request:
            case ask.SaveRequest(name=name, game=game):
                record = self.table.record if game is None else kept_record(self.archive, game)
                return [str(save_game(self.folder, name, game_text(record)))]
            case ask.NewRequest(rules=rules, black=black, orange=orange, position=position):
                chosen = parse_rules(rules)
                start = (
                    Position.start(chosen) if position is None else parse_position(position, chosen)
                )
                header = Header.of(start, self.clock.now())
                names = {"black": black.strip() or "?", "orange": orange.strip() or "?"}
                header = changed(header, **names)
                begun = agree(_agreement(request), header, self.archive, self.custom)
                self._begin(NewGame(begun.header, (*begun.events, *self._agreed(request))))
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
            standing.keys() if self.hands is None else self.hands.standing.keys(),
            record.faults.keys(),
            Side[request.side.upper()],
        )
        header = Header.of(position, self.clock.now())
        header = changed(header, black=record.header.black, orange=record.header.orange)
        return NewGame(header, record.terms.agreed)

    def _agreed(self, request: ask.NewRequest) -> tuple[Event, ...]:
        """Return on what terms a new game is played: as asked for, else as this one."""
        terms = self.table.record.terms
        control = terms.clocks.control if terms.clocks else None
        clock = request.clock or format_time_control(control)
        return agreed(clock, request.conduct or terms.conduct.name)

    def _begin(self, command: NewGame) -> None:
        """Begin a game; simulated pieces are set up for it at once."""
        self._tell(command)
        if self.hands is not None:
            self.hands.set_up(self.table.session.record.position, self.clock.now())

    def _text(self, request: ask.LoadRequest) -> str:
        sources: list[Callable[[], str]] = []
        if (name := request.name) is not None:
            sources.append(lambda: saved_text(self.folder, name))
        if (game := request.game) is not None:
            sources.append(lambda: game_text(kept_record(self.archive, game)))
        if (text := request.text) is not None:
            sources.append(lambda: text)
        if len(sources) != 1:
            raise CommandRefused(_("load: tell one of name, game and text"))
        return sources[0]()

    def _light(self, request: ask.LightRequest) -> list[str]:
        now = kept_choice(self.folder, self.look)
        chosen = LampChoice(request.palette or now.palette, request.brightness or now.brightness)
        self.table.lighting = self.table.lighting.chosen(chosen)
        keep_choice(self.folder, chosen, self.look)
        return []


def _agreement(request: ask.NewRequest) -> Agreement:
    """Return what a request for a new game says of its stakes and beginning."""
    names = request.black.strip(), request.orange.strip()
    return Agreement(
        series=request.series,
        players=names if all(name not in ("", "?") for name in names) else None,
        stake=request.stake,
        prices=request.prices,
        for_bias=request.for_bias,
        first=request.first,
        bias=request.bias,
    )
