"""Recordings and films, and their reading.

`recordings` are the files, `replay` reads them and kept games again, `watching` follows a film.
"""

__all__ = ("recordings", "replay", "watching")
