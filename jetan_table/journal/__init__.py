"""The truth on disk, and the files made from it."""

__all__ = (
    "archive",
    "backup",
    "file_format",
    "journal",
)
