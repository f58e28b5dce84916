"""One game as its events tell it: pure values."""

__all__ = (
    "agreements",
    "commands",
    "events",
    "record",
    "rolling",
    "terms",
    "texts",
)
