"""Weighing how a step showed, what was odd about it, and how a switch that has failed did.

A plain move costs nothing here, and a capture that showed no gap most. The doubt that was left is
named, for people to read. The functions at the end say what one duration costs, wherever it is
charged: a hold, a flight, an early reply.

A failure costs more than anything that hands do, and less or more by what has been counted of it.
"""

import math

from hardware.switches import FaultKind
from rules import Square, squares_of
from rules.sentences import _

from .costs import PRICES, Bill, Charge
from .readings import P, ReadableGame, Step
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
        return Bill([PRICES.BLIND_LANDING]), DOWN_UNSEEN
    if scene.aside >> step.to_square & 1 and not step.capture:
        return Bill([PRICES.BLIND_LANDING]), DOWN_COVERED
    if not step.capture:
        if left_at is not None:
            return Bill(), ""
        is_known = scene.trace.ignored >> step.from_square & 1
        return Bill([PRICES.KNOWN_BLIND_LIFT if is_known else PRICES.BLIND_LIFT]), LIFT_UNSEEN
    if gap is None:
        has_trail = left_at is not None and _has_trail(game, step, stood, left_at, until, scene)
        return Bill([PRICES.UNSEEN_TRAIL if has_trail else PRICES.UNSEEN]), VICTIM_UNSEEN
    if _fell_along(step, stood, gap[0], scene):
        return Bill([PRICES.FELL_ALONG]), FELL_TOO
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
        left_at - PRICES.DRAGGED_S < at < left_at + PRICES.WALKED_S and gone_at <= until
        for square in squares_of(beside)
        for at, gone_at in scene.trace.stays(square)
    )


def _fell_along(step: Step[P], stood: int, opened_at: float, scene: Scene) -> bool:
    """Whether another piece left together with the victim, and was put up again: both fell."""
    return any(
        abs(at - opened_at) < PRICES.KNOCK_S and PRICES.FALL_S < back_at - at < math.inf
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
    if length < PRICES.FLICKER_S * pace:
        if weak:
            return Bill([PRICES.UNSEEN_FLICKER]), FLICKERS
        if length < PRICES.BLINK_S:
            return Bill([PRICES.UNSEEN_BLIP]), BLINKED
    if left_at is None:
        return Bill([PRICES.BLIND_LIFT]), LIFT_UNSEEN
    away = down_at - max(left_at, opened_at)
    if abs(opened_at - left_at) < PRICES.KNOCK_S * pace and away > PRICES.VICTIM_S * pace:
        return Bill([PRICES.BOTH_KNOCKED]), BOTH_KNOCKED
    bill = Bill()
    bill.charge(PRICES.THOUGHT, thought(max(length, down_at - left_at), PRICES.VICTIM_S))
    return bill, ""


def charges_of_failure(
    game: ReadableGame[P], position: P, fault: tuple[Square, FaultKind], scene: Scene
) -> Bill:
    """Weigh that a switch has failed, besides those that the scene leaves out.

    One that has stuck among pieces is rather held closed by their magnets.
    """
    square, kind = fault
    is_held = kind is FaultKind.STUCK and game.beside(position, square) & scene.trace.level
    bill = Bill([PRICES.HELD_BESIDE if is_held else PRICES.FAULT])
    bill.charge(PRICES.ANOTHER_FAULT, scene.ignored.bit_count())
    bill.charge(PRICES.FOLLOWED_LATELY, _has_followed(fault, scene))
    bill.charge(PRICES.RECKONED, scene.rates.shift(fault))
    return bill


def _has_followed(fault: tuple[Square, FaultKind], scene: Scene) -> bool:
    """Whether a switch has lately shown what it could not if it had failed before.

    A piece that is put down where its switch does not see it mostly closes that for a moment.
    """
    square, kind = fault
    times = scene.trace.changes.get(square, ())
    stays = scene.trace.stays(square)
    if kind is FaultKind.DEAD and stays:
        return any(gone_at - came_at >= PRICES.PASSING_S for came_at, gone_at in stays)
    is_first_disproof = kind.is_disproved(not scene.trace.base >> square & 1)
    return len(times) > (0 if is_first_disproof else 1)


def thought(seconds: float, mostly_s: float) -> float:
    """Return how often `THOUGHT` is charged where hands took so long for what `mostly` takes less.

    The longer the rarer, but there is no longest thought.
    """
    return min(math.log(seconds / mostly_s), MOST_THOUGHT) if seconds > mostly_s else 0.0


def holding(seconds: float, pace: float) -> Bill:
    """Charge that a piece has been in the air for so long."""
    bill, times = Bill(), thought(seconds, PRICES.HELD_S * pace)
    bill.charge(PRICES.HELD, times > 0)
    bill.charge(PRICES.THOUGHT, times)
    return bill


def flight(flight_s: float) -> Charge | None:
    """Return what it costs that a piece came further than to the next square so soon."""
    if flight_s >= PRICES.SHORT_FLIGHT_S:
        return None
    return PRICES.DISORDER if flight_s < PRICES.NO_FLIGHT_S else PRICES.SHORT_FLIGHT


def early(early_s: float, slow: float) -> Charge | None:
    """Return what it costs that a reply was lifted so long before what it replies to was down."""
    if early_s > PRICES.OVERLAP_REPLY_S * slow:
        return PRICES.HASTY
    return PRICES.OVERLAPPED if early_s > PRICES.OVERLAP_SLIDE_S * slow else None
