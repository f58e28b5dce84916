"""Makes of boards: which reeds lie how under a square, and which magnets stand in the pieces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin
from random import Random
from typing import NamedTuple

from hardware.build import A_PER_TURN, MOMENT, Reed, build_of, lying, upright

OUTSIDE_CLASS = (0.75, 1.3)
"""A weak reed takes so many times what its class ends at, a strong one so many times its least."""

HARDLY = (1.9, 2.3)
"""How many times as much as others a weak switch takes to close."""


class PlacedReed(NamedTuple):
    """One reed under a square: where it feels, and what closes and opens it, in amperes."""

    reed: Reed
    operate: float
    release: float


Switch = tuple[PlacedReed, ...]
"""The reeds under one square, in parallel."""


class Disc(NamedTuple):
    """The magnet in a foot: its moment in A m^2, and how far off the middle it sits, in mm.

    One with a negative moment stands on its head.
    """

    moment: float
    x: float = 0.0
    y: float = 0.0


WEAKEST, STRONGEST = 0.3, 1.25
"""No magnet is weaker or stronger, as a share of the make's usual one."""


@dataclass(frozen=True, slots=True)
class Make:
    """A make of board. Pairs are (least, most), drawn evenly; sizes are millimetres.

    `is_round`: it is a disk. `reeds` are those under a square whose file runs along x, on a disk
    outwards. `turns` is their class, in ampere-turns, and `release` at which share of what closes
    it a reed opens again.
    Of the magnets, `moment` is the median in A m^2 and `uneven` the deviation of its logarithm;
    the share `flipped` is glued in the other way up, and each sits `off_centre` off the middle of
    its foot (a deviation, each way). The share `worn` of the switches drops out
    now and then while it is closed.
    """

    name: str
    meaning: str
    reeds: Sequence[Reed]
    turns: tuple[float, float] = (10.0, 15.0)
    release: tuple[float, float] = (0.45, 0.8)
    weak: float = 0.01
    strong: float = 0.01
    moment: float = MOMENT
    uneven: float = 0.06
    flipped: float = 0.0
    off_centre: float = 0.4
    worn: float = 0.01
    scans_hz: tuple[float, float] = (60.0, 500.0)
    is_round: bool = False

    def drawn(self, rng: Random, turn: float = 0.0) -> Switch:
        """Draw what lies under one square whose file runs at an angle of `turn` radians to x."""
        return tuple(self._drawn(rng, reed, turn) for reed in self.reeds)

    def disc(self, rng: Random, share: float = 1.0, uneven: float | None = None) -> Disc:
        """Draw a piece's magnet, of a `share` of the usual moment, more or less uneven."""
        drawn = share * rng.lognormvariate(0, self.uneven if uneven is None else uneven)
        way = -1.0 if rng.random() < self.flipped else 1.0
        moment = way * self.moment * min(max(drawn, WEAKEST), STRONGEST)
        return Disc(moment, rng.gauss(0, self.off_centre), rng.gauss(0, self.off_centre))

    def _drawn(self, rng: Random, reed: Reed, turn: float) -> PlacedReed:
        least, most = self.turns
        turns, odd = rng.uniform(least, most), rng.random()
        if odd < self.weak:
            turns = OUTSIDE_CLASS[1] * most
        elif odd < self.weak + self.strong:
            turns = OUTSIDE_CLASS[0] * least
        operate = A_PER_TURN * turns
        return PlacedReed(_turned(reed, turn), operate, rng.uniform(*self.release) * operate)


def hardly(switch: Switch, rng: Random) -> Switch:
    """Return a weak switch: reeds that hardly close, and barely stay so."""
    times = rng.uniform(*HARDLY)
    return tuple(
        one._replace(operate=times * one.operate, release=0.85 * times * one.operate)
        for one in switch
    )


def _turned(reed: Reed, turn: float) -> Reed:
    if not turn:
        return reed
    along, across = cos(turn), sin(turn)
    return tuple(
        probe._replace(x=along * probe.x - across * probe.y, y=across * probe.x + along * probe.y)
        for probe in reed
    )


_X = (1.0, 0.0)
_SLANTED = (cos(pi / 6), sin(pi / 6))

_FLAT, _ROUND = build_of("grid"), build_of("ninth-ray")

CROSSED = Make(
    "crossed",
    "two reeds in parallel, crossed near the middle",
    _FLAT.sensed,
    turns=_FLAT.turns,
    moment=_FLAT.magnet.moment,
)
DISK = Make(
    "disk",
    "a disk's: one reed that stands under the middle, and small magnets",
    _ROUND.sensed,
    turns=_ROUND.turns,
    moment=_ROUND.magnet.moment,
    is_round=True,
)

_ALL = (
    CROSSED,
    DISK,
    Make(
        "upright",
        "one reed that stands under the middle",
        (upright(4.0),),
        scans_hz=(100.0, 250.0),
        flipped=0.1,
    ),
    Make(
        "lying",
        "one reed that lies with one end under the middle",
        (lying((8.0, 0.0), _X, 8.0),),
        turns=(15.0, 20.0),
        release=(0.4, 0.75),
    ),
    Make(
        "careless",
        "one reed, slanted, its gap near the middle; uneven magnets either way up, worn switches",
        (lying((4.0 * _SLANTED[0], 4.0 * _SLANTED[1]), _SLANTED, 9.0),),
        turns=(10.0, 20.0),
        uneven=0.12,
        flipped=0.3,
        off_centre=0.8,
        worn=0.04,
    ),
)

MAKES: Mapping[str, Make] = {make.name: make for make in _ALL}
"""Every make of board by name."""


def usual_make(is_round: bool) -> Make:
    """Return the make of a disk, or of a flat board, of which nobody says another."""
    return DISK if is_round else CROSSED


def steady_make(is_round: bool) -> Make:
    """Return a make without tolerances: what typed hands touch."""
    make = DISK if is_round else MAKES["lying"]
    least, most = make.turns if is_round else (12.0, 12.0)
    usual = (least + most) / 2
    return replace(
        make,
        name="steady",
        turns=(usual, usual),
        release=(0.6, 0.6),
        weak=0.0,
        strong=0.0,
        uneven=0.0,
        off_centre=0.0,
        worn=0.0,
    )
