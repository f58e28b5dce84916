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
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from jetan_table.reading.costs import PRICES
from jetan_table.reading.matching import early, flight, holding, thought
from jetan_table.reading.readings import (
    LIFT_UNSEEN,
    VICTIM_UNSEEN,
    JetanGame,
    Standing,
    Step,
)
from jetan_table.reading.scene import Trace
from rules import Position, Square, mask_of, squares_of

WIDTH: Final = 60
PASTS: Final = 3
WORSE: Final = 12.0
"""Nats by which a way may rank behind the best."""
DOMINANCE: Final = 7.0
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
UNSEEN: Final = 3.4
"""Nats for a capture that no switch showed, of any piece that could be taken."""
UNSHOWN_S: Final = 1.0
"""Seconds that a piece is up before it may have come down where no switch shows it."""
DARK: Final = 7.75
"""Nats for a piece that came down on one of its ends, whose switch does not show it.

14 of 3,257 plies did so, and had ten ends.
"""
NOISE: Final = 1.5
STOOD_S: Final = 0.6
"""Seconds after which a landing that nothing accounts for is an event of its own."""


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


class Dark(NamedTuple):
    """A piece that came down where no switch shows it: on one of these squares.

    The position has it on the one where the step at that place of the line ends.
    """

    place: int
    square: Square
    among: int


Paid = tuple[tuple[int, float], ...]
Undone = tuple[tuple[int, tuple[Square, Square]], ...]


class Way:
    """One explanation of all departures so far."""

    __slots__ = (
        "cost",
        "dark",
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
        self.dark: Dark | None = prev.dark if prev else None

    @property
    def past(self) -> int:
        return self.line[-1].past if self.line else 0

    @property
    def key(self) -> object:
        landed_at = self.line[-1].landed_at if self.line else None
        return self.position, landed_at, self.victims, self.ready, self.paid, self.held, self.dark

    @property
    def unshown(self) -> int:
        """The squares whose switches say nothing of what stands there, as bits."""
        return self.held | (1 << self.dark.square if self.dark else 0)

    def on(self, cost: float, position: Standing | None = None) -> Way:
        """Return the way that goes on from here at so much more."""
        return Way(position or self.position, self, self.cost + cost)


class Look:
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

    def rested_since(self, at: float) -> int:
        """Return the squares on which something has rested that came since a time, as bits."""
        return mask_of(
            Square(square)
            for square, stays in self.stays.items()
            if any(came >= at and gone - came > PRICES.PASSING_S for came, gone in stays)
        )

    def landed_since(self, at: float) -> int:
        return mask_of(Square(square) for square, came_at in self.landed.items() if came_at >= at)


class Search:
    """Goes from event to event, and keeps the ways up to each."""

    def __init__(self, game: JetanGame, position: Standing) -> None:
        self.game = game
        self.frontiers: list[list[Way]] = [[Way(position)]]
        self.events: list[Departure] = []
        self.firm: dict[int, tuple[Square, Square]] = {}
        """Steps that people have said were played, by their place in the line."""
        self.look = Look(Trace(0, 0), 0.0, 1.0, {})

    @property
    def ways(self) -> list[Way]:
        return self.frontiers[-1]

    def run(self, look: Look, unsettled: float) -> None:
        """Search on from the first event that is new, or later than `unsettled`."""
        first = 0
        for old, new in zip(self.events, look.events, strict=False):
            if old != new or new.at >= unsettled:
                break
            first += 1
        first = min(first, len(self.frontiers) - 1)
        del self.frontiers[first + 1 :]
        self.look, self.events = look, look.events
        for n in range(first, len(look.events)):
            self.frontiers.append(self._step(self.frontiers[n], n))

    def _step(self, ways: Sequence[Way], n: int) -> list[Way]:
        """Return the best ways on over one event."""
        event, later = self.look.events[n], self.look.changes_after(n + 1)
        found: dict[object, dict[int, Way]] = {}
        best = math.inf
        for before in ways:
            way = self._given_up(before, event)
            for each in self._landed(way, event, n) if event.is_landing else self._left(way, event):
                if self.firm and not self._is_allowed(each):
                    continue
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

    def _is_allowed(self, way: Way) -> bool:
        """Return True if a way has played what people have said was played."""
        return all(
            index >= len(way.line) or way.line[index].step.squares == squares
            for index, squares in self.firm.items()
        )

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
        look, occupied = self.look, way.position.position.occupied
        known = ~(look.ignored | way.unshown)
        differs = (occupied ^ look.level) & known & ~later
        rank = way.cost + OTHERWISE * (differs & ~occupied).bit_count()
        for square in squares_of(differs & occupied):
            is_in_hand = look.now - look.lasts.get(square, -math.inf) < 4.0
            rank += PRICES.LIFTED if is_in_hand else OTHERWISE
        if n == len(look.events):
            return rank
        landing = (way.line[-1].landed_at if way.line else None) or 0.0
        then = (occupied ^ look.levels[n]) & look.stable[n] & known
        for victim in way.victims:
            then &= ~(1 << victim.square)
        if way.ready is not None:
            then &= ~(1 << way.ready[0])
        if landing > look.events[n].at:
            then &= ~(1 << way.line[-1].step.to_square)
            ahead = look.events[n : n + AHEAD]
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
        if standing.is_fought or is_movers(standing.position, square):
            return
        if event.back_at < math.inf or self.look.now - at < READY_S:
            on = way.on(0.0)
            on.victims = (*way.victims, Victim(event.square, at, event.back_at))
            yield on
        if way.ready is None and not way.victims:
            on = way.on(PRICES.HELD_READY)
            on.ready = event.square, at
            yield on

    def _visit(self, event: Departure) -> float:
        stood_s = event.at - event.came_at
        if stood_s < PRICES.PASSING_S * self.look.slow:
            return PRICES.TRANSIT / 2
        return PRICES.RESTED if stood_s < PRICES.COUNTED_S else NOISE

    def _touch(self, way: Way, event: Departure) -> float:
        away_s, look = event.back_at - event.at, self.look
        if away_s == math.inf:
            return 0.0
        if away_s >= PRICES.FLICKER_S * look.slow:
            return PRICES.TOUCH + PRICES.PASSED_OVER * self._is_passed_over(way, event)
        if look.blinks.get(event.square, 0) > 1:
            return PRICES.FLICKER
        if event.at - event.came_at < PRICES.SHIFTED_S:
            return PRICES.WOBBLE
        beside = self.game.beside(way.position, Square(event.square))
        is_beside = look.is_busy(event.at, beside, PRICES.SLIDING_S)
        return PRICES.BLIP_BESIDE if is_beside else PRICES.BLIP

    def _is_passed_over(self, way: Way, event: Departure) -> bool:
        """Return True if a piece was off its square while one that could take it was in a hand."""
        standing = way.position
        for square, gaps in self.look.gaps.items():
            if standing.position.occupied >> square & 1 and square != event.square:
                for left_at, back_at in gaps:
                    if left_at < event.at and back_at > event.back_at:
                        return bool(
                            is_movers(standing.position, Square(square))
                            and self.game.ends_from(standing, Square(square)) >> event.square & 1
                        )
        return False

    def _steps(
        self, way: Way, standing: Standing, square: Square, at: float, cost: float = 0.0
    ) -> Iterator[Way]:
        """Yield every step that the piece of a square may have begun as it was lifted."""
        look = self.look
        since = at - PRICES.DRAGGED_S * look.slow
        among = look.landed_since(since) | standing.position.occupied | look.ignored
        last = way.line[-1] if way.line else None
        before, hurry = last and last.landed_at, 0.0
        is_ready = last is not None and last.lifted_at is not None and at < last.lifted_at
        if before is not None and not is_ready:  # to be held ready has its own price
            hurry = early(before - at, look.slow) or 0.0
        for step in self.game.steps_from(standing, square, among):
            for taken, price, paid, victims in self._shown(way, standing, step, at, since):
                on = way.on(cost + price + hurry + step.surprise, step.after)
                if before is not None and taken.landed_at is not None and taken.landed_at < before:
                    is_close = before - taken.landed_at < PRICES.NECK_AND_NECK_S
                    on.cost += PRICES.NECK_AND_NECK if is_close else PRICES.DISORDER
                on.line = (*way.line, taken._replace(past=hash((way.past, step.squares))))
                on.victims, on.paid = victims, (*way.paid, *paid)
                if on.dark is not None and on.dark.among >> step.to_square & 1:
                    on.dark = on.dark._replace(among=on.dark.among & ~(1 << step.to_square))
                if way.ready is None or not step.is_ply or way.ready[0] == square:
                    yield on
                    continue
                on.ready = None
                if step.after.position.occupied >> way.ready[0] & 1:
                    yield from self._steps(on, step.after, Square(way.ready[0]), way.ready[1])
        if way.dark is not None:
            yield from self._taken_unseen(way, standing, square, at, cost)
        elif way.ready is None and look.now - at > UNSHOWN_S:
            ends = self.game.ends_from(standing, square) & ~standing.position.occupied
            if not ends & look.rested_since(since):
                ends &= ~(look.level | look.ignored)
                yield from self._unshown(way, standing, square, at, ends, cost + hurry)

    def _unshown(
        self, way: Way, standing: Standing, square: Square, at: float, ends: int, cost: float
    ) -> Iterator[Way]:
        """Yield that a piece came down on a switch that does not show it, anywhere it can go."""
        if not ends:
            return
        step = self.game.steps_from(standing, square, ends & -ends)[0]
        on = way.on(cost + DARK - math.log(ends.bit_count()), step.after)
        past = hash((way.past, square))
        on.line = (*way.line, Taken(step, standing, at, None, None, "", past))
        on.dark = Dark(len(way.line), step.to_square, ends)
        yield on

    def _taken_unseen(
        self, way: Way, standing: Standing, square: Square, at: float, cost: float
    ) -> Iterator[Way]:
        """Yield that a piece takes the one that no switch shows."""
        if way.dark is None or way.position is not standing:
            return
        for to_square in squares_of(way.dark.among & self.game.ends_from(standing, square)):
            known = self._shown_at(way, to_square)
            if known is None:
                continue
            stays = [stay for stay in self.look.stays.get(to_square, ()) if stay[0] >= at]
            for step in self.game.steps_from(known.position, square, 1 << to_square):
                if step.capture and stays:
                    on = known.on(cost + step.surprise, step.after)
                    past = hash((known.past, step.squares))
                    taken = Taken(step, known.position, at, None, stays[0][0], "", past)
                    on.line = (*known.line, taken)
                    yield on

    def _shown_at(self, way: Way, square: Square) -> Way | None:
        """Return the way with the piece that no switch showed on this square, if it can be."""
        assert way.dark is not None
        first, line = way.dark.place, list(way.line)
        position, past = line[first].before, line[first - 1].past if first else 0
        for index in range(first, len(line)):
            start, end = line[index].step.squares
            end = square if index == first else end
            step = next(iter(self.game.steps_from(position, start, 1 << end)), None)
            if step is None:
                return None
            past = hash((past, step.squares))
            line[index] = line[index]._replace(step=step, before=position, past=past)
            position = step.after
        on = way.on(0.0, position)
        on.line, on.dark = tuple(line), None
        return on

    def _shown(
        self, way: Way, standing: Standing, step: Step[Standing], at: float, since: float
    ) -> Iterator[tuple[Taken, float, Paid, tuple[Victim, ...]]]:
        """Yield each way in which a step may have shown: the step, its price, what it explains."""
        look, target, victims = self.look, int(step.to_square), way.victims
        if step.capture:
            yield from self._captured(way, standing, step, at, since)
            return
        if look.ignored >> target & 1:
            yield Taken(step, standing, at, None, None), PRICES.BLIND_LANDING, (), victims
            return
        stays = [stay for stay in look.stays.get(target, ()) if stay[0] >= since]
        if stays:
            for landed_at in _landings(stays):
                price = holding(landed_at - at, look.pace).nats
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
        for opened_at, closed_at in self.look.gaps.get(target, ()):
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
            for came_at, gone_at in self.look.stays.get(square, ()):
                is_brief = gone_at - came_at < PRICES.PASSING_S
                if is_brief and -PRICES.DRAGGED_S < came_at - at < PRICES.WALKED_S:
                    return PRICES.UNSEEN_TRAIL
        ends = self.game.ends_from(standing, step.from_square) & standing.position.occupied
        return UNSEEN + math.log(ends.bit_count())

    def _gap(
        self,
        standing: Standing,
        step: Step[Standing],
        at: float,
        opened_at: float,
        closed_at: float,
    ) -> float:
        """Price a capture by the gap on its square."""
        look, length = self.look, closed_at - opened_at
        if length < PRICES.BLINK_S:
            return PRICES.UNSEEN_BLIP
        if length < PRICES.FLICKER_S * look.pace and look.blinks.get(int(step.to_square), 0) > 1:
            return PRICES.UNSEEN_FLICKER
        price = PRICES.THOUGHT * thought(max(length, closed_at - at), PRICES.VICTIM_S)
        is_together = abs(opened_at - at) < PRICES.KNOCK_S * look.pace
        if is_together and closed_at - max(at, opened_at) > PRICES.VICTIM_S * look.pace:
            price += PRICES.BOTH_KNOCKED
        if opened_at - at > PRICES.HELD_LONG_S:
            price += PRICES.HELD_LONG
        fell = any(
            abs(gone_at - opened_at) < PRICES.KNOCK_S
            and PRICES.FALL_S < back_at - gone_at < math.inf
            for square, gaps in look.gaps.items()
            if standing.position.occupied >> square & 1 and square not in step.squares
            for gone_at, back_at in gaps
        )
        return price + PRICES.FELL_ALONG * fell

    def _undone(self, way: Way, last: Taken, at: float) -> Iterator[Way]:
        """Yield that the piece which came down last goes back, or elsewhere after all."""
        look, step = self.look, last.step
        since = at - PRICES.DRAGGED_S * look.slow
        back = way.on(UNDONE, last.before)
        back.line = way.line[:-1]
        back.undone = (*way.undone, (len(back.line), step.squares))
        if back.dark is not None and back.dark.place == len(back.line):
            back.dark = None
        if any(came_at >= since for came_at, _ in look.stays.get(step.from_square, ())):
            yield back
        for other in self._steps(back, last.before, step.from_square, at):
            if other.line[-1].step.squares != step.squares:
                yield other

    def _landed(self, way: Way, event: Departure, n: int) -> Iterator[Way]:
        """Yield that what has come down came from a square whose switch never opened."""
        yield way
        look, standing = self.look, way.position
        occupied = standing.position.occupied
        if way.dark is not None and not look.ignored >> event.square & 1:
            yield from self._found(way, Square(event.square), event.came_at)
        if (occupied | look.ignored) >> event.square & 1:
            return
        for source in squares_of(occupied & look.levels[n]):
            for step in self.game.steps_from(standing, source, 1 << event.square):
                is_known = look.ignored >> source & 1
                on = way.on(PRICES.KNOWN_BLIND_LIFT if is_known else HELD_SOURCE, step.after)
                on.cost += step.surprise
                past = hash((way.past, step.squares))
                taken = Taken(step, standing, None, None, event.came_at, LIFT_UNSEEN, past)
                on.line, on.held = (*way.line, taken), way.held | 1 << source
                yield on

    def _found(self, way: Way, square: Square, came_at: float) -> Iterator[Way]:
        """Yield that what came down is the piece that no switch showed: late, or as it moved on."""
        assert way.dark is not None
        among, index = way.dark.among, way.dark.place
        if among >> square & 1 and (on := self._shown_at(way, square)) is not None:
            on.line = (
                *on.line[:index],
                on.line[index]._replace(landed_at=came_at),
                *on.line[index + 1 :],
            )
            yield on
        for start in squares_of(among):
            known = self._shown_at(way, start)
            if known is None:
                continue
            for step in self.game.steps_from(known.position, start, 1 << square):
                on = known.on(step.surprise + NOISE, step.after)
                past = hash((known.past, step.squares))
                taken = Taken(step, known.position, None, None, came_at, LIFT_UNSEEN, past)
                on.line = (*known.line, taken)
                yield on


def _landings(stays: Sequence[tuple[float, float]]) -> Iterator[float]:
    """Yield when a piece may have come down that has stayed on its square more than once.

    It came to rest there, or it was taken so soon that the next stay is another's.
    """
    rested = next((stay for stay in stays if stay[1] - stay[0] > PRICES.PASSING_S), stays[-1])
    yield rested[0]
    for came_at, gone_at in stays:
        if came_at < rested[0] and gone_at - came_at > PRICES.SLIDING_S:
            yield came_at
            break


def _rank(way: Way) -> float:
    return way.rank


def is_movers(position: Position, square: Square) -> bool:
    """Return True if a square holds a piece of the side to move, or nobody's."""
    piece = position.piece_at(square)
    return piece is None or piece.side is position.side
