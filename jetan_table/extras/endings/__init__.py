"""Endings with few men, solved: tables are made here, looked up by the engine, shown on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import Extra

if TYPE_CHECKING:
    from ...page.house import PagePart

__all__ = ("EXTRA", "commands", "page", "solving")


class EndingsExtra(Extra):
    """Makes tables of endings, and says who wins."""

    commands = {"endings": "Solve endings with few men; say who wins."}

    def page(self) -> PagePart:
        from .page import EndingsPage

        return EndingsPage()


EXTRA = EndingsExtra()
