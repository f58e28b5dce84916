"""Two boards far apart: a guest that brings one table the plies of the other, and its door.

Each table is the authority on the plies of its own side, and says the game as it stands on its own
board. From both words each finds out for itself what is to be done: carry out the far ply, take
back what hands played otherwise, or wait. A ply that was answered stays, on both boards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Literal

import msgspec
from msgspec.structs import replace as changed

from rules import Move, Position, RulesError, Side, Termination, format_position, parse_move
from rules.sentences import Worded, _
from rules.text import result_word

from ...errors import TableError
from ...files import write_whole
from ...game.agreements import format_time_control
from ...game.commands import (
    AcceptDraw,
    AgreeDraw,
    BoardIsRight,
    Command,
    CommandRefused,
    Correct,
    DeclineDraw,
    DiceCommand,
    EndingCommand,
    New,
    NewGame,
    OfferDraw,
    PauseGame,
    PressClock,
    Resign,
    SetClock,
    SetClockTimes,
    TakeBackLast,
)
from ...game.events import SIDE_NAMES, Ending, Header, Result, SideName
from ...game.record import Record
from ...game.terms import agreed
from ...session.session import Certain, Guest, News, Session
from ...session.view import View
from ...table.dice import Seeds
from .broker import BrokerLink
from .far_match import (
    BY_PEOPLE,
    SIDE_OF,
    FarMatch,
    FarState,
    end_by_words,
    find_bent,
    is_due,
    is_end_agreed,
    is_far_clock,
    is_unpressed,
    match_text,
    measured_there,
    needs_die,
    opened,
    sealed,
    shown,
    side_of_match,
    start_of,
    thrown_together,
)
from .payloads import (
    AskedBack,
    BadWord,
    DieShare,
    MatchSide,
    decode,
    encode,
    match_topic,
    text_hash,
)

NOTHING_BACK = 2**53
"""Said of a take-back that is refused: more plies than any game has."""


class FarPlayer(Guest):
    """The far side at this table. What its link hears goes to `take_in`."""

    def __init__(self, match: str, table: str, state: FarState, path: Path, seeds: Seeds) -> None:
        """`state` is kept in the file `path`, and was read from it where the match goes on.

        Where the game has dice, this side's seed is one of `seeds`.
        """
        self.link: BrokerLink | None = None
        self.match, self._table, self._state, self._path = match, table, state, path
        self._heard: MatchSide | None = None
        """What the far table has said since it was looked at; set by the link's thread."""
        self._wish: tuple[Position, Move] | None = None
        """What hands are to carry out, and in which position."""
        self._contradiction: Worded | None = None
        self._refusal: Worded | None = None
        self._seen: tuple[Record, MatchSide | None] | None = None
        """What was looked at last, and needed nothing."""
        self._partner = ""
        """Who has accepted, as the link's thread has heard."""
        self._was_offered = False
        self._seeds, self._is_throwing = seeds, False
        self._is_other_game = False
        self._offered_at: Record | None = None
        """The game as the disk had it last, where the far side offered a draw in it."""

    @property
    def own_side(self) -> Side:
        """Whose plies are told here."""
        return SIDE_OF[self._state.side.side]

    @property
    def shown(self) -> FarMatch | None:
        """What a page may know of the match; None where its game is not on this board."""
        if not self.is_playing:
            return None
        asks_back = self._far_back is not None and self._back is None
        return FarMatch(SIDE_NAMES[self.own_side], asks_back)

    @property
    def is_playing(self) -> bool:
        """Whether its game is on this board, and goes on."""
        state = self._state
        return state.started is not None and not self._is_other_game and state.side.result == "*"

    def start(self, link: BrokerLink) -> FarPlayer:
        """Say this side by this link from now on; JournalUnwritable where it cannot be kept."""
        self.link, side = link, self._state.side
        if side.die is None and needs_die(start_of(side)):
            side = changed(side, die=DieShare(self._seeds.draw()))
            self._keep(changed(self._state, side=side))
        self._say()
        return self

    def take_in(self, topic: str, content: bytes) -> None:
        """Take in what the far table says; on the link's thread."""
        own = match_topic(self.match, self._table)
        if topic == own or not topic.startswith(own[: -len(self._table)]):
            return
        table, known = topic.rpartition("/")[2], self._state.side.other
        try:
            side = decode(content, MatchSide)
        except BadWord as error:
            if table == known:
                self._refuse(error)
            return
        is_ours = side.other in ("", self._table) and side.side != self._state.side.side
        newest = self._heard or self._state.far
        is_new = newest is None or side.rev > newest.rev
        if is_ours and known in ("", table) and is_new and (side.other or known):
            if not known:
                side = changed(side, other=self._table)
                self._partner = table
            self._heard, self._refusal = side, None

    def _refuse(self, why: BadWord) -> None:
        """Say, until the far table says something else, what of its word is not taken in."""
        self._refusal = Worded(_("the far table says what cannot be ({why})"), why=why)

    # What the table asks of its guests

    def attend(self, session: Session, now: float) -> list[News]:
        """Bring the two boards together by one step, where they differ."""
        self._listen()
        state, record = self._state, session.record
        if state.far is None or state.far.other != self._table:
            return []
        if state.started is None:
            return self._begin(session, now)
        self._is_other_game = record.header.started != state.started
        if self._is_other_game:
            return []
        if news := self._take_back(session, now) or self._throw(session, now):
            return news
        if news := self._press(session, now):
            return news
        is_own_turn = record.position.side is self.own_side or is_unpressed(record)
        if record.ending is None and (not is_own_turn or state.side.says):
            session.wait_for(True)
        if self._seen is not None and self._seen == (record, state.far):
            return []
        if record.ending is not None:
            return self._end_anew(session, now)
        if record.question is not None:
            return []
        news = self._approach(session, now)
        if not news:
            self._seen = record, state.far
        return news

    def _listen(self) -> None:
        """Keep what the far table has said since, and answer one that accepts."""
        if self._heard is None or self._heard is self._state.far:
            return
        side, is_accepted = self._state.side, not self._state.side.other
        if is_accepted:
            side = changed(side, other=self._partner, rev=side.rev + 1)
        self._keep(changed(self._state, far=self._heard, side=side))
        if is_accepted:
            self._say()

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Let people say what is theirs to say at this table, and nothing for the far side."""
        state = self._state
        if state.started is None or self._is_other_game:
            return None
        alone = CommandRefused(_("two tables play this game: neither changes it alone"))
        if session.record.ending is not None:
            if isinstance(command, TakeBackLast | Correct | BoardIsRight):
                raise alone
            return None
        match command:
            case EndingCommand():
                return self._hear_end(command, session, now)
            case TakeBackLast():
                self._ask_back(session.record)
                return []
            case PressClock() | DiceCommand():
                return self._hear_button(command, session, now)
            case Correct() | New() | BoardIsRight() | SetClock() | SetClockTimes():
                raise alone
        return None

    def _hear_end(self, command: EndingCommand, session: Session, now: float) -> list[News] | None:
        """Let people give up, offer, take and decline draws, or decline to take a move back."""
        own, says, offer = SIDE_NAMES[self.own_side], self._state.side.says, session.record.offer
        match command:
            case Resign(side=side) | OfferDraw(side=side) if side not in (None, own):
                raise CommandRefused(_("the far table speaks for itself"))
            case AcceptDraw() | DeclineDraw() if offer is self.own_side:
                raise CommandRefused(_("the far table speaks for itself"))
            case Resign() if says == "resigns":
                lost = Ending(SIDE_NAMES[self.own_side.other], Termination.RESIGNED.value)
                return session.end_elsewhere(lost, now)
            case Resign():
                return self._say_end("resigns")
            case AcceptDraw() | OfferDraw() if offer is self.own_side.other:
                return self._say_end("agrees")
            case OfferDraw():
                return session.obey(OfferDraw(own), now)
            case AgreeDraw():
                raise CommandRefused(_("offer a draw: the far table answers"))
            case DeclineDraw() if offer is None and self._far_back is not None:
                self._say_back(NOTHING_BACK)
                return []
        return None

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
        notes += [] if view.record.ending else [*self._back_notes(), *self._end_notes()]
        if self._is_throwing and not view.record.ending:
            notes.append(Worded(_("the far table still has to throw its die")))
        position, move = self._wish or (None, None)
        if position is view.position and not view.record.ending:
            view = replace(view, help=replace(view.help, wish=move))
        return replace(view, notes=(*view.notes, *notes)) if notes else view

    def follow(self, certain: Certain) -> None:
        """Say how the game stands here, once the disk has it."""
        state, record = self._state, certain.record
        if state.started is None or record.header.started != state.started:
            return
        if is_unpressed(record) and record.position.side is not self.own_side:
            return
        plies = _certain(record)
        clocks = record.clocks
        offered, is_offered = self._offered_at, record.offer is self.own_side.other
        self._offered_at = record if is_offered else None
        is_declined = (
            offered is not None
            and record.offer is None
            and record.ending is None
            and record.moves == offered.moves
        )
        own_left = None if clocks is None else round(clocks.left.of(self.own_side), 3)
        ending, backs = record.ending, self._backs_after(record)
        is_fresh = record.position.side is not self.own_side or backs != state.side.backs
        side = changed(
            state.side,
            backs=backs,
            plies=plies,
            stands=len(plies),
            left_s=own_left if is_fresh else state.side.left_s,
            offers=record.offer is self.own_side,
            declined=state.side.declined + is_declined,
            says="" if state.side.says == "agrees" and not is_offered else state.side.says,
            result=msgspec.convert(result_word(record.game.outcome), Result),
            why="" if ending is None else ending.termination,
        )
        if side == state.side:
            return
        side = changed(side, rev=side.rev + 1, stands_hash=text_hash(match_text(record)))
        own = {(i, ply) for i, ply in enumerate(plies) if self._is_own(record, i)}
        self._keep(changed(state, side=side, own=state.own | own))
        self._say()

    # Taking back, as both sides have agreed

    @property
    def _back(self) -> AskedBack | None:
        """What this side has said of the next take-back; None while it has not."""
        side = self._state.side
        return side.back if side.back is not None and side.back.number > side.backs else None

    @property
    def _far_back(self) -> AskedBack | None:
        """What the far side has said of the take-back that is this board's next."""
        far = self._state.far
        back = None if far is None else far.back
        return back if back is not None and back.number > self._state.side.backs else None

    @property
    def _is_back_open(self) -> bool:
        """Whether a take-back that this side spoke of is not over yet on both boards."""
        side, far = self._state.side, self._state.far
        return self._back is not None or (far is not None and far.backs != side.backs)

    @property
    def _back_to(self) -> int:
        """How many plies the take-back leaves that both sides spoke of last."""
        sides = self._state.side, self._state.far
        asked = (side.back for side in sides if side is not None)
        return max((back.to for back in asked if back is not None), default=NOTHING_BACK)

    def _ask_back(self, record: Record) -> None:
        """Ask the far side to take back the last ply of this one, or agree where it has asked."""
        far_back = self._far_back
        if record.question is not None:
            raise CommandRefused(_("answer the question first"))
        if far_back is not None and self._back is None:
            self._say_back(far_back.to)
            return
        if self._is_back_open:
            raise CommandRefused(_("the far table has been asked: it answers"))
        to = len(_certain(record)) - (1 if record.position.side is not self.own_side else 2)
        if to < 0:
            raise CommandRefused(_("there is no move to take back"))
        self._say_back(to)

    def _say_back(self, to: int) -> None:
        self._say_more(back=AskedBack(self._state.side.backs + 1, to))

    def _take_back(self, session: Session, now: float) -> list[News]:
        """Take back what both sides have said; nothing where one has not."""
        own, far, news = self._back, self._far_back, list[News]()
        if own is not None and far is not None:
            first = session.record.game.start.ply_number
            while session.record.last_told >= first + self._back_to:
                self._wish = None
                news += session.obey(TakeBackLast(), now)
        return news

    def _backs_after(self, record: Record) -> int:
        """Return how many take-backs are carried out here, by what the disk has."""
        own, far = self._back, self._far_back
        if own is None or far is None or len(_certain(record)) > self._back_to:
            return self._state.side.backs
        return own.number

    def _back_notes(self) -> list[Worded]:
        """Return what there is to say of a take-back that waits."""
        if self._far_back is not None and self._back is None:
            return [Worded(_("the far table asks to take a move back: say back, or decline"))]
        if self._is_back_open:
            return [Worded(_("the far table is asked to take a move back"))]
        return []

    # Ending the game, once both sides know of it

    def _say_end(self, says: Literal["resigns", "agrees"]) -> list[News]:
        """Say that this side gives up, or takes the draw: the far table ends the game first.

        Else two who speak at the same moment would end it in two ways.
        """
        self._say_more(says=says)
        return []

    def _end_notes(self) -> list[Worded]:
        """Return what this side has said of the end, while the far table has not heard it."""
        match self._state.side.says:
            case "resigns":
                return [Worded(_("you resign: the far table is told; resign again to end it"))]
            case "agrees":
                return [Worded(_("you take the draw: the far table is told"))]
        return []

    # Clocks that are pressed

    def _press(self, session: Session, now: float) -> list[News]:
        """Press the clock for the far side, which says no ply before it has pressed its own."""
        record, far = session.record, self._state.far
        is_far_ply = is_unpressed(record) and record.position.side is self.own_side
        if far is None or not is_far_ply or record.unsettled or record.terms.is_paused:
            return []
        here = _certain(record)
        return session.obey(PressClock(), now) if far.plies[: len(here)] == here else []

    def _hear_button(
        self, command: PressClock | DiceCommand, session: Session, now: float
    ) -> list[News] | None:
        """Let who has played here press; one button of a board is for clock and dice alike."""
        record = session.record
        if isinstance(command, PressClock):
            if is_far_clock(record, self.own_side):
                raise CommandRefused(_("the far table speaks for itself"))
        elif self._state.side.die is not None:
            if is_unpressed(record):
                return session.obey(PressClock(), now)
            raise CommandRefused(_("the dice of both tables fall together, by themselves"))
        return None

    # Throwing dice that both sides have sealed

    def _throw(self, session: Session, now: float) -> list[News]:
        """Say this side's part of what the dice tell now, and tell it once the far side has."""
        side, far, record = self._state.side, self._state.far, session.record
        if side.die is None or far is None or far.die is None:
            return []
        here = _certain(record)
        is_own = bool(here) and self._is_own(record, len(here) - 1)
        self._is_throwing = is_due(record) and (is_own or far.plies[: len(here)] == here)
        news, event, share = list[News](), None, side.die
        news += session.hold(self._is_throwing, now)
        if record.ending is not None and far.result != "*":
            share = shown(share, self._seeds)
            if share.seed and far.die.seed and record.die is not None and record.die.seed is None:
                news += session.tell_dice(opened(*self._by_side(share, far.die)), now)
                self._find_bent(share, far.die)
        elif self._is_throwing:
            share, event = thrown_together(record, share, far.die, self._seeds)
        if share is not side.die:
            self._say_more(die=share)
        return news if event is None else news + session.tell_dice(event, now)

    def _is_own(self, record: Record, index: int) -> bool:
        """Whether the ply of that index, from 0, is this side's."""
        first = record.game.start.side
        return (first if index % 2 == 0 else first.other) is self.own_side

    def _by_side(self, own: DieShare, far: DieShare) -> tuple[DieShare, DieShare]:
        return (own, far) if self.own_side is Side.BLACK else (far, own)

    def _find_bent(self, own: DieShare, far: DieShare) -> None:
        if bent := find_bent(own, far):
            self._contradiction = Worded(bent)

    # Bringing two boards together

    def _approach(self, session: Session, now: float) -> list[News]:
        """Return what has happened by one step towards the far board; none where nothing is due."""
        record, far = session.record, self._state.far
        assert far is not None
        self._wish = None
        here, there = list(_certain(record)), list(far.plies)
        if far.backs != self._state.side.backs:
            # One of the boards has yet to take back what both have agreed on. Nothing is wished
            # until then, and a ply that hands play here for the far side would be answered.
            there = there[: self._back_to]
            is_of_far = bool(here) and not self._is_own(record, len(here) - 1)
            is_said = here == there[: len(here)]
            return session.obey(TakeBackLast(), now) if is_of_far and not is_said else []
        if far.says and here and here[:-1] == there and self._is_own(record, len(there)):
            return session.obey(TakeBackLast(), now)  # they spoke before they had it
        at = next(
            (i for i, (one, other) in enumerate(zip(here, there, strict=False)) if one != other), -1
        )
        at = min(len(here), len(there)) if at < 0 else at
        is_own = self._is_own(record, at)
        if len(here) == at == len(there):
            if far.result == "*":
                self._contradiction = None  # people have taken back what the boards differed in
            return self._follow_words(session, far, now)
        if self._is_throwing:
            return []
        if len(here) > at:
            # What is ours stays unless the far side has answered another ply; what is theirs goes
            # unless we have answered it.
            is_answered = len(there) > at + 1 if is_own else len(here) > at + 1
            if is_own is is_answered:
                return session.obey(TakeBackLast(), now)
            return []
        if is_own and len(there) <= at + 1:
            return []  # taken back here: the far hands are led back, too
        if is_own and (at, there[at]) not in self._state.own:
            return self._contradict(session, at, there[at], now)
        try:
            move = parse_move(there[at], record.position)
        except RulesError:
            return self._contradict(session, at, there[at], now)
        self._wish = record.position, move
        return []

    def _end_anew(self, session: Session, now: float) -> list[News]:
        """Take back a ply that ended the game, where hands played it for the far side unasked."""
        here, far = _certain(session.record), self._state.far
        is_of_far = bool(here) and not self._is_own(session.record, len(here) - 1)
        is_by_rules = session.record.position.outcome is not None
        if far is None or not (is_of_far and is_by_rules) or far.plies[: len(here)] == here:
            return []
        return session.obey(TakeBackLast(), now)

    def _follow_words(self, session: Session, far: MatchSide, now: float) -> list[News]:
        """Follow what the far people say beside their plies: clocks, draws, the end."""
        record, clocks = session.record, session.record.clocks
        is_offered, self._was_offered = far.offers and not self._was_offered, far.offers
        if self._is_throwing:
            return []
        if far.result != "*" and far.why in BY_PEOPLE:
            if is_end_agreed(far, self._state.side, record.offer):
                return session.end_elsewhere(Ending(far.result, far.why), now)
            return self._contradict(session, len(far.plies), far.why, now)
        if (ending := end_by_words(far, self._state.side, record.offer)) is not None:
            return session.end_elsewhere(ending, now)
        if clocks is not None and far.left_s is not None:
            try:
                left = measured_there(clocks.until(now), far.left_s, record, self.own_side)
                if left is not None:
                    return session.show_clocks(left, now)
            except BadWord as error:  # then it stays as measured here
                self._refuse(error)
        if is_offered and record.offer is None:
            return session.obey(OfferDraw(SIDE_NAMES[self.own_side.other]), now)
        if far.declined > self._state.declined:
            self._keep(changed(self._state, declined=far.declined))
            if record.offer is self.own_side:
                return session.obey(DeclineDraw(), now)
        return []

    def _contradict(self, session: Session, at: int, ply: str, now: float) -> list[News]:
        """Say that the boards contradict each other, and stop the clocks."""
        if self._contradiction is not None:
            return []
        number = session.record.game.start.ply_number + at
        self._contradiction = Worded(
            _("the far table contradicts this one at ply {number}: {ply}"), number=number, ply=ply
        )
        if session.record.clocks is None or session.record.terms.is_paused:
            return []
        return session.obey(PauseGame(), now)

    def _begin(self, session: Session, now: float) -> list[News]:
        """Begin the game that both tables have agreed on."""
        state = self._state
        assert state.far is not None
        own, far = state.side, state.far
        names = {own.side: own.name, far.side: far.name}
        header = changed(Header.of(start_of(own), now), **names)
        terms = agreed(own.clock, "friendly")
        if own.die is not None:
            if far.die is None:
                return []
            self._find_bent(own.die, far.die)
            if self._contradiction is not None:
                return []
            terms = (*terms, sealed(*self._by_side(own.die, far.die)))
        self._keep(changed(state, started=header.started))
        game = NewGame(header, terms)
        return session.leave(now) + session.obey(game, now)

    def _keep(self, state: FarState) -> None:
        self._state, self._seen = state, None
        write_whole(self._path, msgspec.json.encode(state))

    def _say_more(self, **changes: object) -> None:
        """Say this side with these changes from now on, once the disk has them."""
        side = self._state.side
        self._keep(changed(self._state, side=changed(side, rev=side.rev + 1, **changes)))
        self._say()

    def _say(self) -> None:
        if self.link is not None:
            own = match_topic(self.match, self._table)
            self.link.say(own, encode(self._state.side))


def _certain(record: Record) -> tuple[str, ...]:
    """Return the plies that stand, and the one that is still fought for."""
    return record.moves[: len(record.game.plies) + (record.fight is not None)]


class FarDoor(Guest):
    """A guest that is nobody until a match begins, and then the far player of it."""

    def __init__(
        self,
        name: str,
        join: Callable[[str, MatchSide], FarPlayer],
        make_code: Callable[[], str],
        player: FarPlayer | None = None,
    ) -> None:
        """`name` is who plays here; `join` seats a far player, and may wait for the broker.

        It is told the match's code, and what is proposed where nobody has proposed it yet. A
        `player` sits here already.
        """
        self._name, self._join, self._make_code, self._player = name, join, make_code, player
        self._coming: Thread | None = None
        self._refusal: Worded | None = None

    def open(self, code: str | None, side: SideName, record: Record) -> str:
        """Accept the match of that code, or invite to one on the terms of a game; return its code.

        CommandRefused where a match is being played; BadBroker where none can be on these terms.
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
        """The match that is played on this board; None where none is."""
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
            view = replace(view, notes=(*view.notes, self._refusal))
        return view if self._player is None else self._player.overlay(view)

    def follow(self, certain: Certain) -> None:
        """Let the far player say how the game stands."""
        if self._player is not None:
            self._player.follow(certain)
