"""A trial at the simulated camera: a sound one is called sound, each planted fault by its name."""

from functools import cache
from random import Random

import msgspec
import pytest

from hardware.ports import occupancy
from jetan_table.extras.commissioning.course import (
    RULES,
    Script,
    Trial,
    TrialLog,
    all_plies,
)
from jetan_table.extras.commissioning.eyes import CameraEyes, PaintedCamera, spoilt
from jetan_table.extras.commissioning.simulated import LedHands
from jetan_table.extras.commissioning.verdict import (
    Verdict,
    as_object,
    is_fit,
    judged,
    lines,
    recording_of,
    truth_of,
)
from jetan_table.extras.commissioning.walk import CommissioningRefused
from jetan_table.light.lamps import Lighting
from jetan_table.replay.recordings import BadRecording, Looks, Recording, format_looks, parse_looks
from jetan_table.replay.replay import replay_of_recording
from jetan_table.table.loop import EagerClock
from rules import Position, parse_rules
from tests.profiles import sampled

STEP_S = 0.05
START = Position.start(parse_rules(RULES))


@cache
def tried(*faults: str, plies: int) -> tuple[TrialLog, Looks | Recording, Verdict, list[str]]:
    """Try a camera with faults, as far as a ply; also return what people were told."""
    clock, spoken = EagerClock(), list[str]()
    painted = PaintedCamera(START, spoilt(faults))
    eyes, hands = CameraEyes(painted, START), LedHands(painted, Random(1), clock.now)
    trial = Trial(
        board=eyes,
        typed=hands.read,
        hear=hands.hear,
        clock=clock,
        script=Script(looks=True, plies=all_plies()[:plies]),
        lighting=Lighting(),
        step_s=STEP_S,
        stopwatch=lambda: 0.0,
        cpu=lambda: 0.0,
        hold_off_ms=6.0,
        tell=spoken.append,
        language="en",
        camera_says=eyes.says,
    )
    log = trial.run(is_fit)
    recording = recording_of(log)
    return log, recording, judged(log, recording, truth_of(log, "trial")), spoken


@pytest.mark.parametrize(
    ("plies", "right", "stand"), [(3, 3, 3), pytest.param(8, 10, 9, marks=pytest.mark.ci)]
)
def test_a_sound_camera_is_called_sound_and_its_looks_are_read_again(
    plies: int, right: int, stand: int
) -> None:
    """The last plies, in which one is taken back, are for CI."""
    log, recording, verdict, spoken = tried(plies=plies)
    assert verdict.faults == {}
    assert (verdict.counts["right"], verdict.plies) == (right, stand)
    assert verdict.is_sound
    assert any("hands away" in line for line in spoken)
    assert verdict.ms["delay"][2] < 2000
    assert log.camera is not None
    assert log.camera.looks_hz == pytest.approx(4.0, abs=0.1)
    assert isinstance(recording, Looks)
    written = format_looks(recording)
    read = parse_looks(written, "trial")
    assert format_looks(read) == written
    (first,) = replay_of_recording(read, "trial").source.poll(0.0)
    occupied = [square for square, each in first.squares.items() if each and occupancy(each)]
    assert len(occupied) == 40


PLANTED = (
    ("alike:panthan", 0, "alike"),
    ("covered", 0, "covered"),
    ("blurred", 0, "focus"),
    ("dark", 0, "light"),
    ("mirrored", 0, "mirrored"),
    ("bumped", 6, "bumped"),
)
"""Each with the plies until it shows; what shows at once is not played with."""


@pytest.mark.parametrize("which", sampled(PLANTED, by_hand=2), ids=lambda which: which[0])
def test_a_planted_fault_is_named(which: tuple[str, int, str]) -> None:
    """A spoilt picture is named by what a camera's doctor calls it."""
    planted, plies, fault = which
    found = tried(planted, plies=plies)[2]
    assert [notice.check for notice in found.notices] == [fault]
    assert not found.is_sound
    assert found.notices[0].mend in "\n".join(lines(found, "en"))
    for_programs = msgspec.json.decode(msgspec.json.encode(as_object(found)))
    assert list(for_programs["faults"] | for_programs["notices"]) == [fault]


def test_pieces_that_look_like_their_squares_are_named_by_their_squares() -> None:
    found = tried("alike:panthan", plies=0)[2].faults["alike"]
    assert set(found) <= {f"{file}2" for file in "abcdefghij"}
    assert len(found) > 2


def test_a_fault_that_is_none_is_refused() -> None:
    with pytest.raises(CommissioningRefused, match="covered, blurred"):
        spoilt(["dead:e4"])


HEADER = '{"format":"jetan-looks/1","t_end_us":9}\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"format":"jetan-looks/1"}\n', "looks:1: header: "),
        (HEADER + '{"t_us":1,"sees":{"k1":null}}\n', "looks:2: "),
        (HEADER + '{"t_us":1,"sees":{"a1":[1]}}\n', "looks:2: "),
        (
            HEADER + '{"t_us":2,"sees":{}}\n{"t_us":1,"sees":{}}\n',
            "looks:3: t_us 1 is before 2",
        ),
    ],
)
def test_looks_that_cannot_be_read_are_refused_with_their_line(text: str, why: str) -> None:
    with pytest.raises(BadRecording, match=why):
        parse_looks(text, "looks")
