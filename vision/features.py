"""What a square looks like, in a few numbers that the light does not change.

Brightness is taken as a logarithm, so that a lamp twice as strong adds a constant, which `light`
takes out. Colours are lightness, warmth and greenness, and all numbers are differences from what
the bare square would show. They say nothing of what a piece is called, and do not know that others
hide it.
"""

import numpy as np

from .arrays import Flags, Floats
from .geometry import Layout
from .patches import PATCH

LOG = np.log(np.arange(256) + 12.0).astype(np.float32)
"""Brightness as its logarithm, so that light is added; dark noise is kept small."""

OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [-0.5, 0, 0.5], [-0.25, 0.5, -0.25]], np.float32).T
"""Blue, green, red to lightness, warmth and greenness."""

FEATURES = 17
"""How many numbers `features_of` makes of a square."""

PLAIN = 0.15
"""How far most of a bare board's points go from its colour at most, in logarithms."""

SHADOW = 0.25
"""How far the shadow of an arm darkens what stays the same, in logarithms."""

GRAIN = 0.35
"""How far a bare board's own grain and shading go, in logarithms."""

NOISE = 3.5
NOISE_BOUNDS = (0.06, 0.4)
"""A point that differs by more has changed: by so many medians of all differences, kept within
these bounds, in logarithms."""

_AWAY = np.hypot(*PATCH.T)
_FOOT = _AWAY < 0.27
_DISC = _AWAY < 0.42
DISC_AWAY, DISC_ACROSS = PATCH[_DISC].T
"""Where the points of a disc lie away from the camera and across, in widths from the middle."""

_FAR, _NEAR = _DISC & (PATCH[:, 0] > 0.05), _DISC & (PATCH[:, 0] < -0.05)
_REGIONS = np.stack([_FOOT, _DISC & ~_FOOT, _FAR, _NEAR]).astype(np.float32)
_MEANS = _REGIONS / _REGIONS.sum(axis=1, keepdims=True)


def discs(logs: Floats) -> Floats:
    """Return each square's mean colour on the board's surface, (squares, 3)."""
    means: Floats = logs[0][:, _DISC].mean(axis=1)
    return means


def whole_size(colours: Floats) -> Floats:
    """Return the sum of the sizes of each colour's three numbers.

    Far quicker than a sum over so short an axis.
    """
    size = np.abs(colours)
    return size[..., 0] + size[..., 1] + size[..., 2]


def features_of(logs: Floats, empty: Floats) -> Floats:
    """Return (squares, FEATURES): how a square differs from `empty`, its colour with nothing on it.

    `logs` are patches with the light taken out, (heights, squares, points, 3), and `empty` is
    (squares, 3), both in logarithms.
    """
    count = len(empty)
    colours = (logs[0] - empty[:, None]) @ OPPONENT
    waist, top = (_MEANS[0] @ logs[1:] - empty) @ OPPONENT
    foot, rim, far, near = np.moveaxis(_MEANS @ colours, 1, 0)
    across = colours.reshape(count, *[int(len(_AWAY) ** 0.5)] * 2, 3)
    rough = [np.abs(np.diff(across[..., 0], axis=axis)).mean(axis=(1, 2)) for axis in (1, 2)]
    disc = colours[:, _DISC]
    light = disc[..., 0]
    away = np.maximum(np.maximum(light, -light - SHADOW), 0.0)
    away += np.abs(disc[..., 1]) + np.abs(disc[..., 2])
    unlike = np.clip(away / PLAIN - 1, 0.0, 1.0).mean(axis=1)
    columns = [
        foot,  # the mean colour in the middle, three numbers
        rim,  # and around it, three
        disc[..., 0].std(axis=1)[:, None],  # how unevenly light it is
        np.abs(disc[..., 1:]).mean(axis=(1, 2))[:, None],  # how colourful
        np.log(sum(rough) + 0.02)[:, None],  # how rough
        (far - near)[:, :1],  # how much lighter away from the camera than towards it
        unlike[:, None],  # the share of it that is unlike a bare board, shadows taken out
        waist,  # the mean colour above it, half a square high, three
        top,  # and a whole one, three
    ]
    return np.concatenate(columns, axis=1).astype(np.float64)


def plain_colours(means: Floats, layout: Layout, is_empty: Floats) -> Floats:
    """Return what each square would show with nothing on it, (squares, 3).

    Squares of one colour are alike but for light that falls off evenly over the board; the empty
    ones among `means` tell it of all.
    """
    shade = np.array(layout.colours)
    place = (layout.centres - layout.size / 2) / (layout.size / 2)
    terms = np.column_stack([shade == 0, shade == 1, place]).astype(float)
    solution, *_ = np.linalg.lstsq(terms[is_empty], means[is_empty], rcond=None)
    colours: Floats = terms @ solution
    return colours


def unchanged_points(surface: Floats, before: Floats) -> Flags:
    """Return which points of each square's disc look as they did, (squares, points).

    Both are logarithms on the board's surface with the light taken out, (squares, points, 3). Most
    of a board does not change between two pictures, which tells what noise is.
    """
    change = whole_size((surface[:, _DISC] - before[:, _DISC]) @ OPPONENT)
    unchanged: Flags = change < np.clip(NOISE * np.median(change), *NOISE_BOUNDS)
    return unchanged


def bare_points(surface: Floats, empty: Floats) -> Flags:
    """Return which points of each square's disc look like its own bare surface."""
    change = whole_size((surface[:, _DISC] - empty[:, None]) @ OPPONENT)
    bare: Flags = change < GRAIN
    return bare
