"""What the search holds each thing to be worth: numbers that were fitted, kept as data.

They are learned by play against itself; `bench/opponent/fit.py` makes the file anew.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from ..errors import TableError

WEIGHTS_FILE = Path(__file__).with_name("weights.toml")


class BadWeights(TableError, ValueError):
    """A file of weights that cannot be used; the message names it and what is wrong."""


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much each feature counts; 250 lets three games be won for one lost.

    `presence`: a man. `reach`: each square a man of its kind reaches in the mean. `place`: each one
    more that it reaches from where it stands. `aim`, `strike`: each square it reaches on or beside
    the enemy Princess, the enemy Chief. `guard`: the same beside the own Princess. `exposed`,
    `hunted`: each enemy that reaches the square of the own Princess, of the own Chief. `escape`: an
    escape unspent. `tempo`: to be the side to move.
    """

    presence: float
    reach: float
    place: float
    aim: float
    strike: float
    guard: float
    exposed: float
    hunted: float
    escape: float
    tempo: float


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights with where they are from."""

    provenance: dict[str, str | int | float]
    weights: Weights


def read_weights(path: Path) -> Weights:
    """Return the weights in a file; BadWeights or OSError where it has none."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        return msgspec.convert(told, WeightsFile).weights
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise BadWeights(f"{path}: {error}; `bench/opponent/fit.py` makes one") from error


@cache
def fitted_weights() -> Weights:
    """Return the weights that come with the table."""
    return read_weights(WEIGHTS_FILE)
