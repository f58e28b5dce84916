"""The pace: sensors, journal, lamps and dice, step by step."""

__all__ = (
    "board",
    "buttons",
    "dice",
    "games",
    "loop",
    "own_time",
    "pin",
    "supervision",
    "switches",
)
