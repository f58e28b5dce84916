"""From meaning to look to light, and what the table says."""

__all__ = ("ears", "figures", "lamps", "news", "speech", "words")
