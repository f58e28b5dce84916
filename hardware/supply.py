"""What lamps draw from their supply, and how they are kept within it."""

from __future__ import annotations

from collections.abc import Sequence

from .ports import RGB

CHANNEL_MA = 20.0
"""What one channel of a WS2812 lamp draws at 255; its chip draws about 1 mA besides."""
IDLE_MA = 1.0


def current_ma(shown: Sequence[RGB]) -> float:
    """Return what the lamps draw together, in mA."""
    return len(shown) * IDLE_MA + sum(map(sum, shown)) / 255 * CHANNEL_MA


def capped(shown: Sequence[RGB], limit_ma: float) -> tuple[RGB, ...]:
    """Dim all lamps alike, as far as needed to stay within `limit_ma`."""
    idle = len(shown) * IDLE_MA
    wanted = current_ma(shown) - idle
    if wanted <= max(limit_ma - idle, 0.0):
        return tuple(shown)
    share = max(limit_ma - idle, 0.0) / wanted
    # Rounding down, so that many small errors cannot add up to more than the limit.
    return tuple((int(r * share), int(g * share), int(b * share)) for r, g, b in shown)
