"""The network's own commands: `python -m training.eye train`, and `judge`.

`train` paints boards of many kinds from seeds, trains, fits the temperature by kinds that training
has not seen, and writes the weights to `vision/witness.npz` and where they come from to
`vision/witness.json`. It has a thread for each core: with OPENBLAS_NUM_THREADS=1 numpy's own do not
stand in their way. The same numbers give the same weights on the same machine. `judge` counts
what the weights misread on kinds that nobody has seen, drawn from any text: a commit's hash, say.
"""

import json
import multiprocessing
import subprocess
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import click
import cv2
import numpy as np

from rules import Occupant
from vision.geometry import Indices
from vision.witness import WEIGHTS, Numbers, read_weights

from .evenings import KINDS, paint_evening
from .looks import look_of
from .pictures import count_found, paint_game
from .samples import EMPTIES, Samples, joined, samples_of
from .training import fresh_weights, log_shares, reliability, scored, temperature, trained

Figures = dict[str, object]

NAMES = [*(who.name.lower() for who in Occupant), "covered"]


@click.group()
def main() -> None:
    """Train the network that says what stands on a square, and judge it."""
    cv2.setNumThreads(1)


@main.command()
@click.option("--looks", default=1800, help="How many kinds of boards are painted.")
@click.option("--unseen", default=64, help="How many more, for the temperature.")
@click.option("--rounds", default=8, help="How often each square is seen.")
@click.option("--seed", default=5, help="What all chance is drawn from.")
def train(looks: int, unseen: int, rounds: int, seed: int) -> None:
    """Paint, train, calibrate, write the weights."""
    samples = _painted([(seed, number) for number in range(looks)], EMPTIES, "boards to learn from")
    chance = np.random.default_rng((seed, looks))
    total = rounds * len(samples.occupants)
    weights = fresh_weights(chance)
    with click.progressbar(length=total, label="training") as bar:
        trained(weights, samples, rounds, chance, bar.update)
    seeds = [(seed, looks + number) for number in range(unseen)]
    held = _painted(seeds, 1.0, "boards it has not seen")
    cooled = temperature(scored(weights, held), held.occupants)
    weights["last"] /= np.float32(cooled)
    weights["last bias"] /= np.float32(cooled)
    weights["shares"] = log_shares(samples)
    half: dict[str, Any] = {name: each.astype(np.float16) for name, each in weights.items()}
    np.savez_compressed(WEIGHTS, **half)
    # What is judged is what was written, in its fewer digits.
    scores = scored(read_weights(WEIGHTS), held)
    source: Figures = {
        "command": (
            f"python -m training.eye train --looks {looks} --unseen {unseen} "
            f"--rounds {rounds} --seed {seed}"
        ),
        "commit": _commit(),
        "weights": sum(each.size for each in weights.values()),
        "squares learned from": len(samples.occupants),
        "temperature": round(cooled, 3),
        "on kinds it has not seen": _figures(scores, held.occupants),
    }
    text = json.dumps(source, indent=1) + "\n"
    WEIGHTS.with_suffix(".json").write_text(text)
    click.echo(text)


@main.command()
@click.argument("word")
@click.option("--looks", default=24, help="How many kinds of boards are painted.")
def judge(word: str, looks: int) -> None:
    """Count what is misread on kinds drawn from WORD, kind by kind."""
    weights = read_weights(WEIGHTS)
    by_kind: dict[str, Counter[str]] = {}
    scores, occupants = [], []
    for number in range(looks):
        seed = (crc32(word.encode()), number)
        look = look_of(np.random.default_rng(seed))
        samples = samples_of(seed, empties=1.0)
        found = scored(weights, samples)
        misread = int((found.argmax(axis=1) != samples.occupants).sum())
        lean = 10 * int(look.camera.elevation // 10)
        for kind in (look.board.ground.value, look.pieces.make.value, f"{lean} degrees", "all"):
            count = by_kind.setdefault(kind, Counter())
            count.update(squares=len(found), misread=misread)
        scores.append(found)
        occupants.append(samples.occupants)
        click.echo(
            f"{number}: {look.board.ground.value}, {look.pieces.make.value}, "
            f"{look.camera.elevation:.0f} degrees: {misread} of {len(found)} misread"
        )
    for kind, count in sorted(by_kind.items()):
        share = 100 * count["misread"] / count["squares"]
        click.echo(f"{kind}: {share:.2f} % of {count['squares']}")
    figures = _figures(np.concatenate(scores), np.concatenate(occupants))
    click.echo(json.dumps(figures, indent=1))


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument("word")
@click.option("--games", default=24, help="How many.")
@click.option("--moves", default=20, help="Moves in each.")
@click.option("--evening", type=click.Choice([*KINDS, "each"]), help="What hands do besides.")
def paint(folder: Path, word: str, games: int, moves: int, evening: str | None) -> None:
    """Paint games of Jetan drawn from WORD into FOLDER, for `jetan bench vision --sequences`.

    With --evening so many of each kind, which `--live` reads as well: hands come and go there, and
    do not only play.
    """
    seed = crc32(word.encode())
    for kind in KINDS if evening == "each" else (evening,):
        for number in range(games):
            into = folder / (f"{kind}-{number:03}" if kind else f"{number:03}")
            into.mkdir(parents=True, exist_ok=True)
            if kind is None:
                truth = paint_game(into, seed, number, moves)
            else:
                truth = paint_evening(into, seed, number, kind, moves)
            (into / "truth.json").write_text(json.dumps(truth, indent=1))
            click.echo(f"{into}: {truth['style']}")


@main.command()
@click.argument("word")
@click.option("--frames", default=100, help="How many.")
def wild(word: str, frames: int) -> None:
    """Count in how many frames drawn from WORD the board is found, by what lies beside it."""
    for line, count in sorted(count_found(crc32(word.encode()), frames).items()):
        click.echo(f"{line} {count}")


def _painted(seeds: Sequence[tuple[int, int]], empties: float, label: str) -> Samples:
    paint = partial(samples_of, empties=empties)
    with (
        multiprocessing.Pool() as pool,
        click.progressbar(pool.imap(paint, seeds), len(seeds), label) as bar,
    ):
        return joined(list(bar))


def _figures(scores: Numbers, occupants: Indices) -> Figures:
    """Return what is misread, and how right it is where it is so sure."""
    likeliest = scores.argmax(axis=1)
    return {
        "squares": len(occupants),
        "misread, %": round(100 * float((likeliest != occupants).mean()), 3),
        "misread, % by what stands there": {
            name: round(100 * float((likeliest[on] != who).mean()), 3)
            for who, name in enumerate(NAMES)
            if (on := occupants == who).any()
        },
        "sure at least, said, true, squares": [
            [low, round(claimed, 4), round(true, 4), count]
            for low, claimed, true, count in reliability(scores, occupants)
        ],
    }


def _commit() -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip()


if __name__ == "__main__":
    main()
