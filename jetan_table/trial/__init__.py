"""Proving a real board: hands are led through a game of known truth, and the board is told of."""
