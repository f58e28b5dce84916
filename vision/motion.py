"""How a picture was moved against another one, told by what is seen in both.

A bump moves board, table and all that lies there alike: spots that are found again tell it, on
boards whose lines do not, like a disk, and where a piece or a hand has moved meanwhile.
"""

import cv2
import numpy as np

from .arrays import Floats, Gray

SPOTS = 1500
"""So many spots of a picture are looked for in the other one."""

FARTHEST = 0.15
"""How far a bump may move a spot, in widths of the picture: squares look like each other."""

ALONG = 2.5
"""How near, in pixels, a spot that went along lies to where all went."""

FEWEST, SHARE = 60, 0.4
"""So many spots, and such a share of those found again, must have gone the same way."""


def motion_between(before: Gray, now: Gray) -> Floats | None:
    """Return where pixels of one picture lie in the next, as a homography, (3, 3).

    None where too little is found again.
    """
    finder = cv2.ORB_create(SPOTS)  # type: ignore[attr-defined]
    (spots, looks), (later, later_looks) = (
        finder.detectAndCompute(picture, None) for picture in (before, now)
    )
    if looks is None or later_looks is None:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(looks, later_looks)
    old = np.array([spots[pair.queryIdx].pt for pair in pairs]).reshape(-1, 2)
    new = np.array([later[pair.trainIdx].pt for pair in pairs]).reshape(-1, 2)
    near = np.hypot(*(new - old).T) < FARTHEST * before.shape[1]
    if near.sum() < FEWEST:
        return None
    motion, went_along = cv2.findHomography(old[near], new[near], cv2.RANSAC, ALONG)
    if motion is None or went_along.sum() < max(FEWEST, SHARE * near.sum()):
        return None
    found: Floats = motion
    return found
