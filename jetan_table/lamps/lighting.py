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
    dimming: Dimming

    def looking(self, look: LampChoice) -> Lighting:
        """Return it with another look."""
        dimming = replace(self.dimming, brightness=look.brightness)
        return replace(self, palette=PALETTES[look.palette], dimming=dimming)
