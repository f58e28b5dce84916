"""Whole evenings, whatever hands and troubles they have: nothing is lost or misread."""

import shlex
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import initialize, run_state_machine_as_test

from tests.simulation.evening import AGAIN, Evenings, NotNow, noted
from tests.simulation.evenings import TO_REACH, WholeEvenings
from tests.simulation.plug import OFF_S, PluggedTable
from tests.simulation.sayings import Sayings
from tests.simulation.scripts import KEPT_IN, Script, choosing, play, read_scripts, search
from tests.soak import COUNTED

SCRIPTS = read_scripts(KEPT_IN.read_text())

SOAK = settings.get_profile("soak")
ROUND = settings(
    SOAK,
    max_examples=12,
    stateful_step_count=30,
    suppress_health_check=list(HealthCheck),
    database=None,  # or what went wrong in one round would do so at once in all that follow
)
PARTS = 80
"""Rounds of a soak, each of some 1,400 plies."""


@pytest.mark.early
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.things[0])
def test_an_evening_holds_and_comes_upon_what_it_is_kept_for(script: Script) -> None:
    try:
        reached = play(script.lines)
    except NotNow as stale:
        pytest.fail(f"{stale}; {choosing(script.things)}")
    lacking = [thing for thing in script.things if not reached[thing]]
    assert not lacking, choosing(lacking)


def test_together_evenings_come_upon_everything() -> None:
    kept = [thing for script in SCRIPTS for thing in script.things]
    assert set(kept) >= TO_REACH, choosing(sorted(TO_REACH.difference(kept)))
    assert sorted(kept) == sorted(TO_REACH), "something is kept twice, or need not be reached"


def test_an_evening_is_the_same_again() -> None:
    lines = ['sit_down(hands="blitz", seed=3)', "play(choice=1)", "cut()"]
    assert play(lines) == play(lines)


def lines_of(error: BaseException) -> Sequence[str]:
    """Return the script that a failure names."""
    (command,) = (note for note in error.__notes__ if note.startswith(AGAIN))
    return shlex.split(command.removeprefix(AGAIN))


def never(table: PluggedTable, off_s: float = OFF_S) -> None:
    raise AssertionError("never pull it")


class Brief(Sayings):
    """People who talk, and always sit down to the same game."""

    @initialize()
    @noted
    def sit_down(self) -> None:
        Sayings.sit_down(self)


@pytest.mark.release
def test_what_goes_wrong_is_shown_in_its_shortest_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PluggedTable, "pull_plug", never)
    sample = settings(ROUND, stateful_step_count=10, report_multiple_bugs=False)
    with pytest.raises(AssertionError, match="never pull it") as failed:
        assert_holds(Brief, 1, sample)
    lines = lines_of(failed.value)
    assert len(lines) <= 3
    with pytest.raises(AssertionError, match="never pull it"):
        play(lines)


@pytest.mark.release
def test_what_is_searched_is_found() -> None:
    lines = search("cut with paused", 1, 15, Brief)
    assert len(lines) <= 4
    assert play(lines)["cut with paused"]


def assert_holds(machine: type[Evenings], number: int, sample: settings) -> None:
    """Draw evenings from a seed, and fail with the shortest one that goes wrong."""
    run_state_machine_as_test(seed(number)(machine), settings=sample)


@pytest.mark.soak("evenings")
@pytest.mark.parametrize("part", range(PARTS))
def test_a_hundred_thousand_plies(
    part: int, record_property: Callable[[str, object], None]
) -> None:
    """A round of its own seed; together they have all that `sometimes` asks for, its plies too."""
    counted = Counter[str]()

    class Counted(WholeEvenings):
        def teardown(self) -> None:
            counted.update(self.reached)
            super().teardown()

    assert_holds(Counted, part, ROUND)
    record_property(COUNTED, dict(counted))
