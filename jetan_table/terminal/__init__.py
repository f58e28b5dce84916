"""The table in a terminal, and what is typed there."""
