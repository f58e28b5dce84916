"""One table's game as a pure machine: observations, time and commands in, news and a view out.

No thread, clock, chance or I/O: the same input gives the same evening. What `observe`, `tick` and
`obey` return must be on the disk before the view that follows is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from hardware.ports import Observation
from rules import (
    Position,
    RulesError,
    Square,
    Termination,
    format_position,
    format_square,
)
from rules.juggernaut import Roll

from .archive import BadJournal
from .commands import (
    AddNumber,
    AgreeDraw,
    AnswerQuestion,
    BoardIsRight,
    Command,
    CommandRefused,
    Correct,
    EnterRoll,
    NewGame,
    Resign,
    RollDie,
    TakeBackLast,
)
from .events import (
    RESULTS,
    Begin,
    Correction,
    DieCommit,
    DieSeed,
    Ending,
    Entry,
    Event,
    Fault,
    Header,
    Question,
    Recall,
    TakeBack,
)
from .hints import hints, is_half_a_ply
from .patience import NOTHING_AMISS, Disagreement, Patience
from .reading.jetan import JetanBoard, Standing
from .reading.reader import Reader
from .reading.readings import Failed, FaultKind, Reading, Recalled, TakenBack
from .readings_told import event_of
from .record import Record, ending_of
from .repair import first_placing, first_step, letters
from .rolling import is_roll_due, number_event, roll_event, victim_of
from .seen import Seen, TouchWatch
from .view import Phase, View
from .whereabouts import Whereabouts

News: TypeAlias = Begin | Entry

PATIENCE_S = 0.7
"""How long a board may disagree before the hands are led: a slide passes wrong squares too."""

NO_VICTIM: Mapping[Square, str] = MappingProxyType({})

MOST_MID_PLY = 4
"""At most so many squares differ in the middle of a ply; a board left so is read on from there."""


class Session:
    """A game at a table; `record` is what is certain of it."""

    def __init__(self, record: Record, patience_s: float = PATIENCE_S) -> None:
        """Go on with a game, or begin it where nothing has happened in it yet."""
        self.record = record
        self._seen = Seen()
        self._whereabouts = Whereabouts(record.position, ())
        self._touches = TouchWatch()
        self._reader: Reader[Standing] | None = None
        self._patience = Patience(patience_s)
        self._view: View | None = None
        self._victim: dict[Square, str] = {}
        """What the Juggernaut has killed by a roll, as long as its square was not lifted."""

    # What goes in

    def observe(self, observation: Observation) -> list[News]:
        """Take in what a sensor saw."""
        self._view = None
        is_first = not self._seen
        flips = self._seen.update(observation)
        if is_first:
            self._whereabouts = Whereabouts(self.record.position, self._seen.occupied)
            self._confirm()
        else:
            self._whereabouts.follow(flips, self._position, self.record.faults.keys())
            for square, _ in flips:
                self._victim.pop(square, None)
        touched = self._touches.touched(flips, self._candidates, observation.at)
        news: list[News]
        if self._reader is not None:
            news = self._heed(self._reader.observe(observation))
        else:
            # A game that was cut short may be taken up in the middle of a ply.
            news = self._read_if_right(observation.at, is_first and bool(self.record.game.plies))
        if touched in self._candidates and not self._is_under_way:
            with suppress(CommandRefused):
                news += self._answer(touched, observation.at)
        self._settle(observation.at)
        return news

    def tick(self, now: float) -> list[News]:
        """Let time pass."""
        news = self._heed(self._reader.tick(now)) if self._reader is not None else []
        self._settle(now)
        return news

    def obey(self, command: Command, now: float) -> list[News]:
        """Do what people say; CommandRefused where it makes no sense just now."""
        match command:
            case RollDie():
                raise CommandRefused("a die must be thrown for that: enter it as in: roll 3")
            case EnterRoll(roll=roll):
                news = self.roll(roll._replace(by_hand=True), now)
            case AddNumber(number=number):
                news = self._happen(now, number_event(self.record, number))
            case NewGame(header=header, events=events):
                news = self._begin(header, events, now)
            case AnswerQuestion(square=square):
                news = self._answer(square, now)
            case BoardIsRight():
                news = self._trust_people(now)
            case Correct(position=position):
                news = self._happen(now, Correction(format_position(position)))
                news += self._set_up(now)
            case TakeBackLast():
                news = self._take_back(now)
            case Resign(side=side):
                news = self._end(Ending(RESULTS[side.other], Termination.RESIGNED.value), now)
            case AgreeDraw():
                news = self._end(Ending("draw", Termination.AGREED.value), now)
        self._settle(now)
        return news

    def roll(self, roll: Roll, now: float) -> list[News]:
        """Move the Juggernaut by a roll; the hands are then led to do the same on the board."""
        event, killed_at = roll_event(self.record, roll), victim_of(self.record, roll)
        victim = {s: at for s, at in self._whereabouts.standing.items() if s == killed_at}
        news = self._happen(now, event)
        return news + self._set_up(now, victim)

    def tell_die(self, event: DieCommit | DieSeed, now: float) -> list[News]:
        """Take in what the table's die tells of its seed."""
        return self._happen(now, event)

    def leave(self, now: float) -> list[News]:
        """Leave the game, where it is not over."""
        return [] if self.record.ending else self._happen(now, Ending("*", "abandoned"))

    # What comes out

    @property
    def due(self) -> float | None:
        """When `tick` may have news without a new observation, in seconds; None if never."""
        dues = (self._reader.due if self._reader else None, self._patience.due)
        return min((due for due in dues if due is not None), default=None)

    @property
    def view(self) -> View:
        """What can be seen of the table now."""
        if self._view is None:
            self._view = self._look()
        return self._view

    # Reading

    def _read_if_right(self, now: float, may_be_mid_ply: bool) -> list[News]:
        """Begin to read once the board stands right, or as a ply cut short would leave it."""
        if not self._seen or self._question or self._is_given_up:
            return []
        if len(self._differing()) > (MOST_MID_PLY if may_be_mid_ply else 0):
            return []
        position = self.record.position
        standing = Standing(position, may_wander=self.record.game.awaits_roll)
        self._reader = Reader(JetanBoard(), standing, position.ply_number, self.record.faults)
        self._view = None
        return self._heed(self._reader.observe(Observation(now, self._seen.evidence)))

    def _differing(self) -> set[Square]:
        """Return the squares where the board disagrees with the record; failed switches do not."""
        wanted = letters(self.record.position).keys()
        differing = (self._seen.occupied ^ wanted) | self._victim.keys()
        return differing - self.record.faults.keys()

    def _heed(self, readings: Iterable[Reading[Standing]]) -> list[News]:
        """Take in what the reader tells."""
        news: list[News] = []
        for reading in readings:
            if not self._concerns(reading):
                continue
            try:
                news += self._happen(reading.at, event_of(reading, self.record))
            except (RulesError, BadJournal):
                # The record is the truth: where the two part, the board is led back to it.
                return news + self._set_up(reading.at)
        return news

    def _concerns(self, reading: Reading[Standing]) -> bool:
        """Whether a reading still matters: after the end only its own undoing and faults do."""
        match reading:
            case TakenBack(number=number) | Recalled(after_number=number) if self.record.ending:
                return number == self.record.last_number
            case Failed():
                return True
        return self.record.ending is None

    @property
    def _is_given_up(self) -> bool:
        """Whether people have ended the game; what the rules ended may still be taken back."""
        return self.record.ending is not None and self.record.position.outcome is None

    def _happen(self, at: float, event: Event) -> list[News]:
        """Let something happen, and the end of the game where it follows by the rules."""
        entries = [Entry(at, event)]
        self.record = self.record.after(entries[0])
        ending = ending_of(self.record.game)
        if ending and not self.record.ending:
            entries.append(Entry(at, ending))
            self.record = self.record.after(entries[1])
        self._confirm()
        return list(entries)

    def _confirm(self) -> None:
        """Let what stands where follow what is certain now."""
        self._whereabouts.confirm(self._position, self.record.faults.keys())
        self._whereabouts.standing.update(self._victim)
        self._view = None

    # Commands

    def _set_up(self, now: float, victim: Mapping[Square, str] = NO_VICTIM) -> list[News]:
        """Wait until the board shows the record's position, and read from there."""
        self._reader = None
        self._victim = dict(victim)
        self._confirm()
        return self._read_if_right(now, may_be_mid_ply=False)

    def _begin(self, header: Header, events: Iterable[Event], now: float) -> list[News]:
        record = Record.begin(header)
        entries = [Entry(now, event) for event in events]
        for entry in entries:
            record = record.after(entry)
        left = self.leave(now)
        self.record = record
        return [*left, Begin(header), *entries, *self._set_up(now)]

    def _take_back(self, now: float) -> list[News]:
        question = self._question
        undone: Event
        if question is not None and not question.is_ply:
            undone = Recall(question.number)
        elif question is not None:
            undone = TakeBack(question.number, "words")
        elif self.record.game.plies:
            undone = TakeBack(self.record.last_number, "words")
        else:
            raise CommandRefused("there is no ply to take back")
        return self._happen(now, undone) + self._set_up(now)

    def _end(self, ending: Ending, now: float) -> list[News]:
        if self.record.ending:
            raise CommandRefused("the game is over already")
        news = self._happen(now, ending)
        self._reader = None
        return news

    def _answer(self, square: Square, now: float) -> list[News]:
        question = self._question
        if question is None:
            raise CommandRefused("no question is open")
        name = format_square(square)
        if name not in question.candidates:
            names = " or ".join(question.candidates)
            raise CommandRefused(f"{name} was not asked about: say {names}")
        if self._reader is not None and question.is_ply:
            try:
                return self._heed(self._reader.answer(question.number, square))
            except ValueError as error:
                raise CommandRefused(f"{name}: {error}") from error
        # Asked before the table was last switched on, or no ply: no reader waits to be told.
        try:
            news = self._happen(now, question.answer(name))
        except (RulesError, BadJournal) as error:
            raise CommandRefused(f"{name} does not fit what followed: {error}") from error
        self._reader = None
        return news + self._read_if_right(now, may_be_mid_ply=True)

    def _trust_people(self, now: float) -> list[News]:
        if self._victim:
            return self._set_up(now)
        differing = self._differing()
        if self._question or not self._seen or not differing:
            raise CommandRefused("no switch says that the board is wrong")
        news: list[News] = []
        for square in sorted(differing):
            kind = FaultKind.STUCK if square in self._seen.occupied else FaultKind.DEAD
            news += self._happen(now, Fault(format_square(square), kind.value))
        return news + self._set_up(now)

    # The view

    @property
    def _position(self) -> Position:
        """The position to show: with a question open, the likeliest."""
        if self._question and self._reader is not None:
            return self._reader.belief.position.position
        return self.record.position

    @property
    def _question(self) -> Question | None:
        """What people are asked; after the end nothing."""
        return None if self.record.ending else self.record.question

    @property
    def _is_under_way(self) -> bool:
        """Whether a ply is being made: what is put down then is no touch of a candidate."""
        belief = self._reader.belief if self._reader else None
        return belief is not None and bool(belief.missing or belief.extra)

    @property
    def _candidates(self) -> tuple[Square, ...]:
        return self._question.squares if self._question else ()

    def _settle(self, now: float) -> None:
        """Watch how long the board has disagreed; the view changes when patience ends."""
        if self._patience.watch(self._find_amiss(), now):
            self._view = None

    def _find_amiss(self) -> Disagreement:
        """Return what a hand in the middle of a ply does not explain; a question comes first."""
        if self._reader is None or self._question:
            return NOTHING_AMISS
        belief = self._reader.belief
        if belief.extra or not is_half_a_ply(self._position, belief.lifted):
            return Disagreement(belief.missing.union(belief.lifted), belief.extra)
        return NOTHING_AMISS

    def _look(self) -> View:
        ending = self.record.ending
        view = View(
            phase=Phase.OVER if ending else Phase.PLAYING,
            position=self._position,
            standing=dict(self._whereabouts.standing),
            moves=self.record.moves,
            first_number=self.record.game.start.ply_number,
            last_move=self._last_move(),
            question=self._question,
            faults=self.record.faults,
            ending=ending,
            die=self.record.die,
            is_roll_due=is_roll_due(self.record),
            rolls=self.record.game.plies[-1].rolls if self.record.game.plies else (),
        )
        if self._reader is not None:
            if self._patience.is_over:
                return self._leading(view, self._patience.amiss)
            lifted = self._reader.belief.lifted
            legal, captures = hints(self._position, lifted)
            return replace(view, lifted=lifted, legal=legal, captures=captures)
        if ending or self._question or not self._seen:
            return view
        differing, occupied = self._differing(), self._seen.occupied
        amiss = Disagreement(frozenset(differing - occupied), frozenset(differing & occupied))
        return self._leading(replace(view, phase=Phase.SETTING_UP), amiss)

    def _leading(self, view: View, amiss: Disagreement) -> View:
        """Add what disagrees, and what hands should do first to lead back."""
        where = self._whereabouts
        step = first_step(view.position, where.standing, where.in_hand, self.record.faults.keys())
        view = replace(view, missing=amiss.missing, extra=amiss.extra)
        is_from_box = step and step.from_square is None and step.letter not in where.in_hand
        if view.phase is Phase.SETTING_UP and is_from_box:
            return replace(view, placing=first_placing(view.position, amiss.missing))
        return replace(view, repair=step)

    def _last_move(self) -> tuple[Square, Square] | None:
        if not self.record.game.plies:
            return None
        move = self.record.game.plies[-1].move
        return move.from_square, move.to_square
