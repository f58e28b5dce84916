"""Faults are switched off by swarms, and what must be met, and come to rest, can fail."""

from collections import Counter
from pathlib import Path

import pytest

from jetan_table.engine.process import EngineProcess
from jetan_table.page.state import State
from jetan_table.page.stream import Stream
from tests.simulation.evening import NEEDED, swarm
from tests.simulation.scripts import play
from tests.simulation.sometimes import (
    ENCOUNTERS,
    EVERY,
    FAULTS,
    IMPOSSIBLE,
    MOST_PLIES,
    lacking,
    rows,
)
from tests.tidy.suites import run_suite

MET = Counter({str(encounter): 1 for encounter in ENCOUNTERS} | {"ply": MOST_PLIES})

COUNTING = """
import pytest

@pytest.mark.soak("evenings")
def test_plies(record_property): record_property("counted", {"ply": 100_000})
"""


def test_each_fault_is_off_at_some_evenings_and_on_at_others() -> None:
    off = [swarm(number).split(", ") for number in range(100)]
    for fault in FAULTS:
        assert 10 < sum(fault in names for names in off) < 90
    assert NEEDED.isdisjoint(name for names in off for name in names)


def test_what_is_off_does_not_happen() -> None:
    lines = ['sit_down(off="plug, cut at an event")', 'play(choice=3, trouble="plug", cut="after")']
    assert not any("plug" in thing or "cut" in thing for thing in play(lines))


def test_an_encounter_that_is_never_met_is_named_once_enough_is_played() -> None:
    assert not lacking(MET)
    missing = MET - Counter([str(ENCOUNTERS[0])])
    assert lacking(missing) == [str(ENCOUNTERS[0])]
    assert not lacking(missing - Counter(["ply"]))


def test_the_table_has_a_place_for_each_encounter() -> None:
    shown = "\n".join(rows(MET))
    assert shown.count(" 1") == len(ENCOUNTERS)
    assert shown.count(" -") == len(EVERY) - len(ENCOUNTERS)
    assert all(some.why in shown for some in IMPOSSIBLE)


def test_a_soak_that_never_met_an_encounter_fails_and_names_it(tmp_path: Path) -> None:
    code, out = run_suite(tmp_path, COUNTING, JETAN_SOAK="evenings")
    assert code != 0
    assert f"never met: {ENCOUNTERS[0]}" in out


def test_a_page_that_is_not_told_of_a_full_disk_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    push = Stream.push

    def told_once(stream: Stream, state: State) -> None:
        if stream.last_id.endswith("-0"):
            push(stream, state)

    monkeypatch.setattr(Stream, "push", told_once)
    with pytest.raises(AssertionError, match="a page says , and its table Notice"):
        play(["sit_down()", 'play(choice=3, trouble="disk", at=1)'])


def test_a_hung_engine_that_nobody_gives_up_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EngineProcess, "poll", lambda engine, seconds=0.0: None)
    with pytest.raises(AssertionError, match="an engine hangs"):
        play(["sit_down()", 'play(choice=3, trouble="engine")'])


def test_an_evening_that_is_not_at_rest_in_time_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.simulation.evenings.REST_S", 1.0)
    with pytest.raises(AssertionError, match="s after all was mended"):
        play(["sit_down()"])


def test_a_piece_that_a_table_believes_elsewhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look that comes late shows a piece that is put back before it shows where it was lifted."""
    unsorted = "jetan_table.session.tabletop.sorted"
    monkeypatch.setattr(unsorted, lambda flips, key=None: list(flips), raising=False)
    late = 'suffer_when_led(trouble="machine")'
    with pytest.raises(AssertionError, match="believes that they stand otherwise"):
        play(["sit_down()", "play(choice=3)", late, "meddle(choice=2)"])
