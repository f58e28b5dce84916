"""A circuit as data: its parts with their nets and places, and its tracks.

From one such description come a schematic and a board. Lengths are millimetres; a board's y runs
up as it is seen from above.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

GROUND = "GND"
SUPPLY = "+5V"


class Part(NamedTuple):
    """One part: what it is, what its pins are joined to, and where it lies.

    `symbol` and `footprint` are KiCad's names. A pin that `pins` leaves out is joined to nothing.
    `turn` is in degrees, counter-clockwise as seen from above; a part `below` lies under the board.
    """

    ref: str
    symbol: str
    footprint: str
    value: str
    pins: Mapping[str, str]
    x: float
    y: float
    turn: float = 0.0
    below: bool = False

    @property
    def is_bought(self) -> bool:
        """Whether it is a thing that stands on the board, and not a hole in it."""
        return not self.ref.startswith("H")


class Track(NamedTuple):
    """Copper of one net, in one go.

    `path` is read word by word: `R1.2` goes to that pad, `x=3` and `y=3` along one axis, `via` to
    the other side. It begins above, or below where its first word is `below`, at a pad or a point.
    """

    net: str
    width: float
    path: str


class Silkscreen(NamedTuple):
    """Words printed on the board."""

    text: str
    x: float
    y: float
    size: float = 1.2
    below: bool = False


@dataclass(frozen=True, slots=True)
class Circuit:
    """A board to be made: its edges, parts, tracks and words; ground is poured on both sides."""

    name: str
    title: str
    edges: tuple[float, float, float, float]
    """Left, bottom, right and top."""
    parts: tuple[Part, ...]
    tracks: tuple[Track, ...]
    labels: tuple[Silkscreen, ...] = ()
