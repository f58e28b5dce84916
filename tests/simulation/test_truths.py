"""What evenings are held to after every step can fail: bugs that are planted are found."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from hardware.ports import RGB
from jetan_table.game.agreements import Clocks
from jetan_table.game.events import DrawOffer, Entry, GameId
from jetan_table.journal.journal import Journal
from jetan_table.light.lamps import lights
from tests.simulation.plug import FrailJournal
from tests.simulation.scripts import play

ONE_PLY = ("sit_down()", "play(choice=3)")
AN_HOUR_OFF = (
    'sit_down(clock="2:00 buttons")',
    *("play(choice=3)", "press()", "cut(off_s=3600.0)"),
)


def test_a_sound_table_tells_its_ply_and_at_rest_one_more() -> None:
    assert play(ONE_PLY)["ply"] == 2


def test_a_ply_that_is_told_and_never_written_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FrailJournal, "append", lambda journal, game, entries: None)
    with pytest.raises(AssertionError, match="told before it was written"):
        play(ONE_PLY)


def test_a_ply_that_is_told_before_it_is_written_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Entry] = []

    def forget(journal: FrailJournal, game: GameId, entries: Sequence[Entry]) -> None:
        """Say that something is written, and write it with what comes next."""
        late = [*kept, *entries] if kept else []
        kept[:] = [] if kept else entries
        Journal.append(journal, game, late)

    monkeypatch.setattr(FrailJournal, "append", forget)
    with pytest.raises(AssertionError, match="told before it was written"):
        play(ONE_PLY)


def test_what_is_written_and_not_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def add_an_offer(journal: FrailJournal, game: GameId, entries: Sequence[Entry]) -> None:
        offers = [replace(entry, event=DrawOffer("orange")) for entry in entries]
        Journal.append(journal, game, [*offers, *entries])

    monkeypatch.setattr(FrailJournal, "append", add_an_offer)
    with pytest.raises(AssertionError, match="not what the disk has"):
        play(("sit_down()", "pause_or_go_on()"))


def test_a_lamp_that_lags_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    before: list[Sequence[RGB]] = [()]

    def late(*of: Any) -> Sequence[RGB]:
        before.append(lights(*of))
        return before[-2]

    monkeypatch.setattr("jetan_table.table.loop.lights", late)
    with pytest.raises(AssertionError, match="another view"):
        play(ONE_PLY)


def test_a_clock_pays_no_jump() -> None:
    assert play(AN_HOUR_OFF)["clock jumped"]


def test_a_clock_that_pays_for_a_jump_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clocks, "skipped", Clocks.until)
    with pytest.raises(AssertionError, match="clocks paid"):
        play(AN_HOUR_OFF)
