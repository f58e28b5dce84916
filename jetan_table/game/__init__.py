"""One game as its events tell it: pure values."""

__all__ = (
    "agreements",
    "clock",
    "commands",
    "dice",
    "events",
    "record",
    "rolling",
    "series",
    "terms",
    "texts",
)
