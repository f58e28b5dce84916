"""The table's own engine: what positions are worth, the search, and the protocol around them.

A library beside `rules`. Others import its parts by the names below: `search` looks ahead from a
position, in Python or in C (`library`), judged by `evaluation`; `levels` bound it, `positions` are
asked for proofs, solved `endings` looked up, and `why` says what speaks for a move. `process`
drives an engine by the lines of the `protocol`, whose other end is the `server`.
"""

__all__ = (
    "endings",
    "evaluation",
    "levels",
    "library",
    "positions",
    "process",
    "protocol",
    "search",
    "server",
    "why",
)
