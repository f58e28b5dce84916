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
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Generic

from hardware.ports import Observation, presence
from jetan_table.reading import weights as w
from rules import Square

from .account import Scene
from .board import Board, P, Step
from .explain import Explainer, Told, World, count_kept
from .flicker import Flickering
from .readings import (
    Answered,
    Asked,
    Belief,
    Evidence,
    Failed,
    FaultKind,
    Played,
    Reading,
    Recalled,
    TakenBack,
    Wandered,
)
from .tempo import Tempo
from .trace import Trace, squares_of
from .weigh import Explanation

MAX_WORLDS = 48
JUST_BEFORE_S = 1e-4


@dataclass(slots=True)
class Anchor(Generic[P]):
    """Worlds that are possible at one moment, and the trace since."""

    worlds: list[World[P]]
    trace: Trace
    told: list[Told[P]] = field(default_factory=list)


class Reader(Generic[P]):
    """Reads observations into plies.

    `position` is what the board should show at first, `number` that of the next ply, `faults` the
    switches known to have failed.
    """

    def __init__(
        self,
        board: Board[P],
        position: P,
        number: int = 1,
        faults: Mapping[Square, FaultKind] | None = None,
    ) -> None:
        self.board = board
        self.explainer = Explainer(board)
        self.tempo = Tempo()
        self.flickering = Flickering()
        self.faults: dict[Square, FaultKind] = dict(faults or {})
        self.due: float | None = None
        self._first_number = number
        occupied = board.occupied(position)
        ignored = sum(1 << square for square in self.faults)
        self._anchor = Anchor([World(position, 0.0)], Trace(occupied, occupied, ignored))
        self._past: list[Anchor[P]] = []
        self._explanations: list[Explanation[P]] | None = None
        self._open_questions: dict[int, Asked] = {}
        self._now = 0.0
        self._suspected = False
        self._changed_at = 0.0

    # ------------------------------------------------------------------ what goes in

    def observe(self, observation: Observation) -> list[Reading[P]]:
        """Take in what a sensor saw, and return what follows from it."""
        trace = self._anchor.trace
        for square, evidence in observation.squares.items():
            if evidence is None:
                continue
            if not trace.add(square, presence(evidence) > 0, observation.at):
                continue
            if trace.level >> square & 1 and self._is_flicker(square):
                self.flickering.learn(square)
            else:
                self._changed_at = observation.at
            self._explanations = None
        return self.tick(observation.at)

    def tick(self, now: float) -> list[Reading[P]]:
        """Let time pass, and return what has become certain by it."""
        self._now = now
        readings: list[Reading[P]] = []
        while True:
            news = self._conclude()
            if not news:
                return readings
            readings += news

    def answer(self, number: int, square: Square) -> list[Reading[P]]:
        """The players say that ply `number` took the piece on `square`."""
        question = self._open_questions.get(number)
        if question is None or square not in question.candidates:
            raise ValueError(f"ply {number} was not asked about, or {square} is no candidate")

        def is_meant(step: Step[P]) -> bool:
            return square == (step.to_square if question.to_square is None else step.from_square)

        anchor = self._anchor
        for index, told in enumerate(anchor.told):
            if told.number == number and told.is_ply:
                chosen = tuple(step for step in told.options if is_meant(step))
                anchor.told[index] = Told(number, chosen, told.landed_at)
        anchor.worlds = [
            world
            for world in anchor.worlds
            if all(n != number or is_meant(step) for n, step in world.asked)
        ]
        self._explanations = None
        return self._answers(self._explain()) + self.tick(self._now)

    # ------------------------------------------------------------------ what is believed

    @property
    def number(self) -> int:
        """The number of the next ply."""
        plies = sum(told.is_ply for anchor in (*self._past, self._anchor) for told in anchor.told)
        return self._first_number + plies

    @property
    def belief(self) -> Belief[P]:
        """What the reader holds true now."""
        position = self._position()
        trace = self._anchor.trace
        expected = self.board.occupied(position)
        differs = (trace.level ^ expected) & ~trace.ignored
        missing = [Square(s) for s in squares_of(differs & expected)]
        lifted = sorted(missing, key=lambda s: trace.changes.get(s, [0.0])[-1])
        question = next(reversed(self._open_questions.values()), None)
        return Belief(
            position,
            self.number,
            tuple(lifted),
            frozenset(missing),
            frozenset(Square(s) for s in squares_of(differs & ~expected)),
            question,
            dict(self.faults),
        )

    def _position(self) -> P:
        """The likeliest position after all that has been told."""
        anchor = self._anchor
        for explanation in self._explain():
            if len(explanation.steps) >= len(anchor.told) and all(
                told.allows(step)
                for told, step in zip(anchor.told, explanation.steps, strict=False)
            ):
                if not anchor.told:
                    return anchor.worlds[explanation.world].position
                return explanation.steps[len(anchor.told) - 1].after
        return anchor.told[-1].options[0].after if anchor.told else anchor.worlds[0].position

    # ------------------------------------------------------------------ explaining

    def _explain(self) -> list[Explanation[P]]:
        """All explanations of the trace, best first; computed anew when something has changed."""
        if self._explanations is not None:
            return self._explanations
        anchor = self._anchor
        found = self.explainer.explain(anchor.worlds, self._scene(), anchor.told)
        found.sort(key=self._cost)
        self._explanations = found
        self._suspected = False
        return found

    def _scene(self) -> Scene:
        trace = self._anchor.trace
        return Scene(
            trace=trace,
            ignored=trace.ignored,
            flickering=self.flickering.mask,
            pace=self.tempo.pace,
            now=self._now,
            opened=trace.opened(),
            closed=trace.closed(),
        )

    def _suspect(self) -> None:
        """Where the board is quiet and yet unexplained, ask whether a switch has failed."""
        if self._suspected or not self._explanations:
            return
        best = self._explanations[0]
        rise_at = self._changed_at + w.RISE_S * max(self.tempo.pace, 1.0)
        if best.in_hand and not best.strangers and not best.hasty and not self._wait_until(rise_at):
            return
        if not best.in_hand and not best.strangers and not best.doubts:
            return
        if not self._wait_until(self._changed_at + w.SUSPECT_S * self.tempo.pace):
            return
        self._suspected = rise_at <= self._now or not self._wait_until(rise_at)
        told = self._anchor.told
        scene = self._scene()
        found = self.explainer.explain(self._anchor.worlds, scene, told)
        found += self.explainer.suspect(self._anchor.worlds, scene, told, best)
        found.sort(key=self._cost)
        self._explanations = found

    def _cost(self, explanation: Explanation[P]) -> float:
        """The cost of an explanation with its world's, and that of giving up what was told."""
        given_up = len(self._anchor.told) - self._kept(explanation)
        return explanation.cost + self._anchor.worlds[explanation.world].cost + w.RETRACT * given_up

    def _keeps(self, explanation: Explanation[P]) -> bool:
        """Whether an explanation begins with what has been told."""
        return self._kept(explanation) == len(self._anchor.told)

    def _kept(self, explanation: Explanation[P]) -> int:
        """How many of the steps told an explanation begins with."""
        return count_kept(explanation.steps, self._anchor.told)

    # ------------------------------------------------------------------ concluding

    def _conclude(self) -> list[Reading[P]]:
        """Tell the next thing that has become certain; nothing where all is told."""
        anchor = self._anchor
        self.due = None
        if not anchor.told and all(
            not (anchor.trace.level ^ self.board.occupied(world.position)) & ~anchor.trace.ignored
            for world in anchor.worlds
        ):
            if anchor.trace.changes:
                self._checkpoint()
            return []
        self._explain()
        self._suspect()
        explanations = self._explain()
        if not explanations:
            return []
        floor = self._cost(explanations[0]) + w.MARGIN
        rivals = [e for e in explanations if self._cost(e) < floor]
        margin = next(
            (self._cost(e) - floor + w.MARGIN for e in explanations if self._cost(e) >= floor), 9.0
        )
        best = rivals[0]
        if best.fault and all(rival.fault == best.fault for rival in rivals):
            return self._declare(*best.fault)
        if not any(self._keeps(rival) for rival in rivals):
            return self._retract(rivals)
        if not all(self._keeps(rival) for rival in rivals):
            return []
        if _is_agreed(rivals, len(anchor.told)):
            return self._tell_next(rivals, margin)
        return self._ask(rivals) or self._ask_overdue(best)

    def _is_flicker(self, square: Square) -> bool:
        """Whether a square that is seen occupied again flickered, with nothing else in the air."""
        in_hand = self._explain()[0].in_hand if self._explain() else 0
        if in_hand & ~(1 << square) or not in_hand >> square & 1:
            return False
        return self._anchor.trace.forget_flicker(square, w.FLICKER_S * self.tempo.pace)

    def _checkpoint(self) -> None:
        """The board stands as it should: what was touched meanwhile does not matter."""
        anchor = self._anchor
        anchor.trace = Trace(anchor.trace.level, anchor.trace.level, anchor.trace.ignored)
        self._explanations = None

    def _wait_until(self, at: float) -> bool:
        """Whether `at` has come; else ask to be called then."""
        if at <= self._now + 1e-9:
            return True
        self.due = at if self.due is None else min(self.due, at)
        return False

    def _declare(self, square: Square, kind: FaultKind) -> list[Reading[P]]:
        """Name a switch that no longer follows, and leave it out of account."""
        self.faults[square] = kind
        self._anchor.trace.ignore(square)
        self._anchor.worlds = [
            replace(world, failed=tuple(f for f in world.failed if f[0] != square))
            for world in self._anchor.worlds
        ]
        self._explanations = None
        return [Failed(square, kind, self._now)]

    def _tell_next(self, rivals: list[Explanation[P]], margin: float) -> list[Reading[P]]:
        """Tell the next step that all good explanations share, once it has stood."""
        anchor = self._anchor
        best = rivals[0]
        index = len(anchor.told)
        step = best.steps[index]
        landed_at = best.landed_at[index]
        if len(best.steps) == index + 1 and (best.hasty or landed_at is None):
            return []  # what comes next will show
        down = [at for at in best.landed_at[index:] if at is not None]
        settled = landed_at if landed_at is not None else max(down, default=self._changed_at)
        if not self._wait_until(settled + w.HOLD_S * self.tempo.pace):
            return []
        lifted_at = best.lifted_at[index]
        number = self.number if step.is_ply else self.number - 1
        answers = self._answers(rivals)
        anchor.told.append(Told(number, (step,), landed_at))
        if step.is_ply and not step.capture and not best.doubts and lifted_at and landed_at:
            self.tempo.learn(landed_at - lifted_at)
        readings: list[Reading[P]]
        if step.is_ply:
            evidence = Evidence(lifted_at, landed_at, best.doubts, margin)
            readings = [Played(number, step, evidence, self._now)]
        else:
            readings = [Wandered(number, step, self._now)]
        self._advance(best)
        return answers + readings

    def _ask(self, rivals: list[Explanation[P]]) -> list[Reading[P]]:
        """Ask which piece was taken, where all good explanations take one by the same piece."""
        anchor = self._anchor
        index = len(anchor.told)
        if any(len(rival.steps) <= index for rival in rivals):
            return []
        options = {rival.steps[index].squares: rival.steps[index] for rival in rivals}
        sources = sorted({source for source, _ in options})
        targets = sorted({target for _, target in options})
        if len(sources) > 1 and len(targets) > 1:
            return []
        if not self._wait_until(self._changed_at + w.HOLD_S * self.tempo.pace):
            return []
        is_ply = rivals[0].steps[index].is_ply
        number = self.number if is_ply else self.number - 1
        question = (
            Asked(number, sources[0], tuple(targets), self._now)
            if len(sources) == 1
            else Asked(number, None, tuple(sources), self._now, targets[0])
        )
        anchor.told.append(Told(number, tuple(options.values()), None))
        if is_ply:
            self._open_questions[number] = question
        self._advance(rivals[0])
        return [question]

    def _ask_overdue(self, best: Explanation[P]) -> list[Reading[P]]:
        """Ask what a piece has taken that has been gone for longer than a hand holds one."""
        anchor = self._anchor
        if len(best.steps) > len(anchor.told) or best.strangers or best.in_hand.bit_count() != 1:
            return []
        options = {
            explanation.steps[-1].to_square: explanation
            for explanation in self._explain()
            if len(explanation.steps) == len(anchor.told) + 1
            and not explanation.in_hand | explanation.strangers
            and explanation.fault is None
            and explanation.steps[-1].is_ply
            and self._keeps(explanation)
        }
        cheapest = min((self._cost(e) for e in options.values()), default=math.inf)
        if cheapest >= self._cost(best) + w.RETRACT + w.MARGIN:
            return []
        square = next(squares_of(best.in_hand))
        since = anchor.trace.changes[square][-1]
        if not self._wait_until(since + w.OVERDUE_S * self.tempo.pace):
            return []
        question = Asked(self.number, Square(square), tuple(sorted(options)), self._now)
        steps = tuple(explanation.steps[-1] for explanation in options.values())
        anchor.told.append(Told(question.number, steps, None))
        self._open_questions[question.number] = question
        self._explanations = None
        return [question]

    def _retract(self, rivals: list[Explanation[P]]) -> list[Reading[P]]:
        """Take back what was told and does not stand in any good explanation."""
        anchor = self._anchor
        best = rivals[0]
        if best.strangers or not self._wait_until(self._changed_at + w.HOLD_S * self.tempo.pace):
            return []
        kept = max(self._kept(rival) for rival in rivals)
        readings: list[Reading[P]] = []
        for told in reversed(anchor.told[kept:]):
            self._open_questions.pop(told.number, None)
            if told.is_ply:
                readings.append(TakenBack(told.number, self._now))
            else:
                readings.append(Recalled(told.number, self._now))
        del anchor.told[kept:]
        self._explanations = None
        if not anchor.told and not best.steps and self._past:
            self._step_back()
        return readings

    # ------------------------------------------------------------------ moving the anchor

    def _advance(self, best: Explanation[P]) -> None:
        """Leave plies behind of which the last but one stands, because the other side has acted."""
        while sum(told.is_ply for told in self._anchor.told) > 1:
            landed_on = best.steps[0].to_square
            if best.in_hand >> landed_on & 1 and not self.board.steps_from(best.after, landed_on):
                return  # what came down there has gone again: it may have been something else
            self._leave_first(best)
            remaining = len(self._anchor.told)
            best = next((e for e in self._explain() if self._keeps(e)), best)
            if len(best.steps) < remaining:
                break
        self._explanations = None

    def _leave_first(self, best: Explanation[P]) -> None:
        """Move the anchor past the first ply told, and what the neutral piece did after it."""
        anchor = self._anchor
        known = self._explain()
        cut_index = 0
        while not anchor.told[cut_index + 1].is_ply:
            cut_index += 1
        count = cut_index + 1
        worlds: dict[object, World[P]] = {}
        explanations = [e for e in known if self._keeps(e)]
        floor = min(self._cost(e) for e in explanations)
        for explanation in explanations:
            cost = self._cost(explanation) - floor
            if cost > w.FORGET:
                continue
            old = anchor.worlds[explanation.world]
            asked = old.asked
            for told, step in zip(anchor.told[:count], explanation.steps, strict=False):
                if len(told.options) > 1:
                    asked = (*asked, (told.number, step))
            key = (
                old.asked,
                explanation.fault,
                tuple(s.squares for s in explanation.steps[:count]),
            )
            if key not in worlds or worlds[key].cost > cost:
                failed = old.failed
                if explanation.fault is not None:
                    failed = (*failed, explanation.fault)
                worlds[key] = World(explanation.steps[cut_index].after, cost, asked, failed)
        kept = sorted(worlds.values(), key=lambda world: world.cost)[:MAX_WORLDS]
        cut = min(
            self._end_of(e, cut_index) for e in explanations if self._cost(e) <= floor + w.FORGET
        )
        later = anchor.trace.since(cut, self._base(kept))
        for told in anchor.told[:count]:
            self.flickering.carry(told.options)
        self._past.append(Anchor(anchor.worlds, anchor.trace, anchor.told[:count]))
        self._anchor = Anchor(kept, later, anchor.told[count:])
        self._explanations = None

    def _end_of(self, explanation: Explanation[P], index: int) -> float:
        """When a step was over: as it came down, or where that was not seen, before the next."""
        landed_at = explanation.landed_at[index]
        if landed_at is not None:
            return landed_at
        following = explanation.lifted_at[index + 1] if len(explanation.steps) > index + 1 else None
        return self._now if following is None else following - JUST_BEFORE_S

    def _base(self, worlds: list[World[P]]) -> int:
        """What the switches show in these worlds: where one has failed, what they show now."""
        base = self.board.occupied(worlds[0].position)
        for square, _ in worlds[0].failed:
            bit = 1 << square
            base = base & ~bit | self._anchor.trace.level & bit
        return base

    def _step_back(self) -> None:
        """The last ply before the anchor may now be taken back or amended in its turn."""
        undone = self._anchor
        anchor = self._past.pop()
        last = max((t[-1] for t in undone.trace.changes.values()), default=self._now)
        standing = undone.trace.since(last, self.board.occupied(undone.worlds[0].position))
        trace = anchor.trace
        base = self.board.occupied(undone.worlds[0].position)
        settled = max((t.landed_at or 0.0 for t in anchor.told), default=0.0)
        rebuilt = Trace(trace.base, base, undone.trace.ignored)
        for square, times in trace.changes.items():
            kept = [at for at in times if at <= settled]
            if (len(kept) & 1) != ((trace.base ^ base) >> square & 1):
                kept = times[: len(kept) + 1] if len(times) > len(kept) else kept[:-1]
            if kept and not rebuilt.ignored >> square & 1:
                rebuilt.changes[square] = kept
        for square, times in standing.changes.items():
            rebuilt.changes.setdefault(square, []).extend(times)
        rebuilt.level = undone.trace.level
        self._anchor = Anchor(anchor.worlds, rebuilt, anchor.told)
        self._explanations = None

    def _answers(self, rivals: list[Explanation[P]]) -> list[Reading[P]]:
        """Tell which questions the game itself has answered: all good explanations agree."""
        anchor = self._anchor
        found: list[Reading[P]] = []
        for number in list(self._open_questions):
            steps = {
                step.squares: step
                for rival in rivals
                for n, step in (
                    *anchor.worlds[rival.world].asked,
                    *((told.number, s) for told, s in zip(anchor.told, rival.steps, strict=False)),
                )
                if n == number and step.is_ply
            }
            if len(steps) == 1:
                del self._open_questions[number]
                found.append(Answered(number, next(iter(steps.values())), self._now))
        return found


def _is_agreed(rivals: list[Explanation[P]], index: int) -> bool:
    """Whether all of these explanations hold the same step at `index`."""
    if any(len(rival.steps) <= index for rival in rivals):
        return False
    return len({rival.steps[index].squares for rival in rivals}) == 1
