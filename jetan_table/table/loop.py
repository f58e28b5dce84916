"""The pace of a table: what sensors saw goes in, what happened goes to disk, then it is shown."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import Protocol

from hardware.ports import Lamps, Observation, Sensor
from rules import format_square, parse_square

from ..board.orientation import AS_WIRED, Orientation, orientation_of
from ..errors import TableError
from ..game.commands import (
    AgreeDraw,
    AnswerQuestion,
    AsArbiter,
    AskAdvice,
    Command,
    CommandRefused,
    DecideFight,
    Help,
    New,
    NewGame,
    RollDie,
    TurnBoard,
)
from ..game.events import Begin, Entry, Turned
from ..game.refusals import No
from ..game.rolling import open_fight
from ..journal.archive import Archive, GameId
from ..journal.game_files import write_game
from ..journal.journal import Journal, JournalUnwritable
from ..journal.opening import NextGame
from ..lamps.cues import cues
from ..lamps.figures import Figures
from ..lamps.lighting import Lighting
from ..lamps.lights import lights, lit
from ..session.gesture_commands import wanted_by
from ..session.orientation_finder import OrientationFinder
from ..session.session import News, Session
from ..session.umpire import allows_help, check_command, check_help
from ..session.view import View
from ..words.announcer import Announcer
from .dice import Dice
from .guests import Adviser, Onlooker, Opponent, Parts
from .heartbeat import Heartbeat
from .pin import GuardedPin

CALM_S = 1.0
"""What sensors saw is written when nothing has been seen for so long: a disk takes its time, and
a blip in the middle of a ply must not be missed for it."""

RETRY_S = 1.0
"""A disk that refused is tried again after so long."""

REFUSED_S = 6.0
"""What a gesture asked for and cannot be done is said for so long."""

FIGURE_COLOUR = (150, 150, 150)
"""Figures are drawn in white, bright enough and within most supplies."""

MOST_WAITING = 1000
"""Observations kept while the disk refuses; beyond, the two oldest are told as one."""


class Clock(Protocol):
    """The table clock: seconds since 1970 that never jump and never run back."""

    def now(self) -> float:
        """Return the time."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        ...


class WallClock:
    """Starts at the system's time and runs on with its steady counter, `speed` times as fast."""

    def __init__(self, speed: float = 1.0) -> None:
        self._started, self._counted, self._speed = time.time(), time.monotonic(), speed

    def now(self) -> float:
        return self._started + (time.monotonic() - self._counted) * self._speed

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds / self._speed)


class EagerClock:
    """Passes time only where it is slept: for play as fast as the machine can."""

    def __init__(self) -> None:
        self._now = time.time()

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds


class Table:
    """One table's parts, joined. `view` and `record` may be shown: all of both is on the disk.

    While the disk refuses, `view.trouble` says so, nothing more is read or shown as played, and
    what the sensor sees waits.
    """

    def __init__(
        self,
        sensor: Sensor,
        lamps: Lamps,
        lighting: Lighting,
        journal: Journal,
        game: GameId,
        session: Session,
        parts: Parts | None = None,
        dice: Dice | None = None,
        heartbeat: Heartbeat | None = None,
        arbiter: GuardedPin | None = None,
        orientation: Orientation = AS_WIRED,
    ) -> None:
        """Go on with `session`, which plays the game of that number in the journal.

        `parts` are a real board's: what is wrong with them is shown. Without `dice` the table has
        no die of its own; `heartbeat` is told of every step. Without an `arbiter` nobody corrects a
        tournament game. `orientation` is how the board lies.
        """
        self.session = session
        self.game = game
        """Its number in the journal."""
        self.view: View = session.view
        """What may be shown of the table."""
        self.record = session.record
        """What is certain of the game, and on the disk."""
        self.lighting = replace(lighting, lamp_of=orientation.reordered(lighting.lamp_of))
        """How meanings become light, by the names that the squares have now."""
        self.orientation_finder = OrientationFinder(orientation)
        """Names the squares that sensors tell of, as the board lies."""
        self.opponent: Opponent | None = None
        """Who plays without hands, if anybody does."""
        self.adviser: Adviser | None = None
        """Whom people can ask what to play, if there is anybody."""
        self.announcer: Announcer | None = None
        """Who says aloud what is new."""
        self.onlooker: Onlooker | None = None
        """Who is told what is certain, if anybody learns from it."""
        self.next_game: NextGame | None = None
        """What hands begin that set the men up anew; None where they cannot."""
        self._sensor, self._lamps, self._journal = sensor, lamps, journal
        self._parts, self._dice = parts, dice
        self._heartbeat, self._arbiter = heartbeat, arbiter
        self._figures = Figures()
        self._waiting: deque[Observation] = deque()
        """What the sensor saw and the session has not taken in yet."""
        self._seen_at: float | None = None
        """When it last saw something that is not on the disk yet; None where all is."""
        self._unwritten: list[News] = []
        """What has happened and is not on the disk yet, oldest first."""
        self._retry_at = 0.0
        """Before this time a disk that has refused is not tried again."""
        self._is_text_due = True
        """Whether the game has changed since its text was written."""
        self._refusal: tuple[TableError, float] | None = None
        """Why a gesture could not be followed, and until when that is shown."""

    @property
    def archive(self) -> Archive:
        """The games kept so far."""
        return self._journal.archive

    @property
    def has_unread(self) -> bool:
        """Whether something that the sensor saw can be read at once, and is not yet."""
        return bool(self._waiting) and not self._unwritten

    def step(self, now: float) -> list[News]:
        """Look, read, write and light once; return what has happened and is on the disk."""
        for observation in self._sensor.poll(now):
            self._wait_in_line(observation)
            self._seen_at = now
        news = self._write(now)
        if not self._unwritten:
            self._read(now)
            news += self._write(now)
        if not self._unwritten:
            news += self._do_gesture(now)
        if self._parts is not None:
            trouble = self._parts.trouble or self.view.trouble
            self.view = replace(self.view, trouble=trouble, notes=self._parts.notes)
        if self._refusal is not None and now < self._refusal[1]:
            self.view = replace(self.view, refused=self._refusal[0])
        self._light(now)
        self._flush(now)
        if self.announcer is not None:
            self.announcer.attend(self.record, self.view)
        if self.onlooker is not None:
            self.onlooker.tell(self.view, self.orientation_finder.orientation)
        if self._heartbeat is not None:
            self._heartbeat.beat(now)
        return news

    def obey(self, command: Command | NewGame, now: float) -> list[News]:
        """Do what people say, and return what has happened by it.

        CommandRefused where it makes no sense, JournalUnwritable where it cannot be kept just now.
        """
        if self._unwritten:
            raise JournalUnwritable(self.view.trouble or "the disk refuses")
        if isinstance(command, AgreeDraw) and not self._is_draw_agreed():
            raise CommandRefused(No.DRAW_DECLINED)
        by_arbiter = isinstance(command, AsArbiter)
        if isinstance(command, AsArbiter):
            self._check_arbiter(command, now)
            command = command.command
        match command:
            case AnswerQuestion(square=name) if self.orientation_finder.answer(parse_square(name)):
                return []
            case AskAdvice() if self.adviser is not None:
                self._advise(self.adviser, command)
            case RollDie(shown=None) if self._dice is not None:
                self._unwritten += self._dice.roll(self.session, now)
            case DecideFight(told=None) if self._dice is not None and open_fight(self.record):
                self._unwritten += self._dice.roll(self.session, now)
            case New() if self.next_game is not None:
                self._begin(self.next_game(command, self.session.record, now), now, by_arbiter)
            case NewGame():
                self._begin(command, now, by_arbiter)
            case _:
                self._unwritten += self.session.obey(command, now, by_arbiter)
        return self._write(now)

    def read_anew(self, now: float) -> None:
        """Begin to read otherwise, and look at the whole board once more."""
        self._waiting.clear()
        self._unwritten += self.session.read_anew(now)
        self._write(now)

    def _begin(self, game: NewGame, now: float, by_arbiter: bool) -> None:
        """Leave the game for another; CommandRefused where its conduct forbids that."""
        if not by_arbiter:
            check_command(self.session.record, game)
        # The seed of the game that is left is revealed before another one begins.
        self._unwritten += self.session.leave(now) + self._follow_die(now)
        self._unwritten += self.session.obey(game, now, by_arbiter)

    def _check_arbiter(self, command: AsArbiter, now: float) -> None:
        """Raise CommandRefused where nobody is the arbiter, or whoever speaks is not."""
        if self._arbiter is None:
            raise CommandRefused(No.NO_ARBITER)
        if wait_s := self._arbiter.wait_s(now):
            raise CommandRefused(No.TOO_MANY_TRIES, wait_s=wait_s)
        if not self._arbiter.is_right(command.pin, now):
            raise CommandRefused(No.WRONG_ARBITER_PIN)

    def _advise(self, adviser: Adviser, command: AskAdvice) -> None:
        record = self.session.record
        check_help(record)
        if self.opponent is not None and self.opponent.side is record.position.side:
            raise CommandRefused(No.OPPONENTS_TURN)
        adviser.ask(record, None if command.wanted is None else Help[command.wanted.upper()])

    def _do_gesture(self, now: float) -> list[News]:
        """Do what hands have asked for by a gesture; what cannot be done is said for a while."""
        gesture = self.session.gestures.take_made()
        if gesture is not None:
            try:
                return self.obey(wanted_by(gesture, self.session.record, self.next_game, now), now)
            except (CommandRefused, JournalUnwritable) as error:
                self._refusal = error, now + REFUSED_S
        return []

    def _is_draw_agreed(self) -> bool:
        return self.opponent is None or self.opponent.agrees_to_draw(self.session.record.game)

    def _follow_die(self, now: float) -> list[News]:
        return [] if self._dice is None else self._dice.follow(self.session, now)

    def _wait_in_line(self, observation: Observation) -> None:
        if len(self._waiting) >= MOST_WAITING:
            first, second = self._waiting.popleft(), self._waiting.popleft()
            merged = {**first.squares, **second.squares}
            self._waiting.appendleft(Observation(second.at, merged))
        self._waiting.append(observation)

    def _read(self, now: float) -> None:
        """Hand the session what was seen, until something has happened that must be written."""
        while self._waiting and not self._unwritten:
            observation = self._waiting.popleft()
            observation = self.orientation_finder.take(observation)
            self._journal.observe(self.game, [observation])
            self.orientation_finder.watch(observation)
            self._unwritten += self.session.observe(observation)
        if not self._unwritten:
            self._unwritten += self.session.tick(now)
        found = self.orientation_finder.attend(self.session.record, self.session.view, now)
        if found is not None and not self._unwritten:
            self._unwritten += self.session.obey(TurnBoard(*map(format_square, found.ends)), now)
        if self.adviser is not None:
            self.adviser.attend(self.session.record)
        if self._dice is not None and not self._unwritten:
            self._unwritten += self._dice.attend(self.session, now)
        if self.opponent is not None and not self._unwritten:
            self._unwritten += self.opponent.attend(self.session, now)

    def _turn(self, turned: Turned, at: float) -> None:
        """Name squares otherwise from now on, and look at all of them once more."""
        orientation = orientation_of(turned, self.session.record.position.rules.topology)
        self._waiting.appendleft(self.orientation_finder.turn(orientation, at))
        lamp_of = orientation.reordered(self.lighting.lamp_of)
        self.lighting = replace(self.lighting, lamp_of=lamp_of)

    def _write(self, now: float) -> list[News]:
        """Write what has happened, and only then let it be seen."""
        news: list[News] = []
        if now < self._retry_at:
            return news
        try:
            self._unwritten += self._follow_die(now)
            while self._unwritten:
                news += self._write_next()
                self._is_text_due = True
            if self._is_text_due:
                write_game(self._journal.folder, self.game, self.session.record)
                self._is_text_due = False
        except JournalUnwritable as error:
            self._refused(error, now)
            return news
        self.view = self.orientation_finder.add_question(self.session.view)
        self.record = self.session.record
        if self.opponent is not None:
            self.view = self.opponent.add_wish(self.view)
        self.session.is_wished = self.view.wish is not None
        if not allows_help(self.record):
            self.view = replace(self.view, why=())
        if self.adviser is not None:
            self.view = self.adviser.add_advice(self.view)
        return news

    def _flush(self, now: float) -> None:
        """Write what sensors saw, once they are calm."""
        if self._seen_at is None or now < max(self._seen_at + CALM_S, self._retry_at):
            return
        try:
            self._journal.flush()
            self._seen_at = None
        except JournalUnwritable as error:
            self._refused(error, now)

    def _refused(self, error: JournalUnwritable, now: float) -> None:
        """Say that the disk refuses, and try again after a while."""
        self._retry_at = now + RETRY_S
        self.view = replace(self.view, trouble=str(error))

    def _write_next(self) -> list[News]:
        """Write all that happened up to the next new game, or that game as it begins."""
        first = self._unwritten[0]
        begun: list[News] = [first] if isinstance(first, Begin) else []
        entries: list[Entry] = []
        for news in self._unwritten[len(begun) :]:
            if not isinstance(news, Entry):
                break
            entries.append(news)
        if isinstance(first, Begin):
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
        if self._dice is not None:
            self._dice.forget_revealed(entries)
        done = [*begun, *entries]
        del self._unwritten[: len(done)]
        return done

    def _light(self, now: float) -> None:
        light = self.lighting
        drawn = self._figures.squares(self.view, now)
        if drawn and not self.view.trouble:
            colours = dict.fromkeys(drawn, FIGURE_COLOUR)
            self._lamps.show(lit(colours, light.lamp_of, light.dimming))
            return
        meanings = {} if self.view.trouble else cues(self.view)
        self._lamps.show(lights(meanings, light.palette, now, light.lamp_of, light.dimming))
