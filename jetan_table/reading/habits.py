"""What is learned of this table: the pace of its hands, how often they put right what they did, and
which pieces and switches flicker."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import Generic

from rules import Square, mask_of, squares_of

from . import costs
from .cost import Hypothesis
from .history import History
from .readable_game import P, ReadableGame, Step
from .speaking import rest_s

PRIOR_MOVES = 12  # what is supposed before any move weighs as much as so many ordinary ones
REMEMBERED_MOVES = 40  # the latest, from which the pace is learned
SLOWEST, FASTEST = 2.5, 0.5  # times as slow as ordinary; the pace stays between
SURE_MOVES = 20  # after which hands have shown how slow they are
REMEMBERED_THOUGHTS = 25  # the latest moves, among which one put right makes the reader wait
PRIOR_SURE = 18  # before the first one of so many is supposed to be put right
UNSURE = 0.4  # before the first, they may be slower by this share; by less with every move


class Tempo:
    """`pace` is how many times slower than ordinary these hands are; 1 until they have shown it."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=REMEMBERED_MOVES)  # as logarithms of a pace
        self.pace = 1.0

    @property
    def slowest(self) -> float:
        """How many times slower than ordinary these hands may be, as far as they have shown."""
        unknown = max(1.0 - len(self._times) / SURE_MOVES, 0.0)
        return max(self.pace, 1.0) * (1.0 + UNSURE * unknown)

    def learn(self, air_s: float) -> None:
        """Take note of one plain move: the seconds between its lift and its landing."""
        if air_s <= 0:
            return
        self._times.append(math.log(air_s / costs.AIR_S))
        moves = len(self._times)
        log_pace = median(self._times) * moves / (moves + PRIOR_MOVES)
        self.pace = min(max(math.exp(log_pace), FASTEST), SLOWEST)


class SecondThoughts:
    """How often these hands put pieces down where they do not stay."""

    def __init__(self) -> None:
        self._had: deque[bool] = deque(maxlen=REMEMBERED_THOUGHTS)

    def learn(self, had_one: bool) -> None:
        """Take note of one move: whether its piece rested elsewhere on its way."""
        self._had.append(had_one)

    @property
    def chance(self) -> float:
        """The chance that the next piece will be put right."""
        return (sum(self._had) + 1) / (len(self._had) + PRIOR_SURE)


class Flickering:
    """The squares that stood empty for a moment though no hand had lifted their piece.

    Its magnet may be weak, and travels with it; or the switch is, and stays.
    """

    def __init__(self) -> None:
        self._switches: set[int] = set()
        self._pieces: set[int] = set()

    @property
    def mask(self) -> int:
        """The squares whose piece or switch has flickered before."""
        mask = 0
        for square in (*self._switches, *self._pieces):
            mask |= 1 << square
        return mask

    def learn(self, square: int) -> None:
        """The piece on `square` was not seen for a moment, though no hand was near."""
        self._switches.add(square)
        self._pieces.add(square)

    def carry(self, options: Iterable[Step[P]]) -> None:
        """A piece has moved by one of these steps, and its magnet with it."""
        steps = list(options)
        is_weak = any(step.from_square in self._pieces for step in steps)
        self._pieces.difference_update(step.from_square for step in steps)
        for step in steps:
            (self._pieces.add if is_weak else self._pieces.discard)(step.to_square)


class Resting(Generic[P]):
    """Watches what rests on the board of a `history`, and how often hands put right what they did.

    Times are seconds on the table clock.
    """

    def __init__(self, game: ReadableGame[P], history: History[P], tempo: Tempo) -> None:
        self._game, self._history, self._tempo = game, history, tempo
        self._thoughts = SecondThoughts()

    @property
    def rethinks(self) -> float:
        """The chance that these hands put right what they have done."""
        return self._thoughts.chance

    def learn(self, best: Hypothesis[P], index: int) -> None:
        """Take note of how the hands have made a step that is told."""
        step, lifted_at, landed_at = best.steps[index], best.lifted_at[index], best.landed_at[index]
        if not step.is_ply or step.capture or not lifted_at or not landed_at:
            return
        if not best.is_odd:
            self._tempo.learn(landed_at - lifted_at)
        stops = self._stops(step, lifted_at, landed_at)
        # Who walks a piece rests on several squares; who puts it right, on one.
        self._thoughts.learn(sum(rest > costs.COUNTED_S / 2 for _, rest in stops) == 1)

    def stands_at(self, best: Hypothesis[P], index: int, changed_at: float) -> float:
        """Return when the step at `index` has stood for long enough to be told.

        The board changed last at `changed_at`. Infinity where what comes next must show it.
        """
        step, landed_at = best.steps[index], best.landed_at[index]
        is_last = len(best.steps) == index + 1
        has_gone = bool(best.in_hand >> step.to_square & 1)
        is_unsure = best.hasty or landed_at is None or has_gone
        if (is_last and is_unsure) or (has_gone and best.strain(index) > costs.POOR):
            return math.inf
        lifts = self._history.anchor.trace.changes.get(step.to_square)
        if has_gone and lifts and landed_at and lifts[-1] - landed_at < costs.PASSING_S:
            return math.inf  # its piece was off again before it had stood: it may go further
        settled, decisive = landed_at, index
        if settled is None or has_gone:  # what came next has shown it, and must stand as well
            shown_at, decisive = best.shown_by(index)
            settled = changed_at if shown_at is None else shown_at
        hold_s = self._hold_s(best, index, decisive)
        if is_last and self._overlaps(best):  # that piece may be the one that came down
            hold_s = max(hold_s, rest_s(self.rethinks, 2))
        sliding_until = changed_at + costs.OVERLAP_SLIDE_S * self._tempo.pace
        return max(settled + hold_s, sliding_until)

    def _hold_s(self, best: Hypothesis[P], index: int, decisive: int) -> float:
        """How long the step at `decisive` must have stood for that at `index` to be told, in s.

        Longer where nothing has happened since, and its piece could as well have been meant for a
        square beside. What has been slid came to where it was pushed, and who takes has looked.
        """
        pace = self._tempo.pace
        if decisive != index and not best.in_hand:
            return costs.HOLD_S * max(pace, 1.0)  # where the reply is put down does not matter
        step, index = best.steps[decisive], decisive
        lifted_at, landed_at = best.lifted_at[index], best.landed_at[index]
        if step.capture or not step.is_ply or lifted_at is None or landed_at is None:
            return costs.HOLD_S * pace
        replied_at = self._replied_at(best, index)
        if landed_at + costs.HOLD_S < replied_at < math.inf:
            return costs.HOLD_S * pace
        anchor = self._history.anchor
        before = best.steps[index - 1].after if index else anchor.worlds[best.world].position
        stops = self._stops(step, lifted_at, landed_at)
        walk = (step.from_square, *(square for square, _ in stops), step.to_square)
        is_walk = all(
            self._game.beside(before, here) >> there & 1 for here, there in pairwise(walk)
        )
        if is_walk and self._game.may_go_on(before, walk):
            return costs.COUNTED_S
        if stops and not is_walk:
            return costs.COUNTED_S
        if replied_at < math.inf:
            return costs.HOLD_S * pace
        hold_s = costs.HOLD_S * max(pace, 1.0)
        others = self._game.ends_from(before, step.from_square) & ~self._game.occupied(before)
        if (is_walk and stops) or not others & self._game.beside(before, step.to_square):
            return hold_s
        return max(hold_s, rest_s(self.rethinks))

    def _replied_at(self, best: Hypothesis[P], index: int) -> float:
        """When what follows a step was lifted; infinity where nothing was.

        A reply that is as quick as the last steps of a walk says nothing of whether that is over.
        """
        changes = self._history.anchor.trace.changes
        lifts = [at for at in best.lifted_at[index + 1 :] if at is not None]
        lifts += [changes[square][-1] for square in squares_of(best.in_hand)]
        return min(lifts, default=math.inf if len(best.steps) == index + 1 else -math.inf)

    def _stops(
        self, step: Step[P], lifted_at: float, landed_at: float
    ) -> list[tuple[Square, float]]:
        """Return the squares on which a piece came down on its way, and for how many seconds."""
        trace = self._history.anchor.trace
        since = lifted_at - costs.OVERLAP_SLIDE_S
        found = [
            (at, Square(square), min((gone for gone in gone_at if gone > at), default=math.inf))
            for square, times in trace.landings().items()
            if square not in step.squares
            for gone_at in (trace.departures().get(square, ()),)
            for at in times
            if since < at < landed_at
        ]
        return [(square, gone - at) for at, square, gone in sorted(found)]

    def _overlaps(self, best: Hypothesis[P]) -> bool:
        """Whether a piece in the air now was lifted before the last step came down."""
        changes, landed_at = self._history.anchor.trace.changes, best.landed_at[-1]
        lifts = (changes[square][-1] for square in squares_of(best.in_hand))
        return landed_at is not None and any(at < landed_at for at in lifts)

    def stands_on_another(
        self, square: int, lifted_at: float, captures: Sequence[Hypothesis[P]]
    ) -> bool:
        """Whether a piece left before that of `square`, came again later, and cannot be its prey.

        Rather the piece of `square` stands there, against the rules.
        """
        ends = mask_of(each.steps[-1].to_square for each in captures) | 1 << square
        trace, occupied = self._history.anchor.trace, self._game.occupied(captures[0].after)
        others = occupied & trace.level & trace.base & ~ends
        return any(
            left < lifted_at < back
            for other in squares_of(others)
            for left, back in pairwise(trace.changes.get(other, ()))
        )

    def falls_until(self, index: int) -> float:
        """Return until when what fell along with the piece of a step told may be put up again.

        The step is that at `index`; minus infinity where nothing fell.
        """
        trace = self._history.anchor.trace
        home, moved = self._history.anchor.reported[index].options[0].squares
        departures = trace.departures()
        gone_at = max(departures.get(moved, ()), default=math.inf)
        if any(at > gone_at for at in trace.landings().get(home, ())):
            return -math.inf  # it was put back by hand
        fell = [
            left
            for square, times in trace.changes.items()
            for left, back in pairwise((*times, math.inf))
            if square != moved
            and abs(left - gone_at) < costs.KNOCK_S < back - left
            and left in departures[square]
        ]
        return max(fell, default=-math.inf) + costs.RISE_S * self._tempo.slowest
