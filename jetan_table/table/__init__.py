"""The pace: sensors, journal, lamps and dice, step by step."""

__all__ = (
    "board",
    "dice",
    "games",
    "loop",
    "pin",
    "supervision",
    "switches",
)
