"""The service of this machine, and the writing of firmware."""

__all__ = ("flashing", "service")
