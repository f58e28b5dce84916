"""What a game is played on besides its rules: clocks, conduct, pauses, touches and corrections.

Folded from the game's events like all that is known of it; see `record`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from rules import MoveKind, Side, Square, parse_square
from rules.game import Game

from . import events as happened
from .clock import Clocks, Times
from .conduct import CONDUCTS, FRIENDLY, Conduct, ConductName
from .events import Entry, Event, TermsEvent
from .time_control import format_time_control, parse_time_control


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a game now."""

    clocks: Clocks | None = None
    conduct: Conduct = FRIENDLY
    is_paused: bool = False
    """Whether people pause, or have not gone on since a power cut."""
    is_oriented: bool = False
    """Whether people have said how the board lies."""
    touched: tuple[Square, ...] = ()
    """The squares of pieces that must be moved or taken, in the order they were touched."""
    fixes: tuple[tuple[int, str], ...] = ()
    """The corrections, each with the number of the ply it came after."""
    notes: tuple[tuple[int, str], ...] = ()
    """What people have remarked, each with the number of the ply."""

    @property
    def agreed(self) -> tuple[Event, ...]:
        """What lets another game begin on the same terms."""
        control = None if self.clocks is None else self.clocks.control
        return agreed(format_time_control(control), self.conduct.name)

    def after(self, entry: Entry, before: Game, now: Game) -> Terms:
        """Return the terms after an event that led from the game `before` to `now`."""
        event, terms = entry.event, self
        if isinstance(event, TermsEvent):
            terms = self._told(event, entry.at, now)
        elif is_made(event):
            terms = replace(self, is_paused=False, touched=())
        elif isinstance(event, happened.TakeBack):
            notes = tuple(note for note in self.notes if note[0] < event.number)
            terms = replace(self, touched=self._touched_again(event, before), notes=notes)
        elif isinstance(event, happened.Correction):
            fix = (now.position.ply_number - 1, f"position {event.position}")
            terms = replace(self, touched=(), fixes=(*self.fixes, fix))
        if terms.clocks is None:
            return terms
        return replace(terms, clocks=_clocks_after(terms.clocks, entry, now.position.side))

    def _told(self, event: TermsEvent, at: float, game: Game) -> Terms:
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
                return replace(self, notes=(*self.notes, (game.position.ply_number - 1, text)))
            case happened.Fix(what=what):
                return replace(self, fixes=(*self.fixes, (game.position.ply_number - 1, what)))
        return self

    def _touched_again(self, event: happened.TakeBack, before: Game) -> tuple[Square, ...]:
        """Hands that take a ply back have touched its pieces; words release them."""
        is_last = bool(before.plies) and event.number == before.position.ply_number - 1
        if event.by == "words" or not self.conduct.is_touch_move or not is_last:
            return ()
        move = before.plies[-1].move
        victim = (move.to_square,) if move.kind is MoveKind.CAPTURE else ()
        return (move.from_square, *victim)


NO_TERMS: Final = Terms()


def agreed(clock: str, conduct: ConductName) -> tuple[Event, ...]:
    """Return what a game begins with that is played so; raises BadTimeControl."""
    control = parse_time_control(clock)
    events: list[Event] = []
    if control is not None:
        events.append(happened.ClockAgreed(format_time_control(control)))
    if conduct != FRIENDLY.name:
        events.append(happened.ConductAgreed(conduct))
    return tuple(events)


def is_made(event: Event) -> bool:
    """Whether a ply was made by this event, certain or asked about."""
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
            return clocks.released("people", at).made(number, at)
        case happened.TakeBack(number=number, by=by):
            return clocks.taken_back(number, at, gives_all=by == "words")
        case happened.Recall():
            return clocks.released("over", at)
        case happened.Correction():
            return clocks.corrected(to_move, at)
        case happened.Ending():
            return clocks.stopped("over", at)
        case happened.Press():
            return clocks.pressed(at, to_move)
        case happened.Pause(by="off"):
            return clocks.skipped(at).stopped("people", at)
        case happened.Pause(by="people" | "table" as by):
            return clocks.stopped(by, at)
        case happened.Resume(by=by):
            return clocks.released(by, at)
        case happened.ClockShows(black_s=black, orange_s=orange):
            return clocks.shown(Times(black, orange), at)
    return clocks.until(at)
