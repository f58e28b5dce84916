"""Finds the board in a picture, by markers, given corners or its own lines, and follows it.

Its lines are aligned with the picture's to a part of a pixel, and a disk's rings are measured. A
bump that has moved board and camera against each other is measured by all that both pictures show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike

from rules import RING_RADII, Sentence, _

from .errors import BadHint, BoardNotFound
from .geometry import (
    BoardView,
    Edges,
    Flags,
    Floats,
    Gray,
    Layout,
    Lens,
    Picture,
    adjust,
    fit_view,
    orientations,
    values_at,
)
from .lattice import find_board
from .markers import DICTIONARY, Markers, find_markers

SCALES = np.linspace(0.6, 0.99, 79)
"""Sizes tried for a board whose size is not in the markers' file: shares of the way from the middle
to the markers."""

FOUND = 0.3
"""Least share of a board's lines seen in one that was found."""

NOT_THERE = _("no board lies where its {how} say: look whether they are this board's")

MIRRORED = _(
    "the markers show that the picture is mirrored, which would swap left and right on the board: "
    "turn mirroring off where the camera is set; phones call it the selfie view"
)

MAY_BE_MIRRORED = _(
    "the corner at Black's left hand looks light, as in a mirrored picture, which would swap left "
    "and right on the board"
)
NOT_MIRRORED = _(
    "turn mirroring off where the camera is set; phones call it the selfie view. If your board is "
    "made so, name its corners"
)

DARK = 40
"""Grey level, of 255, above which a dark picture has less than a hundredth of its pixels."""

TOO_DARK = _("the picture is dark: give it more light, or a longer exposure")

ENOUGH_LINES = 0.7
"""Least share of the lines seen by markers that were enough to tell the board's far side."""

STILL_THERE = 0.85
"""Share of the lines first seen from which a view is kept as it is."""

BETTER = 0.1
"""Share of the lines by which another view must be better to be taken instead."""

LOST = 0.35
"""Share of the lines first seen below which a view is given up and the board searched for."""


@dataclass(frozen=True)
class BoardPlace:
    """A board found in a picture."""

    view: BoardView
    layout: Layout
    """The layout in the picture: a disk's rings are measured."""
    support: float
    """Share of the board's lines that is seen, 0..1."""
    sign: int
    """1 for a dark a1, -1 for a light one."""
    how: Sentence
    """The means by which it was found: `markers`, `corners` or `lines`."""
    is_bumped: bool = False
    """True for the place before moved by a bump, along with all its surroundings."""

    @property
    def may_be_mirrored(self) -> bool:
        """True where lines alone tell, and a1 is light: so it is in any mirrored picture.

        Few boards are made so.
        """
        return self.how == "lines" and self.sign < 0

    @cached_property
    def lines(self) -> LineProfiles:
        """Profiles across its lines, by which each frame is checked."""
        return LineProfiles(self.view, self.layout.edges)


class BoardFinder:
    """Finds a board, and follows it when it or the camera is moved.

    `corners` are the pixels of a1's corner, the last file's, the opposite one and the last rank's;
    on the disk those of the square around it. `lens` is the camera's measured lens.
    """

    def __init__(
        self,
        layout: Layout,
        markers: Markers | None = None,
        corners: Floats | None = None,
        lens: Lens | None = None,
    ) -> None:
        self._layout = layout
        self._markers = markers
        self._dictionary = markers.dictionary if markers else DICTIONARY
        self._corners = None if corners is None else checked_corners(corners)
        self._lens = lens
        self._learned: dict[int, Floats] = {}
        self._before: Gray | None = None

    def find(self, picture: Picture) -> BoardPlace:
        """Return the board's place. BoardNotFound: it cannot be made out, or is mirrored.

        After it was found by its own lines, only the pieces can tell which side is whose: see
        `geometry.orientations`.
        """
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        self._bare(gray)  # a wrong lens is refused first: more light would not help then
        try:
            return self._found(gray)
        except BoardNotFound:
            if np.percentile(gray, 99) < DARK:
                raise BoardNotFound(TOO_DARK) from None
            raise

    def _found(self, gray: Gray) -> BoardPlace:
        by_markers = self._by_markers(gray)
        if by_markers is not None and _seen(by_markers).support < ENOUGH_LINES:
            by_lines = self._lined_like(gray, by_markers)
            if by_lines is not None and by_lines.support > by_markers.support:
                return by_lines
        if by_markers is not None:
            return by_markers
        if self._is_mirrored(gray):
            raise BoardNotFound(MIRRORED)
        if self._corners is not None:
            return self._by_corners(gray, self._corners)
        return self._by_lines(gray)

    def learn(self, picture: Picture, place: BoardPlace) -> None:
        """Learn the places of loose cards beside the board, to find it again by them."""
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        for number, quad in find_markers(gray, self._dictionary).items():
            self._learned[number] = place.view.locate(quad)
        self._before = gray

    def follow(self, picture: Picture, place: BoardPlace) -> BoardPlace | None:
        """Return the place of a board that was at `place`; None for one out of sight."""
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        found = self._followed(gray, place)
        if found is not None:
            self._before = gray
        return found

    def _followed(self, gray: Gray, place: BoardPlace) -> BoardPlace | None:
        # From cheap to dear: most frames show the board where it was, and the sharp picture tells
        # that in a few milliseconds. All else is seldom, and takes up to a search of the picture.
        if place.lines.support(gray, place.sign) >= STILL_THERE * place.support:
            return place
        # Smoothed from here on: noise has steps everywhere, which pass for lines that are gone.
        now = place.lines.support(smooth(gray), place.sign)
        near = _laid(gray, place, place.view)
        if near.support < now + BETTER and now >= LOST * place.support:
            return place  # a hand covers some of it
        tried = []
        for there in filter(None, self._elsewhere(gray, place, near)):
            if there.support >= STILL_THERE * place.support:
                return there
            tried.append(there)  # lines that lie on others of the board's lines look so, too
        best = max(tried, key=lambda each: each.support + BETTER * each.is_bumped)
        return best if best.support >= LOST * place.support else None

    def _elsewhere(
        self, gray: Gray, place: BoardPlace, near: BoardPlace
    ) -> Iterator[BoardPlace | None]:
        """Yield where a board may have moved to, found by cheap ways and then by dear ones."""
        yield self._bumped(gray, place)
        yield near
        yield self._by_markers(gray)
        yield self._lined_like(gray, place)

    def _bumped(self, gray: Gray, place: BoardPlace) -> BoardPlace | None:
        """Return the board after a bump that moved the whole picture; None if there was none."""
        motion = None if self._before is None else motion_between(self._before, gray)
        if motion is None:
            return None
        corners = place.view.project(place.layout.corners)
        moved = cv2.perspectiveTransform(corners[None], motion)[0]
        there = _laid(gray, place, fit_view(place.layout.corners, moved, place.view))
        return replace(there, is_bumped=True)

    def _lined_like(self, gray: Gray, place: BoardPlace) -> BoardPlace | None:
        """Return the board by its lines, oriented as at `place`; None if they show none."""
        if place.layout.side is None:
            return None
        try:
            found = self._lined(gray, place.layout.side)
        except BoardNotFound:
            return None
        before = place.view.project(place.layout.corners)
        nearest = min(
            orientations(found, place.layout.side),
            key=lambda view: float(np.abs(view.project(place.layout.corners) - before).sum()),
        )
        return _laid(gray, place, nearest)

    def _by_markers(self, gray: Gray) -> BoardPlace | None:
        if not self._learned and (self._markers is None or not self._markers.corners):
            return None
        found = find_markers(gray, self._dictionary)
        # Each size that is tried puts a disk's rings elsewhere in the picture, so `_clearness`
        # measures them anew for each: measured once they would favour that size.
        tried: list[Mapping[int, Floats]] = [{}]
        if self._markers is not None:
            known, size = self._markers.half_size, self._layout.size
            reach = max((np.abs(quad).max() for quad in self._markers.corners.values()), default=1)
            sizes = [known] if known else SCALES * reach
            tried = [self._markers.on_board(size, float(half_size)) for half_size in sizes]
        views = [self._between(gray, found, {**self._learned, **each}) for each in tried]
        best = max(filter(None, views), key=lambda view: self._clearness(gray, view), default=None)
        return self._fitted(gray, best, _("markers")) if best else None

    def _is_mirrored(self, gray: Gray) -> bool:
        """Return whether markers or cards are seen in the picture's mirror image alone.

        Of 415 photographs and rendered pictures that are not mirrored, none has a single one there.
        """
        return (
            len(find_markers(gray, self._dictionary))
            < 2
            <= len(find_markers(cv2.flip(gray, 1), self._dictionary))
        )

    def _clearness(self, gray: Gray, view: BoardView) -> float:
        """Return how well a view suits the picture; a disk must end with its sectors."""
        layout = measure_rings(gray, view, self._layout)
        rim = rim_clearness(gray, view, layout) if layout.side is None else 0.0
        return LineProfiles(view, layout.edges).support(gray, 1) + rim

    def _between(
        self, gray: Gray, found: Mapping[int, Floats], on_board: Mapping[int, Floats]
    ) -> BoardView | None:
        """Return the board between the markers seen; None for fewer than two of them."""
        numbers = sorted(found.keys() & on_board.keys())
        if len(numbers) < 2:
            return None
        return fit_view(
            np.concatenate([on_board[number] for number in numbers]),
            np.concatenate([found[number] for number in numbers]),
            self._bare(gray),
        )

    def _by_corners(self, gray: Gray, corners: Floats) -> BoardPlace:
        """Return the board between given corners, or so turned by its lines, if clearly better.

        A board whose lines are not seen at all is where people say, with a `support` below FOUND.
        """
        view = fit_view(self._layout.corners, corners, self._bare(gray))
        fitted = self._fitted(gray, view, _("corners"))
        if fitted.support >= FOUND:
            return fitted
        there = replace(fitted, view=view)
        by_lines = self._lined_like(gray, replace(there, sign=0))  # those fitted may be others
        if by_lines is not None and by_lines.support >= fitted.support + BETTER:
            return replace(by_lines, how=_("lines"))
        share = there.lines.support(smooth(gray), there.sign)
        return replace(there, support=min(share, fitted.support))

    def _by_lines(self, gray: Gray) -> BoardPlace:
        if self._layout.side is None:
            raise BoardNotFound(_("a round board is found by markers or corners: give --corners"))
        return _seen(self._fitted(gray, self._lined(gray, self._layout.side), _("lines")))

    def _lined(self, gray: Gray, side: int) -> BoardView:
        """Return the board by its lines, searched in a picture without the lens's distortion."""
        lens = self._bare(gray).measured
        if lens is None:
            return find_board(gray, side)
        straight, back = lens.straightened(gray)
        found = find_board(straight, side)
        return replace(found, homography=back @ found.homography, measured=lens)

    def _bare(self, gray: Gray) -> BoardView:
        """Return a picture's size and lens; BoardNotFound for a picture of another lens."""
        height, width = gray.shape
        measured = self._lens.of_size(width, height) if self._lens else None
        if self._lens and measured is None:
            raise BoardNotFound(
                _(
                    "the lens was measured in pictures of {width} × {height}, these are of "
                    "{other_width} × {other_height}: measure it in their shape"
                ),
                width=self._lens.width,
                height=self._lens.height,
                other_width=width,
                other_height=height,
            )
        return BoardView(np.eye(3), 0.0, width, height, measured)

    def _fitted(self, gray: Gray, view: BoardView, how: Sentence) -> BoardPlace:
        layout = measure_rings(gray, view, self._layout)
        return _laid(gray, BoardPlace(view, layout, 0.0, 0, how), view)


def _seen(place: BoardPlace) -> BoardPlace:
    """Return a place that shows the board's lines; BoardNotFound for one that does not."""
    if place.support < FOUND:
        raise BoardNotFound(NOT_THERE, how=place.how)
    return place


def _laid(gray: Gray, place: BoardPlace, view: BoardView) -> BoardPlace:
    """Return a place with its lines aligned with a picture's, from a nearly right `view`."""
    view, share, sign = align(smooth(gray), view, place.layout, place.sign)
    return BoardPlace(view, place.layout, share, sign, place.how)


def line_of(picture: Picture, place: BoardPlace) -> tuple[float, float]:
    """Return the typical step between a dark and a light square: grey levels, and pixels wide."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    edges = place.layout.edges
    away = np.linspace(-0.2, 0.2, 41)
    points = edges.points[:, None] + edges.normals[:, None] * away[:, None]
    profile = place.sign * np.median(values_at(gray, place.view.project(points)), axis=0)
    low, high = float(profile[:8].mean()), float(profile[-8:].mean())
    step = max(high - low, 1.0)
    is_between = (profile > low + 0.1 * step) & (profile < high - 0.1 * step)
    unit = float(np.median(place.view.square_px(edges.points)))
    return step, float(is_between.sum() * (away[1] - away[0]) * unit)


def parse_corners(text: str) -> Floats:
    """Read the text `x,y,…` of the corners at a1, j1, j10 and a10, (4, 2); BadHint."""
    numbers: list[float] = []
    with suppress(ValueError):
        numbers = [float(number) for number in text.replace(",", " ").split()]
    try:
        return checked_corners(numbers)
    except BadHint as error:
        raise BadHint(_("corners {text!r}: {why}"), text=text, why=error) from None


def checked_corners(pixels: ArrayLike) -> Floats:
    """Return a board's four corners, (4, 2); BadHint for points that cannot be a board's."""
    corners = np.array(pixels, float)
    if corners.size != 8 or not np.isfinite(corners).all():
        raise BadHint(_("must be eight numbers, x,y of a1, of j1, of j10 and of a10"))
    corners = corners.reshape(4, 2)
    outline = corners.astype(np.float32)
    if not cv2.isContourConvex(outline) or cv2.contourArea(outline) < 2500:
        raise BadHint(_("the corners must go once round the board: a1, j1, j10, a10"))
    if cv2.contourArea(outline, oriented=True) > 0:
        raise BadHint(
            _(
                "a1, j1, j10 and a10 go round the wrong way: give them in another order, "
                "or turn the camera's mirroring off"
            )
        )
    return corners


def smooth(gray: Gray) -> Gray:
    """Return a picture without the steps of its noise."""
    soft: Gray = cv2.GaussianBlur(gray, (0, 0), 1.0)
    return soft


# ------------------------------------------------------------------ the board's lines


CLEAR_STEP = 6.0
"""Weakest step across a line that counts, in grey levels."""

LINE_REACH, LINE_ROUNDS = 0.25, 8
"""Farthest a line is searched for at first, in squares, and rounds, each searching nearer."""

SUPPORT_REACH = 0.12
CLOSE = 0.05
"""Farthest a step is searched for, and farthest one that supports a line, in squares."""


def align(
    gray: Gray, view: BoardView, layout: Layout, sign: int = 0
) -> tuple[BoardView, float, int]:
    """Return `view` moved so that the board's lines are on the picture's.

    `sign` is 1 for a dark a1, -1 for a light one, 0 to find out. Also returned are the share of the
    lines' points that are on a step from dark to light, and the sign.
    """
    # Profiles across points of all lines tell the nearest strong step from dark to light, to a part
    # of a pixel, and weighted least squares move the view's lines to these steps. Each round looks
    # less far, so that a piece beside a line counts less and less. The lens is fitted from the
    # third round on: before, it would take up what is the view's. A board that is more than a
    # quarter of a square off is not found: the nearest step is another line's.
    edges = layout.edges
    sign = sign or sign_of_steps(gray, view, edges)
    for round_number in range(LINE_ROUNDS):
        narrowing = max(LINE_REACH * 0.7**round_number, 0.06)
        profiles = LineProfiles(view, edges, narrowing)
        offsets, strengths = profiles.offsets(gray, sign)
        is_clear = strengths > CLEAR_STEP
        if is_clear.sum() < 40:
            return view, 0.0, sign
        spread = max(1.5 * float(np.median(np.abs(offsets[is_clear]))), 0.5)
        weights = np.where(is_clear, 1 / (1 + (offsets / spread) ** 2) ** 2, 0.0)
        ways, lens_may_change = profiles.across, round_number >= 2
        view = adjust(view, layout.corners, edges.points, ways, offsets, weights, lens_may_change)
    return view, LineProfiles(view, edges).support(gray, sign), sign


def sign_of_steps(gray: Gray, view: BoardView, edges: Edges) -> int:
    """Return 1 if the squares of colour 0 are the darker ones, else -1."""
    sides = [
        values_at(gray, view.project(edges.points + edges.normals * way)) for way in (0.12, -0.12)
    ]
    return 1 if float(np.mean(np.clip(sides[0] - sides[1], -30, 30))) >= 0 else -1


def _across(view: BoardView, edges: Edges) -> Floats:
    """Return each line's unit normal in the picture, towards the square of colour 1, (n, 2)."""
    along = np.column_stack([edges.normals[:, 1], -edges.normals[:, 0]]) * 0.05
    line = view.project(edges.points + along) - view.project(edges.points - along)
    normals = np.column_stack([-line[:, 1], line[:, 0]])
    towards = view.project(edges.points + edges.normals * 0.05) - view.project(edges.points)
    normals *= np.sign((normals * towards).sum(axis=1, keepdims=True))
    normal: Floats = normals / np.maximum(np.hypot(*normals.T)[:, None], 1e-9)
    return normal


class LineProfiles:
    """Profiles across a view's lines, `reach` squares to both sides."""

    def __init__(self, view: BoardView, edges: Edges, reach: float = SUPPORT_REACH) -> None:
        self.unit = view.square_px(edges.points)
        span = max(reach * float(np.median(self.unit)), 2.0)
        count = min(max(int(np.ceil(span)), 3), 16)
        self._away = np.linspace(-span, span, 2 * count + 1)
        self._favour = 1 - 0.5 * np.abs(self._away[1:-1]) / span
        self.across = _across(view, edges)
        across = self.across[:, None] * self._away[:, None]
        self._pixels = (view.project(edges.points)[:, None] + across).astype(np.float32)

    def offsets(self, gray: Gray, sign: int) -> tuple[Floats, Floats]:
        """Return the nearest strong step across each line: pixels off it, and grey levels."""
        profile = values_at(gray, self._pixels)
        steps = sign * (profile[:, 2:] - profile[:, :-2])
        best = np.clip((steps * self._favour).argmax(axis=1), 1, steps.shape[1] - 2)
        rows = np.arange(len(best))
        before, peak, after = (steps[rows, best + shift] for shift in (-1, 0, 1))
        bend = np.minimum(before - 2 * peak + after, -1e-6)
        shift = np.clip(0.5 * (before - after) / bend, -1, 1)
        pitch = float(self._away[1] - self._away[0])
        return self._away[1:-1][best] + shift * pitch, peak

    def are_seen(self, gray: Gray, sign: int) -> Flags:
        """Return the points with a step from dark to light within CLOSE, (n,).

        `sign` is the step's direction, as in `align`.
        """
        offsets, strengths = self.offsets(gray, sign)
        near = np.abs(offsets) < np.maximum(CLOSE * self.unit, 1)
        return (strengths > CLEAR_STEP) & near

    def support(self, gray: Gray, sign: int) -> float:
        """Return the share of the lines' points that are seen."""
        return float(self.are_seen(gray, sign).mean())


# ------------------------------------------------------------------ a disk's rings


SECTORS = 20
RADII = np.linspace(0.6, 4.9, 130)
BESIDE_RIM = (4.92, 5.08)
BESIDE_PIECES = (0.06, 0.12, 0.88, 0.94)
"""Places in a sector's width that are sampled: pieces stand in its middle."""


def measure_rings(gray: Gray, view: BoardView, layout: Layout) -> Layout:
    """Return the disk's layout with its rings as the picture shows them.

    A grid's is returned as it is, and that of a disk without four clear borders of rings.
    """
    # Boards are drawn with an inner ring of any width, so it is measured: the colours of a ring's
    # sectors alternate, the other way round from ring to ring, so a ring ends at each reversal.
    is_disk = layout.side is None
    turns = _turns(_alternation(gray, view, layout, RADII)) if is_disk else np.empty(0)
    if len(turns) != len(RING_RADII) - 2:
        return layout
    drawn = np.array(RING_RADII[::-1])
    shown = np.array([0.0, *turns, drawn[-1]])

    def moved(point: tuple[float, float]) -> tuple[float, float]:
        away = np.subtract(point, layout.size / 2)
        radius = float(np.hypot(*away))
        if radius == 0:
            return point
        x, y = away / radius * np.interp(radius, drawn, shown) + layout.size / 2
        return float(x), float(y)

    return replace(
        layout,
        outlines=tuple(tuple(moved(point) for point in outline) for outline in layout.outlines),
        middles=tuple(moved(point) for point in layout.middles),
    )


def rim_clearness(gray: Gray, view: BoardView, layout: Layout) -> float:
    """Return the clearness of sectors just inside the disk's rim against outside, -1..1."""
    inside, outside = np.abs(_alternation(gray, view, layout, np.array(BESIDE_RIM)))
    return float((inside - outside) / max(inside + outside, 1.0))


def _alternation(gray: Gray, view: BoardView, layout: Layout, radii: Floats) -> Floats:
    """Return the grey levels by which odd sectors are lighter than even ones at each radius."""
    parts = np.array(BESIDE_PIECES)
    angles = np.pi + (np.arange(SECTORS)[:, None] + parts) * (2 * np.pi / SECTORS)
    around = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    points = layout.size / 2 + radii[:, None, None, None] * around
    values = np.median(values_at(gray, view.project(points)), axis=2)
    signs = np.where(np.arange(SECTORS) % 2, 1.0, -1.0)
    # Neighbouring sectors share their light, so the median of the steps between them is robust.
    steps = (values - np.roll(values, 1, axis=1)) * signs
    return np.median(steps, axis=1)


def _turns(alternation: Floats) -> Floats:
    """Return the radii at which the alternation reverses between two rings seen well."""
    alternation = np.convolve(alternation, np.ones(3) / 3, "same")
    floor = 0.3 * float(np.percentile(np.abs(alternation), 90))
    is_clear = np.abs(alternation) > floor
    values, radii = alternation[is_clear], RADII[is_clear]
    last = np.flatnonzero(values[:-1] * values[1:] < 0)
    part = values[last] / (values[last] - values[last + 1])
    return radii[last] + part * (radii[last + 1] - radii[last])


# ------------------------------------------------------------------ bumps


MOST_SPOTS = 1500
"""Spots of a picture that are searched for in the other one."""

FARTHEST_SPOT = 0.15
"""Farthest move of a spot by a bump, in picture widths: squares look like each other."""

SPOT_PX = 2.5
"""Largest deviation of a spot from the common motion, in pixels."""

FEWEST_SPOTS, SPOTS_ALONG = 60, 0.4
"""Fewest spots with the common motion, and their least share of those found again."""


def motion_between(before: Gray, now: Gray) -> Floats | None:
    """Return the homography from one picture's pixels to the next's, (3, 3); None if unclear.

    A bump moves board, table and everything on it alike. Spots found again tell its motion even on
    boards whose lines do not, like a disk, and after a piece or a hand has moved meanwhile.
    """
    finder = cv2.ORB_create(MOST_SPOTS)  # type: ignore[attr-defined]
    (spots, looks), (later, later_looks) = (
        finder.detectAndCompute(picture, None) for picture in (before, now)
    )
    if looks is None or later_looks is None:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(looks, later_looks)
    old = np.array([spots[pair.queryIdx].pt for pair in pairs]).reshape(-1, 2)
    new = np.array([later[pair.trainIdx].pt for pair in pairs]).reshape(-1, 2)
    near = np.hypot(*(new - old).T) < FARTHEST_SPOT * before.shape[1]
    if near.sum() < FEWEST_SPOTS:
        return None
    motion, went_along = cv2.findHomography(old[near], new[near], cv2.RANSAC, SPOT_PX)
    if motion is None or went_along.sum() < max(FEWEST_SPOTS, SPOTS_ALONG * near.sum()):
        return None
    found: Floats = motion
    return found
