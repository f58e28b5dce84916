"""The rules of a match between two boards far apart: the next step, and the words for it.

Each table is the authority on the plies of its own side, and publishes the game as it stands on its
own board. From both words each finds its next step: carry out the far ply, take back what hands
played otherwise, or wait. A ply that was answered stays, on both boards.

Nothing here has an effect: `next_step` gets both words and the game, and returns one step; `answer`
does so for people's commands. The guest in `far` carries the steps out.

Neither table can foresee or bend a roll. Each side draws a secret seed, and seals it before the
game. On each occasion both publish the faces that theirs gives; the sum is the roll. The side that
has played publishes first, and its ply stays from then on. At the end both seeds are shown, and
each table checks the other's faces against its seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace as changed

from hardware.die import commitment, joint_numbers, throws
from rules import (
    Move,
    Position,
    RulesError,
    Side,
    Termination,
    Worded,
    _,
    parse_move,
    parse_position,
    parse_rules,
)
from rules.text import GameText, format_game, result_word

from ...files import read_json
from ...game import commands as asked
from ...game.agreements import Clocks, TimeExtra, Times, parse_time_control, side_of
from ...game.commands import Command, CommandRefused, NewGame
from ...game.events import (
    SIDE_NAMES,
    DieCommit,
    DieRoll,
    DieSeed,
    DuelReport,
    Ending,
    Header,
    Result,
    SideName,
)
from ...game.record import SEVERAL, Record
from ...game.rolling import is_roll_due, open_fight, start_squares
from ...game.terms import agreed
from ...table.dice import dice_event
from .payloads import AskedBack, BadWord, DieShare, MatchSide, check_within, text_hash

SIDE_OF: Final = {name: side for side, name in SIDE_NAMES.items()}
BY_PEOPLE: Final = {
    reason.value for reason in (Termination.RESIGNED, Termination.AGREED, Termination.TIME)
}
"""Ways in which people end a game."""

CLOSE_S: Final = 0.01
"""Clocks that differ by no more show the same."""

NOTHING_BACK: Final = 2**53
"""Said of a take-back that is refused: more plies than any game has."""


class FarState(msgspec.Struct, frozen=True):
    """The part of a match that a table keeps on its disk: both sides' last words and its game.

    `started` is the game's number in the journal; `own` are all plies that this side ever sent,
    each with the number of plies before it.
    """

    side: MatchSide
    far: MatchSide | None = None
    started: float | None = None
    own: frozenset[tuple[int, str]] = frozenset()
    declined: int = 0
    """The number of this side's offers that were ended here after the far side declined them."""

    @property
    def own_side(self) -> Side:
        """The side that is played at this table."""
        return SIDE_OF[self.side.side]

    # Taking back, as both sides agree

    @property
    def back(self) -> AskedBack | None:
        """This side's word about the next take-back, or None."""
        back = self.side.back
        return back if back is not None and back.number > self.side.backs else None

    @property
    def far_back(self) -> AskedBack | None:
        """The far side's word about this board's next take-back, or None."""
        back = None if self.far is None else self.far.back
        return back if back is not None and back.number > self.side.backs else None

    @property
    def is_back_open(self) -> bool:
        """True while a take-back that this side spoke of is unfinished on either board."""
        return self.back is not None or (self.far is not None and self.far.backs != self.side.backs)

    @property
    def back_to(self) -> int:
        """The number of plies that remain after the last take-back of both sides."""
        backs = [side.back for side in (self.side, self.far) if side is not None]
        return max((back.to for back in backs if back is not None), default=NOTHING_BACK)

    def asking_back(self, to: int) -> MatchSide:
        """Return this side's word with what it says of the next take-back."""
        return changed(self.side, back=AskedBack(self.side.backs + 1, to))


# A match before its first ply


def start_of(side: MatchSide) -> Position:
    """Return the position that a match begins from."""
    return parse_position(side.start, parse_rules(side.rules))


def match_text(record: Record) -> str:
    """Return a game as both tables of a match have it: without times, which each measures."""
    tags = {"Event": "Jetan", "Black": record.header.black, "Orange": record.header.orange}
    return format_game(GameText(record.game, tags))


def check_match(rules: str, clock: str) -> None:
    """Raise RulesError or BadTimeControl for rules, or a clock, that are none."""
    parse_rules(rules)
    parse_time_control(clock)


def side_of_match(
    name: str, side: SideName, rules: str, start: str, clock: str, other: str = ""
) -> MatchSide:
    """Return one side before the first ply: for anybody who accepts, or against one who invites."""
    check_match(rules, clock)
    nothing = Record.begin(Header(started=0.0, rules=rules, start=start, version=""))
    return MatchSide(
        rev=1,
        side=side,
        name=name,
        other=other,
        rules=rules,
        start=start,
        clock=clock,
        stands_hash=text_hash(match_text(nothing)),
    )


def accepted(invitation: MatchSide, inviter: str, name: str) -> MatchSide:
    """Return the other side of a match that somebody has invited to."""
    check_match(invitation.rules, invitation.clock)
    side: SideName = "orange" if invitation.side == "black" else "black"
    return changed(
        invitation,
        rev=1,
        side=side,
        name=name,
        other=inviter,
        plies=(),
        stands=0,
        left_s=None,
        die=None,
    )


def read_state(path: Path) -> FarState | None:
    """Return the kept state of a match, or None. Damaged."""
    return read_json(path, FarState)


# What is to be done next

Step: TypeAlias = (
    MatchSide  # say this from now on; the next step follows at once
    | FarState  # keep this; the next step follows at once
    | Move  # hands are to carry this out for the far side
    | Command  # as if people had said it
    | NewGame
    | AskedBack  # take back until so many plies are left
    | DieRoll
    | DuelReport
    | DieSeed
    | Ending  # the far board's end is this one's
    | Times  # the clocks show this
    | Worded  # the boards contradict each other
    | BadWord  # the far clock shows what it cannot; here it goes on as measured
)


def next_step(
    state: FarState,
    record: Record,
    now: float,
    seed: bytes | None = None,
    is_offer_known: bool = False,
) -> Step | None:
    """Return what is to be done at this table, one thing at a time; None: wait.

    `record` is the game on the board, `now` the time on the table clock, and `seed` this side's,
    where the game has dice: without it nothing rolls. `is_offer_known`: the draw that the far side
    offers has been offered here.
    """
    far = state.far
    if far is None:
        return None
    if state.started is None:
        return _first_step(state, far, now)
    here = certain(record)
    # A take-back that both sides agreed on comes first: a roll or a ply that belongs to a position
    # which is about to go would otherwise be written down on one board alone.
    is_agreed = state.back is not None and state.far_back is not None
    if is_agreed and record.last_played >= record.game.start.ply_number + state.back_to:
        return AskedBack(state.side.backs + 1, state.back_to)
    # Dice come before the clock and before plies, since until they have fallen nobody knows what
    # the position is.
    if (step := _dice_step(state, far, record, seed)) is not None:
        return step
    # With buttons a far ply is carried out by hands here, and nobody here may press for it. The far
    # table sends a ply only after its player has pressed, so the press can be repeated at once.
    is_far_ply = is_unpressed(record) and record.position.side is state.own_side
    is_running = not (record.unsettled or record.terms.is_paused)
    if is_far_ply and is_running and far.plies[: len(here)] == here:
        return asked.PressClock()  # it says no ply before it has pressed
    if record.ending is not None:
        return _step_after_end(state, far, record)
    return (
        None if record.question is not None else _approach(state, far, record, now, is_offer_known)
    )


def _first_step(state: FarState, far: MatchSide, now: float) -> NewGame | Worded | None:
    """Return how the game begins that both tables have agreed on."""
    own = state.side
    # Both tables build the same header from the same two words: the text of the game, and so its
    # hash, has to agree from the start.
    names = {own.side: own.name, far.side: far.name}
    header = changed(Header.of(start_of(own), now), **names)
    terms = agreed(own.clock, "friendly")
    if own.die is None:
        return NewGame(header, terms)
    if far.die is None:
        return None
    # Before the first ply all that can be found is a copied seal. Whoever copies ours would know
    # all rolls as soon as we show the seed.
    if bent := find_bent(own.die, far.die):
        return bent
    seals = DieCommit(_by_side(state, own.die.commit, far.die.commit))
    return NewGame(header, (*terms, seals))


def _dice_step(
    state: FarState, far: MatchSide, record: Record, seed: bytes | None
) -> MatchSide | DieSeed | DieRoll | DuelReport | None:
    """Return what this side has to say of the dice, and what they show once both have said it."""
    own = state.side.die
    if own is None or far.die is None:
        return None
    # Seeds are shown only after both boards have ended: a seed shown earlier would tell the rolls
    # of a game that the other board still plays.
    if record.ending is not None and far.result != "*":
        if not own.seed and seed is not None:  # which is no secret any more
            return changed(state.side, die=changed(own, seed=seed.hex()))
        is_told = record.die is None or record.die.seed is not None
        is_known = bool(own.seed and far.die.seed)
        return (
            DieSeed(_by_side(state, own.seed, far.die.seed)) if is_known and not is_told else None
        )
    if seed is None or not is_throwing(state, record):
        return None
    # The share is sent before the roll is written down. A table that lost power between the two
    # sends the same share again, because the faces follow from the seed.
    share, event = thrown_together(record, own, far.die, seed)
    return event if share is own else changed(state.side, die=share)


def _step_after_end(state: FarState, far: MatchSide, record: Record) -> Command | Worded | None:
    """Return what is to be done once the game is over here."""
    here = certain(record)
    is_of_far = bool(here) and not is_own(state, record, len(here) - 1)
    if is_of_far and record.position.outcome is not None and far.plies[: len(here)] != here:
        return asked.TakeBackLast()  # hands played for the far side what ends the game, unasked
    is_shown = record.die is not None and record.die.seed is not None
    if is_shown and state.side.die is not None and far.die is not None:
        return find_bent(state.side.die, far.die)
    return None


def _approach(
    state: FarState, far: MatchSide, record: Record, now: float, is_offer_known: bool
) -> Step | None:
    """Return one step towards the far board."""
    here, there = certain(record), far.plies
    if far.backs != state.side.backs:
        # One of the boards has yet to take back what both have agreed on. Nothing is wished until
        # then, and a ply that hands play here for the far side would be answered.
        there = there[: state.back_to]
        is_of_far = bool(here) and not is_own(state, record, len(here) - 1)
        is_said = here == there[: len(here)]
        return asked.TakeBackLast() if is_of_far and not is_said else None
    if far.says and here and here[:-1] == there and is_own(state, record, len(there)):
        return asked.TakeBackLast()  # they spoke before they had it
    # The first ply in which the boards differ decides. Everything before it is common, and
    # everything after it follows from it.
    pairs = enumerate(zip(here, there, strict=False))
    at = next((i for i, (one, other) in pairs if one != other), min(len(here), len(there)))
    # Words about draws, clocks and the end count only for the position they were said in, hence
    # only once the plies agree.
    if len(here) == at == len(there):
        return _follow_words(state, far, record, now, is_offer_known)
    if is_throwing(state, record):
        return None
    # Who played the differing ply decides whose board is right: each table is the authority on its
    # own side's plies.
    is_ours = is_own(state, record, at)
    if len(here) > at:
        # What is ours stays unless the far side has answered another ply; what is theirs goes
        # unless we have answered it.
        is_answered = len(there) > at + 1 if is_ours else len(here) > at + 1
        return asked.TakeBackLast() if is_ours is is_answered else None
    if is_ours and len(there) <= at + 1:
        return None  # taken back here: the far hands are led back, too
    # A ply of ours that the far board has and this one lacks was taken back here, or lost with the
    # disk. It is played again only if this table did send it: otherwise the far board made it up.
    if not is_ours or (at, there[at]) in state.own:
        with suppress(RulesError):
            return parse_move(there[at], record.position)
    return _contradiction(record, at, there[at])


def _follow_words(
    state: FarState, far: MatchSide, record: Record, now: float, is_offer_known: bool
) -> Step | None:
    """Return what follows from the far people's words: for clocks, draws and the end."""
    if is_throwing(state, record):
        return None
    # Ends by the rules need no word: both boards find them in the same position.
    if far.result != "*" and far.why in BY_PEOPLE:
        if is_end_agreed(far, state.side, record.offer):
            return Ending(far.result, far.why)
        return _contradiction(record, len(far.plies), far.why)
    # The far people's words end the game here first; their table follows when it reads this board's
    # result. So one board decides when two speak at the same moment.
    if (ending := end_by_words(far, state.side, record.offer)) is not None:
        return ending
    # Each table measures its own player's time, and the other one adopts it: the line between them
    # takes nobody's time.
    clocks, untrue = record.clocks, None
    if clocks is not None and far.left_s is not None:
        try:
            left = measured_there(clocks.until(now), far.left_s, record, state.own_side)
            if left is not None:
                return left
        except BadWord as error:  # then it stays as measured here
            untrue = error
    if far.offers and not is_offer_known and record.offer is None:
        return asked.OfferDraw(far.side)
    # Offers are counted, not named: the number tells an answer to this offer from the answer to an
    # earlier one that was sent again.
    if far.declined > state.declined:
        is_open = record.offer is state.own_side
        return asked.DeclineDraw() if is_open else changed(state, declined=far.declined)
    return untrue


def _contradiction(record: Record, at: int, ply: str) -> Worded:
    number = record.game.start.ply_number + at
    return Worded(
        _("the far table contradicts this one at ply {number}: {ply}"), number=number, ply=ply
    )


# What people say


def answer(state: FarState, record: Record, command: Command) -> Step | None:
    """Return the step that follows from people's command, or None if it is as in any game.

    CommandRefused if the command is not theirs to give.
    """
    alone = CommandRefused(_("two tables play this game: neither changes it alone"))
    if record.ending is not None:
        if isinstance(command, asked.TakeBackLast | asked.Correct | asked.BoardIsRight):
            raise alone
        return None
    match command:
        case _ if isinstance(command, asked.EndingCommand):
            return _answer_end(state, record, command)
        case asked.TakeBackLast():
            return _answer_back(state, record)
        case asked.PressClock():
            if is_far_clock(record, state.own_side):
                raise CommandRefused(_("the far table speaks for itself"))
        case _ if isinstance(command, asked.DiceCommand) and state.side.die is not None:
            if is_unpressed(record):
                return asked.PressClock()  # one button of a board is for clock and dice alike
            raise CommandRefused(_("the dice of both tables fall together, by themselves"))
        case (
            asked.Correct()
            | asked.New()
            | asked.BoardIsRight()
            | asked.SetClock()
            | asked.SetClockTimes()
        ):
            raise alone
    return None


def _answer_end(state: FarState, record: Record, command: asked.EndingCommand) -> Step | None:
    """Let people give up, offer, take and decline draws, or decline to take a move back."""
    own, offer = state.side, record.offer
    match command:
        case asked.Resign(side=side) | asked.OfferDraw(side=side) if side not in (None, own.side):
            raise CommandRefused(_("the far table speaks for itself"))
        case asked.AcceptDraw() | asked.DeclineDraw() if offer is state.own_side:
            raise CommandRefused(_("the far table speaks for itself"))
        case asked.Resign() if own.says == "resigns":
            return Ending(SIDE_NAMES[state.own_side.other], Termination.RESIGNED.value)
        # The far table ends the game first: two who speak at the same moment would else end it in
        # two ways.
        case asked.Resign():
            return changed(own, says="resigns")
        case asked.AcceptDraw() | asked.OfferDraw() if offer is state.own_side.other:
            return changed(own, says="agrees")
        case asked.OfferDraw():
            return asked.OfferDraw(own.side)
        case asked.AgreeDraw():
            raise CommandRefused(_("offer a draw: the far table answers"))
        case asked.DeclineDraw() if offer is None and state.far_back is not None:
            return state.asking_back(NOTHING_BACK)
    return None


def _answer_back(state: FarState, record: Record) -> MatchSide:
    """Ask the far side to take back the last ply of this one, or agree where it has asked."""
    if record.question is not None:
        raise CommandRefused(_("answer the question first"))
    if state.far_back is not None and state.back is None:
        return state.asking_back(state.far_back.to)
    if state.is_back_open:
        raise CommandRefused(_("the far table has been asked: it answers"))
    # People may ask for their own last ply. If the far side has answered it, that answer goes with
    # it.
    to = len(certain(record)) - (1 if record.position.side is not state.own_side else 2)
    if to < 0:
        raise CommandRefused(_("there is no move to take back"))
    return state.asking_back(to)


# What this table says of the game


def word_of(state: FarState, record: Record, offered: Record | None) -> MatchSide:
    """Return this side's word of the game as the disk has it; the word as it is, where it stays.

    `offered` is the game before, where the far side offered a draw in it.
    """
    side, own = state.side, state.own_side
    # Until its player has pressed, a ply is still in the hand: it may be changed, so it is not
    # sent.
    if is_unpressed(record) and record.position.side is not own:
        return side
    # The take-back is reported as done only when the plies are gone. The far board counts on it.
    plies, clocks, backs = certain(record), record.clocks, side.backs
    if state.back is not None and state.far_back is not None and len(plies) <= state.back_to:
        backs = state.back.number
    is_open = record.offer is None and record.ending is None
    # An offer that vanished without a ply and without an end was declined here; a ply declines it
    # for everybody to see, and needs no count.
    is_declined = offered is not None and is_open and record.moves == offered.moves
    # The own clock stands still while the other side thinks: only then is its time a fixed value,
    # and only then is it sent.
    own_left = None if clocks is None else round(clocks.left.of(own), 3)
    is_fresh = record.position.side is not own or backs != side.backs
    word = changed(
        side,
        backs=backs,
        plies=plies,
        stands=len(plies),
        left_s=own_left if is_fresh else side.left_s,
        offers=record.offer is own,
        declined=side.declined + is_declined,
        says="" if side.says == "agrees" and record.offer is not own.other else side.says,
        result=msgspec.convert(result_word(record.game.outcome), Result),
        why="" if record.ending is None else record.ending.termination,
    )
    return word if word == side else changed(word, stands_hash=text_hash(match_text(record)))


def notes_of(state: FarState, record: Record) -> Iterator[Worded]:
    """Yield what there is to say of a game that goes on: what either table waits for."""
    if state.far_back is not None and state.back is None:
        yield Worded(_("the far table asks to take a move back: say back, or decline"))
    elif state.is_back_open:
        yield Worded(_("the far table is asked to take a move back"))
    if state.side.says == "resigns":
        yield Worded(_("you resign: the far table is told; resign again to end it"))
    elif state.side.says == "agrees":
        yield Worded(_("you take the draw: the far table is told"))
    if is_throwing(state, record):
        yield Worded(_("the far table still has to throw its die"))


# How the two boards stand


def certain(record: Record) -> tuple[str, ...]:
    """Return the plies that stand, and the one that is still fought for."""
    return record.moves[: len(record.game.plies) + (record.fight is not None)]


def is_own(state: FarState, record: Record, index: int) -> bool:
    """Return True if the ply of that index, from 0, is this side's."""
    first = record.game.start.side
    return (first if index % 2 == 0 else first.other) is state.own_side


def are_alike(state: FarState, record: Record) -> bool:
    """Return True if both boards have the same plies, and are to keep them."""
    far = state.far
    return far is not None and far.backs == state.side.backs and far.plies == certain(record)


def is_awaited(state: FarState, record: Record) -> bool:
    """Return True if this table waits for the far one."""
    is_own_turn = record.position.side is state.own_side or is_unpressed(record)
    return record.ending is None and (not is_own_turn or bool(state.side.says))


def is_unpressed(record: Record) -> bool:
    """Return True if the last ply's player still has to press the clock."""
    clocks = record.clocks
    is_asked = clocks is not None and clocks.control.by_buttons and record.ending is None
    is_handed_over = clocks is None or clocks.running is record.position.side
    return is_asked and bool(record.game.plies) and not is_handed_over


def end_by_words(far: MatchSide, own: MatchSide, offer: Side | None) -> Ending | None:
    """Return the end that follows from the far people's words, or None."""
    if not far.says or (far.says == "agrees" and offer is not SIDE_OF[own.side]):
        return None
    if far.says == "agrees" or own.says:  # neither knew what the other said
        return Ending("draw", Termination.AGREED.value)
    return Ending(own.side, Termination.RESIGNED.value)


def is_end_agreed(far: MatchSide, own: MatchSide, offer: Side | None) -> bool:
    """Return True if the far table may have ended the game so, by its people or by these here."""
    if far.why == Termination.AGREED.value:
        return bool(own.says) or offer is SIDE_OF[own.side]
    is_won_here = far.result == own.side
    return is_won_here or (far.why == Termination.RESIGNED.value and own.says == "resigns")


def is_far_clock(record: Record, own: Side) -> bool:
    """Return True if a press now would be the far side's, or start its clock."""
    clocks = record.clocks
    if clocks is None or not clocks.control.by_buttons or record.terms.is_paused:
        return False
    runs = record.position.side if clocks.running is None else clocks.running
    return runs is not own and not is_unpressed(record)


def most_left(clocks: Clocks, side: Side) -> float:
    """Return the most that a side's clock can show, in seconds, however little it has thought.

    This takes nothing from the far side's words: many small lies cannot add up.
    """
    control = clocks.control
    if control.extra is TimeExtra.HOURGLASS:
        # It cannot have less sand than the other side had when that had played.
        of_other = [turn.shown for turn in clocks.turns if side_of(turn.number) is side.other]
        return 2 * control.main_s - (of_other[-1] if of_other else control.main_s)
    added = control.extra_s if control.extra is TimeExtra.INCREMENT else 0.0
    return control.main_s + added * sum(side_of(turn.number) is side for turn in clocks.turns)


def measured_there(clocks: Clocks, far_left_s: float, record: Record, own: Side) -> Times | None:
    """Return what the clocks show by what the far table has measured; None as they do.

    BadWord where its clock cannot show that.
    """
    far = own.other
    # A far table may be wrong or lie. Its time is believed within what any play could have left, so
    # that a lie costs at most what a fast player would have had.
    check_within("left_s", far_left_s, 0.0, most_left(clocks, far) + CLOSE_S)
    if clocks.control.extra is not TimeExtra.HOURGLASS:
        more = far_left_s - clocks.left.of(far)
        return clocks.left.with_more(far, more) if abs(more) > CLOSE_S else None
    if not record.game.plies or record.position.side is far:
        return None  # since the far table measured, this one has
    # What one has used the other has won: the whole is as it was agreed.
    more = far_left_s - clocks.began.of(far)
    left = clocks.left.with_more(far, more).with_more(own, -more)
    return left if abs(more) > CLOSE_S else None


# The die


def needs_die(start: Position) -> bool:
    """Return True if dice are thrown in a game that begins so."""
    has_juggernaut = start.juggernaut is not None or start.rules["juggernaut"] != "off"
    return has_juggernaut or start.rules["duel"] != "off"


def is_throwing(state: FarState, record: Record) -> bool:
    """Return True if both sides are to throw now, before any hand moves.

    The die for a far ply is thrown once the far table has sent it.
    """
    if state.side.die is None or state.far is None or state.far.die is None:
        return False
    if not (is_roll_due(record) or start_squares(record) or open_fight(record)):
        return False
    here = certain(record)
    is_ours = bool(here) and is_own(state, record, len(here) - 1)
    return is_ours or state.far.plies[: len(here)] == here


def _by_side(state: FarState, own: str, far: str) -> str:
    """Return what both sides have sealed or shown, Black's first."""
    return SEVERAL.join((own, far) if state.own_side is Side.BLACK else (far, own))


def thrown_together(
    record: Record, own: DieShare, far: DieShare, seed: bytes
) -> tuple[DieShare, DieRoll | DuelReport | None]:
    """Return this side's share with what it has to say now, and the roll once both have."""
    faces = dict(own.faces)

    def numbers(occasion: str) -> tuple[int, ...]:
        faces.setdefault(occasion, throws(seed, (), occasion))
        return joint_numbers((faces[occasion], far.faces[occasion]))

    event: DieRoll | DuelReport | None = None
    # Only the own faces can be worked out here; the far ones arrive as its share. The roll is
    # written down once both are known.
    with suppress(KeyError):  # the far side has still to say what its seed gives
        event = dice_event(record, numbers)
    return (own if faces == own.faces else changed(own, faces=faces)), event


def find_bent(own: DieShare, far: DieShare) -> Worded | None:
    """Return the fault in the far side's share, or None if none can be found."""
    if own.commit == far.commit:
        return Worded(_("the far table has sealed the same seed as this one"))
    if not far.seed:
        return None
    # Two checks: the shown seed is the sealed one, and every face that was said follows from it.
    # One without the other would let a table choose its faces.
    seed = bytes.fromhex(far.seed)
    is_kept = commitment(seed) == far.commit
    if not is_kept or any(faces != throws(seed, (), on) for on, faces in far.faces.items()):
        return Worded(_("the far table's rolls are not those of the seed it had sealed"))
    return None
