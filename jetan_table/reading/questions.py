"""Questions to the players: what may be asked, from when on, and what has been answered since.

Each question comes with the time from which it is worth asking, by `speaking`: hands mostly answer
it themselves by what they do next. It has one unknown: where a piece ended, or from where it came.
It stays open until people answer, or until all accounts that remain agree, and is open again if the
ply that answered it is taken back.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple

from rules import Square, format_square, squares_of

from ..game.events import Question
from .accounts import Reported
from .cost import Hypothesis
from .costs import PRICES
from .history import History
from .hypotheses import Hypotheses, Squares
from .matching import LIFT_LATE
from .readings import Answered, Asked, Evidence, P, Played, Reading, Step, Wandered
from .speaking import NEXT_SHOWS, AskOf, Rival, later_s, silence_s, what_to_say

TURNED_OUT = "what came later does not fit what was told before"
A_MOMENT_S = 1e-9  # times are told apart by no less


class Inquiry(NamedTuple, Generic[P]):
    """A question that may be put, or where there is none yet, when to look for one again."""

    at: float
    """From when on, in seconds on the table clock."""
    question: Question | None = None
    options: tuple[Step[P], ...] = ()
    """What it asks about, the likeliest first."""
    is_certain: bool = False
    """Whether one of them has been played."""


@dataclass(slots=True)
class Asking(Generic[P]):
    """Finds what is open by the `rivals`, the best hypotheses and those not clearly worse.

    `number` is that of the next ply; the board changed last at `changed_at`, in seconds.
    """

    history: History[P]
    hypotheses: Hypotheses[P]
    rivals: Sequence[Hypothesis[P]]
    number: int
    changed_at: float
    now: float

    def inquiries(self) -> Iterator[Inquiry[P]]:
        """Yield what may be asked where not all rivals have the same next step."""
        which = self.which()
        if which is not None:
            yield which
        held = [rival for rival in self.rivals if len(rival.steps) == self._index]
        if held and (hidden := self._hidden()):
            yield from self._whether(hidden, held, self.changed_at)
        elif held:
            yield from self._taken_by(held)

    def which(self) -> Inquiry[P] | None:
        """Ask which it was, where all rivals have another next step; None where they have none."""
        if any(len(rival.steps) <= self._index for rival in self.rivals):
            return None
        if self.hypotheses.wants_to_seek_fault(self.rivals):
            return None
        options = tuple(self.hypotheses.choices(self.rivals).values())
        question = question_about(number_of(options[0], self.number), options)
        if question is None:
            return None
        return Inquiry(self._asks_at(), question, options, is_certain=True)

    @property
    def _index(self) -> int:
        """How many steps have been told since the anchor."""
        return len(self.history.anchor.reported)

    def _taken_by(self, held: Sequence[Hypothesis[P]]) -> Iterator[Inquiry[P]]:
        """Ask what was taken by the piece that left first, of those that the best has in hand."""
        best, trace = held[0], self.history.trace
        if not best.in_hand or best.strangers or best.fault is not None:
            return
        since, gone = min((trace.changes[each][-1], each) for each in squares_of(best.in_hand))
        soonest = since + silence_s(1.0)
        if soonest > self.now + A_MOMENT_S:
            yield Inquiry(soonest)
            return
        if not self.hypotheses.suppose_unseen(self.now):
            yield Inquiry(self.now)
            return
        found = self._unseen(best, gone)
        if not found:
            return
        # Where more is in the air, or what it took was seen to leave, hands were at work until now.
        is_seen = any(each.landed_at[self._index] is not None for each in found)
        still_since = self.changed_at if is_seen or best.in_hand != 1 << gone else since
        least_s = silence_s(NEXT_SHOWS) if any(each.in_hand for each in found) else 0.0
        yield from self._whether(found, held, still_since, least_s)

    def _hidden(self) -> list[Hypothesis[P]]:
        """Return those by which pieces over switches that have failed may have taken unseen.

        They come next. None where something else may have happened, or is about to.
        """
        index, failed = self._index, self.history.trace.ignored
        hidden = [rival for rival in self.rivals if len(rival.steps) == index + 1]
        has_rival = any(len(r.steps) > index + 1 or r.in_hand | r.strangers for r in self.rivals)
        blind = all(failed >> rival.steps[-1].from_square & 1 for rival in hidden)
        return hidden if blind and not has_rival else []

    def _unseen(self, best: Hypothesis[P], gone: Square) -> list[Hypothesis[P]]:
        """Return those by which the piece that `best` holds in the air, from `gone`, took another.

        None where all of them are too unlikely, the best by more than twice the margin, or what it
        can have taken is in the air as well. Where one was seen to take, none clearly worse.
        """
        found = [
            hypothesis
            for hypothesis in self.hypotheses.keeping()
            if len(hypothesis.steps) == self._index + 1
            and hypothesis.in_hand == best.in_hand & ~(1 << gone)
            and hypothesis.steps[-1].from_square == gone
            and not hypothesis.strangers
            and hypothesis.fault is None
            and hypothesis.steps[-1].is_ply
        ]
        cheapest = min((hypothesis.cost for hypothesis in found), default=0.0)
        is_likely = cheapest < best.cost + PRICES.RETRACT + PRICES.MARGIN
        if not is_likely or any(best.in_hand >> each.steps[-1].to_square & 1 for each in found):
            return []
        is_seen = any(hypothesis.landed_at[-1] is not None for hypothesis in found)
        most = cheapest + PRICES.FORGET if is_seen else math.inf
        return [hypothesis for hypothesis in found if hypothesis.cost < most]

    def _asks_at(self) -> float:
        """Return when to ask which step came next: once silence costs more than it may save.

        Whether anything was taken at all is shown by the reply, or by a piece in the air; but not
        what a piece took, or which of several came to where one did. Where one was not seen to
        leave, its switch may open as soon as a piece beside is moved.
        """
        rivals, index = self.rivals, self._index
        replies = [[at for at in r.landed_at[index + 1 :] if at is not None] for r in rivals]
        landed = [reply[0] for reply in replies if reply]
        has_replied = len(landed) == len(rivals)
        steps = [rival.steps[index] for rival in rivals]
        captures = [step.capture for step in steps]
        is_open = any(captures) and not all(captures)
        lifted_at = [rival.lifted_at[index] for rival in rivals]
        is_late = all(at is None for at in lifted_at)
        has_left = all(
            at is not None or rival.step_doubts[index] == LIFT_LATE
            for at, rival in zip(lifted_at, rivals, strict=True)
        )
        hold_s = PRICES.HOLD_S * max(self.hypotheses.tempo.pace, 1.0)
        shown = [reply[2] for reply in replies if reply[2:]]
        if len(shown) == len(rivals) and has_left:
            return max(shown) + hold_s
        if any(rival.in_hand for rival in rivals) and (is_open or is_late):
            return math.inf
        if is_late and not has_left:
            return max(landed, default=self.changed_at) + later_s()
        if is_open and not has_replied:
            return self.changed_at + later_s()
        came_there = has_left and len({step.to_square for step in steps}) == 1
        quiet_at = self.changed_at + silence_s(NEXT_SHOWS)
        if not has_replied or not (all(captures) or came_there):
            return quiet_at
        return min(quiet_at, max(landed) + hold_s)

    def _whether(
        self,
        found: Sequence[Hypothesis[P]],
        others: Sequence[Hypothesis[P]],
        since: float,
        least_s: float = 0.0,
    ) -> Iterator[Inquiry[P]]:
        """Ask which step of those `found` was played, if any; by the `others` none of them was.

        Nothing has shown it `since` then; it is waited for `least_s` seconds at the least.
        """
        cost, index = self.hypotheses.cost, self._index
        without: list[Rival[Squares]] = [Rival(cost(each), index, None) for each in others]
        what = what_to_say([*without, *self.hypotheses.said_by(found)], index)
        if not isinstance(what, AskOf):
            return
        if len(what.options) > 1:  # which of them, the reply hardly shows
            wait_s = silence_s(1.0 - what.played, what.played)
        else:  # that it was taken, the reply shows
            wait_s = later_s(what.played)
        steps = {each.steps[index].squares: each.steps[index] for each in found}
        options = tuple(steps[squares] for squares in what.options)
        question = question_about(number_of(options[0], self.number), options)
        if question is not None:
            yield Inquiry(since + max(wait_s, least_s), question, options)


def number_of(step: Step[P], number: int) -> int:
    """The number of the ply that a step is, or that it follows; `number` is that of the next."""
    return number if step.is_ply else number - 1


def question_about(number: int, steps: Iterable[Step[P]]) -> Question | None:
    """Ask which of these steps ply `number` was; None where no one question tells them apart.

    Nor where one of them is a ply and another is none: what happens next will tell.
    """
    steps = list(steps)
    if len({step.is_ply for step in steps}) > 1:
        return None
    is_ply = steps[0].is_ply
    sources, targets = (
        [format_square(square) for square in sorted(set(ends))]
        for ends in zip(*(step.squares for step in steps), strict=True)
    )
    if len(sources) == 1:
        return Question(number, sources[0], tuple(targets), is_ply=is_ply)
    if len(targets) == 1:
        return Question(number, None, tuple(sources), targets[0], is_ply)
    return None


def telling_again(entry: Reported[P], at: float) -> Reading[P]:
    """Return the reading by which it is told again, as it has turned out to be.

    Where that is not certain, it is asked: its options are captures by one piece.
    """
    question = question_about(entry.number, entry.options) if entry.is_open else None
    if question is not None:
        return Asked(question, at)
    step = entry.options[0]
    if not entry.is_ply:
        return Wandered(entry.number, step, at)
    return Played(
        entry.number, step, Evidence(None, entry.landed_at, (TURNED_OUT,), PRICES.MARGIN), at
    )


class OpenQuestions(Generic[P]):
    """The questions of a `history` that are open, and those that the game has answered."""

    def __init__(self, history: History[P]) -> None:
        self._history = history
        self.open: dict[int, Question] = {}  # by the number of the ply
        self._answered: dict[int, Step[P]] = {}  # by the last ply, which may be taken back

    @property
    def latest(self) -> Question | None:
        """The question that was put last, of those that are open."""
        return next(reversed(self.open.values()), None)

    def forget(self, undone: Iterable[Reported[P]]) -> None:
        """What was told, or asked, has been taken back."""
        for entry in undone:
            if entry.is_ply:
                self.open.pop(entry.number, None)
                self._answered.pop(entry.number, None)

    def believe_answers(self) -> None:
        """What the game has answered is certain."""
        for number in list(self._answered):
            self._history.answered(number, self._answered.pop(number))

    def answers(self, rivals: Sequence[Hypothesis[P]], now: float) -> list[Reading[P]]:
        """Tell which questions the game itself has answered: all these hypotheses agree.

        The ply that answers one may be taken back: it is certain if the next agrees with it.
        """
        found: list[Reading[P]] = []
        for number in list(self._answered):
            if self._answer_to(number, rivals) is not None:
                self._history.answered(number, self._answered.pop(number))
        for number in list(self.open):
            step = self._answer_to(number, rivals)
            if step is not None:
                del self.open[number]
                self._answered[number] = step
                found.append(Answered(number, step, now))
        return found

    def denied(self, rivals: Sequence[Hypothesis[P]]) -> tuple[int, list[Step[P]]] | None:
        """Return the ply that the game has answered otherwise than all these say, and what it was.

        None where there is none.
        """
        for number, answer in self._answered.items():
            step = self._answer_to(number, rivals)
            if step is not None and step.squares != answer.squares:
                return number, [step]
        return None

    def _answer_to(self, number: int, rivals: Sequence[Hypothesis[P]]) -> Step[P] | None:
        """Return what ply `number` was by all these hypotheses; None where they differ."""
        anchor = self._history.anchor
        steps: dict[object, Step[P]] = {}
        for rival in rivals:
            for asked, step in anchor.worlds[rival.world].asked:
                if asked == number and step.is_ply:
                    steps[step.squares] = step
            for entry, step in zip(anchor.reported, rival.steps, strict=False):
                if entry.number == number and entry.is_ply:
                    steps[step.squares] = step
        return next(iter(steps.values())) if len(steps) == 1 else None
