"""Logs that a stranger cannot fill: one line a minute of each kind."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

LOG: Final = logging.getLogger("jetan_table.page")
"""What the server has to say of strange requests."""

EVERY_S = 60.0
"""Of each kind one line is let through in so long."""

MOST_KINDS = 100
"""So many kinds are told apart; what is beyond is one kind more."""

MOST_SHOWN = 200
"""So many letters of what a stranger sent are shown in a line."""


class Seldom(logging.Filter):
    """Lets one record of a kind through in `EVERY_S`, which says how many were left out.

    What a program says in the same words, and whatever follows from the same sort of exception, is
    one kind. Time is that of the records.
    """

    def __init__(self) -> None:
        super().__init__()
        self._let: dict[object, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[0] if record.exc_info else None
        kind: object = (record.name, record.msg, error)
        if kind not in self._let and len(self._let) >= MOST_KINDS:
            kind = None
        at, left_out = self._let.get(kind, (record.created - EVERY_S, 0))
        if record.created < at + EVERY_S:
            self._let[kind] = at, left_out + 1
            return False
        self._let[kind] = record.created, 0
        if left_out:
            record.msg = f"{str(record.msg).rstrip()} (and {left_out} more like it)"
        return True


def note_refusal(error: Exception, path: str) -> None:
    """Log a request that has not the form it must have."""
    # What a stranger sent is shown as a literal: it commands no terminal.
    LOG.warning(
        f"{type(error).__name__}: %.{MOST_SHOWN}r, asked for %.{MOST_SHOWN}r", str(error), path
    )


@contextmanager
def quiet_logs() -> Iterator[None]:
    """Let the server's loggers say each kind of thing once a minute while the block runs."""
    seldom = Seldom()
    loggers = (LOG, logging.getLogger("uvicorn.error"), logging.getLogger("asyncio"))
    for logger in loggers:
        logger.addFilter(seldom)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(seldom)
