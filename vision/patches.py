"""Cuts a patch for each square out of a picture, and describes its look in numbers.

Brightness is logarithmic, so that a lamp twice as strong adds a constant, which `lightening` takes
out, as it does dimming, clouds, and the shadow of somebody passing. Colours are lightness, warmth
and greenness, and all features are differences from the bare square. They do not know a piece's
name, nor that others hide it.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from .geometry import BoardView, Flags, Floats, Layout, Picture, Pose

Patches = NDArray[np.uint8]
"""(heights, squares, points, 3): blue, green, red of points spread over each square."""

POINTS_ACROSS = 12
PATCH = (np.argwhere(np.ones((POINTS_ACROSS, POINTS_ACROSS))) + 0.5) / POINTS_ACROSS - 0.5
"""A patch's points, (points, 2), from the square's middle in its widths: away from the camera, and
across."""

HEIGHTS = (0.0, 0.5, 1.0)
"""Heights of patches, in squares: a piece's foot, its waist, and the top of tall ones."""

LONGEST_LEAN = 1.6
"""Farthest behind its square that the top of a piece is sampled, in squares, however low the
camera."""

NOISY = 5.0
"""Noise of pixels, as a standard deviation in grey levels, from which a picture is averaged."""

NOISE_SEEN = 256
"""Rows and columns about the middle by which a picture's noise is measured."""

UNLIKE_AROUND = np.outer((1, -2, 1), (1, -2, 1)).astype(np.float32) / 6
"""A filter that leaves of each pixel what its neighbours do not predict, edges left out: a value as
large as its noise."""

MEDIAN = 0.6745
"""Median absolute value of normally distributed numbers, in standard deviations."""


def patch_cutter(view: BoardView, layout: Layout, pose: Pose) -> Callable[[Picture], Patches]:
    """Return a function that cuts the patches out of pictures of one view.

    Beyond the picture they repeat its rim.
    """
    flat, away, length = along_the_lean(layout, pose, PATCH)
    shift = away * np.minimum(length, LONGEST_LEAN) * layout.spans[:, None]
    points = np.stack([flat + height * shift[:, None] for height in HEIGHTS])
    pixels = view.project(points).astype(np.float32)
    shape = (*pixels.shape[:3], 3)
    maps = cv2.convertMaps(pixels.reshape(-1, POINTS_ACROSS**2, 2), None, cv2.CV_16SC2)

    def cut(picture: Picture) -> Patches:
        found = cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        patches: Patches = found.reshape(shape)
        return patches

    return cut


def along_the_lean(layout: Layout, pose: Pose, places: Floats) -> tuple[Floats, Floats, Floats]:
    """Return places about each square's middle, (squares, places, 2), in board units.

    `places`, (places, 2), are steps away from the camera and across, in the square's widths. Also
    returned are the direction of the lean, (squares, 2), and its length in squares, (squares, 1).
    """
    away, length = pose.directions(layout.centres)
    across = np.column_stack([-away[:, 1], away[:, 0]])
    at: Floats = layout.centres[:, None] + layout.spans[:, None, None] * (
        places[:, :1] * away[:, None] + places[:, 1:] * across[:, None]
    )
    return at, away, length


def averaged(picture: Picture, view: BoardView, layout: Layout, across: int) -> Picture:
    """Return a picture of local means: each over one of `across` points on a square's width."""
    sides = np.diff(view.project(layout.corners)[[0, 1, 2, 3, 0]], axis=0)
    lengths = np.hypot(*sides.T) / layout.size * float(np.median(layout.spans))
    width = round(float(min(lengths[::2].mean(), lengths[1::2].mean())) / across)
    means: Picture = cv2.blur(picture, (max(width, 1), max(width, 1)))
    return means


def is_noisy(picture: Picture) -> bool:
    """Return whether pixels differ from their neighbours by more than NOISY, apart from edges."""
    middle = picture[picture.shape[0] // 4 :, picture.shape[1] // 4 :, 1][:NOISE_SEEN, :NOISE_SEEN]
    bent = cv2.filter2D(middle.astype(np.float32), -1, UNLIKE_AROUND)
    return float(np.median(np.abs(bent))) / MEDIAN > NOISY


# ------------------------------------------------------------------ features


LOG = np.log(np.arange(256) + 12.0).astype(np.float32)
"""Logarithm of brightness by grey level. Light is additive in it; the 12 keeps dark noise small."""

OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [-0.5, 0, 0.5], [-0.25, 0.5, -0.25]], np.float32).T
"""Matrix from blue, green, red to lightness, warmth and greenness."""

FEATURES = 17
"""Count of numbers in a square's features."""

PLAIN = 0.15
"""Largest usual deviation of a bare board's points from its colour, in logarithms."""

SHADOW = 0.25
"""Darkening by the shadow of an arm, in logarithms."""

GRAIN = 0.35
"""Largest deviation of a bare board by grain and shading, in logarithms."""

NOISE_MEDIANS = 3.5
NOISE_BOUNDS = (0.06, 0.4)
"""Least change of a changed point, in medians of all points' changes, and the bounds of that, in
logarithms."""

_AWAY = np.hypot(*PATCH.T)
_FOOT = _AWAY < 0.27
_DISC = _AWAY < 0.42
DISC_AWAY, DISC_ACROSS = PATCH[_DISC].T
"""A disc's points, away from the camera and across, in widths from the middle."""

_FAR, _NEAR = _DISC & (PATCH[:, 0] > 0.05), _DISC & (PATCH[:, 0] < -0.05)
_REGIONS = np.stack([_FOOT, _DISC & ~_FOOT, _FAR, _NEAR]).astype(np.float32)
_MEANS = _REGIONS / _REGIONS.sum(axis=1, keepdims=True)


def features_of(logs: Floats, empty: Floats) -> Floats:
    """Return each square's differences from its bare colour, (squares, FEATURES).

    `logs` are patches with the light taken out, (heights, squares, points, 3), and `empty` the bare
    colours, (squares, 3), both in logarithms.
    """
    count = len(empty)
    colours = (logs[0] - empty[:, None]) @ OPPONENT
    waist, top = (_MEANS[0] @ logs[1:] - empty) @ OPPONENT
    foot, rim, far, near = np.moveaxis(_MEANS @ colours, 1, 0)
    across = colours.reshape(count, *[int(len(_AWAY) ** 0.5)] * 2, 3)
    rough = [np.abs(np.diff(across[..., 0], axis=axis)).mean(axis=(1, 2)) for axis in (1, 2)]
    disc = colours[:, _DISC]
    light = disc[..., 0]
    away = np.maximum(np.maximum(light, -light - SHADOW), 0.0)
    away += np.abs(disc[..., 1]) + np.abs(disc[..., 2])
    unlike = np.clip(away / PLAIN - 1, 0.0, 1.0).mean(axis=1)
    columns = [
        foot,  # the mean colour in the middle, three numbers
        rim,  # and around it, three
        disc[..., 0].std(axis=1)[:, None],  # how unevenly light it is
        np.abs(disc[..., 1:]).mean(axis=(1, 2))[:, None],  # how colourful
        np.log(sum(rough) + 0.02)[:, None],  # how rough
        (far - near)[:, :1],  # how much lighter away from the camera than towards it
        unlike[:, None],  # the share of it that is unlike a bare board, shadows taken out
        waist,  # the mean colour above it, half a square high, three
        top,  # and a whole one, three
    ]
    return np.concatenate(columns, axis=1).astype(np.float64)


def discs(logs: Floats) -> Floats:
    """Return each square's mean colour on the board's surface, (squares, 3)."""
    means: Floats = logs[0][:, _DISC].mean(axis=1)
    return means


def whole_size(colours: Floats) -> Floats:
    """Return the sum of the absolute values of each colour's three numbers, (..., 3) to (...)."""
    # Far quicker than `sum` over so short an axis.
    size = np.abs(colours)
    return size[..., 0] + size[..., 1] + size[..., 2]


def plain_colours(means: Floats, layout: Layout, is_empty: Floats) -> Floats:
    """Return each square's colour with nothing on it, (squares, 3).

    Squares of one colour are alike but for light that falls off evenly over the board, so the empty
    ones among `means` determine all.
    """
    shade = np.array(layout.colours)
    place = (layout.centres - layout.size / 2) / (layout.size / 2)
    terms = np.column_stack([shade == 0, shade == 1, place]).astype(float)
    solution, *_ = np.linalg.lstsq(terms[is_empty], means[is_empty], rcond=None)
    colours: Floats = terms @ solution
    return colours


def unchanged_points(surface: Floats, before: Floats) -> Flags:
    """Return the unchanged points of each square's disc, (squares, points).

    Both are logarithms on the board's surface with the light taken out, (squares, points, 3). Most
    of a board does not change between two pictures, so the median change is noise.
    """
    change = whole_size((surface[:, _DISC] - before[:, _DISC]) @ OPPONENT)
    return change < np.clip(NOISE_MEDIANS * np.median(change), *NOISE_BOUNDS)


def bare_points(surface: Floats, empty: Floats) -> Flags:
    """Return the points of each square's disc that look bare, (squares, points)."""
    change = whole_size((surface[:, _DISC] - empty[:, None]) @ OPPONENT)
    return change < GRAIN


# ------------------------------------------------------------------ light


LIGHT_REACH = 1.5
"""Distance over which light is alike, in squares, as a standard deviation: shadows are soft."""

LIGHT_CHANGE = 0.12
"""Deviation from the surroundings by a piece or a hand instead of light, in logarithms: 30 grey
levels off white. At this a square has little more than half its weight left, at twice this none."""

OVERALL = 0.5
"""Weight of the whole board's change beside a square's neighbours, in squares: it decides where
hardly any neighbour can be trusted."""

LIGHT_ROUNDS = 3
"""Rounds in which the light is estimated, each without the outliers of the one before."""


def nearness(layout: Layout) -> Floats:
    """Return the weight of each square's light for each other's, (squares, squares)."""
    apart = layout.centres[:, None] - layout.centres[None]
    reach = LIGHT_REACH * np.median(layout.spans)
    near: Floats = np.exp(-0.5 * (apart**2).sum(axis=2) / reach**2)
    return near


def lightening(near: Floats, means: Floats, before: Floats) -> Floats:
    """Return the change of light on each square, (squares, 3), in logarithms.

    `means` are the squares' colours now, `before` when their occupants were last seen, and `near`
    is the board's `nearness`.
    """
    # Light changes many squares alike, a piece changes one. So a square's light is a weighted mean
    # over its neighbours, in which outliers have little weight; three rounds of that settle it. A
    # shadow with a sharp edge through a few squares stays, and looks like a piece.
    change = means - before
    lighter = np.broadcast_to(np.median(change, axis=0), change.shape)
    for _ in range(LIGHT_ROUNDS):
        doubt = ((change - lighter) ** 2).sum(axis=1) / LIGHT_CHANGE**2
        weight = np.clip(1 - doubt / 4, 0.0, None) ** 2
        total = near @ weight
        overall = (weight @ change) / max(float(weight.sum()), 1e-6)
        local = near @ (weight[:, None] * change)
        lighter = (local + OVERALL * overall) / (total + OVERALL)[:, None]
    return lighter
