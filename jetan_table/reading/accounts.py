"""Accounts of what hands have played: their beginning, what was told, and what speaks against each.

A `World` is a position from which accounts begin: one that is certain, or one of several while a
question is open or a switch is in doubt. Worlds end when people answer, or when no legal ply leads
on from them as the board shows. Each step told since is a `Reported`; functions beside it find out
if its piece was seen to leave again. A `Hypothesis` explains all changes since then, at a cost; a
`WayBack` explains less, and is sought where the reader has lost its way (`way_back`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from hardware.ports import FaultKind
from rules import Square, mask_of

from .costs import PRICES, Charge
from .readings import STRANGE, TOUCHED, JetanGame, Standing, Step
from .scene import Scene


@dataclass(frozen=True, slots=True)
class World:
    """One position that may be the true one, and what was assumed to come to it."""

    position: Standing
    cost: float
    """The cost of what was seen before the anchor, in nats."""
    asked: tuple[tuple[int, Step[Standing]], ...] = ()
    """The steps taken where the players were asked, or where another was told: ply and step."""
    failed: tuple[tuple[Square, FaultKind], ...] = ()
    """The switches that must have failed if this world is true."""
    aside: int = 0
    """The squares on which a piece lies that was taken before the anchor, as bits."""
    double: int = 0
    """Those of them that are empty: a piece beside closes their switch as well as its own."""

    def supposing(self, fault: tuple[Square, FaultKind] | None) -> World:
        """Return the world in which this switch has failed besides, if one has."""
        if fault is None:
            return self
        cost = self.cost + PRICES.FAULT + PRICES.ANOTHER_FAULT * len(self.failed)
        return replace(self, cost=cost, failed=(*self.failed, fault))

    def going_on(self, step: Step[Standing], entry: Reported) -> World:
        """Return the world after a step that was told, or taken where `entry` asks."""
        asked = (*self.asked, (entry.number, step)) if entry.is_open else self.asked
        return replace(self, position=step.after, asked=asked)

    def trusting(self, square: Square) -> World:
        """Return the world in which nothing is supposed of one switch, nor of what lies there."""
        failed, rest = tuple(one for one in self.failed if one[0] != square), ~(1 << square)
        return replace(self, failed=failed, aside=self.aside & rest, double=self.double & rest)

    @property
    def assumed(self) -> object:
        """All assumptions that lead to it, for comparing."""
        asked = tuple((number, step.squares) for number, step in self.asked)
        return asked, frozenset(self.failed)


@dataclass(frozen=True, slots=True)
class Reported:
    """A step that has been told, or a question that has been put."""

    number: int
    """That of the ply it is, or that it follows."""
    options: tuple[Step[Standing], ...]
    """The step; or several, of which one was played, and the players are asked which."""
    landed_at: float | None
    """Time at which it came down, or people answered; None where that was not seen."""
    reported_at: float
    is_answered: bool = False
    """True where people have said that it was played."""
    doubts: tuple[str, ...] = ()
    """Reasons to doubt it, in words; one is that it was not seen."""
    is_over: bool = True
    """False where it is asked if it has been played, and may yet be."""

    @property
    def over_by(self) -> float:
        """By when it was over; infinity where it may go on still."""
        return self.landed_at or (self.reported_at if self.is_over else math.inf)

    @property
    def is_ply(self) -> bool:
        """False where the neutral piece moved."""
        return self.options[0].is_ply

    @property
    def is_open(self) -> bool:
        """True where it is asked which of several steps was played."""
        return len(self.options) > 1

    @property
    def may_have_taken_another(self) -> bool:
        """True where the piece may have taken another than was told; people are believed."""
        sources = {option.from_square for option in self.options}
        takes = any(option.capture and option.is_ply for option in self.options)
        return bool(self.doubts) and takes and len(sources) == 1 and not self.is_answered

    @property
    def is_unseen(self) -> bool:
        """True where nothing was seen to leave or to come down where it ended."""
        return self.landed_at is None

    def steps(self, game: JetanGame, position: Standing) -> list[Step[Standing]]:
        """Return the legal steps of a position that are what was told."""
        ends = mask_of(option.to_square for option in self.options)
        sources = dict.fromkeys(option.from_square for option in self.options)
        steps = [step for source in sources for step in game.steps_from(position, source, ends)]
        return list(filter(self.allows, steps))

    def allows(self, step: Step[Standing]) -> bool:
        """Return True if `step` is one of the options."""
        return step.squares in [option.squares for option in self.options]


def worlds_meant(
    worlds: list[World], number: int, is_meant: Callable[[Step[Standing]], bool]
) -> list[World]:
    """Return the worlds in which ply `number` was what is meant, if it was asked about there."""
    return [
        world
        for world in worlds
        if all(n != number or not step.is_ply or is_meant(step) for n, step in world.asked)
    ]


def count_kept(steps: Sequence[Step[Standing]], reported: Sequence[Reported]) -> int:
    """Return how many of the steps told `steps` begin with."""
    count = 0
    for entry, step in zip(reported, steps, strict=False):
        if not entry.allows(step):
            break
        count += 1
    return count


def count_certain(steps: Sequence[Step[Standing]], reported: Sequence[Reported]) -> int:
    """Return how many of the steps told, and not asked about, `steps` begin with."""
    asked = (index for index, entry in enumerate(reported) if entry.is_open)
    return min(count_kept(steps, reported), next(asked, len(reported)))


def unsaid(steps: Sequence[Step[Standing]], reported: Sequence[Reported]) -> int:
    """Return how many of the steps told and seen are not among `steps`, from the first other on.

    What was told though nothing showed it was no more than the likeliest.
    """
    kept = count_kept(steps, reported)
    if kept == len(reported):
        return 0
    others = steps[kept:]
    return sum(
        not entry.is_unseen and (index == 0 or not any(map(entry.allows, others)))
        for index, entry in enumerate(reported[kept:])
    )


def departures_since(entry: Reported, scene: Scene, before: float) -> list[float]:
    """Return when the square on which something was told to have come down was left since."""
    if entry.landed_at is None:
        return []
    times = scene.trace.changes.get(entry.options[0].to_square, ())
    until = before + PRICES.OVERLAP_SLIDE_S * scene.slow
    return [at for at in times if entry.landed_at < at <= until]


def has_left(entry: Reported, scene: Scene, instead_at: float | None) -> bool:
    """Return True if a piece that was told to have come down was seen to leave again.

    It must have left before it came down elsewhere, at `instead_at`.
    """
    blind = scene.ignored >> entry.options[0].to_square & 1
    if entry.landed_at is None or entry.is_open or blind:
        return True
    return bool(departures_since(entry, scene, math.inf if instead_at is None else instead_at))


def may_be_touched(entry: Reported, scene: Scene) -> bool:
    """Return True if nothing need have left: the square of a told capture was only touched."""
    step = entry.options[0]
    if not step.capture or entry.landed_at is None:
        return False
    departures = scene.departures.get(step.to_square, ())
    return any(0 < entry.landed_at - at < PRICES.SLIDING_S for at in departures)


def is_home_again(entry: Reported, scene: Scene) -> bool:
    """Return True if the piece of a told capture was home again since, and so took nothing."""
    step = entry.options[0]
    if entry.landed_at is None or not step.capture:
        return False
    return any(
        came_at > entry.landed_at and gone_at - came_at >= PRICES.COUNTED_S
        for came_at, gone_at in scene.trace.stays(step.from_square)
    )


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A sequence of steps that may have left the trace, and what it leaves unexplained."""

    world: int
    """Index of the anchor's world from which the steps begin."""
    steps: tuple[Step[Standing], ...]
    after: Standing
    """The position to which they lead."""
    cost: float
    """The sum of all that speaks against it, in nats: the less the better."""
    charges: tuple[Charge, ...]
    """The entries of that sum, each with its name."""
    lifted_at: tuple[float | None, ...]
    """Time at which each step's piece was lifted; None where no switch showed it."""
    landed_at: tuple[float | None, ...]
    """Time at which it came down, likewise."""
    step_doubts: tuple[str, ...]
    """The oddity in how each step showed, for people to read; empty where there was none."""
    in_hand: int
    """The squares whose pieces are in the air now, as bits."""
    strangers: int
    """The squares on which something stands where nothing legal can have come, as bits."""
    aside: int
    """Those on which a piece lies that was taken, or that one beside closes; no strangers."""
    double: int
    """Those of them that a piece beside closes as well as its own square."""
    holds_until: float
    """Time to weigh it again though nothing has changed, as something rests too long."""
    hasty: bool
    """True where a piece in the air now was lifted long before the last step came down.

    Then the last may have been another step than it seems.
    """
    unsure_since: float | None
    """Time since which a square contradicts the steps though play has gone on; None for never.
    """
    step_costs: tuple[float, ...]
    """The part of `cost` that each step adds by how it showed."""
    pauses: tuple[float, ...]
    """The part of that for hands that took their time."""
    touches: float
    """The part of `cost` for pieces that were touched besides."""
    fault: tuple[Square, FaultKind] | None = None
    """A switch that must have failed for this to be true, besides those of its world."""

    def charged(self, *charges: Charge) -> Hypothesis:
        """Return the same with more that goes against it."""
        more = tuple(filter(None, charges))
        return replace(self, cost=self.cost + math.fsum(more), charges=(*self.charges, *more))

    @property
    def as_way(self) -> WayBack:
        """The same as a way, for people who are asked how the board stands."""
        showed = zip(self.steps, self.lifted_at, self.landed_at, strict=True)
        taken = tuple(
            WayStep(step, up or down or 0.0, None, down, 0.0) for step, up, down in showed
        )
        return WayBack(self.world, self.after, self.cost, taken, self.touches)

    def doubts(self, index: int) -> tuple[str, ...]:
        """Return what was unusual about a step, and besides."""
        touched, strange = TOUCHED if self.touches else "", STRANGE if self.strangers else ""
        return tuple(filter(None, (self.step_doubts[index], touched, strange)))

    def strain(self, steps_reported: int) -> float:
        """Return how badly this explains what came after its first steps, in nats.

        Those have been told already; and touches that no step accounts for strain nothing, nor does
        it that hands took their time over a step: whoever thinks has not been misread.
        """
        strain = self.cost - self.touches - sum(self.step_costs[:steps_reported])
        return strain - sum(self.pauses[steps_reported:])

    def shown_by(self, index: int) -> tuple[float | None, int]:
        """Return when the play that followed a step had shown it, and which step did.

        It is the next that came down, where another followed; else the last.
        """
        later = [at for at in range(index + 1, len(self.steps)) if self.landed_at[at] is not None]
        if len(later) > 1:
            return self.landed_at[later[0]], later[0]
        down = [at for at in self.landed_at[index:] if at is not None]
        return max(down, default=None), len(self.steps) - 1

    def is_lost(self, steps_reported: int, *, minds_pauses: bool = False) -> bool:
        """Return True if a reader that knows of nothing better has lost its way.

        Steps that showed themselves plainly speak for those before them. To deny what was told, an
        account must do better: it `minds_pauses` too.
        """
        later = range(steps_reported + 1, len(self.steps))
        allowed = sum(
            PRICES.LOST_PLAINLY if self._is_plain(index) else PRICES.LOST_AGAIN for index in later
        )
        pauses = sum(self.pauses[steps_reported:]) if minds_pauses else 0.0
        return self.strain(steps_reported) + pauses > PRICES.LOST + allowed

    def _is_plain(self, index: int) -> bool:
        """Return True if a step's piece was seen to leave and to come down, with nothing odd."""
        is_seen = self.lifted_at[index] is not None and self.landed_at[index] is not None
        return is_seen and not self.step_doubts[index] and self.step_costs[index] < PRICES.MARGIN


class WayStep(NamedTuple):
    """One step of a way as it showed. Times are seconds on the table clock."""

    step: Step[Standing]
    lifted_at: float
    opened_at: float | None
    """Time at which its victim left; None where it took nothing, or that was not seen."""
    landed_at: float | None
    """Time at which it came down; None where that was not seen."""
    before: float
    """The strain of the way before it, in nats."""


class WayBack(NamedTuple):
    """Steps that may have been played from a world on, and what goes against them, in nats."""

    world: int
    position: Standing
    cost: float
    taken: tuple[WayStep, ...] = ()
    touches: float = 0.0
    """The part of it for touches that began no step."""
    dark: int = 0
    """The square on which a piece stands unseen, as a bit, if one does."""

    @property
    def strain(self) -> float:
        """The cost of its steps; touches that began none strain nothing."""
        return self.cost - self.touches

    def since(self, kept: int) -> float:
        """Return the strain that has come since its first `kept` steps."""
        return self.strain - (self.taken[kept].before if 0 < kept < len(self.taken) else 0.0)

    @property
    def squares(self) -> tuple[tuple[Square, Square], ...]:
        """From where to where each step goes."""
        return tuple(one.step.squares for one in self.taken)
