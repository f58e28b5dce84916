"""Printed markers (ArUco): finding them, and the board between them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from rules.sentences import _

from .arrays import Floats, Gray
from .errors import BadMarkers

DICTIONARY = "DICT_4X4_50"
FORM = (
    f'{{"fiducials": {{"dictionary": "{DICTIONARY}", '
    '"board_cm": {"0": [[x, y], …four corners…], …}}}'
)

SMALL = 1000
"""Pictures of less width, in pixels, are doubled first: a marker far off may be 12 pixels wide."""


@dataclass(frozen=True)
class Markers:
    """Markers and where their corners lie on the board's plane.

    `corners` has each marker's four by its number, (4, 2), its own top left first, clockwise. They
    are in the file's own unit, from the board's centre; `half_size` is half the board's width in
    that unit, None where the file does not tell.
    """

    dictionary: str
    corners: Mapping[int, Floats]
    half_size: float | None

    def on_board(self, size: float, half_size: float) -> dict[int, Floats]:
        """Return the corners in board units, for a board `half_size` file units from its middle."""
        scale = size / 2 / half_size
        return {number: corners * scale + size / 2 for number, corners in self.corners.items()}


def find_markers(gray: Gray, dictionary: str = DICTIONARY) -> dict[int, Floats]:
    """Return the four corners in the picture of every marker seen, (4, 2) each, by its number."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    parameters.adaptiveThreshWinSizeMin = 13
    parameters.adaptiveThreshWinSizeMax = 33
    parameters.adaptiveThreshWinSizeStep = 20
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    scale = 2 if gray.shape[1] < SMALL else 1
    if scale > 1:
        gray = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    corners, numbers, _rejected = cv2.aruco.ArucoDetector(known, parameters).detectMarkers(gray)
    if numbers is None:
        return {}
    return {
        int(number): (quad.reshape(4, 2).astype(float) + 0.5) / scale - 0.5
        for number, quad in zip(numbers.flatten(), corners, strict=True)
    }


def read_markers(path: Path) -> Markers:
    """Read a file that `jetan camera sheet` has written, or one like it; BadMarkers, OSError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadMarkers(_("{path}: no JSON: {why}"), path=path, why=error) from None
    try:
        return _markers_of(content)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadMarkers(
            _("{path}: {why}: expected {form}"), path=path, why=error, form=FORM
        ) from None


def _markers_of(content: dict[str, object]) -> Markers:
    fiducials = content.get("fiducials", content)
    if fiducials is None:  # a board without any
        return Markers(DICTIONARY, {}, _half_size(content))
    if not isinstance(fiducials, dict):
        raise BadMarkers(_("fiducials: there are none"))
    dictionary = fiducials.get("dictionary", DICTIONARY)
    if not isinstance(dictionary, str) or not hasattr(cv2.aruco, dictionary):
        raise BadMarkers(
            _("dictionary {dictionary!r}: OpenCV knows none of that name"), dictionary=dictionary
        )
    corners = {}
    for number, quad in fiducials["board_cm"].items():
        points = np.array(quad, float)
        if points.shape not in {(4, 2), (4, 3)}:
            raise BadMarkers(_("marker {number}: must have four corners of x and y"), number=number)
        corners[int(number)] = points[:, :2]
    return Markers(dictionary, corners, _half_size(content))


def _half_size(content: dict[str, object]) -> float | None:
    board = content.get("board_cm")
    if not isinstance(board, dict) or "playing_area_corners" not in board:
        return None
    return float(np.abs(np.array(list(board["playing_area_corners"].values()))).max())
