"""Everything that may happen at an evening, at once."""

from typing import Final

from tests.simulation.evening import STEPS
from tests.simulation.games import Games
from tests.simulation.mishaps import Mishaps
from tests.simulation.reach import ALL, KINDS_OF_HANDS
from tests.simulation.sayings import Sayings
from tests.simulation.signs import Signs


class WholeEvenings(Mishaps, Sayings, Signs, Games):
    """One machine for whole tables, whatever hands and whatever troubles they have."""


TO_REACH: Final = ALL | {f"{step}, {kind} hands" for step in STEPS for kind in KINDS_OF_HANDS} - {
    "take_unseen, carrying hands"
}
"""What kept evenings come upon: every step too, by either kind of hands that can make it."""
