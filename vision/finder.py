"""Where the board lies in a picture: by markers, given corners or its own lines; then kept.

Its lines are laid exactly over the picture's, a disk's rings are measured, and where a bump has
moved board and camera against each other, all that is seen in both pictures tells how.
"""

from __future__ import annotations

from collections.abc import Mapping
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
"""What is tried where a markers' file does not tell the board's size: the share of the way from the
middle to the markers that the board fills."""

FOUND = 0.3
"""The least share of a board's lines that must be seen for it to have been found."""

NOT_THERE = _("no board lies where its {how} say: look whether they are this board's")

MIRRORED = _(
    "the markers show that the picture is mirrored, which would swap left and right on the board: "
    "turn mirroring off where the camera is set; phones call it the selfie view"
)

DARK = 40
"""A picture of which hardly a hundredth is lighter, of 255 grey levels, is dark."""

TOO_DARK = _("the picture is dark: give it more light, or a longer exposure")

CLEAR = 0.7
"""Where markers lead to fewer of the lines, too few of them were seen to tell the far side."""

STILL_THERE = 0.85
"""As long as such a share of the lines first seen is seen, the view is kept as it is."""

BETTER = 0.1
"""A view that people did not give must show so much more of the lines, at most 1, to be taken."""

LOST = 0.35
"""With less than this share of the lines first seen, the view is given up and the board sought."""


@dataclass(frozen=True)
class BoardPlace:
    """Where a board was found."""

    view: BoardView
    layout: Layout
    """As the picture shows it: a disk's rings are measured."""
    support: float
    """The share of the board's lines that are seen, at most 1."""
    sign: int
    """1 where a1 is dark, -1 where it is light."""
    how: Sentence
    """By what it was found: `markers`, `corners` or `lines`."""
    is_bumped: bool = False
    """Whether it is where it was before but for a bump, and all that lies around it as well."""

    @cached_property
    def lines(self) -> LineProfiles:
        """Where its lines are looked for, frame by frame."""
        return LineProfiles(self.view, self.layout.edges)


class BoardFinder:
    """Finds a board, and notices when it or the camera has been moved.

    `corners` are the pixels of a1's corner, the last file's, the opposite one and the last rank's;
    on the disk those of the square around it. `lens` is the camera's, if it was measured.
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
        """Return where the board lies; BoardNotFound where it cannot be made out, or is mirrored.

        Where it was found by its own lines, only the pieces can tell which side is whose: see
        `geometry.orientations`.
        """
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        self._bare(gray)  # more light makes no picture another lens's
        try:
            return self._found(gray)
        except BoardNotFound:
            if np.percentile(gray, 99) < DARK:
                raise BoardNotFound(TOO_DARK) from None
            raise

    def _found(self, gray: Gray) -> BoardPlace:
        place = self._by_markers(gray)
        if place is not None and place.support < CLEAR:
            by_lines = self._lined_like(gray, place)
            if by_lines is not None and by_lines.support > place.support:
                place = by_lines
        if place is not None:
            return place
        if self._is_mirrored(gray):
            raise BoardNotFound(MIRRORED)
        if self._corners is not None:
            return self._by_corners(gray, self._corners)
        return self._by_lines(gray)

    def learn(self, picture: Picture, place: BoardPlace) -> None:
        """Learn where loose cards lie beside the board, to find it again by them."""
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        for number, quad in find_markers(gray, self._dictionary).items():
            self._learned[number] = place.view.locate(quad)
        self._before = gray

    def follow(self, picture: Picture, place: BoardPlace) -> BoardPlace | None:
        """Return where the board lies now that it was at `place`, None where it is out of sight."""
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        found = self._followed(gray, place)
        if found is not None:
            self._before = gray
        return found

    def _followed(self, gray: Gray, place: BoardPlace) -> BoardPlace | None:
        if place.lines.support(gray, place.sign) >= STILL_THERE * place.support:
            return place
        # Noise has steps everywhere, which pass for lines that are no longer there.
        now = place.lines.support(smooth(gray), place.sign)
        moved = _laid(gray, place, place.view)
        if moved.support >= max(now + BETTER, LOST * place.support):
            bumped = self._bumped(gray, place)
            if bumped is not None and bumped.support > moved.support - BETTER:
                return bumped
            if moved.support >= STILL_THERE * place.support:
                return moved
            # Lines that lie on others of the board's lines look like a place, too.
            again = self._find_again(gray, place)
            return moved if again is None or again.support < moved.support else again
        if now >= LOST * place.support:
            return place  # a hand covers some of it
        return self._find_again(gray, place)

    def _find_again(self, gray: Gray, place: BoardPlace) -> BoardPlace | None:
        """Search the whole picture for a board that has been moved far."""
        by_markers = self._by_markers(gray)
        if by_markers is not None and by_markers.support >= LOST * place.support:
            return by_markers
        bumped = self._bumped(gray, place)
        if bumped is not None and bumped.support >= STILL_THERE * place.support:
            return bumped
        again = self._lined_like(gray, place)
        return again if again is not None and again.support >= LOST * place.support else None

    def _bumped(self, gray: Gray, place: BoardPlace) -> BoardPlace | None:
        """Return the board where a bump has moved all of the picture; None where it has not."""
        motion = None if self._before is None else motion_between(self._before, gray)
        if motion is None:
            return None
        corners = place.view.project(place.layout.corners)
        moved = cv2.perspectiveTransform(corners[None], motion)[0]
        there = _laid(gray, place, fit_view(place.layout.corners, moved, place.view))
        return replace(there, is_bumped=True)

    def _lined_like(self, gray: Gray, place: BoardPlace) -> BoardPlace | None:
        """Return the board by its lines, turned as it is at `place`; None where they show none."""
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
        tried: list[Mapping[int, Floats]] = [{}]
        if self._markers is not None:
            known, size = self._markers.half_size, self._layout.size
            reach = max((np.abs(quad).max() for quad in self._markers.corners.values()), default=1)
            sizes = [known] if known else SCALES * reach
            tried = [self._markers.on_board(size, float(half_size)) for half_size in sizes]
        views = [self._between(gray, found, {**self._learned, **each}) for each in tried]
        best = max(filter(None, views), key=lambda view: self._clearness(gray, view), default=None)
        return self._aligned(gray, best, _("markers")) if best else None

    def _is_mirrored(self, gray: Gray) -> bool:
        """Whether markers, or cards, are seen in the picture's mirror image alone.

        Of 415 photographs and rendered pictures that are not mirrored, none shows a single one so.
        """
        return (
            len(find_markers(gray, self._dictionary))
            < 2
            <= len(find_markers(cv2.flip(gray, 1), self._dictionary))
        )

    def _clearness(self, gray: Gray, view: BoardView) -> float:
        """Return how well a view suits the picture; a disk must end where its sectors do."""
        layout = self._drawn(gray, view)
        rim = rim_clearness(gray, view, layout) if layout.side is None else 0.0
        return LineProfiles(view, layout.edges).support(gray, 1) + rim

    def _between(
        self, gray: Gray, found: Mapping[int, Floats], on_board: Mapping[int, Floats]
    ) -> BoardView | None:
        """Return the board between the markers seen, None where they are too few to tell."""
        numbers = sorted(found.keys() & on_board.keys())
        if len(numbers) < 2:
            return None
        return fit_view(
            np.concatenate([on_board[number] for number in numbers]),
            np.concatenate([found[number] for number in numbers]),
            self._bare(gray),
        )

    def _by_corners(self, gray: Gray, corners: Floats) -> BoardPlace:
        """Return the board between corners, or where clearly more lines tell that it lies now.

        Else it is taken to lie as people say: its `support` is below FOUND.
        """
        view = fit_view(self._layout.corners, corners, self._bare(gray))
        fitted = self._fitted(gray, view, _("corners"))
        if fitted.support >= FOUND:
            return fitted
        with suppress(BoardNotFound):
            by_lines = self._by_lines(gray)
            if by_lines.support >= fitted.support + BETTER:
                return by_lines
        there = replace(fitted, view=view)
        share = there.lines.support(smooth(gray), there.sign)
        return replace(there, support=min(share, fitted.support))

    def _by_lines(self, gray: Gray) -> BoardPlace:
        if self._layout.side is None:
            raise BoardNotFound(_("a round board is found by markers or corners: give --corners"))
        return self._aligned(gray, self._lined(gray, self._layout.side), _("lines"))

    def _lined(self, gray: Gray, side: int) -> BoardView:
        """Return the board by its lines, which only a straight picture shows straight."""
        lens = self._bare(gray).measured
        if lens is None:
            return find_board(gray, side)
        straight, back = lens.straightened(gray)
        found = find_board(straight, side)
        return replace(found, homography=back @ found.homography, measured=lens)

    def _bare(self, gray: Gray) -> BoardView:
        """Return a picture's size and lens; BoardNotFound where it is not that lens's picture."""
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

    def _aligned(self, gray: Gray, view: BoardView, how: Sentence) -> BoardPlace:
        place = self._fitted(gray, view, how)
        if place.support < FOUND:
            raise BoardNotFound(NOT_THERE, how=how)
        return place

    def _fitted(self, gray: Gray, view: BoardView, how: Sentence) -> BoardPlace:
        return _laid(gray, BoardPlace(view, self._drawn(gray, view), 0.0, 0, how), view)

    def _drawn(self, gray: Gray, view: BoardView) -> Layout:
        """Return the layout as it is drawn on the board in the picture."""
        layout = self._layout
        return measure_rings(gray, view, layout) if layout.side is None else layout


def _laid(gray: Gray, place: BoardPlace, view: BoardView) -> BoardPlace:
    """Return a place with its lines laid over a picture's, where `view` is nearly right."""
    view, share, sign = align(smooth(gray), view, place.layout, place.sign)
    return BoardPlace(view, place.layout, share, sign, place.how)


def line_of(picture: Picture, place: BoardPlace) -> tuple[float, float]:
    """Return how high and how wide the typical step between a dark and a light square is."""
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
    """Read `x,y,…` of a1's corner, j1's, j10's and a10's; BadHint where it is no such text."""
    try:
        numbers = np.array([float(number) for number in text.replace(",", " ").split()])
    except ValueError:
        raise BadHint(
            _("corners {text!r}: must be numbers, x,y of a1, j1, j10 and a10"), text=text
        ) from None
    if len(numbers) != 8 or not np.isfinite(numbers).all():
        raise BadHint(
            _("corners {text!r}: must be eight numbers, x,y of a1, j1, j10 and a10"), text=text
        )
    return checked_corners(numbers.reshape(4, 2))


def checked_corners(points: ArrayLike) -> Floats:
    """Return four corners that go once round; BadHint where they cannot be a board's."""
    corners = np.array(points, float)
    if corners.shape != (4, 2):
        raise BadHint(_("corners: must be eight numbers, x,y of a1, of j1, of j10 and of a10"))
    if (
        not cv2.isContourConvex(corners.astype(np.float32))
        or cv2.contourArea(corners.astype(np.float32)) < 2500
    ):
        raise BadHint(_("corners: must go once round the board: a1, j1, j10, a10"))
    if cv2.contourArea(corners.astype(np.float32), oriented=True) > 0:
        raise BadHint(
            _(
                "corners: a1, j1, j10 and a10 go round the wrong way: give them in another order, "
                "or turn the camera's mirroring off"
            )
        )
    return corners


def smooth(gray: Gray) -> Gray:
    """Return a picture without the steps that are noise."""
    soft: Gray = cv2.GaussianBlur(gray, (0, 0), 1.0)
    return soft


# ------------------------------------------------------------------ the board's lines


CLEAR_STEP = 6.0
"""Grey levels of the weakest step across a line that counts as one."""

REACH, ROUNDS = 0.25, 8
"""How far off a line is looked for at first, in squares, and how often, each time nearer."""

SUPPORT_REACH = 0.12
CLOSE = 0.05
"""How far a step is looked for, and how near it must be to support a line, in squares."""


def align(
    gray: Gray, view: BoardView, layout: Layout, sign: int = 0
) -> tuple[BoardView, float, int]:
    """Move `view` until the board's lines lie on the picture's.

    These are where light squares meet dark ones. Across points on all of them it takes profiles of
    the picture, and in each finds the nearest strong step from dark to light, to a part of a pixel.
    The view is then moved by weighted least squares so that its lines come to these steps. Each
    round looks less far, and from the third on the lens's bending is fitted, too. A board that is
    more than a quarter of a square off is not found: the nearest step is then another line's.

    `sign` is 1 where a1 is dark, -1 where it is light, 0 to find out. Returned are the view, the
    share of its lines' points that lie on a step, and the sign.
    """
    edges = layout.edges
    sign = sign or sign_of_steps(gray, view, edges)
    for round_number in range(ROUNDS):
        narrowing = max(REACH * 0.7**round_number, 0.06)
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
    """Return 1 where the squares of colour 0 are the darker ones, else -1."""
    sides = [
        values_at(gray, view.project(edges.points + edges.normals * way)) for way in (0.12, -0.12)
    ]
    return 1 if float(np.mean(np.clip(sides[0] - sides[1], -30, 30))) >= 0 else -1


def _across(view: BoardView, edges: Edges) -> Floats:
    """Return each line's normal in the picture, towards the square of colour 1."""
    along = np.column_stack([edges.normals[:, 1], -edges.normals[:, 0]]) * 0.05
    line = view.project(edges.points + along) - view.project(edges.points - along)
    normals = np.column_stack([-line[:, 1], line[:, 0]])
    towards = view.project(edges.points + edges.normals * 0.05) - view.project(edges.points)
    normals *= np.sign((normals * towards).sum(axis=1, keepdims=True))
    normal: Floats = normals / np.maximum(np.hypot(*normals.T)[:, None], 1e-9)
    return normal


class LineProfiles:
    """Where a view's lines are looked for: profiles across each of them, `reach` squares far."""

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
        """Find the nearest strong step across each line: pixels off the line, and grey levels."""
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
        """Return which of the lines' points lie on a step from dark to light.

        It goes the way `sign` says, and is within a twentieth of a square.
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
"""Where in a sector to look, in its width: pieces stand in its middle."""


def measure_rings(gray: Gray, view: BoardView, layout: Layout) -> Layout:
    """Return the disk's layout with its rings where the picture shows them.

    Boards are drawn with an inner ring of any width, so it is measured. The colours of a ring's
    sectors alternate, and from ring to ring the other way round: where the alternation turns over,
    a ring ends. Without four such places the layout is returned as it is.
    """
    turns = _turns(_alternation(gray, view, layout, RADII))
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
    """Return how much clearer sectors are just inside the disk's rim than outside, -1..1."""
    inside, outside = np.abs(_alternation(gray, view, layout, np.array(BESIDE_RIM)))
    return float((inside - outside) / max(inside + outside, 1.0))


def _alternation(gray: Gray, view: BoardView, layout: Layout, radii: Floats) -> Floats:
    """Return for each of `radii` how much lighter the odd sectors are than the even ones."""
    parts = np.array(BESIDE_PIECES)
    angles = np.pi + (np.arange(SECTORS)[:, None] + parts) * (2 * np.pi / SECTORS)
    around = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    points = layout.size / 2 + radii[:, None, None, None] * around
    values = np.median(values_at(gray, view.project(points)), axis=2)
    signs = np.where(np.arange(SECTORS) % 2, 1.0, -1.0)
    # Neighbours beside each other share their light, so a median of their steps is robust.
    steps = (values - np.roll(values, 1, axis=1)) * signs
    return np.median(steps, axis=1)


def _turns(alternation: Floats) -> Floats:
    """Return the radii at which the alternation turns over between two rings that are seen well."""
    alternation = np.convolve(alternation, np.ones(3) / 3, "same")
    floor = 0.3 * float(np.percentile(np.abs(alternation), 90))
    is_clear = np.abs(alternation) > floor
    values, radii = alternation[is_clear], RADII[is_clear]
    last = np.flatnonzero(values[:-1] * values[1:] < 0)
    part = values[last] / (values[last] - values[last + 1])
    return radii[last] + part * (radii[last + 1] - radii[last])


# ------------------------------------------------------------------ bumps


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

    A bump moves board, table and all that lies there alike: spots that are found again tell it, on
    boards whose lines do not, like a disk, and where a piece or a hand has moved meanwhile. None
    where too little is found again.
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
