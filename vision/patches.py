"""Cuts one patch a square out of a picture, and says in numbers what it looks like.

Brightness is taken as a logarithm, so that a lamp twice as strong adds a constant, which
`lightening` takes out: lamps that dim, clouds, and the shadow of somebody passing. Colours are
lightness, warmth and greenness, and all features are differences from what the bare square would
show. They say nothing of what a piece is called, and do not know that others hide it.
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


def patch_cutter(view: BoardView, layout: Layout, pose: Pose) -> Callable[[Picture], Patches]:
    """Return what cuts the patches out of a picture of one view.

    Beyond the picture's rim they repeat what is on it.
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


def averaged(picture: Picture, view: BoardView, layout: Layout, across: int) -> Picture:
    """Return a picture each pixel of which is the mean of those around it.

    Of as many as a point stands for where there are `across` of them on a square's width.
    """
    sides = np.diff(view.project(layout.corners)[[0, 1, 2, 3, 0]], axis=0)
    lengths = np.hypot(*sides.T) / layout.size * float(np.median(layout.spans))
    width = round(float(min(lengths[::2].mean(), lengths[1::2].mean())) / across)
    means: Picture = cv2.blur(picture, (max(width, 1), max(width, 1)))
    return means


def is_noisy(picture: Picture) -> bool:
    """Whether pixels differ from those around them by more than NOISY, whatever is shown."""
    middle = picture[picture.shape[0] // 4 :, picture.shape[1] // 4 :, 1][:NOISE_SEEN, :NOISE_SEEN]
    bent = cv2.filter2D(middle.astype(np.float32), -1, UNLIKE_AROUND)
    return float(np.median(np.abs(bent))) / MEDIAN > NOISY


# ------------------------------------------------------------------ features


LOG = np.log(np.arange(256) + 12.0).astype(np.float32)
"""Brightness as its logarithm, so that light is added; dark noise is kept small."""

OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [-0.5, 0, 0.5], [-0.25, 0.5, -0.25]], np.float32).T
"""Blue, green, red to lightness, warmth and greenness."""

FEATURES = 17
"""How many numbers `features_of` makes of a square."""

PLAIN = 0.15
"""How far most of a bare board's points go from its colour at most, in logarithms."""

SHADOW = 0.25
"""How far the shadow of an arm darkens what stays the same, in logarithms."""

GRAIN = 0.35
"""How far a bare board's own grain and shading go, in logarithms."""

NOISE = 3.5
NOISE_BOUNDS = (0.06, 0.4)
"""A point that differs by more has changed: by so many medians of all differences, kept within
these bounds, in logarithms."""

_AWAY = np.hypot(*PATCH.T)
_FOOT = _AWAY < 0.27
_DISC = _AWAY < 0.42
DISC_AWAY, DISC_ACROSS = PATCH[_DISC].T
"""Where the points of a disc lie away from the camera and across, in widths from the middle."""

_FAR, _NEAR = _DISC & (PATCH[:, 0] > 0.05), _DISC & (PATCH[:, 0] < -0.05)
_REGIONS = np.stack([_FOOT, _DISC & ~_FOOT, _FAR, _NEAR]).astype(np.float32)
_MEANS = _REGIONS / _REGIONS.sum(axis=1, keepdims=True)


def features_of(logs: Floats, empty: Floats) -> Floats:
    """Return (squares, FEATURES): how a square differs from `empty`, its colour with nothing on it.

    `logs` are patches with the light taken out, (heights, squares, points, 3), and `empty` is
    (squares, 3), both in logarithms.
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
    """Return the sum of the sizes of each colour's three numbers.

    Far quicker than a sum over so short an axis.
    """
    size = np.abs(colours)
    return size[..., 0] + size[..., 1] + size[..., 2]


def plain_colours(means: Floats, layout: Layout, is_empty: Floats) -> Floats:
    """Return what each square would show with nothing on it, (squares, 3).

    Squares of one colour are alike but for light that falls off evenly over the board; the empty
    ones among `means` tell it of all.
    """
    shade = np.array(layout.colours)
    place = (layout.centres - layout.size / 2) / (layout.size / 2)
    terms = np.column_stack([shade == 0, shade == 1, place]).astype(float)
    solution, *_ = np.linalg.lstsq(terms[is_empty], means[is_empty], rcond=None)
    colours: Floats = terms @ solution
    return colours


def unchanged_points(surface: Floats, before: Floats) -> Flags:
    """Return which points of each square's disc look as they did, (squares, points).

    Both are logarithms on the board's surface with the light taken out, (squares, points, 3). Most
    of a board does not change between two pictures, which tells what noise is.
    """
    change = whole_size((surface[:, _DISC] - before[:, _DISC]) @ OPPONENT)
    return change < np.clip(NOISE * np.median(change), *NOISE_BOUNDS)


def bare_points(surface: Floats, empty: Floats) -> Flags:
    """Return which points of each square's disc look like its own bare surface."""
    change = whole_size((surface[:, _DISC] - empty[:, None]) @ OPPONENT)
    return change < GRAIN


# ------------------------------------------------------------------ light


REACH = 1.5
"""How far light is alike, in squares, as the width of a bell curve: shadows of people are soft."""

CHANGE = 0.12
"""What differs more from its surroundings is a piece or a hand, not light; in logarithms, 30 grey
levels off white. At this a square has little more than half its say left, at twice this none."""

OVERALL = 0.5
"""The board's overall change counts for half a square beside those around: where nearly nothing can
be trusted, it must do."""

ROUNDS = 3
"""How often the light is reckoned, each time without what the last time differed from it."""


def nearness(layout: Layout) -> Floats:
    """Return how much each square's light tells of each other's, (squares, squares)."""
    apart = layout.centres[:, None] - layout.centres[None]
    near: Floats = np.exp(-0.5 * (apart**2).sum(axis=2) / (REACH * np.median(layout.spans)) ** 2)
    return near


def lightening(near: Floats, means: Floats, before: Floats) -> Floats:
    """Return how much lighter each square has become, (squares, 3), in logarithms.

    `means` are the squares' colours now, `before` when what stood there was last seen, and `near`
    is the board's `nearness`. Light changes alike over many squares, a piece changes one. So the
    change around a square is a weighted mean over its neighbours, in which squares that differ from
    it have little say; three rounds of that settle it. A shadow with a sharp edge that runs through
    a few squares stays, and looks like a piece.
    """
    change = means - before
    lighter = np.broadcast_to(np.median(change, axis=0), change.shape)
    for _ in range(ROUNDS):
        doubt = ((change - lighter) ** 2).sum(axis=1) / CHANGE**2
        weight = np.clip(1 - doubt / 4, 0.0, None) ** 2
        total = near @ weight
        overall = (weight @ change) / max(float(weight.sum()), 1e-6)
        local = near @ (weight[:, None] * change)
        lighter = (local + OVERALL * overall) / (total + OVERALL)[:, None]
    return lighter
