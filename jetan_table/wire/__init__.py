"""Finding out how a board is wired, from pieces that people put on squares."""
