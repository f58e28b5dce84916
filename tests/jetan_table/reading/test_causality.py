"""What is told never depends on what comes later, and telling it leaves nothing behind."""

import gc
from dataclasses import replace

import pytest

from jetan_table.people.manners import PROFILES
from jetan_table.replay.recordings import Recording
from jetan_table.replay.replay import JsonLines, advance, replay_of_recording
from tests.jetan_table.reading.kept import KEPT, beginning
from tests.profiles import sampled
from tools.recordings import generate

CUTS = 8


def told(recording: Recording, until: float) -> list[tuple[float, str]]:
    """What is told before `until` and when, evidence included."""
    replay = replay_of_recording(recording, "recording")
    form = JsonLines(with_evidence=True)
    return [
        (reading.at, line)
        for reading in advance(replay.source, replay.reader(), until)
        for line in form.lines(reading)
        if reading.at < until
    ]


def assert_cuts_change_nothing(recording: Recording) -> None:
    whole = told(recording, recording.ends_at)
    changes = recording.changes
    for count in range(1, len(changes), len(changes) // CUTS):
        cut = replace(recording, changes=changes[:count])
        until = changes[count].at
        assert told(cut, until) == [line for line in whole if line[0] < until]


@pytest.mark.parametrize("name", KEPT)
def test_a_recording_cut_anywhere_tells_the_same_before_the_cut(name: str) -> None:
    assert_cuts_change_nothing(beginning(name))


@pytest.mark.soak("reading")
def test_so_does_the_whole_of_the_dearest() -> None:
    assert_cuts_change_nothing(beginning("juggernaut", 80.0))


@pytest.mark.parametrize(
    "profile", sampled(("stuck-switch", "weak-switch", "dead-switch"), by_hand=1)
)
def test_so_does_one_with_switches_that_flicker_or_fail(profile: str) -> None:
    recording = generate(PROFILES[profile], 8, "recording", plies=8).recording
    assert_cuts_change_nothing(recording)


def test_reading_makes_no_cycles_that_only_the_collector_would_free() -> None:
    """The command looks for them seldom: a look through all there is would hold a reading up."""
    recording = beginning("hasty", 35.0)
    told(recording, recording.ends_at)  # whatever is read or compiled only once
    gc.collect()
    gc.disable()
    try:
        told(recording, recording.ends_at)
        assert gc.collect() == 0
    finally:
        gc.enable()
