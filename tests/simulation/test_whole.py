"""A whole table from one seed holds, whatever goes wrong; one that does not is found out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from jetan_table.game.clock import Clocks
from jetan_table.game.events import Entry
from jetan_table.journal.archive import GameId
from tests.simulation import whole
from tests.simulation.plug import OFF_S, FrailJournal
from tests.simulation.whole import KINDS, Broken, WholeTable, command_of, play, shortest

SEEDS, PLIES = range(10), 6
SOAK_SEEDS, SOAK_PLIES = range(1000, 1500), 40


def held(seed: int, plies: int) -> Counter[str]:
    """Play an evening; where it is broken, fail with the command that plays its shortest form."""
    try:
        return play(seed, plies)
    except Broken:
        fewest, without, broken = shortest(WholeTable, seed, plies)
        pytest.fail(f"{broken}: {command_of(seed, fewest, without)}")


def test_whole_evenings_hold_whatever_goes_wrong() -> None:
    reached = sum((held(seed, PLIES) for seed in SEEDS), Counter[str]())
    assert set(KINDS) <= reached.keys(), "something never went wrong"
    assert reached["plies"] > 40
    assert min(reached[f"page {what}"] for what in ("done", "refused", "malformed")) > 0


def test_an_evening_is_the_same_again() -> None:
    assert play(3, 4) == play(3, 4)


class Forgetful(FrailJournal):
    """Says that a ply is written, and writes it with the next one."""

    kept: tuple[GameId, list[Entry]] | None = None

    def append(self, game: GameId, entries: Sequence[Entry]) -> None:
        if self.kept is None:
            self.kept = game, list(entries)
        else:
            super().append(game, [*self.kept[1], *entries])
            self.kept = None


def test_a_ply_that_is_told_before_it_is_written_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.simulation.plug.FrailJournal", Forgetful)
    with pytest.raises(Broken, match="told before it was written"):
        play(1, 3)


def test_a_clock_that_pays_for_a_jump_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clocks, "skipped", Clocks.until)
    with pytest.raises(Broken, match="clocks paid"):
        play(7, PLIES)  # against the clock, and switched off and on


def test_what_is_broken_is_shown_in_its_shortest_form() -> None:
    class Fails(WholeTable):
        def pull_plug(self, off_s: float = OFF_S) -> None:
            raise AssertionError("never pull it")

    plies, without, broken = shortest(Fails, 4, PLIES)
    assert str(broken) == "never pull it"
    left = [n for n in range(len(whole.troubles_of(4, plies))) if n not in without]
    with pytest.raises(Broken, match="never pull it"):
        whole.play_at(Fails, 4, plies, without)
    assert len(left) <= 1
    assert command_of(4, 2, [0, 3]) == "python -m tests.simulation.whole 4 --plies 2 --without 0,3"


@pytest.mark.soak("evenings")
@pytest.mark.parametrize("seed", SOAK_SEEDS)
def test_many_whole_evenings_hold(seed: int) -> None:
    assert held(seed, SOAK_PLIES)["plies"] > 0
