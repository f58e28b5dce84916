"""Weighing one hypothesis: how well a sequence of legal steps accounts for a trace.

All costs are in nats; `costs` says how much each is, and why.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Generic

from hardware.switches import FaultKind
from rules import Square, mask_of, squares_of
from rules.sentences import _

from . import costs
from .costs import Bill, Charge
from .matching import Traced, TraceMatcher, trace_steps
from .readable_game import P, ReadableGame, Step
from .scene import (
    AN_INSTANT_S,
    Scene,
    is_put_aside,
    is_swept_aside,
    lying,
    moving_on,
    passing_until,
)
from .showing import DOWN_COVERED, HELD_FOR_LONG, LIFT_LATE, TOUCHED, early, flight, holding

WEIGHED_AGAIN_S = 0.1, 1.0, 3.0  # after what a piece held says more, by so much

# What may have been odd about a reading besides how its steps showed.
STRANGE = _("something stands where nothing legal can have come")


@dataclass(frozen=True, slots=True)
class Hypothesis(Generic[P]):
    """A sequence of steps that may have left the trace, and what it leaves unexplained."""

    world: int
    """From which of the anchor's worlds the steps begin."""
    steps: tuple[Step[P], ...]
    after: P
    """The position to which they lead."""
    cost: float
    """What goes against it, all in all, in nats: the less the better."""
    charges: tuple[Charge, ...]
    """The same one by one, each by its name."""
    lifted_at: tuple[float | None, ...]
    """When each step's piece was lifted; None where no switch showed it."""
    landed_at: tuple[float | None, ...]
    """When it came down, likewise."""
    step_doubts: tuple[str, ...]
    """What was unusual about how each step showed, for people to read; empty where nothing was."""
    oddities: tuple[str, ...]
    """What was besides."""
    in_hand: int
    """The squares whose pieces are in the air now, as bits."""
    strangers: int
    """The squares on which something stands where nothing legal can have come, as bits."""
    aside: int
    """Those on which a piece lies that was taken, or that one beside closes; no strangers."""
    double: int
    """Those of them that a piece beside closes as well as its own square."""
    holds_until: float
    """When it is to be weighed again though nothing has changed: then something rests too long."""
    hasty: bool
    """Whether a piece in the air now was lifted long before the last step came down.

    Then the last may have been another step than it seems.
    """
    unsure_since: float | None
    """Since when a square stands otherwise than the steps say, though there was play since.

    None where none does.
    """
    step_costs: tuple[float, ...]
    """What each step adds to `cost` by how it showed."""
    touches: float
    """What it adds that pieces were touched besides."""
    fault: tuple[Square, FaultKind] | None = None
    """A switch that must have failed for this to be true, besides those of its world."""

    def charged(self, *charges: Charge) -> Hypothesis[P]:
        """Return the same with more that goes against it."""
        more = tuple(filter(None, charges))
        return replace(self, cost=self.cost + math.fsum(more), charges=(*self.charges, *more))

    @property
    def is_odd(self) -> bool:
        """Whether anything was unusual."""
        return any(self.step_doubts) or bool(self.oddities)

    def doubts(self, index: int) -> tuple[str, ...]:
        """Return what was unusual about a step, and besides."""
        return tuple(filter(None, (self.step_doubts[index], *self.oddities)))

    def strain(self, steps_reported: int) -> float:
        """Return how badly this explains what came after its first steps, in nats.

        Those have been told already; and touches that no step accounts for strain nothing.
        """
        return self.cost - self.touches - sum(self.step_costs[:steps_reported])

    def shown_by(self, index: int) -> tuple[float | None, int]:
        """Return when the play that followed a step had shown it, and which step did.

        It is the next that came down, where another followed; else the last.
        """
        later = [at for at in range(index + 1, len(self.steps)) if self.landed_at[at] is not None]
        if len(later) > 1:
            return self.landed_at[later[0]], later[0]
        down = [at for at in self.landed_at[index:] if at is not None]
        return max(down, default=None), len(self.steps) - 1

    def is_lost(self, steps_reported: int) -> bool:
        """Whether this is so poor that a reader who knows no better has lost its way.

        Steps that showed themselves plainly speak for those before them.
        """
        later = range(steps_reported + 1, len(self.steps))
        allowed = sum(
            costs.LOST_PLAINLY if self._is_plain(index) else costs.LOST_AGAIN for index in later
        )
        return self.strain(steps_reported) > costs.LOST + allowed

    def _is_plain(self, index: int) -> bool:
        """Whether the piece of a step was seen to leave and to come down, and nothing was odd."""
        is_seen = self.lifted_at[index] is not None and self.landed_at[index] is not None
        return is_seen and not self.step_doubts[index] and self.step_costs[index] < costs.MARGIN


def weigh(
    game: ReadableGame[P],
    world: int,
    start: P,
    steps: tuple[Step[P], ...],
    scene: Scene,
    undone: int,
    over_by: Sequence[float],
    limit: float,
) -> Hypothesis[P] | None:
    """Weigh a sequence of steps; None where the trace rules it out, or it costs more than `limit`.

    It begins at `start`; its first steps, told already, were over by the times `over_by`. What was
    touched on `undone`, a mask, was touched in making and undoing a step that was given up.
    """
    after = steps[-1].after if steps else start
    differs = (scene.trace.level ^ (expected := game.occupied(after))) & ~scene.ignored
    in_hand, strangers = differs & expected, differs & ~expected
    aside, double, pushed = lying(game, steps, after, in_hand, strangers, scene)
    strangers &= ~aside
    passing = passing_until(game, after, in_hand, strangers, scene)
    bill = _astray(strangers, aside, pushed, len(passing), scene)
    bill.charge(costs.COLOUR, _colour_nats(game, after, scene))
    if bill.nats + costs.LIFTED * in_hand.bit_count() > limit:
        return None
    matcher = TraceMatcher(scene, undone, partial(game.beside, start))
    since = matcher.take_standing(differs)
    traced = trace_steps(game, steps, scene, matcher, over_by)
    if since is None or traced is None or not _charge_order(steps, traced, scene.slow, bill):
        return None
    matcher.close()
    held_since, strangers_since = _of(since, in_hand), _of(since, strangers)
    unsure_since = _unsure_since(held_since, strangers_since, traced)
    is_hasty = _charge_early(game, after, traced, held_since, scene.slow, bill)
    _charge_passing(steps, traced, held_since, bill)
    _charge_standing(game, after, held_since, unsure_since, scene, bill)
    more = _too_many(game, steps, traced, expected, strangers_since, aside, scene)
    bill.charge(costs.TOO_MANY, more)
    _charge_steps(game, start, steps, traced, undone, scene)
    charges = (*bill, *matcher.leftover, *chain(*traced.bills))
    return Hypothesis(
        world=world,
        steps=steps,
        after=after,
        cost=math.fsum(charges),
        charges=charges,
        lifted_at=tuple(traced.lifted_at),
        landed_at=tuple(traced.landed_at),
        step_doubts=tuple(traced.doubts),
        oddities=tuple(_oddities(bool(matcher.leftover), strangers > 0)),
        in_hand=in_hand,
        strangers=strangers,
        aside=aside,
        double=double,
        holds_until=min((*passing.values(), _weighed_again(held_since, scene))),
        hasty=is_hasty,
        unsure_since=unsure_since,
        step_costs=tuple(each.nats for each in traced.bills),
        touches=matcher.leftover.nats,
    )


def _oddities(is_touched: bool, is_strange: bool) -> Iterator[str]:
    """Yield what was unusual besides how the steps showed."""
    if is_touched:
        yield TOUCHED
    if is_strange:
        yield STRANGE


def _of(since: Mapping[int, float], mask: int) -> dict[int, float]:
    """Return what was of the squares of a mask."""
    return {square: at for square, at in since.items() if mask >> square & 1}


def _unsure_since(
    held_since: Mapping[int, float], strangers_since: Mapping[int, float], traced: Traced
) -> float | None:
    """Return since when what stands otherwise than the steps say has been odd; None if it is not.

    Whoever thinks holds a piece for as long as they like, and an illegal move stands until it is
    noticed; but nobody plays on meanwhile, nor does a piece come from nowhere, so that
    more strangers stand than pieces are gone.
    """
    since = (*held_since.values(), *strangers_since.values())
    is_more = len(strangers_since) > len(held_since)
    played_at = max((at for at in traced.landed_at if at is not None), default=-math.inf)
    return min((at for at in since if at < played_at or is_more), default=None)


def _never_rose(unsure_since: float | None, scene: Scene) -> bool:
    """Whether something has stood odd for longer than what was knocked over lies."""
    return unsure_since is not None and scene.now - unsure_since > scene.rise_s - AN_INSTANT_S


def _charge_standing(
    game: ReadableGame[P],
    after: P,
    held_since: dict[int, float],
    unsure_since: float | None,
    scene: Scene,
    bill: Bill,
) -> None:
    """Charge the pieces in the air, and for how long one has been, or something has stood odd."""
    _charge_in_hand(game, after, held_since, scene.pace, bill)
    if _never_rose(unsure_since, scene):
        bill.charge(costs.NEVER_ROSE)
    else:
        first_s = scene.now - min(held_since.values(), default=scene.now)
        bill += holding(first_s, scene.pace)


def _astray(strangers: int, aside: int, pushed: int, passing: int, scene: Scene) -> Bill:
    """Weigh what stands where the steps put nothing; so many of `strangers` may only pass."""
    bill = Bill()
    bill.charge(costs.ASIDE, (aside & ~scene.aside).bit_count())
    bill.charge(costs.SHIFTED, pushed.bit_count())
    bill.charge(costs.PASSING, passing)
    bill.charge(costs.STRANGER, strangers.bit_count() - passing)
    return bill


def _colour_nats(game: ReadableGame[P], after: P, scene: Scene) -> float:
    """Weigh whose the pieces are that stand where they should, as far as a sensor can tell."""
    if not scene.colours:
        return 0.0
    standing = game.occupied(after) & scene.trace.level & ~scene.ignored
    return scene.colours.cost(game.occupants(after), standing)


def _charge_order(steps: tuple[Step[P], ...], traced: Traced, slow: float, bill: Bill) -> bool:
    """Charge that steps did not come one after another, as turns do; False where they cannot.

    Each pays once, by what is the oddest of its lift and its landing.
    """
    slack = costs.OVERLAP_REPLY_S * slow
    landed, late = _down_by(steps, traced, slack)
    bill.charge(costs.SHOWN_LATE, late)
    last_down = -math.inf
    for index, down in enumerate(landed):
        odd = [_out_of_turn(steps, traced.lifted_at, landed, index, slow)] if index else []
        if down is not None:
            if down < last_down - slack:
                return False
            if down < last_down:
                is_close = down > last_down - costs.NECK_AND_NECK_S
                odd.append(costs.NECK_AND_NECK if is_close else costs.DISORDER)
            last_down = max(last_down, down)
        bill += [max(filter(None, odd))] if any(odd) else ()
    return True


def _out_of_turn(
    steps: tuple[Step[P], ...],
    lifted_at: Sequence[float | None],
    landed_at: Sequence[float | None],
    index: int,
    slow: float,
) -> Charge | None:
    """Return what it costs that a step was lifted before the one before it was down.

    What belongs to nobody moves by a die, which is rolled once the ply before is over; and nobody
    reaches for what is not there yet.
    """
    step, before = steps[index], steps[index - 1]
    start, earlier, down = lifted_at[index], lifted_at[index - 1], landed_at[index - 1]
    if start is None or (down is None and earlier is None):
        return None
    if earlier is not None and start < earlier - costs.OVERLAP_SLIDE_S * slow:
        return costs.DISORDER  # the other side had not even touched its own
    if down is None:
        down = (earlier or 0.0) + costs.SHORTEST_S  # it cannot have come down sooner
    found = early(down - start, slow)
    if earlier is not None and start < earlier + costs.TOGETHER_S:
        return costs.DISORDER if found is costs.HASTY else costs.TOGETHER
    if found and not step.is_ply:
        return costs.DISORDER
    is_taken = step.to_square == before.to_square and not before.capture
    return costs.HASTY if is_taken and start < down - costs.INSTANT_S else found


def _down_by(
    steps: tuple[Step[P], ...], traced: Traced, slack: float
) -> tuple[list[float | None], int]:
    """Return by when each step's piece was down, and how many showed there only later.

    Turns come in the order of their lifts: who replies has seen the other's piece put down, though
    its switch may not have.
    """
    landed, late = list(traced.landed_at), 0
    for index, (down, reply) in enumerate(zip(landed, traced.lifted_at[1:], strict=False)):
        is_put_down = steps[index].is_ply and not steps[index].capture
        if is_put_down and steps[index + 1].is_ply and down is not None and reply is not None:
            earlier = traced.lifted_at[index]
            if reply < down - slack and (earlier is None or reply > earlier + costs.TOGETHER_S):
                landed[index], late = reply, late + 1
    return landed, late


def _charge_steps(
    game: ReadableGame[P],
    start: P,
    steps: tuple[Step[P], ...],
    traced: Traced,
    undone: int,
    scene: Scene,
) -> None:
    """Charge each step more where its piece was in the air for longer than hands hold one.

    A piece that was taken back may have rested on the square it came from, for as long as it likes.
    """
    for index, (step, bill) in enumerate(zip(steps, traced.bills, strict=True)):
        pace = math.inf if undone >> step.from_square & 1 else scene.pace
        _charge_air(game, step, traced.lifted_at[index], traced.landed_at[index], pace, bill)
        before = steps[index - 1].after if index else start
        bill.charge(costs.PASSED_OVER, _passed_over(game, before, steps, index, traced, scene))
        if _is_held_long(game, before, steps, index, traced, scene):
            rest = (charge for charge in bill if charge.name != costs.THOUGHT.name)
            traced.bills[index] = Bill([*rest, costs.HELD_LONG])  # in its place, not besides
            traced.doubts[index] = HELD_FOR_LONG


def _is_held_long(
    game: ReadableGame[P],
    before: P,
    steps: tuple[Step[P], ...],
    index: int,
    traced: Traced,
    scene: Scene,
) -> bool:
    """Whether a piece that may have taken another unseen was held long before this one left.

    What was seen to be slid away, or to make way for what came from beside, was not adjusted.
    """
    step, left_at, opened_at = steps[index], traced.lifted_at[index], traced.opened_at[index]
    down_at = traced.landed_at[index]
    if left_at is None or opened_at is None or opened_at - left_at < costs.HELD_LONG_S:
        return False
    if down_at is not None and any(
        opened_at - costs.DRAGGED_S < at < down_at
        for square in squares_of(game.beside(step.after, step.to_square) & scene.passed)
        for at in scene.landings[square]
    ):
        return False
    return (game.ends_from(before, step.from_square) & game.occupied(before)).bit_count() > 1


def _passed_over(
    game: ReadableGame[P],
    before: P,
    steps: tuple[Step[P], ...],
    index: int,
    traced: Traced,
    scene: Scene,
) -> bool:
    """Whether, by all that was seen, a step took none of the pieces that were lifted for it.

    A piece that it could have taken was off its square until the hand was there, or since before
    the hand moved, and stands again; and the square of the piece that it did take, if any, was
    hardly seen empty. If that square was left once more before the hand was done, the hand's own
    piece may have been what came there.
    """
    step, left_at = steps[index], traced.lifted_at[index]
    opened_at, down_at = traced.opened_at[index], traced.landed_at[index]
    gap_s = 0.0 if opened_at is None or down_at is None else down_at - opened_at
    if left_at is None or gap_s > costs.FLICKER_S * scene.pace:
        return False
    others = game.ends_from(before, step.from_square) & game.occupied(before)
    others &= scene.opened & scene.closed & scene.trace.level & ~(scene.ignored | scene.flickering)
    others &= ~mask_of((step.to_square, *(later.from_square for later in steps[index + 1 :])))
    over_at = traced.landed_at[index]
    if over_at is None:
        following = traced.lifted_at[index + 1 : index + 2]
        over_at = min(at for at in (left_at + costs.WALKED_S, *following) if at is not None)
    return any(
        at < over_at
        and (back_at < over_at + costs.OVERLAP_REPLY_S or (down_at is None and at < left_at))
        and left_at < back_at
        and back_at - at > costs.BLINK_S
        for square in squares_of(others)
        for at, back_at in scene.absences(square)
        if at > scene.trace.begun
        and back_at not in traced.landed_at
        and not any(back_at < left < over_at for left in scene.departures[square])
    )


def _charge_air(
    game: ReadableGame[P],
    step: Step[P],
    start: float | None,
    down: float | None,
    pace: float,
    bill: Bill,
) -> None:
    """Charge how long a piece was in the air, as far as both ends of that were seen."""
    if start is None or down is None:
        return
    short = flight(down - start) if down != start else None  # equal: both were seen in one look
    if short is not None:
        if not game.beside(step.after, step.from_square) >> step.to_square & 1:
            bill.charge(short)
    elif not step.capture:
        bill += holding(down - start, pace)


def _charge_early(
    game: ReadableGame[P],
    after: P,
    traced: Traced,
    held_since: Mapping[int, float],
    slow: float,
    bill: Bill,
) -> bool:
    """Charge the pieces now in the air that were there before a step came down.

    Returns whether any was too early. A reply may be lifted a moment before that, but not before
    what it replies to was touched; and what belongs to nobody may not at all.
    """
    slack, instant = costs.OVERLAP_REPLY_S * slow, costs.OVERLAP_SLIDE_S * slow
    last_down = max((down for down in traced.landed_at if down is not None), default=-math.inf)
    is_hasty = False
    for square, since in held_since.items():
        count = 0
        for start, down in zip(traced.lifted_at, traced.landed_at, strict=True):
            touched = -math.inf if start is None else start - instant
            is_early = since < (touched if down is None else max(down - slack, touched))
            if not is_early and down is not None and since < down - instant:
                is_early = not all(step.is_ply for step in game.steps_from(after, Square(square)))
            count += is_early
        bill.charge(costs.HASTY, count)
        bill.charge(costs.OVERLAPPED, not count and since < last_down - instant)
        is_hasty |= count > 0
    return is_hasty


def _charge_passing(
    steps: tuple[Step[P], ...], traced: Traced, held_since: Mapping[int, float], bill: Bill
) -> None:
    """Charge the steps whose piece was soon off again, in the air or with a later step."""
    down_at: dict[int, float] = {}
    for index, step in enumerate(steps):
        start, down = traced.lifted_at[index], traced.landed_at[index]
        before = down_at.get(step.from_square)
        if before is not None and start is not None:
            bill += moving_on(start - before)
        victim_down, opened_at = down_at.get(step.to_square), traced.opened_at[index]
        if victim_down is not None and opened_at is not None:
            stood_s = opened_at - victim_down
            bill += moving_on(stood_s) if stood_s < costs.SLIDING_S else ()
        if down is None:
            continue
        down_at[step.to_square] = down
        stood_s = held_since.get(step.to_square, math.inf) - down
        if index < len(steps) - 1:
            bill += moving_on(stood_s)
        elif stood_s < costs.PASSING_S:
            bill.charge(costs.PASSED if stood_s > costs.INSTANT_S else costs.NEVER_DOWN)


def _too_many(
    game: ReadableGame[P],
    steps: tuple[Step[P], ...],
    traced: Traced,
    expected: int,
    strangers_since: Mapping[int, float],
    aside: int,
    scene: Scene,
) -> int:
    """Count the captures after which still as many pieces stood as before: they took nothing.

    A piece that was taken may have been put down on the board about then or since: such strangers
    are not counted, but for one on the square that the attacker came from, nor those of the
    mask `aside`, nor what lay beside its square and has been cleared away since. A piece that was
    pushed away unseen may have been slid over other squares.
    """
    slack, held = costs.OVERLAP_SLIDE_S * scene.slow, costs.VICTIM_LONG_S * scene.pace
    count = (expected & ~scene.ignored).bit_count()
    count += sum(bool(scene.ignored & mask_of(step.squares)) for step in steps)
    found = 0
    for index in range(len(steps) - 1, -1, -1):
        if not steps[index].capture:
            continue
        count += 1
        down_at = traced.landed_at[index]
        put_down = aside.bit_count() + sum(
            down_at is not None and at > down_at - held and square != steps[index].from_square
            for square, at in strangers_since.items()
        )
        put_down += _cleared_away(game, steps, index, traced, scene)
        put_down += traced.doubts[index + 1 :].count(DOWN_COVERED)  # two held that switch
        lifted_at = traced.lifted_at[index]
        over = down_at if down_at is not None else lifted_at and lifted_at + costs.EXIT_S
        if over is not None:
            put_down += _leaving(steps[:index], traced, over)
            put_down += _held_closed(steps, traced, over, scene)
            found += scene.census.last_with(count + put_down) > over + slack
    return found


def _leaving(steps: Sequence[Step[P]], traced: Traced, at: float) -> int:
    """Count what these steps had taken unseen and may still be on its way off the board."""
    pairs = zip(steps, traced.lifted_at, traced.landed_at, strict=False)
    return sum(
        step.capture and lifted is not None and landed is None and lifted + costs.EXIT_S > at
        for step, lifted, landed in pairs
    )


def _held_closed(steps: Sequence[Step[P]], traced: Traced, at: float, scene: Scene) -> int:
    """Count the switches that pieces had left by these steps and were held closed beside."""
    pairs = zip(steps, traced.doubts, traced.landed_at, strict=False)
    return sum(
        doubt == LIFT_LATE
        and landed is not None
        and any(landed < left and at < left for left in scene.departures.get(step.from_square, ()))
        for step, doubt, landed in pairs
    )


def _cleared_away(
    game: ReadableGame[P], steps: Sequence[Step[P]], index: int, traced: Traced, scene: Scene
) -> int:
    """Count what lay beside the square of a capture from about then on, and has left since."""
    source, target = steps[index].squares
    left_at = scene.departures.get(target, ())
    beside = game.beside(steps[index].after, target)
    return sum(
        any(is_put_aside(came_at, at) for at in left_at)
        or is_swept_aside(came_at, source, target, scene)
        for square, came_at in scene.visits
        if beside >> square & 1 and came_at not in traced.landed_at
    )


def _charge_in_hand(
    game: ReadableGame[P], after: P, held_since: dict[int, float], pace: float, bill: Bill
) -> None:
    """Charge the pieces in the air: one that may act, and what it could take, are likely.

    A second that may act is as unlikely as any other: nobody plays with two at once.
    """
    ends = {square: game.ends_from(after, Square(square)) for square in held_since}
    reach = 0
    for each in ends.values():
        reach |= each
    first = min((since for square, since in held_since.items() if ends[square]), default=math.inf)
    longest = min(held_since.values(), default=math.inf)
    for square, since in held_since.items():
        if since > longest + costs.VICTIM_ALONE_S * pace:
            bill += [costs.LIFTED_OTHER, costs.OUT_OF_TURN]
        elif (ends[square] and since == first) or reach >> square & 1:
            bill.charge(costs.LIFTED)
        else:
            bill.charge(costs.LIFTED_OTHER)
            bill.charge(costs.OUT_OF_TURN, not ends[square] and since > first + costs.FALL_S * pace)


def _weighed_again(held_since: Mapping[int, float], scene: Scene) -> float:
    """Return when it tells more that the piece first lifted is in the air still."""
    long = min(held_since.values(), default=math.inf) + costs.HELD_S * scene.pace
    later = (long + pause for pause in WEIGHED_AGAIN_S)
    return min((at for at in later if at > scene.now + AN_INSTANT_S), default=math.inf)
