"""What the games of the atlas say: shares, lengths, what a piece is worth, and what to play."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from jetan_table.extras.opponent.match import CONFIDENT
from rules import parse_rules
from rules.options import DEFAULT_PRESET

from .games import KINDS, AtlasGame

RESAMPLED: Final = 200
RIDGE: Final = 0.05
MOST_POINTS: Final = 0.55

RULE: Final = (
    "The rule: play the reading that decides most of its games, among those that need neither "
    f"another board nor dice, give no side surely more than {round(100 * MOST_POINTS)} % of the "
    "points, and have half of their games over no later than the book's Appendix has; but keep to "
    "the Appendix where the games do not tell that another decides more."
)

Array = NDArray[Any]
Interval = tuple[float, float, float]
"""A figure, and between what it lies with 95 %."""


class Reading(msgspec.Struct, frozen=True):
    """What the games of a reading say."""

    points: Interval
    decided: Interval
    plies: tuple[int, int, int]
    """The median, and between what half of the games lie."""
    escaped: Interval
    wins: dict[str, int]
    draws: dict[str, int]
    worth: dict[str, Interval]
    """Of each kind: the share of the points that one more adds to an even game. A kind is left out
    of which both sides always have as many."""
    openings: dict[str, tuple[float, float, float, float]]
    """Black's commonest own moves: in how many games, and his points in those."""


class Atlas(msgspec.Struct, frozen=True):
    """What all games say, and how they were made."""

    games: int
    """Of each reading."""
    nodes: int
    seed: int
    worth: dict[str, Interval]
    """Of each kind, by the games of all readings."""
    readings: dict[str, Reading]


def summed_up(games: Sequence[AtlasGame]) -> Reading:
    """Return what the games of a reading say."""
    points = np.array([game.points for game in games])
    wins = Counter(game.ending for game in games if game.points != 0.5)
    draws = Counter(game.ending for game in games if game.points == 0.5)
    low, median, high = np.percentile([game.plies for game in games], (25, 50, 75)).round()
    first = Counter(move for game in games for move in set(game.opening))
    openings = {}
    for move, count in sorted(first.items(), key=lambda item: (-item[1], item[0]))[:3]:
        own = np.array([game.points for game in games if move in game.opening])
        openings[move] = (*wilson(count, len(games)), round(float(own.mean()), 3))
    spread = resampled(len(games), lambda drawn: points[drawn].mean(keepdims=True))
    return Reading(
        points=interval(points.mean(), spread[:, 0]),
        decided=wilson(wins.total(), len(games)),
        plies=(int(median), int(low), int(high)),
        escaped=wilson(sum(game.escaped for game in games), len(games)),
        wins=dict(wins.most_common()),
        draws=dict(draws.most_common()),
        worth=worth_of(games),
        openings=openings,
    )


def wilson(count: int, of: int) -> Interval:
    """Return a share, and between what the true one lies, by Wilson."""
    share, z2 = count / of, CONFIDENT**2
    middle, wide = share + z2 / (2 * of), share * (1 - share) / of + z2 / (4 * of * of)
    ends = (middle + sign * CONFIDENT * math.sqrt(wide) for sign in (-1, 1))
    low, high = (round(end / (1 + z2 / of), 3) for end in ends)
    return round(share, 3), low, high


def resampled(count: int, figure: Callable[[Array], Array]) -> Array:
    """Return a figure's values where the games are drawn again from themselves (bootstrap)."""
    chance = np.random.default_rng(count)
    return np.array([figure(chance.integers(count, size=count)) for _ in range(RESAMPLED)])


def interval(value: float, values: Array) -> Interval:
    """Return a figure, and between what 95 % of its resampled values lie."""
    low, high = np.percentile(values, (2.5, 97.5))
    return round(float(value), 3), round(float(low), 3), round(float(high), 3)


def worth_of(games: Sequence[AtlasGame]) -> dict[str, Interval]:
    """Return what one more of each kind adds to the points of an even game, by a logistic fit."""
    looks = [np.array(game.pieces, float).reshape(-1, len(KINDS)) for game in games]
    points = np.array([game.points for game in games])

    def worth(drawn: Array) -> Array:
        lengths = np.array([len(looks[at]) for at in drawn])
        weights = np.repeat(1 / np.maximum(lengths, 1), lengths)
        more = np.concatenate([looks[at] for at in drawn])
        return 1 / (1 + np.exp(-fit(more, np.repeat(points[drawn], lengths), weights))) - 0.5

    best, spread = worth(np.arange(len(games))), resampled(len(games), worth)
    uneven = np.abs(np.concatenate(looks)).sum(axis=0)
    found = {kind.word: interval(best[at], spread[:, at]) for at, kind in enumerate(KINDS)}
    return {kind.word: found[kind.word] for at, kind in enumerate(KINDS) if uneven[at] > 0}


def fit(more: Array, points: Array, weights: Array) -> Array:
    """Return what one more of each column adds to the logarithm of the odds (logistic).

    `more`: a row for each look, `points`: 1, 0 or a half, `weights`: how much each look counts.
    """
    columns = np.column_stack([more, np.ones(len(more))])
    found = np.zeros(columns.shape[1])
    for _ in range(12):
        chance = 1 / (1 + np.exp(-columns @ found))
        slope = columns.T @ (weights * (points - chance)) - RIDGE * found
        bend = (columns * (weights * chance * (1 - chance))[:, None]).T @ columns
        found += np.linalg.solve(bend + RIDGE * np.eye(len(found)), slope)
    return found[:-1]


def recommended(atlas: Atlas) -> str:
    """Return the reading to play, by the rule that `RULE` tells.

    The book's Appendix stays where the games do not tell it from the most decisive one.
    """
    readings, longest = atlas.readings, atlas.readings[DEFAULT_PRESET].plies[0]
    fit_for_home = [
        name
        for name, reading in readings.items()
        if is_plain(name) and is_fair(reading) and reading.plies[0] <= longest
    ]
    best = max(fit_for_home, key=lambda name: readings[name].decided[0], default=DEFAULT_PRESET)
    is_told = readings[best].decided[1] > readings[DEFAULT_PRESET].decided[2]
    return best if is_told else DEFAULT_PRESET


def is_plain(name: str) -> bool:
    """Whether a reading needs neither another board nor dice."""
    rules = parse_rules(name)
    return not rules.board.columns_around and rules["duel"] == "off"


def is_fair(reading: Reading) -> bool:
    """Whether neither side surely has more than its share."""
    _, low, high = reading.points
    return low <= MOST_POINTS and high >= 1 - MOST_POINTS
