"""This machine as far as a table needs it, and its service."""

__all__ = ("flashing", "machine", "service")
