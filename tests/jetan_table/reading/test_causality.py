"""What is told never depends on what comes later, and telling it leaves nothing behind."""

import gc
from dataclasses import replace

import pytest
from jetan_table.simulation.presets import PRESETS

from jetan_table.replay.lines import JsonLines
from jetan_table.replay.recordings import Recording, read_recording
from jetan_table.replay.replay import advance, replay_of_recording
from jetan_table.simulation.generate import generate_recording
from tests.paths import DATA
from tests.profiles import sampled

CUTS = 16


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


@pytest.mark.parametrize("name", sampled(("captures", "hasty", "juggernaut"), by_hand=2))
def test_a_recording_cut_anywhere_tells_the_same_before_the_cut(name: str) -> None:
    assert_cuts_change_nothing(read_recording(DATA / f"{name}.jsonl"))


@pytest.mark.parametrize("preset", sampled(("06", "07", "10"), by_hand=1))
def test_so_does_one_with_switches_that_flicker_or_fail(preset: str) -> None:
    recording, _ = generate_recording(PRESETS[preset], 3, "recording", plies=12)
    assert_cuts_change_nothing(recording)


def test_reading_makes_no_cycles_that_only_the_collector_would_free() -> None:
    """The command looks for them seldom: a look through all there is would hold a reading up."""
    recording = read_recording(DATA / "hasty.jsonl")
    told(recording, recording.ends_at)  # whatever is read or compiled only once
    gc.collect()
    gc.disable()
    try:
        told(recording, recording.ends_at)
        assert gc.collect() == 0
    finally:
        gc.enable()
