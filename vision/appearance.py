"""The look of empty squares and of both sides, learned from positions that are known.

Each occupant has, on squares of each colour, a mean and a spread of features; what has been seen
little of leans on what has been seen more of. Besides, each square remembers how it looked when
its occupant was last known: most squares have not changed since, and that is the surest sign.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from rules import Occupant

from .arrays import Flags, Floats, Indices
from .features import FEATURES
from .layout import Layout
from .occlusion import UNTOLD, Behind

Occupants = Indices
"""What stands on each square, as the numbers of `Occupant`; UNKNOWN where nobody knows."""

UNKNOWN = -1

REMEMBERED = 12
"""Pictures from which the looks are learned, besides the first."""

TAILS = 8.0
"""Degrees of freedom: how lightly a look that is far from all others is taken."""

FAITH = 6.0
"""How many sightings the spread of all looks counts for, beside a look's own."""

UNCHANGED = 0.97
"""The share of squares that look as they did."""

CLEARLY = 6.0
"""By so many nats a square looks more like an empty one than like any with a piece."""

OF_BESIDE = 10.0
"""How strongly what is seen beside a newcomer speaks, in nats for its whole share."""

NO_REASON = 16.0
"""What it costs that a square looks new though nothing on it or before it is."""

ABSENT = 6.0
"""What it costs that the neutral piece stands nowhere."""

UNSEEN = 3.0
"""What it costs that something has come to a square of which hardly anything can be seen."""

SUREST = 25.0
"""No sighting speaks more strongly against an occupant than this, in nats."""

STRANGE = 16.0
"""From here on, in squared spreads a feature, a square shows neither pieces nor itself: a hand."""


@dataclass(frozen=True)
class SquareAppearance:
    """How an occupant looks on squares of one colour: a mean and the inverse of a spread."""

    mean: Floats
    inverse: Floats
    log_volume: float

    def distance(self, features: Floats) -> Floats:
        """Return how far features, (n, FEATURES), are from the mean, in squared spreads."""
        away = features - self.mean
        distance: Floats = (away @ self.inverse * away).sum(axis=1)
        return distance

    def log_likelihood(self, distance: Floats) -> Floats:
        """Return the log-likelihood of features at such a distance."""
        power = 0.5 * (TAILS + FEATURES)
        return -0.5 * self.log_volume - power * np.log1p(distance / TAILS)


@dataclass(frozen=True, slots=True)
class AppearanceFit:
    """How well the looks explain features, whatever stood there before.

    `likelihoods` (squares, 4) are in nats, -inf where a look was never seen; `nearest` is the
    distance to the nearest of them; `anything` the log-likelihood by the look of all squares alike.
    """

    features: Floats
    likelihoods: Floats
    nearest: Floats
    anything: Floats

    @property
    def is_empty(self) -> Flags:
        """The squares that look clearly as if nothing stood on them."""
        pieces = self.likelihoods[:, Occupant.EMPTY + 1 :].max(axis=1)
        empty: Flags = self.likelihoods[:, Occupant.EMPTY] > pieces + CLEARLY
        return empty


@dataclass(frozen=True, slots=True)
class SquareEvidence:
    """Evidence of every square: `likelihoods` (squares, 4) in nats, and what shows neither."""

    likelihoods: Floats
    is_strange: Flags


class Appearance:
    """What has been learned of one board, its pieces and its light."""

    def __init__(self, layout: Layout, has_neutral: bool) -> None:
        """Know a board; `has_neutral`: a piece that belongs to nobody may stand on it."""
        self._has_neutral = has_neutral
        self._shades = np.array(layout.colours)
        self._first: tuple[Floats, Occupants] | None = None
        self._recent: deque[tuple[Floats, Occupants]] = deque(maxlen=REMEMBERED)
        self._looks: dict[tuple[int, int], SquareAppearance] = {}
        self._last = np.zeros((len(self._shades), FEATURES))
        self._last_occupants = np.full(len(self._shades), UNKNOWN)
        self._flutter = np.zeros(FEATURES)
        self._anything = SquareAppearance(np.zeros(FEATURES), np.eye(FEATURES), 0.0)

    def learn(self, features: Floats, occupants: Occupants) -> None:
        """Take in what squares look like on which stands what."""
        known = occupants != UNKNOWN
        if self._first is None:
            self._first = features, occupants
        else:
            same = known & (occupants == self._last_occupants)
            self._learn_flutter(features[same] - self._last[same])
            self._recent.append((features, occupants))
        self._last[known] = features[known]
        self._last_occupants = np.where(known, occupants, self._last_occupants)
        self._fit()

    def coherence(self, features: Floats, occupants: Occupants) -> float:
        """Return how well features fit the looks of `occupants`, in nats a square."""
        total = 0.0
        for (occupant, shade), look in self._looks.items():
            on = (occupants == occupant) & (self._shades == shade)
            total += float(look.log_likelihood(look.distance(features[on])).sum())
        return total / len(occupants)

    def margins(self, features: Floats, occupants: Occupants) -> Floats:
        """Return how much better features fit the look of `occupants` than any other, in nats."""
        count = np.arange(len(occupants))
        fresh = np.full((len(occupants), len(Occupant)), -np.inf)
        for (occupant, shade), look in self._looks.items():
            if not (occupants == occupant).any():
                continue
            on = self._shades == shade
            fresh[on, occupant] = look.log_likelihood(look.distance(features[on]))
        own = fresh[count, occupants]
        fresh[count, occupants] = -np.inf
        margins: Floats = own - fresh.max(axis=1)
        return margins

    def compare(self, features: Floats) -> AppearanceFit:
        """Return how well each look explains features, (squares, FEATURES)."""
        fresh = np.full((len(features), len(Occupant)), -np.inf)
        nearest = np.full(len(features), np.inf)
        for (occupant, shade), look in self._looks.items():
            if occupant == Occupant.NEUTRAL and not self._has_neutral:
                continue
            on = self._shades == shade
            distance = look.distance(features[on])
            fresh[on, occupant] = look.log_likelihood(distance)
            nearest[on] = np.minimum(nearest[on], distance)
        anything = self._anything.log_likelihood(self._anything.distance(features))
        return AppearanceFit(features, fresh, nearest, np.minimum(anything, fresh.max(axis=1)))

    def see(
        self, fresh: AppearanceFit, unchanged: Floats, behind: Behind, hidden: Floats
    ) -> SquareEvidence:
        """Return how well each occupant explains what is seen of each square.

        `unchanged` is the share of each square's points that look as they did last, `hidden` that
        of an empty square which had something before it then, and has no part in `unchanged`.
        """
        drift = ((fresh.features - self._last) ** 2 / self._flutter).sum(axis=1)
        bare = np.log(UNCHANGED) + self._undisturbed(drift)
        changed = fresh.likelihoods + np.log(1 - UNCHANGED)
        likelihoods = changed + _of_changed(unchanged)[:, None]
        unseen = bare - UNSEEN - 15 * np.maximum(0.6 - hidden, 0.0)
        as_before = np.logaddexp(bare, fresh.anything + _of_beside(behind.unchanged))
        for occupant in Occupant:
            stood = self._last_occupants == occupant
            likelihoods[stood, occupant] = np.logaddexp(changed[stood, occupant], as_before[stood])
            if occupant is not Occupant.EMPTY and np.isfinite(changed[:, occupant]).all():
                likelihoods[:, occupant] = np.logaddexp(likelihoods[:, occupant], unseen)
        cleared = fresh.anything + np.log(1 - UNCHANGED) + _of_beside(behind.bare)
        empty = likelihoods[:, Occupant.EMPTY]
        likelihoods[:, Occupant.EMPTY] = np.logaddexp(empty, cleared)
        if (self._last_occupants == Occupant.NEUTRAL).any():
            likelihoods = _of_one_neutral(likelihoods)
        likelihoods -= likelihoods.max(axis=1, keepdims=True)
        is_strange = np.minimum(fresh.nearest, drift) > STRANGE * FEATURES
        return SquareEvidence(np.maximum(likelihoods, -SUREST), is_strange)

    def _undisturbed(self, drift: Floats) -> Floats:
        """Return the log-likelihood of looks that have moved so far from those seen last."""
        same = SquareAppearance(
            np.zeros(FEATURES), np.eye(FEATURES), float(np.log(self._flutter).sum())
        )
        return same.log_likelihood(drift)

    def _learn_flutter(self, changes: Floats) -> None:
        """Learn how much squares on which nothing happened change from picture to picture."""
        if len(changes) > 20:
            typical = np.percentile(np.abs(changes), 70, axis=0) ** 2
            self._flutter = np.maximum(0.7 * self._flutter + 0.3 * 2 * typical, 1e-4)

    def _fit(self) -> None:
        """Learn the looks anew from what is remembered."""
        assert self._first is not None
        sightings = [self._first, *self._recent]
        features = np.concatenate([features for features, _ in sightings])
        occupants = np.concatenate([occupants for _, occupants in sightings])
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
        self._anything = _wide(features)
        for (occupant, shade), group in groups.items():
            elsewhere = groups[occupant, 1 - shade]
            if len(elsewhere):
                elsewhere = elsewhere + _shift(groups, shade)
            spread = spreads[Occupant(occupant)]
            self._looks[occupant, shade] = _look(group, elsewhere, spread, overall)


def _of_beside(share: Floats) -> Floats:
    """Return the log-likelihood that a newcomer is why a square looks new.

    `share` of what is seen beside the newcomer looks as it should; NaN where there is none.
    """
    nats = np.clip(OF_BESIDE * (share - UNTOLD), -OF_BESIDE / 2, OF_BESIDE / 2)
    weighed: Floats = np.where(np.isnan(share), -NO_REASON, nats)
    return weighed


def _of_one_neutral(likelihoods: Floats) -> Floats:
    """Return likelihoods told that there is one neutral piece, and seldom none on the board.

    Whatever else stands on a square, the neutral piece then stands on the likeliest other one.
    """
    others = np.delete(likelihoods, Occupant.NEUTRAL, axis=1).max(axis=1)
    better = likelihoods[:, Occupant.NEUTRAL] - others
    second, first = np.sort(better)[-2:]
    elsewhere = np.where(better == first, second, first)
    weighed: Floats = likelihoods + np.maximum(elsewhere, -ABSENT)[:, None]
    weighed[:, Occupant.NEUTRAL] = likelihoods[:, Occupant.NEUTRAL]
    return weighed


def _of_changed(share: Floats) -> Floats:
    """Return the log-likelihood that so many points stay alike where the occupant has changed."""
    nats: Floats = np.maximum(-30 * np.maximum(share - 0.5, 0.0), -15.0)
    return nats


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
    """Return how pieces look different on squares of `shade` from those on the other squares."""
    shifts = [
        groups[side, shade].mean(axis=0) - groups[side, 1 - shade].mean(axis=0)
        for side in (Occupant.BLACK, Occupant.ORANGE)
        if len(groups[side, 0]) and len(groups[side, 1])
    ]
    return np.mean(shifts, axis=0) if shifts else np.zeros(FEATURES)


def _look(
    group: Floats, elsewhere: Floats, spread: Floats | None, overall: Floats
) -> SquareAppearance:
    """Return an occupant's look on squares of one colour.

    `group` are its sightings there, `elsewhere` those on squares of the other colour, `spread` is
    that of both. What has never been seen looks like nothing else: its spread is wide.
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


def _wide(features: Floats) -> SquareAppearance:
    """Return the look of whatever may be seen of a square: all sightings in one, and wider."""
    mean = features.mean(axis=0)
    away = features - mean
    return _of_spread(mean, 2 * away.T @ away / len(features))


def _of_spread(mean: Floats, covariance: Floats) -> SquareAppearance:
    firm: Floats = covariance + 1e-4 * np.eye(FEATURES)
    inverse = np.linalg.inv(firm).astype(np.float64)
    return SquareAppearance(mean, inverse, float(np.linalg.slogdet(firm)[1]))
