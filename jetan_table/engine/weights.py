"""The weights of the evaluation: what each feature is worth, fitted and kept as data.

They are learned by play against itself; `training/opponent/fit.py` makes the file anew.
"""

import sys
from array import array
from functools import cache
from pathlib import Path
from typing import Final
from zlib import decompress

import msgspec

from rules import Rules, parse_rules

WEIGHTS_FILE = Path(__file__).with_name("weights.toml")
NETS: Final = Path(__file__).with_name("nets")


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much one of each feature counts; 250 lets three games be won for one lost.

    Squares reached are counted by the chance that the way to them is free.
    """

    presence: float
    """A man."""
    reach: float
    """Each square that a man of this kind reaches in the mean over the board."""
    place: float
    """Each square more than that mean which it reaches from where it stands."""
    aim: float
    """Each square it reaches on or beside the enemy Princess's."""
    strike: float
    """Each square it reaches on or beside the enemy Chief's."""
    guard: float
    """Each square it reaches on or beside the own Princess's."""
    wide: float
    """Against: each square more that the own Princess reaches than from where she reaches least."""
    exposed: float
    """Against: each enemy man that reaches the square of the own Princess."""
    hunted: float
    """Against: each enemy man that reaches the square of the own Chief."""
    escape: float
    """An escape unspent."""
    tempo: float
    """To be the side to move."""


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights as they are kept, with where they are from."""

    provenance: dict[str, str | int | float]
    weights: Weights


def read_weights(path: Path) -> Weights:
    """Return the weights in a file; ValueError or OSError where it has none."""
    return msgspec.toml.decode(path.read_bytes(), type=WeightsFile).weights


@cache
def fitted_weights() -> Weights:
    """Return the weights that come with the table."""
    return read_weights(WEIGHTS_FILE)


@cache
def net_for(rules: Rules, nets: Path = NETS) -> bytes | None:
    """Return the net for these rules as the search in C reads it; None where none was trained.

    A file says in a line where it is from; then come, compressed, numbers of two bytes, the low
    one first.
    """
    path = next((path for path in nets.glob("*.net") if parse_rules(path.stem) == rules), None)
    if path is None:
        return None
    numbers = array("h", decompress(path.read_bytes().partition(b"\n")[2]))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
