"""A small network of convolutions, reckoned by numpy alone: few numbers need no library.

Inputs are (patches, rows, columns, channels). Four neighbouring points are taken together first,
then come three layers of 3 by 3, the last of which halves rows and columns, and two that see all.
The first of these is also told what stood on each square in the first picture.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from .arrays import Indices

Numbers = NDArray[np.float32]

LAYERS = (("first", 1), ("second", 1), ("third", 2))
"""The layers of 3 by 3, and how far apart the points are that each keeps."""


def folded(inputs: Numbers) -> Numbers:
    """Return inputs with each 2 by 2 points as one that has all their channels."""
    count, rows, columns, channels = inputs.shape
    parts = inputs.reshape(count, rows // 2, 2, columns // 2, 2, channels)
    return parts.transpose(0, 1, 3, 2, 4, 5).reshape(count, rows // 2, columns // 2, 4 * channels)


def windows(inputs: Numbers, stride: int) -> Numbers:
    """Return what is within 3 by 3 of each point that is kept, (patches, rows, columns, 9 n)."""
    count, rows, columns, channels = inputs.shape
    padded = np.zeros((count, rows + 2, columns + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = inputs
    views = sliding_window_view(padded, (3, 3), axis=(1, 2))[:, ::stride, ::stride]
    return views.transpose(0, 1, 2, 4, 5, 3).reshape(*views.shape[:3], 9 * channels)


def score(weights: Mapping[str, Numbers], inputs: Numbers, stood: Indices) -> Numbers:
    """Return the scores of each patch, (patches, classes), in nats, but for a sum.

    They say how probable each class is where as many of each are shown as in training.
    """
    values = folded(inputs)
    for name, stride in LAYERS:
        near = windows(values, stride)
        flat = near.reshape(-1, near.shape[-1]) @ weights[name]
        flat += weights[f"{name} bias"]
        np.maximum(flat, 0.0, out=flat)
        values = flat.reshape(*near.shape[:3], -1)
    hidden = values.reshape(len(values), -1) @ weights["whole"] + weights["whole bias"]
    hidden += weights["stood"][stood]
    scores: Numbers = np.maximum(hidden, 0.0) @ weights["last"] + weights["last bias"]
    return scores


def read_weights(path: Path) -> dict[str, Numbers]:
    """Return the weights in a file."""
    with np.load(path) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}
