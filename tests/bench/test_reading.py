"""`jetan bench reading`: the real reader beside two plain ones."""

import io
import json
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.reading import games
from bench.reading.stalls import stalled, stalls
from hardware.switches import Change
from jetan_table.cli import main
from jetan_table.replay.recordings import Recording, read_recording

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def measured() -> Any:
    """The figures for the recordings of the tests."""
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(printed):
        patched.setenv("JETAN_BENCH_RECORDINGS", str(DATA))
        assert main(["bench", "reading", "--json"]) == 0
    return json.loads(printed.getvalue())


def test_the_reader_is_not_lost_where_plain_ones_are(measured: Any) -> None:
    truths = [json.loads(path.read_text()) for path in DATA.glob("*.truth.json")]
    readers = measured["readers"]
    assert measured["games"] == len(truths)
    assert readers["jetan"]["plies"] == sum(len(truth["plies"]) for truth in truths)
    assert readers["jetan"]["games_lost"] == 0
    assert readers["snapshot"]["games_lost"] > 0
    assert readers["first-landing"]["games_lost"] > 0


def test_behaviours_are_counted_until_a_game_is_lost(measured: Any) -> None:
    whole = measured["readers"]["jetan"]["behaviours"]
    partly = measured["readers"]["snapshot"]["behaviours"]
    assert whole["fast"] == {"plies": 4, "wrong": 0.0, "asked": 0.0, "never": 0.0}
    assert sum(counted["plies"] for counted in partly.values()) < sum(
        counted["plies"] for counted in whole.values()
    )


def test_tables_are_printed_for_people(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JETAN_BENCH_RECORDINGS", str(DATA))
    assert main(["bench", "reading"]) == 0
    out = capsys.readouterr().out
    assert "first-landing" in out
    assert "0 of 3" in out
    assert "wrong-square" in out


def test_profiles_of_physics_have_figures_of_their_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JETAN_BENCH_RECORDINGS", raising=False)
    monkeypatch.setenv("JETAN_BENCH_PHYSICS", "careful,blitz")
    monkeypatch.setenv("JETAN_BENCH_PLIES", "4")
    assert main(["bench", "reading", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["kinds"].keys() == {"careful", "blitz"}
    assert figures["kinds"]["careful"]["jetan"]["plies"] >= 4
    assert figures["kinds"]["careful"].keys() == {"jetan", "snapshot", "first-landing"}


def test_other_seeds_play_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JETAN_BENCH_RECORDINGS", raising=False)
    monkeypatch.setenv("JETAN_BENCH_PHYSICS", "careful")
    monkeypatch.setenv("JETAN_BENCH_PLIES", "2")
    monkeypatch.setenv("JETAN_BENCH_FIRST", "7")
    monkeypatch.setenv("JETAN_BENCH_GAMES", "2")
    assert [name for name, _, _ in games()] == ["careful-7", "careful-8"]


def test_a_stall_shows_what_changed_in_it_at_its_end_and_nothing_that_came_and_went() -> None:
    recording = read_recording(next(iter(sorted(DATA.glob("*.jsonl")))))
    whole, rng = recording.changes, Random(1)
    shown = stalled(recording, 0.4, rng).changes
    assert [change.at for change in shown] == sorted(change.at for change in shown)
    assert len(shown) < len(whole)
    assert levels_after(recording, shown) == levels_after(recording, whole)
    ends = {end for _, end in stalls(recording.ends_at, 0.4, Random(1))}
    assert all(change in whole or change.at in ends for change in shown)


def levels_after(recording: Recording, changes: Iterable[Change]) -> list[bool]:
    """How the switches stand in the end; each change must turn its switch over."""
    levels = list(recording.closed)
    for change in changes:
        assert levels[change.switch] is not change.closed
        levels[change.switch] = change.closed
    return levels
