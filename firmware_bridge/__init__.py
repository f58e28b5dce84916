"""The table over a serial line."""
