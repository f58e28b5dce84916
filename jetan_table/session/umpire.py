"""Holds a game to its terms: to its clock and its conduct, in time, touches, plies and commands.

The session asks; the umpire's events go into the record like all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from msgspec import structs

from rules import (
    IllegalMove,
    Sentence,
    Side,
    Square,
    Termination,
    _,
    format_move,
    format_square,
    parse_move,
)

from ..game import commands as asked
from ..game import events as happened
from ..game.agreements import (
    ADJUST_S,
    AMEND_S,
    Times,
    format_time_control,
    owed,
    parse_seconds,
    parse_time_control,
)
from ..game.commands import Command, CommandRefused, NewGame, TermsCommand
from ..game.events import RESULTS, SIDE_NAMES, Entry, Event, side_named
from ..game.record import NextGame, Record
from ..reading.readings import Reading, Standing
from .gestures import Deed, Gesture

LANDING_S: Final = 3.0
"""Seconds that a fallen flag waits while a piece is in the air: a ply before it may be under
way."""

LONGEST_SHOWN_S: Final = 24 * 3600
"""Longest time that a clock may be set to: a day."""

NOTE_S: Final = 15.0
"""Longest time between two notes of a running clock, in seconds: a power cut gives back no more."""

AGREED: Final = happened.Ending("draw", Termination.AGREED.value)


class Umpire:
    """Watches the clock and the fingers of one table."""

    def __init__(self, record: Record, was_off: bool) -> None:
        """Begin with a game; `was_off`: the table is just on again, and its clock has not run."""
        has_begun = record.clocks is not None and record.clocks.running is not None
        self._was_off = was_off and has_begun and record.ending is None
        self._lifted_since: dict[Square, float] = {}
        self._may_adjust = False
        self._has_lifted = False

    def adjust(self, record: Record) -> None:
        """Let the pieces lifted next be adjusted, until all stand again.

        Raises CommandRefused if the game has no touch-move, or if it is too late.
        """
        if not record.conduct.is_touch_move:
            raise CommandRefused(_("pieces may be touched freely in this game"))
        if record.terms.touched:
            square = format_square(record.terms.touched[0])
            raise CommandRefused(
                _("{square} has been touched: say adjust before you touch"), square=square
            )
        self._may_adjust, self._has_lifted = True, False

    def call(
        self, record: Record, lifted: Sequence[Square], is_waiting: bool, now: float
    ) -> Entry | None:
        """Return the next event to happen; None when there is none.

        `lifted` are the squares of pieces in the air; `is_waiting`: the table is not ready for a
        ply.
        """
        # One event a call: each is in the record before the next is decided, as a pause stops a
        # flag.
        if self._was_off:
            self._was_off = False
            return Entry(now, happened.Pause("off"))
        if record.ending is not None:
            return None
        # Pieces that are lifted to put the board right bind nobody.
        touched = self._find_touched(record, () if is_waiting else lifted, now)
        if touched is not None:
            return Entry(now, happened.Touch(format_square(touched)))
        return fallen_flag(record, now, bool(lifted)) or _clock_event(
            record, is_waiting, lifted, now
        )

    def _find_touched(self, record: Record, lifted: Sequence[Square], now: float) -> Square | None:
        """Return the square of a piece that counts as touched from now on, if one does."""
        if not record.conduct.is_touch_move:
            return None
        self._lifted_since = {at: self._lifted_since.get(at, now) for at in lifted}
        if self._may_adjust:
            self._may_adjust = bool(lifted) or not self._has_lifted
            self._has_lifted = bool(lifted)
            return None
        # Whose turn it is, and what may be taken, is open then.
        if record.question is not None or record.fight is not None:
            return None
        held = (at for at in lifted if now >= self._lifted_since[at] + ADJUST_S)
        new = (square for square in held if square not in record.terms.touched)
        return next((square for square in new if owed(record.position, (square,))), None)


def fallen_flag(record: Record, now: float, is_landing: bool = False) -> Entry | None:
    """Return the end of the game on time, if a flag has fallen by `now`.

    While a piece `is_landing`, a fallen flag waits.
    """
    clocks = record.clocks
    if clocks is None or record.ending is not None or clocks.running is None:
        return None
    fell_at = clocks.flag_at
    if fell_at is None or now < fell_at + (LANDING_S if is_landing else 0.0):
        return None
    return Entry(fell_at, happened.Ending(RESULTS[clocks.running.other], Termination.TIME.value))


def _clock_event(
    record: Record, is_waiting: bool, lifted: Sequence[Square], now: float
) -> Entry | None:
    """Return the event of a clock that stops, goes on or is noted; None if none is due."""
    clocks = record.clocks
    if clocks is None or clocks.running is None:
        return None
    if is_waiting != ("table" in clocks.stops):
        return Entry(now, happened.Pause("table") if is_waiting else happened.Resume("table"))
    if clocks.is_running and not lifted and now >= clocks.at + NOTE_S:
        return Entry(now, happened.ClockShows(*clocks.until(now).left))
    return None


def check_ply(record: Record, event: Event, at: float) -> None:
    """Raise IllegalMove if the conduct forbids what hands did; the board is then led back."""
    last = event.number if isinstance(event, happened.TakeBack) else None
    if isinstance(event, happened.Amended) and event.last < record.last_played:
        last = event.last + 1
    if last is not None and not record.conduct.allows_take_back:
        # Within AMEND_S it is no take-back: the piece had slid over the square, or was not let go.
        times = record.times if record.fight is None else (record.fight.at,)
        if times and at > times[-1] + AMEND_S:
            raise IllegalMove(
                _("move {number} stands: nothing is taken back in this game"), number=last
            )
    elif isinstance(event, happened.Ply) and record.terms.touched and record.question is None:
        wanted = owed(record.position, record.terms.touched)
        if wanted and parse_move(event.move, record.position) not in wanted:
            raise IllegalMove(_("{move}: another piece was touched"), move=event.move)


def allows_help(record: Record) -> bool:
    """Return True if people may be helped with play: in a tournament game once it is over."""
    return record.ending is not None or record.conduct.allows_hints


def check_help(record: Record) -> None:
    """Raise CommandRefused if the conduct of the game allows no help with play."""
    if not allows_help(record):
        raise CommandRefused(_("no help in a tournament game"))


def check_command(record: Record, command: Command | NewGame) -> None:
    """Raise CommandRefused if the conduct of the game forbids its players a command."""
    if not record.conduct.needs_arbiter or record.ending is not None:
        return
    if command.permitted == "arbiter" or (command.permitted != "players" and record.game.plies):
        raise CommandRefused(
            _("in a tournament game only the arbiter does that: arbiter PIN back, and so on")
        )


def terms_event(record: Record, command: TermsCommand) -> Event:
    """Return the event of a command about terms; CommandRefused if it makes no sense now."""
    if isinstance(command, asked.NoteMove):
        if not record.game.plies:
            raise CommandRefused(_("there is no move yet to remark on"))
        return happened.Noted(command.text)
    no = _("the game is over already") if record.ending is not None else _hindrance(record, command)
    if no is not None:
        raise CommandRefused(no)
    match command:
        case asked.SetClock(control=text):
            return happened.ClockAgreed(format_time_control(parse_time_control(text)))
        case asked.SetConduct(conduct=name):
            return happened.ConductAgreed(name)
        case asked.PauseGame():
            return happened.Pause("people")
        case asked.ResumeGame():
            return happened.Resume("people")
        case asked.PressClock():
            return happened.Resume("people") if record.terms.is_paused else happened.Press()
        case asked.SetClockTimes():
            return happened.ClockShows(*_times_of(command))
        case asked.ReleaseTouched():
            return happened.Release()
    raise TypeError(f"{command!r} changes no terms")


def ending_event(
    record: Record, saying: asked.EndingCommand, to_move: Side
) -> happened.DrawOffer | happened.DrawDeclined | happened.Ending:
    """Return the event of a command that ends a game; CommandRefused if it makes no sense now.

    A command that names no side is about the one `to_move`.
    """
    if record.ending:
        raise CommandRefused(_("the game is over already"))
    match saying:
        case asked.Resign(side=name):
            side = side_named(name, to_move)
            return happened.Ending(RESULTS[side.other], Termination.RESIGNED.value)
        case asked.AgreeDraw() | asked.Adjudicate(result="draw"):
            return AGREED
        case asked.Adjudicate(result=name):
            return happened.Ending(name, Termination.RESIGNED.value)
        case asked.OfferDraw(side=name) if record.offer is not side_named(name, to_move).other:
            side = side_named(name, to_move)
            if record.offer is side:
                raise CommandRefused(_("a draw is offered already: the other side answers"))
            return happened.DrawOffer(SIDE_NAMES[side])
    if record.offer is None:
        raise CommandRefused(_("nobody offers a draw (offer black or offer orange does)"))
    return happened.DrawDeclined() if isinstance(saying, asked.DeclineDraw) else AGREED


def wanted_by(
    gesture: Gesture, record: Record, next_game: NextGame | None, now: float
) -> Command | NewGame:
    """Return the command of a gesture; CommandRefused if this table cannot carry it out."""
    if gesture.unsure is not None:
        raise CommandRefused(
            _(
                "the switch on {square} has failed, so that your hands may mean something "
                "else: say it"
            ),
            square=format_square(gesture.unsure),
        )
    match gesture:
        case Gesture(deed=Deed.RESIGN, side=Side() as side):
            return asked.Resign(SIDE_NAMES[side])
        case Gesture(deed=Deed.DRAW, side=Side() as side):
            return asked.OfferDraw(SIDE_NAMES[side])
        case Gesture(deed=Deed.NEW_GAME) if next_game is not None:
            return replace(next_game(asked.New(), record, now), is_set_up=True)
        case Gesture(deed=Deed.TAKE_BACK):
            return asked.TakeBackLast()
        case Gesture(deed=Deed.PAUSE):
            return asked.ResumeGame() if record.terms.is_paused else asked.PauseGame()
    raise CommandRefused(_("no other game can be begun here"))


def _times_of(command: asked.SetClockTimes) -> Times:
    """Return the times to set the clocks to; CommandRefused for times that no clock shows."""
    shown = Times(parse_seconds(command.black), parse_seconds(command.orange))
    if not all(1 <= each <= LONGEST_SHOWN_S for each in shown):
        raise CommandRefused(command.mend)
    return shown


def _hindrance(record: Record, command: TermsCommand) -> Sentence | None:
    """Return why a command makes no sense in a game that goes on; None if it does."""
    terms, clocks = record.terms, record.clocks
    match command:
        case asked.SetClock() | asked.SetConduct() if record.game.plies or record.question:
            return _("a move has been played: clock and strictness are agreed before the first")
        case asked.PauseGame() if terms.is_paused:
            return _("the game is paused already")
        case asked.ResumeGame() if not terms.is_paused:
            return _("the game is not paused")
        case asked.ReleaseTouched() if not terms.touched:
            return _("nothing is touched")
        case asked.PressClock() | asked.SetClockTimes() if clocks is None:
            return _("this game is played without a clock")
        case asked.PressClock() if record.unsettled:
            return _("settle first who begins, or which way the centre is crossed")
        case asked.PressClock() if clocks and not clocks.takes_press and not terms.is_paused:
            return _("moves press this clock; to press it yourselves: a clock such as 10+5 buttons")
    return None


def fix_of(record: Record, command: Command | NewGame) -> happened.Fix | None:
    """Return the note of an arbiter's command; None where its own event is one."""
    touched = " ".join(map(format_square, record.terms.touched))
    match command:
        case asked.TakeBackLast():
            last = record.moves[-1] if record.moves else ""
            return happened.Fix(f"took back {record.last_played} {last}")
        case asked.BoardIsRight():
            return happened.Fix("called the board right")
        case asked.AnswerQuestion(square=name):
            return happened.Fix(f"answered {name}")
        case asked.Adjudicate(result=result):
            return happened.Fix(f"adjudicated {result}")
        case asked.PauseGame():
            return happened.Fix("stopped the clocks")
        case asked.ResumeGame():
            return happened.Fix("let the clocks go on")
        case asked.ReleaseTouched():
            return happened.Fix(f"released {touched}")
        case asked.SetClockTimes():
            black, orange = _times_of(command)
            return happened.Fix(f"set the clocks to {black:g} s and {orange:g} s")
    return None


def undoing_event(record: Record) -> Event:
    """Return the event of a take-back in words: of the ply in question, or else of the last one.

    Raises CommandRefused if there is none.
    """
    if record.question is not None and not record.ending:
        return record.question.denial
    if record.fight is None and not record.game.plies:
        raise CommandRefused(_("there is no move to take back"))
    number = record.last_number if record.fight is None else record.fight.number
    return happened.TakeBack(number, "words")


def amended_by(
    readings: Sequence[Reading[Standing]], record: Record
) -> tuple[happened.Amended | None, Sequence[Reading[Standing]]]:
    """Return what the first of some readings tell otherwise as one event, and those after them.

    None where they do not, or it is the last ply alone that was another. A reader that knows better
    takes back all from the first ply on that was another, and tells it again. What it tells as
    before was never gone.
    """
    back = list(takewhile(lambda each: isinstance(each.event, happened.TakeBack), readings))
    plies = takewhile(lambda each: isinstance(each.event, happened.Ply), readings[len(back) :])
    again = list(plies)[: len(back)]
    last, rest = record.last_played, readings[len(back) + len(again) :]
    if record.fight is not None or not again or back[0].event != happened.TakeBack(last, "hands"):
        return None, readings
    begun, first = record.game.start.ply_number, last - len(back) + 1
    stood = {number: ply.move[:2] for number, ply in enumerate(record.game.plies, begun)}
    others = {
        number: each.step.text
        for number, each in enumerate(again, first)
        if each.step is not None and each.step.squares != stood.get(number)
    }
    same = min(others, default=first + len(again)) - first
    if len(back) - same > 1 and others:
        return happened.Amended(others, first + len(again) - 1), rest
    return None, [*back[: len(back) - same], *again[same:], *rest]


def in_full(event: Event, record: Record) -> Event:
    """Return an event with its move written as game texts do, from the record's position.

    While that is in question the move stays written by its squares alone. Raises IllegalMove if the
    move is not legal.
    """
    question = record.question
    match event:
        case happened.Ply() if question is None:
            pass
        case happened.Answer(number=number) if question is None or question.number == number:
            pass
        case happened.Amended(moves=moves) if question is None or event.first <= question.number:
            begun, after = record.game.start.ply_number, record.amended(event, 0.0).moves
            return structs.replace(event, moves={n: after[n - begun] for n in moves})
        case _:
            return event
    move = format_move(parse_move(event.move, record.position), record.position)
    return structs.replace(event, move=move)


def done_at(reading: Reading[Standing], touched_at: float) -> float:
    """Return the time of a reading's deed: of a ply, that of its hand, not of its telling.

    `touched_at` is the time of the board's last change.
    """
    if reading.evidence is not None and reading.evidence.landed_at is not None:
        return reading.evidence.landed_at
    if isinstance(reading.event, happened.Ply | happened.Question):
        return min(touched_at, reading.at)
    return reading.at


def still_matters(event: Event, record: Record) -> bool:
    """Return True if an event read may still happen: after the end only its undoing, and faults."""
    match event:
        case happened.TakeBack(number=number) | happened.Recall(after=number) if record.ending:
            return number == record.last_number
        case happened.Amended():
            return True
        case happened.Fault() | happened.Follows():
            return True
    return record.ending is None
