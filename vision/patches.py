"""Cuts one patch a square out of a picture, at the board's surface and above it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Picture
from .geometry import BoardView, Layout, Pose

Patches = NDArray[np.uint8]
"""(heights, squares, points, 3): blue, green, red of points spread over each square."""

POINTS_ACROSS = 12
PATCH = (np.argwhere(np.ones((POINTS_ACROSS, POINTS_ACROSS))) + 0.5) / POINTS_ACROSS - 0.5
"""A patch's points, (points, 2), in widths of a square from its middle: away from the camera, and
across."""

HEIGHTS = (0.0, 0.5, 1.0)
"""In squares: a piece's foot, its waist, and where only tall ones reach."""

LONGEST_LEAN = 1.6
"""Seen more flatly, what stands higher is looked for no further behind, in squares."""

NOISY = 5.0
"""Pixels that differ by so many grey levels from what they show, as a standard deviation, are
averaged over what a point stands for."""

NOISE_SEEN = 256
"""So many rows and columns about the middle tell how noisy a picture is."""

UNLIKE_AROUND = np.outer((1, -2, 1), (1, -2, 1)).astype(np.float32) / 6
"""What of a pixel its surroundings do not tell, edges left out: as large as its noise."""

MEDIAN = 0.6745
"""Of the sizes of normally spread numbers, in standard deviations."""


def is_noisy(picture: Picture) -> bool:
    """Whether pixels differ from those around them by more than NOISY, whatever is shown."""
    middle = picture[picture.shape[0] // 4 :, picture.shape[1] // 4 :, 1][:NOISE_SEEN, :NOISE_SEEN]
    bent = cv2.filter2D(middle.astype(np.float32), -1, UNLIKE_AROUND)
    return float(np.median(np.abs(bent))) / MEDIAN > NOISY


def averaged(picture: Picture, view: BoardView, layout: Layout, across: int) -> Picture:
    """Return a picture each pixel of which is the mean of those around it.

    Of as many as a point stands for where there are `across` of them on a square's width.
    """
    sides = np.diff(view.project(layout.corners)[[0, 1, 2, 3, 0]], axis=0)
    lengths = np.hypot(*sides.T) / layout.size * float(np.median(layout.spans))
    width = round(float(min(lengths[::2].mean(), lengths[1::2].mean())) / across)
    means: Picture = cv2.blur(picture, (max(width, 1), max(width, 1)))
    return means


def along_the_lean(layout: Layout, pose: Pose, places: Floats) -> tuple[Floats, Floats, Floats]:
    """Return where places about each square's middle lie on the board, (squares, places, 2).

    `places`, (places, 2), lead away from the camera and across, in the square's widths. The others
    are which way pieces lean on each square, (squares, 2), and how far, (squares, 1), in squares.
    """
    away, length = pose.directions(layout.centres)
    across = np.column_stack([-away[:, 1], away[:, 0]])
    at: Floats = layout.centres[:, None] + layout.spans[:, None, None] * (
        places[:, :1] * away[:, None] + places[:, 1:] * across[:, None]
    )
    return at, away, length


class Cutter:
    """Where the points of every patch lie in the pictures of one view."""

    def __init__(self, view: BoardView, layout: Layout, pose: Pose) -> None:
        flat, away, length = along_the_lean(layout, pose, PATCH)
        shift = away * np.minimum(length, LONGEST_LEAN) * layout.spans[:, None]
        points = np.stack([flat + height * shift[:, None] for height in HEIGHTS])
        pixels = view.project(points).astype(np.float32)
        self._shape = pixels.shape[:3]
        self._maps = cv2.convertMaps(pixels.reshape(-1, POINTS_ACROSS**2, 2), None, cv2.CV_16SC2)

    def cut(self, picture: Picture) -> Patches:
        """Return the patches of a picture; beyond its rim they repeat what is on it."""
        cut = cv2.remap(picture, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        patches: Patches = cut.reshape(*self._shape, 3)
        return patches
