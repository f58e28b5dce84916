"""Where the camera stands, by how the pieces of a known position lean in a picture.

A picture that was cut out along the board does not tell by the board's shape from where it was
taken. What stands on the board does: it covers what is behind it. So the camera stands where the
volumes of the pieces explain best which points have their colours, and which the board's.
"""

from itertools import product

import cv2
import numpy as np

from rules import Occupant

from .geometry import BoardView, Floats, Indices, Layout, Picture, Pose
from .patches import LOG, OPPONENT, averaged
from .witness import sampled, table_at, table_of, table_of_bare

ACROSS = 4
"""Points a square's side."""

SURELY_PIECE, OPEN = 0.18, 0.42
"""So near to the middle of its square, in squares, a piece is seen; and a board, where none is."""

TYPICAL, UNEVEN = 1.0, 0.22
"""How high most pieces are taken to be, in squares, for lower ones that lean more look alike; and
how far their heights are spread."""

AT, RADII = (0.0, 0.25, 0.45, 1.8), (0.36, 0.34, 0.24, 0.2)
"""How far pieces reach to both sides, in squares, at shares of that height: a piece is as good as
round, broad below and slimmer above."""

SURELY = 0.97
"""A piece covers what its foot stands on but for so little."""

STEPS, EDGE, LEAST_SHARE = 13, 0.28, 0.02
"""At how many heights a piece is looked at; how broad its uncertain edge is, in squares; and what
is less likely is left out."""

TURNS, LEANS = np.radians(range(0, 360, 30)), (0.0, 0.15, 0.4, 0.7, 1.0, 1.4)
BREADTHS = (0.65, 0.95)
"""Which way and how far pieces may lean in the middle of the board, in squares, and how broad they
may be, at first sight."""


Stance = tuple[float, ...]
"""What is looked for: which way pieces lean in the middle of the board; how far, in squares; how
high the camera stands above the board, in its sides; and how broad pieces are, in shares of RADII.
"""

FIRST_HEIGHT = 1.2

NEARER = (
    ((-0.2618, 0.0, 0.2618), (-0.2, 0.0, 0.2), (0.0,), (0.0,)),
    ((0.0,), (0.0,), (-0.3, 0.0, 0.5, 1.2), (-0.15, 0.0, 0.15)),
    ((-0.1222, 0.0, 0.1222), (-0.1, 0.0, 0.1), (-0.2, 0.0, 0.3), (0.0,)),
)
"""By how much a stance's numbers are changed then, round by round; turns by 15 degrees and by 7."""

LEAST: Stance = (-np.inf, 0.0, 0.7, 0.5)
"""No camera stands lower, and no pieces are narrower."""


def pose_by_leaning(picture: Picture, view: BoardView, layout: Layout, occupants: Indices) -> Pose:
    """Return the pose under which pieces on known squares cover what looks like them in a picture.

    `occupants` are what stands on each square. Their height cannot be told from the camera's: see
    TYPICAL.
    """
    side = np.arange(0.5 / ACROSS, layout.size, 1 / ACROSS)
    points = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    likely = _likely(picture, view, layout, points, occupants)

    def fit(stance: Stance) -> float:
        """Return how likely the colours of all points are where pieces lean so, in nats."""
        pose = _pose_of(stance, layout)
        leans = TYPICAL * pose.lean(layout.centres) * layout.spans[:, None]
        away = np.hypot(*(layout.centres - (pose.x, pose.y)).T)
        free, total = np.ones(len(points)), np.zeros(len(points))
        for square in np.argsort(away):  # those that hide others first
            who = Occupant(max(int(occupants[square]), 0))
            if who and who in likely:
                foot, span = layout.centres[square], float(layout.spans[square])
                at, share = _covered(points, foot, span, leans[square], stance[3])
                total[at] += free[at] * share * likely[who][at]
                free[at] *= 1 - share
        total += free * likely[Occupant.EMPTY]
        return float(np.log(total).sum())

    tried = product(TURNS, LEANS, [FIRST_HEIGHT], BREADTHS)
    best = max(tried, key=fit)
    for changes in NEARER:
        nearer = (tuple(np.maximum(np.add(best, by), LEAST)) for by in product(*changes))
        best = max(nearer, key=fit)
    return _pose_of(best, layout)


def _pose_of(stance: Stance, layout: Layout) -> Pose:
    """Return the camera's place."""
    turn, lean, height, _breadth = stance
    above = height * layout.size
    away = lean * (above - 1) * np.array([np.cos(turn), np.sin(turn)])
    x, y = layout.size / 2 - away
    return Pose(float(x), float(y), above)


def _likely(
    picture: Picture, view: BoardView, layout: Layout, points: Floats, occupants: Indices
) -> dict[Occupant, Floats]:
    """Return how likely the colour of each point is for each occupant, (points,)."""
    x, y = np.moveaxis(view.project(points).astype(np.float32), -1, 0)
    even = averaged(picture, view, layout, ACROSS)
    colours = LOG[cv2.remap(even, x[None], y[None], cv2.INTER_LINEAR)[0]] @ OPPONENT
    away = ((points[:, None] - layout.centres) ** 2).sum(axis=2)
    square = away.argmin(axis=1)
    near = np.sqrt(away.min(axis=1)) / layout.spans[square]
    shade, stands, at = np.array(layout.colours)[square], occupants[square], table_at(colours)
    is_bare = (stands == Occupant.EMPTY) & (near < OPEN)
    bare = np.stack([table_of_bare(colours[is_bare & (shade == each)]) for each in (0, 1)])
    found = {Occupant.EMPTY: bare[shade, at]}
    for who in list(Occupant)[1:]:
        known = colours[(stands == who) & (near < SURELY_PIECE)]
        if len(known):
            found[who] = table_of(sampled(known))[at]
    return found


def _covered(
    points: Floats, foot: Floats, span: float, lean: Floats, breadth: float
) -> tuple[Indices, Floats]:
    """Return which points a piece may cover, (points,), and how likely it is to cover each."""
    shares = np.linspace(0.0, 1 + 4 * UNEVEN, STEPS)
    axis = foot + shares[:, None] * lean
    side = round(len(points) ** 0.5)
    low, high = (
        np.clip((end + reach * span) * ACROSS, 0, side).astype(int)
        for end, reach in ((axis.min(axis=0), -0.5), (axis.max(axis=0), 0.6))
    )
    across, along = np.arange(low[0], high[0]), np.arange(low[1], high[1])
    near = (along[:, None] * side + across).ravel()
    away = np.hypot(*np.moveaxis(points[near] - axis[:, None], 2, 0)) / span
    edge = np.clip((breadth * np.interp(shares, AT, RADII)[:, None] - away) / EDGE + 0.5, 0.0, 1.0)
    stands = SURELY / (1 + np.exp((shares - 1) / UNEVEN))
    share = (edge * stands[:, None]).max(axis=0)
    likely = share > LEAST_SHARE
    return near[likely], share[likely]
