"""One table's game as a pure machine: observations, time and commands in, news and a view out.

`observe` takes what a sensor saw and hands it to the reader of the game's state. The reader
answers with readings: a ply, a take-back, a question, a fault, each the event that it is. `obey`
takes what people say, and turns it into events. An event changes the record, which is the game as
the journal will have it. What the clock and the conduct make of an event, the umpire adds. `tick`
passes time, so that a reader may speak, a question may grow old and a flag may fall. `due` says
when the next tick can change anything; nobody need ask before. The view is made of the record and
of what the reader believes.

No thread, clock, chance or I/O: the same input gives the same evening. What `observe`, `tick` and
`obey` return must be on the disk before the view that follows is shown. It cannot take an event
back: a mistake of the reader is mended by another event, which says what was meant.

A `Guest` is whoever follows a game besides the hands: an opponent, an adviser, who says plies
aloud, a page, a camera that learns. All follow one feed of what is certain, and lay their part over
the view in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal, TypeAlias

from hardware.ports import Believed, Evidence, Flip, Observation
from rules import (
    Move,
    Position,
    RulesError,
    Sentence,
    Side,
    Square,
    _,
    format_position,
    format_square,
    parse_position,
    parse_square,
)

from ..game import commands as asked
from ..game import events as happened
from ..game.agreements import Times
from ..game.commands import Command, CommandRefused, New, NewGame
from ..game.events import BadRecord, Ending, Entry, Event, GameId, Question, side_named
from ..game.record import Record, ending_of
from ..game.rolling import (
    entered_duel,
    entered_face,
    entered_roll,
    number_event,
    open_fight,
    start_squares,
    thrown_for,
)
from ..game.terms import is_made
from ..reading.readings import FoundAgain, GameLost, Reading, Standing
from ..reading.table_reader import (
    ReadBy,
    TableReader,
    believed_by,
    by_switches,
    goes_on_astray,
)
from .gestures import GestureWatch, TouchWatch
from .orientation import Orientation, turned_events
from .tabletop import Patience, Tabletop, find_disagreement
from .umpire import (
    Umpire,
    amended_by,
    check_command,
    check_ply,
    done_at,
    ending_event,
    fallen_flag,
    fix_of,
    in_full,
    still_matters,
    terms_event,
    undoing_event,
)
from .view import View, gesturing, view_of

News: TypeAlias = NewGame | Entry

LACKING: Final[Mapping[type[Command], Sentence]] = {
    asked.AskAdvice: _("nobody here can give a hint"),
    asked.New: _("no other game can be begun here"),
    asked.AsArbiter: _("this table has no arbiter"),
}
"""Refusals of commands that need a part of the table which this one lacks."""

PATIENCE_S = 0.7
"""Seconds for which a board may disagree before the hands are led: slides pass wrong squares."""

MOST_MID_PLY = 2
"""Squares that may differ in the middle of a ply; with more it is a guess what went where."""


class Session:
    """A game at a table: `record` is what is certain of it, `view` what can be seen of it.

    It waits until the board shows the record's position, then lets a reader read the hands, and
    goes back to waiting where the two part: after words, dice, a gesture, or a ply that was none.
    """

    def __init__(
        self, record: Record, patience_s: float = PATIENCE_S, read_by: ReadBy = by_switches
    ) -> None:
        """Go on with a game, or begin it where nothing has happened in it yet.

        Hands are led once the board has disagreed for `patience_s` seconds; `read_by` makes the
        reader of what they play.
        """
        self.record = record
        self.left: Record | None = None
        """The game before this one, to its end, if this one was begun here."""
        self.gestures = GestureWatch()
        self._awaited: Position | None = None
        """The position in which hands are asked to carry out the ply of a player without hands."""
        self.is_throw_wanted = False
        """True once hands have touched a piece to have dice thrown; their thrower clears it."""
        self._is_held = False
        """True while hands are not read."""
        self._tabletop = Tabletop(record.position)
        self._touches = TouchWatch()
        self._patience = Patience(patience_s)
        self._umpire = Umpire(record, was_off=True)
        self._read_by = read_by
        self._reader: TableReader | None = None
        """Reads hands; None while the board does not show the record's position."""
        self._lost: GameLost[Standing] | None = None
        """The reader's last word since it lost the game; None while it follows it."""
        self._view: View | None = None
        """The last view; None once something that it shows has changed."""

    # What goes in

    def observe(self, observation: Observation) -> list[News]:
        """Take in what a sensor saw: requests of the hands, and their plies."""
        self._view = None
        at, is_first = observation.at, not self._tabletop.occupancy
        flips = self._tabletop.observe(observation, self.record, self._position)
        # All that a touch may answer is noted before the observation is read: reading may settle
        # it.
        dice_for = thrown_for(self.record)
        among = () if is_first else self._candidates or dice_for
        touched = self._touches.touched(flips, among, at)
        self.gestures.follow(flips, at, self.record, self._tabletop.occupancy.occupied)
        news = self._follow_gesture(at)
        news += self._clear(() if is_first else flips, at) + self._play(observation, is_first)
        # Only now is it known whether a ply is being made, in which a piece put down answers
        # nothing.
        if touched is not None and not self._is_under_way:
            news += self._take_touch(touched, dice_for, at)
        return news + self._settle(at)

    def _play(self, observation: Observation, is_first: bool) -> list[News]:
        """Let the reader read the hands, or begin to; gestures are kept from it."""
        # Without a reader the board is not right yet, and nothing on it is a ply.
        reader, news = self._reader, list[News]()
        if reader is None:
            # A game that was cut short may be taken up in the middle of a ply.
            is_begun = bool(self.record.game.plies) or self.record.terms.is_oriented
            return self._read_if_right(observation.at, is_first and is_begun)
        for sifted in self.gestures.sift(observation):
            # An event among the first of them may have ended this reader: the next begins anew.
            news += self._heed(reader.observe(sifted)) if self._reader is reader else []
        return news

    def _take_touch(self, square: Square, dice_for: Collection[Square], now: float) -> list[News]:
        """Let a touch answer the open question, or on one of `dice_for` have the dice thrown."""
        if square not in self._candidates:
            self.is_throw_wanted = self.is_throw_wanted or square in dice_for
            return []
        with suppress(CommandRefused):
            if self.record.unsettled:
                candidates = self.record.opening.candidates(self.record.position)
                return self.settle(candidates[square], now)
            return self._answer(square, now)
        return []

    def tick(self, now: float) -> list[News]:
        """Let time pass; the reader is asked only when it has said it wants to be."""
        news = self._follow_gesture(now)
        reader = None if self.gestures.is_possible else self._reader
        if reader is not None and reader.due is not None and reader.due <= now:
            self._view = None  # what rests for long enough is shown, before anything is told
            news += self._heed(reader.tick(now))
        return news + self._settle(now)

    def obey(self, command: Command | NewGame, now: float, by_arbiter: bool = False) -> list[News]:
        """Carry out a command; CommandRefused if it makes no sense, or is not the players' to give.

        `by_arbiter`: it is the arbiter's, whose PIN has been checked.
        """
        # The note of an arbiter's deed is made of the game before it, and follows it into the
        # journal.
        fix = None
        if by_arbiter:
            fix = fix_of(self.record, command)
        else:
            check_command(self.record, command)
        news = self._do(command, now)
        return news + self._happen_all([fix] if fix else [], now) + self._settle(now)

    def _do(self, command: Command | NewGame, now: float) -> list[News]:
        match command:
            case _ if isinstance(command, asked.DiceCommand):
                return self._take_dice(command, now)
            case asked.ChooseFirst() | asked.ChooseBias():
                return self._choose(command, now)
            case _ if isinstance(command, asked.EndingCommand):
                return self._end(ending_event(self.record, command, self._position.side), now)
            case _ if isinstance(command, asked.TermsCommand):
                return self._happen(now, terms_event(self.record, command))
            case NewGame():
                return self._begin(command, now)
            case asked.AnswerQuestion(square=name):
                return self._answer(parse_square(name), now)
            case asked.BoardIsRight(board=number):
                return self._trust_people(number, now)
            case asked.Correct(position=text):
                corrected = parse_position(text, self.record.position.rules)
                correction = happened.Correction(format_position(corrected))
                return self._happen(now, correction) + self._set_up(now)
            case asked.TakeBackLast():
                return self._happen(now, undoing_event(self.record)) + self._set_up(now)
            case asked.TurnBoard():
                events = turned_events(self.record, command)
                self._tabletop = Tabletop(self.record.position)
                return self._happen_all(events, now) + self._set_up(now)
            case asked.SayAdjust():
                self._umpire.adjust(self.record)
                return []
        # What remains is done by a table that has what it takes: an adviser, a journal, a PIN.
        raise CommandRefused(LACKING[type(command)])

    def _take_dice(self, command: asked.DiceCommand, now: float) -> list[News]:
        """Take in a throw of people's own dice; the table's own are thrown elsewhere."""
        match command:
            case asked.DecideFight(told=None) if open_fight(self.record) is None:
                raise CommandRefused(_("nobody fights for a square just now"))
            case asked.RollDie(shown=str(text)) if self.record.unsettled:
                face = entered_face(text)
                return self.settle(self.record.opening.rolled(face, "hand"), now)
            case asked.RollDie(shown=str(text)):
                return self.tell_dice(entered_roll(self.record, text), now)
            case asked.DecideFight(told=str(text)):
                return self.tell_dice(entered_duel(self.record, text), now)
            case asked.AddNumber(number=number):
                return self.tell_dice(number_event(self.record, number), now)
        raise CommandRefused(_("a die must be thrown for that: enter it as in: roll 3"))

    def _choose(self, command: asked.ChooseFirst | asked.ChooseBias, now: float) -> list[News]:
        """Settle in words who begins, or the bias."""
        opening = self.record.opening
        if isinstance(command, asked.ChooseBias):
            return self.settle(opening.crossed(command.way), now)
        return self.settle(opening.begun_by(side_named(command.side, self._position.side)), now)

    def tell_dice(self, event: happened.DiceEvent, now: float) -> list[News]:
        """Take in a throw, the result of a fight, or a fact about the table's die.

        The hands are then led to carry out on the board what it decides.
        """
        news = self._happen(now, event)
        is_decided = isinstance(event, happened.DuelReport) and self.record.fight is None
        is_led = is_decided or isinstance(event, happened.DieRoll)
        return news + self._set_up(now) if is_led else news

    def look_again(self) -> None:
        """Make the view anew: words have changed a reader's belief."""
        self._view = None

    def read_anew(self, now: float) -> list[News]:
        """Let another reader begin: the board is now read otherwise."""
        return self._set_up(now)

    def settle(self, event: happened.Preamble, now: float) -> list[News]:
        """Take in an event that settles something before the first ply."""
        return self._happen(now, event) + self._set_up(now)

    def leave(self, now: float) -> list[News]:
        """Leave the game, where it is not over."""
        return [] if self.record.ending else self._happen(now, Ending("*", "abandoned"))

    def wait_for(self, move: Move | Literal[True] | None) -> None:
        """Let clocks wait while hands carry out a ply for a player without hands; None: no longer.

        True stands for a ply that is not known yet.
        """
        self._awaited = None if move is None else self._position

    def hold(self, is_held: bool, now: float) -> list[News]:
        """Read nothing until dice have fallen that no hand may forestall; or read on afterwards."""
        if is_held is self._is_held:
            return []
        self._is_held, self._reader, self._view = is_held, None, None
        return [] if is_held else self._set_up(now)

    def end_elsewhere(self, ending: Ending, now: float) -> list[News]:
        """Take in the end of the game at the other board that it is played on."""
        return [] if self.record.ending else self._end(ending, now)

    def show_clocks(self, times: Times, now: float) -> list[News]:
        """Set the clocks to the times that another board has measured."""
        return self._happen(now, happened.ClockShows(*times))

    # What comes out

    @property
    def due(self) -> float | None:
        """Time at which `tick` may have news without an observation, in seconds; None if never."""
        reader = None if self.gestures.is_possible else self._reader
        dues = (reader.due if reader else None, self._patience.due, self.gestures.due)
        return min((due for due in dues if due is not None), default=None)

    @property
    def view(self) -> View:
        """The present view of the table."""
        if self._view is None:
            belief = self._reader.belief if self._reader else None
            self._view = view_of(
                self.record, self._position, self._question, self._tabletop, belief, self._patience
            )
            self._view = gesturing(self._view, self.gestures.filling)
            if self._lost is not None and self._reader is not None:
                lost = tuple(each.position for each in self._lost.positions)
                self._view = replace(self._view, lost=lost)
        return self._view

    @property
    def believed(self) -> Believed | None:
        """The reader's belief after all that it has taken in; None while it reads nothing."""
        return None if self._reader is None else believed_by(self._reader)

    @property
    def evidence(self) -> dict[Square, Evidence]:
        """The latest evidence of every square."""
        return dict(self._tabletop.occupancy.evidence)

    # Reading

    def _read_if_right(self, now: float, may_be_mid_ply: bool) -> list[News]:
        """Begin to read once the board shows the position, or the middle of a ply cut short."""
        is_asking = self._question or self.record.unsettled or start_squares(self.record)
        if not self._tabletop.occupancy or is_asking or self._is_held or self._is_given_up:
            return []
        most = MOST_MID_PLY if may_be_mid_ply and self.record.is_settled else 0
        if len(self._tabletop.differing(self.record)) > most:
            return []
        news = [] if self.record.is_settled else self._happen(now, happened.Settled())
        position, is_fought = self.record.stands, self.record.fight is not None
        standing = Standing(position, self.record.game.awaits_roll, is_fought)
        self._reader, self._lost = self._read_by(standing, self.record.faults), None
        self.gestures.arm()
        self._view = None
        # A reader learns of changes alone: without this first look it would take the board for
        # right.
        whole = Observation(now, self._tabletop.occupancy.evidence)
        return news + self._heed(self._reader.observe(whole))

    def _heed(self, readings: Sequence[Reading[Standing]]) -> list[News]:
        """Take in the reader's readings."""
        news: list[News] = []
        for event, at in self._told(readings):
            if isinstance(event, GameLost | FoundAgain):
                self._lost = event if isinstance(event, GameLost) else None
                self._view = None
                continue
            if not still_matters(event, self.record):
                continue
            try:
                happening = in_full(event, self.record)
                check_ply(self.record, happening, at)
                # A ply that was made after the flag fell comes too late, even if nobody saw it
                # fall.
                if is_made(event) and (flag := fallen_flag(self.record, at)):
                    return news + self._end(flag.event, flag.at)
                news += self._happen(at, happening)
            except (RulesError, BadRecord):
                # The record is the truth: where the two part, the board is led back to it. What the
                # reader says after that starts from a position that never was, so it is not heard.
                return news + self._set_up(at)
        return news

    def _told(
        self, readings: Sequence[Reading[Standing]]
    ) -> Iterator[tuple[Event | GameLost[Standing] | FoundAgain, float]]:
        """Yield what the reader's readings tell, with its time; as the record is meanwhile."""
        while readings:
            at = readings[0].at
            amended, readings = amended_by(readings, self.record)
            if amended is not None:
                yield amended, at
            elif readings:
                reading, *readings = readings
                yield reading.event, done_at(reading, self._tabletop.touched_at)

    @property
    def _is_given_up(self) -> bool:
        """True once people have ended the game; an end by the rules may still be taken back."""
        return self.record.ending is not None and self.record.position.outcome is None

    def _happen(self, at: float, event: Event) -> list[News]:
        """Let an event happen, and the end of the game if it follows by the rules."""
        entries = [Entry(at, event)]
        self.record = self.record.after(entries[0])
        ending = ending_of(self.record.game)
        if ending and not self.record.ending:
            entries.append(Entry(at, ending))
            self.record = self.record.after(entries[1])
        self._confirm()
        return list(entries)

    def _happen_all(self, events: Iterable[Event], now: float) -> list[News]:
        return [news for event in events for news in self._happen(now, event)]

    def _confirm(self) -> None:
        """Correct the pieces on the board by the certain position."""
        self._tabletop.confirm(self._position, self.record)
        self._view = None

    def _follow_gesture(self, now: float) -> list[News]:
        """Let a gesture go on; from its beginning nothing is read until the board stands right.

        A question about one of its pieces was about no ply: hands were lifting one after another.
        """
        # The reader has begun to take the lifts for a ply, so it ends with the first step of light.
        before = self.gestures.filling
        self.gestures.tick(now)
        filling, question = self.gestures.filling, self._question
        if filling == before:
            return []
        self._reader = None
        self._confirm()
        held = () if filling is None else map(format_square, filling.squares)
        if question is None or question.from_square not in held:
            return []
        return self._happen(now, question.denial)

    def _end(self, event: Event, now: float) -> list[News]:
        """Let an event happen that may end the game; after the end nothing is read."""
        news = self._happen(now, event)
        self._reader = None if self.record.ending else self._reader
        return news

    # Commands

    def _set_up(self, now: float) -> list[News]:
        """Wait until the board shows the record's position, and read from there."""
        self._reader = None
        self.gestures.disarm()
        self._confirm()
        return self._clear((), now) + self._read_if_right(now, may_be_mid_ply=False)

    def _clear(self, flips: Iterable[Flip], now: float) -> list[News]:
        """Return the events of pieces lifted that stood in another one's place."""
        return self._happen_all(self._tabletop.cleared(self.record, flips), now)

    def _begin(self, game: NewGame, now: float) -> list[News]:
        # All of the next game is made before this one is left: what is refused changes nothing.
        entries = [Entry(now, event) for event in game.events]
        record = Record.fold(game.header, entries)
        if game.is_set_up:
            self._tabletop.set_up(record)
        # Switches do not mend themselves between games, nor do pieces move to where the next one
        # begins.
        inherited = self._tabletop.inherited(self.record.faults, record)
        news = [*self.leave(now), game, *entries]
        self.left, self.record = self.record, record
        self._umpire = Umpire(record, was_off=False)
        self._is_held = False
        return [*news, *self._happen_all(inherited, now), *self._set_up(now)]

    def _answer(self, square: Square, now: float) -> list[News]:
        question = self._question
        if question is None:
            raise CommandRefused(_("no question is open"))
        if (name := format_square(square)) not in question.candidates:
            raise CommandRefused(
                _("{name} was not asked about: say {names}"),
                name=name,
                names=", ".join(question.candidates),
            )
        # The reader goes first: it has weighed the later plies by each possible answer.
        if self._reader is not None:
            try:
                return self._heed(self._reader.answer(question.number, square))
            except ValueError as error:
                if question.is_ply:
                    raise CommandRefused(_("{name}: {why}"), name=name, why=error) from error
        # Asked before the table was last switched on, or no ply that the reader waits to be told.
        try:
            news = self._happen(now, question.answer(name))
        except (RulesError, BadRecord) as error:
            raise CommandRefused(
                _("{name} does not fit what followed: {why}"), name=name, why=error
            ) from error
        self._reader = None
        return news + self._read_if_right(now, may_be_mid_ply=True)

    def _trust_people(self, number: int, now: float) -> list[News]:
        if self._reader is not None and self._reader.shown:
            try:
                return self._heed(self._reader.stands(number, now))
            except ValueError as error:
                raise CommandRefused(_("board {number} is not shown"), number=number) from error
        events = self._tabletop.trusting_people(self.record)
        if not events:
            raise CommandRefused(_("no switch says that the board is wrong"))
        return self._happen_all(events, now) + self._set_up(now)

    # The view

    @property
    def _position(self) -> Position:
        """The position to show: while a question is open, the likeliest."""
        if self._question and self._reader is not None:
            return self._reader.belief.position.position
        return self.record.stands

    @property
    def _question(self) -> Question | None:
        """The open question; after the end of the game none."""
        return None if self.record.ending else self.record.question

    @property
    def _is_under_way(self) -> bool:
        """True while a ply is being made: a piece put down then is no touch of a candidate.

        The moving side has a piece in the air. A candidate's own switch does not count, as the
        question is about it; nor does a piece of the other side, whose switch must have failed.
        """
        belief = self._reader.belief if self._reader else None
        gone = belief.missing.difference(self._candidates) if belief else ()
        pieces = map(self._position.piece_at, gone)
        return any(piece is None or piece.side is self._position.side for piece in pieces)

    @property
    def _candidates(self) -> Collection[Square]:
        """The squares whose touch answers a question or settles a choice."""
        if self.record.unsettled:
            return self.record.opening.candidates(self.record.position)
        question = self._question
        is_fresh = question is not None and question.is_fresh(self.record.last_played)
        return question.squares if question is not None and is_fresh else ()

    def _settle(self, now: float) -> list[News]:
        """Watch for how long the board has disagreed, and let the umpire call time and touches."""
        # While a question is open the board may disagree with each of its answers: nobody is led
        # then.
        belief = None if self._reader is None or self._question else self._reader.belief
        if self._patience.watch(find_disagreement(belief, self._position), now):
            self._view = None
        # So many pieces are moved by people who clear the board; a reader would see plies in it.
        # One that has lost the game says so, and waits for a board that it knows again: hands that
        # play on must not be led for ever.
        if self._patience.is_hopeless and not goes_on_astray(self._reader):
            self._reader = None
        news: list[News] = []
        lifted = belief.lifted if belief and not self.gestures.is_possible else ()
        while entry := self._umpire.call(self.record, lifted, self._is_waiting, now):
            news += self._end(entry.event, entry.at)
        return news

    @property
    def _is_waiting(self) -> bool:
        """True while no player thinks: the table asks, leads, or waits for dice or a favour."""
        is_ready = self._reader is not None and not self._patience.is_over
        is_awaited = self._awaited is self._position
        is_free = self._question is None and not is_awaited and not thrown_for(self.record)
        return not (is_ready and is_free)


@dataclass(frozen=True, slots=True)
class Certain:
    """The state of a table after one step. All of it is on the disk, and may be told to anybody."""

    at: float
    """Time, in seconds on the table clock."""
    record: Record
    view: View
    """The view that is shown, guests' parts included."""
    orientation: Orientation
    """The names that the table has for the squares of its board."""
    game: GameId
    rev: int
    """Number of games and events in the journal, this record's included."""
    brightness: float
    """Brightness of the lamps, as a share of full."""
    believed: Callable[[], Believed | None] = lambda: None
    """Returns the reader's belief after all that was polled; None while it reads nothing."""


class Guest:
    """A guest that does nothing; each kind of guest overrides the methods it needs.

    The table calls all of them on its own thread, and none may wait.
    """

    rank: ClassVar[int] = 50
    """Its place in the order in which guests are asked: the lowest hears commands first, and the
    highest lays its part over all others' in the view."""

    @property
    def sides(self) -> frozenset[Side]:
        """The sides that it plays now."""
        return frozenset()

    @property
    def is_done(self) -> bool:
        """True once this guest wants the table to be left."""
        return False

    def give_way(self) -> None:
        """Play or teach no more: another guest does, from now on."""

    def attend(self, session: Session, now: float) -> list[News]:
        """Look at the game and act on it; return the news of that."""
        return []

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Carry out a command that is this guest's to carry out, and return the news of that.

        None for any other; CommandRefused if this guest forbids it.
        """
        return None

    def offers(self) -> New | None:
        """Return the game that this guest proposes to whoever begins another, if any."""
        return None

    def overlay(self, view: View) -> View:
        """Return a view of the table with this guest's part."""
        return view

    def at_disk(self, waits: bool) -> None:
        """Hear that the table begins to wait for its disk, which may take long, or goes on."""

    def follow(self, certain: Certain) -> None:
        """Take in what is certain, once a step."""
