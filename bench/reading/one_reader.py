"""A reader of switches on trial: tells and asks by one search (`one_search`)."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from hardware.ports import FaultKind, Observation, presence
from jetan_table.reading.costs import PRICES
from jetan_table.reading.readings import (
    Belief,
    Evidence,
    JetanGame,
    Reading,
    Standing,
    Step,
    answering,
    question_about,
    telling,
    undoing,
)
from jetan_table.reading.scene import Tempo, Trace, forget_shock, shakes_until
from rules import Square, format_square, mask_of, squares_of

from .one_search import STOOD_S, VICTIM_BACK_S, Look, Search, Taken, Way, is_movers

SEEN_S: Final = 0.1
ASKED_S: Final = 2.0
"""Seconds that nothing changes before it is asked what was played last."""
FOLLOWED_S: Final = 1.0
"""Seconds that a doubt lasts before it is asked about once another step has followed."""
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
    is_firm: bool = False
    """True where people have said so."""

    def allows(self, squares: tuple[Square, Square]) -> bool:
        return any(option.squares == squares for option in self.options)


Said = tuple[list[Reading[Standing]], float]
"""What is told now, and until when to wait where that is nothing."""

MOST_NEWS: Final = 24


def _squares(one: Taken | None) -> tuple[Square, Square] | None:
    return one and one.step.squares


class OneSearchReader:
    """Reads plies from switches by one search."""

    def __init__(
        self,
        game: JetanGame,
        position: Standing,
        number: int = 1,
        faults: Mapping[Square, FaultKind] | None = None,
    ) -> None:
        self.due: float | None = None
        self.faults: dict[Square, FaultKind] = dict(faults or {})
        self._game, self._first_number = game, number
        occupied = position.position.occupied
        self._trace = Trace(occupied, occupied, mask_of(self.faults))
        self._search, self._now = Search(game, position), 0.0
        self._search.run(Look(self._trace, 0.0, 1.0, {}), math.inf)
        self._tempo, self._blinks = Tempo(), dict[int, int]()
        self._told: list[Told] = []
        self._accounts: list[Account] = []
        self._rests: deque[float] = deque(maxlen=WALKS)
        self._unsettled = self._changed_at = -math.inf
        self._sure = 0
        self._doubt: tuple[object, float] = (None, 0.0)
        self._best = 0.0
        self._weigh(0.0)

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
        """Let time pass, and return what has become certain by it."""
        self._now = now
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
        stood = (at + STOOD_S + 1e-3 for at in self._search.look.landed.values())
        waits = (account.until for account in self._accounts)
        due = min([due, *(at for at in (*stood, *waits) if at > now + 1e-6)])
        self.due = due if due < math.inf else None
        self._cut(now)
        return news

    def _think(self, now: float) -> None:
        """Search on; from the beginning where the best account has become much worse."""
        search, look = self._search, Look(self._trace, now, self._tempo.pace, self._blinks)
        search.run(look, self._unsettled)
        self._weigh(now)
        if not self._accounts or self._accounts[0].cost > self._best + 6.0:
            accounts, frontiers = self._accounts, list(search.frontiers)
            search.run(look, -math.inf)
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
            times += [self._search.look.lasts.get(s, math.inf) for s in squares_of(account.in_air)]
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
        look, position = self._search.look, way.position.position
        differs = (position.occupied ^ look.level) & ~(look.ignored | way.unshown)
        missing, extra = differs & position.occupied, differs & ~position.occupied
        cost, until, rise_s = way.cost, math.inf, PRICES.RISE_S * self._tempo.slowest
        waiting = mask_of(Square(victim.square) for victim in way.victims)
        waiting |= 1 << way.ready[0] if way.ready else 0
        lifted_at = way.line[-1].lifted_at if way.line else None
        for square in squares_of(missing):
            left_at, may_act = look.lasts.get(square, -math.inf), is_movers(position, square)
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
        look, price = self._search.look, float(PRICES.STRANGER)
        came_at = look.lasts.get(square, -math.inf)
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
            edge_s = PRICES.DRAGGED_S * look.slow
            if is_put_beside and abs(came_at - (one.landed_at or 0.0)) < edge_s:
                price = min(price, PRICES.SHIFTED)
        beside = self._game.beside(way.position, square) & way.position.position.occupied
        for source in squares_of(beside):
            for gap in look.gaps.get(source, ()):
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
        return self._first_number + sum(entry.options[0].is_ply for entry in self._told)

    def _following(self, account: Account) -> Taken | None:
        line = account.way.line
        return line[len(self._told)] if len(self._told) < len(line) else None

    def _say(self, now: float) -> Said:
        near, count = self._near(PRICES.MARGIN), len(self._told)
        if not near:
            return [], math.inf
        if answers := self._answers(now):
            return answers, math.inf
        kept = [account.kept for account in near]
        if max(kept) < count:
            return self._withdraw(max(kept), now)
        if near[0].kept < count:
            return [], math.inf
        # Who denies what was told some plies ago does not keep the table silent.
        near = [account for account in near if account.kept >= count - 1]
        following = [self._following(account) for account in near]
        if any(account.kept < count for account in near) and len(set(map(_squares, following))) > 1:
            return [], math.inf
        steps = {one.step.squares: one.step for one in following if one is not None}
        if not steps:
            return [], math.inf
        if len(steps) == 1 and None not in following:
            return self._tell(near[0], now)
        if None in following:
            return [], math.inf
        return self._ask(near, list(steps.values()), now)

    def _answers(self, now: float) -> list[Reading[Standing]]:
        """Return what later play says of plies that were asked about."""
        found: list[Reading[Standing]] = []
        for index, entry in enumerate(self._told):
            if len(entry.options) == 1:
                continue
            lines = [account.way.line for account in self._near(PRICES.FORGET)]
            left = {line[index].step.squares for line in lines if len(line) > index}
            options = tuple(option for option in entry.options if option.squares in left)
            if len(left) == 1 and len(options) == 1 and self._accounts[0].kept > index + 1:
                self._told[index] = Told(entry.number, options)
                found.append(answering(entry.number, options[0], now))
        return found

    def answer(self, number: int, square: Square) -> list[Reading[Standing]]:
        """Take the answer that ply `number` was the one by `square`, a candidate of its question.

        Raises ValueError where ply `number` is not in question, `square` is no candidate of it, or
        what was played since cannot follow from that.
        """
        index, meant = self._meant(number, square)
        search, accounts = self._search, self._accounts
        frontiers = list(search.frontiers)
        search.firm[index] = meant.squares
        search.run(search.look, -math.inf)
        self._weigh(self._now)
        if not self._accounts:
            del search.firm[index]
            search.frontiers, self._accounts = frontiers, accounts
            raise ValueError(f"what was played since ply {number} cannot follow from that")
        self._told[index] = Told(number, (meant,), is_firm=True)
        return [answering(number, meant, self._now), *self.tick(self._now)]

    def _meant(self, number: int, square: Square) -> tuple[int, Step[Standing]]:
        """Return the place of a ply that was asked about, and which of its options is meant."""
        for index, entry in enumerate(self._told):
            question = question_about(entry.number, entry.options)
            if entry.number != number or len(entry.options) == 1 or question is None:
                continue
            for option in entry.options:
                if question.means(format_square(square), *option.squares):
                    return index, option
        raise ValueError(f"ply {number} was not asked about, or {square} is no candidate")

    @property
    def belief(self) -> Belief[Standing]:
        """The position as it is read now, and what is open in it."""
        count, best = len(self._told), self._accounts[0].way
        way = next((one.way for one in self._accounts if one.kept >= count), best)
        position = way.line[count].before if count < len(way.line) else way.position
        unshown = way.unshown
        missing, extra = self._trace.differences(position.position.occupied, unshown)
        open_ = [entry for entry in self._told if len(entry.options) > 1]
        question = question_about(open_[-1].number, open_[-1].options) if open_ else None
        unseen = frozenset(squares_of(unshown & position.position.occupied))
        down: tuple[Square, ...] = ()
        if len(best.line) > count:
            last = best.line[-1]
            is_down = last.landed_at is not None and self._now >= last.landed_at + SEEN_S
            down = last.step.squares if is_down and last.step.to_square not in missing else ()
        return Belief(
            position,
            self.number,
            tuple(missing),
            frozenset(missing),
            frozenset(extra),
            question,
            dict(self.faults),
            unseen,
            down,
        )

    def _withdraw(self, most: int, now: float) -> Said:
        rivals = self._near(PRICES.MARGIN_TO_RETRACT)
        count = len(self._told)
        is_open = any(account.kept >= count for account in rivals)
        rest_s = MANY_S if is_open or count - most > 2 else PRICES.HOLD_S
        if now < self._changed_at + rest_s - 1e-9:
            return [], self._changed_at + rest_s
        news: list[Reading[Standing]] = []
        while len(self._told) > most:
            entry = self._told.pop()
            news.append(undoing(entry.number, entry.options[0].is_ply, now))
        return news, math.inf

    def _tell(self, account: Account, now: float) -> Said:
        one = self._following(account)
        assert one is not None
        index = len(self._told)
        later = account.way.line[index + 1 :]
        if one.landed_at is None or one.lifted_at is None:
            # What no switch showed is told once play has gone on, if it is as sure as that.
            shown = next((each.landed_at for each in later if each.landed_at is not None), None)
            rivals = (self._following(each) for each in self._near(PRICES.MARGIN))
            is_sure = all(each and each.step.squares == one.step.squares for each in rivals)
            if shown is None or not is_sure:
                steps = self._options(self._near(PRICES.FORGET))
                return self._ask([account], steps, now) if len(steps) > 1 else ([], math.inf)
            until = shown + PRICES.HOLD_S
        else:
            lifts = [each.lifted_at for each in later if each.lifted_at is not None]
            lasts = self._search.look.lasts
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
        is_unsure = any(len(entry.options) > 1 for entry in self._told[:-1])
        evidence = Evidence(one.lifted_at, one.landed_at, doubts, margin, is_unsure)
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
            for square, stays in self._search.look.stays.items()
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
        steps: dict[tuple[Square, Square], Step[Standing]] = {}
        for account in accounts:
            one, dark = self._following(account), account.way.dark
            if one is None:
                continue
            ends = 1 << one.step.to_square
            if dark is not None and dark.place == len(self._told):
                each = account.cost + math.log(dark.among.bit_count())
                if each > self._accounts[0].cost + PRICES.FORGET:
                    continue
                ends = dark.among
            for step in self._game.steps_from(one.before, one.step.from_square, ends):
                steps.setdefault(step.squares, step)
        return list(steps.values())

    def _ask(self, near: Sequence[Account], steps: list[Step[Standing]], now: float) -> Said:
        question = question_about(self.number, steps)
        if question is None:
            return [], math.inf
        what = frozenset(step.squares for step in steps)
        if self._doubt[0] != what:
            self._doubt = what, now
        followed = max(len(account.way.line) for account in near) - len(self._told) - 1
        until = self._changed_at + ASKED_S
        if followed > 0:
            until = self._doubt[1] + (PRICES.HOLD_S if followed > 1 else FOLLOWED_S)
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
        look = Look(self._trace, now, self._tempo.pace, self._blinks)
        is_same = [one[:2] for one in look.events] == [one[:2] for one in search.events[n:]]
        search.frontiers = [kept, *search.frontiers[n + 1 :]] if is_same else [kept]
        search.events = look.events if is_same else []
        search.run(look, math.inf)
        self._weigh(now)
        self._sure = max(0, min(*(len(way.line) for way in kept), len(self._told)) - 2)

    def _cut_at(self, depth: int, now: float) -> int:
        """Return the last event before which the best ways have no more than so many steps."""
        search, found = self._search, 0
        for n in range(1, len(search.events) - 8):
            at, ways = search.events[n].at, search.frontiers[n]
            if not ways or len(ways[0].line) > depth or at > now - 10.0:
                break
            place = bisect_right(search.look.times, at - 1e-9)
            if not place or search.look.times[place - 1] < at - STOOD_S - 0.1:
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
