"""How often hands do what the reader charges for, and how long what they do lasts.

A game whose truth is known is cut where the board stands just as the true position says: there
nothing is open, and what came before bears on nothing any more. So each piece of it is a trace that
the true plies explain, as the reader would have to.

Counted are the charges that go against the truth, wherever a board stands as the true plies say
again, on how many occasions each might have come; and spans of time, of which the seconds in
`costs.toml` are bounds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log

from msgspec import UNSET

from jetan_table.people.truth import Happened, PlyRow, landed
from jetan_table.reading.accounts import Hypothesis, World
from jetan_table.reading.cost import weigh
from jetan_table.reading.costs import PRICES, Charge
from jetan_table.reading.readings import JetanGame, Standing, Step
from jetan_table.reading.scene import Scene, Tempo, Trace
from jetan_table.reading.search import HypothesisSearch, Work
from jetan_table.replay.recordings import Recording, seconds
from rules import parse_square, squares_of

LONG_S = 1.5
"""A board that rests for longer is looked at once more, just before it changes again."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The board at rest: where it began, what had truly been played since, and what was seen."""

    start: Standing
    steps: tuple[Step[Standing], ...]
    scene: Scene
    is_over: bool
    """Whether the board stands as the true plies say, and nothing is under way."""

    def true_account(self) -> Hypothesis | None:
        """Return what goes against the truth; None where it is held for impossible."""
        return weigh(JetanGame(), 0, self.start, self.steps, self.scene, 0, (), inf)

    def best_rival(self, game: JetanGame) -> Hypothesis | None:
        """Return the best account that says otherwise, if there is any."""
        work = Work(10**9)
        search = HypothesisSearch(game, work).explain([World(self.start, 0.0)], self.scene, ())
        while True:
            try:
                next(search)
            except StopIteration as ended:
                found: list[Hypothesis] = ended.value
                break
        true = [step.squares for step in self.steps]
        others = (each for each in found if [step.squares for step in each.steps] != true)
        return min(others, key=lambda each: each.cost, default=None)


def moments(recording: Recording, truth: Happened, start: Standing) -> Iterator[Moment]:
    """Yield what can be weighed of a game, in order; up to where a switch has failed.

    What was taken back meanwhile is left out, and so is all after the Juggernaut has moved.
    """
    game, plies, tempo = JetanGame(), truth.plies, Tempo()
    ends = inf if truth.fault is None else seconds(truth.fault.t_fault_us)
    if truth.juggernaut_moves:
        return
    level = sum(1 << square for square, closed in enumerate(recording.closed) if closed)
    trace, done = Trace(level, level), 0
    changes = recording.changes
    for index, change in enumerate(changes, 1):
        if change.at >= ends:
            return
        trace.add(change.switch, change.closed, change.at)
        following = changes[index].at if index < len(changes) else recording.ends_at
        rest_s = following - change.at
        if rest_s < PRICES.HOLD_S:
            continue
        due = [row for row in plies[done:] if landed(row) <= change.at]
        steps = _steps(game, start, [row for row in due if _undone(row) > change.at])
        if steps is None:
            return
        stands = steps[-1].after if steps else start
        is_open = any(change.at < _undone(row) < inf for row in due)
        is_open |= any(seconds(row.t_lift_us) < change.at for row in plies[done + len(due) :][:1])
        is_home = trace.level == game.occupied(stands) and not is_open
        if all(_undone(row) > following for row in due):
            looked_at = [change.at + PRICES.HOLD_S]
            looked_at += [following] if rest_s > LONG_S and not is_home else []
            for now in looked_at:
                scene = Scene(trace, tempo.pace, tempo.slowest, 0, now)
                yield Moment(start, steps, scene, is_home)
        if is_home:
            _learn(tempo, trace, steps)
            done += len(due)
            start, trace = stands, Trace(trace.level, trace.level)


def _undone(row: PlyRow) -> float:
    """Return when a ply was taken back."""
    return inf if row.taken_back_us is UNSET else seconds(row.taken_back_us)


def _steps(
    game: JetanGame, start: Standing, rows: Sequence[PlyRow]
) -> tuple[Step[Standing], ...] | None:
    """Return the steps of some plies; None where they are not legal (the Juggernaut moved)."""
    found: list[Step[Standing]] = []
    for row in rows:
        source, target = parse_square(row.from_), parse_square(row.to)
        before = found[-1].after if found else start
        step = next(iter(game.steps_from(before, source, 1 << target)), None)
        if step is None:
            return None
        found.append(step)
    return tuple(found)


def _learn(tempo: Tempo, trace: Trace, steps: Sequence[Step[Standing]]) -> None:
    """Learn the pace of plain moves, as the reader does."""
    for step in steps:
        left = trace.departures().get(step.from_square, ())
        came = trace.landings().get(step.to_square, ())
        if len(left) == len(came) == 1 and not step.capture:
            tempo.learn(came[0] - left[0])


CAPTURES, MOVES, PLIES = "captures", "moves", "plies"

HOLDS = ("AIR_S", "HELD_S", "HELD_LONG_S")
VISITS = ("SLIDING_S", "HOLD_S", "PASSING_S", "COUNTED_S")

OCCASIONS = {
    **dict.fromkeys(
        (
            *("UNSEEN", "UNSEEN_TRAIL", "UNSEEN_BLIP", "UNSEEN_FLICKER", "ASIDE", "ON_RIM"),
            *("ON_SOURCE", "BOTH_KNOCKED", "FELL_ALONG", "TOO_MANY", "PASSED_OVER", "HELD_LONG"),
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


def occasions_of(account: Hypothesis) -> dict[str, int]:
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


def spans_of(moment: Moment, account: Hypothesis) -> Iterator[tuple[str, float]]:
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


def _turn_spans(account: Hypothesis, index: int, left_at: float) -> Iterator[tuple[str, float]]:
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


def _visits(moment: Moment, account: Hypothesis) -> Iterator[tuple[int, float, float]]:
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
