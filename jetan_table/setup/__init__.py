"""How a board is wired is found out, and written down."""
