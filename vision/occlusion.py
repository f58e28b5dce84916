"""What stands before what: a piece that has just come hides part of the squares behind it.

Such a square looks new though nothing has happened on it, or shows nothing of what has. What can be
seen of it beside the newcomer tells more than its whole look.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Flags, Floats
from .features import DISC_ACROSS, DISC_AWAY
from .layout import Layout
from .pose import TALLEST, Pose

BROAD = 0.7
"""How far from a piece's middle a square's may be whose patch it touches, in squares."""

BODY = 0.28
"""How far a piece reaches to both sides of its middle, in squares."""

CHANGED = 0.6
"""A square of which no greater share looks as it did has got or lost a piece."""

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


@dataclass(frozen=True, slots=True)
class Behind:
    """Squares behind newcomers: of what can be seen of them, which shares look how.

    Both are (squares,), NaN where no newcomer stands before a square.
    """

    unchanged: Floats
    """Looks as it did."""
    bare: Floats
    """Looks like the board with nothing on it."""


def behind_newcomers(
    unchanged: Flags, bare: Flags, has_left: Flags, occlusion: Occlusion
) -> Behind:
    """Judge squares by their points beside newcomers.

    `unchanged` and `bare` are points that look so, (squares, points of a disc); `has_left` are
    squares from which a piece has gone, so that nothing stands there.
    """
    is_new = (unchanged.mean(axis=1) < CHANGED) & ~has_left
    is_free, is_behind = _beside(~unchanged, is_new, occlusion)
    return Behind(
        np.where(is_behind, _share(unchanged, is_free), np.nan),
        np.where(is_behind, _share(bare, is_free), np.nan),
    )


def bare_beside_pieces(bare: Flags, pieces: Flags, occlusion: Occlusion) -> Floats:
    """Return which share of each square is bare, of what is seen of it beside the pieces before it.

    `pieces` are squares on which something stands; NaN where nothing stands before a square.
    """
    is_free, is_behind = _beside(~bare, pieces, occlusion)
    share: Floats = np.where(is_behind, _share(bare, is_free), np.nan)
    return share


def _beside(shown: Flags, pieces: Flags, occlusion: Occlusion) -> tuple[Flags, Flags]:
    """Return the points of each square that no piece before it hides, and where there is one.

    `shown` are the points of each piece's own square on which it is seen.
    """
    behind, piece = np.nonzero(occlusion.hides & (pieces & shown.any(axis=1)))
    middle = (shown @ DISC_ACROSS) / np.maximum(shown.sum(axis=1), 1)
    to_side = DISC_ACROSS - (occlusion.across[behind, piece] + middle[piece])[:, None]
    above = DISC_AWAY - occlusion.top[behind, piece, None]
    is_free = np.ones_like(shown)
    beside = (np.abs(to_side) > BODY) | (above > BODY)
    squares, first = np.unique(behind, return_index=True)
    if len(squares):
        is_free[squares] = np.logical_and.reduceat(beside, first)
    is_behind = np.zeros(len(shown), bool)
    is_behind[squares] = True
    return is_free, is_behind


def _share(points: Flags, is_free: Flags) -> Floats:
    count = is_free.sum(axis=1)
    share = (points & is_free).sum(axis=1) / np.maximum(count, 1)
    telling: Floats = np.where(count < FEWEST, UNDECIDED, share)
    return telling
