"""In which order lamps take the parts of a colour from their data wire."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from .ports import RGB

ColourOrder: TypeAlias = Literal["grb", "rgb", "rbg", "gbr", "brg", "bgr"]
"""`grb`: strips of WS2812B; `rgb`: most strings of WS2811."""


def green_first(lights: Sequence[RGB], order: ColourOrder) -> tuple[RGB, ...]:
    """Return what lamps of this order must be sent for these lights as if they were `grb`."""
    first, second, third = ("rgb".index(part) for part in order)
    return tuple((light[second], light[first], light[third]) for light in lights)
