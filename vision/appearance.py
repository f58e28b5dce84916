"""Looks of empty squares and of both sides' pieces, learned from known positions.

Each occupant has, on squares of each colour, a mean and a covariance of the features of `patches`;
those seldom seen borrow from those seen more. Each square also remembers its look when its occupant
was last known: most squares have not changed since, and that is the surest sign. A piece that has
just come hides part of the squares behind it, which then look new though nothing has happened on
them, or do not show what has happened: the part seen beside the newcomer tells more than the whole.

Everything is weighed in nats, natural logarithms of odds: 3 nats are 20 to 1, 5 nats 150 to 1, 10
nats 22,000 to 1.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardware.ports import IN_DOUBT
from rules import Occupant

from .geometry import TALLEST, Flags, Floats, Indices, Layout, Pose
from .patches import DISC_ACROSS, DISC_AWAY, FEATURES

Occupants = Indices
"""The occupant of each square, as a number of `Occupant`, or IN_DOUBT; (squares,)."""

LESSONS_KEPT = 12
"""Pictures from which looks are learned, besides the first: more recent light counts."""

TAILS = 8.0
"""Degrees of freedom of Student's distribution, by which distances are judged: with fewer, outliers
count less. A normal distribution would let one odd pixel outweigh everything else."""

FAITH = 6.0
"""Weight, in sightings, of an occupant's covariance on both colours beside that on one, and of the
variances of all occupants besides: a few sightings alone would judge too sharply."""

UNCHANGED = 0.97
"""Share of squares that do not change between two pictures. A change therefore costs 3.5 nats."""

SURELY_EMPTY = 6.0
"""Nats by which a surely empty square looks more like an empty one than like any other."""

OF_BESIDE = 10.0
"""Nats for the part of a square seen beside the newcomer that hides the rest, for a whole share: at
most 5 either way from `UNDECIDED`, the share that tells nothing."""

NO_REASON = 16.0
"""Nats against a square that looks new though nothing on it or before it is."""

STIRRED, STIRRED_FROM, STIRRED_TO = 8.0, 0.65, 0.3
"""Nats against an unchanged square that looks changed though nothing came or went that may hide it:
people straighten one piece in some hundred looks. All of them at the last share of unchanged points
or below, none from the first share on."""

EVIDENT = 3.0
"""Nats by which a square must look new to be a reason why those behind it do."""

HIDING = 3.0
"""Nats against a piece that has come to a square of which hardly anything is seen."""

MOSTLY_HIDDEN, HIDING_RISES = 0.6, 15.0
"""Share of a square that is hidden below which more of a newcomer would be seen, and the nats for
each whole share less: 9 beside HIDING for a square that is not hidden."""

BELIEVED_MOST = 6.0
"""Most nats of the reader's belief about a square beside what is seen there. Later looks can
therefore deny a wrong belief, however sure it was."""

MOST_NATS = 25.0
"""Most nats of one sighting against an occupant: the next one may still correct it."""


@dataclass(frozen=True)
class SquareAppearance:
    """An occupant's look on squares of one colour, as a distribution of features."""

    mean: Floats
    """(FEATURES,)."""
    inverse: Floats
    """The inverse covariance, (FEATURES, FEATURES)."""
    log_volume: float
    """The logarithm of the covariance's determinant: wide distributions are thin everywhere."""

    def distance(self, features: Floats) -> Floats:
        """Return the squared deviation of features, (n, FEATURES), from the mean, (n,)."""
        away = features - self.mean
        distance: Floats = (away @ self.inverse * away).sum(axis=1)
        return distance


def log_likelihood(log_volume: float, distance: Floats) -> Floats:
    """Return the log-likelihood of a squared deviation under a `log_volume`, in nats, (n,)."""
    return -0.5 * log_volume - 0.5 * (TAILS + FEATURES) * np.log1p(distance / TAILS)


@dataclass(frozen=True, slots=True)
class AppearanceFit:
    """The fit of what was learned to a picture, whatever stood there before."""

    features: Floats
    """(squares, FEATURES)."""
    likelihoods: Floats
    """Each occupant's, (squares, 4), in nats; -inf for one that cannot stand there."""
    anything: Floats
    """Log-likelihood of anything at all, by the wide spread of all squares alike, (squares,);
    never better than the best occupant's."""

    @property
    def is_empty(self) -> Flags:
        """Squares that look surely empty, (squares,)."""
        pieces = self.likelihoods[:, Occupant.EMPTY + 1 :].max(axis=1)
        empty: Flags = self.likelihoods[:, Occupant.EMPTY] > pieces + SURELY_EMPTY
        return empty


@dataclass(frozen=True, slots=True)
class SquareEvidence:
    """The evidence of a picture about every square."""

    likelihoods: Floats
    """Each occupant's, (squares, 4), in nats: 0 for the best, -MOST_NATS at the least."""
    unbelieved: Floats
    """The same by sight alone, without the reader's belief."""
    witness: Floats
    """The same by the network alone."""
    is_covered: Flags
    """Squares that something hides, by the network: a hand, an arm."""


class Appearance:
    """The looks learned of one board, its pieces and its light."""

    def __init__(self, layout: Layout, has_neutral: bool) -> None:
        """`has_neutral`: a piece of neither side may stand on the board."""
        self._has_neutral = has_neutral
        self._shades = np.array(layout.colours)
        # Lessons: features, and each square's occupant.
        self._first: tuple[Floats, Occupants] | None = None
        self._recent: deque[tuple[Floats, Occupants]] = deque(maxlen=LESSONS_KEPT)
        self._appearances: dict[tuple[int, int], SquareAppearance] = {}
        count = len(self._shades)
        self._last = np.zeros((count, FEATURES))
        self._last_seen = np.zeros((count, len(Occupant)))
        self._believed = np.full(count, IN_DOUBT)
        self._belief = np.zeros(count)
        self._flutter = np.zeros(FEATURES)
        self._anything = SquareAppearance(np.zeros(FEATURES), np.eye(FEATURES), 0.0)

    def learn(
        self, features: Floats, occupants: Occupants, belief: Floats, unbelieved: Floats | None
    ) -> None:
        """Take in a picture's features, (squares, FEATURES), and each square's occupant.

        `belief` is the certainty of each, (squares,), in nats, besides what the picture itself
        shows. `unbelieved` is its evidence as in `SquareEvidence`; None for a first one, which is
        certain.
        """
        known = occupants != IN_DOUBT
        if self._first is None:
            self._first = features, occupants
        else:
            same = known & (occupants == self._believed)
            self._learn_flutter(features[same] - self._last[same])
            self._recent.append((features, occupants))
        self._last[known] = features[known]
        # An unchanged square gains nothing by being seen once more: it is the same sight. And it is
        # no surer than this lesson, however sure its occupant was before: else a wrong belief would
        # outlive the doubt about it.
        anew = (occupants != self._believed) | (belief >= MOST_NATS)
        kept = np.where(anew, belief, np.minimum(self._belief, belief))
        self._belief[known] = kept[known]
        self._believed = np.where(known, occupants, self._believed)
        if unbelieved is None:
            unbelieved = np.where(np.arange(len(Occupant)) == occupants[:, None], 0.0, -MOST_NATS)
        self._last_seen[known] = unbelieved[known]
        self._learn_appearances()

    def fit(self, features: Floats) -> AppearanceFit:
        """Return the fit of each occupant's look to features, (squares, FEATURES)."""
        likelihoods = np.full((len(features), len(Occupant)), -np.inf)
        for (occupant, shade), appearance in self._appearances.items():
            if occupant == Occupant.NEUTRAL and not self._has_neutral:
                continue
            on = self._shades == shade
            distance = appearance.distance(features[on])
            likelihoods[on, occupant] = log_likelihood(appearance.log_volume, distance)
        wide = self._anything
        anything = log_likelihood(wide.log_volume, wide.distance(features))
        return AppearanceFit(features, likelihoods, np.minimum(anything, likelihoods.max(axis=1)))

    @property
    def pieces(self) -> Flags:
        """Squares on which something is believed to stand, (squares,)."""
        return self._believed > Occupant.EMPTY

    def weigh(
        self,
        fit: AppearanceFit,
        *,
        unchanged: Floats,
        unchanged_behind: Floats,
        bare_behind: Floats,
        bare_beside: Floats,
        hidden: Floats,
        hides: Flags,
    ) -> SquareEvidence:
        """Return the evidence of a fit together with each square's past.

        All shares are (squares,). `unchanged` is the share of a square's points that look as they
        did last. `unchanged_behind` is the same of the part seen beside newcomers before it, NaN
        for none, and `bare_behind` the share of that part that looks bare; `bare_beside` likewise
        beside pieces that stood there already. `hidden` is the share of an empty square that was
        hidden when it was seen last, and is left out of `unchanged`. `hides[first, second]` is true
        where a piece on the second may change the look of the first, (squares, squares).
        """
        # Every way in which an occupant can have come to stand on a square is a sum of costs in
        # nats, and the ways are added as probabilities are, by `logaddexp`.
        drift = ((fit.features - self._last) ** 2 / self._flutter).sum(axis=1)
        same = np.log(UNCHANGED) + log_likelihood(float(np.log(self._flutter).sum()), drift)
        changed = fit.likelihoods + np.log(1 - UNCHANGED)
        # A piece has come, but only what hides its square is seen, and looks as before.
        unseen = same - HIDING - HIDING_RISES * np.maximum(MOSTLY_HIDDEN - hidden, 0.0)
        # The piece has gone, and what hides the empty square has come or stood there already.
        of_others = _of_beside(np.where(self.pieces, bare_beside, np.nan))
        beside = np.fmax(_of_beside(bare_behind), of_others)
        cleared = fit.anything + np.log(1 - UNCHANGED) + beside
        unlooked = np.where(np.isfinite(changed), unseen[:, None], -np.inf)
        unlooked[:, Occupant.EMPTY] = cleared
        come = np.logaddexp(changed, unlooked)  # or it has come, and the square looks like it
        # It stood there already, and the square looks as it did, or a newcomer hides it.
        as_before = np.logaddexp(same, fit.anything + _of_beside(unchanged_behind))[:, None]
        memory = self._remembered(np.zeros(len(same)))
        stays = changed + memory - self._stirred(fit, memory, unchanged, hides)[:, None]
        come += _of_others(memory)
        weighed = [
            np.logaddexp(np.logaddexp(come, stays), as_before + self._remembered(belief))
            for belief in (self._belief, np.zeros(len(same)))
        ]
        believed, unbelieved = (
            np.maximum(each - each.max(axis=1, keepdims=True), -MOST_NATS) for each in weighed
        )
        covered = np.zeros(len(believed), bool)  # that, and what it sees, the network says
        return SquareEvidence(believed, unbelieved, np.zeros_like(believed), covered)

    def _stirred(
        self, fit: AppearanceFit, memory: Floats, unchanged: Floats, hides: Flags
    ) -> Floats:
        """Return the nats against squares being unchanged that look changed, (squares,)."""
        likeliest = (fit.likelihoods - fit.likelihoods.max(axis=1, keepdims=True) + memory).max(
            axis=1
        )
        is_new = (unchanged < STIRRED_FROM) & (likeliest < -EVIDENT)
        share = (STIRRED_FROM - unchanged) / (STIRRED_FROM - STIRRED_TO)
        has_reason = (hides & is_new).any(axis=1)
        return STIRRED * np.where(has_reason, 0.0, np.clip(share, 0.0, 1.0))

    def _remembered(self, belief: Floats) -> Floats:
        """Return each occupant's likelihood by memory, (squares, 4), in nats: 0 for the best.

        The believed one counts `belief` more than by sight. Squares never known have -inf.
        """
        is_believed = np.arange(len(Occupant)) == self._believed[:, None]
        memory = self._last_seen + belief[:, None] * is_believed
        memory -= memory.max(axis=1, keepdims=True)
        return np.where(self._believed[:, None] == IN_DOUBT, -np.inf, memory)

    def _learn_flutter(self, changes: Floats) -> None:
        """Learn the usual change of unchanged squares from picture to picture.

        It is a variance for each feature: twice the square of what 70 in 100 changes stay below. A
        new picture counts for three tenths.
        """
        if len(changes) > 20:
            typical = np.percentile(np.abs(changes), 70, axis=0) ** 2
            self._flutter = np.maximum(0.7 * self._flutter + 0.3 * 2 * typical, 1e-4)

    def _learn_appearances(self) -> None:
        """Learn all looks anew from the lessons kept."""
        assert self._first is not None
        sightings = [self._first, *self._recent]
        features, occupants = (np.concatenate(each) for each in zip(*sightings, strict=True))
        shades = np.tile(self._shades, len(sightings))
        groups = {
            (int(occupant), shade): features[(occupants == occupant) & (shades == shade)]
            for occupant in Occupant
            for shade in (0, 1)
        }
        spreads = {
            occupant: _spread_of([groups[occupant, shade] for shade in (0, 1)])
            for occupant in Occupant
        }
        known = [spread for spread in spreads.values() if spread is not None]
        overall = np.mean(known, axis=0)
        if len(sightings) == 1:
            self._flutter = np.maximum(0.1 * np.diag(overall), 1e-4)
        # Anything at all has the spread of all sightings in one, and twice as wide.
        wide = 2 * np.cov(features, rowvar=False, bias=True)
        self._anything = _of_spread(features.mean(axis=0), wide)
        for (occupant, shade), group in groups.items():
            elsewhere = groups[occupant, 1 - shade]
            if len(elsewhere):
                elsewhere = elsewhere + _shift(groups, shade)
            spread = spreads[Occupant(occupant)]
            self._appearances[occupant, shade] = _appearance_of(group, elsewhere, spread, overall)


def _of_others(memory: Floats) -> Floats:
    """Return the likelihood that something else than each occupant was there, (squares, 4).

    A newcomer is not of the side that stood there: nobody captures their own pieces.
    """
    likeliest = memory.argmax(axis=1)[:, None] == np.arange(memory.shape[1])
    others = np.where(likeliest, -np.inf, memory).max(axis=1, keepdims=True)
    return np.where(likeliest & np.isfinite(others), others, 0.0)


def _of_beside(share: Floats) -> Floats:
    """Return the log-likelihood that a newcomer before a square is the reason why it looks new.

    `share` is that of the part beside the newcomer that looks as it should; NaN for no newcomer.
    """
    nats = np.clip(OF_BESIDE * (share - UNDECIDED), -OF_BESIDE / 2, OF_BESIDE / 2)
    return np.where(np.isnan(share), -NO_REASON, nats)


def _spread_of(groups: list[Floats]) -> Floats | None:
    """Return the covariance within groups of sightings; None for fewer than four."""
    away = [group - group.mean(axis=0) for group in groups if len(group)]
    count = sum(map(len, away))
    if count < 4:
        return None
    joined = np.concatenate(away)
    spread: Floats = joined.T @ joined / count
    return spread


def _shift(groups: dict[tuple[int, int], Floats], shade: int) -> Floats:
    """Return the difference of pieces' features on squares of `shade` from the others."""
    shifts = [
        groups[side, shade].mean(axis=0) - groups[side, 1 - shade].mean(axis=0)
        for side in (Occupant.BLACK, Occupant.ORANGE)
        if len(groups[side, 0]) and len(groups[side, 1])
    ]
    return np.mean(shifts, axis=0) if shifts else np.zeros(FEATURES)


def _appearance_of(
    group: Floats, elsewhere: Floats, spread: Floats | None, overall: Floats
) -> SquareAppearance:
    """Return an occupant's look on squares of one colour.

    `group` are its sightings there, `elsewhere` those on the other colour, as they would look here;
    `spread` is the covariance of both, `overall` that of all occupants. For an occupant seen on the
    other colour only it counts twice; for one never seen, 16 times.
    """
    own = overall if spread is None else spread
    base = FAITH * own + FAITH * np.diag(np.diag(overall))
    count = len(group)
    if count:
        mean = group.mean(axis=0)
        away = group - mean
        covariance = (away.T @ away + base) / (count + 2 * FAITH)
        covariance += covariance / count  # the mean itself is known no better
    else:
        mean = elsewhere.mean(axis=0) if len(elsewhere) else np.zeros(FEATURES)
        covariance = base / (2 * FAITH) * (2.0 if len(elsewhere) else 16.0)
    return _of_spread(mean, covariance)


def _of_spread(mean: Floats, covariance: Floats) -> SquareAppearance:
    firm: Floats = covariance + 1e-4 * np.eye(FEATURES)
    inverse = np.linalg.inv(firm).astype(np.float64)
    return SquareAppearance(mean, inverse, float(np.linalg.slogdet(firm)[1]))


# ------------------------------------------------------------------ pieces that hide squares


PIECE_REACH = 0.7
"""Farthest a piece's axis is from the middle of a square whose patch it touches, in squares."""

BODY = 0.28
"""Half the width of a piece, in squares."""

FEWEST_POINTS = 8
"""Fewest points seen beside a newcomer, of a disc's 80, by which a square tells anything."""

UNDECIDED = 0.55
"""Share of unchanged points that tells nothing: as common behind a newcomer as on a square whose
occupant has changed."""


Occlusion = tuple[Flags, Floats, Floats]
"""Squares hidden by pieces in one view, as three arrays by (first, second) square.

True where a piece on the second may hide part of the first; the second's offset to the side, in
widths of the first; and the reach of the tallest piece on it beyond the first's middle, likewise.
"""


def occlusion_of(layout: Layout, pose: Pose) -> Occlusion:
    """Return the squares that pieces hide: those near a tallest piece's line from foot to top."""
    away, length = pose.directions(layout.centres)
    apart = layout.centres[:, None] - layout.centres[None]
    spans = layout.spans
    along = (apart * away[None]).sum(axis=2)
    tallest = TALLEST * length * spans[:, None]
    beyond = along - np.clip(along, 0.0, tallest.T)
    beside = apart[..., 0] * away[None, :, 1] - apart[..., 1] * away[None, :, 0]
    hides = np.hypot(beyond, beside) < PIECE_REACH * spans[None]
    across = apart[..., 0] * away[:, None, 1] - apart[..., 1] * away[:, None, 0]
    tops = layout.centres + tallest * away
    top = ((tops[None] - layout.centres[:, None]) * away[:, None]).sum(axis=2)
    hides &= ~np.eye(len(hides), dtype=bool)
    return hides, across / spans[:, None], top / spans[:, None]


def shares_beside(
    looks: Sequence[Flags], shown: Flags, pieces: Flags, occlusion: Occlusion
) -> list[Floats]:
    """Return for each of `looks` its share of the part of each square seen beside pieces.

    `pieces` are the squares of pieces, (squares,). `looks` and `shown` are points of discs,
    (squares, points): those with a look, and those of a piece's own square on which it is seen. The
    shares are (squares,) each, NaN for squares with no piece before them.
    """
    hides, across, top = occlusion
    behind, piece = np.nonzero(hides & (pieces & shown.any(axis=1)))
    middle = (shown @ DISC_ACROSS) / np.maximum(shown.sum(axis=1), 1)
    to_side = DISC_ACROSS - (across[behind, piece] + middle[piece])[:, None]
    above = DISC_AWAY - top[behind, piece, None]
    beside = (np.abs(to_side) > BODY) | (above > BODY)
    squares, first = np.unique(behind, return_index=True)
    shares = np.full((len(looks), len(shown)), np.nan)
    if len(squares):
        is_free = np.logical_and.reduceat(beside, first)
        count = is_free.sum(axis=1)
        counts = np.array([(points[squares] & is_free).sum(axis=1) for points in looks])
        share = counts / np.maximum(count, 1)
        shares[:, squares] = np.where(count < FEWEST_POINTS, UNDECIDED, share)
    return list(shares)
