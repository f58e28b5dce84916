"""Weighing one account: how well a sequence of legal steps explains a trace.

Each step takes its changes from the trace, and is charged for how it showed (`matching`). Charged
are also what stands otherwise than the steps say (this first: it rules out most sequences before
any change has been looked at), steps out of turn, pieces in the air, captures after which as many
pieces stood as before, and all that no step has taken. The sum, in nats, is the cost; `costs` says
how much each is, and why. Only differences between accounts of one trace mean anything, and what is
not charged anywhere counts as certain.

`Misplaced` says why something may stand where some steps put nothing: a piece that was taken lies
there, or one beside holds the switch. So a square may hold a stranger by one account, and none by
another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from rules import Square, mask_of, squares_of

from .accounts import Hypothesis
from .costs import PRICES, Bill, Charge
from .matching import Traced, TraceMatcher, early, flight, holding, trace_steps
from .readings import DOWN_COVERED, HELD_FOR_LONG, LIFT_LATE, JetanGame, Standing, Step
from .scene import AN_INSTANT_S, Scene, moving_on

WEIGHED_AGAIN_S = 0.1, 1.0, 3.0  # after what a piece held says more, by so much

PAUSES = {PRICES.HELD.name, PRICES.THOUGHT.name}
"""The charges for hands that take their time."""


def weigh(
    game: JetanGame,
    world: int,
    start: Standing,
    steps: tuple[Step[Standing], ...],
    scene: Scene,
    undone: int,
    over_by: Sequence[float],
    limit: float,
) -> Hypothesis | None:
    """Weigh a sequence of steps; None where the trace rules it out, or it costs more than `limit`.

    Its first steps, told already, were over by `over_by`; on the mask `undone` one was given up.
    """
    after = steps[-1].after if steps else start
    differs = (scene.trace.level ^ (expected := game.occupied(after))) & ~scene.ignored
    in_hand, strangers = differs & expected, differs & ~expected
    misplaced = Misplaced(game, steps, after, in_hand, scene)
    aside, double, bill = misplaced.lying(strangers)
    passing = misplaced.passing_until(strangers := strangers & ~aside)
    bill.charge(PRICES.PASSING, len(passing))
    bill.charge(PRICES.STRANGER, strangers.bit_count() - len(passing))
    bill.charge(PRICES.RECKONED, _colour_nats(game, after, scene))
    if bill.nats + PRICES.LIFTED * in_hand.bit_count() > limit:
        return None
    matcher = TraceMatcher(scene, undone, partial(game.beside, start))
    since = matcher.take_standing(differs)
    traced = trace_steps(game, steps, scene, matcher, over_by)
    if since is None or traced is None:
        return None
    account = _Weighing(game, start, steps, after, scene, traced, bill)
    if not account.charge_order():
        return None
    matcher.close()
    held_since, strangers_since = _of(since, in_hand), _of(since, strangers)
    is_hasty = account.charge_early(held_since)
    unsure_since = account.charge_standing(held_since, strangers_since)
    bill.charge(PRICES.TOO_MANY, account.too_many(expected, strangers_since, aside))
    account.charge_steps(undone)
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
        in_hand=in_hand,
        strangers=strangers,
        aside=aside,
        double=double,
        holds_until=min((*passing.values(), _weighed_again(held_since, scene))),
        hasty=is_hasty,
        unsure_since=unsure_since,
        step_costs=tuple(each.nats for each in traced.bills),
        pauses=tuple(sum(c for c in each if c.name in PAUSES) for each in traced.bills),
        touches=matcher.leftover.nats,
    )


def _of(since: Mapping[int, float], mask: int) -> dict[int, float]:
    """Return what was of the squares of a mask."""
    return {square: at for square, at in since.items() if mask >> square & 1}


def _unsure_since(
    held_since: Mapping[int, float], strangers_since: Mapping[int, float], traced: Traced
) -> float | None:
    """Return since when what stands otherwise than the steps say has been odd; None if it is not.

    Whoever thinks holds a piece for as long as they like; but nobody plays on meanwhile, nor does a
    piece come from nowhere, so that more strangers stand than pieces are gone.
    """
    since = (*held_since.values(), *strangers_since.values())
    is_more = len(strangers_since) > len(held_since)
    played_at = max((at for at in traced.landed_at if at is not None), default=-math.inf)
    return min((at for at in since if at < played_at or is_more), default=None)


def _colour_nats(game: JetanGame, after: Standing, scene: Scene) -> float:
    """Weigh whose the pieces are that stand where they should, as far as a sensor can tell."""
    if not scene.colours:
        return 0.0
    standing = game.occupied(after) & scene.trace.level & ~scene.ignored
    return scene.colours.cost(game.occupants(after), standing)


def _weighed_again(held_since: Mapping[int, float], scene: Scene) -> float:
    """Return when it tells more that the piece first lifted is in the air still."""
    long = min(held_since.values(), default=math.inf) + PRICES.HELD_S * scene.pace
    later = (long + pause for pause in WEIGHED_AGAIN_S)
    return min((at for at in later if at > scene.now + AN_INSTANT_S), default=math.inf)


@dataclass(slots=True)
class _Weighing:
    """An account whose steps have found their changes, and what goes against it so far."""

    game: JetanGame
    start: Standing
    steps: tuple[Step[Standing], ...]
    after: Standing
    scene: Scene
    traced: Traced
    bill: Bill

    def charge_order(self) -> bool:
        """Charge that steps did not come one after another, as turns do; False if they cannot.

        Each pays once, by what is the oddest of its lift and its landing.
        """
        slack = PRICES.OVERLAP_REPLY_S * self.scene.slow
        # A reply in time speaks for a late switch, 7 of 1,816 plies on boards whose reeds have an
        # axis, and not for pieces in disorder.
        landed, late = self._down_by(slack)
        self.bill.charge(PRICES.SHOWN_LATE, late)
        last_down = -math.inf
        for index, down in enumerate(landed):
            # One cause may make both lift and landing odd. Charged twice, an account of quick hands
            # would lose against one that supposes a failed switch.
            odd = [self._out_of_turn(landed, index)] if index else []
            if down is not None:
                if down < last_down - slack:
                    return False
                if down < last_down:
                    is_close = down > last_down - PRICES.NECK_AND_NECK_S
                    odd.append(PRICES.NECK_AND_NECK if is_close else PRICES.DISORDER)
                last_down = max(last_down, down)
            self.bill += [max(filter(None, odd))] if any(odd) else ()
        return True

    def _down_by(self, slack: float) -> tuple[list[float | None], int]:
        """Return by when each step's piece was down, and how many showed there only later.

        Turns come in the order of their lifts: who replies has seen the other's piece put down,
        though its switch may not have.
        """
        steps, traced = self.steps, self.traced
        landed, late = list(traced.landed_at), 0
        for index, (down, reply) in enumerate(zip(landed, traced.lifted_at[1:], strict=False)):
            is_put_down = steps[index].is_ply and not steps[index].capture
            if is_put_down and steps[index + 1].is_ply and down is not None and reply is not None:
                earlier = traced.lifted_at[index]
                if reply < down - slack and (
                    earlier is None or reply > earlier + PRICES.TOGETHER_S
                ):
                    landed[index], late = reply, late + 1
        return landed, late

    def _out_of_turn(self, landed_at: Sequence[float | None], index: int) -> Charge | None:
        """Return what it costs that a step was lifted before the one before it was down.

        What belongs to nobody moves by a die, which is rolled once the ply before is over.
        """
        step, before, slow = self.steps[index], self.steps[index - 1], self.scene.slow
        start, earlier = self.traced.lifted_at[index], self.traced.lifted_at[index - 1]
        down = landed_at[index - 1]
        if start is None or (down is None and earlier is None):
            return None
        if earlier is not None and start < earlier - PRICES.OVERLAP_SLIDE_S * slow:
            ready = self._held_ready(index, step.from_square, start) if step.is_ply else None
            return ready or PRICES.DISORDER
        if down is None:
            down = (earlier or 0.0) + PRICES.SHORTEST_S  # it cannot have come down sooner
        found = early(down - start, slow)
        if earlier is not None and start < earlier + PRICES.TOGETHER_S:
            return PRICES.DISORDER if found is PRICES.HASTY else PRICES.TOGETHER
        # Nobody rolls the Juggernaut's die before the ply that it is rolled for has been played.
        if found and not step.is_ply:
            return PRICES.DISORDER
        is_taken = step.to_square == before.to_square and not before.capture
        return PRICES.HASTY if is_taken and start < down - PRICES.INSTANT_S else found

    def _held_ready(self, index: int, square: Square, lifted_at: float) -> Charge | None:
        """Weigh that a piece for step `index` was up before the other side had begun its own.

        None where it was not, or where that step was on its way to take it. One that its own side
        had just put down (5 of 13,217) is as unlikely as pieces in no order, and mostly put right.
        """
        begun_at = self.traced.lifted_at[index - 1] if index else None
        slack = PRICES.OVERLAP_SLIDE_S * self.scene.slow
        if begun_at is None or lifted_at >= begun_at - slack:
            return None
        before = self.steps[index - 2].after if index > 1 else self.start
        if self.game.ends_from(before, self.steps[index - 1].from_square) >> square & 1:
            return None
        # Who has just played and holds that piece again rather puts it right than plays it.
        is_again = index > 1 and self.steps[index - 2].to_square == square
        return PRICES.DISORDER if is_again else PRICES.HELD_READY

    def _in_turn_since(self, index: int, lifted_at: float, square: Square) -> float:
        """Return since when a piece for step `index` is held: one held ready, from its turn on."""
        over_at = self.traced.landed_at[index - 1] if index else None
        if over_at is None or not self._held_ready(index, square, lifted_at):
            return lifted_at
        return max(over_at, lifted_at)

    def charge_early(self, held_since: Mapping[int, float]) -> bool:
        """Charge the pieces now in the air that were there before a step came down.

        Returns whether any was too early: a reply that was lifted long before, or before what it
        replies to was touched; or what belongs to nobody, at all.
        """
        slack = PRICES.OVERLAP_REPLY_S * self.scene.slow
        instant = PRICES.OVERLAP_SLIDE_S * self.scene.slow
        lifted_at, landed_at = self.traced.lifted_at, self.traced.landed_at
        last_down = max((down for down in landed_at if down is not None), default=-math.inf)
        is_hasty = False
        for square, since in held_since.items():
            # Who waits may take up the piece that they mean to play: before 10 of 1,063 plies of
            # neighbours. Priced like pieces in no order, it kept back that ply and the one before.
            count, ready = 0, self._held_ready(len(self.steps), Square(square), since)
            if ready and not any(step.is_ply for step in self._ways(square)):
                ready = None
            turns = list(zip(lifted_at, landed_at, strict=True))
            for start, down in turns[:-1] if ready else turns:
                touched = -math.inf if start is None else start - instant
                is_early = since < (touched if down is None else max(down - slack, touched))
                if not is_early and down is not None and since < down - instant:
                    is_early = not all(step.is_ply for step in self._ways(square))
                count += is_early
            self.bill.charge(PRICES.HASTY, count)
            if ready:
                self.bill.charge(ready)
            else:
                self.bill.charge(PRICES.OVERLAPPED, not count and since < last_down - instant)
            is_hasty |= count > 0
        return is_hasty

    def _ways(self, square: int) -> Sequence[Step[Standing]]:
        """Return the steps by which a piece in the air may go on."""
        return self.game.steps_from(self.after, Square(square))

    def _charge_passing(self, held_since: Mapping[int, float]) -> None:
        """Charge the steps whose piece was soon off again, in the air or with a later step."""
        traced, bill = self.traced, self.bill
        # Only the side to move plays: a piece that moves on at once was rather sliding over that
        # square, and the landing there was no ply.
        down_at: dict[int, float] = {}
        for index, step in enumerate(self.steps):
            start, down = traced.lifted_at[index], traced.landed_at[index]
            before = down_at.get(step.from_square)
            if before is not None and start is not None:
                bill += moving_on(start - before)
            # A victim that had only just come there was rather still on its way.
            victim_down, opened_at = down_at.get(step.to_square), traced.opened_at[index]
            if victim_down is not None and opened_at is not None:
                stood_s = opened_at - victim_down
                bill += moving_on(stood_s) if stood_s < PRICES.SLIDING_S else ()
            if down is None:
                continue
            down_at[step.to_square] = down
            stood_s = held_since.get(step.to_square, math.inf) - down
            if index < len(self.steps) - 1:
                bill += moving_on(stood_s)
            elif stood_s < PRICES.PASSING_S:
                bill.charge(PRICES.PASSED if stood_s > PRICES.INSTANT_S else PRICES.NEVER_DOWN)

    def charge_standing(
        self, held_since: dict[int, float], strangers_since: Mapping[int, float]
    ) -> float | None:
        """Charge the pieces in the air, and for how long one has been, or something stood odd.

        What was knocked over does not lie for as long as that. Returns since when it has been odd.
        """
        scene, unsure_since = self.scene, _unsure_since(held_since, strangers_since, self.traced)
        self._charge_passing(held_since)
        self._charge_in_hand(held_since)
        # A piece that was knocked over is put up again. What has stood wrong for longer than that
        # is better explained by a failed switch, and so costs more than one.
        if unsure_since is not None and scene.now - unsure_since > scene.rise_s - AN_INSTANT_S:
            self.bill.charge(PRICES.NEVER_ROSE)
        elif held_since:
            first = min((at, Square(square)) for square, at in held_since.items())
            first_at = self._in_turn_since(len(self.steps), *first)
            self.bill += holding(scene.now - first_at, scene.pace)
        return unsure_since

    def _charge_in_hand(self, held_since: dict[int, float]) -> None:
        """Charge the pieces in the air: one that may act, and what it could take, are likely.

        A second that may act is as unlikely as any other: nobody plays with two at once.
        """
        bill, pace = self.bill, self.scene.pace
        ends = {each: self.game.ends_from(self.after, Square(each)) for each in held_since}
        reach = 0
        for each in ends.values():
            reach |= each
        acting = (since for square, since in held_since.items() if ends[square])
        first, longest = min(acting, default=math.inf), min(held_since.values(), default=math.inf)
        for square, since in held_since.items():
            # What leaves long after the first piece did is neither its victim nor fell with it.
            if since > longest + PRICES.VICTIM_ALONE_S * pace:
                bill += [PRICES.LIFTED_OTHER, PRICES.OUT_OF_TURN]
            elif (ends[square] and since == first) or reach >> square & 1:
                bill.charge(PRICES.LIFTED)
            else:
                bill.charge(PRICES.LIFTED_OTHER)
                is_late = since > first + PRICES.FALL_S * pace
                bill.charge(PRICES.OUT_OF_TURN, not ends[square] and is_late)

    def charge_steps(self, undone: int) -> None:
        """Charge each step more where its piece was in the air for longer than hands hold one.

        One that was taken back, to one of the squares `undone`, may have rested there meanwhile.
        """
        traced = self.traced
        for index, (step, bill) in enumerate(zip(self.steps, traced.bills, strict=True)):
            # Who takes a step back thinks meanwhile, for as long as they like.
            pace = math.inf if undone >> step.from_square & 1 else self.scene.pace
            self._charge_air(index, pace, bill)
            before = self.steps[index - 1].after if index else self.start
            could_take = self.game.ends_from(before, step.from_square) & self.game.occupied(before)
            bill.charge(PRICES.PASSED_OVER, self._passed_over(could_take, index))
            if self._is_held_long(could_take, index):
                # While a piece was held for so long it may have taken another whose switch showed
                # no gap, and the reply may still be to come: neither is likelier than the other.
                rest = (charge for charge in bill if charge.name != PRICES.THOUGHT.name)
                traced.bills[index] = Bill([*rest, PRICES.HELD_LONG])  # in its place, not besides
                traced.doubts[index] = HELD_FOR_LONG

    def _charge_air(self, index: int, pace: float, bill: Bill) -> None:
        """Charge how long a piece was in the air, as far as both ends of that were seen."""
        step, start = self.steps[index], self.traced.lifted_at[index]
        down = self.traced.landed_at[index]
        if start is None or down is None:
            return
        short = flight(down - start) if down != start else None  # equal: seen in one look
        if short is not None:
            if not self.game.beside(step.after, step.from_square) >> step.to_square & 1:
                bill.charge(short)
        elif not step.capture:
            bill += holding(down - self._in_turn_since(index, start, step.from_square), pace)

    def _is_held_long(self, could_take: int, index: int) -> bool:
        """Return True if a piece that may have taken another unseen was held long before this left.

        What was seen to be slid away, or to make way for what came from beside, was not adjusted.
        """
        step, traced, scene = self.steps[index], self.traced, self.scene
        left_at, opened_at = traced.lifted_at[index], traced.opened_at[index]
        down_at = traced.landed_at[index]
        if left_at is None or opened_at is None or opened_at - left_at < PRICES.HELD_LONG_S:
            return False
        if down_at is not None and any(
            opened_at - PRICES.DRAGGED_S < at < down_at
            for square in squares_of(self.game.beside(step.after, step.to_square) & scene.passed)
            for at in scene.landings[square]
        ):
            return False
        return could_take.bit_count() > 1

    def _passed_over(self, could_take: int, index: int) -> bool:
        """Return True if a piece took none of those that were lifted for it, by all that was seen.

        Another that it could have taken was off its square until the hand was there, or since
        before the hand moved, and stands again; that of the piece it did take was hardly seen
        empty. If the other's was left once more meanwhile, it may be the hand's own that came.
        """
        step, traced, scene = self.steps[index], self.traced, self.scene
        left_at, opened_at = traced.lifted_at[index], traced.opened_at[index]
        down_at = over_at = traced.landed_at[index]
        gap_s = 0.0 if opened_at is None or down_at is None else down_at - opened_at
        if left_at is None or gap_s > PRICES.FLICKER_S * scene.pace:
            return False
        # Who adjusts a piece has no other in the hand: that another was off its square meanwhile
        # and could be taken speaks for its capture (1 of 371 captures showed it without).
        others = could_take & scene.opened & scene.closed & scene.trace.level
        others &= ~(scene.ignored | scene.flickering)
        following = (later.from_square for later in self.steps[index + 1 :])
        others &= ~mask_of((step.to_square, *following))
        if over_at is None:
            lifts = traced.lifted_at[index + 1 : index + 2]
            over_at = min(at for at in (left_at + PRICES.WALKED_S, *lifts) if at is not None)
        return any(
            at < over_at
            and (back_at < over_at + PRICES.OVERLAP_REPLY_S or (down_at is None and at < left_at))
            and left_at < back_at
            and back_at - at > PRICES.BLINK_S
            for square in squares_of(others)
            for at, back_at in scene.trace.absences(square)
            if at > scene.trace.begun
            and back_at not in traced.landed_at
            and not any(back_at < left < over_at for left in scene.departures[square])
        )

    def too_many(self, expected: int, strangers_since: Mapping[int, float], aside: int) -> int:
        """Count the captures after which still as many pieces stood as before: they took nothing.

        A piece that was taken may have been put down on the board, though not where the attacker
        came from: such strangers are not counted, nor `aside`, a mask, nor what was cleared away.
        """
        steps, traced, scene = self.steps, self.traced, self.scene
        slack, held = PRICES.OVERLAP_SLIDE_S * scene.slow, PRICES.VICTIM_LONG_S * scene.pace
        count = (expected & ~scene.ignored).bit_count()
        count += sum(bool(scene.ignored & mask_of(step.squares)) for step in steps)
        found = 0
        # From the last capture backwards each one adds a piece to those that must have stood before
        # it. If the census saw as many afterwards, nothing was taken.
        for index in range(len(steps) - 1, -1, -1):
            if not steps[index].capture:
                continue
            count += 1
            down_at = traced.landed_at[index]
            put_down = aside.bit_count() + sum(
                down_at is not None and at > down_at - held and square != steps[index].from_square
                for square, at in strangers_since.items()
            )
            put_down += traced.doubts[index + 1 :].count(DOWN_COVERED)  # two held that switch
            put_down += self._cleared_away(index)
            lifted_at = traced.lifted_at[index]
            over = down_at if down_at is not None else lifted_at and lifted_at + PRICES.EXIT_S
            if over is not None:
                put_down += self._held_closed(over)
                found += scene.census.last_with(count + put_down) > over + slack
        return found

    def _held_closed(self, at: float) -> int:
        """Count the switches that pieces had left and that magnets beside still held closed."""
        departures = self.scene.departures
        pairs = zip(self.steps, self.traced.doubts, self.traced.landed_at, strict=False)
        return sum(
            doubt == LIFT_LATE
            and landed is not None
            and any(landed < left and at < left for left in departures.get(step.from_square, ()))
            for step, doubt, landed in pairs
        )

    def _cleared_away(self, index: int) -> int:
        """Count what was laid aside as a capture was under way, and has been cleared away since."""
        target, scene = self.steps[index].to_square, self.scene
        left_at = scene.departures.get(target, ())
        beside = self.game.beside(self.after, target)
        return sum(
            any(is_put_aside(came_at, at) for at in left_at)
            for square, came_at in scene.visits
            if beside >> square & 1 or is_rim(self.game, self.after, square)
            if came_at not in self.traced.landed_at
        )


@dataclass(slots=True)
class Misplaced:
    """Explains pieces that stand where some steps put nothing.

    `strangers` are always such squares, as bits; `in_hand` those whose pieces are in the air.
    """

    game: JetanGame
    steps: tuple[Step[Standing], ...]
    after: Standing
    in_hand: int
    scene: Scene

    def lying(self, strangers: int) -> tuple[int, int, Bill]:
        """Return those that are none: a piece that was taken lies there, or one stands beside.

        Also returns which of them a piece beside closes as well as its own, and what they cost.
        """
        known = strangers & self.scene.aside
        double = self._doubled(strangers & ~known)
        put = self._put_aside(strangers & ~(known | double))
        aside = known | double | mask_of(map(Square, put))
        pushed = self._shifted(strangers & ~aside)
        bill = Bill(put.values())
        bill.charge(PRICES.ASIDE, (double | pushed).bit_count())
        bill.charge(PRICES.SHIFTED, pushed.bit_count())
        return aside | pushed, double | pushed | known & self.scene.double, bill

    def _put_aside(self, unknown: int) -> dict[int, Charge]:
        """Return those that are pieces taken and put down on the board, and what each costs.

        So may one be whose capture is still under way: then what takes it is in the air with it.
        """
        after, scene, found = self.after, self.scene, dict[int, Charge]()
        if not unknown:
            return found
        # People put what they took beside the board or beside its square; of 1,594 captures 26 went
        # on the rim and were cleared away later. Held for strangers, those kept back plies and had
        # sound switches named.
        captures = [(step.from_square, step.to_square, True) for step in self.steps if step.capture]
        captures += [
            (source, target, False)
            for source in squares_of(self.in_hand)
            for target in squares_of(self.in_hand & self.game.ends_from(after, source))
        ]
        changes = scene.trace.changes
        came = sorted((changes[each][-1], each) for each in squares_of(unknown) if each in changes)
        for came_at, square in came:
            for capture in captures:
                source, target, is_done = capture
                price = self._price_on(square, source, target)
                if price is not None and any(
                    is_put_aside(came_at, at) and (back_at < math.inf) is is_done
                    for at, back_at in scene.trace.absences(target)
                ):
                    found[square] = price
                    # Each takes one piece, and one at a time is under way.
                    captures = [one for one in captures if one != capture and (is_done or one[2])]
                    break
        return found

    def _price_on(self, square: Square, source: Square, target: Square) -> Charge | None:
        """Return what it costs that a piece taken on `target` from `source` lies on a square."""
        if square == source:
            return PRICES.ON_SOURCE
        if self.game.beside(self.after, target) >> square & 1:
            return PRICES.ASIDE
        return PRICES.ON_RIM if is_rim(self.game, self.after, square) else None

    def _doubled(self, strangers: int) -> int:
        """Return those that a piece which came down beside holds as well as its own.

        It closed both within as long as a piece is over an edge, or the other as it passed there.
        """
        scene, changes, found = self.scene, self.scene.trace.changes, 0
        # At an edge a piece closes both squares, in either order: of 14 such moves all were within
        # 0.13 s.
        edge_s = PRICES.DRAGGED_S * scene.slow
        for step in self.steps:
            left_at = min(scene.departures.get(step.from_square, ()), default=math.inf)
            landings = scene.landings.get(step.to_square, ())
            for square in squares_of(strangers & self.game.beside(self.after, step.to_square)):
                if square != step.from_square and square in changes:
                    came_at = changes[square][-1]
                    has_passed = came_at > left_at - PRICES.DRAGGED_S
                    since_s = PRICES.PASSING_S if has_passed else edge_s
                    if any(-edge_s < at - came_at < since_s for at in landings):
                        found |= 1 << square
        return found

    def _shifted(self, strangers: int) -> int:
        """Return those that a piece beside shows, which was pushed or put back over its edge.

        Its own square was empty about when it came to the other.
        """
        scene, changes, found = self.scene, self.scene.trace.changes, 0
        expected = self.game.occupied(self.after)
        lifted_at = (changes[each][-1] for each in squares_of(self.in_hand) if each in changes)
        first = min(lifted_at, default=math.inf)
        for square in squares_of(strangers):
            if square not in changes:
                continue
            came_at = changes[square][-1]
            for source in squares_of(expected & self.game.beside(self.after, square)):
                is_shifted = any(
                    _is_pushed(came_at, at, back_at, first)
                    or (came_at < first and _is_adjusted(came_at, at, back_at))
                    for at, back_at in scene.trace.absences(source)
                )
                found |= is_shifted << square
        return found

    def passing_until(self, strangers: int) -> dict[int, float]:
        """Return until when each may be a piece in the air that passes there, if it still may."""
        until: dict[int, float] = {}
        for square in squares_of(strangers if self.in_hand else 0):
            times = self.scene.trace.changes.get(square)
            over_at = times[-1] + PRICES.HOLD_S if times else -math.inf
            if self.scene.now < over_at - AN_INSTANT_S:
                until[square] = over_at
        return until


def _is_pushed(came_at: float, at: float, back_at: float, first: float) -> bool:
    """Return True if what left its square `at` was pushed to the one beside.

    Others were in the air meanwhile, the first of them since `first`.
    """
    away_s = back_at - at
    if abs(came_at - at) >= PRICES.SHIFTED_S or away_s <= PRICES.FLICKER_S:
        return False
    return away_s < PRICES.PASSING_S or at > first + PRICES.KNOCK_S


def _is_adjusted(came_at: float, at: float, back_at: float) -> bool:
    """Return True if what was lifted and put back has held the switch beside since."""
    return at < came_at and abs(came_at - back_at) < PRICES.SHIFTED_S


def is_put_aside(came_at: float, left_at: float) -> bool:
    """Return True if what left a square may be what came beside it, taken up or pushed there."""
    return -PRICES.DRAGGED_S < came_at - left_at < PRICES.ASIDE_S


BESIDE_INNER = 8
"""The number of neighbours of a square that is not on the rim."""


def is_rim(game: JetanGame, position: Standing, square: int) -> bool:
    """Return True if a square is on the rim, where it has fewer neighbours than others."""
    return game.beside(position, Square(square)).bit_count() < BESIDE_INNER
