"""From the board's plane to the picture: a homography, and what the lens does to it.

Pixels are OpenCV's: the centre of the first one is (0, 0).
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Gray
from .lens import Lens

LENS_PRIOR = 0.2
"""How strong a lens's distortion usually is at most, in the units of `BoardView.lens`: the fit pays
for more as it would for lines that lie off."""

CUT_OUT = 0.04
"""A picture was cut out along a board whose corners lie so near to its own, in shares of its longer
side."""


@dataclass(frozen=True)
class BoardView:
    """Where a board lies in a picture."""

    homography: Floats
    """(3, 3): takes the board's plane to the pixels of a lens without distortion."""
    lens: float
    """From there a point at distance r from the picture's centre, in picture widths, moves away
    from it by `lens` r² of that distance. Where the lens was measured, this is what remains."""
    width: int
    """Of the picture, in pixels, as is `height`."""
    height: int
    measured: Lens | None = None
    """The lens as it was measured, which bends what the other two give."""

    def is_cut_out(self, corners: Floats) -> bool:
        """Whether the picture ends where a board with these `corners` does, (4, 2)."""
        away = np.hypot(*(self.project(corners)[:, None] - self.rim).T).min(axis=0)
        return bool(away.max() < CUT_OUT * max(self.width, self.height))

    @property
    def rim(self) -> Floats:
        """The picture's corners: above left, right, below right, left."""
        right, low = self.width - 1, self.height - 1
        return np.array([(0, 0), (right, 0), (right, low), (0, low)], float)

    @property
    def _centre(self) -> Floats:
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    def project(self, points: Floats) -> Floats:
        """Return the pixels of points of the board's plane, (..., 2) both."""
        shape = points.shape
        flat = points.reshape(-1, 2)
        lifted = flat @ self.homography[:, :2].T + self.homography[:, 2]
        away = lifted[:, :2] / lifted[:, 2:] - self._centre
        squared = (away**2).sum(axis=1, keepdims=True) / self.width**2
        pixels: Floats = self._centre + away * (1 + self.lens * squared)
        if self.measured is not None:
            pixels = self.measured.bend(pixels)
        return pixels.reshape(shape)

    def straighten(self, pixels: Floats) -> Floats:
        """Return where a lens without distortion would show what stands at `pixels`, (n, 2)."""
        if self.measured is not None:
            pixels = self.measured.straighten(pixels)
        bent = pixels - self._centre
        away = bent
        for _ in range(8):  # converges for every lens that a camera is sold with
            squared = (away**2).sum(axis=1, keepdims=True) / self.width**2
            away = bent / (1 + self.lens * squared)
        return self._centre + away

    def locate(self, pixels: Floats) -> Floats:
        """Return the points of the board's plane that are seen at `pixels`, (n, 2) both."""
        back = np.linalg.inv(self.homography)
        located: Floats = cv2.perspectiveTransform(self.straighten(pixels)[None], back)[0]
        return located

    def square_px(self, points: Floats) -> Floats:
        """Return how many pixels a board unit takes at each of `points`, at its narrowest."""
        middle = self.project(points)
        steps = [self.project(points + step) - middle for step in ((0.1, 0.0), (0.0, 0.1))]
        lengths: Floats = 10 * np.min([np.hypot(*step.T) for step in steps], axis=0)
        return lengths


def adjust(
    view: BoardView,
    corners: Floats,
    points: Floats,
    ways: Floats,
    offsets: Floats,
    weights: Floats,
    lens_may_change: bool,
) -> BoardView:
    """Return the view after one Gauss-Newton step to where `points` go so far along their `ways`.

    `points` of the board and `ways`, unit vectors in the picture, are (n, 2), `offsets` in pixels
    and `weights` (n,). What is adjusted are the pixels of the board's `corners`, and the lens: nine
    numbers of a like size, which a homography's are not. A measured lens bends the corners after
    they have moved.
    """
    unbent = replace(view, measured=None)
    at = unbent.project(corners)
    free = 9 if lens_may_change else 8
    steps = np.array([1.0] * 8 + [0.01])[:free]

    def moved(step: Floats) -> BoardView:
        lens = view.lens + (step[8] if lens_may_change else 0.0)
        bare = replace(unbent, lens=lens)
        there = fit_view(corners, at + step[:8].reshape(4, 2), bare)
        return replace(there, measured=view.measured)

    here = view.project(points)
    moves = np.stack([moved(step).project(points) - here for step in np.diag(steps)])
    slopes = (moves * ways).sum(axis=2).T / steps
    normal = (slopes * weights[:, None]).T @ slopes
    pull = -(slopes * weights[:, None]).T @ offsets
    normal[np.diag_indices(free)] += 1e-6 * np.trace(normal) / free
    if lens_may_change:
        normal[8, 8] += 1 / LENS_PRIOR**2
        pull[8] += view.lens / LENS_PRIOR**2
    return moved(-np.linalg.solve(normal, pull))


def fit_view(board: Floats, pixels: Floats, bare: BoardView) -> BoardView:
    """Return the view that best shows points of the board at `pixels`, four or more, (n, 2) both.

    The lens stays that of the `bare` view: four markers alone do not tell it from a smaller board.
    """
    homography, _ = cv2.findHomography(board, bare.straighten(pixels))
    return replace(bare, homography=homography)


def along_sides(corners: Floats, count: int) -> Floats:
    """Return `count` points along each side between corners, (n * count, 2): lenses bend sides."""
    parts = np.linspace(0, 1, count, endpoint=False)[:, None]
    along: Floats = corners[:, None] + (np.roll(corners, -1, axis=0) - corners)[:, None] * parts
    return along.reshape(-1, 2)


def values_at(gray: Gray, pixels: Floats | NDArray[np.float32]) -> Floats:
    """Return a picture's values at pixels, (..., 2) in, (...) out; beyond its rim what is on it."""
    flat = pixels.reshape(1, -1, 2).astype(np.float32, copy=False)
    # remap takes no more than 32767 columns, and the points of a board are fewer than that a row.
    rows = [
        cv2.remap(gray, part, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.array_split(flat, flat.shape[1] // 30_000 + 1, axis=1)
    ]
    return np.concatenate(rows, axis=1).reshape(pixels.shape[:-1]).astype(np.float64)
