"""The way back for who reads looks: which legal steps explain all looks since what was certain.

It asks less than the beam does, and forgets less. Each look says of each position what it leaves
unexplained, no square more than a little, and all looks count alike: what one of them was taken for
when it came has no part in it. A square on which stands what stood there counts only as far as it
says more than in the look before: what misleads a camera once does so again. Of all ways to one
position the likeliest is kept.
"""

import math
from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple

from rules import Square

from .camera_beam import STEP, BoardLook, CameraGame, pieces_on
from .readings import P, Step

LOOKS = 300  # that are kept since the last certain position
WAYS_KEPT = 40  # positions that are followed from look to look
FOLLOWED = 8  # steps from each that are looked at closely
STEPS_BETWEEN = 2  # steps that may lie between two looks
A_SQUARE = 8.0  # one square of one look says no more against a position, in nats
AGAINST = -4.0  # a step is weighed whose squares say no more against it


class KeptLook(NamedTuple):
    """A look, and when it was taken, in seconds on the table clock."""

    at: float
    look: BoardLook
    before: BoardLook = BoardLook({})
    """The one kept before it."""


@dataclass(frozen=True, slots=True)
class WayOfLooks(Generic[P]):
    """Steps that may have been played, and what goes against them, in nats."""

    position: P
    occupants: tuple[int, ...]
    stood: tuple[int, ...] = ()
    """What stood on each square in the look before, as `Occupant`."""
    cost: float = 0.0
    steps: tuple[tuple[Step[P], KeptLook], ...] = ()
    """Each with the look in which it shows."""
    ahead: float = math.inf
    """By how much it is likelier than any other way to the same position, in nats."""

    @property
    def squares(self) -> tuple[tuple[Square, Square], ...]:
        """From where to where each step goes."""
        return tuple(step.squares for step, _ in self.steps)


class LookDecoder(Generic[P]):
    """Keeps looks, and finds out how they may have come about from a position."""

    def __init__(self, game: CameraGame[P]) -> None:
        self._game = game
        self._looks: deque[KeptLook] = deque(maxlen=LOOKS)
        self._origin: tuple[P, float] | None = None
        """The position from which ways are followed, and since when."""
        self._ways: list[WayOfLooks[P]] = []
        self._until = -math.inf
        """When the last look was taken that these ways explain."""

    def keep(self, kept: KeptLook) -> bool:
        """Take a look in; say whether it shows another board than the one before.

        One that shows the same tells nothing new, however often a live camera sees it.
        """
        before = self._looks[-1].look if self._looks else BoardLook({})
        if before.likeliest == kept.look.likeliest:
            return False
        self._looks.append(kept._replace(before=before))
        return True

    def ways_from(self, position: P, since: float) -> list[WayOfLooks[P]]:
        """Return how the looks since then may have come about from a position, likeliest first.

        Of ways that lead to the same position the likeliest stands for all.
        """
        if self._origin != (position, since):
            self._origin, self._until = (position, since), -math.inf
            self._ways = [WayOfLooks(position, tuple(self._game.occupants(position)))]
        for kept in self._looks:
            if kept.at >= since and kept.at > self._until:
                self._ways, self._until = _led_on(self._game, self._ways, kept), kept.at
        return self._ways


def _led_on(game: CameraGame[P], ways: list[WayOfLooks[P]], kept: KeptLook) -> list[WayOfLooks[P]]:
    """Return where ways may lead by one look more."""
    reached = found = _likeliest(game, kept, [replace(way, stood=way.occupants) for way in ways])
    for _ in range(STEPS_BETWEEN):
        reached = [after for way in reached for after in _steps_on(game, way, kept)]
        if not reached:
            break
        reached = _likeliest(game, kept, reached)
        found = _merged(game, [*found, *reached])
    return found


def _likeliest(
    game: CameraGame[P], kept: KeptLook, ways: Iterable[WayOfLooks[P]]
) -> list[WayOfLooks[P]]:
    """Return ways with what a look says against each, the best of those to one position."""
    paid = [replace(way, cost=way.cost + _against(kept, way)) for way in ways]
    return _merged(game, paid)


def _merged(game: CameraGame[P], ways: Iterable[WayOfLooks[P]]) -> list[WayOfLooks[P]]:
    best: dict[Hashable, WayOfLooks[P]] = {}
    for way in sorted(ways, key=lambda way: way.cost):
        first = best.setdefault(placement := game.placement(way.position), way)
        if first is not way:
            behind = way.cost - first.cost
            behind += way.ahead if way.squares == first.squares else 0.0
            best[placement] = replace(first, ahead=min(first.ahead, behind))
    return list(best.values())[:WAYS_KEPT]


def _against(kept: KeptLook, way: WayOfLooks[P]) -> float:
    """Return what a look says against a way that the one before did not."""
    against = 0.0
    for square, nats in kept.look.losses(way.occupants):
        who = way.occupants[square]
        known = kept.before.loss(square, who) if way.stood[square] == who else 0.0
        against += max(min(nats, A_SQUARE) - known, 0.0)
    return against


def _steps_on(game: CameraGame[P], way: WayOfLooks[P], kept: KeptLook) -> Iterator[WayOfLooks[P]]:
    """Yield a way with one step more that its squares speak for; its look is paid for anew."""
    loss, occupants = kept.look.loss, way.occupants
    movers = [
        square
        for square in pieces_on(occupants)
        if loss(square, occupants[square]) - loss(square, 0) > 2 * AGAINST
    ]
    gain = kept.look.gain_of_step
    gains = [
        (better, index, step)
        for index, step in enumerate(game.steps(way.position, movers))
        if (better := gain(occupants, *step.squares) - step.surprise) > AGAINST
    ]
    paid = _against(kept, way)
    for _, _, step in sorted(gains, reverse=True)[:FOLLOWED]:
        cost = way.cost - paid + STEP + step.surprise
        after = step.after
        steps = (*way.steps, (step, kept))
        occupants = tuple(game.occupants(after))
        yield replace(way, position=after, occupants=occupants, cost=cost, steps=steps)
