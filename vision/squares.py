"""Reads the squares of one board: from a picture and a view to evidence about every square.

Patches of all squares are cut along the lean of the pieces, slow light is taken out, and the
log-likelihoods of two judges are added. The appearance judges each square by lessons about empty
squares and both sides' pieces, and allows for what may be hidden. The network judges it by this
picture and the first one. Neither knows the rules: the reader weighs which positions can follow.

The shape of a board does not tell the camera's position in a picture cut out along it. Its pieces
do, by covering what is behind them: the camera is where their volumes explain best which points
have their colours, and which the board's (`pose_by_leaning`).
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import cv2
import numpy as np

from hardware.ports import IN_DOUBT
from rules import Occupant

from .appearance import (
    MOST_NATS,
    Appearance,
    Occlusion,
    Occupants,
    SquareEvidence,
    occlusion_of,
    shares_beside,
)
from .geometry import BoardView, Floats, Indices, Layout, Picture, Pose, pose_of
from .patches import (
    LOG,
    OPPONENT,
    averaged,
    bare_points,
    discs,
    features_of,
    lightening,
    nearness,
    patch_cutter,
    plain_colours,
    unchanged_points,
)
from .witness import (
    LongPatches,
    SquareWitness,
    long_cutter,
    sampled,
    table_at,
    table_of,
    table_of_bare,
)

LEAST_UNCHANGED = 0.6
"""Share of unchanged points below which a square has gained or lost a piece."""

OF_GAME, AT_LEANS = (0.7, 0.5), (0.7, 1.2)
"""Weight of what was learned of this game beside the network, which counts whole, for pieces one
square high that lean by the first of AT_LEANS or less, in squares, and by the second or more. Seen
from above a square looks as it did unless something has changed there; seen from low down it also
changes with each piece that comes before it, which the network allows for."""

DENIED = 5.0
"""Nats by which the network denies an occupant that is not learned from."""


@dataclass(frozen=True, slots=True)
class BoardPatches:
    """The squares cut out of one picture."""

    logs: Floats
    """The patches as logarithms of brightness, (heights, squares, points, 3)."""
    means: Floats
    """Mean colour of each square at the board's surface, (squares, 3), in logarithms."""
    occlusion: Occlusion
    """The squares hidden by pieces in its view."""
    long: LongPatches
    """The network's patches."""


class SquareClassifier:
    """Reads the squares of a board.

    Its first lesson is a picture of a known position; before it, nothing can be read.
    `has_neutral`: a piece of neither side may stand on the board.
    """

    def __init__(self, layout: Layout, has_neutral: bool, pose: Pose | None = None) -> None:
        """`pose` is the camera's, for pictures in which the board's shape does not tell it."""
        self.layout = layout
        self._pose = pose
        self._appearance = Appearance(layout, has_neutral)
        self._near = nearness(layout)
        # The look of every square when its occupant was last known, in the first picture's light:
        # mean colour, points of its patch on the board's surface, its colour with nothing on it,
        # and the share of an empty one that was hidden.
        self._means: Floats | None = None
        self._surface = self._bare = self._hidden = np.empty(0)
        self._view: BoardView | None = None
        self._first: tuple[LongPatches, Occupants] | None = None
        self._has_neutral = has_neutral

    def cut(self, picture: Picture, view: BoardView) -> BoardPatches:
        """Return the squares cut out of a picture with this `view` of the board."""
        if view is not self._view:
            pose = self._pose or pose_of(view, np.full(2, self.layout.size / 2))
            self._cut = patch_cutter(view, self.layout, pose)
            self._cut_long = long_cutter(view, self.layout, pose)
            self._occlusion = occlusion_of(self.layout, pose)
            self._view = view
        logs: Floats = LOG[self._cut(picture)]
        return BoardPatches(logs, discs(logs), self._occlusion, self._cut_long(picture))

    def read(self, patches: BoardPatches) -> SquareEvidence:
        """Return the evidence about every square."""
        assert self._means is not None, "the first lesson comes first"
        lighter = lightening(self._near, patches.means, self._means).astype(np.float32)
        even = patches.logs - lighter[:, None]
        unchanged = unchanged_points(even[0], self._surface)
        bare = bare_points(even[0], self._bare)
        fit = self._appearance.fit(features_of(even, self._bare))
        occlusion = patches.occlusion
        hides, _across, _top = occlusion
        is_new = (unchanged.mean(axis=1) < LEAST_UNCHANGED) & ~fit.is_empty
        behind, bare_behind = shares_beside((unchanged, bare), ~unchanged, is_new, occlusion)
        stood = self._appearance.pieces & ~fit.is_empty
        (bare_beside,) = shares_beside((bare,), ~bare, stood, occlusion)
        # Points that were hidden already look unchanged whatever comes there, so they do not count.
        hidden = self._hidden
        share = np.clip((unchanged.mean(axis=1) - hidden) / np.maximum(1 - hidden, 0.1), 0.0, 1.0)
        evidence = self._appearance.weigh(
            fit,
            unchanged=share,
            unchanged_behind=behind,
            bare_behind=bare_behind,
            bare_beside=bare_beside,
            hidden=hidden,
            hides=hides,
        )
        by_network, is_covered = self._witness.judge(patches.long)
        if not self._has_neutral:
            is_neutral = np.arange(len(Occupant)) == Occupant.NEUTRAL
            by_network = np.where(is_neutral, -MOST_NATS, by_network)
        by_network, lean = _of_best(by_network), patches.long.lean
        of_game = np.interp(lean, AT_LEANS, OF_GAME)[:, None]
        return replace(
            evidence,
            likelihoods=_of_best(by_network + of_game * evidence.likelihoods),
            witness=by_network,
            is_covered=is_covered,
        )

    def learn(
        self,
        patches: BoardPatches,
        occupants: Occupants,
        evidence: SquareEvidence | None = None,
        belief: Floats | None = None,
    ) -> None:
        """Take a picture as a lesson, with each square's occupant.

        `evidence` is what was read in it; None for the first picture. `belief` is the certainty of
        each occupant, in nats, besides what the picture itself shows; None for people's word.
        """
        if self._first is None:
            self._first = patches.long, occupants
        if evidence is not None:
            by_network = evidence.witness[np.arange(len(occupants)), occupants]
            occupants = np.where(by_network < -DENIED, IN_DOUBT, occupants)
        if self._means is None:
            self._means, self._surface = patches.means, patches.logs[0]
            self._bare = plain_colours(patches.means, self.layout, occupants == Occupant.EMPTY)
            self._hidden = np.zeros(len(occupants))
        lighter = lightening(self._near, patches.means, self._means).astype(np.float32)
        surface = patches.logs[0] - lighter[:, None]
        covered = 1 - bare_points(surface, self._bare).mean(axis=1)
        known = (occupants != IN_DOUBT)[:, None]
        self._means = np.where(known, patches.means - lighter, self._means)
        self._surface = np.where(known[:, None], surface, self._surface)
        self._hidden = np.where(known[:, 0], covered * (occupants == Occupant.EMPTY), self._hidden)
        features = features_of(patches.logs - lighter[:, None], self._bare)
        sure = np.full(len(occupants), MOST_NATS) if belief is None else belief
        unbelieved = None if evidence is None else evidence.unbelieved
        self._appearance.learn(features, occupants, sure, unbelieved)

    def likenesses(self, patches: BoardPatches) -> Floats:
        """Return the first picture's likeness to each occupant, (squares, 4), in nats.

        Squares whose occupant was not what it was said to be look unlike most others of theirs.
        """
        assert self._means is not None, "the first lesson comes first"
        features = features_of(patches.logs, self._bare)
        return self._appearance.fit(features).likelihoods

    @cached_property
    def _witness(self) -> SquareWitness:
        """The network, made when it is first used: an orientation is found without it."""
        assert self._first is not None, "the first lesson comes first"
        return SquareWitness(self.layout, *self._first)


def _of_best(likelihoods: Floats) -> Floats:
    """Return likelihoods relative to the best of each square."""
    beside: Floats = np.maximum(likelihoods - likelihoods.max(axis=1, keepdims=True), -MOST_NATS)
    return beside


# ------------------------------------------------------------------ how pieces lean


ACROSS = 4
"""Points along a square's side."""

SURELY_PIECE, OPEN = 0.18, 0.42
"""Distance from a square's middle, in squares, within which a piece is seen, and within which the
board is on an empty one."""

TYPICAL, UNEVEN = 1.0, 0.22
"""Assumed height of most pieces, in squares, since lower ones that lean more look alike, and the
spread of heights."""

AT, RADII = (0.0, 0.25, 0.45, 1.8), (0.36, 0.34, 0.24, 0.2)
"""Radii of a piece, in squares, at shares of that height: pieces are nearly round, broad below and
slimmer above."""

COVERS = 0.97
"""Probability that a piece covers a point under its foot."""

STEPS, EDGE, LEAST_SHARE = 13, 0.28, 0.02
"""Heights at which a piece is sampled, breadth of its uncertain edge in squares, and the least
probability of covering a point that counts."""

TURNS, LEANS = np.radians(range(0, 360, 30)), (0.0, 0.15, 0.4, 0.7, 1.0, 1.4)
BREADTHS = (0.65, 0.95)
"""Directions and lengths of the lean in the middle of the board, and breadths, tried first."""


Stance = tuple[float, ...]
"""The unknowns: direction of the lean in the middle of the board, its length in squares, the
camera's height in board sides, and the breadth of pieces as a share of RADII."""

FIRST_HEIGHT = 1.2

NEARER = (
    ((-0.2618, 0.0, 0.2618), (-0.2, 0.0, 0.2), (0.0,), (0.0,)),
    ((0.0,), (0.0,), (-0.3, 0.0, 0.5, 1.2), (-0.15, 0.0, 0.15)),
    ((-0.1222, 0.0, 0.1222), (-0.1, 0.0, 0.1), (-0.2, 0.0, 0.3), (0.0,)),
)
"""Changes of a stance's numbers tried then, round by round; turns by 15 degrees and by 7."""

LEAST: Stance = (-np.inf, 0.0, 0.7, 0.5)
"""Lower bounds: no camera is lower, and no pieces are narrower."""


def pose_by_leaning(picture: Picture, view: BoardView, layout: Layout, occupants: Indices) -> Pose:
    """Return the pose from which pieces on known squares cover the points that look like them.

    The pieces' height cannot be told apart from the camera's: see TYPICAL.
    """
    side = np.arange(0.5 / ACROSS, layout.size, 1 / ACROSS)
    points = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    likely = _likely(picture, view, layout, points, occupants)

    def fit(stance: Stance) -> float:
        """Return the likelihood of all points' colours with pieces that lean so, in nats."""
        pose = _pose_of(stance, layout)
        leans = TYPICAL * pose.lean(layout.centres) * layout.spans[:, None]
        away = np.hypot(*(layout.centres - (pose.x, pose.y)).T)
        free, total = np.ones(len(points)), np.zeros(len(points))
        for square in np.argsort(away):  # nearest to the camera first: they hide the others
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
    """Return the camera's position in a stance."""
    turn, lean, height, _breadth = stance
    above = height * layout.size
    away = lean * (above - 1) * np.array([np.cos(turn), np.sin(turn)])
    x, y = layout.size / 2 - away
    return Pose(float(x), float(y), above)


def _likely(
    picture: Picture, view: BoardView, layout: Layout, points: Floats, occupants: Indices
) -> dict[Occupant, Floats]:
    """Return the likelihood of each point's colour by occupant, (points,) each."""
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
    """Return the indices of points that a piece may cover, and the probability of each."""
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
    stands = COVERS / (1 + np.exp((shares - 1) / UNEVEN))
    share = (edge * stands[:, None]).max(axis=0)
    likely = share > LEAST_SHARE
    return near[likely], share[likely]
