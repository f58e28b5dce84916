"""What people are shown of a sight: outlines and corners in its picture's pixels."""

from __future__ import annotations

import numpy as np

from .arrays import Floats
from .board_finder import checked_corners
from .camera import Sight
from .live import HEIGHT, WIDTH

Points = list[list[float]]

GUESS = np.array([(0.25, 0.85), (0.75, 0.85), (0.7, 0.15), (0.3, 0.15)])
"""Where a board's corners are for a start, in shares of the picture."""


def size_of(sight: Sight | None) -> tuple[int, int] | None:
    """Return a sight's width and height in pixels; None where it has no picture."""
    picture = sight.frame.picture if sight is not None else None
    return None if picture is None else (picture.shape[1], picture.shape[0])


def outlines_of(sight: Sight | None) -> list[Points]:
    """Return the squares' outlines, none where the board was not found."""
    place = sight.place if sight is not None else None
    if place is None:
        return []
    return [_points(place.view.project(np.array(each, float))) for each in place.layout.outlines]


def corners_of(sight: Sight | None, set_by_hand: Floats | None) -> Points:
    """Return where a1's corner is, j1's, j10's and a10's: as found, as set by hand, or a guess."""
    place = sight.place if sight is not None else None
    if place is not None:
        return _points(place.view.project(place.layout.corners))
    return _points(
        GUESS * (size_of(sight) or (WIDTH, HEIGHT)) if set_by_hand is None else set_by_hand
    )


def corners_at(points: Points) -> Floats:
    """Return the corners that people have set; BadCorners where they cannot be a board's."""
    return checked_corners(np.array(points, float))


def _points(pixels: Floats) -> Points:
    rounded: Points = pixels.round(1).tolist()
    return rounded
