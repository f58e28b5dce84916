"""The terms of a game besides its rules: who begins, clocks, conduct, pauses, corrections.

Who begins, and which way the disk's centre is crossed (the bias), is agreed, rolled, or a player's
choice: the last winner's of who begins, and of the bias the one's who won it as a prize. Odd faces
of the die stand for the first of the two names. All is folded from the game's events; see `record`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from rules import Game, Kind, MoveKind, Piece, Position, Side, Square, _, parse_square

from . import events as happened
from .agreements import (
    CONDUCTS,
    FRIENDLY,
    Clocks,
    Conduct,
    Times,
    format_time_control,
    parse_time_control,
)
from .commands import CommandRefused
from .events import SIDE_NAMES, Bias, ConductName, Entry, Event, FirstMove, SettledBy, Settler, Way

Matter: TypeAlias = Literal["first", "bias"]
"""A matter to be settled: who moves first, or the bias."""

BOARD_OF: dict[Way, str] = {
    "clockwise": "ninth-ray-clockwise",
    "counterclockwise": "ninth-ray-counterclockwise",
}
"""The disk by its bias, as the rules name it."""

WAY_OF: dict[str, Way] = {board: way for way, board in BOARD_OF.items()}


@dataclass(frozen=True, slots=True)
class Opening:
    """The settling of who moves first and of the bias, as far as it has come."""

    first: Settler | None = None
    """The one who has still to settle who moves first."""
    bias: Settler | None = None
    """The one who has still to settle the bias."""
    first_settled: FirstMove | None = None
    """The event that settled who moves first, if one did."""
    bias_settled: Bias | None = None
    """The event that settled the bias, if one did."""

    @property
    def due(self) -> Matter | None:
        """The next matter to be settled; the game begins when it is None."""
        return "first" if self.first else "bias" if self.bias else None

    @property
    def settler(self) -> Settler | None:
        """The one who has to settle it."""
        return self.first or self.bias

    @property
    def is_roll_due(self) -> bool:
        """True if the die has to be rolled for it."""
        return self.settler == "roll"

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces that the table's die has shown so far."""
        settled = (self.first_settled, self.bias_settled)
        return tuple(each.face for each in settled if each and each.face and each.by == "table")

    def after(self, event: happened.Preamble) -> Opening:
        """Return the opening with one event more."""
        match event:
            case happened.OpeningAgreed(first=first, bias=bias):
                return replace(self, first=first, bias=bias)
            case FirstMove():
                return replace(self, first=None, first_settled=event)
            case Bias():
                return replace(self, bias=None, bias_settled=event)
        return self

    def rolled(self, face: int, by: SettledBy) -> FirstMove | Bias:
        """Return the event of a die's `face`, 1..10; CommandRefused where no roll is due."""
        if not self.is_roll_due:
            raise CommandRefused(_("nobody needs to roll for who begins"))
        if not 1 <= face <= 10:
            raise CommandRefused(_("die {face}: must be 1..10"), face=face)
        if self.due == "first":
            return FirstMove("black" if face % 2 else "orange", by, face)
        return Bias("clockwise" if face % 2 else "counterclockwise", by, face)

    def begun_by(self, side: Side) -> FirstMove:
        """Return the event of words that say which side begins."""
        return FirstMove(SIDE_NAMES[side], _by_words(self.first))

    def crossed(self, way: Way) -> Bias:
        """Return the event of words that say which way the centre is crossed."""
        return Bias(way, _by_words(self.bias))

    def as_it_stands(self, matter: Matter, position: Position) -> FirstMove | Bias:
        """Return the event that settles a matter, by agreement, as the position already has it."""
        if matter == "first":
            return FirstMove(SIDE_NAMES[position.side], "agreed")
        return Bias(WAY_OF[position.rules["board"]], "agreed")

    def candidates(self, position: Position) -> dict[Square, FirstMove | Bias]:
        """Return the squares whose touch settles a matter of choice, each with its event.

        For who begins these are the Chiefs; for the bias the chooser's Chief means clockwise, and
        the chooser's Princess counterclockwise.
        """
        settler = self.settler
        if settler is None or settler == "roll":
            return {}
        at = {piece: square for square, piece in position.pieces().items()}
        by_piece: dict[Piece, FirstMove | Bias]
        if self.due == "first":
            by_piece = {Piece(side, Kind.CHIEF): self.begun_by(side) for side in Side}
        else:
            side = Side[settler.upper()]
            by_piece = {
                Piece(side, Kind.CHIEF): self.crossed("clockwise"),
                Piece(side, Kind.PRINCESS): self.crossed("counterclockwise"),
            }
        return {at[piece]: event for piece, event in by_piece.items() if piece in at}


SETTLED = Opening()
"""An opening that the first position settles by itself."""


def begun_anew(start: Position, event: happened.Preamble) -> Position:
    """Return the first position after an event that settles a part of it."""
    match event:
        case FirstMove(side=name):
            return start.under(start.rules, Side[name.upper()])
        case Bias(way=way):
            rules = start.rules.changed({"board": BOARD_OF[way]})
            return start.under(rules, start.side)
    return start


def _by_words(settler: Settler | None) -> SettledBy:
    return "agreed" if settler is None or settler == "roll" else "chosen"


def occasion_of(matter: Matter) -> str:
    """Return the name of the roll that settles a matter, which no other roll of its game has."""
    return f"0 {matter} 1"


def check_settling(game: Game, event: happened.Preamble) -> None:
    """Raise CommandRefused if it is too late for an event, or if the board has no bias."""
    if game.plies or game.start.move_number > 1:
        raise CommandRefused(_("the game has begun: that is settled before the first move"))
    if isinstance(event, Bias) and game.start.rules["board"] not in WAY_OF:
        raise CommandRefused(_("the flat board has no centre to cross: a bias belongs to the disk"))


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a game at one moment."""

    clocks: Clocks | None = None
    conduct: Conduct = FRIENDLY
    is_paused: bool = False
    """True while people pause, and from a power cut until they go on."""
    is_oriented: bool = False
    """True once people have said how the board is turned."""
    touched: tuple[Square, ...] = ()
    """Squares of the touched pieces that bind the player, in the order of the touches."""
    fixes: tuple[tuple[int, str], ...] = ()
    """Corrections, each with the number of the ply before it."""
    remarks: tuple[tuple[int, str], ...] = ()
    """Remarks of people, each with the number of the ply that it is about."""

    @property
    def agreed(self) -> tuple[Event, ...]:
        """The events by which another game begins on the same terms."""
        control = None if self.clocks is None else self.clocks.control
        return agreed(format_time_control(control), self.conduct.name)

    def after(self, entry: Entry, before: Game, now: Game) -> Terms:
        """Return the terms after an event that led from the game `before` to `now`."""
        event, terms = entry.event, self
        if isinstance(event, happened.TermsEvent):
            terms = self._told(event, entry.at, now)
        elif is_made(event):
            # Whoever plays goes on after a pause, and has done what the touch bound them to.
            terms = replace(self, is_paused=False, touched=())
        elif isinstance(event, happened.TakeBack):
            remarks = tuple(each for each in self.remarks if each[0] < event.number)
            terms = replace(self, touched=self._touched_again(event, before), remarks=remarks)
        elif isinstance(event, happened.Amended):
            remarks = tuple(each for each in self.remarks if each[0] <= event.last)
            terms = replace(self, touched=(), remarks=remarks)
        elif isinstance(event, happened.Correction):
            fix = (now.position.ply_number - 1, f"position {event.position}")
            terms = replace(self, touched=(), fixes=(*self.fixes, fix))
        if terms.clocks is None:
            return terms
        return replace(terms, clocks=_clocks_after(terms.clocks, entry, now.position.side))

    def _told(self, event: happened.TermsEvent, at: float, game: Game) -> Terms:
        match event:
            case happened.Turned():
                return replace(self, is_oriented=True)
            case happened.ClockAgreed(control=text):
                control = parse_time_control(text)
                return replace(self, clocks=None if control is None else Clocks.agreed(control, at))
            case happened.ConductAgreed(conduct=name):
                return replace(self, conduct=CONDUCTS[name])
            case happened.Pause(by="people" | "off"):
                return replace(self, is_paused=True)
            case happened.Resume(by="people"):
                return replace(self, is_paused=False)
            case happened.Touch(square=name):
                return replace(self, touched=(*self.touched, parse_square(name)))
            case happened.Release():
                return replace(self, touched=())
            case happened.Noted(text=text):
                return replace(self, remarks=(*self.remarks, (game.position.ply_number - 1, text)))
            case happened.Fix(what=what):
                return replace(self, fixes=(*self.fixes, (game.position.ply_number - 1, what)))
        return self

    def _touched_again(self, event: happened.TakeBack, before: Game) -> tuple[Square, ...]:
        """Return the touched squares after a take-back: hands touch its pieces, words free them."""
        is_last = bool(before.plies) and event.number == before.position.ply_number - 1
        # Otherwise a player could try a move, take it back by hand and choose another piece.
        if event.by == "words" or not self.conduct.is_touch_move or not is_last:
            return ()
        move = before.plies[-1].move
        victim = (move.to_square,) if move.kind is MoveKind.CAPTURE else ()
        return (move.from_square, *victim)


NO_TERMS: Final = Terms()


def agreed(clock: str, conduct: ConductName | None = None) -> tuple[Event, ...]:
    """Return the first events of a game with this clock and conduct; raises BadTimeControl."""
    control = parse_time_control(clock)
    events: list[Event] = []
    if control is not None:
        events.append(happened.ClockAgreed(format_time_control(control)))
    if conduct not in (None, FRIENDLY.name):
        events.append(happened.ConductAgreed(conduct))
    return tuple(events)


def is_made(event: Event) -> bool:
    """Return True if a ply was made by this event, be it certain or in question."""
    return isinstance(event, happened.Ply | happened.Answer) or (
        isinstance(event, happened.Question) and event.is_ply
    )


def _clocks_after(clocks: Clocks, entry: Entry, to_move: Side) -> Clocks:
    at = entry.at
    match entry.event:
        case (
            happened.Ply(number=number)
            | happened.Answer(number=number)
            | happened.Question(number=number, is_ply=True)
        ):
            # A question counts at once: its player has moved, whatever the ply turns out to be.
            return clocks.released("people", at).made(number, at)
        case happened.TakeBack(number=number, by=by):
            return clocks.taken_back(number, at, gives_all=by == "words")
        case happened.Amended(last=last):
            # What is known better now was played in its own time: only what is gone gives any back.
            is_shorter = any(turn.number > last for turn in clocks.turns)
            return clocks.taken_back(last + 1, at, False) if is_shorter else clocks.until(at)
        case happened.Recall():
            return clocks.released("over", at)
        case happened.Correction():
            return clocks.corrected(to_move, at)
        case happened.Ending():
            return clocks.stopped("over", at)
        case happened.Press():
            return clocks.pressed(at, to_move)
        case happened.Pause(by="off"):
            # Nobody could play while the table was off, so no time has run.
            return clocks.skipped(at).stopped("people", at)
        case happened.Pause(by="people" | "table" as by):
            return clocks.stopped(by, at)
        case happened.Resume(by=by):
            return clocks.released(by, at)
        case happened.ClockShows(black_s=black, orange_s=orange):
            return clocks.shown(Times(black, orange), at)
    return clocks.until(at)
