"""Finds a checkered board of any colours by its own lines, without markers.

Crossings of lines are found in a small picture, each is linked to its neighbours, and linked
crossings are numbered as a lattice. A homography from lattice to picture is fitted by RANSAC, then
again with every crossing near a lattice point. Last, a window of the board's size slides over the
lattice; the board is where most inner lines divide dark from light, and fewest beyond its sides.
Diagrams and parts of larger boards are refused, and of two boards none is guessed. Lines do not
tell the corner a1: the pieces do. A board without two alternating colours, such as the disk, cannot
be found so.
"""

from functools import cache

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from rules import _

from .errors import BoardNotFound
from .geometry import (
    BoardView,
    Floats,
    Gray,
    Indices,
    orientations,
    square_grid,
    values_at,
)

Nodes = dict[int, tuple[int, int]]
"""Column and row in the lattice, by the crossing's index."""

WORKING_WIDTH = 800
"""Width in pixels to which larger pictures are reduced for the search."""

STRAIGHT = np.cos(np.radians(15))
"""Cosine of the largest angle between lines of the same direction."""

NEIGHBOURS = 24
"""Nearest crossings among which the next one along a line is searched."""

UNLIKE = 0.3
"""Largest change from one link to the next, as a share of its length: lenses and perspective change
it by less, another grid beside this one by more."""

NEAR = 0.18
"""Farthest a crossing may be from its lattice point, in squares."""

FEWEST_CROSSINGS = 9
"""Fewest crossings on common lines that define a board's plane reliably."""

GOOD_ENOUGH, SECOND = 0.62, 0.8
"""Least share of inner lines seen in a board, and in a second one that makes the picture ambiguous:
chequered cloth and the like reach three in four."""

MUCH_SMALLER = 0.5
"""Area, as a share of the best board's, below which a second one is only in the background."""

GOES_ON = 0.6
"""Clearness of the lines beyond a side, as a share of the board's own, from which the place is part
of a board with more squares."""

SPOTS = np.array([(x, y) for x in (0.14, 0.86) for y in (0.14, 0.86)])
"""Places in a square that are looked at: near its corners, where pieces stand least."""

MOST_LATTICES = 6
"""Lattices tried in one picture, of boards, diagrams, cloth and the like."""

DRAWN, DRAWN_STRAIGHT = 0.75, 4.0
"""Median unevenness of a drawn board's squares, in grey levels, and of one that is straight in the
picture, since streams blur and squeeze diagrams. Of 25 painted straight ones one is more uneven
than 3, of 13 photographed boards none less than 5."""

TILTED, UNEQUAL = 1.0, 0.02
"""Largest tilt in degrees, and largest difference of length, of a straight board's edges. Cameras
put up by hand hardly ever show one so."""


Scored = tuple[float, BoardView]
"""The share of a board's lines that is seen in a view of it, 0..1, and that view."""


def find_board(gray: Gray, side: int) -> BoardView:
    """Return the view of a board of `side` by `side` squares, its first square dark and below.

    Only the pieces can tell which corner is a1: see `orientations`. BoardNotFound: too few lines
    are seen, or two boards.
    """
    height, width = gray.shape
    scale = min(1.0, WORKING_WIDTH / max(width, height))
    small = gray
    if scale < 1:
        small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    brightest = max(float(np.percentile(small, 99)), 1.0)
    small = cv2.convertScaleAbs(small, alpha=min(230 / brightest, 4.0))
    boards = _boards(small, side)
    # Beside a board that a camera sees aslant, one that lies straight is a diagram.
    corners = square_grid(side).corners
    boards = [each for each in boards if not _is_straight(each[1], corners)] or boards
    if not boards:
        raise BoardNotFound(
            _(
                "no board of {side} × {side} squares can be made out: show all of it, from "
                "higher above and in more even light, or give its corners"
            ),
            side=side,
        )
    areas = [cv2.contourArea(view.project(corners).astype(np.float32)) for _score, view in boards]
    others = zip(boards[1:], areas[1:], strict=True)
    if any(score >= SECOND and area > MUCH_SMALLER * areas[0] for (score, _view), area in others):
        raise BoardNotFound(
            _(
                "two boards of {side} × {side} squares are in the picture: take one away, or "
                "give the corners of the one that is played on"
            ),
            side=side,
        )
    shift = (1 / scale - 1) / 2  # pixels are counted by their centres
    enlarge = np.array([[1 / scale, 0, shift], [0, 1 / scale, shift], [0, 0, 1]])
    view = BoardView(enlarge @ boards[0][1].homography, 0.0, width, height)
    # Of the two orientations with a dark first square, the one that has it lower.
    middle = np.array([side / 2, 0.0])
    return max(orientations(view, side)[::2], key=lambda each: float(each.project(middle)[1]))


def _boards(gray: Gray, side: int) -> list[Scored]:
    """Return the boards in a picture, likeliest first: none over another, and no drawn ones."""
    points, ways = find_crossings(gray)
    candidates = [_candidate(gray, points, nodes, side) for nodes in _lattices(points, ways)]
    good = [each for each in candidates if each is not None and each[0] >= GOOD_ENOUGH]
    apart: list[Scored] = []
    for score, view in sorted(good, key=lambda each: each[0], reverse=True):
        if all(_are_apart(view, other, side) for _score, other in apart):
            apart.append((score, view))
    return [each for each in apart if not _is_drawn(gray, each[1], side)]


def _is_drawn(gray: Gray, view: BoardView, side: int) -> bool:
    """Return whether a board is a diagram: its squares of one colour are all alike.

    On any other board wood is grained, and light uneven.
    """
    columns, rows = np.indices((side, side)).reshape(2, -1)
    points = np.stack([columns, rows], -1)[:, None] + 0.5 + 0.8 * (SPOTS - 0.5)
    squares = np.median(values_at(gray, view.project(points)), axis=1)
    shades = [squares[(columns + rows) % 2 == shade] for shade in (0, 1)]
    uneven = max(float(np.median(np.abs(each - np.median(each)))) for each in shades)
    corners = square_grid(side).corners
    may_be_beside = _is_straight(view, corners) and not view.is_cut_out(corners)
    return uneven < (DRAWN_STRAIGHT if may_be_beside else DRAWN)


def _is_straight(view: BoardView, corners: Floats) -> bool:
    """Return whether a board's edges are as upright, level and equal as if drawn."""
    outline = view.project(corners)
    edges = np.roll(outline, -1, axis=0) - outline
    lengths = np.hypot(*edges.T)
    tilt = np.abs(edges).min(axis=1) / lengths
    is_even = lengths.max() < (1 + UNEQUAL) * lengths.min()
    return bool(is_even and tilt.max() < np.sin(np.radians(TILTED)))


def _are_apart(one: BoardView, other: BoardView, side: int) -> bool:
    """Return whether neither of two boards holds the other's middle."""
    middle = np.full((1, 2), side / 2)
    away = [a.locate(b.project(middle)) - middle for a, b in ((one, other), (other, one))]
    return bool(np.min(np.abs(away).max(axis=-1)) > side / 2)


# ------------------------------------------------------------------ crossings


MOST_CROSSINGS = 1000
MOST_SADDLES = 2000
"""Crossings kept, and points in each scale that may be one: the clearest."""

LEAST_SADDLE = 80.0
"""Least strength of a crossing's saddle, times the blur to the fourth, by which saddles shrink."""

RING_POINTS = 48
RING = np.column_stack(
    [turn(np.arange(RING_POINTS) * (2 * np.pi / RING_POINTS)) for turn in (np.cos, np.sin)]
)
"""Points around a crossing at which its surroundings are sampled, as unit vectors."""

BLUR, COARSE_BLUR = 1.5, 2.0
"""Blur of the picture and of one half its size, in their own pixels: fine for small boards, coarse
for soft ones."""


def find_crossings(gray: Gray) -> tuple[Floats, Floats]:
    """Return the clearest crossings of a picture: pixels (n, 2), and their ways (n, 2, 2).

    Two dark squares meet two light ones at each. Its two ways are unit vectors along the lines that
    cross there; turning from the first to the second in the picture goes through a dark square.
    """
    size = (gray.shape[1] // 2, gray.shape[0] // 2)
    half = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
    # Lines drawn between squares hide the crossing of the squares themselves, so a third picture
    # has everything removed that is light or dark for two pixels or less.
    spot = np.ones((3, 3), np.uint8)
    light_gone = cv2.morphologyEx(half, cv2.MORPH_OPEN, spot)
    lines_gone = cv2.morphologyEx(light_gone, cv2.MORPH_CLOSE, spot)
    found = [_at_scale(gray, 1, BLUR)]
    found += [_at_scale(each, 2, COARSE_BLUR) for each in (half, lines_gone)]
    points, ways, clear = (np.concatenate(each) for each in zip(*found, strict=True))
    order = clear.argsort()[::-1]
    kept: list[int] = []
    taken = np.zeros(gray.shape, bool)
    for index in order:
        x, y = np.round(points[index]).astype(int)
        if not taken[max(y, 0) : y + 1, max(x, 0) : x + 1].any():
            kept.append(index)
            taken[max(y - 4, 0) : y + 5, max(x - 4, 0) : x + 5] = True
        if len(kept) == MOST_CROSSINGS:
            break
    return points[kept], ways[kept]


def _at_scale(gray: Gray, smaller: int, blur: float) -> tuple[Floats, Floats, Floats]:
    """Return saddles of brightness whose surroundings alternate four times, at one scale.

    They are crossings as `find_crossings` has them, with the clearness of each, (n,).
    """
    smooth = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), blur)
    xx = cv2.Sobel(smooth, cv2.CV_32F, 2, 0, ksize=3)
    yy = cv2.Sobel(smooth, cv2.CV_32F, 0, 2, ksize=3)
    xy = cv2.Sobel(smooth, cv2.CV_32F, 1, 1, ksize=3)
    saddle = xy * xy - xx * yy
    reach = 2 * round(2 * blur) + 1
    peaks = (saddle == cv2.dilate(saddle, np.ones((reach, reach), np.uint8))) & (
        saddle * blur**4 > LEAST_SADDLE
    )
    margin = round(5 * blur)
    peaks[:margin] = peaks[-margin:] = False
    peaks[:, :margin] = peaks[:, -margin:] = False
    rows, columns = np.nonzero(peaks)
    if len(rows) > MOST_SADDLES:
        strongest = np.argpartition(saddle[rows, columns], -MOST_SADDLES)[-MOST_SADDLES:]
        rows, columns = rows[strongest], columns[strongest]
    if not len(rows):
        return np.empty((0, 2)), np.empty((0, 2, 2)), np.empty(0)
    points = np.column_stack([columns, rows]).astype(float)
    points += _to_the_peak(saddle, rows, columns)
    ways, clear = _ways(smooth, points, 3.5 * blur)
    good = clear > 0.0
    return points[good] * smaller + (smaller - 1) / 2, ways[good], clear[good]


def _to_the_peak(saddle: Gray, rows: Indices, columns: Indices) -> Floats:
    """Return the subpixel offset of each peak, by a parabola each way, (n, 2)."""
    shifts = []
    for down, right in ((0, 1), (1, 0)):
        before = saddle[rows - down, columns - right]
        after = saddle[rows + down, columns + right]
        bend = before - 2 * saddle[rows, columns] + after
        shifts.append(0.5 * (before - after) / np.minimum(bend, -1e-6))
    to_the_peak: Floats = np.clip(np.column_stack(shifts), -0.5, 0.5)
    return to_the_peak


def _ways(smooth: Gray, points: Floats, radius: float) -> tuple[Floats, Floats]:
    """Return each crossing's two ways, and its likeness to four sectors: at most 1, 0 for none.

    The directions of least curvature would tell the ways as well, but not where thin lines are
    drawn between the squares.
    """
    around = (points[:, None] + radius * RING).astype(np.float32)
    values = cv2.remap(smooth, around[..., 0], around[..., 1], cv2.INTER_LINEAR)
    values -= values.mean(axis=1, keepdims=True)
    spread = values.std(axis=1)
    half = RING_POINTS // 2
    opposite = values[:, :half] + values[:, half:]  # sectors that face each other are alike
    pairs, patterns = _patterns()
    likeness = opposite @ patterns.T / (RING_POINTS * np.maximum(spread, 1e-6)[:, None])
    best = np.abs(likeness).argmax(axis=1)
    alike = likeness[np.arange(len(points)), best]
    lines = pairs[best]
    lines = np.where(alike[:, None] > 0, lines[:, ::-1], lines)
    symmetry = np.abs(values[:, :half] - values[:, half:]).mean(axis=1) / np.maximum(spread, 1e-6)
    good = (np.abs(alike) > 0.75) & (symmetry < 0.9) & (spread > 3.0)
    clear = np.where(good, np.abs(alike) * np.minimum(spread / 20, 1.0) ** 0.5, 0.0)
    return RING[lines], clear


@cache
def _patterns() -> tuple[Indices, Floats]:
    """Return pairs of ring points, and half a ring's look with lines through each pair.

    Between the first point of a pair and the second a pattern is light.
    """
    half = RING_POINTS // 2
    least = RING_POINTS // 10
    at = np.arange(half)
    apart = at - at[:, None]
    pairs = np.argwhere((apart >= least) & (apart <= half - least))
    first, second = pairs[:, :1], pairs[:, 1:]
    patterns = np.sign((at - first) * (second - at)).astype(float)
    patterns -= patterns.mean(axis=1, keepdims=True)
    patterns /= patterns.std(axis=1, keepdims=True)
    return pairs, patterns.astype(np.float32)


# ------------------------------------------------------------------ crossings to lattices


def _lattices(points: Floats, ways: Floats) -> list[Nodes]:
    """Return sets of crossings on common lines, the largest first."""
    links = _links(points, ways)
    lattices: list[Nodes] = []
    numbered: set[int] = set()
    for start in range(len(points)):
        if start in numbered:
            continue
        nodes = _grow(points, links, start)
        numbered |= nodes.keys()
        if len(nodes) >= FEWEST_CROSSINGS:
            lattices.append(nodes)
    return sorted(lattices, key=len, reverse=True)[:MOST_LATTICES]


def _links(points: Floats, ways: Floats) -> Indices:
    """Return each crossing's neighbours, (n, 4): along +first, +second, -first, -second; or -1.

    Neighbours are coloured the other way round: the first way of one is the second of the other.
    Only links that lead back as well are kept.
    """
    count = len(points)
    links = np.full((count, 4), -1)
    if count < 2:
        return links
    apart = points[None] - points[:, None]
    near = np.argsort((apart**2).sum(axis=2), axis=1)[:, 1 : NEIGHBOURS + 1]
    away = np.take_along_axis(apart, near[..., None], axis=1)
    distance = np.hypot(away[..., 0], away[..., 1])
    rows = np.arange(count)
    for way in (0, 1):
        alike = np.abs(np.einsum("ijk,ik->ij", ways[near, 1 - way], ways[:, way])) > STRAIGHT
        along = np.einsum("ijk,ik->ij", away, ways[:, way]) / distance
        for back in (0, 1):
            # Six pixels: what is nearer is the same crossing, found in another scale.
            fits = alike & ((-along if back else along) > STRAIGHT) & (distance > 6)
            first = fits.argmax(axis=1)  # the nearest, for they are in order
            links[:, way + 2 * back] = np.where(fits[rows, first], near[rows, first], -1)
    holds = (links[links] == rows[:, None, None]).any(axis=2)
    return np.where(holds, links, -1)


def _grow(points: Floats, links: Indices, start: int) -> Nodes:
    """Number the crossings that can be reached by links, from (0, 0).

    Each link must be about as long as the one before it: beyond a board may be another grid.
    """
    nodes: Nodes = {start: (0, 0)}
    ends = [links[start, way::2] for way in (0, 1)]
    first = [points[end[end >= 0][0]] - points[start] for end in ends if (end >= 0).any()]
    steps = {start: np.array(first)}  # the way to the next column and row, by crossing
    waiting = [start] if len(first) == 2 else []
    for here in waiting:
        lengths = np.hypot(*steps[here].T)
        for there in links[here][links[here] >= 0].tolist():
            away = points[there] - points[here]
            along = steps[here] @ away / lengths
            axis = int(np.abs(along).argmax())
            sign = 1 if along[axis] > 0 else -1
            unlike = np.hypot(*(sign * away - steps[here][axis]))
            if there in nodes or unlike > UNLIKE * lengths[axis]:
                continue
            column, row = nodes[here]
            nodes[there] = (column, row + sign) if axis else (column + sign, row)
            steps[there] = steps[here].copy()
            steps[there][axis] = sign * away
            waiting.append(there)
    return nodes


# ------------------------------------------------------------------ lattices to boards


def _candidate(gray: Gray, points: Floats, nodes: Nodes, side: int) -> Scored | None:
    """Fit a plane to a lattice, take in every crossing near it, and slide the board over it."""
    homography = _plane_of(points, nodes)
    if homography is None:
        return None
    places = np.array(list(nodes.values()))
    for _round in range(2):
        nodes = _matched(points, homography, places.min(axis=0) - 2, places.max(axis=0) + 2)
        places = np.array(list(nodes.values())).reshape(-1, 2)
        refitted = _plane_of(points, nodes)
        if refitted is None:
            return None
        homography = refitted
    return _best_window(gray, homography, places, side)


def _plane_of(points: Floats, nodes: Nodes) -> Floats | None:
    """Return the homography from lattice to picture; None for crossings that define none."""
    places = np.array(list(nodes.values()), float).reshape(-1, 2)
    if len(places) < FEWEST_CROSSINGS or min(len(set(column)) for column in places.T.tolist()) < 3:
        return None
    pixels = points[list(nodes)]
    pitch = float(np.sqrt(np.ptp(pixels, axis=0).prod() / np.ptp(places, axis=0).prod()))
    found, _ = cv2.findHomography(places, pixels, cv2.RANSAC, max(0.08 * pitch, 1.5))
    homography: Floats | None = found
    return homography


def _matched(points: Floats, homography: Floats, least: Indices, most: Indices) -> Nodes:
    """Return the crossing nearest to each lattice point from `least` to `most`."""
    at = BoardView(homography, 0.0, 1, 1).locate(points)
    places = np.round(at)
    away = np.abs(at - places).max(axis=1)
    fits = (away < NEAR) & ((least <= places) & (places <= most)).all(axis=1)
    nearest_last = np.flatnonzero(fits)[np.argsort(-away[fits])]
    at_place = {
        (int(x), int(y)): int(n)
        for n, (x, y) in zip(nearest_last, places[nearest_last], strict=True)
    }
    return {crossing: place for place, crossing in at_place.items()}


def _best_window(gray: Gray, homography: Floats, places: Indices, side: int) -> Scored | None:
    """Return the board of `side` squares whose inner lines divide light from dark best.

    None if the squares go on beyond it: that board has more of them.
    """
    origin = places.min(axis=0) - side + 1
    spans = tuple((places.max(axis=0) + side - 1 - origin).tolist())
    upright, across, is_seen = _steps(gray, homography, origin, spans, side)
    is_whole = _sums(is_seen, side, side) == side**2
    inner = (_sums(upright, side - 1, side) + _sums(across, side, side - 1)) * is_whole
    around = [np.pad(each, 1) for each in (upright, across)]
    wider = [
        _sums(around[0], side - 1, side + 2)[1:-1],
        _sums(around[1], side + 2, side - 1)[:, 1:-1],
    ]
    # Lines beyond a side count against the window. Otherwise a window one rank off, which has all
    # but one line of the board and the frame for it, could score as well as the board.
    clear = (2 * inner - wider[0] - wider[1]) * is_whole
    column, row = (int(at) for at in np.unravel_index(np.abs(clear).argmax(), clear.shape))
    score = float(inner[column, row]) / (2 * side * (side - 1))
    beyond = _beyond(np.sign(score) * upright, np.sign(score) * across, column, row, side)
    if any(each > GOES_ON * abs(score) for each in beyond):
        return None
    shift = np.array([[1.0, 0, origin[0] + column], [0, 1, origin[1] + row], [0, 0, 1]])
    placed = homography @ shift
    if np.linalg.det(placed) / placed[2, 2] ** 3 > 0:  # seen from below: swap files and ranks
        placed = placed @ np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]])
    if (score < 0) != bool((column + row) % 2):  # a quarter turn makes the first square dark
        placed = placed @ np.array([[0.0, -1, side], [1, 0, 0], [0, 0, 1]])
    height, width = gray.shape
    return abs(score), BoardView(placed, 0.0, width, height)


def _sums(values: Floats, columns: int, rows: int) -> Floats:
    """Return the sum in each window of `columns` by `rows`."""
    sums: Floats = sliding_window_view(values, (columns, rows)).sum(axis=(2, 3))
    return sums


def _beyond(upright: Floats, across: Floats, column: int, row: int, side: int) -> list[float]:
    """Return the clearness of alternating squares in the row beyond each side.

    They must alternate among themselves and against the board's own: tall pieces that lean over the
    rim, or their shadows, may do the one, a plain frame the other.
    """
    columns, rows = slice(column, column + side), slice(row, row + side)
    along, beside = slice(column, column + side - 1), slice(row, row + side - 1)
    lines = [
        (upright[along, beyond], across[columns, between])
        for beyond, between in ((row - 1, row - 1), (row + side, row + side - 1))
        if 0 <= beyond < upright.shape[1]
    ]
    lines += [
        (across[beyond, beside], upright[between, rows])
        for beyond, between in ((column - 1, column - 1), (column + side, column + side - 1))
        if 0 <= beyond < across.shape[0]
    ]
    return [float(min(own.mean(), step.mean())) for own, step in lines]


def _steps(
    gray: Gray, homography: Floats, origin: Indices, spans: tuple[int, int], side: int
) -> tuple[Floats, Floats, Floats]:
    """Return the clearness of the step between neighbours, -1..1; positive: dark first square.

    The first array is for neighbours along a row, the second for those along a column. The third
    is 1 for squares in the picture, else 0.
    """
    columns, rows = np.meshgrid(*(np.arange(n) for n in spans), indexing="ij")
    corners = np.stack([columns, rows], -1) + origin
    points = corners[:, :, None] + SPOTS
    lifted = points @ homography[:, :2].T + homography[:, 2]
    lifted[lifted[..., 2] * homography[2, 2] <= 0] = np.nan  # beyond the horizon
    pixels = lifted[..., :2] / lifted[..., 2:]
    is_within = np.all((pixels >= 0) & (pixels <= np.subtract(gray.shape[::-1], 1)), axis=-1)
    smooth = cv2.GaussianBlur(gray, (0, 0), 1.2).astype(np.float32)
    values = np.where(is_within, values_at(smooth, pixels), np.nan)
    upright = np.nan_to_num(values[1:, :, (0, 1)] - values[:-1, :, (2, 3)]).mean(axis=2)
    across = np.nan_to_num(values[:, 1:, (0, 2)] - values[:, :-1, (1, 3)]).mean(axis=2)
    core = (slice(side - 1, 1 - side),) * 2  # the part that has crossings
    typical = np.percentile(np.abs(np.append(upright[core], across[core])), 60)
    clear = [np.tanh(steps / max(0.5 * typical, 3.0)) for steps in (upright, across)]
    is_seen = is_within.any(axis=2).astype(float)
    parity = np.where((columns + rows) % 2, -1.0, 1.0)
    return clear[0] * parity[:-1], clear[1] * parity[:, :-1], is_seen
