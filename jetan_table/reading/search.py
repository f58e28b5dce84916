"""The search for accounts: which sequences of legal steps may have left the trace.

It begins at each world of the anchor, with what has been told. From a position it tries each piece
whose square is empty now, or was seen to be left, and each legal step of it that ends where
something came down or is taken. The likeliest beginnings at first sight are gone on with first;
`cost.weigh` weighs the likeliest sequences that are left. Those with captures that nobody saw, and
those that give up what was told, are tried only where others explain the trace badly.

A `Partial` is such a beginning, with the least that it costs: for each step added it takes the
earliest departure and the earliest landing that the trace allows. It is dropped when that exceeds a
bound, which sinks with each account that has been weighed. The least cost is never more than
`cost.weigh` would find, so that nothing likely is lost by it.

A search also ends after a number of tries, and may then have missed the truth. It pauses when a
call has done its `Work`, and goes on with the next call: so no call takes long, and in a second of
play only so much is done.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import heappop, heappush, nsmallest
from itertools import chain, count, islice
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from hardware.ports import FaultKind
from rules import Square, mask_of, squares_of

from .accounts import (
    Hypothesis,
    Reported,
    World,
    count_kept,
    departures_since,
    has_left,
    is_home_again,
    may_be_touched,
    unsaid,
)
from .cost import weigh
from .costs import PRICES, Charge
from .matching import TraceMatcher, charges_of_failure, early, shown_at
from .readings import JetanGame, Standing, Step
from .scene import Scene

AHEAD = 7  # plies that may be under way at once when the hands are fast
MAX_UNSEEN = 3  # captures in one sequence that nobody saw
MAX_REFILLS = 1  # steps in one sequence from a square that another piece has entered since
MAX_WEIGHED = 300  # sequences, for each world, and for each number of captures that nobody saw
MAX_WEIGHED_IN_ALL = 6000  # ... where there are many worlds
LEAST_WEIGHED = 20  # ... but so many for each
MAX_SUSPECTS = 60  # switches
MAX_FAULTY = 2400  # sequences in all by which another switch has failed, shared among suspects
MAX_WORLDS_FAILING = 4  # worlds, the first ones, in which that is supposed
MAX_TRIED = 8000  # steps in all worlds: whoever has lost the way finds no end of them
LEAST_TRIED = 200  # ... in each world, however many there are
LEAST_TRIED_OF_A_SWITCH = 100  # ... in which another switch is supposed to have failed

WORK_OF_A_CALL = 100
"""The work of one call, in steps tried: 5 ms on a computer, mostly, and seldom 50."""

WORK_OF_A_SECOND = 9_000
"""The work for each second of play, however lost the reader is: 0.15 s of a computer's CPU.

Of 18 recordings 6,434,000 steps took 107 s; of the one in which the reader is lost 46,000 a second.
"""

SAVED_S = 5.0
"""The work of so many seconds is saved for a hard moment: 14 of the 18 took no more in 5 s."""


A_TRY, A_WEIGHING, A_BEGINNING = 1, 6, 4  # what each counts as in the work of a call


class _Unweighed(NamedTuple):
    """A sequence of steps that is still to be weighed, and what it costs at the least, in nats."""

    steps: tuple[Step[Standing], ...]
    at_least: float
    likely: float
    """The same, and the price of each square that contradicts it, as if nothing explained that."""


@dataclass(slots=True)
class _Here:
    """One world that is searched: which it is, where it starts, and what is to be explained."""

    world: int
    start: Standing
    scene: Scene
    reported: Sequence[Reported]
    bound: float
    """The most a sequence may cost, in nats; it sinks with every better account that is found."""
    tries: int = 0
    """The number of steps that may still be tried."""


Found: TypeAlias = "Generator[None, None, list[Hypothesis]]"
"""A search that pauses where a call has worked enough, and returns what it has found at last."""

Seed: TypeAlias = "tuple[Standing, tuple[Step[Standing], ...]]"
"""A sequence of steps that was likely a moment ago, with the position where it begins."""

Squares: TypeAlias = "tuple[tuple[Square, Square], ...]"

Unweighed: TypeAlias = "Iterator[_Unweighed | None]"
"""Sequences still to be weighed; None is a pause."""


class HypothesisSearch:
    """Lists the sequences of steps from every possible world, pruned, and weighs them.

    `work` is what a call may do before a search pauses.
    """

    def __init__(self, game: JetanGame, work: Work) -> None:
        self.game = game
        self._work = work

    def explain(
        self,
        worlds: Sequence[World],
        scene: Scene,
        reported: Sequence[Reported],
        unseen: int = 0,
        limit: float = math.inf,
        seeds: Sequence[Seed] = (),
        tries: int = MAX_TRIED,
    ) -> Found:
        """Return every sequence of legal steps that the scene could have come from.

        `reported` are the steps told so far. Captures that nobody saw are supposed where nothing
        better explains the scene, up to `unseen` in any case. What costs more than `limit` nats at
        first sight, with its world, is left out. `seeds` are weighed before all others: what was
        likely a moment ago shows what is too unlikely now. Of steps, `tries` are tried in all.
        """
        # Weighing costs six times what trying a step does, so that many worlds share what one may
        # weigh.
        share = max(min(MAX_WEIGHED, MAX_WEIGHED_IN_ALL // max(len(worlds), 1)), LEAST_WEIGHED)
        # What was likely a moment ago mostly still is: weighed first, it sets a bound that rules
        # out most of what else would be tried. Without it each call begins from nothing.
        likely: list[list[Hypothesis]] = []
        places: list[_Here] = []
        for index, world in enumerate(worlds):
            scene_here = _as_in(world, scene)
            here = _Here(index, world.position, scene_here, reported, limit - world.cost)
            first = iter(
                [_Unweighed(steps, 0.0, 0.0) for start, steps in seeds if start is here.start]
            )
            places.append(here)
            likely.append((yield from self._weigh_all(here, first, share)))
            limit = min(limit, here.bound + world.cost)
        found: list[Hypothesis] = []
        # Worlds in which nothing was likely have soon been searched, and leave more to the others.
        for done, index in enumerate(sorted(range(len(worlds)), key=lambda one: len(likely[one]))):
            here, cost = places[index], worlds[index].cost
            here.bound, here.tries = limit - cost, tries_of(len(worlds) - done, in_all=tries)
            tries -= here.tries
            found += yield from self._explain(here, unseen, share, likely[index])
            tries += max(here.tries, 0)
            limit = min(limit, here.bound + cost)
        return found

    def _explain(self, here: _Here, unseen: int, share: int, likely: Sequence[Hypothesis]) -> Found:
        """Return what a scene could have come from in one world; `likely` has been weighed.

        What keeps what was told comes first, and has tries of its own: giving up what is far back
        finds no end. At most `share` are weighed of each, for each number of unseen captures.
        """
        found, known = list(likely), {_squares(each.steps) for each in likely}
        # Two rounds, each with half the tries: accounts that keep what was told, then those that
        # give some of it up, the latter only where the former leave the board badly explained.
        # Captures that nobody saw multiply what may have been, so they are let in one by one: as
        # soon as one more could not rival the best that is known, nothing more is tried.
        spared = here.tries // 2
        here.tries -= spared
        for sequences, tries in ((self._keeping, 0), (self._giving_up, spared)):
            here.tries += tries
            fewest = 0
            for most in range(unseen, MAX_UNSEEN + 1):
                if sequences == self._giving_up and not self._is_strained(found, here.reported):
                    break
                unweighed = sequences(here, range(fewest, most + 1))
                found += yield from self._weigh_all(here, unweighed, share, known)
                if self._is_best(found, here, most):
                    break
                fewest = most + 1
        return found

    def _is_best(self, found: Sequence[Hypothesis], here: _Here, most: int) -> bool:
        """Return True if the best keeps what was told, and no more unseen captures can rival it."""
        best, count = min(found, key=attrgetter("cost"), default=None), len(here.reported)
        if best is None or count_kept(best.steps, here.reported) < count:
            return False
        return best.strain(count) <= here.scene.unseen * (most + 1) - PRICES.FORGET

    def _weigh_all(
        self,
        here: _Here,
        sequences: Unweighed,
        most: int,
        known: Collection[Squares] = (),
    ) -> Found:
        """Weigh sequences that are not known yet, the likeliest first, up to a number."""
        found: list[Hypothesis] = []
        likeliest = yield from _likeliest(sequences, most)
        for unweighed in likeliest:
            if _squares(unweighed.steps) in known:
                continue
            self._work.spend(A_WEIGHING)
            if self._work.is_used_up:
                yield
            # Every account found lowers the bound, its price of giving up included: what is
            # hopeless beside the best (400 to 1) is neither told nor asked about.
            hypothesis = self._weigh(here, unweighed)
            if hypothesis is not None:
                given_up = PRICES.RETRACT * unsaid(hypothesis.steps, here.reported)
                most_cost = hypothesis.cost + given_up + PRICES.HOPELESS
                here.bound = min(here.bound, most_cost)
                found.append(hypothesis)
        return found

    def _is_strained(self, found: Sequence[Hypothesis], reported: Sequence[Reported]) -> bool:
        """Return True if what was told explains the board so badly that it may not stand."""
        best = min(found, key=attrgetter("cost"), default=None)
        if best is None or not reported:
            return bool(reported)
        if best.strangers or best.hasty or best.in_hand >> reported[-1].options[0].to_square & 1:
            return True
        if best.strain(len(reported)) + best.touches > PRICES.MARGIN_TO_RETRACT:
            return True
        return any(
            not self.game.ends_from(best.after, square) for square in squares_of(best.in_hand)
        )

    def suspects(
        self,
        worlds: Sequence[World],
        scene: Scene,
        reported: Sequence[Reported],
        poor: Sequence[Hypothesis],
    ) -> list[tuple[Square, FaultKind]]:
        """Return the switches that may have failed, where `poor` are the best hypotheses."""
        squares: dict[Square, None] = {}
        for hypothesis in poor:
            here = _as_in(worlds[hypothesis.world], scene)
            squares.update(dict.fromkeys(self._suspects(hypothesis, here)))
        for entry in reported:
            for option in entry.options:
                squares.update({option.from_square: None, option.to_square: None})
        level = scene.trace.level
        return [
            (square, FaultKind.STUCK if level >> square & 1 else FaultKind.DEAD)
            for square in islice(squares, MAX_SUSPECTS)
            if not scene.ignored >> square & 1
        ]

    def explain_by_failures(
        self,
        worlds: Sequence[World],
        scene: Scene,
        reported: Sequence[Reported],
        faults: Sequence[tuple[Square, FaultKind]],
        limit: float,
        in_all: int = MAX_TRIED,
    ) -> Found:
        """Return hypotheses by which one of these switches has failed besides.

        Those that cost more than `limit` at first sight are left out. Steps are tried `in_all`.
        """
        found: list[Hypothesis] = []
        failing_worlds = worlds[:MAX_WORLDS_FAILING]
        parts = len(faults) * len(failing_worlds)
        tries = tries_of(parts, LEAST_TRIED_OF_A_SWITCH, in_all)
        most = max(min(MAX_FAULTY, in_all), LEAST_TRIED) // max(parts, 1)
        for index, world in enumerate(failing_worlds):
            sound = _as_in(world, scene)
            for fault in faults:
                # Without what this switch showed there are more sequences to try, and there may be
                # 60 suspects: they share what may be tried.
                failing = sound.without((fault,))
                if failing.ignored == sound.ignored:
                    continue
                failure = charges_of_failure(self.game, world.position, fault, sound)
                bound = limit - failure.nats
                here = _Here(index, world.position, failing, reported, bound, tries)
                for sequences in (self._keeping, self._giving_up):
                    unweighed = sequences(here, range(MAX_UNSEEN + 1))
                    some = yield from self._weigh_all(here, unweighed, most)
                    found += [replace(each.charged(*failure), fault=fault) for each in some]
        return found

    def _weigh(self, here: _Here, unweighed: _Unweighed) -> Hypothesis | None:
        """Weigh one sequence; None where it costs more than the bound, or cannot be."""
        steps, scene, reported = unweighed.steps, here.scene, here.reported
        kept = count_kept(steps, reported)
        given_up = reported[kept:]
        undone = 0
        for entry in given_up:
            if not departures_since(entry, scene, shown_at(steps, kept, scene)):
                continue  # nothing was seen to come down and go again: it was not undone by hand
            for option in entry.options:
                undone |= 1 << option.from_square | 1 << option.to_square
        over_by = [entry.over_by for entry in reported[:kept]]
        limit = here.bound - unweighed.at_least
        found = weigh(self.game, here.world, here.start, steps, scene, undone, over_by, limit)
        if found is None or not given_up:
            return found
        instead_at = found.landed_at[kept] if len(steps) > kept else None
        if found.aside >> given_up[0].options[0].to_square & 1:
            return found  # it was another piece that came down there
        entered = mask_of(step.to_square for step in steps[kept:])
        return found.charged(*self._firmness(given_up[0], scene, instead_at, entered))

    def _firmness(
        self, entry: Reported, scene: Scene, instead_at: float | None = None, entered: int = 0
    ) -> tuple[Charge, ...]:
        """Weigh that what was told is given up, though its piece was not seen to leave again.

        `instead_at` is when the piece of the step that is supposed instead came down; `entered` are
        the squares on which such steps end, as bits.
        """
        if self._is_denied(entry, scene):
            return ()
        is_gone = has_left(entry, scene, instead_at)
        if entry.is_answered:  # hands undo it only by putting its piece elsewhere, or back
            came = scene.landings.get(entry.options[0].from_square, ())
            over_at = entry.landed_at or entry.reported_at
            is_put = instead_at is not None or any(at > over_at for at in came)
            return () if is_gone and is_put else (PRICES.ANSWERED,)
        is_home = not entered >> entry.options[0].from_square & 1 and is_home_again(entry, scene)
        is_excused = is_home or is_gone or may_be_touched(entry, scene)
        return () if is_excused else (PRICES.NEVER_LEFT,)

    def _is_denied(self, entry: Reported, scene: Scene) -> bool:
        """Return True if a sensor that tells sides sees another side's piece where this one is."""
        if not scene.colours:
            return False
        step = entry.options[0]
        landed_on = 1 << step.to_square
        return scene.colours.cost(self.game.occupants(step.after), landed_on) > PRICES.MARGIN

    def _suspects(self, best: Hypothesis, scene: Scene) -> Iterator[Square]:
        """Yield the squares whose switch may have failed, given what `best` cannot explain."""
        unsure = best.in_hand | best.strangers
        yield from squares_of(unsure | scene.passed)
        targets = best.strangers | scene.opened & scene.closed
        present = self.game.occupied(best.after) & ~unsure & ~scene.ignored
        for square in squares_of(present):
            if targets & self.game.ends_from(best.after, square):
                yield square
        destinations = 0
        for square in squares_of(best.in_hand):
            for step in self.game.steps_from(best.after, square):
                if not step.surprise:
                    destinations |= 1 << step.to_square
        yield from squares_of(destinations & ~unsure)

    def _giving_up(self, here: _Here, unseen: range) -> Unweighed:
        """Yield the sequences that give up something of what was told, the last of it first.

        After it they hold as many unseen captures as `unseen` says.
        """
        scene, reported = here.scene, here.reported
        # The last step told is the likeliest to be wrong, and giving up more finds no end of
        # sequences.
        for kept in range(len(reported) - 1, -1, -1):
            given_up = reported[kept:]
            plies = sum(entry.is_ply for entry in given_up) + AHEAD
            undone = [step.squares for entry in given_up for step in entry.options]
            begun = self._partial(here, plies, unseen).touch(chain.from_iterable(undone))
            firm = 0.0 if given_up[0].is_unseen else PRICES.RETRACT
            firm += sum(self._firmness(given_up[0], scene))
            begun = begun._replace(cost=begun.cost + firm)
            yield from self._going_on(here, reported[:kept], begun, reported[kept])

    def _keeping(self, here: _Here, unseen: range) -> Unweighed:
        """Yield the sequences that begin with what was told, and go on with so many `unseen`."""
        return self._going_on(here, here.reported, self._partial(here, AHEAD, unseen))

    def _partial(self, here: _Here, plies: int, unseen: range) -> Partial:
        self._work.spend(A_BEGINNING)
        beside = partial(self.game.beside, here.start)
        untouched = TraceMatcher(here.scene, 0, beside).by_square()
        cost = sum(untouched.values())
        fewest, most = min(unseen), max(unseen)
        return Partial(here.start, plies, most, fewest, MAX_REFILLS, cost=cost, untouched=untouched)

    def _going_on(
        self,
        here: _Here,
        first: Sequence[Reported],
        begun: Partial,
        but_for: Reported | None = None,
    ) -> Unweighed:
        """Yield the sequences that begin with `first`, as told, and do not go on with `but_for`."""
        for head in self._heads(here.start, first):
            after = head[-1].after if head else here.start
            left = begun.touch(chain.from_iterable(step.squares for step in head))
            for tail in self._sequences(here, left._replace(position=after), but_for):
                yield tail and tail._replace(steps=(*head, *tail.steps))

    def _heads(
        self, start: Standing, reported: Sequence[Reported]
    ) -> list[tuple[Step[Standing], ...]]:
        """Return the sequences that what was told may have been."""
        heads: list[tuple[Step[Standing], ...]] = [()]
        for entry in reported:
            heads = [
                (*head, step)
                for head in heads
                for step in entry.steps(self.game, head[-1].after if head else start)
            ]
        return heads

    def _sequences(self, here: _Here, first: Partial, but_for: Reported | None = None) -> Unweighed:
        """Yield the sequences of steps that go on from `first` to how the board may stand.

        The likeliest beginnings at first sight are gone on with first. No first step is one that
        `but_for` allows.
        """
        scene, numbers = here.scene, count()
        likely = self._at_first_sight(first, scene)
        # Best first, not depth first: the true account of a lost game was the likeliest at first
        # sight, and lay 26,000 tries deep. The number keeps the order of equals, and steps from
        # being compared.
        queue = [(likely, next(numbers), first)]
        while queue:
            likely, _number, begun = heappop(queue)
            present = self.game.occupied(begun.position)
            differs = (scene.trace.level ^ present) & ~scene.ignored
            if not begun.owed and not begun.owing:
                yield _Unweighed(begun.steps, begun.cost, likely)
            for step, refilled, beside in self._onward(begun, present, differs, scene):
                if not begun.steps and but_for is not None and but_for.allows(step):
                    continue
                here.tries -= 1
                if here.tries < 0:
                    return
                self._work.spend(A_TRY)
                if self._work.is_used_up:
                    yield None
                longer = begun.spend(step, scene, beside, bool(refilled))
                if longer is None or longer.cost > here.bound:
                    continue
                owing = begun.owing & ~(1 << step.to_square) | refilled
                steps = (*begun.steps, step)
                longer = longer._replace(position=step.after, steps=steps, owing=owing)
                likely = self._at_first_sight(longer, scene)
                heappush(queue, (likely, next(numbers), longer))

    def _at_first_sight(self, begun: Partial, scene: Scene) -> float:
        """Return the cost so far, and that of squares that stand otherwise, as if unexplained."""
        present = self.game.occupied(begun.position)
        differs = (scene.trace.level ^ present) & ~scene.ignored
        lifted, strangers = differs & present, differs & ~present
        odd = PRICES.LIFTED * lifted.bit_count() + PRICES.STRANGER * strangers.bit_count()
        return begun.cost + odd

    def _onward(
        self, begun: Partial, present: int, differs: int, scene: Scene
    ) -> Iterator[tuple[Step[Standing], int, int]]:
        """Yield the steps that may come next, which square each refills, and those beside it.

        Each leaves a square that is empty now, or one that was seen to be left and that a later
        step enters (a refill); it ends where something came down, or takes.
        """
        blind = scene.ignored & present
        if not differs and not blind:
            return
        gone = differs & present | blind
        shown = scene.closed | scene.ignored | scene.aside
        ends = shown | present if begun.unseen else shown
        for square in squares_of((gone | scene.opened) & present):
            # A square that is occupied again hardly ever began a step: only where a later one
            # entered it. More than one such step in a sequence would multiply what may have been.
            refilled = 1 << square & ~gone
            if refilled and not begun.refills:
                continue
            among = ends & (present | differs | scene.rested) if refilled else ends
            beside = self.game.beside(begun.position, square)
            for step in self.game.steps_from(begun.position, square, among):
                yield step, refilled, beside


def _as_in(world: World, scene: Scene) -> Scene:
    """Return the scene as it is in one world: which switches have failed, and what lies aside."""
    return replace(scene.without(world.failed), aside=world.aside, double=world.double)


def _squares(steps: Iterable[Step[Standing]]) -> Squares:
    """Return from where to where each step goes."""
    return tuple(step.squares for step in steps)


def _likeliest(sequences: Unweighed, most: int) -> Generator[None, None, list[_Unweighed]]:
    """Return the best few, by their cost at first sight, best first."""
    found: list[_Unweighed] = []
    for unweighed in sequences:
        if unweighed is None:
            yield
        else:
            found.append(unweighed)
    return nsmallest(most, found, key=attrgetter("likely"))


NEVER = -math.inf


_NOTHING: Mapping[int, float] = MappingProxyType({})


class Partial(NamedTuple):
    """The beginning of a sequence of steps: what may follow it, and the least that it costs.

    Times are seconds on the table clock; each is the earliest that the trace allows.
    """

    position: Standing
    """The position after its steps."""
    plies: int
    unseen: int
    """The captures that may follow whose victim was not seen to leave."""
    owed: int
    """The number of them that must, since sequences with fewer have been weighed before."""
    refills: int
    """The steps that may begin on a square that is occupied again now."""
    steps: tuple[Step[Standing], ...] = ()
    owing: int = 0
    """The squares that were left though something stands there now: later steps enter them."""
    cost: float = 0.0
    """The least cost of the steps so far, in nats, with all changes that are `untouched`."""
    down_at: float = NEVER
    after: float = NEVER
    """Time at which the last of all steps to come down did: turns come one after another."""
    used: Mapping[int, float] = _NOTHING
    """By square, the last change that can have been one of theirs."""
    untouched: Mapping[int, float] = _NOTHING
    """The cost of the changes of each square on which no step has begun or ended, in nats."""

    def touch(self, squares: Iterable[int]) -> Partial:
        """Return the same where steps may account for what was seen on these squares."""
        untouched = dict(self.untouched)
        saved = sum(untouched.pop(square, 0.0) for square in squares)
        return self._replace(cost=self.cost - saved, untouched=untouched) if saved else self

    def spend(
        self, step: Step[Standing], scene: Scene, beside: int, refilled: bool
    ) -> Partial | None:
        """Return the sequence with `step` added; None where the scene rules the step out.

        `beside` are the squares next to where it began; `refilled`: something stands there again.
        """
        target = step.to_square
        shown = (scene.closed | scene.aside) >> target & 1
        blind = scene.ignored >> target & 1
        # A capture without a gap is rare (22 of 371). One by a step that is rare itself is left
        # out.
        unseen = step.capture and not shown and not blind
        if step.is_ply > self.plies or (unseen and step.surprise):
            return None
        if scene.ignored >> step.from_square & 1 and not shown:
            return None  # nothing at all would show it
        left = self._replace(
            plies=self.plies - step.is_ply,
            unseen=self.unseen - unseen,
            owed=max(self.owed - unseen, 0),
            refills=self.refills - refilled,
            cost=self.cost + step.surprise,
        )
        return left.touch(step.squares)._fit(step, scene, beside)

    def _fit(self, step: Step[Standing], scene: Scene, beside: int) -> Partial | None:
        """Find a step its place in time; None where it has none, as `weigh` would find too."""
        # This must never charge more than `weigh` does, else a true account would be dropped
        # unseen. So a step takes the earliest lift and landing that are left, though later ones may
        # fit better, and of what may have been odd about it only the cheapest is charged.
        cost, used, lifted_at = self.cost, dict(self.used), NEVER
        slack = PRICES.OVERLAP_REPLY_S * scene.slow
        source, target = step.from_square, step.to_square
        lifts: list[float] = []
        if not scene.ignored >> source & 1:
            since = self.used.get(source, NEVER)
            lifts = [at for at in scene.departures.get(source, ()) if at > since]
            if not lifts:
                return None
            lifted_at = used[source] = lifts[0]
            cost += min(early(self.down_at - lifts[-1], scene.slow) or 0.0, PRICES.SHOWN_LATE)
        if scene.ignored >> target & 1:
            return self._replace(cost=cost, down_at=NEVER, used=used)
        if scene.aside >> target & 1 and not step.capture:
            cost += PRICES.BLIND_LANDING
            return self._replace(cost=cost, down_at=NEVER, used=used)
        earliest = lifted_at - PRICES.DRAGGED_S * scene.slow
        after = self.after - slack
        if lifts and lifts[0] < self.down_at - slack:
            after = min(after, lifts[0])  # what came before may have shown late
        if not step.capture:
            earliest = max(earliest, after)  # turns come one after another
        since = self.used.get(target, NEVER)
        landings = scene.landings.get(target, ())
        down_at = next((at for at in landings if at >= earliest and at > since), None)
        cost += scene.least_rested.get(target, 0.0) * (down_at is not None)
        if step.capture:
            cost += scene.unseen * (down_at is None)
            return self._replace(
                cost=cost, down_at=NEVER if down_at is None else down_at, used=used
            )
        # Its switch may have been held by what was moved as it opened.
        held = next((at for at in landings if at > since and at >= after), math.inf)
        if held < earliest and any(scene.is_busy(beside, at) for at in lifts):
            cost += PRICES.HELD_CLOSED * (down_at is None)
            down_at = held
        if down_at is None:
            return None
        used[target] = down_at
        return self._replace(
            cost=cost, down_at=down_at, after=max(after + slack, down_at), used=used
        )


def tries_of(parts: int, least: int = LEAST_TRIED, in_all: int = MAX_TRIED) -> int:
    """Return how many steps may be tried in each of so many parts of a search, `least` anyway."""
    return max(in_all // max(parts, 1), least)


@dataclass(slots=True)
class Work:
    """The work that a call may still do before a search pauses, and the search to go on with.

    Counted in steps tried, and by the times of the calls: so the same play takes the same work.
    """

    left: int = WORK_OF_A_CALL
    in_progress: Generator[None, None, None] | None = None
    _at: float = 0.0
    _saved: float = WORK_OF_A_SECOND * SAVED_S

    @property
    def is_used_up(self) -> bool:
        """True once a call has done all that it may."""
        return self.left < 0

    def spend(self, amount: int) -> None:
        """Take note of work done."""
        # Counted in steps and by the calls' own times, not by a watch: a recording is read alike on
        # a fast and on a slow machine.
        self.left -= amount
        self._saved -= amount

    def renew(self, now: float) -> None:
        """Another call has begun; it may do nothing where too much was done of late."""
        # A reader that was lost took 46,000 steps a second, and kept a core busy. What is not used
        # is saved for hard moments, five seconds' worth at the most.
        earned = WORK_OF_A_SECOND * max(now - self._at, 0.0)
        self._at = max(self._at, now)
        self._saved = min(self._saved + earned, WORK_OF_A_SECOND * SAVED_S)
        self.left = WORK_OF_A_CALL if self._saved > 0 else -1

    @property
    def goes_on_at(self) -> float:
        """Time at which the next call may do more: at once, or when that has been earned."""
        return (
            self._at
            if self._saved > 0
            else self._at + (WORK_OF_A_CALL - self._saved) / WORK_OF_A_SECOND
        )

    @property
    def tries(self) -> int:
        """The steps that a search which begins now may try: the fewer the less is saved.

        A long one would never end where hands go on meanwhile, for each change begins another.
        """
        return int(MAX_TRIED * max(self._saved, 0.0) / (WORK_OF_A_SECOND * SAVED_S))

    def go_on(self) -> bool:
        """Do what this call may still do; whether all is done."""
        while self.in_progress is not None:
            if self.is_used_up:
                return False
            try:
                next(self.in_progress)
            except StopIteration:
                self.in_progress = None
        return True
