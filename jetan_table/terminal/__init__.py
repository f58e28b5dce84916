"""The table in a terminal, and what is typed there."""

__all__ = ("terminal", "text", "typed")
