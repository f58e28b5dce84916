"""A table's guest that tells a hall what is certain, and brings in what the hall says.

The table's thread only leaves the newest moment behind, and takes up what the hall has said since;
writing, sending and waiting for the broker are the affair of other threads. So a broker that is
slow, dead or hostile changes nothing at the table.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import replace
from threading import Condition, Thread
from typing import Final

import msgspec

from rules import RulesError, format_square
from rules.sentences import Worded, _
from rules.text import result_word

from ...errors import TableError
from ...game.agreements import format_time_control
from ...game.commands import CommandRefused, New
from ...game.events import SIDE_NAMES, Result
from ...game.record import Record
from ...journal.game_files import game_text
from ...languages import LANGUAGES, without_folders
from ...light.words import speaker
from ...session.guests import Certain, Guest
from ...session.session import News, Session
from ...session.view import View
from .broker import BrokerLink
from .home_assistant import Bridge
from .payloads import (
    GAME,
    HEALTH,
    MOST_TEXT,
    ONLINE,
    SEAT,
    WORD,
    ArbiterWord,
    AskedHere,
    BadWord,
    Health,
    OfferedSeat,
    SaidClock,
    SaidGame,
    decode,
    encode,
    hall_topic,
    table_topic,
    text_hash,
)

MOST_WORDS: Final = 16
"""So many words of the arbiter wait for the table; beyond, the oldest are forgotten."""

MOST_DONE: Final = 64
"""The arbiter's latest words are remembered, so that none is done twice."""


class Teller(Guest):
    """Tells one table's hall. What its link hears goes to `take_in`."""

    def __init__(
        self, table: str, board: str, version: str, since: float, bridge: Bridge | None = None
    ) -> None:
        """`board` is the kind of board, `since` when this program began.

        A `bridge` tells Home Assistant, too.
        """
        self.link: BrokerLink | None = None
        self.table, self._board, self._version, self._since = table, board, version, since
        self._bridge = bridge
        self._newest: Certain | None = None
        self._published: tuple[object, ...] | None = None
        """What of the last moment was handed on: while it is the same, nothing is."""
        self._is_closed = False
        self._changed = Condition()
        self._words: deque[ArbiterWord] = deque(maxlen=MOST_WORDS)
        self._done: deque[str] = deque(maxlen=MOST_DONE)
        self._rev = 0
        self._seat: OfferedSeat | None = None
        self._taken: OfferedSeat | None = None
        """The offer that people have taken."""
        self._refusal: Worded | None = None
        self._writer = Thread(target=self._write, name="teller", daemon=True)

    def start(self, link: BrokerLink) -> Teller:
        """Tell by this link from now on."""
        self.link = link
        link.say(table_topic(self.table, ONLINE), b"1")
        if self._bridge is not None:
            link.say(*self._bridge.discovery())
        self._writer.start()
        return self

    def close(self) -> None:
        """Tell nothing more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        if self._writer.is_alive():
            self._writer.join()

    # What the table asks of its guests

    def follow(self, certain: Certain) -> None:
        """Leave what is certain to the other thread, where any of it is new."""
        view, header = certain.view, certain.record.header
        self._rev, seat = certain.rev, self._seat
        names = None if seat is None else (seat.black[:40], seat.orange[:40])
        if names == (header.black, header.orange) and certain.record.ending is None:
            self._taken = seat
        of_table = (certain.record, certain.rev, certain.brightness)
        shown = (*of_table, view.question, view.trouble, view.record.faults)
        if self._published is not None and all(map(_is_same, shown, self._published)):
            return
        self._published = shown
        with self._changed:
            self._newest = certain
            self._changed.notify()

    def attend(self, session: Session, now: float) -> list[News]:
        """Do what the arbiter has said; what makes no sense by now is said on the board."""
        if not self._words:
            return []
        word = self._words.popleft()
        try:
            if word.for_rev != self._rev:
                raise CommandRefused(_("the game has gone on since"))
            news = session.obey(word.command, now, by_arbiter=True)
        except (TableError, RulesError) as error:
            self._refusal = Worded(_("the arbiter's order was not carried out: {why}"), why=error)
            return []
        self._refusal = None
        return news

    def offers(self) -> New | None:
        """Return the game for which the hall has offered seats, until it is played."""
        seat = self._seat
        if seat is None or seat == self._taken:
            return None
        return New(
            rules=seat.rules,
            black=seat.black[:40],
            orange=seat.orange[:40],
            clock=seat.clock,
            conduct=seat.conduct,
        )

    def overlay(self, view: View) -> View:
        """Say who is offered a seat here, and why a word of the arbiter was not done."""
        notes: list[str] = []
        if (seat := self._seat) is not None and seat != self._taken:
            offer = _("the hall asks {black} (Black) and {orange} (Orange) to play here: set up")
            notes.append(Worded(offer, black=seat.black, orange=seat.orange))
        if self._refusal is not None:
            notes.append(self._refusal)
        if self.link is not None and self.link.is_refused:
            notes.append(Worded(_("the hall's broker does not let this table in")))
        return replace(view, notes=(*view.notes, *notes)) if notes else view

    # What the hall says, on the link's thread

    def take_in(self, topic: str, content: bytes) -> None:
        """Take in what the hall says; what is none of its words changes nothing."""
        with suppress(BadWord):
            if topic == hall_topic(self.table, SEAT):
                seat = decode(content, OfferedSeat)
                self._seat = seat if seat.black and seat.orange else None
            elif topic == hall_topic(self.table, WORD):
                word = decode(content, ArbiterWord)
                if word.id not in self._done:
                    self._done.append(word.id)
                    self._words.append(word)

    # On a thread of its own

    def _write(self) -> None:
        game: SaidGame | None = None
        record: Record | None = None
        while True:
            with self._changed:
                while self._newest is None and not self._is_closed:
                    self._changed.wait()
                certain, self._newest = self._newest, None
                if self._is_closed or certain is None:
                    return
            assert self.link is not None
            game = said_game(certain, game if certain.record is record else None)
            record = certain.record
            self.link.say(table_topic(self.table, GAME), encode(game))
            health = self._health(certain)
            self.link.say(table_topic(self.table, HEALTH), encode(health))
            if self._bridge is not None:
                self.link.say(*self._bridge.state(certain, health))

    def _health(self, certain: Certain) -> Health:
        failed = {format_square(at): kind.value for at, kind in certain.record.faults.items()}
        trouble = certain.view.trouble
        return Health(
            board=self._board,
            version=self._version,
            since=self._since,
            failed=failed,
            trouble=None if trouble is None else str(without_folders(trouble))[:MOST_TEXT],
            brightness=certain.brightness,
        )


def _is_same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, int | float | str) and one == other)


def said_game(certain: Certain, before: SaidGame | None = None) -> SaidGame:
    """Return what a table says of its game; the text is that of `before`, where that is given."""
    record, view = certain.record, certain.view
    jgn = game_text(record) if before is None else before.jgn
    return SaidGame(
        game=certain.game,
        rev=certain.rev,
        plies=len(record.game.plies),
        hash=text_hash(jgn) if before is None else before.hash,
        jgn=jgn,
        clock=_clock(view),
        asks=_asked(view),
        result=result_of(record),
    )


def result_of(record: Record) -> Result:
    """Return how a game has ended, as its text says it."""
    result: Result = msgspec.convert(result_word(record.game.outcome), Result)
    return result


def _clock(view: View) -> SaidClock | None:
    clocks = view.record.clocks
    if clocks is None:
        return None
    running = clocks.running if clocks.is_running else None
    return SaidClock(
        control=format_time_control(clocks.control),
        black_s=round(clocks.left.black, 3),
        orange_s=round(clocks.left.orange, 3),
        at=round(clocks.at, 3),
        running=None if running is None else SIDE_NAMES[running],
    )


def _asked(view: View) -> AskedHere | None:
    if view.question is None or view.question.corner:
        return None
    is_past = not view.asked
    words = {each: speaker(each).question(view.question, is_past=is_past) for each in LANGUAGES}
    return AskedHere(list(view.question.candidates), words)
