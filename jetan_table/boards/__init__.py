"""Boards, as settings name them: pins, serial, camera, emulated; and those on a screen.

`opening` opens them; `camera` and `screen` are those that people see something of. `fault_light`
lights one whose table cannot start.
"""

__all__ = ("camera", "fault_light", "opening", "screen")
