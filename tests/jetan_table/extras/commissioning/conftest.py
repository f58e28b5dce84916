"""This machine is looked at once for all tests that only want to know that it was."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from jetan_table.extras.commissioning import doctor
from jetan_table.extras.commissioning.machine import Machine, look_around
from jetan_table.table.loop import Clock, WallClock


@cache
def this_machine() -> Machine:
    return look_around(Path(), WallClock())


@pytest.fixture
def _looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine as it was found first, for whatever folder of games."""

    def look(data: Path, clock: Clock) -> Machine:
        return replace(this_machine(), data=data)

    monkeypatch.setattr(doctor, "look_around", look)
