"""Where the camera stands over the board, as far as one view tells."""

from dataclasses import dataclass

import numpy as np

from .arrays import Floats
from .geometry import BoardView

FOCAL_LENGTHS = np.geomspace(0.5, 2.2, 60)
"""What is tried, in picture widths: from a wide phone to a long lens."""

TALLEST = 1.9
"""How high a piece stands at most, in squares."""

USUAL_FOCAL_LENGTH = 0.85
"""Seen from straight above a board tells no focal length: then the usual one is as good."""


@dataclass(frozen=True, slots=True)
class Pose:
    """The camera's place in board units: `above` is its height, `x` and `y` lie on the board."""

    x: float
    y: float
    above: float

    def lean(self, points: Floats) -> Floats:
        """Return where what stands one unit high on `points` seems to be, less the points."""
        lean: Floats = (points - (self.x, self.y)) / max(self.above - 1, 1.0)
        return lean

    def directions(self, points: Floats) -> tuple[Floats, Floats]:
        """Return which way that is, (n, 2) of length 1, and how far, (n, 1)."""
        lean = self.lean(points)
        length = np.hypot(*lean.T)[:, None]
        return np.where(length > 1e-6, lean / np.maximum(length, 1e-6), (0.0, 1.0)), length

    def elevation(self, point: Floats) -> float:
        """Return how high the camera stands above a point of the board, in degrees of 90."""
        away = float(np.hypot(*(point - (self.x, self.y))))
        return float(np.degrees(np.arctan2(self.above, away)))


def pose_of(view: BoardView, middle: Floats) -> Pose:
    """Return the pose in which a board with this `middle` is seen so.

    The focal length is the one under which the board's two directions are as long as each other
    and upright to each other.
    """
    centred = (
        np.array([[1, 0, -(view.width - 1) / 2], [0, 1, -(view.height - 1) / 2], [0, 0, 1.0]])
        @ view.homography
    )
    tried = np.tile(centred, (len(FOCAL_LENGTHS), 1, 1))
    tried[:, :2] /= view.width * FOCAL_LENGTHS[:, None, None]
    lengths = np.linalg.norm(tried[:, :, :2], axis=1)
    tried /= np.sqrt(lengths.prod(axis=1))[:, None, None]
    skew = (tried[:, :, 0] * tried[:, :, 1]).sum(axis=1)
    uneven = np.log(lengths[:, 0] / lengths[:, 1])
    unusual = np.log(FOCAL_LENGTHS / USUAL_FOCAL_LENGTH)
    rays = tried[(skew**2 + uneven**2 + 1e-5 * unusual**2).argmin()]
    if (rays @ (*middle, 1.0))[2] < 0:
        rays = -rays
    turned = np.column_stack([rays[:, 0], rays[:, 1], np.cross(rays[:, 0], rays[:, 1])])
    left, _, right = np.linalg.svd(turned)
    x, y, above = -(left @ right).T @ rays[:, 2]
    return Pose(float(x), float(y), abs(float(above)))
