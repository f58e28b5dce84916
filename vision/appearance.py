"""How empty squares and both sides' pieces look, learned from positions that are known.

Each occupant has, on squares of each colour, a mean and a covariance of the features of `patches`;
what has been seen little of leans on what has been seen more of. Besides, each square remembers how
it looked when its occupant was last known: most squares have not changed since, and that is the
surest sign. A piece that has just come hides part of the squares behind it, which look new though
nothing has happened on them, or show nothing of what has: what can be seen of such a square beside
the newcomer tells more than its whole look.

Everything is weighed in nats, natural logarithms of odds: what costs 3 nats is 20 times less
likely, 5 nats are 150 times, 10 are 22,000 times.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules import Occupant

from .geometry import TALLEST, Flags, Floats, Indices, Layout, Pose
from .patches import DISC_ACROSS, DISC_AWAY, FEATURES

Occupants = Indices
"""What stands on each square, as the numbers of `Occupant`; UNKNOWN where nobody knows."""

UNKNOWN = -1

REMEMBERED = 12
"""Pictures from which the appearances are learned, besides the first: more recent light counts."""

TAILS = 8.0
"""Degrees of freedom of Student's distribution, by which distances are judged: with fewer, what is
far from all that was learned speaks less strongly. A normal distribution would let one odd pixel
outweigh everything else."""

FAITH = 6.0
"""As so many sightings counts the spread of an occupant on both colours, beside those on one, and
as many again the variances of all occupants: few sightings make no needle-sharp judgement."""

UNCHANGED = 0.97
"""The share of squares that still hold what they held: 3 of 100 change between two pictures. To
have changed therefore costs a square 3.5 nats."""

CLEARLY = 6.0
"""By so many nats a square looks more like an empty one than like any with a piece."""

OF_BESIDE = 10.0
"""How strongly speaks what is seen of a square beside the newcomer that hides the rest of it: this
many nats a whole share, so at most 5 either way from the share that tells nothing, `UNDECIDED`."""

NO_REASON = 16.0
"""What it costs, in nats, that a square looks new though nothing on it or before it is."""

STIRRED, STIRRED_FROM, STIRRED_TO = 8.0, 0.65, 0.3
"""What it costs, in nats, that what stood on a square still does, and yet nothing of the square
looks as it did, though nothing came or went that may hide it: people straighten one piece in some
hundred looks. So much where no more than the last share looks as it did, none from the first on."""

EVIDENT = 3.0
"""A square that looks new by so many nats, 20 to 1, may be the reason why those behind it do."""

ABSENT = 6.0
"""What it costs, in nats, that the neutral piece stands nowhere: it is in a hand just then."""

UNSEEN = 3.0
"""What it costs, in nats, that something has come to a square of which hardly anything is seen."""

MOSTLY_HIDDEN, UNSEEN_RISES = 0.6, 15.0
"""Of a square of which less than this share is hidden more would be seen: each whole share less
costs so many nats beside UNSEEN, 9 where nothing is hidden."""

BELIEVED_MOST = 6.0
"""What is read to stand on a square counts for no more than this, in nats, beside what was seen
there: 160,000 to 1. So a belief that was wrong is never taken for granted: later looks deny it."""

SUREST = 25.0
"""No sighting speaks more strongly against an occupant than this, in nats: the next one may still
correct it."""

STRANGE = 16.0
"""From here on, in squared spreads a feature (four spreads off in each of them), a square shows
neither what was learned nor itself: a hand."""


@dataclass(frozen=True)
class SquareAppearance:
    """How an occupant looks on squares of one colour, as a distribution of features."""

    mean: Floats
    """(FEATURES,)."""
    inverse: Floats
    """Of the covariance, (FEATURES, FEATURES)."""
    log_volume: float
    """The logarithm of the covariance's determinant: wide distributions are thin everywhere."""

    def distance(self, features: Floats) -> Floats:
        """Return how far features, (n, FEATURES), are from the mean, in squared spreads."""
        away = features - self.mean
        distance: Floats = (away @ self.inverse * away).sum(axis=1)
        return distance


def log_likelihood(log_volume: float, distance: Floats) -> Floats:
    """Return the log-likelihood of what is so far, in squared spreads, off a distribution's mean.

    `log_volume` is as in `SquareAppearance`.
    """
    return -0.5 * log_volume - 0.5 * (TAILS + FEATURES) * np.log1p(distance / TAILS)


@dataclass(frozen=True, slots=True)
class AppearanceFit:
    """How well what was learned explains the features of a picture, whatever stood there before."""

    features: Floats
    """(squares, FEATURES)."""
    likelihoods: Floats
    """Of each occupant, (squares, 4), in nats; -inf for one that cannot stand there."""
    nearest: Floats
    """The distance to the appearance that fits best, in squared spreads."""
    anything: Floats
    """The log-likelihood that just something is seen, by the wide spread of all squares alike;
    never better than the best occupant's."""

    @property
    def is_empty(self) -> Flags:
        """The squares that look clearly as if nothing stood on them."""
        pieces = self.likelihoods[:, Occupant.EMPTY + 1 :].max(axis=1)
        empty: Flags = self.likelihoods[:, Occupant.EMPTY] > pieces + CLEARLY
        return empty


@dataclass(frozen=True, slots=True)
class SquareEvidence:
    """What a picture says of every square."""

    likelihoods: Floats
    """Of each occupant, (squares, 4), in nats: 0 for the best, -SUREST at the least."""
    unbelieved: Floats
    """The same by what has been seen alone, whatever is believed."""
    witness: Floats
    """What the network says by itself, likewise."""
    is_strange: Flags
    """Squares that show neither an occupant nor what was there: a hand, an arm."""


class Appearance:
    """What has been learned of one board, its pieces and its light."""

    def __init__(self, layout: Layout, has_neutral: bool) -> None:
        """Know a board; `has_neutral`: a piece that belongs to nobody may stand on it."""
        self._has_neutral = has_neutral
        self._shades = np.array(layout.colours)
        # Pictures by their features, and what stood on each square.
        self._first: tuple[Floats, Occupants] | None = None
        self._recent: deque[tuple[Floats, Occupants]] = deque(maxlen=REMEMBERED)
        self._appearances: dict[tuple[int, int], SquareAppearance] = {}
        count = len(self._shades)
        self._last = np.zeros((count, FEATURES))
        self._last_seen = np.zeros((count, len(Occupant)))
        self._believed = np.full(count, UNKNOWN)
        self._belief = np.zeros(count)
        self._flutter = np.zeros(FEATURES)
        self._anything = SquareAppearance(np.zeros(FEATURES), np.eye(FEATURES), 0.0)

    def learn(
        self, features: Floats, occupants: Occupants, belief: Floats, unbelieved: Floats | None
    ) -> None:
        """Take in a picture by its features, (squares, FEATURES), and what stands on each square.

        `belief` is how sure that is of each, (squares,), in nats, besides what the picture itself
        shows. `unbelieved` is its evidence as in `SquareEvidence`; None for a first one, which is
        certain.
        """
        known = occupants != UNKNOWN
        if self._first is None:
            self._first = features, occupants
        else:
            same = known & (occupants == self._believed)
            self._learn_flutter(features[same] - self._last[same])
            self._recent.append((features, occupants))
        self._last[known] = features[known]
        # What stays as it was gains nothing by being seen once more: it is the same sight. But that
        # it does is no surer than this lesson, however sure it was what stood there.
        anew = (occupants != self._believed) | (belief >= SUREST)
        kept = np.where(anew, belief, np.minimum(self._belief, belief))
        self._belief[known] = kept[known]
        self._believed = np.where(known, occupants, self._believed)
        if unbelieved is None:
            unbelieved = np.where(np.arange(len(Occupant)) == occupants[:, None], 0.0, -SUREST)
        self._last_seen[known] = unbelieved[known]
        self._learn_appearances()

    def fit(self, features: Floats) -> AppearanceFit:
        """Return how well each occupant's appearance explains features, (squares, FEATURES)."""
        likelihoods = np.full((len(features), len(Occupant)), -np.inf)
        nearest = np.full(len(features), np.inf)
        for (occupant, shade), appearance in self._appearances.items():
            if occupant == Occupant.NEUTRAL and not self._has_neutral:
                continue
            on = self._shades == shade
            distance = appearance.distance(features[on])
            likelihoods[on, occupant] = log_likelihood(appearance.log_volume, distance)
            nearest[on] = np.minimum(nearest[on], distance)
        wide = self._anything
        anything = log_likelihood(wide.log_volume, wide.distance(features))
        return AppearanceFit(
            features, likelihoods, nearest, np.minimum(anything, likelihoods.max(axis=1))
        )

    @property
    def pieces(self) -> Flags:
        """The squares on which something is believed to stand."""
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
        """Return how well each occupant explains what is seen of each square.

        Each way in which an occupant can have come to stand there is a sum of costs; the ways are
        added as probabilities are. `unchanged` is the share of each square's points that look as
        they did last, `unchanged_behind` the same of what is seen beside newcomers before it, NaN
        where none stands, and `bare_behind` the share of that which looks like the bare board;
        `bare_beside` likewise, beside the pieces that stood before it already. `hidden` is the
        share of an empty square that something hid when it was seen last, which has no part in
        `unchanged`. `hides` is whether what comes to the second, or leaves it, may change how the
        first looks, (squares, squares).
        """
        drift = ((fit.features - self._last) ** 2 / self._flutter).sum(axis=1)
        same = np.log(UNCHANGED) + log_likelihood(float(np.log(self._flutter).sum()), drift)
        changed = fit.likelihoods + np.log(1 - UNCHANGED)
        # Something has come, and all that is seen of its square is what hides it, as before.
        unseen = same - UNSEEN - UNSEEN_RISES * np.maximum(MOSTLY_HIDDEN - hidden, 0.0)
        # It has gone, and what hides the empty square has come, or stood there already.
        of_others = _of_beside(np.where(self.pieces, bare_beside, np.nan))
        beside = np.fmax(_of_beside(bare_behind), of_others)
        cleared = fit.anything + np.log(1 - UNCHANGED) + beside
        unlooked = np.where(np.isfinite(changed), unseen[:, None], -np.inf)
        unlooked[:, Occupant.EMPTY] = cleared
        come = np.logaddexp(changed, unlooked)  # or it has come, and the square looks like it
        # It stood there already: the square looks as it did, or a newcomer hides it.
        as_before = np.logaddexp(same, fit.anything + _of_beside(unchanged_behind))[:, None]
        memory = self._remembered(np.zeros(len(same)))
        stays = changed + memory - self._stirred(fit, memory, unchanged, hides)[:, None]
        come += _of_others(memory)
        weighed = [
            np.logaddexp(np.logaddexp(come, stays), as_before + self._remembered(belief))
            for belief in (self._belief, np.zeros(len(same)))
        ]
        if (self._believed == Occupant.NEUTRAL).any():
            weighed = [_of_one_neutral(likelihoods) for likelihoods in weighed]
        believed, unbelieved = (
            np.maximum(each - each.max(axis=1, keepdims=True), -SUREST) for each in weighed
        )
        is_strange = np.minimum(fit.nearest, drift) > STRANGE * FEATURES
        return SquareEvidence(believed, unbelieved, np.zeros_like(believed), is_strange)

    def _stirred(
        self, fit: AppearanceFit, memory: Floats, unchanged: Floats, hides: Flags
    ) -> Floats:
        """Return what it costs that squares hold what they held, though they look otherwise."""
        likeliest = (fit.likelihoods - fit.likelihoods.max(axis=1, keepdims=True) + memory).max(
            axis=1
        )
        is_new = (unchanged < STIRRED_FROM) & (likeliest < -EVIDENT)
        share = (STIRRED_FROM - unchanged) / (STIRRED_FROM - STIRRED_TO)
        has_reason = (hides & is_new).any(axis=1)
        return STIRRED * np.where(has_reason, 0.0, np.clip(share, 0.0, 1.0))

    def _remembered(self, belief: Floats) -> Floats:
        """Return what is remembered of each square, (squares, 4), in nats: 0 for the likeliest.

        What is believed to stand there counts `belief` beside what was seen. Of a square that was
        never known nothing is remembered: -inf.
        """
        is_believed = np.arange(len(Occupant)) == self._believed[:, None]
        memory = self._last_seen + belief[:, None] * is_believed
        memory -= memory.max(axis=1, keepdims=True)
        return np.where(self._believed[:, None] == UNKNOWN, -np.inf, memory)

    def _learn_flutter(self, changes: Floats) -> None:
        """Learn how much squares on which nothing happened change from picture to picture.

        It is a variance for each feature: twice the square of what 70 in 100 changes stay below. A
        new picture counts for three tenths.
        """
        if len(changes) > 20:
            typical = np.percentile(np.abs(changes), 70, axis=0) ** 2
            self._flutter = np.maximum(0.7 * self._flutter + 0.3 * 2 * typical, 1e-4)

    def _learn_appearances(self) -> None:
        """Learn the appearances anew from what is remembered."""
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
        # Whatever may be seen of a square is all sightings in one, and wider.
        wide = 2 * np.cov(features, rowvar=False, bias=True)
        self._anything = _of_spread(features.mean(axis=0), wide)
        for (occupant, shade), group in groups.items():
            elsewhere = groups[occupant, 1 - shade]
            if len(elsewhere):
                elsewhere = elsewhere + _shift(groups, shade)
            spread = spreads[Occupant(occupant)]
            self._appearances[occupant, shade] = _appearance_of(group, elsewhere, spread, overall)


def _of_others(memory: Floats) -> Floats:
    """Return how likely something else than each occupant was on the squares, (squares, 4).

    What comes to a square is not of the kind that stood there: nobody takes his own pieces.
    """
    likeliest = memory.argmax(axis=1)[:, None] == np.arange(memory.shape[1])
    others = np.where(likeliest, -np.inf, memory).max(axis=1, keepdims=True)
    return np.where(likeliest & np.isfinite(others), others, 0.0)


def _of_beside(share: Floats) -> Floats:
    """Return the log-likelihood that a newcomer before a square is why it looks new.

    `share` of what is seen beside the newcomer looks as it should; NaN where there is none.
    """
    nats = np.clip(OF_BESIDE * (share - UNDECIDED), -OF_BESIDE / 2, OF_BESIDE / 2)
    return np.where(np.isnan(share), -NO_REASON, nats)


def _of_one_neutral(likelihoods: Floats) -> Floats:
    """Return likelihoods given that there is one neutral piece, and seldom none on the board.

    Whatever else stands on a square, the neutral piece then stands on the likeliest other one.
    """
    others = np.delete(likelihoods, Occupant.NEUTRAL, axis=1).max(axis=1)
    better = likelihoods[:, Occupant.NEUTRAL] - others
    second, first = np.sort(better)[-2:]
    elsewhere = np.where(better == first, second, first)
    weighed: Floats = likelihoods + np.maximum(elsewhere, -ABSENT)[:, None]
    weighed[:, Occupant.NEUTRAL] = likelihoods[:, Occupant.NEUTRAL]
    return weighed


def _spread_of(groups: list[Floats]) -> Floats | None:
    """Return the covariance within groups of sightings, None where there are too few."""
    away = [group - group.mean(axis=0) for group in groups if len(group)]
    count = sum(map(len, away))
    if count < 4:
        return None
    joined = np.concatenate(away)
    spread: Floats = joined.T @ joined / count
    return spread


def _shift(groups: dict[tuple[int, int], Floats], shade: int) -> Floats:
    """Return by how much pieces look different on squares of `shade` than on the other ones."""
    shifts = [
        groups[side, shade].mean(axis=0) - groups[side, 1 - shade].mean(axis=0)
        for side in (Occupant.BLACK, Occupant.ORANGE)
        if len(groups[side, 0]) and len(groups[side, 1])
    ]
    return np.mean(shifts, axis=0) if shifts else np.zeros(FEATURES)


def _appearance_of(
    group: Floats, elsewhere: Floats, spread: Floats | None, overall: Floats
) -> SquareAppearance:
    """Return how an occupant looks on squares of one colour.

    `group` are its sightings there, `elsewhere` those on squares of the other colour, as they would
    look here; `spread` is the covariance of both, `overall` that of all occupants. One seen on the
    other colour only has twice that covariance; one never seen 16 times, like nothing special.
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


# ------------------------------------------------------------------ what stands before what


BROAD = 0.7
"""How far from a piece's middle a square's may be whose patch it touches, in squares."""

BODY = 0.28
"""How far a piece reaches to both sides of its middle, in squares."""

FEWEST = 8
"""With fewer points to be seen beside a newcomer (a disc has 80) a square tells nothing."""

UNDECIDED = 0.55
"""Such a share of unchanged points tells nothing: it is as common behind a newcomer as where the
occupant has changed."""


Occlusion = tuple[Flags, Floats, Floats]
"""Which squares pieces hide in one view; all arrays are (squares, squares): first, second.

Whether a piece on the second may hide part of the first; how far the second lies to the side, seen
over the first, in widths of the first; and how far beyond the first's middle the tallest piece on
the second reaches, likewise.
"""


def occlusion_of(layout: Layout, pose: Pose) -> Occlusion:
    """Return which squares pieces hide: those near the line over which the tallest would lean.

    That line leads from a piece's foot away from the camera, to where its top is seen.
    """
    away, length = pose.directions(layout.centres)
    apart = layout.centres[:, None] - layout.centres[None]
    spans = layout.spans
    along = (apart * away[None]).sum(axis=2)
    tallest = TALLEST * length * spans[:, None]
    beyond = along - np.clip(along, 0.0, tallest.T)
    beside = apart[..., 0] * away[None, :, 1] - apart[..., 1] * away[None, :, 0]
    hides = np.hypot(beyond, beside) < BROAD * spans[None]
    across = apart[..., 0] * away[:, None, 1] - apart[..., 1] * away[:, None, 0]
    tops = layout.centres + tallest * away
    top = ((tops[None] - layout.centres[:, None]) * away[:, None]).sum(axis=2)
    hides &= ~np.eye(len(hides), dtype=bool)
    return hides, across / spans[:, None], top / spans[:, None]


def shares_beside(
    looks: Sequence[Flags], shown: Flags, pieces: Flags, occlusion: Occlusion
) -> list[Floats]:
    """Return which share of each square has each of `looks`, of what is seen of it beside pieces.

    `pieces` are squares on which one stands, (squares,). `looks` and `shown` are points of discs,
    (squares, points): those that look so, and those of a piece's own square on which it is seen.
    The shares are (squares,) each, NaN where no piece stands before a square.
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
        shares[:, squares] = np.where(count < FEWEST, UNDECIDED, counts / np.maximum(count, 1))
    return list(shares)
