"""What may be true, and what has been told of it: where hypotheses begin.

Worlds end when people answer, or when no legal ply leads on from them as the board shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from hardware.switches import FaultKind
from rules import Square, mask_of

from .costs import PRICES
from .readings import P, ReadableGame, Step


@dataclass(frozen=True, slots=True)
class World(Generic[P]):
    """One position that may be the true one, and what was assumed to come to it."""

    position: P
    cost: float
    """What goes against it from before the anchor, in nats."""
    asked: tuple[tuple[int, Step[P]], ...] = ()
    """The steps taken where the players were asked, or where another was told: ply and step."""
    failed: tuple[tuple[Square, FaultKind], ...] = ()
    """The switches that must have failed if this world is true."""
    aside: int = 0
    """The squares on which a piece lies that was taken before the anchor, as bits."""
    double: int = 0
    """Those of them that are empty: a piece beside closes their switch as well as its own."""

    def supposing(self, fault: tuple[Square, FaultKind] | None) -> World[P]:
        """Return the world in which this switch has failed besides, if one has."""
        if fault is None:
            return self
        cost = self.cost + PRICES.FAULT + PRICES.ANOTHER_FAULT * len(self.failed)
        return replace(self, cost=cost, failed=(*self.failed, fault))

    def going_on(self, step: Step[P], entry: Reported[P]) -> World[P]:
        """Return the world after a step that was told, or taken where `entry` asks."""
        asked = (*self.asked, (entry.number, step)) if entry.is_open else self.asked
        return replace(self, position=step.after, asked=asked)

    def trusting(self, square: Square) -> World[P]:
        """Return the world in which nothing is supposed of one switch, nor of what lies there."""
        failed, rest = tuple(one for one in self.failed if one[0] != square), ~(1 << square)
        return replace(self, failed=failed, aside=self.aside & rest, double=self.double & rest)

    @property
    def assumed(self) -> object:
        """What was assumed to come to it, for comparing."""
        asked = tuple((number, step.squares) for number, step in self.asked)
        return asked, frozenset(self.failed)


@dataclass(frozen=True, slots=True)
class Reported(Generic[P]):
    """A step that has been told, or a question that has been put."""

    number: int
    """That of the ply it is, or that it follows."""
    options: tuple[Step[P], ...]
    """The step; or several, of which one was played, and the players are asked which."""
    landed_at: float | None
    """When it came down, or people answered; None where that was not seen."""
    reported_at: float
    """When it was told, or asked."""
    is_answered: bool = False
    """Whether people have said that it was played."""
    doubts: tuple[str, ...] = ()
    """What was odd about how it showed, or that it was not seen."""
    is_over: bool = True
    """Whether it has been played; else it is asked whether it has, and may yet be."""

    @property
    def over_by(self) -> float:
        """By when it was over; infinity where it may go on still."""
        return self.landed_at or (self.reported_at if self.is_over else math.inf)

    @property
    def is_ply(self) -> bool:
        """Whether this is a ply; else the neutral piece moved."""
        return self.options[0].is_ply

    @property
    def is_open(self) -> bool:
        """Whether it is asked which of several steps was played."""
        return len(self.options) > 1

    @property
    def may_have_taken_another(self) -> bool:
        """Whether one piece took, and it may not have been what was told; people are believed."""
        sources = {option.from_square for option in self.options}
        takes = any(option.capture and option.is_ply for option in self.options)
        return bool(self.doubts) and takes and len(sources) == 1 and not self.is_answered

    @property
    def is_unseen(self) -> bool:
        """Whether nothing was seen to leave or to come down where it ended."""
        return self.landed_at is None

    def steps(self, game: ReadableGame[P], position: P) -> list[Step[P]]:
        """Return the legal steps of a position that are what was told."""
        ends = mask_of(option.to_square for option in self.options)
        sources = dict.fromkeys(option.from_square for option in self.options)
        steps = [step for source in sources for step in game.steps_from(position, source, ends)]
        return list(filter(self.allows, steps))

    def allows(self, step: Step[P]) -> bool:
        """Whether `step` is what was told."""
        return step.squares in [option.squares for option in self.options]


def worlds_meant(
    worlds: list[World[P]], number: int, is_meant: Callable[[Step[P]], bool]
) -> list[World[P]]:
    """Return the worlds in which ply `number` was what is meant, if it was asked about there."""
    return [
        world
        for world in worlds
        if all(n != number or not step.is_ply or is_meant(step) for n, step in world.asked)
    ]


def count_kept(steps: Sequence[Step[P]], reported: Sequence[Reported[P]]) -> int:
    """Return how many of the steps told `steps` begin with."""
    count = 0
    for entry, step in zip(reported, steps, strict=False):
        if not entry.allows(step):
            break
        count += 1
    return count


def count_certain(steps: Sequence[Step[P]], reported: Sequence[Reported[P]]) -> int:
    """Return how many of the steps told, and not asked about, `steps` begin with."""
    asked = (index for index, entry in enumerate(reported) if entry.is_open)
    return min(count_kept(steps, reported), next(asked, len(reported)))


def unsaid(steps: Sequence[Step[P]], reported: Sequence[Reported[P]]) -> int:
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
