"""Everything that may happen at an evening, at once."""

from tests.simulation.games import Games
from tests.simulation.mishaps import Mishaps
from tests.simulation.sayings import Sayings
from tests.simulation.signs import Signs


class WholeEvenings(Mishaps, Sayings, Signs, Games):
    """One machine for whole tables, whatever hands and whatever troubles they have."""
