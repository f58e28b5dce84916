"""The way back: which plies lead from the last certain position to how the board stands.

It is asked when the reader has lost its way, and needs no changes to be explained. Each departure
since the anchor, in order, is either noise or the lift that began a ply: any legal step of its
piece whose target was seen to close later, or stands occupied and may have been taken. Of the ways
to one position the cheapest is kept. After each lift the cheapest are kept, and those dropped whose
board no later change can put right. One is taken where every other costs clearly more; what was
told and is not part of it counts against it. If only where one piece went is open, that is asked.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from rules import Square

from .accounts import Reported, WayBack, WayStep, World, count_kept, unsaid
from .costs import PRICES
from .matching import early, holding
from .readings import JetanGame, Standing, Step
from .scene import Scene
from .search import A_TRY, Work

WIDTH = 60  # ways that are followed at once, the cheapest
MAX_LIFTS = 90  # since the last certain position: of more no sense is made
LEAST_SINCE = 3  # plies that nobody has told: of fewer, what comes next may show more
FOLLOWED_BY = 2  # plies after what nobody saw come down, that speak for it

# A piece was touched, or came down on a square in passing, that no ply accounts for.
NOISE = 1.5
# A piece stands where its reed does not see it, at the edge of its square or in a dead strip.
STANDS_UNSEEN = 6.0
# By so much any other way must be worse, and each of its plies may cost so much.
CLEARLY_WORSE = 4.0
A_PLY_MAY_COST = 2.5


class _Lift(NamedTuple):
    """Something left a square, and something came there again; infinity where nothing did."""

    at: float
    square: Square
    came_at: float
    """Since when it had stood there; minus infinity where that is from the beginning on."""
    back_at: float


Found: TypeAlias = "Generator[None, None, list[WayBack]]"
"""A search that pauses where a call has worked enough, and returns what it has found at last."""


def find_ways_back(
    game: JetanGame,
    work: Work,
    worlds: Sequence[World],
    scene: Scene,
    reported: Sequence[Reported],
) -> Found:
    """Return the ways that lead to how the board stands, the cheapest first, each to another end.

    That it does without what was `reported` costs a way something.
    """
    lifts = sorted(
        _Lift(at, Square(square), max((c for c in came if c < at), default=-math.inf), back_at)
        for square, came in scene.landings.items()
        if not scene.ignored >> square & 1
        for at, back_at in scene.trace.absences(square)
        if not (scene.flickering >> square & 1 and back_at - at < PRICES.FLICKER_S * scene.slow)
    )
    if len(lifts) > MAX_LIFTS:
        return []
    ways = [
        WayBack(index, world.position, world.cost)
        for index, world in enumerate(worlds)
        if not world.failed
    ]
    later = _later(lifts)
    held = _held(lifts, scene)
    for number, lift in enumerate(lifts):
        best: dict[Standing, WayBack] = {}
        shown = _shown_since(scene, lift.at)
        for way in ways:
            for next_way in _go_on(game, way, lift, scene):
                work.spend(A_TRY)
                if work.is_used_up:
                    yield
                if _may_lead_on(game, next_way, later[number + 1], shown, scene):
                    known = best.setdefault(next_way.position, next_way)
                    if next_way.cost < known.cost:
                        best[next_way.position] = next_way
        ways = sorted(best.values(), key=attrgetter("cost"))[:WIDTH]
    found: list[WayBack] = []
    for way in ways:
        present = game.occupied(way.position) & ~scene.ignored
        missing = present & ~scene.trace.level
        if scene.trace.level & ~(present | scene.ignored) or missing & (missing - 1):
            continue
        steps = [one.step for one in way.taken]
        kept = count_kept(steps, reported)
        # People have said what was played: a way that denies it is none.
        if any(entry.is_answered for entry in reported[kept:]):
            continue
        odd = PRICES.LIFTED if missing == held else STANDS_UNSEEN
        more = PRICES.RETRACT * unsaid(steps, reported) + (odd if missing else 0.0)
        found.append(way._replace(cost=way.cost + more, dark=missing & ~held))
    return sorted(found, key=attrgetter("cost"))


def clearest(found: Sequence[WayBack], scene: Scene, reported: Sequence[Reported]) -> list[WayBack]:
    """Return the cheapest of the ways found: none, or several that differ in one end."""
    best = next(iter(found), None)
    if best is None or (best.dark and not _has_gone_on(best, scene)):
        return []
    # The last plies of a way have nothing after them to speak for them: what nobody saw come down
    # there is as likely a piece that is still held.
    is_blind = any(one.landed_at is None for one in best.taken[-FOLLOWED_BY:])
    alike = [way for way in found if way.cost < best.cost + CLEARLY_WORSE]
    if is_blind or not _is_one_question(alike):
        return []
    is_open = len({way.squares for way in alike}) > 1
    return [] if is_open and len(best.taken) < len(reported) + LEAST_SINCE else alike


def _may_lead_on(
    game: JetanGame, way: WayBack, left_later: int, shown_later: int, scene: Scene
) -> bool:
    """Return True if later lifts and landings may put right how the board stands otherwise."""
    present = game.occupied(way.position)
    differs = (present ^ scene.trace.level) & ~scene.ignored
    missing = differs & present & ~left_later
    return not (missing & (missing - 1) or differs & ~present & ~shown_later)


def _go_on(game: JetanGame, way: WayBack, lift: _Lift, scene: Scene) -> Iterator[WayBack]:
    """Yield the ways on in which a lift began a step, and that in which it did not."""
    present = game.occupied(way.position)
    noise = _noise(lift, present, scene)
    yield way._replace(cost=way.cost + noise, touches=way.touches + noise)
    if not present >> lift.square & 1:
        return
    among = _shown_since(scene, lift.at) | present
    for step in game.steps_from(way.position, lift.square, among):
        taken, cost = _show(step, lift, way, scene)
        before = way.taken[-1].landed_at if way.taken else None
        early_s = -math.inf if before is None else before - lift.at
        cost += step.surprise + (early(early_s, scene.slow) or 0.0)
        steps = (*way.taken, taken)
        yield way._replace(position=step.after, cost=way.cost + cost, taken=steps)


def may_cost(plies: int) -> float:
    """Return the most that a number of plies may cost: a dearer way explains nothing."""
    return PRICES.LOST + A_PLY_MAY_COST * plies


def _later(lifts: Sequence[_Lift]) -> list[int]:
    """Return which squares are left by one of the lifts from each number on, as bits."""
    masks = [0]
    for lift in reversed(lifts):
        masks.append(masks[-1] | 1 << lift.square)
    return masks[::-1]


def _held(lifts: Sequence[_Lift], scene: Scene) -> int:
    """Return the square whose piece may be in the air now: what left last, with nothing since."""
    if not lifts or lifts[-1].back_at < math.inf:
        return 0
    last = lifts[-1]
    came = (times[-1] for times in scene.landings.values() if times)
    return 0 if any(at > last.at for at in came) else 1 << last.square


def _shown_since(scene: Scene, at: float) -> int:
    """Return the squares on which something came down later, or as something was dragged there."""
    mask, since = 0, at - PRICES.DRAGGED_S * scene.slow
    for square, times in scene.landings.items():
        if times and times[-1] >= since:
            mask |= 1 << square
    return mask | scene.ignored


def _is_one_question(ways: Sequence[WayBack]) -> bool:
    """Return True if all these ways are the same plies, but for where one piece went."""
    if len({len(way.taken) for way in ways}) > 1:
        return False
    each = (set(squares) for squares in zip(*(way.squares for way in ways), strict=True))
    differing = [squares for squares in each if len(squares) > 1]
    return len(differing) < 2 and all(len(dict(squares)) == 1 for squares in differing)


def _has_gone_on(way: WayBack, scene: Scene) -> bool:
    """Return True if both sides have played since its dark piece was seen: no hand holds it."""
    left = scene.departures.get(way.dark.bit_length() - 1, ())  # none: it never was seen there
    left_at = max(left, default=-math.inf) + PRICES.TOGETHER_S
    return sum(one.lifted_at > left_at for one in way.taken) > 1


def _noise(lift: _Lift, present: int, scene: Scene) -> float:
    """Weigh that a lift began no step: a touch, the end of a visit, or what was taken."""
    if not present >> lift.square & 1:
        is_visit = lift.at - lift.came_at < PRICES.PASSING_S * scene.slow
        return PRICES.TRANSIT / 2 if is_visit else NOISE
    away_s = lift.back_at - lift.at
    return PRICES.TRANSIT if away_s < PRICES.FLICKER_S * scene.slow else NOISE


def _show(step: Step[Standing], lift: _Lift, way: WayBack, scene: Scene) -> tuple[WayStep, float]:
    """Return how a step that a lift began showed, and what goes against that.

    Where it ends, something came down since, if it took nothing and the switch has not failed.
    """
    since = lift.at - PRICES.DRAGGED_S * scene.slow
    target = step.to_square
    if step.capture:
        return _show_capture(step, lift, way, scene)
    if scene.ignored >> target & 1:
        return WayStep(step, lift.at, None, None, way.strain), PRICES.BLIND_LANDING
    stays = [(came, gone) for came, gone in scene.trace.stays(target) if came >= since]
    # What only passed over the target has not landed there yet.
    rested = (came for came, gone in stays if gone - came > PRICES.PASSING_S)
    landed_at = next(rested, stays[-1][0])
    return WayStep(step, lift.at, None, landed_at, way.strain), holding(
        landed_at - lift.at, scene.pace
    ).nats


def _show_capture(
    step: Step[Standing], lift: _Lift, way: WayBack, scene: Scene
) -> tuple[WayStep, float]:
    """Return how a capture showed: the gap on its square, if there was one."""
    target = step.to_square
    used = {one.opened_at for one in way.taken if one.step.to_square == target}
    since = lift.at - PRICES.DRAGGED_S * scene.slow
    first = lift.at - PRICES.VICTIM_LONG_S * scene.slow
    for opened_at, closed_at in scene.trace.absences(target):
        if opened_at in used or closed_at < since or opened_at < first:
            continue
        if closed_at == math.inf:
            break
        length = closed_at - opened_at
        is_noise = length >= PRICES.FLICKER_S * scene.slow
        back = NOISE if is_noise else PRICES.TRANSIT  # what was held for noise is none
        cost = holding(closed_at - max(lift.at, opened_at), scene.pace).nats - back
        if length < PRICES.BLINK_S:
            cost += PRICES.UNSEEN_BLIP
        return WayStep(step, lift.at, opened_at, closed_at, way.strain), cost
    return WayStep(step, lift.at, None, None, way.strain), PRICES.UNSEEN
