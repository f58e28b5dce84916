"""What stands before what: a piece that has just come hides part of the squares behind it.

Such a square looks new though nothing has happened on it, or shows nothing of what has. What can be
seen of it beside the newcomer tells more than its whole look.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Flags, Floats
from .features import DISC_ACROSS, DISC_AWAY
from .geometry import TALLEST, Layout, Pose

BROAD = 0.7
"""How far from a piece's middle a square's may be whose patch it touches, in squares."""

BODY = 0.28
"""How far a piece reaches to both sides of its middle, in squares."""

FEWEST = 8
"""With fewer points to be seen beside a newcomer (a disc has 80) a square tells nothing."""

UNDECIDED = 0.55
"""Such a share of unchanged points tells nothing: it is as common behind a newcomer as where the
occupant has changed."""


@dataclass(frozen=True, slots=True)
class Occlusion:
    """Which squares pieces hide in one view. All arrays are (squares, squares): first, second."""

    hides: Flags
    """Whether a piece on the second may hide part of the first."""
    across: Floats
    """How far the second lies to the side, seen over the first, in widths of the first."""
    top: Floats
    """How far beyond the first's middle the tallest piece on the second reaches, likewise."""


def occlusion_of(layout: Layout, pose: Pose) -> Occlusion:
    """Return which squares pieces hide: those near the line over which the tallest would lean.

    That line leads from a piece's foot away from the camera, to where its top is seen.
    """
    away, length = pose.directions(layout.centres)
    apart = layout.centres[:, None] - layout.centres[None]
    spans = layout.spans
    along = (apart * away[None]).sum(axis=2)
    tallest = TALLEST * length * spans[:, None]
    beyond = along - np.clip(along, 0.0, tallest.T)
    beside = apart[..., 0] * away[None, :, 1] - apart[..., 1] * away[None, :, 0]
    hides = np.hypot(beyond, beside) < BROAD * spans[None]
    across = apart[..., 0] * away[:, None, 1] - apart[..., 1] * away[:, None, 0]
    tops = layout.centres + tallest * away
    top = ((tops[None] - layout.centres[:, None]) * away[:, None]).sum(axis=2)
    hides &= ~np.eye(len(hides), dtype=bool)
    return Occlusion(hides, across / spans[:, None], top / spans[:, None])


def shares_beside(
    looks: Sequence[Flags], shown: Flags, pieces: Flags, occlusion: Occlusion
) -> list[Floats]:
    """Return which share of each square has each of `looks`, of what is seen of it beside pieces.

    `pieces` are squares on which one stands, (squares,). `looks` and `shown` are points of discs,
    (squares, points): those that look so, and those of a piece's own square on which it is seen.
    The shares are (squares,) each, NaN where no piece stands before a square.
    """
    behind, piece = np.nonzero(occlusion.hides & (pieces & shown.any(axis=1)))
    middle = (shown @ DISC_ACROSS) / np.maximum(shown.sum(axis=1), 1)
    to_side = DISC_ACROSS - (occlusion.across[behind, piece] + middle[piece])[:, None]
    above = DISC_AWAY - occlusion.top[behind, piece, None]
    beside = (np.abs(to_side) > BODY) | (above > BODY)
    squares, first = np.unique(behind, return_index=True)
    shares = np.full((len(looks), len(shown)), np.nan)
    if len(squares):
        is_free = np.logical_and.reduceat(beside, first)
        count = is_free.sum(axis=1)
        counts = np.array([(points[squares] & is_free).sum(axis=1) for points in looks])
        shares[:, squares] = np.where(count < FEWEST, UNDECIDED, counts / np.maximum(count, 1))
    return list(shares)
