"""The moments a reader can go back to: anchors, each with the plies told since.

An anchor holds the worlds that were possible at one moment; the trace is what the switches have
shown since the last one. When a few plies more have been told, the first of them is left behind:
each account that keeps what was told leads to a world. Earlier anchors are kept, for hands take
plies back, a question may be answered late, and what was told may have been another.

A question that was put stays open until people answer it, or until all accounts that remain agree,
and is open again if the ply that answered it is taken back (`OpenQuestions`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hardware.ports import FaultKind
from rules import SQUARES, Square, mask_of, squares_of

from ..game.events import Question
from .accounts import Hypothesis, Reported, WayBack, WayStep, World, worlds_meant
from .costs import PRICES
from .readings import (
    LIFT_LATE,
    Evidence,
    JetanGame,
    Reading,
    Standing,
    Step,
    answering,
    question_about,
    telling,
)
from .scene import Rates, Trace

MAX_WORLDS = 48  # kept at an anchor, the cheapest
FURTHEST_BACK = 8  # plies that hands may take back at once
LOOKED_BACK = 24  # anchors after which a capture is not looked at again
JUST_BEFORE_S = 1e-4  # a step of which no end was seen was over by so much before the next began


TURNED_OUT = "what came later does not fit what was told before"


@dataclass(slots=True)
class Anchor:
    """Worlds that are possible at one moment, and what was told since."""

    worlds: list[World]
    reported: list[Reported] = field(default_factory=list)
    trace: Trace | None = None
    """The changes until it was left; None where it was not, or a way led past it."""
    left_at: float = math.inf
    """Time at which the plies left behind with it were over; the trace after it begins there."""


class Moment(NamedTuple):
    """An anchor, with all that was told and shown since."""

    back: int
    """The number of anchors since."""
    worlds: list[World]
    reported: list[Reported]
    trace: Trace


class History:
    """The anchor hypotheses start from, before the last plies told, and those before it."""

    def __init__(
        self, game: JetanGame, position: Standing, ignored: int, rates: Rates | None = None
    ) -> None:
        self._game = game
        self.rates = Rates() if rates is None else rates
        self.rates.begin()
        occupied = game.occupied(position)
        self.anchor = Anchor([World(position, 0.0)])
        self.trace = Trace(occupied, occupied, ignored)  # since the anchor
        self.past: list[Anchor] = []

    def position(self, keeping: Sequence[Hypothesis]) -> Standing:
        """Return the likeliest position after all that has been told, by those that keep it."""
        anchor = self.anchor
        count = len(anchor.reported)
        if keeping:
            best = keeping[0]
            return best.steps[count - 1].after if count else anchor.worlds[best.world].position
        return anchor.reported[-1].options[0].after if count else anchor.worlds[0].position

    def leave_first(
        self,
        keeping: Sequence[Hypothesis],
        cost_of: Callable[[Hypothesis], float],
        now: float,
    ) -> None:
        """Move the anchor past the first ply told, and what the neutral piece did after it.

        Each of those `keeping` what was told leads to a world, of which the likely ones are kept.
        """
        anchor = self.anchor
        cut_index = 0
        while not anchor.reported[cut_index + 1].is_ply:
            cut_index += 1
        count = cut_index + 1
        best = min(keeping, key=cost_of)
        floor = cost_of(best)
        likely = [each for each in keeping if cost_of(each) - floor <= PRICES.FORGET]
        # Accounts that differ only in what comes after the cut lead to one world, the cheapest of
        # them: the rest of the trace will be weighed again from there. What one of them holds for
        # a piece laid aside, and another for one that was moved there, is not known to lie there.
        worlds: dict[object, World] = {}
        for hypothesis in sorted(likely, key=cost_of, reverse=True):
            world = self._world_after(hypothesis, count)
            old = anchor.worlds[hypothesis.world]
            steps = tuple(step.squares for step in hypothesis.steps[:count])
            key = old.asked, old.failed, hypothesis.fault, steps
            if key in worlds:  # by another account it was put there by a move
                both = worlds[key]
                world = replace(
                    world, aside=world.aside & both.aside, double=world.double & both.double
                )
            worlds[key] = world  # the cheapest comes last
        cheapest = min(world.cost for world in worlds.values())
        # Only differences count between worlds; without this the costs of a whole game would add
        # up.
        kept = [replace(world, cost=world.cost - cheapest) for world in worlds.values()]
        kept = sorted(kept, key=lambda world: world.cost)[:MAX_WORLDS]
        # The earliest end by all likely accounts: what one of them needs after the cut must stay in
        # the trace.
        cut = min(
            _end_of(hypothesis, cut_index, now)
            for hypothesis in likely
            if self.failed(hypothesis) == self.failed(best)
        )
        self.past.append(Anchor(anchor.worlds, anchor.reported[:count], self.trace, cut))
        self.anchor = Anchor(kept, anchor.reported[count:])
        self._trust_left()
        self.trace = self.trace.since(cut, self._base(self.anchor.worlds[0]))
        self._count_switches(best, count, cut)

    def _trust_left(self) -> None:
        """Suppose nothing more of switches whose piece, unseen, was counted and has gone."""
        occupied = [self._game.occupied(world.position) for world in self.anchor.worlds]
        for square, kind in self._silent:
            if kind is FaultKind.DEAD and not any(mask >> square & 1 for mask in occupied):
                self.anchor.worlds = [world.trusting(square) for world in self.anchor.worlds]

    def _count_switches(self, best: Hypothesis, count: int, at: float) -> None:
        """Count what the first steps of a hypothesis, left behind, have shown of their switches.

        A capture that showed no gap tells nothing of its switch.
        """
        for index, step in enumerate(best.steps[:count]):
            landed_at = best.landed_at[index]
            if landed_at is not None or not step.capture:
                self.rates.put_down(step.to_square, is_shown=landed_at is not None)
        trace, world = self.trace, self.anchor.worlds[0]
        occupied = self._game.occupied(world.position) | world.aside
        since = [option for entry in self.anchor.reported for option in entry.options]
        occupied |= mask_of(option.to_square for option in since)
        supposed = mask_of(square for each in self.anchor.worlds for square, _ in each.failed)
        self.rates.count_dark(self.unseen, supposed)
        doubts = zip(best.steps[:count], best.step_doubts, strict=False)
        late = [step.from_square for step, doubt in doubts if doubt == LIFT_LATE]
        changed = mask_of(map(Square, trace.changes))
        self.rates.count_ghosts(mask_of(SQUARES) & ~occupied, trace.level & ~changed, late, at)

    def moments(self) -> Iterator[Moment]:
        """Yield the anchor, and those before it, each with all that was told and shown since."""
        reported, trace = self.anchor.reported, self.trace
        yield Moment(0, self.anchor.worlds, reported, trace)
        for back, anchor in enumerate(reversed(self.past), start=1):
            reported = [*anchor.reported, *reported]
            if anchor.trace is not None:
                trace = trace.after(anchor.trace, anchor.left_at)
                yield Moment(back, anchor.worlds, reported, trace)

    @property
    def as_told(self) -> WayBack:
        """What was told since the anchor, as a way on which nothing has followed."""
        steps = [(entry.options[0], entry.over_by) for entry in self.anchor.reported]
        taken = tuple(WayStep(step, over_by, None, over_by, 0.0) for step, over_by in steps)
        return WayBack(0, self.position(()), 0.0, taken)

    def rewind(self, moment: Moment) -> None:
        """Go back to a moment, and hold all told since for told from there on."""
        del self.past[len(self.past) - moment.back :]
        self.anchor, self.trace = Anchor(moment.worlds, moment.reported), moment.trace

    def resume(self, ways: Sequence[WayBack]) -> None:
        """Go on from where a way has led, in one or several worlds; its steps have been told.

        What the switches showed besides is forgotten.
        """
        cheapest = min(way.cost for way in ways)
        # Each step told becomes an anchor of its own, so that hands may take any of them back.
        worlds = [replace(self.anchor.worlds[w.world], cost=w.cost - cheapest) for w in ways]
        trace, changes = self.trace, self.trace.changes.values()
        left_at = max((times[-1] for times in changes), default=-math.inf)
        for index, entry in enumerate(self.anchor.reported):
            self.past.append(Anchor(worlds, [entry], None if index else trace, left_at))
            steps = [way.taken[index].step for way in ways]
            worlds = [w.going_on(s, entry) for w, s in zip(worlds, steps, strict=True)]
        base = self._game.occupied(ways[0].position)
        dark = tuple((square, FaultKind.DEAD) for square in squares_of(ways[0].dark))
        self.anchor = Anchor([replace(world, failed=dark) for world in worlds])
        self.trace = Trace(base, trace.level, trace.ignored, left_at)
        # What stands otherwise now keeps its last change: hands may be in the middle of a ply.
        for square in squares_of((base ^ trace.level) & ~trace.ignored):
            self.trace.changes[square] = trace.changes.get(square, [left_at])[-1:]

    def believe(self, plies: int) -> None:
        """Hold the last anchors, so many of them, for what people have said."""
        for anchor in self.past[len(self.past) - plies :]:
            anchor.reported = [replace(entry, is_answered=True) for entry in anchor.reported]

    def settle(self, number: int, is_meant: Callable[[Step[Standing]], bool], now: float) -> bool:
        """Keep what people meant by ply `number`; return False where nothing is left."""
        meant = worlds_meant(self.anchor.worlds, number, is_meant)
        if not meant:
            return False
        self.anchor.worlds = meant
        self._narrow(number, is_meant)
        for anchor in (*self.past, self.anchor):
            for index, entry in enumerate(anchor.reported):
                if entry.number == number and entry.is_ply:
                    at = now if anchor is self.anchor else entry.landed_at
                    anchor.reported[index] = replace(entry, landed_at=at, is_answered=True)
        return True

    def _narrow(self, number: int, is_meant: Callable[[Step[Standing]], bool]) -> None:
        """Narrow ply `number` to what is meant, at every earlier moment too."""
        for anchor in self.past:
            anchor.worlds = worlds_meant(anchor.worlds, number, is_meant) or anchor.worlds
        for anchor in (*self.past, self.anchor):
            for index, entry in enumerate(anchor.reported):
                if entry.number == number and entry.is_ply:
                    chosen = tuple(step for step in entry.options if is_meant(step))
                    anchor.reported[index] = replace(entry, options=chosen or entry.options)

    def answered(self, number: int, step: Step[Standing]) -> None:
        """Take in that ply `number` was `step`, as what followed has shown."""
        self._narrow(number, lambda option: option.squares == step.squares)

    def trust(self, square: Square) -> None:
        """Clear a switch that has followed: it failed in no world, and what lay there is gone."""
        self.anchor.worlds = [world.trusting(square) for world in self.anchor.worlds]
        if self.trace.level >> square & 1:
            self.rates.followed(square)

    def ignore(self, square: Square) -> None:
        """Leave a switch that has failed out of account, in any world."""
        self.trace.ignore(square)
        for anchor in (*self.past, self.anchor):
            anchor.worlds = [world.trusting(square) for world in anchor.worlds]

    def is_unmoved(self) -> bool:
        """Return True if nothing was told since the anchor, and the board stands as it did then."""
        worlds = self.anchor.worlds
        return not self.anchor.reported and not any(self.differs(w.position) for w in worlds)

    def differs(self, position: Standing) -> int:
        """Return where the board stands otherwise than a position, as far as its switches tell."""
        differs = self.trace.level ^ self._game.occupied(position)
        return differs & ~(self.trace.ignored | self.silent)

    def forget_touches(self) -> None:
        """Forget what was touched since the anchor."""
        trace = self.trace
        self.trace = Trace(trace.level, trace.level, trace.ignored)

    def forget_undone(self, best: Hypothesis) -> None:
        """Forget what was touched since the last step told, where the board stands as it says."""
        over_at = best.landed_at[-1] if best.landed_at else None
        if over_at is None or len(best.steps) > len(self.anchor.reported):
            return
        if not self.differs(best.after):
            self.trace = self.trace.until(over_at)

    def may_hide_a_capture(self) -> bool:
        """Return True if what was touched may have been taken by a piece that no switch shows."""
        touched, game = mask_of(map(Square, self.trace.changes)), self._game
        return any(
            game.ends_from(world.position, source) & touched
            for world in self.anchor.worlds
            for source in squares_of(self.trace.ignored & game.occupied(world.position))
        )

    def split_worlds(self, rivals: Sequence[Hypothesis]) -> bool:
        """Make a world of each failed switch that hypotheses suppose.

        Returns whether that changes anything. It does not for ever: what all of them suppose, all
        worlds suppose from then on, so that it grows, or else worlds are added, up to so many.
        """
        if not any(rival.fault for rival in rivals):
            return False
        before, supposed = self.anchor.worlds, frozenset.intersection(*map(self.failed, rivals))
        kept = [world for world in before if supposed.issubset(world.failed)]
        split = [before[rival.world].supposing(rival.fault) for rival in rivals]
        worlds: dict[object, World] = {}
        for world in (*kept, *split):
            worlds.setdefault(world.assumed, world)
        self.anchor.worlds = list(worlds.values())[:MAX_WORLDS]
        return self.anchor.worlds != before

    def otherwise(self, furthest: int = LOOKED_BACK) -> Iterator[World]:
        """Yield the worlds by which a late capture, not seen clearly, was another.

        And those by which one whose victim was not seen to leave came down where the switch has
        failed, and has stood there unseen since.
        """
        # The further back, the longer is the game through which each other capture has to be
        # followed.
        late = self.past[-furthest:]
        for index in range(len(late) - 1, -1, -1):
            for at, entry in enumerate(late[index].reported):
                if not entry.may_have_taken_another:
                    continue
                since = [later for anchor in late[index + 1 :] for later in anchor.reported]
                following = (*late[index].reported[at + 1 :], *since)
                aside = self.anchor.worlds[0].aside
                start = World(late[index].worlds[0].position, 0.0, aside=aside)
                for before in self._follow((start,), late[index].reported[:at]):
                    begun = [*self._others(before, entry)]
                    if entry.is_unseen:
                        begun += self._hidden(before, entry)
                    for world in begun:
                        yield from self._follow((world,), following)

    def reopen(self) -> None:
        """Allow for another capture than was told, once what followed it has been taken back."""
        known = {world.assumed for world in self.anchor.worlds}
        if self.past and any(entry.is_unseen for entry in self.past[-1].reported):
            self.anchor.worlds += [
                replace(world, cost=PRICES.RETRACT)
                for world in self.otherwise(furthest=1)
                if not world.failed and world.assumed not in known
            ]

    def _others(self, before: World, entry: Reported) -> Iterator[World]:
        """Yield the worlds in which a piece took another than was told."""
        cost = PRICES.ANOTHER_TAKEN + (0.0 if entry.is_open else PRICES.RETRACT)
        for step in self._game.steps_from(before.position, entry.options[0].from_square):
            if step.capture and (entry.is_open or not entry.allows(step)):
                asked = ((entry.number, step),)
                yield replace(before, position=step.after, cost=cost, asked=asked)

    def _hidden(self, before: World, entry: Reported) -> Iterator[World]:
        """Yield the worlds in which a piece came down on a switch that shows nothing of it.

        It is dead, or has stuck under a piece that was taken there. The world pays for that, and is
        spared the victim that nobody saw.
        """
        # The failure replaces the unseen victim: one oddity explains both that no gap showed and
        # that nothing came down.
        cost = PRICES.FAULT + PRICES.ANOTHER_FAULT * self.trace.ignored.bit_count()
        cost += PRICES.BLIND_LANDING - PRICES.UNSEEN
        for step in self._game.steps_from(before.position, entry.options[0].from_square):
            is_closed = bool(self.trace.level >> step.to_square & 1)
            if not step.surprise and step.capture is is_closed:
                failed = ((step.to_square, FaultKind.STUCK if step.capture else FaultKind.DEAD),)
                asked = ((entry.number, step),)
                yield World(step.after, cost, asked, failed, before.aside)

    def _follow(self, worlds: Sequence[World], reported: Iterable[Reported]) -> Sequence[World]:
        """Return where worlds lead by steps that were told, or asked about."""
        for entry in reported:
            worlds = [
                world.going_on(step, entry)
                for world in worlds
                for step in entry.steps(self._game, world.position)
            ][:MAX_WORLDS]
        return worlds

    def told_wrongly(self, rivals: Sequence[Hypothesis]) -> tuple[int, list[Step[Standing]]] | None:
        """Return the first ply of the past that was told wrongly if any of these is true.

        With it, what it may have been.
        """
        found = [
            {n: step for n, step in self.anchor.worlds[rival.world].asked if step.is_ply}
            for rival in rivals
        ]
        if not all(found):
            return None
        for entry in (entry for anchor in self.past[-LOOKED_BACK:] for entry in anchor.reported):
            steps = [asked[entry.number] for asked in found if entry.number in asked]
            is_wrong = len(steps) == len(found) and not any(map(entry.allows, steps))
            if is_wrong and entry.is_ply and not entry.is_open:
                return entry.number, list({step.squares: step for step in steps}.values())
        return None

    def retell(
        self, number: int, options: Sequence[Step[Standing]]
    ) -> list[tuple[Reported, Reported]]:
        """Tell that ply `number` was one of `options`, and what followed it as before.

        Returns what had been told from there on, each with what is told instead.
        """
        retold: list[tuple[Reported, Reported]] = []
        worlds: Sequence[World] = []
        for anchor in (*self.past, self.anchor):
            # Earlier anchors get the worlds that follow from what is told now, else hands that take
            # plies back would return to the old mistake.
            if retold and anchor is not self.anchor:
                anchor.worlds = list(worlds)
            for at, entry in enumerate(anchor.reported):
                if not retold and not (entry.is_ply and entry.number == number):
                    continue
                chosen = [s for world in worlds for s in entry.steps(self._game, world.position)]
                again = {step.squares: step for step in (chosen if retold else options)}
                instead = replace(entry, options=tuple(again.values()) or entry.options)
                worlds = (
                    self._follow(worlds, (entry,))
                    if retold
                    else [World(step.after, 0.0).going_on(step, instead) for step in options]
                )
                anchor.reported[at] = instead
                retold.append((entry, instead))
        squares = {option.squares for option in options}
        self.anchor.worlds = worlds_meant(
            self.anchor.worlds, number, lambda step: step.squares in squares
        )
        return retold

    def failed(self, hypothesis: Hypothesis) -> frozenset[tuple[Square, FaultKind]]:
        """Return the switches that have failed if a hypothesis is true."""
        faults = self.anchor.worlds[hypothesis.world].failed
        return frozenset(faults if hypothesis.fault is None else (*faults, hypothesis.fault))

    @property
    def _silent(self) -> frozenset[tuple[Square, FaultKind]]:
        """The failed switches that every world supposes."""
        return frozenset.intersection(*(frozenset(world.failed) for world in self.anchor.worlds))

    @property
    def silent(self) -> int:
        """The squares whose switches tell nothing in any world, by what is supposed of them."""
        return mask_of(square for square, _ in self._silent)

    @property
    def unseen(self) -> int:
        """The squares on which a piece stands in every world that its switch does not show."""
        occupied = [self._game.occupied(world.position) for world in self.anchor.worlds]
        return mask_of(
            square
            for square, kind in self._silent
            if kind is FaultKind.DEAD and all(mask >> square & 1 for mask in occupied)
        )

    def standing_unseen(self, best: Hypothesis) -> frozenset[tuple[Square, FaultKind]]:
        """Return the switches that hide a piece in every world, and are not dead for all that."""
        return frozenset(
            fault
            for fault in self._silent
            if fault[1] is FaultKind.DEAD and not self.is_proven(fault, best)
        )

    def is_proven(self, fault: tuple[Square, FaultKind], best: Hypothesis) -> bool:
        """Return True if a switch has failed rather than missed what was put down there.

        A piece that stands where its switch does not see it may well leave unseen.
        """
        square, kind = fault
        unseen = (self.unseen & ~self.rates.dark) >> square & 1
        for step, came in zip(best.steps, best.landed_at, strict=True):
            unseen += step.to_square == square and came is None and not step.capture
        return kind is FaultKind.STUCK or self.rates.is_dead(square, unseen)

    def _world_after(self, hypothesis: Hypothesis, count: int) -> World:
        """Return the world after the first `count` steps of a hypothesis.

        It costs what is left behind with them; the rest of the trace is weighed again.
        """
        world = self.anchor.worlds[hypothesis.world]
        cost = world.cost + sum(hypothesis.step_costs[:count])
        for entry, step in zip(self.anchor.reported[:count], hypothesis.steps, strict=False):
            world = world.going_on(step, entry)
        world = replace(world, cost=cost, aside=hypothesis.aside, double=hypothesis.double)
        return world.supposing(hypothesis.fault)

    def _base(self, world: World) -> int:
        """Return the levels of a world's pieces; where a switch has failed, its present one."""
        base = self._game.occupied(world.position)
        for square, _ in world.failed:
            bit = 1 << square
            base = base & ~bit | self.trace.level & bit
        return base

    def fits_earlier(self) -> int | None:
        """Return how many anchors back the board stood as it stands now; None where it did not."""
        for back, anchor in enumerate(reversed(self.past[-FURTHEST_BACK:]), start=1):
            if not any(self.differs(world.position) for world in anchor.worlds):
                return back
        return None

    @property
    def left_of_late(self) -> set[Square]:
        """The squares that the latest steps told have left, to which hands may take them back."""
        late = (*self.past[-FURTHEST_BACK:], self.anchor)
        return {entry.options[0].from_square for anchor in late for entry in anchor.reported}

    def return_to(self, back: int) -> list[Reported]:
        """Go back `back` anchors, where the board stands now; return what was told since."""
        undone = list(self.anchor.reported)
        for _ in range(back):
            self.anchor = self.past.pop()
            undone = [*self.anchor.reported, *undone]
        self.anchor = Anchor(self.anchor.worlds)
        self.forget_touches()
        return undone


def _end_of(hypothesis: Hypothesis, index: int, now: float) -> float:
    """Return the time at which a step was over: as it came down, or just before the next."""
    landed_at = hypothesis.landed_at[index]
    if landed_at is not None:
        return landed_at
    following = (*hypothesis.lifted_at[index + 1 : index + 2], *hypothesis.landed_at[index + 1 :])
    begun_at = next((at for at in following if at is not None), None)
    return now if begun_at is None else begun_at - JUST_BEFORE_S


def telling_again(entry: Reported, at: float) -> Reading[Standing]:
    """Return the reading by which it is told again, as it has turned out to be.

    Where that is not certain, it is asked: its options are captures by one piece.
    """
    question = question_about(entry.number, entry.options) if entry.is_open else None
    if question is not None:
        return Reading(question, at)
    evidence = Evidence(None, entry.landed_at, (TURNED_OUT,), PRICES.MARGIN)
    return telling(entry.number, entry.options[0], evidence, at)


class OpenQuestions:
    """The questions of a `history` that are open, and those that the game has answered."""

    def __init__(self, history: History) -> None:
        self._history = history
        self.open: dict[int, Question] = {}  # by the number of the ply
        self._answered: dict[int, Step[Standing]] = {}  # by the last ply, which may be taken back

    @property
    def latest(self) -> Question | None:
        """The question that was put last, of those that are open."""
        return next(reversed(self.open.values()), None)

    def forget(self, undone: Iterable[Reported]) -> None:
        """Close the questions about what has been taken back."""
        for entry in undone:
            if entry.is_ply:
                self.open.pop(entry.number, None)
                self._answered.pop(entry.number, None)

    def believe_answers(self) -> None:
        """Hold all that the game has answered for certain."""
        for number in list(self._answered):
            self._history.answered(number, self._answered.pop(number))

    def answers(self, rivals: Sequence[Hypothesis], now: float) -> list[Reading[Standing]]:
        """Tell which questions the game itself has answered: all these hypotheses agree.

        The ply that answers one may be taken back: it is certain if the next agrees with it.
        """
        found: list[Reading[Standing]] = []
        for number in list(self._answered):
            if self._answer_to(number, rivals) is not None:
                self._history.answered(number, self._answered.pop(number))
        for number in list(self.open):
            step = self._answer_to(number, rivals)
            if step is not None:
                del self.open[number]
                self._answered[number] = step
                found.append(answering(number, step, now))
        return found

    def denied(self, rivals: Sequence[Hypothesis]) -> tuple[int, list[Step[Standing]]] | None:
        """Return the ply that the game has answered otherwise than all these say, and what it was.

        None where there is none.
        """
        for number, answer in self._answered.items():
            step = self._answer_to(number, rivals)
            if step is not None and step.squares != answer.squares:
                return number, [step]
        return None

    def _answer_to(self, number: int, rivals: Sequence[Hypothesis]) -> Step[Standing] | None:
        """Return what ply `number` was by all these hypotheses; None where they differ."""
        anchor = self._history.anchor
        steps: dict[object, Step[Standing]] = {}
        for rival in rivals:
            for asked, step in anchor.worlds[rival.world].asked:
                if asked == number and step.is_ply:
                    steps[step.squares] = step
            for entry, step in zip(anchor.reported, rival.steps, strict=False):
                if entry.number == number and entry.is_ply:
                    steps[step.squares] = step
        return next(iter(steps.values())) if len(steps) == 1 else None
