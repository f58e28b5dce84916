"""A table's own link to its hall: a guest tells what is certain, and brings in what the hall says.

The table's thread only leaves the newest moment behind, and takes up what the hall has said since;
writing, sending and waiting for the broker are the affair of other threads. So a broker that is
slow, dead or hostile changes nothing at the table. Home Assistant is told, too (`home.py`).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Condition, Event, Thread
from typing import Final

import msgspec

from rules import (
    Notice,
    Position,
    RulesError,
    Worded,
    _,
    format_position,
    format_rules,
    format_square,
)
from rules.text import result_word

from ... import __version__
from ...errors import TableError
from ...game.agreements import format_time_control, named_rules
from ...game.commands import Command, CommandRefused, New
from ...game.events import SIDE_NAMES, Result
from ...game.texts import game_text
from ...languages import LANGUAGES, without_folders, worded_in
from ...light.words import question_in_words
from ...session.session import Certain, Guest, News, Session
from ...session.view import View
from ...settings import Settings
from ...table.dice import Seeds
from ...wiring import Seating
from .broker import BadBroker, BrokerLink, check_name, parse_broker
from .far import FarDoor, FarPlayer
from .far_match import FarState, accepted, read_state, side_of_match
from .home import BUTTONS, SmartHome, discovery, happened, home_state, refusal
from .options import FarOptions
from .payloads import (
    EVENT,
    GAME,
    HEALTH,
    MOST_TEXT,
    ONLINE,
    PRESS,
    SEAT,
    WORD,
    ArbiterWord,
    AskedHere,
    BadWord,
    Health,
    MatchSide,
    OfferedSeat,
    SaidClock,
    SaidGame,
    decode,
    encode,
    hall_topic,
    match_topic,
    table_topic,
    text_hash,
)
from .settings import HallSettings

MOST_WORDS: Final = 16
"""The number of arbiter's words that may wait; beyond it the oldest are dropped."""

MOST_DONE: Final = 64
"""The arbiter's latest words are remembered, so that none is done twice."""

MOST_PRESSED: Final = 4
"""The number of a house's presses that may wait."""

FAR_AGAIN_S: Final = 5.0
"""Seconds after which both tables of a match repeat their words."""

INVITED_WITHIN_S: Final = 3.0
"""Seconds to wait for an invitation to a match."""


class Teller(Guest):
    """Tells one table's hall. What its link hears goes to `take_in`."""

    def __init__(self, table: str, board: str, since: float, home: SmartHome | None = None) -> None:
        """`board` is the kind of board, `since` the start of this program.

        `home` is the house with Home Assistant that is told; None where there is none.
        """
        self.link: BrokerLink | None = None
        self.obey: Callable[[Command, float], object] | None = None
        """Carries out what a house's buttons ask; None before there is a table."""
        self.table, self._board, self._since, self._home = table, board, since, home
        self._newest: Certain | None = None
        self._published: tuple[object, ...] | None = None
        """The part of the last view that was published: nothing is until it changes."""
        self._is_closed = False
        self._changed = Condition()
        self._words: deque[ArbiterWord] = deque(maxlen=MOST_WORDS)
        self._done: deque[str] = deque(maxlen=MOST_DONE)
        self._pressed: deque[Command] = deque(maxlen=MOST_PRESSED)
        self._rev = 0
        self._seat: OfferedSeat | None = None
        self._taken: OfferedSeat | None = None
        self._refusal: Worded | None = None
        self._writer = Thread(target=self._write, name="teller", daemon=True)

    def start(self, link: BrokerLink) -> Teller:
        """Tell by this link from now on."""
        self.link = link
        link.say(table_topic(self.table, ONLINE), b"1")
        if self._home is not None:
            link.say(*discovery(self.table, self._home))
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
        """Leave what is certain to the other thread, where any of it is new.

        The house's buttons are heeded here, after all that this step has written.
        """
        while self._pressed and self.obey is not None:
            try:
                self.obey(self._pressed.popleft(), certain.at)
            except (TableError, RulesError) as error:
                if self.link is not None and self._home is not None:
                    event = table_topic(self.table, EVENT)
                    self.link.signal(event, refusal(error, self._home.language))
        view, header = certain.view, certain.record.header
        self._rev, seat = certain.rev, self._seat
        names = None if seat is None else (seat.black[:40], seat.orange[:40])
        if names == (header.black, header.orange) and certain.record.ending is None:
            self._taken = seat
        of_table = (certain.record, certain.rev, certain.brightness, view.phase)
        shown = (*of_table, view.question, view.corner, view.trouble, view.record.faults)
        if self._published is not None and all(map(_is_same, shown, self._published)):
            return
        self._published = shown
        with self._changed:
            self._newest = certain
            self._changed.notify()

    def attend(self, session: Session, now: float) -> list[News]:
        """Carry out the arbiter's words; those that make no sense any more are shown."""
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
        return replace(view, guest_notes=(*view.guest_notes, *notes)) if notes else view

    # What the hall says, on the link's thread

    def take_in(self, topic: str, content: bytes) -> None:
        """Take in what the hall says; what is none of its words changes nothing."""
        with suppress(BadWord):
            if topic == hall_topic(self.table, SEAT):
                seat = decode(content, OfferedSeat)
                self._seat = seat if seat.black and seat.orange else None
            elif topic == table_topic(self.table, PRESS):
                self._pressed.extend(filter(None, [BUTTONS.get(content.decode(errors="replace"))]))
            elif topic == hall_topic(self.table, WORD):
                word = decode(content, ArbiterWord)
                if word.id not in self._done:
                    self._done.append(word.id)
                    self._words.append(word)

    # On a thread of its own

    def _write(self) -> None:
        game: SaidGame | None = None
        before: Certain | None = None
        while True:
            with self._changed:
                while self._newest is None and not self._is_closed:
                    self._changed.wait()
                certain, self._newest = self._newest, None
                if self._is_closed or certain is None:
                    return
            assert self.link is not None
            is_same = before is not None and certain.record is before.record
            game = said_game(certain, game if is_same else None)
            self.link.say(table_topic(self.table, GAME), encode(game))
            self.link.say(table_topic(self.table, HEALTH), encode(self._health(certain)))
            if self._home is not None:
                self.link.say(*home_state(self.table, certain, self._home.language))
                for event in happened(before, certain, self._home.language) if before else ():
                    self.link.signal(table_topic(self.table, EVENT), event)
            before = certain

    def _health(self, certain: Certain) -> Health:
        failed = {format_square(at): kind.value for at, kind in certain.record.faults.items()}
        trouble = certain.view.trouble
        return Health(
            board=self._board,
            version=__version__,
            since=self._since,
            failed=failed,
            trouble=None if trouble is None else str(without_folders(trouble.found))[:MOST_TEXT],
            brightness=certain.brightness,
        )


def _is_same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, int | float | Notice) and one == other)


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
        result=msgspec.convert(result_word(record.game.outcome), Result),
    )


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
    if view.question is None:
        return None
    is_past = not view.answer_squares
    asked = question_in_words(view.question, is_past=is_past)
    words = {each: worded_in(each, asked) for each in LANGUAGES}
    return AskedHere(list(view.question.candidates), words)


# What a table brings along, by its settings


@contextmanager
def telling(settings: Settings, since: float, steady: Callable[[], float]) -> Iterator[Teller]:
    """Give a table's teller while the block runs.

    `since` is when the program began, in seconds since 1970; `steady` tells the time for retries.
    MissingPackage without the client; BadBroker, or OSError, where the settings lead to no broker.
    """
    hall = settings.of(HallSettings)
    table = check_name(hall.table)
    user = hall.user or (table if hall.password else "")
    broker = parse_broker(hall.broker).as_user(user, hall.password, hall.certificate)
    home = SmartHome(settings.table.language, hall.home_buttons) if hall.home_assistant else None
    teller = Teller(table, settings.table.board, since, home)
    reads = [hall_topic(table, what) for what in (SEAT, WORD)]
    if home is not None and home.has_buttons:
        reads.append(table_topic(table, PRESS))
    will = table_topic(table, ONLINE), b"0"
    link = BrokerLink(broker, f"jetan-{table}", reads, teller.take_in, will)
    with closing(teller), closing(link.start(steady)):
        yield teller.start(link)


def far_player(
    teller: Teller, code: str, folder: Path, invitation: MatchSide, steady: Callable[[], float]
) -> FarPlayer:
    """Return the far player of a match: resume it, accept it, or else invite by `invitation`.

    It waits a moment for the broker's messages about the match. BadBroker without a connection.
    """
    link, path = teller.link, folder / "far" / f"{code}.json"
    assert link is not None
    heard: dict[str, bytes] = {}
    link.again_s = FAR_AGAIN_S
    state, reads = read_state(path), [match_topic(code, "+")]
    if state is None:
        link.read_too(reads, heard.__setitem__)
        state = FarState(_side_for(link, code, teller.table, heard, invitation, steady))
    seeds = Seeds(folder / "seeds", os.urandom)
    far = FarPlayer(code, teller.table, state, path, seeds)
    link.read_too(reads, far.take_in)
    return far.start(link)


def _side_for(
    link: BrokerLink,
    code: str,
    table: str,
    heard: Mapping[str, bytes],
    invitation: MatchSide,
    steady: Callable[[], float],
) -> MatchSide:
    """Return this table's side: the other one of who invites, or the one that invites."""
    ends, pause = steady() + INVITED_WITHIN_S, Event()
    own = match_topic(code, table)
    while steady() < ends:
        for topic, content in dict(heard).items():
            if topic.startswith(match_topic(code, "")) and topic != own:
                inviter = topic.rpartition("/")[2]
                return accepted(decode(content, MatchSide), inviter, invitation.name)
        pause.wait(0.05)
    if not link.is_up:
        raise BadBroker(_("no connection to the broker: {why}"), why=link.trouble or "?")
    return invitation


@contextmanager
def told(
    seating: Seating, since: float, steady: Callable[[], float], make_code: Callable[[], str]
) -> Iterator[tuple[Teller, FarDoor]]:
    """Give what tells a table's hall, and where far players come in, while the block runs.

    `since` and `steady` are those of `telling`; `make_code` makes up the code of a new match.
    """
    settings, folder = seating.settings, seating.folder
    with telling(settings, since, steady) as teller:

        def obey(command: Command, now: float) -> object:
            return seating.table and seating.table.obey(command, now)

        teller.obey = obey

        def join(code: str, proposed: MatchSide) -> FarPlayer:
            return far_player(teller, code, folder, proposed, steady)

        far = seating.extra_options.get(FarOptions)
        player = None
        if far is not None and far.match is not None:
            start, code = Position.start(named_rules(settings.table.rules)), far.code(make_code())
            player = join(code, proposed_side(settings, far, start))
        door = FarDoor(settings.of(HallSettings).table, join, make_code, player)
        if player is not None:
            tell = _("Match {code}: tell it to the far table.")
            print(seating.speaker.say(tell, code=player.match), flush=True)
        yield teller, door


def proposed_side(settings: Settings, far: FarOptions, start: Position) -> MatchSide:
    """Return this table's side of a match that it invites to, on the terms of its settings."""
    texts = format_rules(start.rules), format_position(start), settings.table.clock
    return side_of_match(settings.of(HallSettings).table, far.far_side, *texts)
