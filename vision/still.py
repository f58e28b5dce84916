"""Whether a picture equals one before it: a board on which nothing moves is not read again."""

import cv2
import numpy as np

from .arrays import Floats, Picture

COARSE = 8
"""Pictures are compared by squares of so many pixels."""

AS_MUCH = 1.5
"""What differs by no more, in grey levels over three such squares each way, is the same..."""

NOISES = 6.0
"""... or by no more than so many times what half of the picture differs by."""

READ_AGAIN_S = 2.0
"""After so long a picture is read again, equal or not: its noise is another, and light drifts."""


class StillPicture:
    """A picture that was read at a time."""

    def __init__(self, picture: Picture, at: float) -> None:
        self._coarse, self._at = _coarse(picture), at

    def equals(self, picture: Picture, at: float) -> bool:
        """Whether a later picture shows the same, but for noise and light that all of it shares."""
        if at >= self._at + READ_AGAIN_S or picture.shape[1] // COARSE != self._coarse.shape[1]:
            return False
        differs = _coarse(picture) - self._coarse
        differs -= np.median(differs[::4, ::4])
        differs = np.abs(cv2.blur(differs, (3, 3)))
        return float(differs.max()) <= max(AS_MUCH, NOISES * float(np.median(differs[::4, ::4])))


def _coarse(picture: Picture) -> Floats:
    height, width = picture.shape[:2]
    size = (width // COARSE, height // COARSE)
    coarse = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    mean: Floats = coarse.mean(axis=2)
    return mean
