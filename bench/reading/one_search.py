"""A reader of switches on trial: one forward search over departures.

`JETAN_BENCH_READERS=jetan,one-search` measures it beside the table's own. It knows no failed
switches, no questions but which square or piece it was, and no answers yet.

Each departure since the cut is explained when it is met, in one of these ways: nothing was played
(a touch, a blink, the end of a visit); a piece was lifted for a step; it was lifted to be taken by
the step that comes next; it was lifted ready for a reply; or what had come down last goes back, or
elsewhere after all. The landing of a step is looked up in the trace instead of waited for, so that
drags, slides over five squares, walks, hops and wobbles need no state. What a way has still to
account for is part of the key by which ways are merged: the taken pieces that wait for their step,
a reply held ready, departures that a capture has explained in advance, switches held closed.

Ways are ranked by their cost and by how the board stands otherwise where nothing later changes it;
the best `WIDTH` go on, with up to `PASTS` histories for each state. A change searches on from the
first event that it alters. What is long past is cut off, with the ways that the accounts of today
come from. Costs are nats of `costs.toml`; the constants here were set by hand, on 18 games.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from hardware.ports import Observation, presence
from jetan_table.reading.costs import PRICES
from jetan_table.reading.matching import early, flight, holding, thought
from jetan_table.reading.readings import (
    LIFT_UNSEEN,
    VICTIM_UNSEEN,
    Evidence,
    JetanGame,
    Reading,
    Standing,
    Step,
    question_about,
    telling,
    undoing,
)
from jetan_table.reading.scene import Tempo, Trace, forget_shock, shakes_until
from rules import Position, Square, mask_of, squares_of

WIDTH: Final = 60
PASTS: Final = 3
WORSE: Final = 12.0
"""Nats by which a way may rank behind the best."""
DOMINANCE: Final = 5.0
"""Nats by which a way that waits for more must not rank behind one of the same position."""
OTHERWISE: Final = 6.5
"""Nats for a square that stands otherwise, and that nothing later changes."""
OUT_OF_STEP: Final = 4.0
"""Nats for a square that had stood otherwise for a second at that moment."""
AHEAD: Final = 6
"""Departures before a landing ahead that count, a nat each."""

READY_S: Final = 8.0
VICTIM_BACK_S: Final = 0.05
"""Seconds after which a lifted piece that came back was not taken."""
GIVEN_UP: Final = 6.0
UNDONE: Final = 2.5
HELD_SOURCE: Final = 6.0
NOISE: Final = 1.5
STOOD_S: Final = 0.6
"""Seconds after which a landing that nothing accounts for is an event of its own."""

ACCOUNTS: Final = 8.0
"""Nats within which a way's past is kept."""
DENIED: Final = 1.5
MOST_DENIED: Final = 9.0
BASE_DEPTH: Final = 8
CUT_EVENTS: Final = 36
WALKS: Final = 12
"""The latest plies, of which the second longest rest on the way says how long one may be."""
REPLIED_S: Final = 0.12
MANY_S: Final = 0.8
"""Seconds of quiet before more than two plies are taken back."""


class Departure(NamedTuple):
    """Something left a square; or, as `is_landing`, has stood on one for long."""

    at: float
    square: int
    came_at: float
    back_at: float
    is_landing: bool = False


class Taken(NamedTuple):
    """One step as it showed. Times are None where no switch showed it."""

    step: Step[Standing]
    before: Standing
    lifted_at: float | None
    opened_at: float | None
    landed_at: float | None
    doubt: str = ""
    past: int = 0
    """A hash of all steps up to this one."""


class Victim(NamedTuple):
    """A piece that was lifted to be taken, until its square is closed again."""

    square: int
    left_at: float
    back_at: float


Paid = tuple[tuple[int, float], ...]
Undone = tuple[tuple[int, tuple[Square, Square]], ...]


class Way:
    """One explanation of all departures so far."""

    __slots__ = (
        "cost",
        "held",
        "line",
        "paid",
        "position",
        "prev",
        "rank",
        "ready",
        "undone",
        "victims",
    )

    def __init__(self, position: Standing, prev: Way | None = None, cost: float = 0.0) -> None:
        self.position, self.prev, self.cost, self.rank = position, prev, cost, 0.0
        self.line: tuple[Taken, ...] = prev.line if prev else ()
        self.undone: Undone = prev.undone if prev else ()
        """Steps that hands took back: each with its place in the line."""
        self.victims: tuple[Victim, ...] = prev.victims if prev else ()
        self.ready: tuple[int, float] | None = prev.ready if prev else None
        self.paid: Paid = prev.paid if prev else ()
        """Departures to come that a capture has explained."""
        self.held: int = prev.held if prev else 0
        """Squares that were left though their switch stays closed."""

    @property
    def past(self) -> int:
        return self.line[-1].past if self.line else 0

    @property
    def key(self) -> object:
        return self.position, self.victims, self.ready, self.paid, self.held

    def on(self, cost: float, position: Standing | None = None) -> Way:
        """Return the way that goes on from here at so much more."""
        return Way(position or self.position, self, self.cost + cost)


class Seen:
    """The trace as the search asks for it."""

    def __init__(self, trace: Trace, now: float, pace: float, blinks: Mapping[int, int]) -> None:
        self.now, self.pace, self.slow, self.blinks = now, pace, max(pace, 1.0), blinks
        self.level, self.ignored = trace.level, trace.ignored
        changes = {
            square: times
            for square, times in trace.changes.items()
            if times and not trace.ignored >> square & 1
        }
        self.stays = {square: trace.stays(square) for square in changes}
        self.gaps = {square: trace.absences(square) for square in changes}
        self.lasts = {square: times[-1] for square, times in changes.items()}
        self.landed = {square: stays[-1][0] for square, stays in self.stays.items() if stays}
        self.events = sorted(self._events(trace, changes))
        self.flips = sorted((at, square) for square, times in changes.items() for at in times)
        self.times = [at for at, _ in self.flips]
        self._look(trace.base)

    def _events(self, trace: Trace, changes: Mapping[int, Sequence[float]]) -> Iterator[Departure]:
        for square, times in changes.items():
            stood = bool(trace.base >> square & 1)
            for index, (at, back_at) in enumerate(self.gaps[square]):
                came_at = -math.inf if stood and not index else times[2 * index - stood]
                yield Departure(at, square, came_at, back_at)
            for came_at, gone_at in self.stays[square]:
                if min(gone_at, self.now) - came_at > STOOD_S:
                    yield Departure(came_at + STOOD_S, square, came_at, gone_at, True)

    def _look(self, level: int) -> None:
        """Work out by event which squares change later, what stood, and what had for a second."""
        later, self.later = 0, [0]
        for _, square in reversed(self.flips):
            later |= 1 << square
            self.later.append(later)
        self.later.reverse()
        self.levels, self.stable = [], []
        lasts: dict[int, float] = {}
        place = 0
        for event in self.events:
            while place < len(self.flips) and self.flips[place][0] <= event.at:
                at, square = self.flips[place]
                level ^= 1 << square
                lasts[square] = at
                place += 1
            self.levels.append(level)
            lately = mask_of(Square(square) for square, at in lasts.items() if event.at - at <= 1.0)
            self.stable.append(~lately)

    def changes_after(self, n: int) -> int:
        """Return the squares that change after event `n - 1`."""
        if n == 0:
            return self.later[0]
        return self.later[bisect_right(self.times, self.events[n - 1].at)]

    def is_busy(self, at: float, among: int, within_s: float) -> bool:
        place = bisect_right(self.times, at - within_s)
        while place < len(self.flips) and self.times[place] < at + within_s:
            if among >> self.flips[place][1] & 1:
                return True
            place += 1
        return False

    def landed_since(self, at: float) -> int:
        return mask_of(Square(square) for square, came_at in self.landed.items() if came_at >= at)


class Search:
    """Goes from event to event, and keeps the ways up to each."""

    def __init__(self, game: JetanGame, position: Standing) -> None:
        self.game = game
        self.frontiers: list[list[Way]] = [[Way(position)]]
        self.events: list[Departure] = []
        self.seen = Seen(Trace(0, 0), 0.0, 1.0, {})

    @property
    def ways(self) -> list[Way]:
        return self.frontiers[-1]

    def run(self, seen: Seen, unsettled: float) -> None:
        """Search on from the first event that is new, or later than `unsettled`."""
        first = 0
        for old, new in zip(self.events, seen.events, strict=False):
            if old != new or new.at >= unsettled:
                break
            first += 1
        first = min(first, len(self.frontiers) - 1)
        del self.frontiers[first + 1 :]
        self.seen, self.events = seen, seen.events
        for n in range(first, len(seen.events)):
            self.frontiers.append(self._step(self.frontiers[n], n))

    def _step(self, ways: Sequence[Way], n: int) -> list[Way]:
        """Return the best ways on over one event."""
        event, later = self.seen.events[n], self.seen.changes_after(n + 1)
        found: dict[object, dict[int, Way]] = {}
        best = math.inf
        for before in ways:
            way = self._given_up(before, event)
            for each in self._landed(way, event, n) if event.is_landing else self._left(way, event):
                each.rank = self._rank(each, n + 1, later)
                if each.rank > best + WORSE:
                    continue
                best = min(best, each.rank)
                alike = found.setdefault(each.key, {})
                known = alike.get(each.past)
                if known is None or each.rank < known.rank:
                    alike[each.past] = each
                if len(alike) > PASTS:
                    del alike[max(alike, key=lambda past: alike[past].rank)]
        kept: list[Way] = []
        least: dict[object, float] = {}
        for way in sorted((way for alike in found.values() for way in alike.values()), key=_rank):
            if way.rank > best + WORSE or len(kept) == WIDTH:
                break
            ahead = least.setdefault((way.position, way.ready, way.held), way.rank)
            if way.rank <= ahead + DOMINANCE or not (way.victims or way.paid):
                kept.append(way)
        return kept

    def _given_up(self, way: Way, event: Departure) -> Way:
        """Give up what has waited too long for its step."""
        if way.ready is not None and event.at > way.ready[1] + READY_S:
            way = way.on(GIVEN_UP)
            way.ready = None
        left = tuple(one for one in way.victims if event.at <= one.back_at + VICTIM_BACK_S)
        if len(left) < len(way.victims):
            way = way.on(GIVEN_UP * (len(way.victims) - len(left)))
            way.victims = left
        return way

    def _rank(self, way: Way, n: int, later: int) -> float:
        seen, occupied = self.seen, way.position.position.occupied
        known = ~(seen.ignored | way.held)
        differs = (occupied ^ seen.level) & known & ~later
        rank = way.cost + OTHERWISE * (differs & ~occupied).bit_count()
        for square in squares_of(differs & occupied):
            is_in_hand = seen.now - seen.lasts.get(square, -math.inf) < 4.0
            rank += PRICES.LIFTED if is_in_hand else OTHERWISE
        if n == len(seen.events):
            return rank
        landing = (way.line[-1].landed_at if way.line else None) or 0.0
        then = (occupied ^ seen.levels[n]) & seen.stable[n] & known
        for victim in way.victims:
            then &= ~(1 << victim.square)
        if way.ready is not None:
            then &= ~(1 << way.ready[0])
        if landing > seen.events[n].at:
            then &= ~(1 << way.line[-1].step.to_square)
            ahead = seen.events[n : n + AHEAD]
            rank += sum(event.at < landing for event in ahead)
        return rank + OUT_OF_STEP * min(then.bit_count(), 3)

    def _left(self, way: Way, event: Departure) -> Iterator[Way]:
        """Yield every explanation of a departure."""
        at, square, standing = event.at, Square(event.square), way.position
        if (event.square, at) in way.paid:
            on = way.on(0.0)
            on.paid = tuple(one for one in way.paid if one != (event.square, at))
            yield on
            return
        if not standing.position.occupied >> square & 1:
            on = way.on(0.0 if way.held >> square & 1 else self._visit(event))
            on.held &= ~(1 << square)
            yield on
            return
        yield way.on(self._touch(way, event))
        yield from self._steps(way, standing, square, at)
        last = way.line[-1] if way.line else None
        if last is not None and last.step.to_square == square and last.step.is_ply:
            yield from self._undone(way, last, at)
        if standing.is_fought or _is_movers(standing.position, square):
            return
        if event.back_at < math.inf or self.seen.now - at < READY_S:
            on = way.on(0.0)
            on.victims = (*way.victims, Victim(event.square, at, event.back_at))
            yield on
        if way.ready is None and not way.victims:
            on = way.on(PRICES.HELD_READY)
            on.ready = event.square, at
            yield on

    def _visit(self, event: Departure) -> float:
        stood_s = event.at - event.came_at
        if stood_s < PRICES.PASSING_S * self.seen.slow:
            return PRICES.TRANSIT / 2
        return PRICES.RESTED if stood_s < PRICES.COUNTED_S else NOISE

    def _touch(self, way: Way, event: Departure) -> float:
        away_s, seen = event.back_at - event.at, self.seen
        if away_s == math.inf:
            return 0.0
        if away_s >= PRICES.FLICKER_S * seen.slow:
            return PRICES.TOUCH
        if seen.blinks.get(event.square, 0) > 1:
            return PRICES.FLICKER
        if event.at - event.came_at < PRICES.SHIFTED_S:
            return PRICES.WOBBLE
        beside = self.game.beside(way.position, Square(event.square))
        is_beside = seen.is_busy(event.at, beside, PRICES.SLIDING_S)
        return PRICES.BLIP_BESIDE if is_beside else PRICES.BLIP

    def _steps(
        self, way: Way, standing: Standing, square: Square, at: float, cost: float = 0.0
    ) -> Iterator[Way]:
        """Yield every step that the piece of a square may have begun as it was lifted."""
        seen = self.seen
        since = at - PRICES.DRAGGED_S * seen.slow
        among = seen.landed_since(since) | standing.position.occupied | seen.ignored
        before = way.line[-1].landed_at if way.line else None
        hurry = 0.0 if before is None else early(before - at, seen.slow) or 0.0
        for step in self.game.steps_from(standing, square, among):
            for taken, price, paid, victims in self._shown(way, standing, step, at, since):
                on = way.on(cost + price + hurry + step.surprise, step.after)
                if before is not None and taken.landed_at is not None and taken.landed_at < before:
                    is_close = before - taken.landed_at < PRICES.NECK_AND_NECK_S
                    on.cost += PRICES.NECK_AND_NECK if is_close else PRICES.DISORDER
                on.line = (*way.line, taken._replace(past=hash((way.past, step.squares))))
                on.victims, on.paid = victims, (*way.paid, *paid)
                if way.ready is None or not step.is_ply or way.ready[0] == square:
                    yield on
                    continue
                on.ready = None
                if step.after.position.occupied >> way.ready[0] & 1:
                    yield from self._steps(on, step.after, Square(way.ready[0]), way.ready[1])

    def _shown(
        self, way: Way, standing: Standing, step: Step[Standing], at: float, since: float
    ) -> Iterator[tuple[Taken, float, Paid, tuple[Victim, ...]]]:
        """Yield each way in which a step may have shown: the step, its price, what it explains."""
        seen, target, victims = self.seen, int(step.to_square), way.victims
        if step.capture:
            yield from self._captured(way, standing, step, at, since)
            return
        if seen.ignored >> target & 1:
            yield Taken(step, standing, at, None, None), PRICES.BLIND_LANDING, (), victims
            return
        stays = [stay for stay in seen.stays.get(target, ()) if stay[0] >= since]
        if stays:
            rested = (came for came, gone in stays if gone - came > PRICES.PASSING_S)
            landed_at = next(rested, stays[-1][0])
            price = holding(landed_at - at, seen.pace).nats
            if not self.game.beside(standing, step.from_square) >> target & 1:
                price += flight(landed_at - at) or 0.0
            yield Taken(step, standing, at, None, landed_at), price, (), victims

    def _captured(
        self, way: Way, standing: Standing, step: Step[Standing], at: float, since: float
    ) -> Iterator[tuple[Taken, float, Paid, tuple[Victim, ...]]]:
        target = int(step.to_square)
        for victim in way.victims:
            if victim.square == target:
                if since <= victim.back_at < math.inf:
                    price = self._gap(standing, step, at, victim.left_at, victim.back_at)
                    left = tuple(one for one in way.victims if one is not victim)
                    taken = Taken(step, standing, at, victim.left_at, victim.back_at)
                    yield taken, price, (), left
                return
        for opened_at, closed_at in self.seen.gaps.get(target, ()):
            if at < opened_at and closed_at < math.inf and (target, opened_at) not in way.paid:
                price = self._gap(standing, step, at, opened_at, closed_at)
                taken = Taken(step, standing, at, opened_at, closed_at)
                yield taken, price, ((target, opened_at),), way.victims
                break
        unseen = Taken(step, standing, at, None, None, VICTIM_UNSEEN)
        yield unseen, self._no_gap(standing, step, at), (), way.victims

    def _no_gap(self, standing: Standing, step: Step[Standing], at: float) -> float:
        """Price a capture that no switch showed: less where something passed beside."""
        beside = self.game.beside(standing, step.to_square) & ~standing.position.occupied
        for square in squares_of(beside):
            for came_at, gone_at in self.seen.stays.get(square, ()):
                is_brief = gone_at - came_at < PRICES.PASSING_S
                if is_brief and -PRICES.DRAGGED_S < came_at - at < PRICES.WALKED_S:
                    return PRICES.UNSEEN_TRAIL
        return PRICES.UNSEEN

    def _gap(
        self,
        standing: Standing,
        step: Step[Standing],
        at: float,
        opened_at: float,
        closed_at: float,
    ) -> float:
        """Price a capture by the gap on its square."""
        seen, length = self.seen, closed_at - opened_at
        if length < PRICES.BLINK_S:
            return PRICES.UNSEEN_BLIP
        if length < PRICES.FLICKER_S * seen.pace and seen.blinks.get(int(step.to_square), 0) > 1:
            return PRICES.UNSEEN_FLICKER
        price = PRICES.THOUGHT * thought(max(length, closed_at - at), PRICES.VICTIM_S)
        is_together = abs(opened_at - at) < PRICES.KNOCK_S * seen.pace
        if is_together and closed_at - max(at, opened_at) > PRICES.VICTIM_S * seen.pace:
            price += PRICES.BOTH_KNOCKED
        if opened_at - at > PRICES.HELD_LONG_S:
            price += PRICES.HELD_LONG
        fell = any(
            abs(gone_at - opened_at) < PRICES.KNOCK_S
            and PRICES.FALL_S < back_at - gone_at < math.inf
            for square, gaps in seen.gaps.items()
            if standing.position.occupied >> square & 1 and square not in step.squares
            for gone_at, back_at in gaps
        )
        return price + PRICES.FELL_ALONG * fell

    def _undone(self, way: Way, last: Taken, at: float) -> Iterator[Way]:
        """Yield that the piece which came down last goes back, or elsewhere after all."""
        seen, step = self.seen, last.step
        since = at - PRICES.DRAGGED_S * seen.slow
        back = way.on(UNDONE, last.before)
        back.line = way.line[:-1]
        back.undone = (*way.undone, (len(back.line), step.squares))
        if any(came_at >= since for came_at, _ in seen.stays.get(step.from_square, ())):
            yield back
        for other in self._steps(back, last.before, step.from_square, at):
            if other.line[-1].step.squares != step.squares:
                yield other

    def _landed(self, way: Way, event: Departure, n: int) -> Iterator[Way]:
        """Yield that what has come down came from a square whose switch never opened."""
        yield way
        seen, standing = self.seen, way.position
        occupied = standing.position.occupied
        if (occupied | seen.ignored) >> event.square & 1:
            return
        for source in squares_of(occupied & seen.levels[n]):
            for step in self.game.steps_from(standing, source, 1 << event.square):
                is_known = seen.ignored >> source & 1
                on = way.on(PRICES.KNOWN_BLIND_LIFT if is_known else HELD_SOURCE, step.after)
                on.cost += step.surprise
                past = hash((way.past, step.squares))
                taken = Taken(step, standing, None, None, event.came_at, LIFT_UNSEEN, past)
                on.line, on.held = (*way.line, taken), way.held | 1 << source
                yield on


def _rank(way: Way) -> float:
    return way.rank


def _is_movers(position: Position, square: Square) -> bool:
    """Return True if a square holds a piece of the side to move, or nobody's."""
    piece = position.piece_at(square)
    return piece is None or piece.side is position.side


class Account(NamedTuple):
    """A way as it explains the board as it stands now."""

    way: Way
    cost: float
    until: float
    """Time at which it is to be weighed again, though nothing changes."""
    kept: int
    """The number of steps told with which it begins."""
    in_air: int


@dataclass(frozen=True, slots=True)
class Told:
    """A step that was told, or the steps of which it was asked which was played."""

    number: int
    options: tuple[Step[Standing], ...]

    def allows(self, squares: tuple[Square, Square]) -> bool:
        return any(option.squares == squares for option in self.options)


Said = tuple[list[Reading[Standing]], float]
"""What is told now, and until when to wait where that is nothing."""

MOST_NEWS: Final = 24


class OneSearchReader:
    """Reads plies from switches by one search."""

    def __init__(self, start: Position) -> None:
        self.due: float | None = None
        self._game, self._first_number = JetanGame(), start.ply_number
        self._trace = Trace(start.occupied, start.occupied)
        self._search = Search(self._game, Standing(start))
        self._tempo, self._blinks = Tempo(), dict[int, int]()
        self._told: list[Told] = []
        self._accounts: list[Account] = []
        self._rests: deque[float] = deque(maxlen=WALKS)
        self._unsettled = self._changed_at = -math.inf
        self._sure = 0
        self._doubt: tuple[object, float] = (None, 0.0)
        self._best = 0.0

    def observe(self, observation: Observation) -> list[Reading[Standing]]:
        trace, at = self._trace, observation.at
        for square, evidence in observation.squares.items():
            if evidence is None or not trace.add(square, presence(evidence) > 0, at):
                continue
            self._changed_at = at
            times = trace.changes.get(square, ())
            length_s = times[-1] - times[-2] if len(times) > 1 else math.inf
            if trace.level >> square & 1 and length_s < PRICES.FLICKER_S:
                self._blinks[square] = self._blinks.get(square, 0) + 1
            first = self._search.frontiers[0][0].position
            forget_shock(trace, partial(self._game.beside, first), at)
        return self.tick(at)

    def tick(self, now: float) -> list[Reading[Standing]]:
        shakes_at = shakes_until(self._trace)
        if shakes_at > now + 1e-9:
            self.due = shakes_at
            return []
        self._think(now)
        news: list[Reading[Standing]] = []
        for _ in range(MOST_NEWS):
            more, due = self._say(now)
            if not more:
                break
            news += more
            self._weigh(now)
        stood = (at + STOOD_S + 1e-3 for at in self._search.seen.landed.values())
        waits = (account.until for account in self._accounts)
        due = min([due, *(at for at in (*stood, *waits) if at > now + 1e-6)])
        self.due = due if due < math.inf else None
        self._cut(now)
        return news

    def _think(self, now: float) -> None:
        """Search on; from the beginning where the best account has become much worse."""
        search, seen = self._search, Seen(self._trace, now, self._tempo.pace, self._blinks)
        search.run(seen, self._unsettled)
        self._weigh(now)
        if not self._accounts or self._accounts[0].cost > self._best + 6.0:
            accounts, frontiers = self._accounts, list(search.frontiers)
            search.run(seen, -math.inf)
            self._weigh(now)
            is_better = self._accounts and (
                not accounts or self._accounts[0].cost < accounts[0].cost - 1.0
            )
            if not is_better:
                search.frontiers, self._accounts = frontiers, accounts
        if self._accounts:
            self._best = self._accounts[0].cost
        self._unsettled = min(self._open_since(now), self._changed_at - 0.3)

    def _open_since(self, now: float) -> float:
        """Return since when something is open that later changes may show otherwise."""
        times: list[float] = []
        for account in self._near(ACCOUNTS):
            way = account.way
            times += [victim.left_at for victim in way.victims]
            times += [way.ready[1]] if way.ready else []
            times += [self._search.seen.lasts.get(s, math.inf) for s in squares_of(account.in_air)]
            for one in way.line[-4:]:
                is_fresh = one.landed_at is None or now - one.landed_at < 1.0
                if is_fresh and one.lifted_at is not None:
                    times += [one.lifted_at, one.opened_at or math.inf]
        return min(times, default=math.inf)

    def _near(self, nats: float) -> list[Account]:
        """Return the accounts within so many nats of the best."""
        best = self._accounts[0].cost if self._accounts else 0.0
        return [account for account in self._accounts if account.cost < best + nats]

    def _weigh(self, now: float) -> None:
        accounts = (self._account(way, now) for way in self._search.ways)
        self._accounts = sorted(accounts, key=lambda account: account.cost)

    def _account(self, way: Way, now: float) -> Account:
        """Charge a way for how the board stands otherwise, and for what it denies."""
        seen, position = self._search.seen, way.position.position
        differs = (position.occupied ^ seen.level) & ~(seen.ignored | way.held)
        missing, extra = differs & position.occupied, differs & ~position.occupied
        cost, until, rise_s = way.cost, math.inf, PRICES.RISE_S * self._tempo.slowest
        waiting = mask_of(Square(victim.square) for victim in way.victims)
        waiting |= 1 << way.ready[0] if way.ready else 0
        lifted_at = way.line[-1].lifted_at if way.line else None
        for square in squares_of(missing):
            left_at, may_act = seen.lasts.get(square, -math.inf), _is_movers(position, square)
            if may_act and lifted_at is not None and left_at < lifted_at - PRICES.SHIFTED_S:
                cost += PRICES.OUT_OF_TURN  # it was up before the ply to which it may reply
            if now - left_at > rise_s:
                cost += PRICES.LONG_AIR if may_act else PRICES.NEVER_ROSE
            elif may_act or waiting >> square & 1:
                cost += PRICES.LIFTED
            else:
                cost += PRICES.LIFTED_OTHER
                until = min(until, left_at + rise_s)
        for square in squares_of(extra):
            price, again = self._lies(way, square, missing, now)
            cost, until = cost + price, min(until, again)
        for victim in way.victims:
            if now > victim.back_at + VICTIM_BACK_S:
                cost += PRICES.TOUCH + 1.0
            elif victim.back_at < math.inf:
                until = min(until, victim.back_at + VICTIM_BACK_S)
        kept = self._kept(way)
        denied = sum(
            not any(n == index and self._told[n].allows(squares) for n, squares in way.undone)
            for index in range(kept, len(self._told))
        )
        return Account(way, cost + min(DENIED * denied, MOST_DENIED), until, kept, missing)

    def _kept(self, way: Way) -> int:
        """Return the number of steps told with which a way begins."""
        kept, most = min(self._sure, len(way.line)), min(len(way.line), len(self._told))
        while kept < most and self._told[kept].allows(way.line[kept].step.squares):
            kept += 1
        return kept

    def _lies(self, way: Way, square: Square, missing: int, now: float) -> tuple[float, float]:
        """Price what stands where the position has nothing: taken, pushed, passing, a stranger."""
        seen, price = self._search.seen, float(PRICES.STRANGER)
        came_at = seen.lasts.get(square, -math.inf)
        for one in way.line[-8:]:
            start, end = one.step.squares
            is_beside = self._game.beside(one.before, end) >> square & 1
            if one.opened_at is not None and -PRICES.DRAGGED_S < came_at - one.opened_at < 4.0:
                if is_beside or square == start:
                    price = min(price, PRICES.ASIDE)
                elif self._game.beside(one.before, square).bit_count() < 8:
                    price = min(price, PRICES.ON_RIM)
            is_standing = one.landed_at is not None and not missing >> end & 1
            is_put_beside = is_standing and is_beside and square != start
            edge_s = PRICES.DRAGGED_S * seen.slow
            if is_put_beside and abs(came_at - (one.landed_at or 0.0)) < edge_s:
                price = min(price, PRICES.SHIFTED)
        beside = self._game.beside(way.position, square) & way.position.position.occupied
        for source in squares_of(beside):
            for gap in seen.gaps.get(source, ()):
                # What a hand holds was not pushed: that stands again, or fell while another was up.
                is_alone = gap[1] == math.inf and missing == 1 << source
                if not is_alone and any(abs(came_at - at) < PRICES.SHIFTED_S for at in gap):
                    price = min(price, PRICES.SHIFTED + PRICES.TOUCH)
        passes_until = came_at + PRICES.HOLD_S
        if missing and now < passes_until - 1e-6:
            return min(price, PRICES.PASSING), passes_until
        return price, math.inf

    # What is told

    @property
    def number(self) -> int:
        return self._first_number + sum(told.options[0].is_ply for told in self._told)

    def _following(self, account: Account) -> Taken | None:
        line = account.way.line
        return line[len(self._told)] if len(self._told) < len(line) else None

    def _say(self, now: float) -> Said:
        near, count = self._near(PRICES.MARGIN), len(self._told)
        if not near:
            return [], math.inf
        kept = [account.kept for account in near]
        if max(kept) < count:
            return self._withdraw(max(kept), now)
        if min(kept) < count:
            return [], math.inf
        following = [self._following(account) for account in near]
        steps = {one.step.squares: one.step for one in following if one is not None}
        if not steps:
            return [], math.inf
        if len(steps) == 1 and None not in following:
            return self._tell(near[0], now)
        if None in following:
            return [], math.inf
        return self._ask(near, list(steps.values()), now)

    def _withdraw(self, most: int, now: float) -> Said:
        rivals = self._near(PRICES.MARGIN_TO_RETRACT)
        count = len(self._told)
        is_open = any(account.kept >= count for account in rivals)
        rest_s = MANY_S if is_open or count - most > 2 else PRICES.HOLD_S
        if now < self._changed_at + rest_s - 1e-9:
            return [], self._changed_at + rest_s
        news: list[Reading[Standing]] = []
        while len(self._told) > most:
            told = self._told.pop()
            news.append(undoing(told.number, told.options[0].is_ply, now))
        return news, math.inf

    def _tell(self, account: Account, now: float) -> Said:
        one = self._following(account)
        assert one is not None
        index = len(self._told)
        later = account.way.line[index + 1 :]
        if one.landed_at is None or one.lifted_at is None:
            # What no switch showed is told once play has gone on, if it is as sure as that.
            shown = next((each.landed_at for each in later if each.landed_at is not None), None)
            rivals = (self._following(each) for each in self._near(PRICES.MARGIN_TO_RETRACT))
            is_sure = all(each and each.step.squares == one.step.squares for each in rivals)
            if shown is None or not is_sure:
                steps = self._options(self._near(PRICES.FORGET))
                return self._ask([account], steps, now) if len(steps) > 1 else ([], math.inf)
            until = shown + PRICES.HOLD_S
        else:
            lifts = [each.lifted_at for each in later if each.lifted_at is not None]
            lasts = self._search.seen.lasts
            lifts += [lasts.get(square, math.inf) for square in squares_of(account.in_air)]
            has_gone = bool(account.in_air >> one.step.to_square & 1)
            if has_gone and not later:
                return [], math.inf
            is_replied = any(at > one.landed_at for at in lifts)
            until = one.landed_at + (REPLIED_S if is_replied else self._rest_s(one))
        if now < until - 1e-9:
            return [], until
        others = [
            each.cost
            for each in self._accounts
            if (other := self._following(each)) is None or other.step.squares != one.step.squares
        ]
        margin = min(others, default=account.cost + PRICES.ANSWERED) - account.cost
        doubts = (one.doubt,) if one.doubt else ()
        self._told.append(Told(self.number, (one.step,)))
        self._learn(one)
        evidence = Evidence(one.lifted_at, one.landed_at, doubts, margin)
        return [telling(self._told[-1].number, one.step, evidence, now)], math.inf

    def _rest_s(self, one: Taken) -> float:
        """Return the seconds a step must rest: longer than its piece has rested on its way.

        Longer, too, where these hands slide or walk, and the piece has come next door only and may
        go on.
        """
        if one.step.capture or not one.step.is_ply:
            return PRICES.HOLD_S
        stops = self._stops(one)
        rest_s = max(PRICES.HOLD_S, 2 * max((stood_s for _, stood_s in stops), default=0.0))
        way = (one.step.from_square, *(square for square, _ in stops), one.step.to_square)
        if not self._game.may_go_on(one.before, way):
            return min(rest_s, PRICES.COUNTED_S)
        usual = sorted(self._rests)[-2:]
        return min(max(rest_s, 2 * usual[0] if len(usual) > 1 else 0.0), PRICES.COUNTED_S)

    def _stops(self, one: Taken) -> list[tuple[Square, float]]:
        """Return the squares that a piece came to on its way, and for how many seconds."""
        if one.lifted_at is None or one.landed_at is None:
            return []
        found = [
            (came_at, Square(square), gone_at - came_at)
            for square, stays in self._search.seen.stays.items()
            for came_at, gone_at in stays
            if one.lifted_at - PRICES.DRAGGED_S < came_at < one.landed_at
            if gone_at < one.landed_at + PRICES.DRAGGED_S and square not in one.step.squares
        ]
        return [(square, stood_s) for _, square, stood_s in sorted(found)]

    def _learn(self, one: Taken) -> None:
        if one.lifted_at is None or one.landed_at is None or one.step.capture:
            return
        self._tempo.learn(one.landed_at - one.lifted_at)
        self._rests.append(max((stood_s for _, stood_s in self._stops(one)), default=0.0))

    def _options(self, accounts: Iterable[Account]) -> list[Step[Standing]]:
        following = (self._following(account) for account in accounts)
        return list({one.step.squares: one.step for one in following if one}.values())

    def _ask(self, near: Sequence[Account], steps: list[Step[Standing]], now: float) -> Said:
        question = question_about(self.number, steps)
        if question is None:
            return [], math.inf
        what = frozenset(step.squares for step in steps)
        if self._doubt[0] != what:
            self._doubt = what, now
        followed = max(len(account.way.line) for account in near) - len(self._told) - 1
        until = self._changed_at + 3.7
        if followed > 0:
            until = self._doubt[1] + (0.5 if followed > 1 else 1.7)
        if now < until - 1e-9:
            return [], until
        self._told.append(Told(self.number, tuple(steps)))
        return [Reading(question, now)], math.inf

    def _cut(self, now: float) -> None:
        """Let go of what is long past, and of the ways that no account comes from."""
        search, accounts = self._search, self._near(ACCOUNTS)
        if len(search.events) < CUT_EVENTS or not accounts:
            return
        n = self._cut_at(len(accounts[0].way.line) - BASE_DEPTH, now)
        ancestors: dict[int, Way] = {}
        for account in accounts:
            way: Way | None = account.way
            while way is not None and id(way) not in ancestors:
                ancestors[id(way)] = way
                way = way.prev
        kept = [way for way in search.frontiers[n] if id(way) in ancestors]
        if not n or not kept:
            return
        self._forget(search.events[n].at)
        for way in kept:
            way.prev = None
        seen = Seen(self._trace, now, self._tempo.pace, self._blinks)
        is_same = [one[:2] for one in seen.events] == [one[:2] for one in search.events[n:]]
        search.frontiers = [kept, *search.frontiers[n + 1 :]] if is_same else [kept]
        search.events = seen.events if is_same else []
        search.run(seen, math.inf)
        self._weigh(now)
        self._sure = max(0, min(*(len(way.line) for way in kept), len(self._told)) - 2)

    def _cut_at(self, depth: int, now: float) -> int:
        """Return the last event before which the best ways have no more than so many steps."""
        search, found = self._search, 0
        for n in range(1, len(search.events) - 8):
            at, ways = search.events[n].at, search.frontiers[n]
            if not ways or len(ways[0].line) > depth or at > now - 10.0:
                break
            place = bisect_right(search.seen.times, at - 1e-9)
            if not place or search.seen.times[place - 1] < at - STOOD_S - 0.1:
                found = n
        return found

    def _forget(self, until: float) -> None:
        """Let the trace begin at a moment."""
        trace = self._trace
        for square, times in list(trace.changes.items()):
            count = bisect_right(times, until - 1e-9)
            trace.base ^= (count & 1) << square
            if count < len(times):
                trace.changes[square] = times[count:]
            else:
                del trace.changes[square]
