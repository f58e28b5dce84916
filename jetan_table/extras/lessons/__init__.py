"""Learning Jetan: short lessons as data, who teaches them at a table, puzzles and study."""

from .. import Extra


class Lessons(Extra):
    """What teaches people the game."""

    commands = {
        "learn": "Learn Jetan in short lessons; see how a piece moves.",
        "puzzle": "Solve the puzzle of the day.",
        "study": "Try moves freely; see the best, and keep every line.",
    }


EXTRA = Lessons()
