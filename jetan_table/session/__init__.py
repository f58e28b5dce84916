"""The pure machine: observations, time and commands in; events and a view out."""

__all__ = (
    "gestures",
    "orientation",
    "session",
    "tabletop",
    "umpire",
    "view",
)
