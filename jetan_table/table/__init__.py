"""The pace: sensors, journal, lamps and dice, step by step."""
