"""Crossings of a checkered board: points where two dark squares meet two light ones."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from .arrays import Floats, Gray, Indices

MOST_CROSSINGS = 1000
MOST_SADDLES = 2000
"""The clearest so many are kept, of crossings and of points that may be one, in each scale."""

LEAST_SADDLE = 80.0
"""How strong a saddle is that may be a crossing, by its blur to the fourth, as saddles shrink."""

RING_POINTS = 48
RING = np.column_stack(
    [turn(np.arange(RING_POINTS) * (2 * np.pi / RING_POINTS)) for turn in (np.cos, np.sin)]
)
"""Points around a crossing at which its surroundings are looked at, as unit vectors."""

BLUR, COARSE_BLUR = 1.5, 2.0
"""Of a picture and of one half as large, in their pixels: fine for small boards, coarse for soft
ones."""


@dataclass(frozen=True)
class Crossings:
    """Crossings in a picture: `points` (n, 2) pixels, `ways` (n, 2, 2) unit vectors.

    The two ways of a crossing lie along the lines that cross there; turning from the first to the
    second in the picture goes through a dark square.
    """

    points: Floats
    ways: Floats


def find_crossings(gray: Gray) -> Crossings:
    """Return the clearest crossings of a picture."""
    size = (gray.shape[1] // 2, gray.shape[0] // 2)
    half = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
    # Where lines are drawn between squares, it is not they that cross: what is light or dark for
    # two pixels or less is taken out.
    spot = np.ones((3, 3), np.uint8)
    light_gone = cv2.morphologyEx(half, cv2.MORPH_OPEN, spot)
    lines_gone = cv2.morphologyEx(light_gone, cv2.MORPH_CLOSE, spot)
    found = [_at_scale(gray, 1, BLUR)]
    found += [_at_scale(each, 2, COARSE_BLUR) for each in (half, lines_gone)]
    points = np.concatenate([crossings.points for crossings, _ in found])
    ways = np.concatenate([crossings.ways for crossings, _ in found])
    order = np.concatenate([clear for _, clear in found]).argsort()[::-1]
    kept: list[int] = []
    taken = np.zeros(gray.shape, bool)
    for index in order:
        x, y = np.round(points[index]).astype(int)
        if not taken[max(y, 0) : y + 1, max(x, 0) : x + 1].any():
            kept.append(index)
            taken[max(y - 4, 0) : y + 5, max(x - 4, 0) : x + 5] = True
        if len(kept) == MOST_CROSSINGS:
            break
    return Crossings(points[kept], ways[kept])


def _at_scale(gray: Gray, smaller: int, blur: float) -> tuple[Crossings, Floats]:
    """Find saddles of brightness, and keep those whose surroundings alternate four times."""
    smooth = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), blur)
    xx = cv2.Sobel(smooth, cv2.CV_32F, 2, 0, ksize=3)
    yy = cv2.Sobel(smooth, cv2.CV_32F, 0, 2, ksize=3)
    xy = cv2.Sobel(smooth, cv2.CV_32F, 1, 1, ksize=3)
    saddle = xy * xy - xx * yy
    reach = 2 * round(2 * blur) + 1
    peaks = (saddle == cv2.dilate(saddle, np.ones((reach, reach), np.uint8))) & (
        saddle * blur**4 > LEAST_SADDLE
    )
    margin = round(5 * blur)
    peaks[:margin] = peaks[-margin:] = False
    peaks[:, :margin] = peaks[:, -margin:] = False
    rows, columns = np.nonzero(peaks)
    if len(rows) > MOST_SADDLES:
        strongest = np.argpartition(saddle[rows, columns], -MOST_SADDLES)[-MOST_SADDLES:]
        rows, columns = rows[strongest], columns[strongest]
    if not len(rows):
        return Crossings(np.empty((0, 2)), np.empty((0, 2, 2))), np.empty(0)
    points = np.column_stack([columns, rows]).astype(float)
    points += _to_the_peak(saddle, rows, columns)
    ways, clear = _ways(smooth, points, 3.5 * blur)
    good = clear > 0.0
    return Crossings(points[good] * smaller + (smaller - 1) / 2, ways[good]), clear[good]


def _to_the_peak(saddle: Gray, rows: Indices, columns: Indices) -> Floats:
    """Return how far the top of each peak lies from its pixel, by a parabola each way."""
    shifts = []
    for down, right in ((0, 1), (1, 0)):
        before = saddle[rows - down, columns - right]
        after = saddle[rows + down, columns + right]
        bend = before - 2 * saddle[rows, columns] + after
        shifts.append(0.5 * (before - after) / np.minimum(bend, -1e-6))
    to_the_peak: Floats = np.clip(np.column_stack(shifts), -0.5, 0.5)
    return to_the_peak


def _ways(smooth: Gray, points: Floats, radius: float) -> tuple[Floats, Floats]:
    """Return each crossing's two ways, and how much its surroundings look like four sectors.

    The second is at most 1, and 0 for what is no crossing. What bends least tells the ways as well,
    but not where thin lines are drawn between the squares.
    """
    around = (points[:, None] + radius * RING).astype(np.float32)
    values = cv2.remap(smooth, around[..., 0], around[..., 1], cv2.INTER_LINEAR)
    values -= values.mean(axis=1, keepdims=True)
    spread = values.std(axis=1)
    half = RING_POINTS // 2
    opposite = values[:, :half] + values[:, half:]  # sectors that face each other are alike
    pairs, patterns = _patterns()
    likeness = opposite @ patterns.T / (RING_POINTS * np.maximum(spread, 1e-6)[:, None])
    best = np.abs(likeness).argmax(axis=1)
    alike = likeness[np.arange(len(points)), best]
    lines = pairs[best]
    lines = np.where(alike[:, None] > 0, lines[:, ::-1], lines)
    symmetry = np.abs(values[:, :half] - values[:, half:]).mean(axis=1) / np.maximum(spread, 1e-6)
    good = (np.abs(alike) > 0.75) & (symmetry < 0.9) & (spread > 3.0)
    clear = np.where(good, np.abs(alike) * np.minimum(spread / 20, 1.0) ** 0.5, 0.0)
    return RING[lines], clear


@cache
def _patterns() -> tuple[Indices, Floats]:
    """Return pairs of ring points, and what half a ring looks like where lines go through them.

    Between the first of a pair and the second a pattern is light.
    """
    half = RING_POINTS // 2
    least = RING_POINTS // 10
    at = np.arange(half)
    apart = at - at[:, None]
    pairs = np.argwhere((apart >= least) & (apart <= half - least))
    first, second = pairs[:, :1], pairs[:, 1:]
    patterns = np.sign((at - first) * (second - at)).astype(float)
    patterns -= patterns.mean(axis=1, keepdims=True)
    patterns /= patterns.std(axis=1, keepdims=True)
    return pairs, patterns.astype(np.float32)
