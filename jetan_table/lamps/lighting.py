"""How a table's meanings become light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .choice import LampChoice
from .lights import Dimming, Lamp
from .palette import PALETTES, Palette


@dataclass(frozen=True, slots=True)
class Lighting:
    """How meanings become light at this table."""

    palette: Palette
    lamp_of: Sequence[Lamp]
    """The lamp under each square, by square."""
    dimming: Dimming

    def chosen(self, choice: LampChoice) -> Lighting:
        """Return it with the palette and brightness that people have chosen."""
        dimming = replace(self.dimming, brightness=choice.brightness)
        return replace(self, palette=PALETTES[choice.palette], dimming=dimming)
