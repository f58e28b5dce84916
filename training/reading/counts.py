"""How often hands do what the reader charges for, and how long what they do lasts.

Counted are the charges that go against the truth, wherever a board stands as the true plies say
again, on how many occasions each might have come; and spans of time, of which the seconds in
`costs.toml` are bounds.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import inf, log

from jetan_table.reading.accounts import Hypothesis
from jetan_table.reading.costs import PRICES, Charge
from jetan_table.reading.jetan_game import JetanGame, Standing
from jetan_table.reading.readings import Step
from rules import squares_of

from .along import Moment

CAPTURES, MOVES, PLIES = "captures", "moves", "plies"

HOLDS = ("AIR_S", "HELD_S", "HELD_LONG_S")
VISITS = ("SLIDING_S", "HOLD_S", "PASSING_S", "COUNTED_S")

OCCASIONS = {
    **dict.fromkeys(
        (
            *("UNSEEN", "UNSEEN_TRAIL", "UNSEEN_BLIP", "UNSEEN_FLICKER", "ASIDE", "ON_RIM"),
            *("BOTH_KNOCKED", "FELL_ALONG", "TOO_MANY", "PASSED_OVER", "HELD_LONG"),
        ),
        CAPTURES,
    ),
    **dict.fromkeys(("SHOWN_LATE", "SHORT_FLIGHT", "BLIND_LANDING"), MOVES),
}
"""Of what each charge is a share; of all plies where nothing is said."""

SHORTER = (
    *("INSTANT_S", "NO_FLIGHT_S", "SHORT_FLIGHT_S", "SHORTEST_S", "BLINK_S", "FLICKER_S"),
    *("MOVED_ON_S", "TOGETHER_S", "AIR_S", "KNOCK_S"),
)
"""Counted is what lasted for less than these; of all others what lasted for longer."""


def occasions_of(account: Hypothesis[Standing]) -> dict[str, int]:
    """Return on how many occasions something might have been charged."""
    captures = sum(step.capture for step in account.steps)
    return {PLIES: len(account.steps), CAPTURES: captures, MOVES: len(account.steps) - captures}


def ledger(charges: Iterable[Charge]) -> dict[str, float]:
    """Return how often each thing was charged, by its name."""
    found: dict[str, float] = {}
    for charge in charges:
        found[charge.name] = found.get(charge.name, 0.0) + charge.times
    return found


def nats_of(times: float, occasions: int) -> float:
    """Return how unlikely it is on one occasion; half a time more is supposed to have been seen."""
    return -log((times + 0.5) / (occasions + 1.0))


def spans_of(moment: Moment, account: Hypothesis[Standing]) -> Iterator[tuple[str, float]]:
    """Yield what lasted for how many seconds, by the names of the bounds that it is held to."""
    scene, game = moment.scene, JetanGame()
    shown = zip(account.steps, account.lifted_at, account.landed_at, strict=True)
    for index, (step, left_at, down_at) in enumerate(shown):
        if left_at is None or down_at is None:
            continue
        air_s = down_at - left_at
        if step.capture:
            gaps = [one for one in scene.trace.absences(step.to_square) if one[1] == down_at]
            for opened_at, closed_at in gaps:
                yield from _capture_spans(left_at, opened_at, closed_at)
        elif air_s > 0:
            yield from ((name, air_s) for name in HOLDS)
            if not game.beside(step.after, step.from_square) >> step.to_square & 1:
                yield from (("NO_FLIGHT_S", air_s), ("SHORT_FLIGHT_S", air_s))
        if air_s < 0:
            yield from ((name, -air_s) for name in ("OVERLAP_SLIDE_S", "DRAGGED_S"))
        if not step.capture:
            yield from (("DRAGGED_S", abs(after_s)) for after_s in edges(moment, step, down_at))
        yield from _turn_spans(account, index, left_at)
    for _, came_at, gone_at in _visits(moment, account):
        yield from ((name, gone_at - came_at) for name in VISITS)


def edges(moment: Moment, step: Step[Standing], down_at: float) -> Iterator[float]:
    """Yield how long after its own square a piece put down at an edge closed the one beside.

    It still does. What closed that long before was passed on the way.
    """
    trace, game = moment.scene.trace, JetanGame()
    empty = ~(game.occupied(moment.steps[-1].after) | game.occupied(moment.start))
    for square in squares_of(trace.level & empty & game.beside(step.after, step.to_square)):
        after_s = trace.changes[square][-1] - down_at if square in trace.changes else inf
        if square != step.from_square and abs(after_s) < PRICES.HOLD_S:
            yield after_s


def _turn_spans(
    account: Hypothesis[Standing], index: int, left_at: float
) -> Iterator[tuple[str, float]]:
    """Yield how a lift stands to the steps before it."""
    landed, lifted = account.landed_at[:index], account.lifted_at[:index]
    if landed and landed[-1] is not None and landed[-1] > left_at:
        yield "OVERLAP_REPLY_S", landed[-1] - left_at
    if lifted and lifted[-1] is not None:
        yield "TOGETHER_S", left_at - lifted[-1]
    own = account.steps[index].from_square
    if index > 1 and account.steps[index - 2].to_square == own and landed[-2] is not None:
        yield from ((name, left_at - landed[-2]) for name in ("MOVED_ON_S", "INSTANT_S"))


def _capture_spans(
    left_at: float, opened_at: float, closed_at: float
) -> Iterator[tuple[str, float]]:
    gap_s = closed_at - opened_at
    yield from (("BLINK_S", gap_s), ("FLICKER_S", gap_s), ("VICTIM_LONG_S", gap_s))
    yield "VICTIM_S", max(gap_s, closed_at - left_at)
    yield from (("SHORTEST_S", closed_at - left_at), ("WALKED_S", closed_at - left_at))
    if opened_at < left_at:
        yield from (("VICTIM_ALONE_S", left_at - opened_at), ("KNOCK_S", left_at - opened_at))


def _visits(moment: Moment, account: Hypothesis[Standing]) -> Iterator[tuple[int, float, float]]:
    """Yield what only passed over a square: which, from when and until when."""
    ends = {square for step in account.steps for square in step.squares}
    for square, times in moment.scene.trace.changes.items():
        if square in ends or moment.scene.trace.base >> square & 1:
            continue
        for came_at, gone_at in list(pairwise((*times, inf)))[::2]:
            if gone_at < inf:
                yield square, came_at, gone_at


def is_beyond(name: str, lasted_s: float) -> bool:
    """Whether a span is beyond what the table holds for ordinary."""
    bound_s = float(getattr(PRICES, name))
    return lasted_s < bound_s if name in SHORTER else lasted_s > bound_s
