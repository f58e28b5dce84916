"""What a game's record refuses."""

from __future__ import annotations

from ..errors import TableError


class BadRecord(TableError, ValueError):
    """A journal, or a line of one, that this program cannot read."""
