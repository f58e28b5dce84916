"""Questions to the players: what the board cannot show, and what has been answered since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic

from . import costs
from .cost import Hypothesis
from .history import History
from .readable_game import P, Step
from .readings import (
    Answered,
    Asked,
    Evidence,
    Played,
    Reading,
    Recalled,
    TakenBack,
    Wandered,
)
from .worlds import Reported

TURNED_OUT = "what came later does not fit what was told before"


def question_about(number: int, steps: Iterable[Step[P]], at: float) -> Asked | None:
    """Ask which of these steps ply `number` was; None where no one question tells them apart.

    Nor where one of them is a ply and another is none: what happens next will tell.
    """
    steps = list(steps)
    if len({step.is_ply for step in steps}) > 1:
        return None
    squares = {step.squares for step in steps}
    sources = sorted({source for source, _ in squares})
    targets = sorted({target for _, target in squares})
    if len(sources) == 1:
        return Asked(number, sources[0], tuple(targets), at)
    if len(targets) == 1:
        return Asked(number, None, tuple(sources), at, targets[0])
    return None


def undoing(entry: Reported[P], at: float) -> Reading[P]:
    """Return the reading by which what was told no longer stands."""
    return TakenBack(entry.number, at) if entry.is_ply else Recalled(entry.number, at)


def telling_again(entry: Reported[P], at: float) -> Reading[P]:
    """Return the reading by which it is told again, as it has turned out to be.

    Where that is not certain, it is asked: its options are captures by one piece.
    """
    question = question_about(entry.number, entry.options, at) if len(entry.options) > 1 else None
    if question is not None:
        return question
    step = entry.options[0]
    if not entry.is_ply:
        return Wandered(entry.number, step, at)
    return Played(
        entry.number, step, Evidence(None, entry.landed_at, (TURNED_OUT,), costs.MARGIN), at
    )


class OpenQuestions(Generic[P]):
    """The questions of a `history` that are open, and those that the game has answered."""

    def __init__(self, history: History[P]) -> None:
        self._history = history
        self._open: dict[int, Asked] = {}
        self._answered: dict[int, Step[P]] = {}  # by the last ply, which may be taken back

    @property
    def latest(self) -> Asked | None:
        """The question that was put last, of those that are open."""
        return next(reversed(self._open.values()), None)

    @property
    def has_answers(self) -> bool:
        """Whether the last ply has answered something, which is open again if it is taken back."""
        return bool(self._answered)

    def get(self, number: int) -> Asked | None:
        """Return the open question about ply `number`, if there is one."""
        return self._open.get(number)

    def ask(self, question: Asked) -> None:
        """A question has been put."""
        self._open[question.number] = question

    def forget(self, undone: Iterable[Reported[P]]) -> None:
        """What was told, or asked, has been taken back."""
        for entry in undone:
            if entry.is_ply:
                self._open.pop(entry.number, None)
                self._answered.pop(entry.number, None)

    def believe_answers(self) -> None:
        """What the game has answered is certain."""
        for number in list(self._answered):
            self._history.answered(number, self._answered.pop(number))

    def answers(self, rivals: Sequence[Hypothesis[P]], now: float) -> list[Reading[P]]:
        """Tell which questions the game itself has answered: all these hypotheses agree.

        The ply that answers one may be illegal, and be taken back: only if the next agrees with it
        is nothing else followed any more.
        """
        found: list[Reading[P]] = []
        for number in list(self._answered):
            if self._answer_to(number, rivals) is not None:
                self._history.answered(number, self._answered.pop(number))
        for number in list(self._open):
            step = self._answer_to(number, rivals)
            if step is not None:
                del self._open[number]
                self._answered[number] = step
                found.append(Answered(number, step, now))
        return found

    def unsay(self, rivals: Sequence[Hypothesis[P]], now: float) -> list[Reading[P]]:
        """Tell again, with all since, what the game has answered and all these deny."""
        for number, answer in self._answered.items():
            step = self._answer_to(number, rivals)
            if step is not None and step.squares != answer.squares:
                del self._answered[number]
                undone = [undoing(entry, now) for entry in reversed(self._history.since(number))]
                self._history.answered(number, step)
                return undone + [telling_again(entry, now) for entry in self._history.since(number)]
        return []

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
