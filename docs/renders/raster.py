"""Triangles on a grid of pixels: which of them is nearest at each pixel's middle.

Works row by row on all triangles at once, so that only pixels that are covered cost anything.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Keys = NDArray[np.uint64]

FAR: Final = np.uint64(2**64 - 1)
"""The key of a pixel that nothing covers."""

_DEPTHS: Final = 2.0**31
_TRIANGLES_AT_ONCE: Final = 150_000
_PIXELS_AT_ONCE: Final = 2_000_000


def nearest(corners: Floats, width: int, height: int) -> Keys:
    """Return a key for each pixel, row by row: the depth above, and below the triangle's number.

    `corners` has for each triangle and corner x and y in pixels, y downwards, and the depth: 0
    (near) to 1, linear on the screen. Triangles that go round clockwise show their backs: nothing
    closed has one of them in front.
    """
    keys = np.full(width * height, FAR, dtype=np.uint64)
    facing = np.flatnonzero(_faces(corners))
    for first in range(0, len(facing), _TRIANGLES_AT_ONCE):
        some = facing[first : first + _TRIANGLES_AT_ONCE]
        for pixels, depths, numbers in _covered(corners[some, :, :3], width, height):
            key = (depths * _DEPTHS).astype(np.uint64) << np.uint64(32)
            np.minimum.at(keys, pixels, key | some[numbers].astype(np.uint64))
    return keys


def _faces(corners: Floats) -> NDArray[np.bool_]:
    """Whether each triangle shows its front and reaches the middle of a row of pixels."""
    x, y = corners[..., 0], corners[..., 1]
    area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    rows = np.ceil(y.max(axis=1) - 0.5) > np.ceil(y.min(axis=1) - 0.5)
    return np.asarray((area < 0) & rows)


def depths_of(keys: Keys) -> NDArray[np.float32]:
    """Return the depth at each pixel, 2 where nothing is."""
    return ((keys >> np.uint64(32)) / _DEPTHS).astype(np.float32)


def numbers_of(keys: Keys) -> Whole:
    """Return the triangle at each pixel; not to be asked where nothing is."""
    return (keys & np.uint64(2**32 - 1)).astype(np.int64)


def _covered(corners: Floats, width: int, height: int) -> Iterator[tuple[Whole, Floats, Whole]]:
    """Yield pixels with depth and triangle, a portion at a time; `corners` are (n, 3, 3)."""
    x, y, depth = corners[..., 0], corners[..., 1], corners[..., 2]
    top = np.clip(np.ceil(y.min(axis=1) - 0.5), 0, height).astype(np.int64)
    end = np.clip(np.ceil(y.max(axis=1) - 0.5), 0, height).astype(np.int64)
    owner, row = _counted(top, np.maximum(end - top, 0))
    left, right = _spans(x[owner], y[owner], row.astype(np.float64) + 0.5)
    start = np.clip(np.ceil(left - 0.5), 0, width).astype(np.int64)
    count = np.maximum(np.clip(np.ceil(right - 0.5), 0, width).astype(np.int64) - start, 0)
    along, down, at_origin = _planes(x, y, depth)
    # A triangle seen edge on has no plane to speak of.
    nearest_of, farthest_of = depth.min(axis=1), depth.max(axis=1)
    portion = np.cumsum(count) // _PIXELS_AT_ONCE
    bounds = np.searchsorted(portion, np.arange(portion[-1] + 2)) if len(portion) else [0]
    for begin, stop in pairwise(bounds):
        span, column = _counted(start[begin:stop], count[begin:stop])
        span += begin
        number, line = owner[span], row[span]
        depths = along[number] * (column + 0.5) + down[number] * (line + 0.5) + at_origin[number]
        depths = np.clip(depths, nearest_of[number], farthest_of[number])
        yield line * width + column, depths, number


def _counted(first: Whole, count: Whole) -> tuple[Whole, Whole]:
    """Return for each of `count` numbers from `first` on whose it is, and the number."""
    owner = np.repeat(np.arange(len(first)), count)
    before = np.repeat(np.cumsum(count) - count, count)
    return owner, np.arange(len(owner)) - before + np.repeat(first, count)


def _spans(x: Floats, y: Floats, middle: Floats) -> tuple[Floats, Floats]:
    """Return where each triangle's edges cross its row."""
    left, right = np.full(len(middle), np.inf), np.full(len(middle), -np.inf)
    for one, other in ((0, 1), (1, 2), (2, 0)):
        crosses = (y[:, one] <= middle) != (y[:, other] <= middle)
        rise = np.where(crosses, y[:, other] - y[:, one], 1.0)
        at = x[:, one] + (middle - y[:, one]) / rise * (x[:, other] - x[:, one])
        left = np.where(crosses, np.minimum(left, at), left)
        right = np.where(crosses, np.maximum(right, at), right)
    is_crossed = np.isfinite(left)
    return np.where(is_crossed, left, 0.0), np.where(is_crossed, right, 0.0)


def _planes(x: Floats, y: Floats, depth: Floats) -> tuple[Floats, Floats, Floats]:
    """Return each triangle's depth as a plane: by x, by y, and at the origin."""
    ax, ay, az = x[:, 1] - x[:, 0], y[:, 1] - y[:, 0], depth[:, 1] - depth[:, 0]
    bx, by, bz = x[:, 2] - x[:, 0], y[:, 2] - y[:, 0], depth[:, 2] - depth[:, 0]
    area = ax * by - bx * ay
    area = np.where(np.abs(area) < 1e-12, np.inf, area)
    along, down = (az * by - bz * ay) / area, (ax * bz - bx * az) / area
    return along, down, depth[:, 0] - along * x[:, 0] - down * y[:, 0]
