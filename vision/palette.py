"""Which colours things have, as tables: how likely a colour is for what has such and such others.

One picture of a known position teaches which colours the bare squares have, and which the pieces of
each side; tables then tell how likely any later colour is for each of them.
"""

import numpy as np

from .arrays import Floats, Indices

SAMPLES = 150
"""Points by whose colours a piece or the board is known."""

ALIKE = 0.1
"""How far colours of the same thing are apart, in logarithms."""

SHADES, SHADED, ANYTHING = (0.2, 0.4, 0.6), 0.15, 0.002
"""How much darker a board may be in a shadow, how much of it is in one; and how likely any other
colour is."""

LOWEST, WIDTH, BINS = np.array([2.4, -1.2, -0.8]), np.array([0.1, 0.1, 0.08]), (33, 25, 21)
"""Of the tables: the first bin's middle, how wide bins are, and how many there are; for lightness,
warmth and greenness as `OPPONENT` has them, in logarithms."""


def table_of_bare(colours: Floats) -> Floats:
    """Return the table of squares of one colour, some of which are in a shadow."""
    known = sampled(colours)
    shaded = np.concatenate([known - (darker, 0.0, 0.0) for darker in SHADES])[:: len(SHADES)]
    bare: Floats = (1 - SHADED) * table_of(known) + SHADED * table_of(shaded)
    return bare


def sampled(colours: Floats) -> Floats:
    """Return some of many colours, the same ones each time."""
    few = min(SAMPLES, len(colours))
    some: Floats = colours[np.random.default_rng(0).choice(len(colours), few, replace=False)]
    return some


def table_at(colours: Floats) -> Indices:
    """Return where in a table each of some colours stands; (..., 3) become (...)."""
    steps = ((colours - LOWEST) / WIDTH + 0.5).astype(np.int32)
    places = np.clip(steps, 0, np.array(BINS, np.int32) - 1)
    at: Indices = (places[..., 0] * BINS[1] + places[..., 1]) * BINS[2] + places[..., 2]
    return at


def table_of(known: Floats) -> Floats:
    """Return for each bin how likely it is to be of what has the known colours; 1 at the most.

    Whatever it is, any other colour is a little likely as well.
    """
    axes = [
        low + wide * np.arange(bins) for low, wide, bins in zip(LOWEST, WIDTH, BINS, strict=True)
    ]
    table = np.zeros(BINS, np.float32)
    for colour in known:
        away = [((axis - c) / ALIKE) ** 2 / 3 for axis, c in zip(axes, colour, strict=True)]
        apart = 1 + away[0][:, None, None] + away[1][:, None] + away[2]
        table += (1 / apart**3).astype(np.float32)
    flat: Floats = table.reshape(-1).astype(float) / max(len(known), 1) + ANYTHING
    return flat
