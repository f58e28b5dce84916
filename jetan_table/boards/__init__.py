"""Boards, as settings name them: pins, serial, camera, emulated; and those on a screen.

`opening` opens them; `camera` and `screen` are those that people see something of.
"""

__all__ = ("camera", "opening", "screen")
