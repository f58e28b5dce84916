"""Trains the network of `vision.witness` by numpy alone, and fits its temperature."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from rules import Occupant
from vision.geometry import Floats, Indices
from vision.witness import (
    CHANNELS,
    CLASSES,
    LAYERS,
    LONG,
    THEN,
    UNSEEN,
    WIDE,
    Numbers,
    folded,
    score,
    windows,
)

from .samples import Samples

WIDTHS = {"first": 24, "second": 32, "third": 48}
"""Channels of each layer."""

HIDDEN = 40
BATCH, PART = 1024, 128
"""Squares that each step learns from, and how many of them one thread takes at a time."""

FASTEST, WARM = 2e-3, 0.03
"""Adam's greatest step, and the share of all steps until it is reached; then it falls to nothing.
"""

DECAY = 1e-2
DROPPED = 0.1
"""The share of what the last layer but one tells that is left out of each batch."""

FORGOTTEN = 0.15
"""The share of squares whose first look is not shown: a camera that was moved knows none."""

RAREST = 0.08
"""A share below this counts as this: neutral pieces are as rare on boards elsewhere."""

OTHER_SIDE = np.array([0, 2, 1, 3, 4])
"""What stands on a square when the two sides are exchanged; the last is UNSEEN, or COVERED."""


@dataclass(frozen=True, slots=True)
class Pass:
    """What one batch led to on its way through the network, for the way back."""

    near: list[Numbers]
    values: list[Numbers]
    hidden: Numbers
    scores: Numbers


def fresh_weights(chance: np.random.Generator) -> dict[str, Numbers]:
    """Return weights as training begins with them."""
    weights: dict[str, Numbers] = {}
    before, rows, columns = 4 * CHANNELS, LONG // 2, WIDE // 2
    shapes: list[tuple[str, int, int]] = []
    for name, stride in LAYERS:
        shapes.append((name, 9 * before, WIDTHS[name]))
        before = WIDTHS[name]
        rows, columns = -(-rows // stride), -(-columns // stride)
    shapes += [("whole", rows * columns * before, HIDDEN), ("last", HIDDEN, CLASSES)]
    for name, ins, outs in shapes:
        size = np.sqrt(2 / ins)
        weights[name] = chance.normal(0, size, (ins, outs)).astype(np.float32)
        weights[f"{name} bias"] = np.zeros(outs, np.float32)
    weights["stood"] = np.zeros((UNSEEN + 1, HIDDEN), np.float32)
    return weights


def forwards(weights: Mapping[str, Numbers], shown: Numbers, stood: Indices, kept: Numbers) -> Pass:
    """Return what a batch leads to; `kept` are factors of what the last layer is given."""
    values, near, outs = folded(shown), [], []
    for name, stride in LAYERS:
        near.append(windows(values, stride))
        values = np.maximum(near[-1] @ weights[name] + weights[f"{name} bias"], 0.0)
        outs.append(values)
    flat = values.reshape(len(values), -1)
    whole = flat @ weights["whole"] + weights["whole bias"] + weights["stood"][stood]
    hidden = np.maximum(whole, 0.0) * kept
    return Pass(near, outs, hidden, hidden @ weights["last"] + weights["last bias"])


def slopes(
    weights: Mapping[str, Numbers], passed: Pass, stood: Indices, kept: Numbers, wrong: Numbers
) -> dict[str, Numbers]:
    """Return how the loss grows with each weight; `wrong` is how it does with the scores."""
    found = {"last": passed.hidden.T @ wrong, "last bias": wrong.sum(axis=0)}
    back: Numbers = (wrong @ weights["last"].T) * kept * (passed.hidden > 0)
    values: Numbers = passed.values[-1]
    found |= {"whole": values.reshape(len(values), -1).T @ back, "whole bias": back.sum(axis=0)}
    found["stood"] = np.stack([back[stood == who].sum(axis=0) for who in range(UNSEEN + 1)])
    back = (back @ weights["whole"].T).reshape(values.shape)
    for index in range(len(LAYERS) - 1, -1, -1):
        name, stride = LAYERS[index]
        near = passed.near[index]
        back = (back * (passed.values[index] > 0)).reshape(-1, WIDTHS[name])
        found[name] = near.reshape(-1, near.shape[-1]).T @ back
        found[f"{name} bias"] = back.sum(axis=0)
        if index:
            shape = passed.values[index - 1].shape
            widely: Numbers = (back @ weights[name].T).reshape(near.shape)
            back = _unfolded(widely, shape, stride)
    return found


def _unfolded(near: Numbers, shape: tuple[int, ...], stride: int) -> Numbers:
    """Return the sum of what all windows say of each point; the way back of `windows`."""
    count, rows, columns, channels = shape
    padded = np.zeros((count, rows + 2, columns + 2, channels), np.float32)
    parts = near.reshape(*near.shape[:3], 3, 3, channels)
    for row in range(3):
        for column in range(3):
            padded[:, row : row + rows : stride, column : column + columns : stride] += parts[
                :, :, :, row, column
            ]
    return padded[:, 1:-1, 1:-1]


def losses(scores: Numbers, occupants: Indices) -> tuple[float, Numbers]:
    """Return the mean loss in nats, and how it grows with the scores."""
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    count = np.arange(len(scores))
    loss = -float(np.log(likely[count, occupants] + 1e-9).mean())
    likely[count, occupants] -= 1
    return loss, likely / len(scores)


def varied(
    shown: Numbers, stood: Indices, occupants: Indices, chance: np.random.Generator
) -> tuple[Numbers, Indices, Indices]:
    """Return a batch varied by chance: some first looks unknown, mirrored, sides exchanged."""
    unknown = chance.random(len(stood)) < FORGOTTEN
    shown[unknown, ..., THEN:] = 0.0
    stood = np.where(unknown, UNSEEN, stood)
    if chance.random() < 0.5:
        shown = shown[:, :, ::-1]
    if chance.random() < 0.5:
        channels = np.arange(CHANNELS)
        for first in (0, THEN):
            channels[[first + 1, first + 2]] = first + 2, first + 1
        shown, stood, occupants = shown[..., channels], OTHER_SIDE[stood], OTHER_SIDE[occupants]
    return np.ascontiguousarray(shown), stood, occupants


def trained(
    weights: dict[str, Numbers],
    samples: Samples,
    rounds: int,
    chance: np.random.Generator,
    progress: Callable[[int], None],
) -> None:
    """Change weights so that they tell samples, each of which is seen `rounds` times.

    `progress` is told how many more samples have been seen. However many threads there are, the
    weights are the same.
    """
    mean = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    count = len(samples.occupants)
    steps, step = rounds * (count // BATCH), 0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for _ in range(rounds):
            parts = chance.permutation(count)[: count // BATCH * BATCH].reshape(-1, PART)
            for first in range(0, len(parts), BATCH // PART):
                chosen = parts[first : first + BATCH // PART]
                learn = partial(_slopes_of, weights, samples)
                found = list(threads.map(learn, chosen, chance.spawn(len(chosen))))
                step += 1
                slower = 0.5 + 0.5 * np.cos(np.pi * step / steps)
                speed = FASTEST * min(step / (WARM * steps), 1.0) * slower
                for name in weights:
                    slope = np.mean([each[name] for each in found], axis=0)
                    mean[name] += 0.1 * (slope - mean[name])
                    square[name] += 0.002 * (slope**2 - square[name])
                    firm = np.sqrt(square[name] / (1 - 0.998**step)) + 1e-8
                    moved = mean[name] / (1 - 0.9**step) / firm
                    weights[name] -= np.float32(speed) * (moved + DECAY * weights[name])
                progress(BATCH)


def _slopes_of(
    weights: Mapping[str, Numbers], samples: Samples, chosen: Indices, chance: np.random.Generator
) -> dict[str, Numbers]:
    """Return how the loss of some of the samples grows with each weight."""
    shown, stood, occupants = varied(*samples.part(chosen), chance)
    kept: Numbers = (chance.random((len(chosen), HIDDEN)) > DROPPED).astype(np.float32)
    kept /= np.float32(1 - DROPPED)
    passed = forwards(weights, shown, stood, kept)
    _, wrong = losses(passed.scores, occupants)
    return slopes(weights, passed, stood, kept, wrong)


def log_shares(samples: Samples) -> Numbers:
    """Return how often each occupant stood where each stood at first, (UNSEEN + 1, occupants).

    They are logarithms. The last row is that of squares whose first look is not known.
    """
    counts = np.zeros((UNSEEN + 1, CLASSES))
    np.add.at(counts, (samples.stood, samples.occupants), 1)
    counts = counts[:, : len(Occupant)]
    counts[UNSEEN] = counts.sum(axis=0)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    logs: Numbers = np.log(np.maximum(shares, RAREST)).astype(np.float32)
    return logs


def scored(weights: Mapping[str, Numbers], samples: Samples) -> Numbers:
    """Return the scores of all samples."""
    firsts = range(0, len(samples.occupants), 500)
    return np.concatenate(
        [score(weights, *samples.part(slice(first, first + 500))[:2]) for first in firsts]
    )


def temperature(scores: Numbers, occupants: Indices) -> float:
    """Return by what scores must be divided to be as sure as they are right."""
    tried = np.geomspace(0.4, 4.0, 80)
    return float(min(tried, key=lambda each: losses(scores / np.float32(each), occupants)[0]))


def reliability(scores: Numbers, occupants: Indices) -> list[tuple[float, float, float, int]]:
    """Return by bin of sureness: from what share on, what was said, what was true, how many."""
    likely = np.exp(scores - scores.max(axis=1, keepdims=True)).astype(float)
    likely /= likely.sum(axis=1, keepdims=True)
    claimed: Floats = likely.max(axis=1)
    right = likely.argmax(axis=1) == occupants
    bounds = (0.0, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 1.01)
    table = []
    for low, high in pairwise(bounds):
        inside = (claimed >= low) & (claimed < high)
        if inside.any():
            table.append(
                (low, float(claimed[inside].mean()), float(right[inside].mean()), int(inside.sum()))
            )
    return table
