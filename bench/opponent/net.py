"""Makes the nets that correct the weights, a reading's each (`jetan_table/engine/nets`).

`python -m bench.opponent.net READING FOLDER` plays the games of each round of the reading's recipe
in C, keeps their quiet positions in FOLDER, learns from all, and writes the net. Who is broken off
plays the unfinished round again. A net is to tell at once what searches find, averaged over the
next plies of the game: not how the game ended, for that tells what goes with winning.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple
from zlib import compress

import click
import numpy as np
from numpy.typing import NDArray

from bench.opponent.perft import library_with
from bench.opponent.selfplay import Seat
from jetan_table.engine.evaluation import UNIT
from jetan_table.engine.library import FLAGS
from jetan_table.engine.quick import KEYS, standing_of
from jetan_table.engine.weights import NETS, fitted_weights
from jetan_table.opponent.match import random_opening
from rules import Rules, parse_rules

SOURCE: Final = Path(__file__).with_name("net.c")
QUICKER: Final = (*FLAGS, "-O3", "-march=native")
"""Sums stay in order, so this learns the same."""

MOST_PLIES: Final = 220


class Stirring(ctypes.Structure):
    """How games are made to differ: `struct stirring` of `net.c`."""

    _fields_ = (
        ("per_mille", ctypes.c_int32),
        ("until", ctypes.c_int32),
        ("stands_alone", ctypes.c_int32),
    )


class Round(NamedTuple):
    """Games of the search as it is then, until they have so many quiet positions."""

    first: int
    """The first game's seed."""
    positions: int
    nodes: int
    """Searched a move."""
    stirred: tuple[tuple[int, int], ...]
    """How many of a thousand plies are random, until which; each for one game in four."""
    alone: bool = False
    """Whether positions of stirred games are told by their own search alone."""
    netted: bool = False
    """Whether the net that the rounds before make plays."""


AT_FIRST: Final = ((0, 0), (300, 16), (150, 16), (25, MOST_PLIES))
THROUGHOUT: Final = ((0, 0), (60, MOST_PLIES), (150, MOST_PLIES), (300, MOST_PLIES))

RECIPES: Final = {
    "cazaux": (
        Round(1000, 437_809, 800, THROUGHOUT, alone=True),
        Round(20_001, 100_000, 1200, AT_FIRST, netted=True),
    ),
    "zillions": (Round(40_001, 250_000, 800, AT_FIRST),),
}
"""Each reading's rounds."""

SAMPLE: Final = np.dtype(
    [
        ("board", "u1", 100),
        *(("side", "u1"), ("escapes", "u1"), ("still", "<i2"), ("score", "<i2"), ("ply", "<u2")),
        *(("stretch", "<u4"), ("game", "<u4")),
    ]
)
"""`struct sample` of `net.c`."""

Samples = NDArray[np.void]
Numbers = NDArray[np.float32]

HIDDEN: Final = 32
PHASES: Final = 4
ROWS: Final = 1602
PARTS: Final = (ROWS * HIDDEN, HIDDEN, PHASES * 2 * HIDDEN, PHASES)
"""Its rows, what sums begin with, their weights, and what is added, as in `quick/tree.h`."""

TOP: Final = 256
STEPS_OF_SCORE: Final = 16
"""So many make one of a sum, and of a score."""

WORTH: Final = 100.0
WIDEST: Final = 1.2
"""No row is larger, so that a hundred of them fit into two bytes."""

DECIDED: Final = 1500
HELD_OUT: Final = 13
"""One game in so many is kept to look at."""

AHEAD: Final = 12
KEEP: Final = 0.85
"""So much less each later ply counts, up to so many plies ahead."""

EPOCHS: Final = 8
BATCH: Final = 2048
RATE: Final = 0.004
DECAY: Final = 1e-3


def gathered(path: Path, reading: str, part: Round, nets: Path) -> Samples:
    """Return the positions of a round, from a file or played and put there."""
    if not path.exists():
        rules, begun = parse_rules(reading), path.with_suffix(".begun")
        seat = Seat(fitted_weights(), part.nodes, contempt=0, nets=nets)
        with begun.open("wb") as file, click.progressbar(length=part.positions) as bar:
            for samples in played(rules, part, seat):
                left = part.positions - bar.pos
                file.write(samples[:left].tobytes())
                bar.update(min(left, len(samples)))
                if len(samples) >= left:
                    break
        begun.rename(path)
    return np.fromfile(path, SAMPLE)


def played(rules: Rules, part: Round, seat: Seat) -> Iterator[Samples]:
    """Yield the quiet positions of game after game."""
    library = library_with(SOURCE, QUICKER)
    game = part.first
    while True:
        opening = random_opening(rules, Random(f"net {game}")).position
        samples = np.zeros(MOST_PLIES, SAMPLE)
        found = library.net_gather(
            ctypes.byref(seat.in_c(opening.law)),
            KEYS,
            standing_of(opening),
            rules["repetition"] != "off",
            MOST_PLIES,
            game,
            ctypes.byref(Stirring(*part.stirred[game % 4], part.alone)),
            samples.ctypes.data_as(ctypes.c_void_p),
        )
        yield samples[:found]
        game += 1


def shares_of(samples: Samples) -> Numbers:
    """Return what each position promises who moves, by the searches of the next plies, too."""
    total = samples["score"].astype(float)
    weight = np.ones(len(samples))
    for later in range(1, min(AHEAD, len(samples))):
        first, second = samples[:-later], samples[later:]
        plies = second["ply"].astype(int) - first["ply"]
        goes_on = (first["game"] == second["game"]) & (first["stretch"] == second["stretch"])
        counts = np.where(goes_on & (plies > 0) & (plies <= AHEAD), KEEP**plies, 0)
        sign = np.where(first["side"] == second["side"], 1, -1)
        total[:-later] += counts * sign * second["score"]
        weight[:-later] += counts
    return (1 / (1 + np.exp(-total / weight / UNIT))).astype(np.float32)


class Learner:
    """A net that learns from positions."""

    def __init__(self, samples: Samples, seed: int) -> None:
        self._library, self._chance = library_with(SOURCE, QUICKER), np.random.default_rng(seed)
        self._samples, self._shares = samples, shares_of(samples)
        self.numbers = np.zeros(sum(PARTS), np.float32)
        self.numbers[: PARTS[0]] = self._chance.uniform(-0.12, 0.12, PARTS[0])
        self.numbers[PARTS[0] :][:HIDDEN] = 0.3

    def learn(self, among: NDArray[np.int32]) -> None:
        """Go through positions again and again, in steps ever smaller (Adam)."""
        mean, spread = np.zeros_like(self.numbers), np.zeros_like(self.numbers)
        slope = np.zeros_like(self.numbers)
        batches = len(among) // BATCH
        for step in range(EPOCHS * batches):
            if step % batches == 0:
                order = self._chance.permutation(among)
            chosen = order[step % batches * BATCH :][:BATCH].copy()
            mirrored = self._chance.integers(0, 2, BATCH, np.uint8)
            given = map(_at, (self.numbers, self._samples, self._shares, chosen, mirrored))
            self._library.net_slope(*given, BATCH, _at(slope))
            mean += 0.1 * (slope - mean)
            spread += 0.001 * (slope**2 - spread)
            rate = RATE * (1 + np.cos(np.pi * step / EPOCHS / batches)) / 2
            new = mean / (1 - 0.9 ** (step + 1))
            new /= np.sqrt(spread / (1 - 0.999 ** (step + 1))) + 1e-8
            self.numbers -= np.float32(rate) * (new + np.float32(DECAY) * self.numbers)
            self.numbers[: PARTS[0]] = self.numbers[: PARTS[0]].clip(-WIDEST, WIDEST)

    def surprise(self, among: NDArray[np.int32]) -> float:
        """Return the mean surprise at positions, in nats, above the least that is possible."""
        guesses, shares = np.zeros(len(among), np.float32), self._shares[among]
        given = map(_at, (self.numbers, self._samples, among))
        self._library.net_chances(*given, len(among), _at(guesses))
        sure, found = (np.clip(a.astype(float), 1e-9, 1 - 1e-9) for a in (shares, guesses))
        less, rest = np.log(sure / found), np.log((1 - sure) / (1 - found))
        return float(np.mean(sure * less + (1 - sure) * rest))

    def whole(self, *, silent: bool = True) -> bytes:
        """Return the net in whole numbers, as its file has it; `silent` where few pieces are left.

        There a search sees far, and what a net guesses kept a forced win of `puzzles.txt` from it.
        """
        rows, middle, out, base = np.split(self.numbers, np.cumsum(PARTS)[:-1])
        if silent:
            out[: len(out) // PHASES] = base[0] = 0
        scores = WORTH * STEPS_OF_SCORE
        parts = (rows * TOP, middle * TOP, out * scores, base * scores)
        return np.rint(np.concatenate(parts)).astype("<i2").tobytes()


def _at(array: NDArray[np.generic]) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


@click.command()
@click.argument("reading", type=click.Choice([*RECIPES]))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seed", type=int, default=1)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=NETS)
def main(reading: str, folder: Path, seed: int, out: Path) -> None:
    """Play, learn, look at the games held out, and write the net."""
    samples: Samples = np.zeros(0, SAMPLE)
    for number, part in enumerate(RECIPES[reading]):
        nets = folder / f"{number}"
        nets.mkdir(parents=True, exist_ok=True)
        if part.netted:
            write(nets / f"{reading}.net", samples, seed)
        found = gathered(folder / f"{reading}-{number}.positions", reading, part, nets)
        samples = np.concatenate([samples, found])
    made_by = f"python -m bench.opponent.net {reading} FOLDER --seed {seed}"
    write(out / f"{reading}.net", samples, seed, made_by)


def write(path: Path, samples: Samples, seed: int, made_by: str = "") -> None:
    """Learn a net from positions, and write it; `made_by` is empty for one that plays a round."""
    learner = Learner(samples, seed)
    is_open = np.abs(samples["score"].astype(int)) < DECIDED
    held = is_open & (samples["game"] % HELD_OUT == 0)
    learned, held_out = (np.flatnonzero(m).astype(np.int32) for m in (is_open & ~held, held))
    before = learner.surprise(held_out)
    learner.learn(learned)
    provenance = {
        "made_by": made_by,
        "positions": len(learned),
        "held_out": len(held_out),
        "surprise_before": round(before, 5),
        "surprise_after": round(learner.surprise(held_out), 5),
    }
    path.write_bytes(
        json.dumps(provenance).encode() + b"\n" + compress(learner.whole(silent=bool(made_by)), 9)
    )
    print(provenance)


if __name__ == "__main__":
    main()
