"""Simulated people at a simulated table: random but plausible play, made with human hands.

A library for `play --hands auto`, the trial of a board and the benches. Others import its modules
by the names below: `hands` touch a `board` with their `manners`, `people` sit at a table, and
`truth` records what they did.
"""

__all__ = ("board", "hands", "manners", "people", "reeds", "strokes", "truth", "world")
