"""The pace of a table: what sensors saw goes in, what happened goes to disk, then it is shown.

Also the clocks it goes by, and what the buttons of its board do.
"""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Protocol, TypeVar

from hardware.ports import RGB, Believed, Observation, presence
from hardware.reeds import Button, ButtonPress
from rules import Notice, Side, Worded, _, format_square, parse_square

from ..errors import TableError
from ..game import commands as asked
from ..game.commands import Command, CommandRefused, NewGame
from ..game.events import Entry, GameId, Ply, Turned
from ..game.record import NextGame, Record
from ..game.rolling import is_roll_due, open_fight
from ..journal.archive import Archive
from ..journal.journal import Journal, JournalUnwritable, write_game
from ..light.figures import Figures
from ..light.lamps import LampChoice, Lighting, cues, lights, lit
from ..session.orientation import Orientation, OrientationFinder, orientation_of
from ..session.session import Certain, Guest, News, Session
from ..session.umpire import allows_help, check_command, wanted_by
from .board import Board, BoardWatch
from .dice import Dice
from .pin import GuardedPin

Kind = TypeVar("Kind", bound=Guest)

LOG = logging.getLogger(__name__)
READ = logging.getLogger("jetan_table.reading")
"""The log of what the reader is given, and of what it makes of that."""

CALM_S = 1.0
"""Seconds without a change after which observations are written: a disk takes its time, and a blip
in the middle of a ply must not be missed for it."""

REST_S = 20.0
"""Seconds without a change of the board after which nobody is at it."""

RETRY_S = 1.0
"""Seconds after which a disk that refused is tried again."""

REFUSED_S = 6.0
"""Seconds for which the refusal of a gesture is shown."""

FIGURE_COLOUR = (150, 150, 150)
"""White, bright enough and within most supplies."""

LAGS_S = 2.0
"""Longest wait for a board that is behind, in seconds: with one that says nothing play goes on."""

MOST_WAITING = 1000
"""Observations kept while the disk refuses; beyond, the two oldest become one."""


class Clock(Protocol):
    """The table clock: seconds since 1970 that never jump and never run back."""

    def now(self) -> float:
        """Return the time."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        ...


def _system_time() -> float:
    """Return the time, which may be wrong, but is never before 1970: 0 stands for no time."""
    return max(time.time(), 0.0)


class WallClock:
    """Starts at the system's time and runs on with its steady counter, `speed` times as fast."""

    def __init__(self, speed: float = 1.0, started: float | None = None) -> None:
        """Start at the time `started` instead, if one is given."""
        self._started = _system_time() if started is None else started
        self._counted, self._speed = time.monotonic(), speed

    def now(self) -> float:
        return self._started + (time.monotonic() - self._counted) * self._speed

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds / self._speed)


class EagerClock:
    """Passes time only where it is slept: for play as fast as the machine can."""

    def __init__(self, started: float | None = None) -> None:
        self._now = _system_time() if started is None else started

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds


GRAIN_S = 0.005
"""Seconds between two looks while something happens, however seldom the machine comes to it."""

MOMENT_S = 0.5
"""Seconds within which an event makes a clock busy; for later ones it keeps pace with the other."""

MOST_AT_ONCE = 200
"""Most looks that are caught up with before people are heard again."""


class OwnTime:
    """A clock that runs with another, but falls behind it rather than leap over an event.

    A busy machine looks late; a look that is late would see a piece gone for half a second that
    was in the air for a moment. In its own time the simulated table is always looked at in time.
    """

    def __init__(self, clock: Clock, dues: Callable[[], Iterable[float | None]]) -> None:
        """`dues` returns the times at which something happens next, None for never."""
        self._clock, self._dues = clock, dues
        self._now = clock.now()

    def now(self) -> float:
        if not self.is_busy:
            self._now = max(self._now, self._clock.now())
        return self._now

    def sleep(self, seconds: float) -> None:
        self._clock.sleep(seconds)

    @property
    def is_busy(self) -> bool:
        """True if something is still to happen within MOMENT_S."""
        # A step of GRAIN_S each until nothing is due soon, then one leap to the present.
        until = self._now + MOMENT_S
        return any(due is not None and due < until for due in self._dues())

    def moments(self) -> Iterator[float]:
        """Yield the times at which to look, up to the present: one where nothing happens."""
        for _moment in range(MOST_AT_ONCE):
            present = self._clock.now()
            if not self.is_busy or present <= self._now + GRAIN_S:
                self._now = max(self._now, present)
                yield self._now
                return
            self._now += GRAIN_S
            yield self._now


class Table:
    """The joined parts of one table. `view` and `record` may be shown: all in them is on the disk.

    While the disk refuses, `view.trouble` says so, no more plies are read or shown, and
    observations wait. Nothing of a table is set from outside; its methods do that.
    """

    def __init__(
        self,
        board: Board,
        lighting: Lighting,
        journal: Journal,
        game: GameId,
        session: Session,
        guests: Sequence[Guest] = (),
        dice: Dice | None = None,
        arbiter: GuardedPin | None = None,
        next_game: NextGame | None = None,
        damage: str | None = None,
        finder: OrientationFinder | None = None,
    ) -> None:
        """Go on with `session`, which plays the game of that number in the journal.

        Without `dice` the table has no die of its own, without an `arbiter` nobody corrects a
        tournament game, without `next_game` no other game begins here. `damage` says why games
        were set aside at the start, and is shown until the next ply. Without a `finder` the squares
        have the names of their wiring.
        """
        self.board, self._journal = board, journal
        self.game = game
        self.session = session
        """The game as it is read; its news need not be on the disk yet."""
        self.record = session.record
        """The certain game, as far as it is on the disk."""
        self._guests = sorted(guests, key=_rank)
        self._dice, self._arbiter, self._begin_next = dice, arbiter, next_game
        self._orientation_finder = finder or OrientationFinder()
        self.lighting = replace(lighting, lamp_of=self.orientation.reordered(lighting.lamp_of))
        """The way from meanings to light, by the present names of the squares."""
        self.lights: Sequence[RGB] = ()
        """Colours of the lamps, in lamp order."""
        self._figures = Figures()
        self._watch: BoardWatch | None = None
        self._waiting: deque[Observation] = deque()
        """Observations that the session has not taken in yet."""
        self._seen_at: float | None = None
        """Time of the last observation that is not on the disk yet; None if all are."""
        self._rests_at = 0.0
        """Time from which nobody is at the board, if nothing is seen by then."""
        self._unwritten: list[News] = []
        """News that are not on the disk yet, oldest first."""
        self._retry_at = 0.0
        """Time before which a disk that has refused is not tried again."""
        self._disk: Notice | None = None
        self._is_text_due = True
        """True once the game has changed since its text was written."""
        self._damage = damage
        self._refusal: tuple[TableError, float] | None = None
        """The refusal of a gesture, and the time until which it is shown."""
        self._rev = game, journal.rev
        """The record's game, and the size of the journal when it was confirmed."""
        self._confirmed = self.view = session.view
        """The view of the table alone; and with the parts of its guests."""

    # Its state

    @property
    def archive(self) -> Archive:
        return self._journal.archive

    @property
    def orientation(self) -> Orientation:
        return self._orientation_finder.orientation

    @property
    def troubles(self) -> tuple[Notice, ...]:
        """Troubles of the board and the disk, which keep the table from going on."""
        return tuple(each for each in (self.board.trouble, self._disk) if each is not None)

    @property
    def is_unwritten(self) -> bool:
        """True while news wait for the disk."""
        return bool(self._unwritten)

    @property
    def sides(self) -> frozenset[Side]:
        """The sides that guests play now, without hands."""
        return frozenset[Side]().union(*(guest.sides for guest in self._guests))

    @property
    def is_done(self) -> bool:
        """True once a guest wants the table to be left."""
        return any(guest.is_done for guest in self._guests)

    def guest(self, kind: type[Kind]) -> Kind | None:
        """Return the guest of that kind; None if there is none."""
        return next((guest for guest in self._guests if isinstance(guest, kind)), None)

    @property
    def has_unread(self) -> bool:
        """True if observations are waiting that could be read at once."""
        return bool(self._waiting) and not self._unwritten

    # Its parts

    def light_by(self, choice: LampChoice) -> None:
        """Use another palette and brightness from now on."""
        self.lighting = self.lighting.chosen(choice)

    def watch_by(self, watch: BoardWatch) -> None:
        """Let a watch follow the board from now on, and light single lamps."""
        self._watch = watch

    def welcome(self, guest: Guest) -> None:
        """Let a guest follow from now on who needs the table to be made: a page."""
        self._guests = sorted([*self._guests, guest], key=_rank)

    def make_way_for(self, guest: Guest) -> None:
        """Let a guest play or teach here, and no other."""
        for other in self._guests:
            if other is not guest:
                other.give_way()

    def read_anew(self, now: float) -> None:
        """Begin to read with another reader, and look at the whole board once more."""
        self._waiting.clear()
        self._unwritten += self.session.read_anew(now)
        self._write(now)

    def step(self, now: float) -> list[News]:
        """Look, read, write and light once; return the news that are on the disk."""
        observations = list(self.board.poll(now))
        if self._watch is not None:
            self._watch.note(now, observations)
        for observation in observations:
            self._wait_in_line(observation)
            self._seen_at = now
        # What waits for the disk goes first, and while it refuses nothing more is read: news come
        # in the order in which they happened, and nobody sees one that a power cut could still
        # undo.
        news = self._write(now)
        if not self._unwritten:
            self._read(now)
            news += self._write(now)
        if not self._unwritten:
            news += self._do_gesture(now)
        self._show(now)
        self._light(now)
        self._flush(now)
        bright = self.lighting.brightness
        certain = Certain(
            now, self.record, self.view, self.orientation, *self._rev, bright, self._believed
        )
        for guest in self._guests:
            guest.follow(certain)
        return news

    def obey(self, command: Command | NewGame, now: float) -> list[News]:
        """Carry out a command, and return the news of that.

        CommandRefused if it makes no sense, JournalUnwritable if it cannot be kept just now.
        """
        self.check_disk()
        by_arbiter = isinstance(command, asked.AsArbiter)
        if isinstance(command, asked.AsArbiter):
            self.check_arbiter(command.pin, now)
            command = command.command
        LOG.info("%s", command)
        self._unwritten += self._done(command, now, by_arbiter)
        news = self._write(now)
        self._show(now)
        return news

    def check_disk(self) -> None:
        """Raise JournalUnwritable while earlier news still wait for the disk."""
        if self._unwritten:
            why = self._disk.found if self._disk else _("the disk is not writable")
            raise JournalUnwritable(_("{why}"), why=why)

    def _done(self, command: Command | NewGame, now: float, by_arbiter: bool) -> list[News]:
        """Let the part it concerns carry out a command, and return the news of that."""
        session, finder, dice = self.session, self._orientation_finder, self._dice
        if isinstance(command, Command):
            for guest in self._guests:
                if (news := guest.hear(command, session, now)) is not None:
                    return news
        match command:
            case asked.AnswerQuestion(square=name) if finder.answer(parse_square(name)):
                return []
            case asked.RollDie(shown=None) if dice is not None:
                return dice.roll(session, now)
            case asked.DecideFight(told=None) if dice is not None and open_fight(session.record):
                return dice.roll(session, now)
            case asked.New() if (next_game := self._next_game) is not None:
                return self._begun(next_game(command, session.record, now), now, by_arbiter)
            case NewGame():
                return self._begun(command, now, by_arbiter)
        return session.obey(command, now, by_arbiter)

    @property
    def _next_game(self) -> NextGame | None:
        """The maker of another game; for a command without wishes it takes a guest's proposal."""
        begin = self._begin_next
        if begin is None:
            return None

        def proposed(wanted: asked.New, record: Record, now: float) -> NewGame:
            offers = (guest.offers() for guest in self._guests if wanted == asked.New())
            return begin(next(filter(None, offers), wanted), record, now)

        return proposed

    def _begun(self, game: NewGame, now: float, by_arbiter: bool) -> list[News]:
        """Leave the game for another; CommandRefused if its conduct forbids that."""
        if not by_arbiter:
            check_command(self.session.record, game)
        # The seed of the game that is left is revealed before another one begins.
        left = self.session.leave(now) + self._follow_die(now)
        return left + self.session.obey(game, now, by_arbiter)

    def check_arbiter(self, pin: str, now: float) -> None:
        """Raise CommandRefused unless this is the arbiter's PIN."""
        if self._arbiter is None:
            raise CommandRefused(_("this table has no arbiter"))
        if wait_s := self._arbiter.wait_s(now):
            raise CommandRefused(
                _("too many wrong PINs; try again in {wait_s:.0f} seconds"), wait_s=wait_s
            )
        if not self._arbiter.attempt(pin, now):
            raise CommandRefused(
                _("that is not the arbiter's PIN: the file “arbiter” in the data folder has it")
            )

    def _do_gesture(self, now: float) -> list[News]:
        """Carry out a gesture that was made; its refusal is shown for some seconds."""
        gesture = self.session.gestures.take_made()
        if gesture is not None:
            try:
                wanted = wanted_by(gesture, self.session.record, self._next_game, now)
                return self.obey(wanted, now)
            except (CommandRefused, JournalUnwritable) as error:
                self._refusal = error, now + REFUSED_S
        return []

    def _show(self, now: float) -> None:
        """Make the view: the confirmed one with the parts of guests, and notices."""
        view = self._orientation_finder.add_question(self._confirmed)
        for guest in self._guests:
            view = guest.overlay(view)
        # A guest may wish for a move in a tournament, but its reasons would be help with play.
        if view.help.why and not allows_help(self.record):
            view = replace(view, help=replace(view.help, why=()))
        if self._refusal is not None and now < self._refusal[1]:
            view = replace(view, refused=self._refusal[0])
        trouble = next(iter(self.troubles), None)
        if trouble != self.view.trouble:
            LOG.warning("%s", "well again" if trouble is None else trouble.found)
        notices = (*self.board.notes, *view.notices)
        if self._damage is not None:
            why = Worded(_("set aside: {why}"), why=self._damage)
            mend = _("jetan games salvage brings back what is whole")
            notices = (Notice("game", "warn", why, mend), *notices)
        # As long as nothing is added it stays the same object, which others compare at once.
        is_more = trouble is not None or notices != view.notices
        self.view = replace(view, trouble=trouble, notices=notices) if is_more else view

    def _follow_die(self, now: float) -> list[News]:
        return [] if self._dice is None else self._dice.follow(self.session, now)

    def _wait_in_line(self, observation: Observation) -> None:
        if len(self._waiting) >= MOST_WAITING:
            first, second = self._waiting.popleft(), self._waiting.popleft()
            merged = {**first.squares, **second.squares}
            self._waiting.appendleft(Observation(second.at, merged))
        self._waiting.append(observation)

    def _believed(self) -> Believed | None:
        """Return the reader's belief, once it has taken in all that was polled."""
        return None if self._waiting or self._unwritten else self.session.believed

    def _read(self, now: float) -> None:
        """Hand observations to the session, until there are news to be written."""
        # One event at a time: what a touch or a command means depends on the record before it, and
        # that counts only once it is on the disk.
        while self._waiting and not self._unwritten:
            observation = self._waiting.popleft()
            observation = self._orientation_finder.take(observation)
            self._journal.observe(self.game, [observation])
            self._orientation_finder.watch(observation)
            if READ.isEnabledFor(logging.DEBUG):
                READ.debug("%.3f %s", observation.at, observation_in_words(observation))
            self._unwritten += self.session.observe(observation)
        if not self._unwritten and self._may_conclude(now):
            self._unwritten += self.session.tick(now)
        found = self._orientation_finder.attend(self.session.record, self.session.view, now)
        if found is not None and not self._unwritten:
            turn = asked.TurnBoard(*map(format_square, found.ends))
            self._unwritten += self.session.obey(turn, now)
        if self._dice is not None and not self._unwritten:
            self._unwritten += self._dice.attend(self.session, now)
        for guest in self._guests:
            if not self._unwritten:
                self._unwritten += guest.attend(self.session, now)

    def _may_conclude(self, now: float) -> bool:
        """Return True if time may decide now: not while earlier observations are still to come.

        Silence is no evidence as long as the line, or the machine, lags.
        """
        due = self.session.due
        if due is None or due > now or now > due + LAGS_S or self.board.trouble:
            return True
        return self.board.catch_up(due)

    def _turn(self, turned: Turned, at: float) -> None:
        """Name squares by another orientation, and look at all of them once more."""
        orientation = orientation_of(turned, self.session.record.position.rules.board)
        self._waiting.appendleft(self._orientation_finder.turn(orientation, at))
        lamp_of = orientation.reordered(self.lighting.lamp_of)
        self.lighting = replace(self.lighting, lamp_of=lamp_of)

    def _write(self, now: float) -> list[News]:
        """Write the news, and only then show and return them."""
        news: list[News] = []
        if now < self._retry_at:
            return news
        try:
            self._unwritten += self._follow_die(now)
            if self._unwritten or self._is_text_due:
                with self._at_disk():
                    self._write_all(news, now)
        except JournalUnwritable as error:
            self._refused(error, now)
            return news
        self._confirmed, self.record = self.session.view, self.session.record
        # Nothing was shown of all this before now: a power cut until here would have undone it.
        self._rev = self.game, self._journal.rev
        self._disk = None
        return news

    def _write_all(self, news: list[News], now: float) -> None:
        """Write the news, and the game's text; add those that are on the disk to `news`."""
        while self._unwritten:
            news += self._write_next()
            self._is_text_due = True
            self._go_on_resting(now)
        if self._is_text_due:
            self._write_text(self.session.record)
            self._is_text_due = False

    @contextmanager
    def _at_disk(self) -> Iterator[None]:
        """Let guests know that the table waits for its disk while the block runs."""
        for guest in self._guests:
            guest.at_disk(True)
        try:
            yield
        finally:
            for guest in self._guests:
                guest.at_disk(False)

    def _write_text(self, record: Record) -> None:
        write_game(self._journal.folder, self._journal.witness(self.game), record)

    def _flush(self, now: float) -> None:
        """Write observations once sensors are calm; at rest leave nothing beside the journal.

        The latter takes a disk longer than a write, so it waits until no hand is near, or the game
        is over.
        """
        if self._seen_at is not None and now >= max(self._seen_at + CALM_S, self._retry_at):
            try:
                with self._at_disk():
                    self._journal.flush()
                self._seen_at = None
                self._go_on_resting(now)
            except JournalUnwritable as error:
                self._refused(error, now)
        if self._seen_at is None and now >= self._rests_at and not self._unwritten:
            with self._at_disk():
                self._journal.fold_in()
            self._rests_at = now + REST_S

    def _go_on_resting(self, now: float) -> None:
        self._rests_at = now + (REST_S if self.session.record.ending is None else 0.0)

    def _refused(self, error: JournalUnwritable, now: float) -> None:
        """Show that the disk refuses, and try again after a while."""
        self._retry_at = now + RETRY_S
        mend = _("make room, or see to the card; it is tried again every second")
        self._disk = Notice("disk", "fail", error.worded, mend)

    def _write_next(self) -> list[News]:
        """Write the news up to the next new game, or that game as it begins."""
        first = self._unwritten[0]
        begun: list[News] = [first] if isinstance(first, NewGame) else []
        entries: list[Entry] = []
        for news in self._unwritten[len(begun) :]:
            if not isinstance(news, Entry):
                break
            entries.append(news)
        if isinstance(first, NewGame):
            if self._is_text_due and self.session.left is not None:
                self._write_text(self.session.left)  # else nothing but the journal tells its end
            # What a game begins with was agreed together: a cut must not come between.
            self.game = self._journal.begin(first.header, entries)
            # Sensors tell changes alone: what stood before is part of this game's story, too.
            known = Observation(first.header.started, self.session.evidence)
            self._journal.observe(self.game, [known])
        else:
            self._journal.append(self.game, entries)
        for entry in entries:
            if isinstance(entry.event, Turned):
                self._turn(entry.event, entry.at)
            if isinstance(entry.event, Ply):
                self._damage = None
        if self._dice is not None:
            self._dice.forget_revealed(entries)
        done = [*begun, *entries]
        for entry in entries:
            READ.info("%.3f %s", entry.at, entry.event)
        del self._unwritten[: len(done)]
        return done

    def _light(self, now: float) -> None:
        tapped = None if self._watch is None else self._watch.tapped(now)
        drawn = self._figures.squares(self.view, now)
        if tapped is not None:
            self.lights = lit({tapped: FIGURE_COLOUR}, self.lighting)
        elif drawn and not self.view.trouble:
            self.lights = lit(dict.fromkeys(drawn, FIGURE_COLOUR), self.lighting)
        else:
            meanings = {} if self.view.trouble else cues(self.view)
            self.lights = lights(meanings, self.lighting, now)
        self.board.show(self.lights)


def observation_in_words(observation: Observation) -> str:
    """Return each square that an observation tells of, with its presence in nats; ? for unseen."""
    return " ".join(
        f"{format_square(square)}:{'?' if evidence is None else f'{presence(evidence):+.1f}'}"
        for square, evidence in observation.squares.items()
    )


def _rank(guest: Guest) -> int:
    return guest.rank


class TableButtons:
    """The die button rolls, or presses the clock; the menu button says that the board is right.

    If nothing says that it is wrong, the menu button asks for a hint; a long press of it shuts the
    table down (`is_off`). A command that makes no sense just now is dropped.
    """

    def __init__(
        self, table: Table, clock: Clock, take_presses: Callable[[], list[ButtonPress]]
    ) -> None:
        self.is_off = False
        self._table, self._clock, self._take_presses = table, clock, take_presses

    def go_on(self) -> bool:
        """Carry out presses, and return True while the table goes on."""
        for press in self._take_presses():
            if press.button == "menu" and press.is_long:
                self.is_off = True
            elif not press.is_long:
                self._press(press.button)
        return not self.is_off

    def _press(self, button: Button) -> None:
        by_menu: tuple[Command, ...] = (asked.BoardIsRight(), asked.AskAdvice())
        for command in (self._by_die(),) if button == "die" else by_menu:
            with suppress(TableError):
                self._table.obey(command, self._clock.now())
                return

    def _by_die(self) -> asked.RollDie | asked.PressClock:
        """Return the die button's command: one to the clock, unless a roll is due."""
        record = self._table.record
        takes_press = record.clocks is not None and record.clocks.takes_press
        is_clock = record.terms.is_paused or takes_press
        return asked.PressClock() if is_clock and not is_roll_due(record) else asked.RollDie()
