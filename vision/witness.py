"""A small network's judgement of each square by its look alone, which no belief teaches.

It was trained on rendered boards of many kinds (`python -m training.eye train`). It does not see
colours, only how likely the colour of each point near a square is for the bare board and for each
side's pieces, as the first picture of this very game shows them; all that now and in the first
picture, and the first occupant. It remembers nothing else, so that no wrong belief can mislead it.
It is computed by numpy alone: so small a network needs no library.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from rules import Occupant

from .geometry import BoardView, Flags, Floats, Indices, Layout, Picture, Pose
from .patches import LOG, OPPONENT, along_the_lean, averaged, lightening, nearness

WEIGHTS = Path(__file__).parent / "witness.npz"

LONG, WIDE, PER_SQUARE = 30, 16, 10
"""Points of a patch along the lean and across it, and points on a square's width."""

BEFORE = 1.1
"""Reach of a patch towards the camera, in squares."""

SHOWN = 5
"""Channels of one picture: bare, black, orange, neutral, lightness."""

THEN, CHANNELS = SHOWN + 2, 2 * SHOWN + 3
"""The first channel about the first picture, and all of them: this picture, outside, lean; then the
first picture, change since."""

UNSEEN = len(Occupant)
"""The first occupant of a square whose first look tells nothing."""

COVERED, CLASSES = len(Occupant), len(Occupant) + 1
"""The class, beside the occupants, of a square that a hand or an arm hides, and how many there are.
"""

ELSEWHERE = 0.2
"""Shift of a patch's points since the first picture, in squares, by a camera that has moved: the
square's first look tells nothing then."""

OPEN, SURELY = 0.42, 0.3
"""Distance from a square's middle, in squares, within which an empty one's colour is seen, and a
piece's."""

DISTINCT = 0.6
"""Share of a side's points, the ones least like the board and the others, that tell its colours."""

MOST_CHANGED = 1.28
"""Largest change of a point's colour that is shown, in logarithms."""

LIGHTEST = 1.0
"""Range of lightness, in logarithms, and middle of the lean, in squares for a square of height."""

# A patch's points, (points, 2): away from the camera, and across.
_PLACES = np.add(np.argwhere(np.ones((LONG, WIDE))), (0.5, 0.5 - WIDE / 2)) / PER_SQUARE
_PLACES -= (BEFORE, 0.0)
_MIDDLE = np.hypot(*_PLACES.T) < OPEN
_BODY = np.hypot(_PLACES[:, 0] - 0.1, _PLACES[:, 1]) < SURELY

Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LongPatches:
    """The patches of one picture's squares, along the lean of pieces."""

    colours: Floats
    """(squares, points, 3): lightness, warmth, greenness, in logarithms."""
    places: Floats
    """The points in board units, (squares, points, 2)."""
    shades: Indices
    """The colour of the nearest square at each point, (squares, points)."""
    outside: Flags
    """Points beyond the board or the picture, (squares, points)."""
    lean: Floats
    """Lean of what is one square high, in squares, (squares,)."""

    @property
    def means(self) -> Floats:
        """Each square's mean colour, (squares, 3), in logarithms."""
        means: Floats = self.colours[:, _MIDDLE].mean(axis=1)
        return means


def long_cutter(view: BoardView, layout: Layout, pose: Pose) -> Callable[[Picture], LongPatches]:
    """Return a function that cuts the long patches out of pictures of one view."""
    at, _, length = along_the_lean(layout, pose, _PLACES)
    pixels = view.project(at).astype(np.float32)
    beyond = (pixels < 0) | (pixels > (view.width - 1, view.height - 1))
    maps = cv2.convertMaps(pixels, None, cv2.CV_16SC2)
    nearest, is_off = _nearest(at, layout)
    shades, outside = np.array(layout.colours)[nearest], beyond.any(axis=2) | is_off

    def cut(picture: Picture) -> LongPatches:
        even = averaged(picture, view, layout, PER_SQUARE)
        found = cv2.remap(even, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return LongPatches(LOG[found] @ OPPONENT, at, shades, outside, length[:, 0])

    return cut


def _nearest(at: Floats, layout: Layout) -> tuple[Indices, Flags]:
    """Return the square nearest to each point, and the points beyond the board."""
    if layout.side is not None:
        whole = np.floor(at).astype(int)
        off: Flags = np.any((whole < 0) | (whole >= layout.side), axis=-1)
        file, rank = np.moveaxis(np.clip(whole, 0, layout.side - 1), -1, 0)
        return rank * layout.side + file, off
    away = np.stack([((at - centre) ** 2).sum(axis=-1) for centre in layout.centres])
    nearest = away.argmin(axis=0)
    off = np.sqrt(away.min(axis=0)) > 0.8 * layout.spans[nearest]
    return nearest, off


class SquareWitness:
    """Judges every square by the colours in a picture of a known position."""

    def __init__(self, layout: Layout, first: LongPatches, occupants: Indices) -> None:
        """`first` are the patches of a picture with these `occupants`; -1 for an unknown one."""
        self._near = nearness(layout)
        self._first = first
        shades = np.array(layout.colours)
        empty = occupants == Occupant.EMPTY
        bare = [
            first.colours[empty & (shades == each)][:, _MIDDLE].reshape(-1, 3) for each in (0, 1)
        ]
        self._bare = np.log(np.stack([table_of_bare(colours) for colours in bare]))
        self._plain = np.array([np.median(colours[:, 0]) for colours in bare])
        bodies = {
            who: (first.colours[stands][:, _BODY], first.shades[stands][:, _BODY])
            for who in (Occupant.BLACK, Occupant.ORANGE, Occupant.NEUTRAL)
            if (stands := occupants == who).any()
        }
        # A piece's patch shows board and neighbours as well. Its own colours are those least like
        # the board's, and in a second pass, when the other sides' are known, least like theirs.
        pieces: dict[Occupant, Floats] = {}
        for _ in range(2):
            pieces = {who: self._table(who, *body, pieces) for who, body in bodies.items()}
        self._pieces = pieces
        self._then = self._shown(first.colours, first.shades)
        self._stood = np.where(occupants < 0, UNSEEN, occupants)

    def _table(
        self, who: Occupant, colours: Floats, shades: Indices, known: Mapping[Occupant, Floats]
    ) -> Floats:
        """Return a side's table of log-likelihoods by colour, from its most telling points.

        `known` are the tables of all sides by the pass before; empty in the first.
        """
        at = table_at(colours)
        others = [table[at] for other, table in known.items() if other != who]
        telling = -np.max([self._bare[shades, at], *others], axis=0)
        if who in known:
            telling += known[who][at]
        order = np.argsort(-telling, axis=None, kind="stable")
        own = colours.reshape(-1, 3)[order[: max(int(DISTINCT * len(order)), 1)]]
        return np.log(table_of(sampled(own)))

    def inputs(self, patches: LongPatches) -> tuple[Numbers, Indices]:
        """Return the network's input for every square.

        That is the channels of its points, (squares, LONG, WIDE, CHANNELS), and its occupant in the
        first picture, (squares,), or UNSEEN.
        """
        lighter = lightening(self._near, patches.means, self._first.means)
        colours = patches.colours - lighter[:, None].astype(np.float32)
        now = self._shown(colours, patches.shades)
        change = np.linalg.norm(colours - self._first.colours, axis=2).clip(max=MOST_CHANGED)
        apart = np.linalg.norm(patches.places - self._first.places, axis=2).mean(axis=1)
        has_first = apart < ELSEWHERE
        has_first &= patches is not self._first  # beside itself it would prove everything
        has_first &= self._stood != UNSEEN
        lean = np.broadcast_to(patches.lean[:, None] - LIGHTEST, change.shape)
        layers = [now, patches.outside[..., None], lean[..., None]]
        layers += [self._then, change[..., None]]
        shown = np.concatenate(layers, axis=2, dtype=np.float32)
        shown[~has_first, :, THEN:] = 0.0
        return shown.reshape(-1, LONG, WIDE, CHANNELS), np.where(has_first, self._stood, UNSEEN)

    def _shown(self, colours: Floats, shades: Indices) -> Numbers:
        """Return the channels of one picture's points, (squares, points, SHOWN)."""
        at = table_at(colours)
        shown = np.full((*at.shape, SHOWN), -6.0, np.float32)
        shown[..., 0] = self._bare[shades, at]
        for who, table in self._pieces.items():
            shown[..., who] = table[at]
        shown[..., :4] += 3.0
        shown[..., :4] /= 3.0
        shown[..., 4] = np.clip(colours[..., 0] - self._plain[shades], -LIGHTEST, LIGHTEST)
        return shown

    def judge(self, patches: LongPatches) -> tuple[Floats, Flags]:
        """Return each occupant's likelihood, (squares, 4), in nats; 0 for the best.

        Also the squares that something hides, (squares,). That most squares are unchanged has no
        part in it: callers weigh that.
        """
        # The network has learned how often each occupant follows each first one; that is taken out.
        shown, stood = self.inputs(patches)
        weights = _weights()
        scores = score(weights, shown, stood)
        by_occupant = (scores[:, :COVERED] - weights["shares"][stood]).astype(float)
        return (
            by_occupant - by_occupant.max(axis=1, keepdims=True),
            scores.argmax(axis=1) == COVERED,
        )


@cache
def _weights() -> dict[str, Numbers]:
    """Return the network's weights, read once."""
    return read_weights(WEIGHTS)


# ------------------------------------------------------------------ which colours things have


SAMPLES = 150
"""Points whose colours define a side's pieces, or the board."""

ALIKE = 0.1
"""Usual difference between colours of the same thing, in logarithms."""

SHADES, SHADED, ANYTHING = (0.2, 0.4, 0.6), 0.15, 0.002
"""Darkenings of a board by a shadow, in logarithms, the share of it in one, and the likelihood of
any other colour."""

FIRST_BINS, BIN_WIDTHS, BINS = np.array([2.4, -1.2, -0.8]), np.array([0.1, 0.1, 0.08]), (33, 25, 21)
"""The tables' bins: the first one's middle, their widths and their number, for lightness, warmth
and greenness as `OPPONENT` has them, in logarithms."""


def table_of_bare(colours: Floats) -> Floats:
    """Return the table of bare squares of one colour, some of them in a shadow."""
    known = sampled(colours)
    shaded = np.concatenate([known - (darker, 0.0, 0.0) for darker in SHADES])[:: len(SHADES)]
    return (1 - SHADED) * table_of(known) + SHADED * table_of(shaded)


def sampled(colours: Floats) -> Floats:
    """Return some of many colours, the same ones each time."""
    few = min(SAMPLES, len(colours))
    return colours[np.random.default_rng(0).choice(len(colours), few, replace=False)]


def table_at(colours: Floats) -> Indices:
    """Return the index of colours in a table, (..., 3) to (...)."""
    steps = ((colours - FIRST_BINS) / BIN_WIDTHS + 0.5).astype(np.int32)
    places = np.clip(steps, 0, np.array(BINS, np.int32) - 1)
    at: Indices = (places[..., 0] * BINS[1] + places[..., 1]) * BINS[2] + places[..., 2]
    return at


def table_of(known: Floats) -> Floats:
    """Return the likelihood, 0..1, of each bin's colour for a thing with the `known` colours.

    No colour is quite impossible for it: ANYTHING is added.
    """
    away = [
        (((low + wide * np.arange(bins) - colours[:, None]) / ALIKE) ** 2 / 3).astype(np.float32)
        for low, wide, bins, colours in zip(FIRST_BINS, BIN_WIDTHS, BINS, known.T, strict=True)
    ]
    table = np.zeros(BINS, np.float32)
    for light, warm, green in zip(*away, strict=True):
        apart = (1 + light)[:, None, None] + warm[:, None] + green
        table += 1 / (apart * apart * apart)  # far quicker than `apart**3`
    return table.reshape(-1).astype(float) / max(len(known), 1) + ANYTHING


# ------------------------------------------------------------------ the network


LAYERS = (("first", 1), ("second", 1), ("third", 2))
"""The layers of 3 by 3, and the stride of each."""


def score(weights: Mapping[str, Numbers], inputs: Numbers, stood: Indices) -> Numbers:
    """Return the score of each class for each patch, (patches, classes), in nats, but for a sum.

    They are log-probabilities by the frequencies of training. `inputs` are (patches, rows, columns,
    channels), and `stood` the occupants in the first picture, (patches,).
    """
    # Four neighbouring points are joined first, then come three layers of 3 by 3, the last of which
    # halves rows and columns, and two that see the whole patch, the first with `stood`.
    values = folded(inputs)
    for name, stride in LAYERS:
        near = windows(values, stride)
        flat = near.reshape(-1, near.shape[-1]) @ weights[name]
        flat += weights[f"{name} bias"]
        np.maximum(flat, 0.0, out=flat)
        values = flat.reshape(*near.shape[:3], -1)
    hidden = values.reshape(len(values), -1) @ weights["whole"] + weights["whole bias"]
    hidden += weights["stood"][stood]
    scores: Numbers = np.maximum(hidden, 0.0) @ weights["last"] + weights["last bias"]
    return scores


def folded(inputs: Numbers) -> Numbers:
    """Return inputs with each 2 by 2 points joined as one with all their channels."""
    count, rows, columns, channels = inputs.shape
    parts = inputs.reshape(count, rows // 2, 2, columns // 2, 2, channels)
    return parts.transpose(0, 1, 3, 2, 4, 5).reshape(count, rows // 2, columns // 2, 4 * channels)


def windows(inputs: Numbers, stride: int) -> Numbers:
    """Return the 3 by 3 surroundings of every `stride`-th point, (patches, rows, columns, 9 n)."""
    count, rows, columns, channels = inputs.shape
    padded = np.zeros((count, rows + 2, columns + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = inputs
    views = sliding_window_view(padded, (3, 3), axis=(1, 2))[:, ::stride, ::stride]
    return views.transpose(0, 1, 2, 4, 5, 3).reshape(*views.shape[:3], 9 * channels)


def read_weights(path: Path) -> dict[str, Numbers]:
    """Return the network's weights in a file, by name."""
    with np.load(path) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}
