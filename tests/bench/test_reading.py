"""`jetan bench reading`: the real reader beside two plain ones."""

import json
from collections.abc import Iterable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.reading import after_fault, choice, longest_silence
from bench.reading.choice import PEOPLE, played, seeds_of, stalled, stalls
from hardware.ports import Change
from jetan_table.cli import main
from jetan_table.people.reeds import MAKES
from jetan_table.people.truth import FaultRow, ReadingVerdict, Score, read_truth
from jetan_table.replay.recordings import Recording
from tests.recordings import read_recording
from tools.recordings import make_for

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def measured() -> Any:
    """The figures for the recordings of the tests."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as out:
        patch.setenv("JETAN_BENCH_RECORDINGS", str(DATA))
        assert main(["bench", "reading", "--json"]) == 0
    return json.loads(out.getvalue())


def test_the_reader_is_not_lost_where_plain_ones_are(measured: Any) -> None:
    truths = [json.loads(path.read_text()) for path in DATA.glob("*.truth.json")]
    readers = measured["readers"]
    assert measured["games"] == len(truths)
    assert readers["jetan"]["plies"] == sum(len(truth["plies"]) for truth in truths)
    assert readers["jetan"]["games_lost"] == 0
    assert readers["snapshot"]["games_lost"] > 0
    assert readers["first-landing"]["games_lost"] > 0
    kinds = measured["kinds"].values()
    assert sum(kind["jetan"]["plies"] for kind in kinds) == readers["jetan"]["plies"]


def test_behaviours_are_counted_until_a_game_is_lost(measured: Any) -> None:
    whole = measured["readers"]["jetan"]["behaviours"]
    partly = measured["readers"]["snapshot"]["behaviours"]
    assert whole["fast"] == {"plies": 4, "wrong": 0.0, "asked": 0.0, "never": 0.0}
    assert sum(counted["plies"] for counted in partly.values()) < sum(
        counted["plies"] for counted in whole.values()
    )


def test_plies_after_a_fault_are_counted_by_themselves() -> None:
    truth = read_truth(DATA / "captures.truth.json")
    assert list(after_fault(truth, [])) == []
    shown = truth.plies[2].t_lift_us
    truth.fault = FaultRow(
        square="d4",
        kind="dead",
        t_fault_us=shown,
        t_visible_us=shown,
        t_evident_us=shown,
        first_ply=3,
    )
    assert list(after_fault(truth, [])) == [ReadingVerdict.NEVER] * (len(truth.plies) - 2)


def test_a_game_is_silent_where_many_plies_in_a_row_are_never_told() -> None:
    def silence(*runs: int) -> int:
        right = Score(ReadingVerdict.RIGHT, "ply", 1)
        never = Score(ReadingVerdict.NEVER, "ply", 2)
        return longest_silence(score for run in runs for score in (right, *[never] * run))

    assert (silence(0), silence(2, 5, 3)) == (0, 5)


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let the environment choose games, and nothing else."""
    for name in ("RECORDINGS", "STALLS", "COMMIT", "PEOPLE", "MAKES", "GAMES", "PLIES", "FIRST"):
        monkeypatch.delenv(f"JETAN_BENCH_{name}", raising=False)

    def choose(**chosen: str) -> None:
        for name, value in chosen.items():
            monkeypatch.setenv(f"JETAN_BENCH_{name}", value)

    return choose


def test_all_people_play_on_all_makes(choose: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(PEOPLE="all", MAKES="all", PLIES="9", FIRST="7")
    monkeypatch.setattr(choice, "generate", lambda *arguments: arguments)
    chosen: dict[str, Any] = dict(played())
    assert chosen == {
        (name := f"{make}-{people}-7"): (profile, 7, name, 9, MAKES[make], sit)
        for make in MAKES
        for people, (profile, sit) in PEOPLE.items()
        if MAKES[make].is_round is make_for(profile).is_round
    }


def test_people_sit_at_the_usual_make_of_their_board_unless_another_is_chosen(
    choose: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(PEOPLE="careful,careful-disk", PLIES="2")
    monkeypatch.setattr(choice, "generate", lambda *arguments: arguments)
    assert [name for name, _ in played()] == ["crossed-careful-1", "disk-careful-disk-1"]
    choose(PEOPLE="careful,nobody")
    with pytest.raises(ValueError, match="nobody: not among careful"):
        next(played())


def test_a_commit_draws_the_seeds_of_each_make_and_people(
    choose: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(PEOPLE="careful,blitz", MAKES="upright", GAMES="2", COMMIT=COMMIT)
    monkeypatch.setattr(choice, "generate", lambda *arguments: arguments[1])
    drawn = {people: seeds_of(COMMIT, "upright", people, 2) for people in ("careful", "blitz")}
    by_hand = 0x0DC2C1D1  # what `printf "$COMMIT upright careful 0" | sha256sum` begins with
    assert drawn["careful"][0] == by_hand
    chosen: list[Any] = list(played())
    assert chosen == [
        (f"upright-{people}-{seed}", seed) for people, seeds in drawn.items() for seed in seeds
    ]
    assert len({seed for seeds in drawn.values() for seed in seeds}) == 4
    with pytest.raises(ValueError, match="full hash"):
        seeds_of(COMMIT[:12], "upright", "careful", 1)


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
