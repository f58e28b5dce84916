"""Whether this machine is fit for a table, and its service."""

__all__ = ("flashing", "machine", "service")
