"""The page beside the board: what the table shows and asks, served by the table itself.

One thread owns the table. The server has a thread of its own; between them stands `hatch.Hatch`:
requests go in through a bounded queue, and numbered states come out.
"""
