"""One search over departures, from the last certain positions to how the board stands.

Every departure is explained when it is met; the landing of a step is looked up in the trace.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from hardware.ports import FaultKind, Observation, presence
from rules import Square, format_square, squares_of

from ..game.events import Question
from .costs import PRICES
from .matching import early, flight, holding, thought
from .readings import (
    LIFT_UNSEEN,
    VICTIM_UNSEEN,
    Belief,
    Evidence,
    JetanGame,
    Reading,
    Standing,
    Step,
    question_about,
    telling,
    undoing,
)
from .scene import Tempo, Trace, forget_shock, shakes_until

INF = math.inf
WIDTH = 60
PASTS = 3
WORSE = 12.0
DOMINANCE = 5.0
OTHERWISE = 6.5  # a square that nothing later changes stands otherwise
OUT_OF_STEP = 4.0  # a square stood otherwise for more than a second at that moment
READY_S = 8.0
VICTIM_BACK_S = 0.05
UNDO = 2.5
ACCOUNTS = 8.0  # nats within which ways are accounts
HELD_SOURCE = 6.0
NOISE = 1.5
GIVEN_UP = 6.0
BASE_DEPTH = 8
CUT_EVENTS = 36
STOOD_S = 0.6  # after which a landing that nothing accounts for is an event of its own


class Departure(NamedTuple):
    """Something left a square, and something came there again; or a landing has stood long."""

    at: float
    square: int
    came_at: float
    back_at: float
    is_landing: bool = False


class Taken(NamedTuple):
    """One step as it showed."""

    step: Step[Standing]
    before: Standing
    lifted_at: float | None
    opened_at: float | None
    landed_at: float | None
    doubt: str
    cost: float
    past: int = 0


class Victim(NamedTuple):
    square: int
    left_at: float
    back_at: float


class Node:
    """One way to explain all departures so far."""

    __slots__ = ("cost", "gone", "held", "line", "paid", "position", "prev", "rank", "ready", "spent", "victims")

    def __init__(self, position, prev, line, gone, cost, victims=(), ready=None, paid=(), held=0, spent=0.0):
        self.position: Standing = position
        self.prev: Node | None = prev
        self.line: tuple[Taken, ...] = line
        self.gone: tuple[tuple[int, tuple[Square, Square]], ...] = gone
        self.cost: float = cost
        self.victims: tuple[Victim, ...] = victims
        self.ready: tuple[int, float] | None = ready
        self.paid: tuple[tuple[int, float], ...] = paid
        self.held: int = held
        self.rank = 0.0

    @property
    def past(self) -> int:
        return self.line[-1].past if self.line else 0

    def but(self, cost, **changes):
        node = Node(
            changes.get("position", self.position),
            self,
            changes.get("line", self.line),
            changes.get("gone", self.gone),
            self.cost + cost,
            changes.get("victims", self.victims),
            changes.get("ready", self.ready),
            changes.get("paid", self.paid),
            changes.get("held", self.held),
        )
        return node


class Seen:
    """What the trace shows, as the search asks for it."""

    def __init__(self, trace: Trace, now: float, pace: float, blips: Mapping[int, int]) -> None:
        self.trace, self.now, self.pace = trace, now, pace
        self.slow = max(pace, 1.0)
        self.level, self.ignored = trace.level, trace.ignored
        self.blips = blips
        self.stays: dict[int, list[tuple[float, float]]] = {}
        self.gaps: dict[int, list[tuple[float, float]]] = {}
        events: list[Departure] = []
        landed_last: dict[int, float] = {}
        flips: list[tuple[float, int]] = []
        for square, times in trace.changes.items():
            if trace.ignored >> square & 1 or not times:
                continue
            self.stays[square] = trace.stays(square)
            self.gaps[square] = gaps = trace.absences(square)
            starts = bool(trace.base >> square & 1)
            for index, (at, back_at) in enumerate(gaps):
                came = -INF if starts and index == 0 else times[2 * index - starts]
                events.append(Departure(at, square, came, back_at))
            for came, gone in self.stays[square]:
                landed_last[square] = came
                if gone - came > STOOD_S and now - came > STOOD_S:
                    events.append(Departure(came + STOOD_S, square, came, gone, True))
            flips += [(at, square) for at in times]
        events.sort()
        flips.sort()
        self.events, self.landed_last = events, landed_last
        self.flips, self.flip_times = flips, [at for at, _ in flips]
        # By event: which squares change later, what stood then, what had stood so for a second.
        count = len(events)
        self.later, self.levels, self.stable = [0] * (count + 1), [0] * (count + 1), [0] * (count + 1)
        level, place, last = trace.base, 0, {}
        for n, event in enumerate(events):
            while place < len(flips) and flips[place][0] <= event.at:
                level ^= 1 << flips[place][1]
                last[flips[place][1]] = flips[place][0]
                place += 1
            recent = 0
            for square, at in last.items():
                if event.at - at <= 1.0:
                    recent |= 1 << square
            self.levels[n], self.stable[n] = level, ~recent
            mask = 0
            for _, square in flips[place:]:
                mask |= 1 << square
            self.later[n] = mask
        recent = 0
        for square, times in trace.changes.items():
            if times and now - times[-1] <= 1.0:
                recent |= 1 << square
        self.levels[count], self.stable[count], self.later[count] = level, ~recent, 0
        self.lasts = {square: times[-1] for square, times in trace.changes.items() if times}

    def changes_near(self, at: float, among: int, within: float) -> bool:
        place = bisect_right(self.flip_times, at - within)
        while place < len(self.flips) and self.flips[place][0] < at + within:
            if among >> self.flips[place][1] & 1:
                return True
            place += 1
        return False

    def landed_since(self, at: float) -> int:
        mask = 0
        for square, came in self.landed_last.items():
            if came >= at:
                mask |= 1 << square
        return mask


class Search:
    """Goes from event to event, and keeps the ways up to each."""

    def __init__(self, game: JetanGame, root: Sequence[Node]) -> None:
        self.game = game
        self.events: list[Departure] = []
        self.frontiers: list[list[Node]] = [list(root)]
        self.seen: Seen | None = None
        self.worked = 0

    def run(self, seen: Seen, unsettled: float, whole: bool = False) -> list[Node]:
        """Search on from the first event that is new, or may be taken otherwise now."""
        self.seen = seen
        first = 0
        if not whole:
            for old, new in zip(self.events, seen.events, strict=False):
                if old != new or new.at >= unsettled:
                    break
                first += 1
        first = min(first, len(self.frontiers) - 1)
        del self.frontiers[first + 1 :]
        self.events = seen.events
        for n in range(first, len(seen.events)):
            self.frontiers.append(self._step(self.frontiers[n], n))
        return self.frontiers[-1]

    def cut(self, n: int, keep: Iterable[Node]) -> None:
        kept = {id(node) for node in keep}
        nodes = [node for node in self.frontiers[n] if id(node) in kept] or self.frontiers[n]
        for node in nodes:
            node.prev = None
        self.frontiers = [nodes, *self.frontiers[n + 1 :]]
        self.events = self.events[n:]

    def _step(self, nodes: list[Node], n: int) -> list[Node]:
        event = self.seen.events[n]
        found: dict[object, list[Node]] = {}
        best = INF
        for node in nodes:
            node = self._expired(node, event)
            if node is None:
                continue
            ways = self._landed(node, event, n) if event.is_landing else self._left(node, event, n)
            for way in ways:
                self.worked += 1
                way.rank = self._rank(way, n + 1)
                if way.rank > best + WORSE:
                    continue
                best = min(best, way.rank)
                key = (way.position, way.victims, way.ready, way.paid, way.held)
                alike = found.setdefault(key, [])
                for other in alike:
                    if other.past == way.past:
                        if way.rank < other.rank:
                            alike.remove(other)
                            alike.append(way)
                        break
                else:
                    alike.append(way)
                    if len(alike) > PASTS:
                        alike.remove(max(alike, key=lambda each: each.rank))
        ways = [way for each in found.values() for way in each if way.rank <= best + WORSE]
        ways.sort(key=lambda way: way.rank)
        least: dict[object, float] = {}
        kept: list[Node] = []
        for way in ways:
            key = (way.position, way.ready, way.held)
            known = least.get(key)
            if known is not None and way.rank > known + DOMINANCE and (way.victims or way.paid):
                continue
            if known is None:
                least[key] = way.rank
            kept.append(way)
            if len(kept) >= WIDTH:
                break
        return kept

    def _expired(self, node: Node, event: Departure) -> Node | None:
        """What waits too long for its step ends the way, or is given up."""
        at = event.at
        if node.ready is not None and at > node.ready[1] + READY_S:
            node = node.but(GIVEN_UP, ready=None)
        if node.victims:
            left = tuple(one for one in node.victims if at <= one.back_at + VICTIM_BACK_S)
            if len(left) < len(node.victims):
                node = node.but(GIVEN_UP * (len(node.victims) - len(left)), victims=left)
        return node

    def _rank(self, node: Node, n: int) -> float:
        seen = self.seen
        occupied = node.position.position.occupied
        pending = 0
        for victim in node.victims:
            pending |= 1 << victim.square
        differs = (occupied ^ seen.level) & ~seen.ignored & ~seen.later[n] & ~node.held
        rank = node.cost
        if differs:
            missing = differs & occupied
            extra = differs & ~occupied
            rank += OTHERWISE * extra.bit_count()
            for square in squares_of(missing):
                away = seen.now - seen.lasts.get(square, -INF)
                rank += 1.0 if away < 4.0 else OTHERWISE
        if n < len(seen.events):
            moment = seen.events[n].at
            landing = node.line[-1].landed_at if node.line else None
            then = (occupied ^ seen.levels[n]) & seen.stable[n] & ~seen.ignored & ~node.held & ~pending
            if then:
                if node.ready is not None:
                    then &= ~(1 << node.ready[0])
                if landing is not None and landing > moment:
                    then &= ~(1 << node.line[-1].step.to_square)
                rank += OUT_OF_STEP * min(then.bit_count(), 3)
            if landing is not None and landing > moment:
                ahead = 0
                while n + ahead < len(seen.events) and seen.events[n + ahead].at < landing and ahead < 6:
                    ahead += 1
                rank += ahead
        return rank

    def _left(self, node: Node, event: Departure, n: int) -> Iterable[Node]:
        square, at = event.square, event.at
        seen = self.seen
        if (square, at) in node.paid:
            paid = tuple(one for one in node.paid if one != (square, at))
            yield node.but(0.0, paid=paid)
            return
        position = node.position
        occupied = position.position.occupied
        if not occupied >> square & 1:
            if node.held >> square & 1:
                yield node.but(0.0, held=node.held & ~(1 << square))
                return
            yield node.but(self._visit(node, event))
            return
        yield node.but(self._touch(node, event))
        steps = tuple(self._steps(node, position, square, at, n))
        yield from steps
        # What has just come down goes back, or elsewhere after all.
        if node.line and node.line[-1].step.to_square == square and node.line[-1].step.is_ply:
            yield from self._undone(node, event, n)
        if position.is_fought:
            return
        mine = self._is_mine(position, square)
        if mine is False and self._may_be_taken(position, square):
            victim = Victim(square, at, event.back_at)
            if event.back_at < INF or seen.now - at < READY_S:
                yield node.but(0.0, victims=(*node.victims, victim))
        if mine is False and node.ready is None and not node.victims:
            yield node.but(PRICES.HELD_READY, ready=(square, at))

    def _is_mine(self, standing: Standing, square: int) -> bool | None:
        piece = standing.position.pieces().get(Square(square))
        if piece is None:
            return None
        return piece.side is standing.position.side

    def _may_be_taken(self, standing: Standing, square: int) -> bool:
        return True

    def _visit(self, node: Node, event: Departure) -> float:
        stood = event.at - event.came_at
        if stood < PRICES.PASSING_S * self.seen.slow:
            return PRICES.TRANSIT / 2
        return PRICES.RESTED if stood < PRICES.COUNTED_S else NOISE

    def _touch(self, node: Node, event: Departure) -> float:
        away = event.back_at - event.at
        seen = self.seen
        if away == INF:
            return 0.0
        if away < PRICES.FLICKER_S * seen.slow:
            if seen.blips.get(event.square, 0) >= 2:
                return PRICES.FLICKER
            if event.at - event.came_at < 0.3:
                return PRICES.WOBBLE
            beside = self.game.beside(node.position, Square(event.square))
            if seen.changes_near(event.at, beside, 0.15):
                return PRICES.BLIP_BESIDE
            return PRICES.BLIP
        return PRICES.TOUCH

    def _steps(self, node: Node, standing: Standing, square: int, at: float, n: int, cost: float = 0.0,
               line=None, gone=None, victims=None) -> Iterable[Node]:
        """Every step that the piece on a square may have begun as it was lifted."""
        seen, game = self.seen, self.game
        line = node.line if line is None else line
        gone = node.gone if gone is None else gone
        victims = node.victims if victims is None else victims
        occupied = standing.position.occupied
        since = at - PRICES.DRAGGED_S * seen.slow
        among = seen.landed_since(since) | occupied | seen.ignored
        before = line[-1].landed_at if line else None
        early_s = -INF if before is None else before - at
        for step in game.steps_from(standing, Square(square), among):
            for taken, price, paid, left in self._shown(node, standing, step, at, since, victims):
                more = step.surprise + (early(early_s, seen.slow) or 0.0)
                if before is not None and taken.landed_at is not None and taken.landed_at < before:
                    late = before - taken.landed_at
                    more += PRICES.NECK_AND_NECK if late < PRICES.NECK_AND_NECK_S else PRICES.DISORDER
                total = cost + price + more
                past = hash((line[-1].past if line else 0, step.squares))
                way = node.but(
                    total, position=step.after, line=(*line, taken._replace(cost=total, past=past)), gone=gone,
                    victims=left, paid=(*node.paid, *paid),
                )
                if node.ready is None:
                    yield way
                    continue
                if step.is_ply and node.ready[0] != square:
                    held = node.ready
                    way.ready = None
                    if step.after.position.occupied >> held[0] & 1:
                        yield from self._steps(way, step.after, held[0], held[1], n)
                else:
                    yield way

    def _shown(self, node, standing, step, at, since, victims):
        seen = self.seen
        target = int(step.to_square)
        if step.capture:
            yield from self._shown_capture(node, standing, step, at, since, victims)
            return
        if seen.ignored >> target & 1:
            yield Taken(step, standing, at, None, None, "", 0.0), PRICES.BLIND_LANDING, (), victims
            return
        stays = [stay for stay in seen.stays.get(target, ()) if stay[0] >= since]
        if not stays:
            return
        landed_at = next((came for came, gone in stays if gone - came > PRICES.PASSING_S), stays[-1][0])
        cost = holding(landed_at - at, seen.pace).nats
        if not self.game.beside(standing, step.from_square) >> target & 1:
            cost += flight(landed_at - at) or 0.0
        yield Taken(step, standing, at, None, landed_at, "", 0.0), cost, (), victims

    def _shown_capture(self, node, standing, step, at, since, victims):
        seen, pace = self.seen, self.seen.pace
        target = int(step.to_square)
        for victim in victims:
            if victim.square == target:
                left = tuple(one for one in victims if one is not victim)
                if victim.back_at == INF or victim.back_at < since:
                    return
                cost = self._gap_cost(node, standing, step, at, victim.left_at, victim.back_at)
                yield Taken(step, standing, at, victim.left_at, victim.back_at, "", 0.0), cost, (), left
                return
        for opened_at, closed_at in seen.gaps.get(target, ()):
            if opened_at <= at or closed_at == INF:
                continue
            if (target, opened_at) in node.paid:
                continue
            cost = self._gap_cost(node, standing, step, at, opened_at, closed_at)
            yield Taken(step, standing, at, opened_at, closed_at, "", 0.0), cost, ((target, opened_at),), victims
            break
        yield Taken(step, standing, at, None, None, VICTIM_UNSEEN, 0.0), PRICES.UNSEEN, (), victims

    def _gap_cost(self, node, standing, step, at, opened_at, closed_at) -> float:
        seen, pace = self.seen, self.seen.pace
        length = closed_at - opened_at
        if length < PRICES.BLINK_S:
            return PRICES.UNSEEN_BLIP
        if length < PRICES.FLICKER_S * pace and seen.blips.get(int(step.to_square), 0) >= 2:
            return PRICES.UNSEEN_FLICKER
        cost = 0.0
        away = closed_at - max(at, opened_at)
        if abs(opened_at - at) < PRICES.KNOCK_S * pace and away > PRICES.VICTIM_S * pace:
            cost += PRICES.BOTH_KNOCKED
        if opened_at - at > PRICES.HELD_LONG_S:
            cost += PRICES.HELD_LONG
        cost += PRICES.THOUGHT * thought(max(length, closed_at - at), PRICES.VICTIM_S)
        occupied = standing.position.occupied
        for square, gaps in seen.gaps.items():
            if not occupied >> square & 1 or square in step.squares:
                continue
            if any(abs(gone - opened_at) < PRICES.KNOCK_S and PRICES.FALL_S < back - gone < INF for gone, back in gaps):
                cost += PRICES.FELL_ALONG
                break
        return cost

    def _undone(self, node: Node, event: Departure, n: int) -> Iterable[Node]:
        seen = self.seen
        last = node.line[-1]
        step, at = last.step, event.at
        source = int(step.from_square)
        since = at - PRICES.DRAGGED_S * seen.slow
        line = node.line[:-1]
        gone = (*node.gone, (len(line), step.squares))
        returns = [came for came, left in seen.stays.get(source, ()) if came >= since]
        if returns and not seen.ignored >> source & 1:
            yield node.but(UNDO, position=last.before, line=line, gone=gone)
        yield from self._steps_elsewhere(node, last, event, n, line, gone)

    def _steps_elsewhere(self, node, last, event, n, line, gone):
        for way in self._steps(node, last.before, int(last.step.from_square), event.at, n, UNDO, line, gone):
            if way.line[-1].step.squares == last.step.squares:
                continue
            lifted = last.lifted_at
            way.line = (*way.line[:-1], way.line[-1]._replace(lifted_at=lifted))
            yield way

    def _landed(self, node: Node, event: Departure, n: int) -> Iterable[Node]:
        """A landing has stood: the piece's own switch may never have opened."""
        yield node
        square, seen = event.square, self.seen
        position = node.position
        occupied = position.position.occupied
        if occupied >> square & 1 or seen.ignored >> square & 1:
            return
        for source in squares_of(occupied & seen.levels[n]):
            if not self.game.ends_from(position, source) >> square & 1:
                continue
            for step in self.game.steps_from(position, source, 1 << square):
                # a source that was seen to open at about then is no held one
                price = HELD_SOURCE if not seen.ignored >> source & 1 else PRICES.KNOWN_BLIND_LIFT
                taken = Taken(step, position, None, None, event.came_at, LIFT_UNSEEN, price, hash((node.past, step.squares)))
                yield node.but(price + step.surprise, position=step.after, line=(*node.line, taken),
                               held=node.held | 1 << source)


class Account(NamedTuple):
    node: Node
    cost: float
    wait: float
    """When it is to be weighed again."""
    kept: int
    in_air: int
    extra: int


@dataclass
class Entry:
    number: int
    options: tuple[Step[Standing], ...]
    at: float

    def allows(self, squares) -> bool:
        return any(option.squares == squares for option in self.options)


class OnwardReader:
    """Reads plies from switches."""

    def __init__(self, game, position, number=1, faults=None, rates=None) -> None:
        self.game = game
        self.faults = dict(faults or {})
        self.due: float | None = None
        self._first_number = number
        ignored = 0
        for square in self.faults:
            ignored |= 1 << square
        occupied = game.occupied(position)
        self.trace = Trace(occupied, occupied, ignored)
        self.search = Search(game, [Node(position, None, (), (), 0.0)])
        self.tempo = Tempo()
        self.told: list[Entry] = []
        self.accounts: list[Account] = []
        self.blips: dict[int, int] = {}
        self._unsettled = -INF
        self._changed_at = -INF
        self._settled = 0  # steps before the base
        self._sure = 0
        self._walked = 0.0
        self._plies_seen = 0
        self._ask_since: tuple[object, float] | None = None
        self._stale = True
        self._now = 0.0
        self._last_best = 0.0

    # ---------------------------------------------------------------- what comes in

    def observe(self, observation: Observation) -> list[Reading[Standing]]:
        at = self._now = observation.at
        for square, evidence in observation.squares.items():
            if evidence is None:
                continue
            occupied = presence(evidence) > 0
            if not self.trace.add(square, occupied, at):
                continue
            self._changed_at = at
            self._stale = True
            times = self.trace.changes.get(square, ())
            if occupied and len(times) > 1 and times[-1] - times[-2] < PRICES.FLICKER_S:
                self.blips[square] = self.blips.get(square, 0) + 1
            beside = lambda s: self.game.beside(self.search.frontiers[0][0].position, s)
            forget_shock(self.trace, beside, at)
        return self._read(at)

    def tick(self, now: float) -> list[Reading[Standing]]:
        self._now = now
        return self._read(now)

    # ---------------------------------------------------------------- what goes out

    def _read(self, now: float) -> list[Reading[Standing]]:
        self.due = None
        shakes = shakes_until(self.trace)
        if shakes > now + 1e-9:
            self.due = shakes
            return []
        self._think(now)
        news: list[Reading[Standing]] = []
        for _ in range(24):
            more, due = self._say(now)
            if not more:
                waits = [account.wait for account in self.accounts if account.wait > now + 1e-6]
                standing = [
                    came + STOOD_S + 1e-3
                    for square, came in (self.search.seen.landed_last.items() if self.search.seen else ())
                    if now - came <= STOOD_S
                ]
                due = min([due, *waits, *standing])
                self.due = due if due < INF else None
                break
            news += more
            self._weigh(now)
        self._cut(now)
        return news

    def _think(self, now: float) -> None:
        self._stale = False
        seen = Seen(self.trace, now, self.tempo.pace, self.blips)
        self.search.run(seen, self._unsettled)
        self._weigh(now)
        if self.accounts and self.accounts[0].cost > self._last_best + 6.0 and len(seen.events) < 90:
            before, frontiers = self.accounts, list(self.search.frontiers)
            self.search.run(seen, -INF, whole=True)
            self._weigh(now)
            if not self.accounts or self.accounts[0].cost > before[0].cost - 1.0:
                self.search.frontiers, self.accounts = frontiers, before
        if self.accounts:
            self._last_best = self.accounts[0].cost
        self._note_unsettled(now)

    def _note_unsettled(self, now: float) -> None:
        seen = self.search.seen
        first = self._changed_at - 0.3
        for account in self.accounts:
            if account.cost > self.accounts[0].cost + ACCOUNTS:
                break
            node = account.node
            for victim in node.victims:
                first = min(first, victim.left_at)
            if node.ready:
                first = min(first, node.ready[1])
            for square in squares_of(account.in_air):
                first = min(first, seen.lasts.get(int(square), INF))
            for one in node.line[-4:]:
                if one.landed_at is None and one.lifted_at is not None:
                    first = min(first, one.lifted_at)
                elif one.landed_at is not None and now - one.landed_at < 1.0 and one.lifted_at is not None:
                    first = min(first, one.lifted_at, one.opened_at or INF)
        self._unsettled = first

    def _weigh(self, now: float) -> None:
        found = [self._account(node, now) for node in self.search.frontiers[-1]]
        found.sort(key=lambda account: account.cost)
        self.accounts = found

    def _account(self, node: Node, now: float) -> Account:
        seen = self.search.seen
        occupied = node.position.position.occupied
        differs = (occupied ^ seen.level) & ~seen.ignored & ~node.held
        missing, extra = differs & occupied, differs & ~occupied
        pending = 0
        for victim in node.victims:
            pending |= 1 << victim.square
        wait = INF
        cost = node.cost
        in_air = 0
        position = node.position.position
        pieces = position.pieces()
        for square in squares_of(missing):
            left_at = seen.lasts.get(int(square), -INF)
            away = now - left_at
            bit = 1 << square
            in_air |= bit
            piece = pieces.get(square)
            if away > PRICES.RISE_S * self.tempo.slowest:
                cost += PRICES.NEVER_ROSE if not (piece and piece.side is position.side) else PRICES.LONG_AIR
            elif pending & bit or (piece and piece.side is position.side) or (node.ready and node.ready[0] == square):
                cost += PRICES.LIFTED
            else:
                cost += PRICES.LIFTED_OTHER
                wait = min(wait, left_at + PRICES.RISE_S * self.tempo.slowest)
        for square in squares_of(extra):
            price, until = self._lies(node, int(square), bool(missing), now)
            cost += price
            wait = min(wait, until)
        for victim in node.victims:  # returned, and nobody took it
            if victim.back_at < INF:
                if now > victim.back_at + VICTIM_BACK_S:
                    cost += PRICES.TOUCH + 1.0
                else:
                    wait = min(wait, victim.back_at + VICTIM_BACK_S)
        line = node.line
        kept = min(self._sure, len(line), len(self.told))
        while kept < len(line) and kept < len(self.told) and self.told[kept].allows(line[kept].step.squares):
            kept += 1
        told = len(self.told) - self._settled
        if kept < told:
            gone = set(node.gone)
            denied = sum(
                not any(number == index and self.told[self._settled + index].allows(squares) for number, squares in gone)
                for index in range(kept, told)
            )
            cost += min(1.5 * denied, 9.0)
        return Account(node, cost, wait, self._settled + kept, in_air, extra)

    def _lies(self, node: Node, square: int, is_air: bool, now: float) -> tuple[float, float]:
        """What stands where the position has nothing: taken, doubled, passing, or a stranger."""
        seen = self.search.seen
        came_at = seen.lasts.get(square, -INF)
        best, wait = float(PRICES.STRANGER), INF
        for one in node.line[-8:]:
            step = one.step
            beside = self.game.beside(one.before, step.to_square) >> square & 1
            if step.capture and one.opened_at is not None:
                if -PRICES.DRAGGED_S < came_at - one.opened_at < 4.0:
                    if beside or square == step.from_square:
                        best = min(best, PRICES.ASIDE)
                    else:
                        rim = self.game.beside(one.before, Square(square)).bit_count() < 8
                        best = min(best, PRICES.ON_RIM if rim else best)
            if one.landed_at is not None and beside and square != step.from_square:
                if abs(came_at - one.landed_at) < PRICES.DRAGGED_S * seen.slow:
                    best = min(best, PRICES.SHIFTED)
        occupied = node.position.position.occupied
        for source in squares_of(self.game.beside(node.position, Square(square)) & occupied):
            for gone, back in seen.gaps.get(int(source), ()):
                if abs(came_at - gone) < PRICES.SHIFTED_S or abs(came_at - back) < PRICES.SHIFTED_S:
                    best = min(best, PRICES.SHIFTED + PRICES.TOUCH)
        if is_air:
            over = came_at + PRICES.HOLD_S
            if now < over - 1e-6:
                best, wait = min(best, PRICES.PASSING), over
        return best, wait

    @property
    def number(self) -> int:
        return self._first_number + sum(entry.options[0].is_ply for entry in self.told)

    @property
    def belief(self) -> Belief[Standing]:
        node = self.accounts[0].node if self.accounts else self.search.frontiers[0][0]
        missing, extra = self.trace.differences(self.game.occupied(node.position), node.held)
        return Belief(node.position, self.number, tuple(missing), frozenset(missing), frozenset(extra), None, dict(self.faults))

    def _following(self, account: Account, n: int) -> Taken | None:
        line = account.node.line
        index = n - self._settled
        return line[index] if 0 <= index < len(line) else None

    def _say(self, now: float) -> tuple[list[Reading[Standing]], float]:
        accounts = self.accounts
        if not accounts:
            return [], INF
        n = len(self.told)
        best = accounts[0].cost
        near = [a for a in accounts if a.cost < best + PRICES.MARGIN]
        kept = [a.kept for a in near]
        quiet_at = self._changed_at
        if max(kept) < n:
            rivals = [a for a in accounts if a.cost < best + PRICES.MARGIN_TO_RETRACT]
            most = max(a.kept for a in rivals)
            if most >= n:
                rest = quiet_at + 0.8
                if now < rest:
                    return [], rest
                rivals = near
                most = max(kept)
                if [a for a in accounts if a.kept >= n and a.cost < best + PRICES.MARGIN]:
                    return [], INF
            wait = quiet_at + (0.8 if n - most > 2 else PRICES.HOLD_S)
            if now < wait - 1e-9:
                return [], wait
            return self._withdraw(most, now), INF
        if min(kept) < n:
            return [], INF
        following = [self._following(a, n) for a in near]
        if all(one is None for one in following):
            return self._put_right(near, now)
        keys = {one.step.squares if one else None for one in following}
        if len(keys) == 1:
            return self._tell(near, now)
        return self._ask(near, now)

    def _put_right(self, near, now):
        """Answer questions whose other candidates have died."""
        return [], INF

    def _tell(self, near: list[Account], now: float):
        n = len(self.told)
        account = near[0]
        one = self._following(account, n)
        line = account.node.line
        index = n - self._settled
        later = line[index + 1 :]
        landed = one.landed_at
        followed = [each for each in later if each.landed_at is not None]
        if landed is None:
            if not followed:
                return self._ask(near, now)
            until = followed[0].landed_at + PRICES.HOLD_S
        else:
            lifted = [each.lifted_at for each in later if each.lifted_at is not None]
            lifted += [self.search.seen.lasts.get(int(s), INF) for s in squares_of(account.in_air)]
            replied = any(at > landed for at in lifted)
            until = landed + (0.12 if replied else PRICES.HOLD_S)
            if account.in_air >> one.step.to_square & 1 and not later:
                return [], INF
        if now < until - 1e-9:
            return [], until
        self.told.append(Entry(self.number, (one.step,), now))
        if one.lifted_at is not None and landed is not None and not one.step.capture and one.step.is_ply:
            self.tempo.learn(landed - one.lifted_at)
        others = [a.cost for a in self.accounts if (f := self._following(a, n)) is None or f.step.squares != one.step.squares]
        margin = (min(others) if others else INF) - account.cost
        shown = Evidence(one.lifted_at, landed, (one.doubt,) if one.doubt else (), min(margin, 50.0))
        return [telling(self.told[-1].number, one.step, shown, now)], INF

    def _ask(self, near: list[Account], now: float):
        n = len(self.told)
        steps: dict[object, Step[Standing]] = {}
        is_none, followed, latest = False, 0, -INF
        for account in near:
            one = self._following(account, n)
            if one is None:
                is_none = True
                continue
            steps.setdefault(one.step.squares, one.step)
            followed = max(followed, len(account.node.line) - (n - self._settled) - 1)
        key = frozenset(steps)
        question = question_about(self.number, steps.values())
        if question is None or len(steps) < 2:
            if is_none or len(steps) < 2:
                return [], INF
            return [], INF
        if is_none:
            return [], INF
        wait = 0.5 if followed >= 2 else 1.7 if followed else 3.7
        until = self._changed_at + wait if not followed else max(self._first_doubt(key, now) + wait, 0.0)
        if now < until - 1e-9:
            return [], until
        self.told.append(Entry(self.number, tuple(steps.values()), now))
        return [Reading(question, now)], INF

    def _first_doubt(self, key, now: float) -> float:
        if self._ask_since is None or self._ask_since[0] != key:
            self._ask_since = (key, now)
        return self._ask_since[1]

    def _withdraw(self, most: int, now: float):
        readings = []
        while len(self.told) > most:
            entry = self.told.pop()
            is_ply = entry.options[0].is_ply
            readings.append(undoing(entry.number, is_ply, now))
        return readings

    def _cut(self, now: float) -> None:
        """Let go of what is long past."""
        search = self.search
        if len(search.events) < CUT_EVENTS or not self.accounts:
            return
        best = self.accounts[0]
        deep = len(best.node.line) - BASE_DEPTH
        flips = search.seen.flip_times
        n = 0
        for index in range(1, len(search.events) - 8):
            at = search.events[index].at
            nodes = search.frontiers[index]
            if not nodes or len(nodes[0].line) > deep or at > now - 10.0:
                break
            place = bisect_right(flips, at - 1e-9)
            if place and flips[place - 1] > at - STOOD_S - 0.1:
                continue
            n = index
        if not n:
            return
        ancestors: set[int] = set()
        for account in self.accounts:
            if account.cost > best.cost + ACCOUNTS:
                break
            node = account.node
            while node is not None and id(node) not in ancestors:
                ancestors.add(id(node))
                node = node.prev
        at = search.events[n].at
        kept = [node for node in search.frontiers[n] if id(node) in ancestors]
        if not kept:
            return
        for node in kept:
            node.prev = None
        for square, times in list(self.trace.changes.items()):
            count = bisect_right(times, at - 1e-9)
            if count:
                if count & 1:
                    self.trace.base ^= 1 << square
                if times[count:]:
                    self.trace.changes[square] = times[count:]
                else:
                    del self.trace.changes[square]
        least = min(node.cost for node in kept)
        seen = Seen(self.trace, now, self.tempo.pace, self.blips)
        if [one[:2] for one in seen.events] != [one[:2] for one in search.events[n:]]:
            search.frontiers, search.events = [kept], []
            search.run(seen, -INF, whole=True)
        else:
            search.frontiers = [kept, *search.frontiers[n + 1 :]]
            search.events, search.seen = seen.events, seen
        sure = min(len(node.line) for node in kept)
        self._sure = max(0, min(sure, len(self.told)) - 2)
