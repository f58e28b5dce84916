"""The page beside the board: what the table shows and asks, served by the table itself.

One thread owns the table, the server has a thread of its own. Between them stands a `Mailbox`:
requests go in through a bounded queue, and numbered states come out. Features add a `PagePart`.
"""

__all__ = (
    "access",
    "app",
    "asked",
    "documents",
    "house",
    "pages",
    "playing",
    "safe",
    "server",
    "state",
    "stream",
)
