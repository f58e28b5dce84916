"""What evenings are held to after every step can fail: bugs that are planted are found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hardware.ports import RGB
from jetan_table.game.clock import Clocks
from jetan_table.game.commands import PressClock
from jetan_table.game.terms import agreed
from jetan_table.journal.saved_games import Start
from jetan_table.lamps.lights import LightsSeen
from rules import parse_square
from tests.simulation.evenings import begun_by
from tests.simulation.plug import REACHED, FrailJournal
from tests.simulation.test_evenings import Troubled
from tests.simulation.tidy_hands import TidyPlayer
from tests.simulation.troubles import Page


def play(folder: Path) -> TidyPlayer:
    """Sit down and play one ply."""
    player = TidyPlayer(folder, Start(begun_by("appendix", 1), agreed("none", "friendly")))
    Page(player.table)
    player.table.wait(1.0)
    player.lift(parse_square("d2"))
    player.put(parse_square("d3"), player.held[-1])
    player.table.wait(5.0)
    return player


def test_a_sound_table_shows_its_ply(tmp_path: Path) -> None:
    player = play(tmp_path)
    assert len(player.table.view.moves) == 1
    player.table.close()


def test_a_ply_told_before_it_is_on_the_disk_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FrailJournal, "append", lambda journal, game, entries: None)
    with pytest.raises(AssertionError, match="not what the disk has"):
        play(tmp_path)


def test_a_lamp_that_lags_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before: list[Sequence[RGB]] = [()]

    def show_late(lamps: LightsSeen, lights: Sequence[RGB]) -> None:
        lamps.lights = before[-1]
        before.append(lights)

    monkeypatch.setattr(LightsSeen, "show", show_late)
    with pytest.raises(AssertionError, match="another view"):
        play(tmp_path)


def lose_an_hour() -> None:
    """Let a clock run, and the table be off for what its machine thinks was an hour."""
    evening = Troubled()
    try:
        evening.sit_down("appendix", "2:00 buttons", "friendly", 1)
        evening.table.obey(PressClock())
        evening.table.wait(5.0)
        evening.lose_the_time(3600.0)
    finally:
        evening.teardown()


def test_a_clock_pays_no_jump() -> None:
    lose_an_hour()
    assert REACHED["clock jumped"]


def test_a_clock_that_pays_a_jump_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clocks, "skipped", Clocks.until)
    with pytest.raises(AssertionError):
        lose_an_hour()
