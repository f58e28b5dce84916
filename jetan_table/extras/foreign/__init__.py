"""The rules for programs of others: files that Zillions of Games reads."""

from __future__ import annotations

from .. import Extra

__all__ = ("EXTRA", "zillions")


class Foreign(Extra):
    """Writes readings of the rules as programs of others read them."""

    commands = {"rules export": "Write a reading as another program reads it."}


EXTRA = Foreign()
