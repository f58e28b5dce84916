"""From meaning to look to light, and what the table says."""

__all__ = ("figures", "lamps", "news", "speech", "words")
