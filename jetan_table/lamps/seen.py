"""Lamps that are looked at."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.ports import RGB, Lamps


class LightsSeen:
    """The last lights shown, which `lamps` beside it show too."""

    def __init__(self, lamps: Lamps | None = None) -> None:
        self.lights: Sequence[RGB] = ()
        self._lamps = lamps

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, in lamp order."""
        self.lights = lights
        if self._lamps is not None:
            self._lamps.show(lights)
