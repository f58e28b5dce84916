"""The reader: from what the switches show to what the hands have played.

It keeps an *anchor*, a position that is certain, and the trace of everything since. From there it
explains the trace by sequences of legal steps (see `explain`), tells what all good explanations
agree on once it has stood for a moment, and goes on weighing: what was told last is amended when
the hands go on differently, until the other side has played. A capture whose victim the board
cannot show is asked about, and every possibility is followed until a later ply decides.

Nothing here knows a piece, a clock or a driver; times are those of the observations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Generic

from hardware.ports import Observation, presence
from hardware.switches import FaultKind
from rules import Square, squares_of

from . import costs as w
from .cost import Hypothesis
from .history import History
from .hypotheses import Hypotheses
from .questions import answers_to, hidden_captures, is_agreed, question_about, unseen_captures
from .readable_game import P, ReadableGame, Step
from .readings import (
    Answered,
    Asked,
    Belief,
    Evidence,
    Failed,
    Followed,
    Played,
    Reading,
    Recalled,
    TakenBack,
    Wandered,
)
from .worlds import Reported

FURTHEST_BACK = 8  # plies that hands may take back at once
MAX_NEWS = 32  # more at one moment would mean going in circles


class SwitchReader(Generic[P]):
    """Reads observations into plies.

    `position` is what the board should show at first, `number` that of the next ply, `faults` the
    switches known to have failed.
    """

    def __init__(
        self,
        board: ReadableGame[P],
        position: P,
        number: int = 1,
        faults: Mapping[Square, FaultKind] | None = None,
    ) -> None:
        self.board = board
        self.faults: dict[Square, FaultKind] = dict(faults or {})
        self.due: float | None = None
        self._first_number = number
        self._history = History(board, position, sum(1 << square for square in self.faults))
        self._judgement = Hypotheses(board, self._history)
        self._open_questions: dict[int, Asked] = {}
        self._now = 0.0
        self._changed_at = 0.0

    def observe(self, observation: Observation) -> list[Reading[P]]:
        """Take in what a sensor saw, and return what follows from it."""
        trace = self._history.anchor.trace
        followed: list[Reading[P]] = []
        for square, evidence in observation.squares.items():
            if evidence is None:
                continue
            occupied = presence(evidence) > 0
            is_another = self._judgement.see_colour(square, evidence, observation.at)
            if square in self.faults and self.faults[square].is_disproved(occupied):
                del self.faults[square]
                self._judgement.clear(square)
                trace.heed(square, occupied, observation.at)
                followed.append(Followed(square, observation.at))
            elif not trace.add(square, occupied, observation.at, is_another):
                continue
            if not is_another and self._judgement.is_flicker(square, self._now):
                self._judgement.flickering.learn(square)
            else:
                self._changed_at = observation.at
            self._history.trust(square)
            self._judgement.trust(square)
            self._judgement.forget()
        return followed + self.tick(observation.at)

    def tick(self, now: float) -> list[Reading[P]]:
        """Let time pass, and return what has become certain by it."""
        self._now = now
        readings: list[Reading[P]] = []
        for _ in range(MAX_NEWS):
            news = self._conclude()
            if not news:
                break
            readings += news
        return readings

    def answer(self, number: int, square: Square) -> list[Reading[P]]:
        """The players say which of its candidates a question meant; the one on `square`.

        Raises ValueError where ply `number` is not in question, `square` is no candidate of it, or
        what was played since cannot follow from that.
        """
        question = self._open_questions.get(number)
        if question is None or square not in question.candidates:
            raise ValueError(f"ply {number} was not asked about, or {square} is no candidate")

        def is_meant(step: Step[P]) -> bool:
            return square == (step.to_square if question.to_square is None else step.from_square)

        if not self._history.settle(number, is_meant, self._now):
            raise ValueError(f"what was played since ply {number} cannot follow from that")
        self._judgement.forget()
        keeping = list(filter(self._judgement.keeps, self._judgement.explanations(self._now)))
        return self._answers(keeping) + self.tick(self._now)

    @property
    def number(self) -> int:
        """The number of the next ply."""
        return self._first_number + self._history.plies_told

    @property
    def belief(self) -> Belief[P]:
        """What the reader holds true now."""
        position = self._position()
        question = next(reversed(self._open_questions.values()), None)
        missing, extra = self._history.anchor.trace.differences(self.board.occupied(position))
        empty, more = frozenset(missing), frozenset(extra)
        faults = dict(self.faults)
        return Belief(position, self.number, tuple(missing), empty, more, question, faults)

    def _position(self) -> P:
        """The likeliest position after all that has been told."""
        anchor = self._history.anchor
        for explanation in self._judgement.explanations(self._now):
            if self._judgement.keeps(explanation):
                if not anchor.told:
                    return anchor.worlds[explanation.world].position
                return explanation.steps[len(anchor.told) - 1].after
        return anchor.told[-1].options[0].after if anchor.told else anchor.worlds[0].position

    def _conclude(self) -> list[Reading[P]]:
        """Tell the next thing that has become certain; nothing where all is told."""
        anchor = self._history.anchor
        self.due = None
        if self._history.is_unmoved():
            if not anchor.trace.changes:
                return []
            if not self._history.may_hide_a_capture():
                self._history.forget_touches()
                self._judgement.forget()
                return []
        ask_again = self._judgement.seek_fault(self._now, self._changed_at)
        if ask_again is not None:
            self._wait_until(ask_again)
        rivals = self._judgement.rivals(self._now)
        if not rivals:
            return []
        best = rivals[0]
        likely = self._judgement.rivals(self._now, w.FORGET)
        supposed = frozenset.intersection(*map(self._history.failed, likely))
        if supposed:
            return self._declare(*min(supposed)) if self._stands_firm(best) else []
        if not any(self._judgement.keeps(rival) for rival in rivals):
            return self._retract(rivals)
        if not all(self._judgement.keeps(rival) for rival in rivals):
            return []
        wrong = self._history.told_wrongly(rivals)
        if wrong is not None and not best.is_lost(len(anchor.told)) and self._has_settled():
            return self._tell_otherwise(*wrong)
        if best.strangers and (best.in_hand or self._judgement.is_disturbed(best)):
            return self._return_to_earlier(best)  # first the board must make sense
        if is_agreed(rivals, len(anchor.told)):
            is_open = self._judgement.is_outweighed(self._now)
            return [] if is_open else self._tell_next(rivals)
        asked = self._ask(rivals) or self._ask_hidden(rivals) or self._ask_overdue(best)
        return asked or self._return_to_earlier(best)

    def _has_settled(self) -> bool:
        """Whether nothing has changed for long enough to be told."""
        return self._wait_until(self._changed_at + w.HOLD_S * self._judgement.tempo.pace)

    def _stands_firm(self, best: Hypothesis[P]) -> bool:
        """Whether what nobody saw leave has stood for longer than an illegal move stands."""
        pairs = zip(best.lifted_at, best.landed_at, strict=True)
        blind = [landed for lifted, landed in pairs if lifted is None and landed is not None]
        since = max(blind, default=-math.inf) + w.OVERDUE_S * self._judgement.tempo.pace
        return self._has_settled() and self._wait_until(since)

    def _wait_until(self, at: float) -> bool:
        """Whether `at` has come; else ask to be called then."""
        if at <= self._now + 1e-9:
            return True
        self.due = at if self.due is None else min(self.due, at)
        return False

    def _declare(self, square: Square, kind: FaultKind) -> list[Reading[P]]:
        """Name a switch that no longer follows, and leave it out of account."""
        self.faults[square] = kind
        self._history.ignore(square)
        self._judgement.forget()
        return [Failed(square, kind, self._now)]

    def _tell_next(self, rivals: list[Hypothesis[P]]) -> list[Reading[P]]:
        """Tell the next step that all good explanations share, once it has stood."""
        anchor = self._history.anchor
        best = rivals[0]
        index = len(anchor.told)
        if best.is_lost(index):
            return []
        step = best.steps[index]
        landed_at = best.landed_at[index]
        is_last = len(best.steps) == index + 1
        gone = bool(best.in_hand >> step.to_square & 1)
        is_unsure = best.hasty or landed_at is None or gone
        if (is_last and is_unsure) or (gone and self._judgement.is_poor(best)):
            return []  # what comes next will show
        settled, decisive = landed_at, index
        if settled is None or gone:  # what came next has shown it, and must stand as well
            down = [at for at in best.landed_at[index:] if at is not None]
            settled, decisive = max(down, default=self._changed_at), len(best.steps) - 1
        hold_s = self._judgement.hold_s(best, decisive)
        sliding_until = self._changed_at + w.OVERLAP_SLIDE_S * self._judgement.tempo.pace
        if not self._wait_until(max(settled + hold_s, sliding_until)):
            return []
        lifted_at = best.lifted_at[index]
        if step.is_ply and not step.capture and not best.doubts and lifted_at and landed_at:
            self._judgement.tempo.learn(landed_at - lifted_at)
        # What is in the air may only be adjusted: it answers nothing yet.
        keeping = filter(self._judgement.keeps, self._judgement.rivals(self._now, w.FORGET))
        answers = [] if best.in_hand else self._answers(list(keeping))
        margin = self._judgement.margin(self._now, len(rivals))
        told = self._tell(step, Evidence(lifted_at, landed_at, best.doubts, margin))
        self._advance(best)
        return answers + told

    def _number_of(self, step: Step[P]) -> int:
        """The number of the ply that `step` is, or that it follows."""
        return self.number if step.is_ply else self.number - 1

    def _tell(self, step: Step[P], evidence: Evidence) -> list[Reading[P]]:
        """Tell one step."""
        number = self._number_of(step)
        is_doubtful = evidence.landed_at is None or bool(evidence.doubts)
        told = Reported(number, (step,), evidence.landed_at, self._now, is_doubtful=is_doubtful)
        self._history.anchor.told.append(told)
        if step.is_ply:
            return [Played(number, step, evidence, self._now)]
        return [Wandered(number, step, self._now)]

    def _ask(self, rivals: list[Hypothesis[P]]) -> list[Reading[P]]:
        """Ask, where all good explanations hold another step but cannot agree on which."""
        index = len(self._history.anchor.told)
        if any(len(rival.steps) <= index for rival in rivals):
            return []
        if self._judgement.wants_to_seek_fault(rivals):
            return []
        steps = self._judgement.choices(self._now, rivals)
        number = self._number_of(next(iter(steps.values())))
        question = question_about(number, steps.values(), self._now)
        if question is None or not self._has_settled():
            return []
        if self._history.split_worlds(rivals):
            self._judgement.forget()
        return self._put(question, tuple(steps.values()), rivals[0])

    def _ask_hidden(self, rivals: list[Hypothesis[P]]) -> list[Reading[P]]:
        """Ask whether a piece that no switch shows has taken what may only have been touched."""
        anchor = self._history.anchor
        steps = hidden_captures(rivals, len(anchor.told), anchor.trace.ignored)
        if not steps or not self._wait_until(
            self._changed_at + w.OVERDUE_S * self._judgement.tempo.pace
        ):
            return []
        question = question_about(self._number_of(steps[0]), steps, self._now)
        return [] if question is None else self._put(question, tuple(steps), None)

    def _ask_overdue(self, best: Hypothesis[P]) -> list[Reading[P]]:
        """Ask what a piece has taken that has been gone for longer than a hand holds one.

        Where it can have taken one piece only, that is asked later: it may as well have been put
        down where a switch has failed.
        """
        anchor = self._history.anchor
        if len(best.steps) > len(anchor.told) or best.strangers or best.in_hand.bit_count() != 1:
            return []
        since = anchor.trace.changes[next(squares_of(best.in_hand))][-1]
        if not self._wait_until(since + w.OVERDUE_S * self._judgement.tempo.pace):
            return []
        found = unseen_captures(
            filter(self._judgement.keeps, self._judgement.suppose_unseen(self._now)),
            best,
            len(anchor.told),
        )
        if not found:
            return []
        steps = {e.steps[-1].squares: e.steps[-1] for e in found}
        patience_s = w.OVERDUE_S if len(steps) > 1 else w.ONLY_ONE_S
        if not self._wait_until(since + patience_s * self._judgement.tempo.pace):
            return []
        question = question_about(self.number, steps.values(), self._now)
        return [] if question is None else self._put(question, tuple(steps.values()), None)

    def _put(
        self, question: Asked, options: tuple[Step[P], ...], best: Hypothesis[P] | None
    ) -> list[Reading[P]]:
        """Put a question; with `best` it is certain that one of the options has been played."""
        told = Reported(question.number, options, None, self._now, is_doubtful=True)
        self._history.anchor.told.append(told)
        if options[0].is_ply:
            self._open_questions[question.number] = question
        if best is None:
            self._judgement.forget()
        else:
            self._advance(best)
        return [question]

    def _retract(self, rivals: list[Hypothesis[P]]) -> list[Reading[P]]:
        """Take back what was told and does not stand in any good explanation."""
        kept = max(self._judgement.kept(rival) for rival in rivals)
        if rivals[0].strangers or rivals[0].is_lost(kept) or not self._has_settled():
            return []
        anchor = self._history.anchor
        if anchor.told[kept].told_at == self._now:
            return []  # to and fro in one moment would never end
        readings = self._taken_back(anchor.told[kept:])
        del anchor.told[kept:]
        if not anchor.told and not rivals[0].steps and self._history.past:
            self._history.step_back(self._now)
        elif not anchor.told:
            self._history.reopen()
        return readings

    def _return_to_earlier(self, best: Hypothesis[P]) -> list[Reading[P]]:
        """Where the board makes no sense, but stands as it did some plies ago: go back there."""
        if not best.strangers:
            return []
        back = self._history.fits_earlier(FURTHEST_BACK)
        quiet_at = self._changed_at + w.SUSPECT_S * self._judgement.tempo.pace
        if back is None or not self._wait_until(quiet_at):
            return []
        return self._taken_back(self._history.return_to(back))

    def _tell_otherwise(self, number: int, options: Sequence[Step[P]]) -> list[Reading[P]]:
        """Ply `number` was not what was told: take back all since, and tell it as it was."""
        retold = self._history.retell(number, options)
        readings = self._taken_back([told for told, _ in retold])
        for _, told in retold:
            reading = told_again(told, self._now)
            if isinstance(reading, Asked):
                self._open_questions[told.number] = reading
            readings.append(reading)
        return readings

    def _taken_back(self, undone: Sequence[Reported[P]]) -> list[Reading[P]]:
        for told in undone:
            if told.is_ply:
                self._open_questions.pop(told.number, None)
        self._judgement.forget()
        return [taken_back(told, self._now) for told in reversed(undone)]

    def _advance(self, best: Hypothesis[P]) -> None:
        """Leave plies behind of which the last but one stands, because the other side has acted."""
        history, judgement = self._history, self._judgement
        while sum(told.is_ply for told in history.anchor.told) > 1:
            landed_on = best.steps[0].to_square
            if best.in_hand >> landed_on & 1 and not self.board.ends_from(best.after, landed_on):
                return  # what came down there has gone again: it may have been something else
            keeping = list(filter(judgement.keeps, judgement.explanations(self._now)))
            if not keeping:
                break
            left = len(history.anchor.told)
            history.leave_first(keeping, lambda e: judgement.settled_cost(e, self._now), self._now)
            for told in history.past[-1].told:
                judgement.flickering.carry(told.options)
            judgement.forget()
            best = next(filter(judgement.keeps, judgement.explanations(self._now)), best)
            if len(best.steps) < left - len(history.past[-1].told):
                break
        judgement.forget()

    def _answers(self, rivals: list[Hypothesis[P]]) -> list[Reading[P]]:
        """Tell which questions the game itself has answered: all these explanations agree."""
        anchor = self._history.anchor
        found: list[Reading[P]] = []
        for number in list(self._open_questions):
            steps = answers_to(number, rivals, anchor.worlds, anchor.told)
            if len(steps) == 1:
                del self._open_questions[number]
                self._history.answered(number, steps[0])
                found.append(Answered(number, steps[0], self._now))
        return found


TURNED_OUT = "what came later does not fit what was told before"


def taken_back(told: Reported[P], at: float) -> Reading[P]:
    """Return the reading by which what was told no longer stands."""
    return TakenBack(told.number, at) if told.is_ply else Recalled(told.number, at)


def told_again(told: Reported[P], at: float) -> Reading[P]:
    """Return the reading by which it is told again, as it has turned out to be.

    Where that is not certain, it is asked: its options are captures by one piece.
    """
    question = question_about(told.number, told.options, at) if len(told.options) > 1 else None
    if question is not None:
        return question
    step = told.options[0]
    if not told.is_ply:
        return Wandered(told.number, step, at)
    return Played(told.number, step, Evidence(None, told.landed_at, (TURNED_OUT,), w.MARGIN), at)
