"""The rules and the engine for programs of others: Zillions of Games, and match runners."""

from __future__ import annotations

from .. import Extra

__all__ = ("EXTRA", "ugi", "zillions")


class Foreign(Extra):
    """Writes readings as programs of others read them, and speaks with match runners."""

    commands = {
        "rules export": "Write a reading as another program reads it.",
        "ugi": "Let a match runner play the table's player.",
    }


EXTRA = Foreign()
