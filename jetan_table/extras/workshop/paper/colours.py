"""The inks of paper, chosen so that a camera tells pieces from squares and sides from each other.

Black's pieces are darker than the black squares and Orange's redder than the orange ones; each has
a pale rim, by which it is seen on a square of its own colour.
"""

from typing import Final

from rules import Occupant

from .sheet import Ink

DARK: Final[Ink] = (0.29, 0.26, 0.25)
PALE: Final[Ink] = (0.96, 0.68, 0.36)
"""The squares."""

RIM: Final[Ink] = (0.55, 0.42, 0.28)
"""Round a disk: between both squares' inks."""

BODY: Final[dict[Occupant, Ink]] = {
    Occupant.BLACK: (0.05, 0.04, 0.05),
    Occupant.ORANGE: (0.86, 0.33, 0.04),
    Occupant.NEUTRAL: (0.43, 0.16, 0.66),
}
"""The pieces; the neutral one is the Juggernaut."""

PICTURE: Final[Ink] = (1.0, 0.97, 0.9)
"""Pictures and rims on all pieces."""

NAMES: Final[Ink] = 0.25
NAMES_ON: Final[tuple[Ink, Ink]] = ((0.62, 0.58, 0.55), (0.55, 0.33, 0.12))
"""Names beside the board, and those on a disk's black and orange squares."""
