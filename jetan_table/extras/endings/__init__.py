"""Endings with few men, solved: tables are made here, looked up by the engine, shown on a page."""

from __future__ import annotations

from .. import Extra

__all__ = ("EXTRA", "commands", "solving")


class EndingsExtra(Extra):
    """Makes tables of endings, and says who wins."""

    commands = {"endings": "Solve endings with few men; say who wins."}


EXTRA = EndingsExtra()
