"""A log for whoever helps somebody else: `JETAN_LOG=reading:debug` says which areas, how much.

Nothing is logged unless that is set, but for warnings. No line has a PIN or a secret.
"""

import logging
import os
from typing import Final

from rules import _, near_miss

from .errors import TableError

VARIABLE: Final = "JETAN_LOG"
AREAS: Final = ("engine", "journal", "page", "reading", "table")
"""The rooms that log, each by its name below `jetan_table`."""
EVERY_AREA: Final = "all"
LEVELS: Final = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}
LINE: Final = "%(asctime)s.%(msecs)03d %(levelname)s %(name)s: %(message)s"
PRIORITIES: Final = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3}


class BadLog(TableError, ValueError):
    """The variable names no area, or no level."""


def wanted(text: str) -> dict[str, int]:
    """Return the level of each area that `reading:debug,page` names; BadLog.

    Without a level it is `debug`.
    """
    levels = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        area, _colon, level = part.partition(":")
        if area not in (*AREAS, EVERY_AREA):
            near = near_miss(area, (*AREAS, EVERY_AREA))
            known = ", ".join((*AREAS, EVERY_AREA))
            raise BadLog(
                _("{variable}: {area}: no such area{near}; there are {known}"),
                variable=VARIABLE,
                area=area,
                near=near,
                known=known,
            )
        if (level or "debug") not in LEVELS:
            raise BadLog(
                _("{variable}: {level}: no such level{near}; there are {known}"),
                variable=VARIABLE,
                level=level,
                near=near_miss(level, LEVELS),
                known=", ".join(LEVELS),
            )
        for each in AREAS if area == EVERY_AREA else (area,):
            levels[each] = LEVELS[level or "debug"]
    return levels


class ForJournald(logging.Formatter):
    """Lines as systemd's journal reads them: it has a time of its own, and asks for a priority."""

    def format(self, record: logging.LogRecord) -> str:
        return f"<{PRIORITIES.get(record.levelno, 5)}>{record.name}: {record.getMessage()}"


def log_as(text: str, under_systemd: bool) -> None:
    """Log what the variable asks for to standard error; BadLog before anything is changed."""
    levels = wanted(text)
    handler = logging.StreamHandler()
    handler.setFormatter(ForJournald() if under_systemd else logging.Formatter(LINE, "%H:%M:%S"))
    for area, level in levels.items():
        logger = logging.getLogger(f"jetan_table.{area}")
        logger.setLevel(level)
        logger.addHandler(handler)
        logger.propagate = False


def log_as_asked() -> None:
    """Log what the environment asks for; BadLog."""
    log_as(os.environ.get(VARIABLE, ""), "JOURNAL_STREAM" in os.environ)
