"""Lays the board's lines exactly over the picture's: where light squares meet dark ones.

It begins with a view that is nearly right. Across points on all lines between two colours it takes
profiles of the picture, and in each finds the nearest strong step from dark to light, to a part of
a pixel. The view is then moved by weighted least squares so that its lines come to these steps.
Each round looks less far, and from the third on the lens's bending is fitted, too. A board that is
more than a quarter of a square off is not found: the nearest step is then another line's.
"""

import numpy as np

from .arrays import Flags, Floats, Gray
from .geometry import BoardView, Edges, Layout, adjust, values_at

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

    A line may lie a quarter of a square off at first. `sign` is 1 where a1 is dark, -1 where it is
    light, 0 to find out. Returned are the view, the share
    of its lines' points that lie on a step, and the sign.
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
        on_steps: Flags = (strengths > CLEAR_STEP) & near
        return on_steps

    def support(self, gray: Gray, sign: int) -> float:
        """Return the share of the lines' points that are seen."""
        return float(self.are_seen(gray, sign).mean())
