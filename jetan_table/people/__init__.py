"""Simulated people at a simulated table: random but plausible play, made with human hands.

A library: `play --hands auto`, the trial of a board and the benches play with it. Others import
its parts by the names below: `board` is touched by `hands` in their `manners`, `people` sit at a
table, and `truth` is what they did.
"""

__all__ = ("board", "hands", "manners", "people", "reeds", "strokes", "truth", "world")
