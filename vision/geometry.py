"""Geometry of a board in a picture: squares, lens, view, and the camera's position.

A `Layout` has the squares' places on the board's plane, in board units: the board fills 0..size
both ways, a1 towards (0, 0), the last file towards (size, 0). It may be a grid of any size or the
Ninth-Ray disk; nothing here knows which. A `BoardView` maps that plane to a picture's pixels, with
(0, 0) at the centre of the first one: a homography, then the lens's distortion. A measured `Lens`
bends points by the model of OpenCV and most others (Brown, 1966): two radial and two tangential
terms, in focal lengths from the optical axis. A `Pose` is the camera's position, as far as one view
tells. The array types of this package are named here too; their shapes stand where they are used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules import Topology, _

from .errors import BadHint

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

Picture = NDArray[np.uint8]
"""(rows, columns, 3), the channels blue, green, red."""

Gray = NDArray[np.uint8]
"""(rows, columns)."""

Mask = NDArray[np.uint8]
"""(rows, columns), values 0 and 1."""

Outline = tuple[tuple[float, float], ...]

SAMPLES_PER_UNIT = 5
"""Sample points for each board unit of an edge."""


@dataclass(frozen=True)
class Layout:
    """A board's squares, by number."""

    size: float
    """The board's side, in board units."""
    outlines: tuple[Outline, ...]
    """Corners of each square, in board units."""
    middles: Outline
    """Each square's middle, where a piece stands, in board units."""
    colours: tuple[int, ...]
    """0 for squares of a1's colour, 1 for the others."""
    side: int | None
    """Squares along a side of a grid; None where the squares are no grid."""

    @cached_property
    def corners(self) -> Floats:
        """The board's corners: a1's, the last file's, the opposite one, the last rank's."""
        return np.array([(0, 0), (self.size, 0), (self.size, self.size), (0, self.size)], float)

    @cached_property
    def centres(self) -> Floats:
        """The middle of each square, (squares, 2)."""
        return np.array(self.middles)

    @cached_property
    def spans(self) -> Floats:
        """Each square's width: the side of an equal-area square, limited by its inner circle.

        Long squares, such as a disk's wedges, end sooner at their sides than their area suggests.
        """
        return np.array([_span(*each) for each in zip(self.outlines, self.middles, strict=True)])

    @cached_property
    def edges(self) -> Edges:
        """Sample points on the sides shared by two squares of unlike colours."""
        owners: dict[tuple[tuple[float, float], ...], list[int]] = {}
        for square, outline in enumerate(self.outlines):
            for start, end in zip(outline, (*outline[1:], outline[0]), strict=True):
                ends = sorted((round(x, 6), round(y, 6)) for x, y in (start, end))
                owners.setdefault(tuple(ends), []).append(square)
        middles = [np.mean(outline, axis=0) for outline in self.outlines]
        points, normals, between = [], [], []
        for (start, end), squares in owners.items():
            if len(squares) != 2 or self.colours[squares[0]] == self.colours[squares[1]]:
                continue
            light, dark = sorted(squares, key=lambda square: -self.colours[square])
            along = np.subtract(end, start)
            length = float(np.hypot(*along))
            across = np.array([-along[1], along[0]]) / length
            if across @ (middles[light] - middles[dark]) < 0:
                across = -across
            count = max(round(SAMPLES_PER_UNIT * length), 1)
            for part in (np.arange(count) + 0.5) / count:
                points.append(np.add(start, along * part))
                normals.append(across)
                between.append((light, dark))
        return Edges(np.array(points), np.array(normals), np.array(between))


@dataclass(frozen=True, slots=True)
class Edges:
    """Points on lines between squares, with normals that point to the square of colour 1.

    `points` and `normals` are (n, 2) in board units; `between` has the two squares, (n, 2).
    """

    points: Floats
    normals: Floats
    between: Indices


def layout_of(topology: Topology) -> Layout:
    """Return the layout of a table's board."""
    side = 10 if topology.columns_around == 0 else None
    return Layout(10.0, topology.outlines, topology.centres, topology.colours, side)


def square_grid(side: int) -> Layout:
    """Return a board of `side` by `side` squares; square 0 is a1, 1 is b1."""
    places = [(file, rank) for rank in range(side) for file in range(side)]
    return Layout(
        float(side),
        tuple(((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)) for x, y in places),
        tuple((x + 0.5, y + 0.5) for x, y in places),
        tuple((x + y) % 2 for x, y in places),
        side,
    )


def _span(outline: Outline, middle: tuple[float, float]) -> float:
    corners = np.subtract(outline, middle)
    along = np.roll(corners, -1, axis=0) - corners
    areas = np.abs(corners[:, 0] * along[:, 1] - corners[:, 1] * along[:, 0]) / 2
    room = 4 * areas / np.hypot(*along.T)  # diameter of the circle that touches a side
    return min(float(np.sqrt(areas.sum())), float(room.min()))


# ------------------------------------------------------------------ the lens


# Our own inversion is measured better than `cv2.undistortPoints`. That takes five rounds unless it
# is told otherwise, by one name in OpenCV 4 and by another in 5: at the rim of a wide lens it is 5
# pixels off then, against 0.00002 here. With 40 rounds it is exact there, but 0.3 pixels off by a
# lens of 700 pixels' focal length, and up to 680 off beyond the picture, where its model folds back
# and `bend` does not. It takes 0.02 ms instead of 1.8, for a few calls a bump.
LENS_ROUNDS = 40
"""Fixed-point iterations of `Lens.straighten`: a hundredth of a pixel, also for corners that the
lens moves by 300."""

SAME_SHAPE = 0.02
"""Largest difference of aspect ratio between pictures of the same shape."""


@dataclass(frozen=True)
class Lens:
    """A measured lens, for pictures of `width` by `height` pixels. Pairs are across and down."""

    width: int
    height: int
    focal: tuple[float, float]
    """Focal length, in pixels."""
    centre: tuple[float, float]
    """The optical axis, in pixels."""
    radial: tuple[float, float]
    """Coefficients of the square and the fourth power of a point's distance from the axis."""
    tangential: tuple[float, float]
    """Coefficients of a lens that is not parallel to the sensor."""

    def __post_init__(self) -> None:
        """Raise BadHint for numbers that no camera has."""
        numbers = (*self.focal, *self.centre, *self.radial, *self.tangential)
        if not np.isfinite(numbers).all():
            raise BadHint(_("lens: its numbers must be finite"))
        if min(self.width, self.height) < 1 or min(self.focal) <= 0:
            raise BadHint(_("lens: width, height and focal must be above 0"))
        if self._reach <= 0:
            raise BadHint(_("lens: it folds the picture over itself: measure it once more"))

    def of_size(self, width: int, height: int) -> Lens | None:
        """Return the lens for pictures of another size; None for another aspect ratio."""
        if (width, height) == (self.width, self.height):
            return self
        if abs(width / height - self.width / self.height) > SAME_SHAPE:
            return None
        scale = np.array([width / self.width, height / self.height])
        focal = (scale * self.focal).tolist()
        centre = ((np.array(self.centre) + 0.5) * scale - 0.5).tolist()
        return replace(self, width=width, height=height, focal=tuple(focal), centre=tuple(centre))

    def bend(self, pixels: Floats) -> Floats:
        """Return the distorted places of undistorted `pixels`, (n, 2) both.

        Beyond the picture the distortion of its rim goes on: the terms themselves would soon turn
        back, and what is far outside would be drawn into the picture.
        """
        x, y = ((pixels - self.centre) / self.focal).T
        squared = np.minimum(x * x + y * y, self._reach**2)
        swell = 1 + self.radial[0] * squared + self.radial[1] * squared**2
        first, second = self.tangential
        bent = np.column_stack(
            [
                x * swell + 2 * first * x * y + second * (squared + 2 * x * x),
                y * swell + first * (squared + 2 * y * y) + 2 * second * x * y,
            ]
        )
        return bent * self.focal + self.centre

    def straighten(self, pixels: Floats) -> Floats:
        """Return the undistorted places of `pixels`, (n, 2) both."""
        straight = pixels
        for _round in range(LENS_ROUNDS):
            straight = straight + (pixels - self.bend(straight))
        return straight

    def straightened(self, gray: Gray) -> tuple[Gray, Floats]:
        """Return a whole picture undistorted, scaled to fit, and a homography, (3, 3).

        The homography takes its pixels to the undistorted ones that `bend` takes.
        """
        (across, down), (x, y) = self.focal, self.centre
        matrix = np.array([[across, 0, x], [0, down, y], [0, 0, 1]])
        terms = np.array([*self.radial, *self.tangential])
        whole, _ = cv2.getOptimalNewCameraMatrix(matrix, terms, (self.width, self.height), 1.0)
        straight: Gray = cv2.undistort(gray, matrix, terms, None, whole)
        return straight, matrix @ np.linalg.inv(whole)

    @cached_property
    def _reach(self) -> float:
        """Undistorted distance of the picture's farthest corner, in focal lengths.

        0 for terms by which no point is seen there, or two are seen at one place.
        """
        corners = np.array([(x, y) for x in (0, self.width - 1) for y in (0, self.height - 1)])
        farthest = float(np.hypot(*((corners - self.centre) / self.focal).T).max())
        first, second = self.radial
        seen_there = np.roots([second, 0, first, 0, 1, -farthest])
        turns_back = np.roots([5 * second, 0, 3 * first, 0, 1])
        reach, turn = (
            min((each.real for each in roots if abs(each.imag) < 1e-9 < each.real), default=np.inf)
            for roots in (seen_there, turns_back)
        )
        return float(reach) if reach < turn else 0.0


def read_lens(path: Path) -> Lens:
    """Read a file of `jetan camera calibrate --charuco`; BadHint, OSError."""
    try:
        return _lens_of(json.loads(path.read_bytes()))
    except (ValueError, OverflowError, RecursionError) as error:
        raise BadHint(
            _("{path}: {why}: expected what `jetan camera calibrate --charuco` writes"),
            path=path,
            why=error,
        ) from None


def write_lens(path: Path, lens: Lens) -> None:
    """Write a lens as JSON, and make its folder; OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(lens), indent=2) + "\n", encoding="utf-8")


def _lens_of(content: object) -> Lens:
    """Return the lens in a file's content; ValueError for anything else."""
    names = [each.name for each in fields(Lens)]
    if not isinstance(content, Mapping) or content.keys() != set(names):
        raise BadHint(_("must hold {names}"), names=", ".join(names))
    for name in names[:2]:
        if type(content[name]) is not int:
            raise BadHint(_("{name}: must be a whole number"), name=name)
    for name in names[2:]:
        pair = content[name]
        if not isinstance(pair, list) or [type(each) in (int, float) for each in pair] != [1, 1]:
            raise BadHint(_("{name}: must be two numbers"), name=name)
    pairs = {name: tuple(map(float, content[name])) for name in names[2:]}
    return Lens(**{**content, **pairs})


# ------------------------------------------------------------------ the view


LENS_PRIOR = 0.2
"""Usual largest distortion, in the units of `BoardView.lens`. The fit weighs more than that against
lines that are off: a board seen in the middle of a picture hardly tells the lens."""

CUT_OUT = 0.04
"""Farthest a board's corners are from the picture's in one that was cut out along it, in shares of
the picture's longer side."""


@dataclass(frozen=True)
class BoardView:
    """A board's projection into a picture of `width` by `height` pixels."""

    homography: Floats
    """(3, 3), from the board's plane to undistorted pixels."""
    lens: float
    """Distortion that is fitted: a point at distance r from the picture's centre, in picture
    widths, moves outwards by `lens` r² of that distance. With a measured lens, the remainder."""
    width: int
    height: int
    measured: Lens | None = None
    """The camera's measured lens, applied last."""

    def is_cut_out(self, corners: Floats) -> bool:
        """Return whether the picture ends with the board that has these `corners`, (4, 2)."""
        away = np.hypot(*(self.project(corners)[:, None] - self.rim).T).min(axis=0)
        return bool(away.max() < CUT_OUT * max(self.width, self.height))

    @property
    def rim(self) -> Floats:
        """The picture's corners, clockwise from the top left, (4, 2)."""
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
        """Return the undistorted places of `pixels`, (n, 2) both."""
        if self.measured is not None:
            pixels = self.measured.straighten(pixels)
        bent = pixels - self._centre
        away = bent
        for _round in range(8):  # converges for every lens that a camera is sold with
            squared = (away**2).sum(axis=1, keepdims=True) / self.width**2
            away = bent / (1 + self.lens * squared)
        return self._centre + away

    def locate(self, pixels: Floats) -> Floats:
        """Return the points of the board's plane seen at `pixels`, (n, 2) both."""
        back = np.linalg.inv(self.homography)
        located: Floats = cv2.perspectiveTransform(self.straighten(pixels)[None], back)[0]
        return located

    def square_px(self, points: Floats) -> Floats:
        """Return the pixels of a board unit at each of `points`, (n,), along its shorter axis."""
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
    """Return the view after one Gauss-Newton step that moves `points` by `offsets`.

    `points` of the board are (n, 2), `ways` the unit vectors in the picture along which each is
    off, (n, 2), `offsets` by how many pixels, (n,), and `weights` how much each counts, (n,).
    """
    # The parameters are the pixels of the board's corners, and the lens: nine numbers of similar
    # size, unlike a homography's, so that steps and damping are the same for all. A measured lens
    # is left out of them and bends the corners after they have moved.
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
    """Return the view that best takes four or more points of the board to `pixels`, (n, 2) both.

    The lens is that of the `bare` view: four markers alone do not tell it from a smaller board.
    """
    homography, _ = cv2.findHomography(board, bare.straighten(pixels))
    return replace(bare, homography=homography)


def orientations(view: BoardView, side: int) -> list[BoardView]:
    """Return the four views of the same board, with a1 in each of its corners."""
    turn = np.array([[0.0, -1, side], [1, 0, 0], [0, 0, 1]])
    views = [view]
    for _quarter in range(3):
        views.append(replace(view, homography=views[-1].homography @ turn))
    return views


def along_sides(corners: Floats, count: int) -> Floats:
    """Return `count` points along each side of an outline, (n * count, 2): lenses bend sides."""
    parts = np.linspace(0, 1, count, endpoint=False)[:, None]
    along: Floats = corners[:, None] + (np.roll(corners, -1, axis=0) - corners)[:, None] * parts
    return along.reshape(-1, 2)


def values_at(gray: Gray, pixels: Floats | NDArray[np.float32]) -> Floats:
    """Return a picture's values at pixels, (..., 2) to (...); beyond its rim, the rim's."""
    rows = pixels.reshape(len(pixels), -1, 2).astype(np.float32, copy=False)
    found = cv2.remap(gray, rows, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values: Floats = found.reshape(pixels.shape[:-1]).astype(np.float64)
    return values


# ------------------------------------------------------------------ the camera's place


FOCAL_LENGTHS = np.geomspace(0.5, 2.2, 60)
"""Focal lengths that are tried, in picture widths: from a wide phone to a long lens."""

TALLEST = 1.9
"""Height of the tallest pieces, in squares."""

USUAL_FOCAL_LENGTH = 0.85
"""The focal length preferred where a board, seen from straight above, tells none."""


@dataclass(frozen=True, slots=True)
class Pose:
    """The camera's position, in board units: `above` is its height over the board's plane."""

    x: float
    y: float
    above: float

    def lean(self, points: Floats) -> Floats:
        """Return the apparent shift of what is one unit high over `points`, (n, 2) both."""
        return (points - (self.x, self.y)) / max(self.above - 1, 1.0)

    def directions(self, points: Floats) -> tuple[Floats, Floats]:
        """Return the lean's direction, (n, 2) of length 1, and its length, (n, 1)."""
        lean = self.lean(points)
        length = np.hypot(*lean.T)[:, None]
        return np.where(length > 1e-6, lean / np.maximum(length, 1e-6), (0.0, 1.0)), length

    def elevation(self, point: Floats) -> float:
        """Return the camera's elevation seen from a point of the board, in degrees."""
        away = float(np.hypot(*(point - (self.x, self.y))))
        return float(np.degrees(np.arctan2(self.above, away)))


def pose_of(view: BoardView, middle: Floats) -> Pose:
    """Return the pose from which a board with this `middle` is seen so.

    The focal length is the one that makes the board's two axes equally long and perpendicular.
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
