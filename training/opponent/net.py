"""Makes the nets that correct the weights, a reading's each (`jetan_table/engine/nets`).

`python -m training.opponent.net READING FOLDER` plays the games of each round of its recipe in C,
keeps their quiet positions in FOLDER, learns from all, and writes the net. Who is broken off
plays the unfinished round again. A net is to tell at once what searches find, averaged over the
next plies of the game: not how the game ended, for that tells what goes with winning.
"""

import ctypes
import json
from collections.abc import Iterator
from functools import partial
from itertools import count
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Final, NamedTuple
from zlib import compress

import click
import numpy as np
from numpy.typing import NDArray

from bench.opponent.in_c import Seat, library_with
from bench.opponent.strength import leave_interrupts_to_others
from jetan_table.engine.evaluation import NETS, UNIT, fitted_weights
from jetan_table.engine.levels import CONTEMPT
from jetan_table.engine.library import FLAGS, KEYS, standing_of
from jetan_table.extras.opponent.match import random_opening
from rules import parse_rules

SOURCE: Final = Path(__file__).with_name("net.c")
QUICKER: Final = (*FLAGS, "-O3", "-march=native")
"""Sums stay in order, so this learns the same."""

MOST_PLIES: Final = 220
AT_ONCE: Final = 32
"""So many games a process are played before their positions are written."""


class Stirring(ctypes.Structure):
    """How games are made to differ: `struct stirring` of `net.c`."""

    _fields_ = (
        ("per_mille", ctypes.c_int32),
        ("until", ctypes.c_int32),
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
    netted: bool = False
    """Whether the net that the rounds before make plays."""
    silent: bool = False
    """Whether that is silent where few pieces are left, as it will be in the end."""
    contempt: int = 0
    """So much less than nothing a draw is worth to who plays."""
    anew: bool = False
    """Whether a net learns from these alone: the searches before saw less far."""


AT_FIRST: Final = ((0, 0), (300, 16), (150, 16), (25, MOST_PLIES))

ROUNDS: Final = (
    Round(100_000, 400_000, 800, AT_FIRST),
    Round(200_000, 1_500_000, 800, AT_FIRST, netted=True),
)
LATER: Final = Round(300_000, 1_349_298, 1200, AT_FIRST, netted=True)
FAR: Final = Round(400_000, 400_000, 6000, AT_FIRST, netted=True, silent=True, anew=True)
FAR_AGAIN: Final = FAR._replace(first=500_000, anew=False)
RECIPES: Final = {
    "appendix": tuple(part._replace(contempt=CONTEMPT) for part in ROUNDS),
    "cazaux": (*ROUNDS, LATER._replace(positions=1_460_002), FAR, FAR_AGAIN),
    "zillions": (*ROUNDS, LATER),
}
"""Each reading's rounds. By the Appendix a draw is a Chief away: where it is worth nothing, games
are over after a dozen plies, and a net of such games plays no better."""

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


def gathered(path: Path, reading: str, part: Round, nets: Path, jobs: int) -> Samples:
    """Return a round's positions, from a file or played and put there by so many processes."""
    if not path.exists():
        begun = path.with_suffix(".begun")
        seat = Seat(fitted_weights(), part.nodes, part.contempt, nets=nets)
        with begun.open("wb") as file, click.progressbar(length=part.positions) as bar:
            for samples in played(reading, part, seat, jobs):
                left = part.positions - bar.pos
                file.write(samples[:left].tobytes())
                bar.update(min(left, len(samples)))
                if len(samples) >= left:
                    break
        begun.rename(path)
    return np.fromfile(path, SAMPLE)


def played(reading: str, part: Round, seat: Seat, jobs: int) -> Iterator[Samples]:
    """Yield the quiet positions of game after game, in order whoever played them first."""
    play = partial(quiet_positions, reading, part, seat)
    play(part.first)  # what it needs is built once, before the processes part
    with Pool(jobs, initializer=leave_interrupts_to_others) as pool:
        for first in count(part.first, AT_ONCE * jobs):
            yield from pool.imap(play, range(first, first + AT_ONCE * jobs))


def quiet_positions(reading: str, part: Round, seat: Seat, game: int) -> Samples:
    """Return those of a game."""
    opening = random_opening(parse_rules(reading), Random(f"net {game}")).position
    samples = np.zeros(MOST_PLIES, SAMPLE)
    found = library_with(SOURCE, QUICKER).net_gather(
        ctypes.byref(seat.in_c(opening.law)),
        KEYS,
        standing_of(opening),
        opening.rules["repetition"] != "off",
        MOST_PLIES,
        game,
        ctypes.byref(Stirring(*part.stirred[game % 4])),
        samples.ctypes.data_as(ctypes.c_void_p),
    )
    return samples[:found]


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
@click.option("--jobs", type=click.IntRange(1), default=1, help="Games at once, one a core.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=NETS)
def main(reading: str, folder: Path, seed: int, jobs: int, out: Path) -> None:
    """Play, learn, look at the games held out, and write the net."""
    samples: Samples = np.zeros(0, SAMPLE)
    for number, part in enumerate(RECIPES[reading]):
        nets = folder / f"{number}"
        nets.mkdir(parents=True, exist_ok=True)
        if part.netted:
            write(nets / f"{reading}.net", samples, seed, silent=part.silent)
        found = gathered(folder / f"{reading}-{number}.positions", reading, part, nets, jobs)
        samples = found if part.anew else np.concatenate([samples, found])
    made_by = f"python -m training.opponent.net {reading} FOLDER --seed {seed}"
    write(out / f"{reading}.net", samples, seed, made_by)


def write(
    path: Path, samples: Samples, seed: int, made_by: str = "", *, silent: bool = True
) -> None:
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
        json.dumps(provenance).encode() + b"\n" + compress(learner.whole(silent=silent), 9)
    )
    print(provenance)


if __name__ == "__main__":
    main()
