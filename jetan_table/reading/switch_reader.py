"""The reader of switches: from their changes to the plies that hands have played.

From an *anchor*, a position that is certain, it explains all changes since by sequences of legal
steps. It tells what all good hypotheses agree on once that has stood for a moment, amends it when
hands go on differently, and asks about a capture whose victim the board cannot show.

Nothing here knows a piece, a clock or a driver; times are those of the observations.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from hardware.ports import FaultKind, Observation, presence
from rules import Square, format_square, mask_of, squares_of

from ..game.events import Fault, Follows, Question
from .accounts import Hypothesis, Reported, WayBack, count_certain
from .costs import PRICES
from .history import History, Moment, OpenQuestions, telling_again
from .hypotheses import Asking, Hypotheses, Inquiry, Squares
from .readings import (
    LIFT_UNSEEN,
    TOUCHED,
    VICTIM_UNSEEN,
    Belief,
    Evidence,
    FoundAgain,
    GameLost,
    JetanGame,
    Reading,
    Standing,
    Step,
    number_of,
    question_about,
    telling,
    undoing,
)
from .scene import Rates, Suspicions, forget_shock, shakes_until
from .speaking import Resting, Rival, SpeechClock, Tell, Wait, Withdraw, decide, odds_for

PLIES_HELD = 3  # with so many told since the anchor, the first is certain
PLIES_HELD_UNSEEN = 2  # ... or with so many, where nothing showed it: what came later may deny it
FIRM_PLIES = 3  # after what nobody saw leave: then it was no illegal move
SILENT_PLIES = 3  # played, and none of them told: then people are asked how the board stands
SILENT_S = 10.0  # seconds of rest after which one ply fewer is enough; one alone is led back
SEEN_S = 0.1
"""Seconds a piece must rest before it is shown as put down, long before its step is told."""
MAX_NEWS = 32  # more at one moment would mean going in circles

News: TypeAlias = list[Reading[Standing]]

Considered: TypeAlias = "Iterator[Wait | News]"
"""One thing after another that may be said: the wait for each that has not come, and the news of
the first that has, or none where nothing further is to be considered now."""


class SwitchReader:
    """Reads plies from switches.

    `position` is the position on the board at first, `number` that of the next ply, `faults` the
    switches known to have failed, `rates` how reliable each was on other evenings.
    """

    def __init__(
        self,
        game: JetanGame,
        position: Standing,
        number: int = 1,
        faults: Mapping[Square, FaultKind] | None = None,
        rates: Rates | None = None,
    ) -> None:
        self.game = game
        self.faults: dict[Square, FaultKind] = dict(faults or {})
        self.due: float | None = None  # when to call `tick`, where time alone may decide
        self._first_number = number
        failed = sum(1 << square for square in self.faults)
        self._history = History(game, position, failed, rates)
        self._hypotheses = Hypotheses(game, self._history)
        self._resting = Resting(self._history, self._hypotheses.tempo)
        self._questions = OpenQuestions(self._history)
        self._clock = SpeechClock(0.0)
        self._is_settled = False  # people have answered, and what else that answers is still open
        self._may_leave = False  # plies were told that may be certain now
        self._suspicions = Suspicions()
        self._changed_at = 0.0  # when a square last changed, flickers left out
        self._no_sense_since = math.inf  # since when the board has made no sense
        self.shown: tuple[Standing, ...] = ()
        """The positions that people may choose from, the likeliest first; none while it follows."""
        self._down: list[tuple[Step[Standing], float]] = []  # as last known of `_put_down`
        self._belief: Belief[Standing] | None = None  # as last asked for; None since the last call
        self._denied: set[Squares] = set()  # what was told and taken back since the last change

    def observe(self, observation: Observation) -> list[Reading[Standing]]:
        """Take in what a sensor saw, and return what follows from it."""
        self._hypotheses.begin_call(observation.at)
        trace = self._history.trace
        beside = partial(self.game.beside, self._history.anchor.worlds[0].position)
        followed: list[Reading[Standing]] = []
        for square, evidence in observation.squares.items():
            if evidence is None:
                continue
            occupied = presence(evidence) > 0
            is_another = self._hypotheses.see_colour(square, evidence, observation.at)
            if square in self.faults and self.faults[square].is_disproved(occupied):
                del self.faults[square]
                trace.heed(square, occupied, observation.at)
                followed.append(Reading(Follows(format_square(square)), observation.at))
            elif not trace.add(square, occupied, observation.at, is_another):
                continue
            self._suspicions.see(square, occupied, trace)
            self._down, self._denied = [], set()
            # A known flicker is no news: it would keep a ply waiting for a board that never rests.
            if not is_another and self._hypotheses.is_flicker(square):
                self._hypotheses.flickering |= 1 << square
            else:
                self._changed_at = observation.at
            forget_shock(trace, beside, observation.at)
            self._history.trust(square)
            self._hypotheses.trust(square)
            self._hypotheses.forget()
        return followed + self._read(observation.at)

    def tick(self, now: float) -> list[Reading[Standing]]:
        """Let time pass, and return what has become certain by it."""
        self._hypotheses.begin_call(now)
        return self._read(now)

    def _read(self, now: float) -> list[Reading[Standing]]:
        """Return what has become certain by `now`."""
        self._clock, self._belief = SpeechClock(now), None
        readings: list[Reading[Standing]] = []
        for _ in range(MAX_NEWS):
            news, waits = list[Reading[Standing]](), [math.inf]
            for each in self._considered():
                if not isinstance(each, Wait):
                    news = each
                    break
                waits.append(each.at)
            if not news:
                self._down = self._put_down()
                waits += [at for _, at in self._down if not self._clock.has_come(at)]
            self.due = min(waits) if min(waits) < math.inf else None
            if not news:
                break
            readings += news
        return readings

    def _put_down(self) -> list[tuple[Step[Standing], float]]:
        """Return the step that has come down and is not told, and from when on it is shown."""
        best, index = (
            next(iter(self._hypotheses.keeping()), None),
            len(self._history.anchor.reported),
        )
        if best is None:  # a search that goes on in the next call has not changed the board
            return self._down
        if len(best.steps) <= index:
            return []
        step, landed_at = best.steps[-1], best.landed_at[-1]
        has_gone = best.in_hand >> step.to_square & 1
        return [] if landed_at is None or has_gone else [(step, landed_at + SEEN_S)]

    def answer(self, number: int, square: Square) -> list[Reading[Standing]]:
        """Take the answer that ply `number` was the one by `square`, a candidate of its question.

        Raises ValueError where ply `number` is not in question, `square` is no candidate of it, or
        what was played since cannot follow from that.
        """
        question = self._questions.open.get(number)
        if question is None or square not in question.squares:
            raise ValueError(f"ply {number} was not asked about, or {square} is no candidate")

        def is_meant(step: Step[Standing]) -> bool:
            return question.means(format_square(square), *step.squares)

        if not self._history.settle(number, is_meant, self._clock.now):
            raise ValueError(f"what was played since ply {number} cannot follow from that")
        self._hypotheses.forget()
        self._is_settled = True
        readings = self.tick(self._clock.now)
        while (
            self.due is not None and self.due <= self._clock.now
        ):  # whoever answers hears it at once
            readings += self.tick(self._clock.now)
        return readings

    @property
    def is_astray(self) -> bool:
        """True where hands seem to have played several plies that were neither told nor asked."""
        return self._silent_plies() >= SILENT_PLIES

    @property
    def number(self) -> int:
        """The number of the next ply."""
        anchors = *self._history.past, self._history.anchor
        entries = (entry for anchor in anchors for entry in anchor.reported)
        return self._first_number + sum(entry.is_ply for entry in entries)

    @property
    def belief(self) -> Belief[Standing]:
        """The position as it is read now, and what is open in it."""
        if self._belief is None:
            self._belief = self._believed()
        return self._belief

    def _believed(self) -> Belief[Standing]:
        keeping = self._hypotheses.keeping()
        position = self._history.position(keeping)
        question = self._questions.latest
        unseen = self._history.unseen & self.game.occupied(position)
        untold = self._history.silent | (keeping[0].double if keeping else 0)
        missing, extra = self._history.trace.differences(self.game.occupied(position), untold)
        empty, more = frozenset(missing), frozenset(extra)
        faults, dark = dict(self.faults), frozenset(squares_of(unseen))
        down = [step.squares for step, at in self._down if self._clock.has_come(at)]
        return Belief(
            position,
            self.number,
            tuple(missing),
            empty,
            more,
            question,
            faults,
            dark,
            seen=down[0] if down else (),
        )

    def _considered(self) -> Considered:
        """Yield what speaks for waiting, and at last the news that do not wait."""
        # What is cheap, or likelier than that a switch has failed, comes first: a knock that is
        # still under way, a board as it was at the anchor, the way back where nothing makes sense,
        # hands that have taken back several plies. Only what none of these explains is weighed with
        # failed switches, and only then is anything told or asked.
        yield from self._hear_people()
        if self._is_settled:
            return
        shakes_at = shakes_until(self._history.trace)
        if not self._clock.has_come(shakes_at):
            yield Wait(shakes_at)
            return
        if self._history.is_unmoved() and not self._history.may_hide_a_capture():
            yield from self._forget_touches()
            return
        if (wait := self._think()) is not None:
            yield wait
            return
        yield from self._seek_way_back()
        yield from self._return_to_earlier()  # hands take back more often than switches fail
        yield from self._say_lost()
        ask_again = self._hypotheses.seek_fault(self._clock.now, self._changed_at)
        if ask_again is not None:
            yield Wait(ask_again)
        rest = self._think()
        if rest is not None:
            yield rest
        holds_until = self._hypotheses.holds_until
        if holds_until < math.inf:  # from then on it is to be weighed again
            yield self._goes_on if self._clock.has_come(holds_until) else Wait(holds_until)
        if rest is None and (rivals := self._hypotheses.rivals()):
            yield from self._judge(rivals)

    def _hear_people(self) -> Considered:
        """Tell what people's answers have settled, and that a lost game is followed again."""
        if self._is_settled:
            if (wait := self._think()) is not None:
                yield wait
                return
            self._is_settled = False
            if answers := self._questions.answers(self._hypotheses.keeping(), self._clock.now):
                self._questions.believe_answers()
                yield answers
        if self.shown and not self._silent_plies():
            self.shown = ()
            yield [Reading(FoundAgain(self.number), self._clock.now)]

    def _seek_way_back(self) -> Considered:
        """Tell the only way to how the board stands, once that has made no sense for a while."""
        if not self._hypotheses.makes_no_sense:
            self._no_sense_since = math.inf
            return
        self._no_sense_since = min(self._no_sense_since, self._clock.now)
        due = max(self._changed_at + PRICES.CALM_S, self._no_sense_since + PRICES.ASTRAY_S)
        if not self._clock.has_come(due):
            yield Wait(due)
        elif not self._hypotheses.seek_way(self._clock.now):
            yield self._goes_on
            yield []
        elif self._hypotheses.way is not None:
            yield self._take_way(*self._hypotheses.way)

    def _say_lost(self) -> Considered:
        """Ask how the board stands once several plies in a row were neither told nor asked."""
        missing = SILENT_PLIES - self._silent_plies()
        if missing > 1:
            return
        lost_at = self._changed_at + (SILENT_S if missing > 0 else PRICES.ASTRAY_S)
        if not self._clock.has_come(lost_at):
            yield Wait(lost_at)
        elif not self._hypotheses.seek_way(self._clock.now):
            yield self._goes_on
            yield []
        else:
            boards = tuple(way.position for _, way in self._hypotheses.boards)
            if boards != self.shown:
                self.shown = boards
                yield [Reading(GameLost(self.number, boards), self._clock.now)]

    def _silent_plies(self) -> int:
        """Return how many plies hands seem to have played since a step was told.

        Whoever lifts a piece and puts it back has played nothing, nor has who takes back plies that
        were told: what comes down where one of them began is not counted.
        """
        history, trace = self._history, self._history.trace
        reported = history.anchor.reported
        told_at = (max(each.reported_at, each.landed_at or 0.0) for each in reported)
        last = max((trace.begun, *told_at))
        present = self.game.occupied(history.position(self._hypotheses.keeping()))
        extra = trace.level & ~(present | mask_of(history.left_of_late) | trace.ignored)
        gone = present & ~(trace.level | trace.ignored)
        came = [
            at
            for square in map(Square, trace.changes)
            for at, left_at in trace.stays(square)
            if at > last and left_at - at > PRICES.PASSING_S
        ]
        return min(max(extra.bit_count(), gone.bit_count()), len(came))

    def stands(self, number: int, now: float) -> list[Reading[Standing]]:
        """Take it from people that one of the positions shown stands there, 1 being the first.

        ValueError where none has that number, or hands have moved something since.
        """
        boards = self._hypotheses.boards
        if not 0 < number <= len(boards) or boards[number - 1][1].position not in self.shown:
            raise ValueError(f"no board {number} was shown, or it cannot be there any more")
        begins, way = boards[number - 1]
        self._clock = SpeechClock(now)
        readings = self._take_way(begins, [way])
        self._history.believe(len(way.taken))
        return readings + self.tick(now)

    def _take_way(self, begins: Moment, ways: Sequence[WayBack]) -> list[Reading[Standing]]:
        """Tell the steps of one way, or of some that one question tells apart; go on from there.

        They begin at a moment of the past.
        """
        self._history.rewind(begins)
        reported, taken = self._history.anchor.reported, ways[0].taken
        kept = count_certain([one.step for one in taken], reported)
        readings = self._taken_back(reported[kept:])
        del reported[kept:]
        for index, one in enumerate(taken[kept:], kept):
            options = {way.taken[index].step.squares: way.taken[index].step for way in ways}
            question = question_about(number_of(one.step, self.number), options.values())
            if len(options) > 1 and question is not None:
                readings += self._put(question, tuple(options.values()), is_certain=True)
                continue
            shown = Evidence(one.lifted_at, one.landed_at, (TOUCHED,), PRICES.MARGIN)
            readings += self._tell(one.step, shown)
        self._history.resume(ways)
        self._no_sense_since = math.inf
        return readings

    def _forget_touches(self) -> Considered:
        """Forget what was touched while the board stands as it did at the anchor."""
        if not self._history.trace.changes:
            return
        # A piece that is dragged onto the one it takes has come there before its own switch opens.
        dragged_s = PRICES.DRAGGED_S * max(self._hypotheses.tempo.pace, 1.0)
        if self._clock.has_come(self._changed_at + dragged_s):
            self._history.forget_touches()
            self._hypotheses.forget()
        else:
            yield Wait(self._changed_at + dragged_s)

    def _judge(self, rivals: list[Hypothesis]) -> Considered:
        """Say what there is to say by these hypotheses, the best and those not clearly worse."""
        best, index = rivals[0], len(self._history.anchor.reported)
        yield from self._judge_switches(best)
        # What no rival keeps of what was told is taken back; what only some keep is left open.
        undisputed = self._undisputed(rivals)
        if not undisputed:
            return
        if len(undisputed) < len(rivals) and not self._clock.has_come(self._settled_at):
            yield Wait(self._settled_at)
            return
        rivals = undisputed
        stands = self._hypotheses.keeps(rivals[0])
        accounts = self._hypotheses.said_by(rivals)
        following = {each.following for each in accounts}
        is_agreed = stands and len(following) == 1 and None not in following
        if stands:
            yield from self._judge_past(rivals)
            # While hands are at work beside it, a stranger may be the very piece that makes another
            # ply of it.
            if best.strangers and (best.in_hand or self._hypotheses.is_disturbed(best)):
                return  # first the board must make sense
        if is_agreed and (doubted := self._doubted(rivals)):
            which = self._open_by(doubted).which()
            if which is None:
                return
            if len(which.options) > 1:
                yield from self._ask([which], doubted)
                return
            rivals = doubted
        match decide(accounts, index, self._clock_for(accounts, best)):
            case Tell():
                yield self._tell_next(rivals)
            case Withdraw(kept=kept):
                yield from self._retract(rivals, kept)
            case Wait() as wait if is_agreed or not stands:
                yield wait
            case _:  # it is open which step comes next, or whether one does
                if following == {None}:
                    yield from self._hear_answer(best)
                yield from self._ask(self._open_by(rivals).inquiries(), rivals)

    def _undisputed(self, rivals: list[Hypothesis]) -> list[Hypothesis]:
        """Return those that are agreed on whether what was told stands; none where that is open.

        Where play has gone on since, the likeliest of them is believed.
        """
        keeping = list(filter(self._hypotheses.keeps, rivals))
        if len(keeping) in (0, len(rivals)):
            return rivals
        if not self._hypotheses.has_gone_on(rivals):
            return []
        return keeping if self._hypotheses.keeps(rivals[0]) else rivals[:1]

    def _judge_past(self, rivals: Sequence[Hypothesis]) -> Considered:
        """Tell otherwise what was told long ago, where it was another by all of these."""
        wrong = self._history.told_wrongly(rivals)
        if wrong is None or rivals[0].is_lost(len(self._history.anchor.reported)):
            return
        if self._clock.has_come(self._settled_at):
            yield self._tell_otherwise(*wrong)
        else:
            yield Wait(self._settled_at)

    def _clock_for(self, accounts: Sequence[Rival[Squares]], best: Hypothesis) -> SpeechClock:
        """Return the clock by which it is decided on the rivals of which `best` is the first."""
        kept, index = max(each.kept for each in accounts), len(self._history.anchor.reported)
        settled_at, tells_at, withdraws_at = self._settled_at, math.inf, math.inf
        if kept == index and len(best.steps) > index and not best.is_lost(index):
            tells_at = self._resting.stands_at(best, index, self._changed_at)
        if kept < index and not (best.strangers or best.is_lost(kept, minds_pauses=True)):
            # To take back and tell again costs as much as six questions (`TAKING_BACK_S`), so that
            # it waits for hands that may put the piece right.
            withdraws_at = settled_at
            if len(best.steps) == kept + 1:
                # The hand that seems to show it may only have missed a square.
                came_at = best.landed_at[kept] or self._changed_at
                withdraws_at = max(settled_at, came_at + PRICES.SECOND_THOUGHT_S)
        return self._clock._replace(tells_at=tells_at, withdraws_at=withdraws_at)

    def _open_by(self, rivals: Sequence[Hypothesis]) -> Asking:
        """Return the questions that these leave open."""
        known = self._history, self._hypotheses
        return Asking(*known, rivals, self.number, self._changed_at, self._clock.now)

    def _judge_switches(self, best: Hypothesis) -> Considered:
        """Name a switch that has failed by every likely hypothesis, or follow that as a world."""
        likely = self._hypotheses.rivals(PRICES.FORGET)
        supposed = frozenset.intersection(*map(self._history.failed, likely))
        beside, level = partial(self.game.beside, best.after), self._history.trace.level
        self._suspicions.suppose(supposed, beside, level, self._clock.now)
        supposed -= self._history.standing_unseen(best)  # that is no failure, and hinders nothing
        index = len(self._history.anchor.reported)
        # What comes before the first piece that nobody saw leave does not hang on it.
        # A failed switch that a later step needs says nothing against an earlier one that was seen.
        is_before = None in best.lifted_at[index + 1 :] and best.lifted_at[index] is not None
        if not supposed or (is_before and len(supposed) == 1):
            return
        if len(supposed) > 1:
            yield []
        firm_at, (fault,) = self._firm_at(best), supposed
        if not self._clock.has_come(firm_at):
            yield Wait(firm_at)
            yield []
        if self._history.is_proven(fault, best):
            held_until = self._suspicions.held_until(fault, level)
            if self._clock.has_come(held_until):
                yield self._declare(*fault)
            yield Wait(held_until)
        if self._history.split_worlds(likely):
            self._hypotheses.forget()
            yield self._goes_on
            yield []

    def _think(self) -> Wait | None:
        """Search for accounts; return the wait until that may go on, None once it is done."""
        quiet_at = self._changed_at + PRICES.QUIET_S
        if self._hypotheses.is_lost and not self._clock.has_come(quiet_at):
            return Wait(quiet_at)
        while self._hypotheses.think(self._clock.now):
            if not self._may_leave:
                return None
            self._may_leave = self._leave_first()
            if not self._may_leave:
                self._hypotheses.forget()  # what is told next begins with what was told now
        return self._goes_on

    @property
    def _settled_at(self) -> float:
        """The time from which the board has stood still for long enough to be believed."""
        return self._changed_at + PRICES.HOLD_S * self._hypotheses.tempo.pace

    def _firm_at(self, best: Hypothesis) -> float:
        """Return when what nobody saw leave will have stood for longer than an illegal move does.

        Nobody plays on for so many plies after an illegal move.
        """
        blind = [at for at, lifted in enumerate(best.lifted_at) if lifted is None]
        down = [landed for at in blind if (landed := best.landed_at[at]) is not None]
        if blind and len(best.steps) > blind[-1] + FIRM_PLIES and not best.in_hand:
            return self._settled_at
        since = max(down, default=-math.inf) + PRICES.FIRM_S * self._hypotheses.tempo.pace
        return max(self._settled_at, since)

    @property
    def _goes_on(self) -> Wait:
        """The wait until a search that has paused may go on.

        Nothing else waits for this instant. Each such call does a bounded part (`WORK_OF_A_CALL`)
        of what a second of play allows, and once that is used up it waits for longer: so however
        often a search begins anew, calls at one instant come to an end.
        """
        return Wait(max(self._hypotheses.goes_on_at, self._clock.now))

    def _declare(self, square: Square, kind: FaultKind) -> list[Reading[Standing]]:
        """Name a switch that no longer follows, and leave it out of account."""
        self.faults[square] = kind
        self._history.ignore(square)
        self._hypotheses.forget()
        return [Reading(Fault(format_square(square), kind.value), self._clock.now)]

    def _doubted(self, rivals: list[Hypothesis]) -> list[Hypothesis]:
        """Return these and those by which the step that all of them share took another piece.

        None at all where it is sure enough what it took.
        """
        step = rivals[0].steps[len(self._history.anchor.reported)]
        if step.capture and self._odds_for(step) < PRICES.MARGIN:
            return self._hypotheses.rivals(PRICES.FORGET)
        more = self._hypotheses.taken_as_well()
        return [*rivals, *more] if more else []

    def _odds_for(self, step: Step[Standing]) -> float:
        """By how many nats a step is likelier than all else that may come next, together."""
        near = filter(self._hypotheses.keeps, self._hypotheses.rivals(PRICES.HOPELESS))
        return min(odds_for(step.squares, self._hypotheses.said_by(near)), PRICES.HOPELESS)

    def _tell_next(self, rivals: Sequence[Hypothesis]) -> list[Reading[Standing]]:
        """Tell the next step that all good hypotheses share, once it has stood."""
        best, index = rivals[0], len(self._history.anchor.reported)
        # What was taken back is told again only once something more has been seen.
        if best.steps[index].squares in self._denied:
            return []
        denied = self._questions.denied(rivals)
        if denied is not None:
            return self._tell_otherwise(*denied)
        step, number = best.steps[index], number_of(best.steps[index], self.number)
        # Nothing showed that its piece left, and people were not told either that it stands unseen:
        # of seven such that were told, two stood.
        is_known = step.from_square in self.faults or self._history.unseen >> step.from_square & 1
        is_dark = best.step_doubts[index] == LIFT_UNSEEN and not is_known
        if is_dark and (question := question_about(number, [step])) is not None:
            return self._put(question, (step,), is_certain=False)
        self._resting.learn(best, index)
        # What is in the air may only be adjusted: it answers nothing yet.
        answers = [] if best.in_hand else self._answers()
        doubts = best.doubts(index)
        shown = Evidence(best.lifted_at[index], best.landed_at[index], doubts, self._odds_for(step))
        news = self._tell(step, shown)
        self._may_leave = True
        return answers + news

    def _hear_answer(self, best: Hypothesis) -> Considered:
        """Tell what hands have answered who were asked before they were done, once it stands."""
        reported = self._history.anchor.reported
        last = len(reported) - 1
        if not reported or reported[last].is_over or best.in_hand or best.landed_at[last] is None:
            return
        stands_at = self._resting.stands_at(best, last, self._changed_at)
        if not self._clock.has_come(stands_at):
            yield Wait(stands_at)
        elif answers := self._answers():
            yield answers

    def _answers(self) -> list[Reading[Standing]]:
        """Return the answers on which all likely hypotheses agree."""
        keeping = filter(self._hypotheses.keeps, self._hypotheses.rivals(PRICES.FORGET))
        return self._questions.answers(list(keeping), self._clock.now)

    def _tell(self, step: Step[Standing], evidence: Evidence) -> list[Reading[Standing]]:
        """Tell one step."""
        number = number_of(step, self.number)
        doubts = evidence.doubts if evidence.landed_at is not None else (VICTIM_UNSEEN,)
        entry = Reported(number, (step,), evidence.landed_at, self._clock.now, doubts=doubts)
        self._history.anchor.reported.append(entry)
        return [telling(number, step, evidence, self._clock.now)]

    def _ask(self, inquiries: Iterable[Inquiry | Wait], rivals: Sequence[Hypothesis]) -> Considered:
        """Put the first of these questions whose time has come, and follow the rivals as worlds."""
        for inquiry in inquiries:
            if isinstance(inquiry, Wait):
                yield inquiry
            elif not self._clock.has_come(inquiry.at):
                yield Wait(inquiry.at)
            else:
                if inquiry.is_certain and self._history.split_worlds(rivals):
                    self._hypotheses.forget()
                yield self._put(inquiry.question, inquiry.options, is_certain=inquiry.is_certain)

    def _put(
        self, question: Question, options: tuple[Step[Standing], ...], *, is_certain: bool
    ) -> list[Reading[Standing]]:
        """Put a question; `is_certain` says that one of the options has been played."""
        entry = Reported(
            question.number,
            options,
            None,
            self._clock.now,
            doubts=(VICTIM_UNSEEN,),
            is_over=is_certain,
        )
        self._history.anchor.reported.append(entry)
        if options[0].is_ply:
            self._questions.open[question.number] = question
        self._may_leave = is_certain
        if not is_certain:
            self._hypotheses.forget()
        return [Reading(question, self._clock.now)]

    def _retract(self, rivals: Sequence[Hypothesis], kept: int) -> Considered:
        """Take back what was told and does not stand in any good hypothesis."""
        anchor = self._history.anchor
        self._denied.add(anchor.reported[kept].options[0].squares)
        readings = self._taken_back(anchor.reported[kept:])
        del anchor.reported[kept:]
        self._history.forget_undone(rivals[0])
        if not anchor.reported:
            self._history.reopen()
        yield readings

    def _return_to_earlier(self) -> Considered:
        """Go back to where the board stood as it does, if it makes no sense otherwise."""
        back = self._history.fits_earlier() if self._hypotheses.makes_no_sense else None
        if back is None:
            return
        quiet_at = self._changed_at + PRICES.SUSPECT_S * self._hypotheses.tempo.pace
        if self._clock.has_come(quiet_at):
            yield self._taken_back(self._history.return_to(back))
        else:
            yield Wait(quiet_at)

    def _tell_otherwise(
        self, number: int, options: Sequence[Step[Standing]]
    ) -> list[Reading[Standing]]:
        """Take back ply `number`, which was another, and all since, and tell it as it was."""
        retold = self._history.retell(number, options)
        readings = self._taken_back([entry for entry, _ in retold])
        for _, entry in retold:
            reading = telling_again(entry, self._clock.now)
            if isinstance(reading.event, Question):
                self._questions.open[entry.number] = reading.event
            readings.append(reading)
        return readings

    def _taken_back(self, undone: Sequence[Reported]) -> list[Reading[Standing]]:
        self._questions.forget(undone)
        self._hypotheses.forget()
        return [undoing(entry.number, entry.is_ply, self._clock.now) for entry in reversed(undone)]

    def _leave_first(self) -> bool:
        """Leave behind a ply that is certain by now, and return True if there may be more."""
        history, hypotheses = self._history, self._hypotheses
        plies = [entry for entry in history.anchor.reported if entry.is_ply]
        if len(plies) < (PLIES_HELD_UNSEEN if plies and plies[0].is_unseen else PLIES_HELD):
            return False
        keeping = hypotheses.keeping()
        if not keeping:
            return False
        best, landed_on = keeping[0], keeping[0].steps[0].to_square
        if best.in_hand >> landed_on & 1 and not self.game.ends_from(best.after, landed_on):
            return False  # what came down there has gone again: it may have been something else
        history.leave_first(keeping, hypotheses.cost, self._clock.now)
        hypotheses.forget()
        return True
