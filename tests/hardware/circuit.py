"""The matrix of switches as a circuit: which voltage each wire has, some time after a change.

Each file and each rank is a wire with a capacitance and something that holds it at its pin; a
closed switch joins the two through its diode. Kirchhoff's law for each wire is solved by Newton's
method, for many boards at once. Time passes in implicit steps, which lag behind true wires and
never lead them. Not modelled: leakage of the chip's inputs, cross-talk, noise, temperature.
"""

from dataclasses import dataclass
from math import inf, log
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Volts = NDArray[np.float64]
Closed = NDArray[np.bool_]
"""By board, rank and file."""

SUPPLY_V = 3.3
STEPS = 4
"""In so many steps any time passes."""

CLOSE_V, MOST_ROUNDS = 1e-5, 60
USUAL_A = 1e-4
"""About what flows through a closed switch: the search for its diode's voltage begins there."""


class Joint(Protocol):
    """What a closed switch joins its file and its rank by."""

    def line(self, across: Volts) -> tuple[Volts, Volts]:
        """Return its law as straight lines that touch it at these voltages: slope, and current."""
        ...

    def nearer(self, found: Volts, before: Volts) -> Volts:
        """Return the voltages to go on from: a line may overshoot a steep law."""
        ...


@dataclass(frozen=True, slots=True)
class Diode:
    """A diode by Shockley's law."""

    saturation_a: float
    thermal_v: float
    """Emission coefficient times 25.9 mV."""

    def line(self, across: Volts) -> tuple[Volts, Volts]:
        growth = self.saturation_a * np.exp(across / self.thermal_v)
        return growth / self.thermal_v, growth - self.saturation_a

    def nearer(self, found: Volts, before: Volts) -> Volts:
        least = np.maximum(before, self.thermal_v * log(USUAL_A / self.saturation_a))
        over = np.maximum(found - least, 0) / self.thermal_v
        return np.minimum(found, least + self.thermal_v * np.log1p(over))


@dataclass(frozen=True, slots=True)
class Bare:
    """A switch without a diode."""

    ohm: float = 0.2

    def line(self, across: Volts) -> tuple[Volts, Volts]:
        return np.full_like(across, 1 / self.ohm), across / self.ohm

    def nearer(self, found: Volts, before: Volts) -> Volts:
        return found


SILICON = Diode(2.52e-9, 1.752 * 0.0259)
"""1N4148, by the constants of its makers' SPICE models."""

SCHOTTKY = Diode(2.1e-7, 1.02 * 0.0259)
"""BAT54 and, with leads, BAT85."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a board is made of."""

    joint: Joint = SILICON
    wire_farad: float = 600e-12
    """Of each file and each rank to ground."""
    pull_ohm: float = 50e3
    """Of the pulls in the chip."""
    rank_ohm: float = 0.0
    """In series with each rank, at its pin; `file_ohm` in series with each file."""
    file_ohm: float = 0.0
    added_ohm: float = inf
    """From each file to the supply, beside the chip's pull."""


@dataclass(frozen=True, slots=True)
class Holds:
    """What holds the wires, files first: a voltage behind a resistance, series included."""

    volts: Volts
    ohms: Volts


class Circuit:
    """Boards of the same parts, held by the same pins; only their switches differ."""

    def __init__(self, parts: Parts, files: int) -> None:
        self._parts, self._files = parts, files
        self._known: dict[tuple[object, ...], Volts] = {}

    def after(self, volts: Volts, seconds: float, closed: Closed, holds: Holds) -> Volts:
        """Return the voltages that wires with these have after a time, by board, files first."""
        arrays = (volts, closed, holds.volts, holds.ohms)
        key = (seconds, *(each.tobytes() for each in arrays))
        if key not in self._known:
            for _step in range(STEPS):
                volts = self._step(volts, seconds / STEPS, closed, holds)
            self._known[key] = volts.round(4)
        return self._known[key]

    def _step(self, volts: Volts, seconds: float, closed: Closed, holds: Holds) -> Volts:
        """Return the voltages at the end of a step."""
        parts, files = self._parts, self._files
        siemens = parts.wire_farad / seconds + 1 / holds.ohms
        amperes = volts * (parts.wire_farad / seconds) + holds.volts / holds.ohms
        siemens[:files] += 1 / parts.added_ohm
        amperes[:, :files] += SUPPLY_V / parts.added_ohm
        found = drops(volts, files)
        across = np.zeros_like(found)
        for _round in range(MOST_ROUNDS):
            across = parts.joint.nearer(found, across)
            slope, current = parts.joint.line(across)
            slope, offset = slope * closed, (current - slope * across) * closed
            volts = solved(siemens, amperes, slope, offset)
            found = drops(volts, files)
            if np.all(np.abs(found - across) * closed < CLOSE_V):
                return volts
        raise ArithmeticError("no voltages fit the diodes")


def solved(siemens: Volts, amperes: Volts, slope: Volts, offset: Volts) -> Volts:
    """Return the voltages of wires whose joints are lines; those of ranks are put into the files'.

    `siemens` and `amperes` are what else flows from each wire and into it, files first.
    """
    files = slope.shape[2]
    of_rank = siemens[files:] + slope.sum(axis=2)
    into_rank = amperes[:, files:] + offset.sum(axis=2)
    share = slope / of_rank[:, :, None]
    of_file = -np.einsum("brf,brg->bfg", share, slope)
    of_file[:, range(files), range(files)] += siemens[:files] + slope.sum(axis=1)
    into_file = amperes[:, :files] - offset.sum(axis=1) + np.einsum("brf,br->bf", share, into_rank)
    file_v = np.linalg.solve(of_file, into_file[:, :, None])[:, :, 0]
    rank_v = into_rank / of_rank + np.einsum("brf,bf->br", share, file_v)
    return np.concatenate([file_v, rank_v], axis=1)


def drops(volts: Volts, files: int) -> Volts:
    """Return how much higher each file is than each rank, by board, rank and file."""
    dropped: Volts = volts[:, None, :files] - volts[:, files:, None]
    return dropped
