"""Weighing how a step showed, what was odd about it, and how a switch that has failed did.

A plain move costs nothing here, and a capture that showed no gap most. The doubt that was left is
named, for people to read. The functions at the end say what one duration costs, wherever it is
charged: a hold, a flight, an early reply.

A failure costs more than anything that hands do, and less or more by what has been counted of it.
"""

import math

from hardware.ports import FaultKind
from rules import Square, squares_of
from rules.sentences import _

from . import costs
from .costs import Bill, Charge
from .readable_game import P, ReadableGame, Step
from .scene import Scene

MOST_THOUGHT = 2.5  # times: as what takes twelve times as long

# What may have been odd about it.
TOUCHED = _("other pieces were touched")
DOWN_UNSEEN = _("it came down where the switch has failed")
DOWN_COVERED = _("it came down where a piece that was taken held the switch")
LIFT_UNSEEN = _("its lift was not seen")
LIFT_LATE = _("the switch it left stayed closed")
VICTIM_UNSEEN = _("victim unseen")
FELL_TOO = _("another piece fell with the victim, and was put up again")
FLICKERS = _("the victim's switch flickers")
BLINKED = _("victim seen to leave for a moment only")
HELD_FOR_LONG = _("its piece had been in the air for long before the victim left")
BOTH_KNOCKED = _("both pieces left at once, as if knocked over")


def step_charges(
    game: ReadableGame[P],
    step: Step[P],
    stood: int,
    left_at: float | None,
    gap: tuple[float, float] | None,
    until: float,
    scene: Scene,
) -> tuple[Bill, str]:
    """Weigh how a step showed, and name the doubt; an empty one where nothing was odd.

    The step was over by `until`. `stood` are the squares on which pieces stood that no later step
    moves, as bits: others that were left were only passed.
    """
    if scene.ignored >> step.to_square & 1:
        return Bill([costs.BLIND_LANDING]), DOWN_UNSEEN
    if scene.aside >> step.to_square & 1 and not step.capture:
        return Bill([costs.BLIND_LANDING]), DOWN_COVERED
    if not step.capture:
        if left_at is not None:
            return Bill(), ""
        is_known = scene.trace.ignored >> step.from_square & 1
        return Bill([costs.KNOWN_BLIND_LIFT if is_known else costs.BLIND_LIFT]), LIFT_UNSEEN
    if gap is None:
        has_trail = left_at is not None and _has_trail(game, step, stood, left_at, until, scene)
        return Bill([costs.UNSEEN_TRAIL if has_trail else costs.UNSEEN]), VICTIM_UNSEEN
    if _fell_along(step, stood, gap[0], scene):
        return Bill([costs.FELL_ALONG]), FELL_TOO
    bill, doubt = _victim_charges(step, left_at, gap, scene)
    is_walk = left_at is not None and _has_trail(game, step, stood, left_at, gap[1], scene)
    return (Bill(), "") if doubt is BOTH_KNOCKED and is_walk else (bill, doubt)  # it did not fall


def _has_trail(
    game: ReadableGame[P], step: Step[P], stood: int, left_at: float, until: float, scene: Scene
) -> bool:
    """Whether something passed over a square beside an unseen capture, then, before `until`.

    The attacker came over it, or what it took was pushed away over it; neither stayed there.
    """
    beside = game.beside(step.after, step.to_square) & scene.passed & ~stood
    return any(
        left_at - costs.DRAGGED_S < at < left_at + costs.WALKED_S and gone_at <= until
        for square in squares_of(beside)
        for at, gone_at in scene.trace.stays(square)
    )


def _fell_along(step: Step[P], stood: int, opened_at: float, scene: Scene) -> bool:
    """Whether another piece left together with the victim, and was put up again: both fell."""
    return any(
        abs(at - opened_at) < costs.KNOCK_S and costs.FALL_S < back_at - at < math.inf
        for square in scene.departures
        if stood >> square & 1 and square not in step.squares
        for at, back_at in scene.trace.absences(square)
    )


def _victim_charges(
    step: Step[P], left_at: float | None, gap: tuple[float, float], scene: Scene
) -> tuple[Bill, str]:
    """Weigh how the victim's square behaved, and name the doubt."""
    weak, pace = scene.flickering >> step.to_square & 1, scene.pace
    opened_at, down_at = gap
    length = down_at - opened_at
    if length < costs.FLICKER_S * pace:
        if weak:
            return Bill([costs.UNSEEN_FLICKER]), FLICKERS
        if length < costs.BLINK_S:
            return Bill([costs.UNSEEN_BLIP]), BLINKED
    if left_at is None:
        return Bill([costs.BLIND_LIFT]), LIFT_UNSEEN
    away = down_at - max(left_at, opened_at)
    if abs(opened_at - left_at) < costs.KNOCK_S * pace and away > costs.VICTIM_S * pace:
        return Bill([costs.BOTH_KNOCKED]), BOTH_KNOCKED
    bill = Bill()
    bill.charge(costs.THOUGHT, thought(max(length, down_at - left_at), costs.VICTIM_S))
    return bill, ""


def charges_of_failure(
    game: ReadableGame[P], position: P, fault: tuple[Square, FaultKind], scene: Scene
) -> Bill:
    """Weigh that a switch has failed, besides those that the scene leaves out.

    One that has stuck among pieces is rather held closed by their magnets.
    """
    square, kind = fault
    is_held = kind is FaultKind.STUCK and game.beside(position, square) & scene.trace.level
    bill = Bill([costs.HELD_BESIDE if is_held else costs.FAULT])
    bill.charge(costs.ANOTHER_FAULT, scene.ignored.bit_count())
    bill.charge(costs.FOLLOWED_LATELY, _has_followed(fault, scene))
    bill.charge(costs.RECKONED, scene.rates.shift(fault))
    return bill


def _has_followed(fault: tuple[Square, FaultKind], scene: Scene) -> bool:
    """Whether a switch has lately shown what it could not if it had failed before.

    A piece that is put down where its switch does not see it mostly closes that for a moment.
    """
    square, kind = fault
    times = scene.trace.changes.get(square, ())
    stays = scene.trace.stays(square)
    if kind is FaultKind.DEAD and stays:
        return any(gone_at - came_at >= costs.PASSING_S for came_at, gone_at in stays)
    is_first_disproof = kind.is_disproved(not scene.trace.base >> square & 1)
    return len(times) > (0 if is_first_disproof else 1)


def thought(seconds: float, mostly_s: float) -> float:
    """Return how often `THOUGHT` is charged where hands took so long for what `mostly` takes less.

    The longer the rarer, but there is no longest thought.
    """
    return min(math.log(seconds / mostly_s), MOST_THOUGHT) if seconds > mostly_s else 0.0


def holding(seconds: float, pace: float) -> Bill:
    """Charge that a piece has been in the air for so long."""
    bill, times = Bill(), thought(seconds, costs.HELD_S * pace)
    bill.charge(costs.HELD, times > 0)
    bill.charge(costs.THOUGHT, times)
    return bill


def flight(flight_s: float) -> Charge | None:
    """Return what it costs that a piece came further than to the next square so soon."""
    if flight_s >= costs.SHORT_FLIGHT_S:
        return None
    return costs.DISORDER if flight_s < costs.NO_FLIGHT_S else costs.SHORT_FLIGHT


def early(early_s: float, slow: float) -> Charge | None:
    """Return what it costs that a reply was lifted so long before what it replies to was down."""
    if early_s > costs.OVERLAP_REPLY_S * slow:
        return costs.HASTY
    return costs.OVERLAPPED if early_s > costs.OVERLAP_SLIDE_S * slow else None
