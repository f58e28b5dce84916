"""Prints that are found in pictures: markers beside the board, and a sheet to measure the lens.

Markers (ArUco) give the place of the board between them. A sheet of squares and markers (ChArUco),
seen from many sides, gives the lens's distortion.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from rules import Worded, _

from .errors import BadHint
from .geometry import Floats, Gray, Indices, Lens, Picture
from .sources import Frame

DICTIONARY = "DICT_4X4_50"
FORM = (
    f'{{"fiducials": {{"dictionary": "{DICTIONARY}", '
    '"board_cm": {"0": [[x, y], …four corners…], …}}}'
)

SMALL = 1000
"""Width in pixels below which a picture is doubled first: far markers may be 12 pixels wide."""


@dataclass(frozen=True)
class Markers:
    """Markers and their corners on the board's plane.

    `corners` has each marker's four by its number, (4, 2), clockwise from its own top left, in the
    file's unit, from the board's centre. `half_size` is half the board's width in that unit; None
    if the file does not tell.
    """

    dictionary: str
    corners: Mapping[int, Floats]
    half_size: float | None

    def on_board(self, size: float, half_size: float) -> dict[int, Floats]:
        """Return the corners in board units, for half a board of `half_size` file units."""
        scale = size / 2 / half_size
        return {number: corners * scale + size / 2 for number, corners in self.corners.items()}


def find_markers(gray: Gray, dictionary: str = DICTIONARY) -> dict[int, Floats]:
    """Return the pixels of every marker's four corners, (4, 2) each, by its number."""
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
    """Read a markers' file of `jetan camera sheet`, or one like it; BadHint, OSError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadHint(_("{path}: no JSON: {why}"), path=path, why=error) from None
    try:
        return _markers_of(content)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadHint(
            _("{path}: {why}: expected {form}"), path=path, why=error, form=FORM
        ) from None


def _markers_of(content: dict[str, object]) -> Markers:
    fiducials = content.get("fiducials", content)
    if fiducials is None:  # a board without any
        return Markers(DICTIONARY, {}, _half_size(content))
    if not isinstance(fiducials, dict):
        raise BadHint(_("fiducials: there are none"))
    dictionary = fiducials.get("dictionary", DICTIONARY)
    if not isinstance(dictionary, str) or not hasattr(cv2.aruco, dictionary):
        raise BadHint(
            _("dictionary {dictionary!r}: OpenCV knows none of that name"), dictionary=dictionary
        )
    corners = {}
    for number, quad in fiducials["board_cm"].items():
        points = np.array(quad, float)
        if points.shape not in {(4, 2), (4, 3)}:
            raise BadHint(_("marker {number}: must have four corners of x and y"), number=number)
        corners[int(number)] = points[:, :2]
    return Markers(dictionary, corners, _half_size(content))


def _half_size(content: dict[str, object]) -> float | None:
    board = content.get("board_cm")
    if not isinstance(board, dict) or "playing_area_corners" not in board:
        return None
    return float(np.abs(np.array(list(board["playing_area_corners"].values()))).max())


# ------------------------------------------------------------------ the sheet for a lens


SHEET_COLUMNS, SHEET_ROWS = 9, 6
SHEET_SQUARE_MM, SHEET_MARKER_MM = 28.0, 21.0
"""The sheet fills a page of A4. Its size does not matter to the lens, only its flatness."""

SHEET_DICTIONARY = "DICT_5X5_50"
"""Another dictionary than that of a board's markers, which may be on the table as well."""

FEWEST_CORNERS = 12
FEWEST_VIEWS = 6
ENOUGH_VIEWS = 20
"""Fewest corners of a view, and fewest and enough views to measure a lens."""

AT_REST = 0.004
ANOTHER = 0.03
"""Largest move of corners between frames at rest, and least move to another view, in picture
widths."""

LEAST_TURN = 15.0
"""Least difference of the views' tilts, in degrees, that determines the lens."""

LEAST_REACH = 0.7
"""Least reach of the sheet towards the picture's own corners, as a share of the way."""

LARGEST_ERROR = 0.001
"""Largest mean error of the corners for a lens that is measured well, in picture widths."""


@dataclass(frozen=True, slots=True)
class SheetView:
    """The sheet's corners in a picture of a size: their numbers, (n,), and pixels, (n, 2)."""

    numbers: Indices
    pixels: Floats
    size: tuple[int, int]


def charuco_board() -> cv2.aruco.CharucoBoard:
    """Return the sheet as OpenCV's own type, in millimetres."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, SHEET_DICTIONARY))
    return cv2.aruco.CharucoBoard(
        (SHEET_COLUMNS, SHEET_ROWS), SHEET_SQUARE_MM, SHEET_MARKER_MM, known
    )


def see_sheet(picture: Picture) -> SheetView | None:
    """Return the sheet in a picture; None if too little of it is seen."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    pixels, numbers, *_corners = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(gray)
    if numbers is None or np.size(numbers) < FEWEST_CORNERS:
        return None
    # A column before OpenCV 5, then a row.
    height, width = gray.shape
    return SheetView(
        np.ravel(numbers).astype(int), np.reshape(pixels, (-1, 2)).astype(float), (width, height)
    )


def good_views(frames: Iterable[Frame], are_stills: bool) -> Iterator[tuple[Frame, SheetView]]:
    """Yield views of the sheet that differ from each other, and in a film are at rest."""
    kept: list[SheetView] = []
    before: SheetView | None = None
    for frame in frames:
        view = see_sheet(frame.picture) if frame.picture is not None else None
        before, last = view, before
        if view is None:
            continue
        is_at_rest = are_stills or (last is not None and _apart(view, last) < AT_REST)
        if is_at_rest and all(_apart(view, other) > ANOTHER for other in kept):
            kept.append(view)
            yield frame, view


def measure_lens(views: Sequence[SheetView]) -> tuple[Lens, float, list[str]]:
    """Return the lens of some views, the mean error in pixels, and advice in words.

    BadHint: the views do not determine it.
    """
    if len(views) < FEWEST_VIEWS:
        raise BadHint(
            _(
                "{count} good views of the sheet, {fewest_views} are needed and {enough_views} "
                "are better: show all of it flat and still, from more sides"
            ),
            count=len(views),
            fewest_views=FEWEST_VIEWS,
            enough_views=ENOUGH_VIEWS,
        )
    sizes = {view.size for view in views}
    if len(sizes) > 1:
        sizes_in_words = " and ".join(f"{width} × {height}" for width, height in sorted(sizes))
        raise BadHint(
            _("views of {sizes_in_words}: all must be of one camera, in one size"),
            sizes_in_words=sizes_in_words,
        )
    width, height = views[0].size
    board = np.array(charuco_board().getChessboardCorners(), np.float32)
    points = [board[view.numbers] for view in views]
    pixels = [view.pixels.astype(np.float32) for view in views]
    error, matrix, terms, turns, *_shifts = cv2.calibrateCamera(
        points, pixels, (width, height), np.eye(3), np.zeros(5), flags=cv2.CALIB_FIX_K3
    )
    if _widest_turn(turns) < LEAST_TURN:
        raise BadHint(
            _(
                "{count} good views of the sheet, but always under the same tilt: tilt it to the"
                " left, to the right, towards the camera and away from it"
            ),
            count=len(views),
        )
    first, second, third, fourth = np.ravel(terms)[:4].tolist()
    focal = (float(matrix[0, 0]), float(matrix[1, 1]))
    centre = (float(matrix[0, 2]), float(matrix[1, 2]))
    try:
        lens = Lens(width, height, focal, centre, (first, second), (third, fourth))
    except BadHint:
        raise BadHint(
            _(
                "{count} good views of the sheet, but no lens shows it so: keep it flat and "
                "still, and show it in the picture's corners too"
            ),
            count=len(views),
        ) from None
    return lens, float(error), list(_advice(views, float(error)))


def _advice(views: Sequence[SheetView], error: float) -> Iterator[str]:
    if len(views) < ENOUGH_VIEWS // 2:
        yield Worded(_("few views: {views} tell the lens more exactly"), views=ENOUGH_VIEWS)
    middle = np.array(views[0].size) / 2
    out = np.hypot(*((np.concatenate([view.pixels for view in views]) - middle) / middle).T)
    if out.max() < LEAST_REACH * np.sqrt(2):
        yield _("the sheet was never near the picture's corners, where a lens bends most")
    if error > LARGEST_ERROR * views[0].size[0]:
        yield _("a large error: keep the sheet flat, in even light, and still")


def _apart(view: SheetView, other: SheetView) -> float:
    """Return the mean move of the corners that two views share, in picture widths."""
    _, here, there = np.intersect1d(view.numbers, other.numbers, return_indices=True)
    if not len(here):
        return float("inf")
    moved = np.hypot(*(view.pixels[here] - other.pixels[there]).T)
    return float(moved.mean()) / view.size[0]


def _widest_turn(turns: Sequence[Floats]) -> float:
    """Return the largest angle between the planes of two views, in degrees."""
    normals = np.array([cv2.Rodrigues(turn)[0][:, 2] for turn in turns])
    return float(np.degrees(np.arccos(np.clip(normals @ normals.T, -1, 1))).max())
