"""One game as its events tell it: pure values."""
