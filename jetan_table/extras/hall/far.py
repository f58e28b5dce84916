"""A far table at this one: the guest that carries out what the rules of a match say, and its door.

What is to be done is found in `far_match`; here are the link, the disk and the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

import msgspec
from msgspec.structs import replace as changed

from rules import Move, Position, Side, Worded, _, format_position

from ...errors import TableError
from ...files import write_whole
from ...game.agreements import Times, format_time_control
from ...game.commands import Command, CommandRefused, DeclineDraw, NewGame, PauseGame, TakeBackLast
from ...game.events import SIDE_NAMES, DieRoll, DieSeed, DuelReport, Ending, SideName
from ...game.record import Record
from ...session.session import Certain, Guest, News, Session
from ...session.view import View
from ...table.dice import Seeds
from .broker import BrokerLink
from .far_match import (
    FarState,
    Step,
    answer,
    are_alike,
    certain,
    is_awaited,
    is_own,
    is_throwing,
    needs_die,
    next_step,
    notes_of,
    side_of_match,
    start_of,
    word_of,
)
from .payloads import AskedBack, BadWord, DieShare, MatchSide, decode, encode, match_topic


@dataclass(frozen=True, slots=True)
class FarMatch:
    """A match against a far table: this one's side, and whether that one asks to take back."""

    own_side: SideName
    asks_back: bool


class FarPlayer(Guest):
    """The far side at this table. What its link hears goes to `take_in`."""

    def __init__(self, match: str, table: str, state: FarState, path: Path, seeds: Seeds) -> None:
        """`state` is kept in the file `path`, and was read from it where the match goes on.

        Where the game has dice, this side's seed is one of `seeds`.
        """
        self.link: BrokerLink | None = None
        self.match, self._table, self._state, self._path = match, table, state, path
        self._seeds, die = seeds, state.side.die
        self._seed = None if die is None else seeds.find(die.commit)
        self._heard: MatchSide | None = None
        """The far table's last word since the last step; set by the link's thread."""
        self._partner = ""
        """The table that has accepted the match; set by the link's thread."""
        self._wish: tuple[Position, Move] | None = None
        """The move that hands are to carry out, and its position."""
        self._contradiction: Worded | None = None
        self._refusal: Worded | None = None
        self._seen: tuple[FarState, Record] | None = None
        """The state and record that needed nothing at the last step."""
        self._is_offer_known = False
        """True once the far side's offer of a draw has been made here."""
        self._is_other_game = False
        self._offered_at: Record | None = None
        """The game as the disk had it last, where the far side offered a draw in it."""

    @property
    def own_side(self) -> Side:
        """The side that is played at this table."""
        return self._state.own_side

    @property
    def shown(self) -> FarMatch | None:
        """The match as a page shows it; None if its game is not on this board."""
        if not self.is_playing:
            return None
        asks_back = self._state.far_back is not None and self._state.back is None
        return FarMatch(SIDE_NAMES[self.own_side], asks_back)

    @property
    def is_playing(self) -> bool:
        """True while its game is on this board and goes on."""
        state = self._state
        return state.started is not None and not self._is_other_game and state.side.result == "*"

    def start(self, link: BrokerLink) -> FarPlayer:
        """Say this side by this link from now on; JournalUnwritable where it cannot be kept."""
        self.link, side = link, self._state.side
        if side.die is None and needs_die(start_of(side)):
            die = DieShare(self._seeds.draw())
            self._seed = self._seeds.find(die.commit)
            self._keep(changed(self._state, side=changed(side, die=die)))
        self._tell()
        return self

    # What the far table says, on the link's thread

    def take_in(self, topic: str, content: bytes) -> None:
        """Take in what the far table says."""
        own = match_topic(self.match, self._table)
        if topic == own or not topic.startswith(own[: -len(self._table)]):
            return
        # The broker lets each table write only its own topic, so the topic names the speaker. Until
        # a partner is known, the first who accepts the invitation is it.
        table, known = topic.rpartition("/")[2], self._state.side.other
        try:
            side = decode(content, MatchSide)
        except BadWord as error:
            if table == known:
                self._refuse(error)
            return
        is_ours = side.other in ("", self._table) and side.side != self._state.side.side
        newest = self._heard or self._state.far
        # Words come twice, late, or in another order over a bad line; an older one has been
        # overtaken.
        is_new = newest is None or side.rev > newest.rev
        if is_ours and known in ("", table) and is_new and (side.other or known):
            if not known:
                side = changed(side, other=self._table)
                self._partner = table
            # This is the link's thread. It only leaves the word here; the table's own thread takes
            # it up at its next step, so the state has one writer.
            self._heard, self._refusal = side, None

    def _refuse(self, why: BadWord) -> None:
        """Say, until the far table says something else, what of its word is not taken in."""
        self._refusal = Worded(_("the far table says what cannot be ({why})"), why=why)

    # What the table asks of its guests

    def attend(self, session: Session, now: float) -> list[News]:
        """Bring the two boards together by one step, where they differ."""
        self._listen()
        far = self._state.far
        if far is None or far.other != self._table:
            return []
        record, started = session.record, self._state.started
        # People may begin another game meanwhile. The match then waits untouched until its game is
        # on the board again.
        self._is_other_game = started is not None and record.header.started != started
        if self._is_other_game:
            return []
        if started is not None:
            # While dice are due no hand may move: a ply read now would belong to a position that
            # the roll may change.
            if news := session.hold(is_throwing(self._state, record), now):
                return news
            if is_awaited(self._state, record):
                session.wait_for(True)
        # Both are immutable and replaced at each change, so identity is enough: most steps of the
        # table end here.
        if self._seen is not None and self._seen[0] is self._state and self._seen[1] is record:
            return []
        return self._take_step(session, now)

    def _listen(self) -> None:
        """Keep what the far table has said since, and answer one that accepts."""
        if self._heard is None or self._heard is self._state.far:
            return
        side, is_accepted = self._state.side, not self._state.side.other
        if is_accepted:
            side = changed(side, other=self._partner, rev=side.rev + 1)
        self._keep(changed(self._state, far=self._heard, side=side))
        if is_accepted:
            self._tell()

    def _take_step(self, session: Session, now: float) -> list[News]:
        """Do what is due now, and before that say what is to be said."""
        record = session.record

        def due() -> Step | None:
            return next_step(self._state, record, now, self._seed, self._is_offer_known)

        while isinstance(step := due(), MatchSide | FarState):
            self._carry_out(step, session, now)
        # The wish stays as it is while the reader has a question open: hands that carry the wish
        # out are what it asks about.
        if self._state.started is not None and record.question is None:
            self._wish = (record.position, step) if isinstance(step, Move) else None
            if are_alike(self._state, record) and (far := self._state.far) is not None:
                self._is_offer_known = far.offers
                if far.result == "*":
                    self._contradiction = None  # people have taken back what the boards differed in
        news = self._carry_out(step, session, now)
        if not news:
            self._seen = self._state, record
        return news

    def _carry_out(self, step: Step | None, session: Session, now: float) -> list[News]:
        """Return what has happened by one step."""
        match step:
            case FarState():
                self._keep(step)
            case MatchSide():
                self._say(step)
            case BadWord():
                self._refuse(step)
            case Worded():
                return self._contradict(step, session, now)
            case NewGame():
                # Kept before the game begins: after a power cut between the two the table would
                # otherwise begin a second game for the same match.
                self._keep(changed(self._state, started=step.header.started))
                return session.leave(now) + session.obey(step, now)
            case AskedBack():
                return self._take_back(step.to, session, now)
            case DieRoll() | DuelReport() | DieSeed():
                return session.tell_dice(step, now)
            case Ending():
                return session.end_elsewhere(step, now)
            case Times():
                return session.show_clocks(step, now)
            case Command():
                if isinstance(step, DeclineDraw) and self._state.far is not None:
                    self._keep(changed(self._state, declined=self._state.far.declined))
                return session.obey(step, now)
        return []

    def _take_back(self, to: int, session: Session, now: float) -> list[News]:
        """Take back plies until `to` are left, in one go: nothing is published in between."""
        news, first = list[News](), session.record.game.start.ply_number
        while session.record.last_played >= first + to:
            news += session.obey(TakeBackLast(), now)
        return news

    def _contradict(self, why: Worded, session: Session, now: float) -> list[News]:
        """Say that the boards contradict each other, and stop the clocks."""
        if self._contradiction is not None:
            return []
        self._contradiction, record = why, session.record
        is_on = self._state.started is not None and record.ending is None
        is_timed = record.clocks is not None and not record.terms.is_paused
        return session.obey(PauseGame(), now) if is_on and is_timed else []

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Let people say what is theirs to say at this table, and nothing for the far side."""
        if self._state.started is None or self._is_other_game:
            return None
        step = answer(self._state, session.record, command)
        return None if step is None else self._carry_out(step, session, now)

    def overlay(self, view: View) -> View:
        """Show the far ply as a wish, and what is wrong with the line."""
        notes: list[str] = []
        if self._contradiction is not None:
            notes.append(self._contradiction)
        elif self._is_other_game:
            notes.append(
                Worded(_("match {match}: another game is on this board"), match=self.match)
            )
        elif self._state.far is None:
            notes.append(Worded(_("match {match}: waiting for the far table"), match=self.match))
        elif self.link is not None and not self.link.is_up and not view.record.ending:
            notes.append(Worded(_("no connection to the far table: the game waits")))
        if self._refusal is not None:
            notes.append(self._refusal)
        if not view.record.ending and not self._is_other_game:
            notes += notes_of(self._state, view.record)
        position, move = self._wish or (None, None)
        if position is view.position and not view.record.ending:
            view = replace(view, help=replace(view.help, wish=move))
        return replace(view, guest_notes=(*view.guest_notes, *notes)) if notes else view

    def follow(self, certain_now: Certain) -> None:
        """Say how the game stands here, once the disk has it."""
        state, record = self._state, certain_now.record
        if state.started is None or record.header.started != state.started:
            return
        # This is called with what the disk has. A ply is sent to the far table only after that, so
        # no far board ever shows a ply that this one could lose.
        word = word_of(state, record, self._offered_at)
        self._offered_at = record if record.offer is self.own_side.other else None
        if word != state.side:
            plies = enumerate(certain(record))
            own = {(at, ply) for at, ply in plies if is_own(state, record, at)}
            self._say(word, own)

    def _keep(self, state: FarState) -> None:
        self._state = state
        write_whole(self._path, msgspec.json.encode(state))

    def _say(self, word: MatchSide, own: Iterable[tuple[int, str]] = ()) -> None:
        """Say this word from now on, once the disk has it; `own` are plies that it holds."""
        state = self._state
        side = changed(word, rev=word.rev + 1)
        # The word is on the disk before it is sent, for the same reason: `rev` must never be used
        # for two different words.
        self._keep(changed(state, side=side, own=state.own.union(own)))
        self._tell()

    def _tell(self) -> None:
        if self.link is not None:
            own = match_topic(self.match, self._table)
            self.link.say(own, encode(self._state.side))


class FarDoor(Guest):
    """A guest that is nobody until a match begins, and then the far player of it."""

    def __init__(
        self,
        name: str,
        join: Callable[[str, MatchSide], FarPlayer],
        make_code: Callable[[], str],
        player: FarPlayer | None = None,
    ) -> None:
        """`name` is the player here; `join` makes a far player, and may wait for the broker.

        It gets the match's code, and the terms to propose if nobody has proposed any. A `player` is
        here already.
        """
        self._name, self._join, self._make_code, self._player = name, join, make_code, player
        self._coming: Thread | None = None
        self._refusal: Worded | None = None

    def open(self, code: str | None, side: SideName, record: Record) -> str:
        """Accept the match of that code, or invite to one on a game's terms; return its code.

        CommandRefused while a match is being played; BadBroker if there can be none on these terms.
        """
        if self._player is not None and self._player.is_playing:
            raise CommandRefused(_("a match against a far table is being played here"))
        if self._coming is not None and self._coming.is_alive():
            raise CommandRefused(_("the far table is being called"))
        start = Position.start(record.game.start.rules)
        clock = format_time_control(None if record.clocks is None else record.clocks.control)
        proposed = side_of_match(self._name, side, record.rules_text, format_position(start), clock)
        code = self._make_code() if code is None else code.upper()
        self._player, self._refusal = None, None
        self._coming = Thread(target=self._call, args=(code, proposed), daemon=True)
        self._coming.start()
        return code

    @property
    def match(self) -> FarMatch | None:
        """The match that is played on this board, or None."""
        return None if self._player is None else self._player.shown

    def _call(self, code: str, proposed: MatchSide) -> None:
        """Seat the far player; on a thread of its own, for the broker may let it wait."""
        try:
            self._player = self._join(code, proposed)
        except TableError as error:
            self._refusal = Worded(_("match {match}: {why}"), match=code, why=error)

    # What the table asks of its guests

    def attend(self, session: Session, now: float) -> list[News]:
        """Let the far player do what is to be done."""
        return [] if self._player is None else self._player.attend(session, now)

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Let the far player do what people say, or be against it."""
        return None if self._player is None else self._player.hear(command, session, now)

    def overlay(self, view: View) -> View:
        """Show the far player's part, or why there is none."""
        if self._refusal is not None:
            view = replace(view, guest_notes=(*view.guest_notes, self._refusal))
        return view if self._player is None else self._player.overlay(view)

    def follow(self, certain: Certain) -> None:
        """Let the far player say how the game stands."""
        if self._player is not None:
            self._player.follow(certain)
