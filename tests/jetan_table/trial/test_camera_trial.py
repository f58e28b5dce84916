"""A trial at the simulated camera: a sound one is called sound, each planted fault by its name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from random import Random

import msgspec
import pytest

from hardware.ports import occupancy
from jetan_table.lamps.lighting import Lighting
from jetan_table.lamps.lights import LAMP_OF, Dimming
from jetan_table.lamps.palette import PALETTES
from jetan_table.replay.looks import Looks, format_looks, parse_looks
from jetan_table.replay.recordings import BadRecording
from jetan_table.replay.replay import replay_of_recording
from jetan_table.setup.planted import NoSuchFault
from jetan_table.simulation.truth import Truth
from jetan_table.table.loop import EagerClock
from jetan_table.trial.eyes import CameraEyes
from jetan_table.trial.faults import BoardFault
from jetan_table.trial.hands import ScriptedHands
from jetan_table.trial.painted import PaintedCamera, spoilt
from jetan_table.trial.report import as_object, lines
from jetan_table.trial.running import Trial, Watches
from jetan_table.trial.script import RULES, by_looks
from jetan_table.trial.truth_of import recording_of, truth_of
from jetan_table.trial.verdict import Verdict, is_fit, judge
from rules import Position, parse_rules
from tests.profiles import sampled

STEP_S = 0.05
START = Position.start(parse_rules(RULES))


@dataclass
class Tried:
    """A trial that has been run at a camera, as far as a ply."""

    verdict: Verdict
    recording: Looks
    truth: Truth
    lines: list[str]


@cache
def tried(*faults: str, plies: int) -> Tried:
    clock, spoken = EagerClock(), list[str]()
    painted = PaintedCamera(START, spoilt(faults))
    eyes, script = CameraEyes(painted, START), by_looks()
    trial = Trial(
        eyes,
        ScriptedHands(painted, Random(1), clock.now),
        clock,
        spoken.append,
        "en",
        Lighting(PALETTES["standard"], LAMP_OF, Dimming()),
        replace(script, plies=script.plies[:plies]),
        STEP_S,
        Watches(lambda: 0.0, lambda: 0.0),
    )
    course = trial.run(is_fit)
    camera = eyes.says()
    recording, truth = recording_of(course), truth_of(course, "trial", camera.stirs)
    assert isinstance(recording, Looks)
    verdict = judge(course, trial.histories, {}, 6.0, trial.tempo, recording, truth, camera)
    return Tried(verdict, recording, truth, spoken)


@pytest.mark.parametrize(
    ("plies", "right", "stand"), [(3, 3, 3), pytest.param(8, 10, 9, marks=pytest.mark.ci)]
)
def test_a_sound_camera_is_called_sound_and_its_looks_are_read_again(
    plies: int, right: int, stand: int
) -> None:
    """The last plies, in which one is taken back, are for CI."""
    sound = tried(plies=plies)
    assert sound.verdict.faults == {}
    assert (sound.verdict.counts["right"], sound.verdict.plies) == (right, stand)
    assert sound.verdict.is_sound
    assert any("hands away" in line for line in sound.lines)
    assert all(0.0 <= delay < 2.0 for delay in sound.verdict.delays_s)
    assert sound.verdict.sight is not None
    assert sound.verdict.sight.looks_hz == pytest.approx(4.0, abs=0.1)
    written = format_looks(sound.recording)
    read = parse_looks(written, "trial")
    assert format_looks(read) == written
    (first,) = replay_of_recording(read, "trial").source.poll(0.0)
    occupied = [square for square, each in first.squares.items() if each and occupancy(each)]
    assert len(occupied) == 40


PLANTED = (
    ("alike:panthan", 0, BoardFault.ALIKE),
    ("covered", 0, BoardFault.COVERED),
    ("blurred", 0, BoardFault.BLURRED),
    ("dark", 0, BoardFault.DARK),
    ("mirrored", 0, BoardFault.MIRRORED),
    ("bumped", 4, BoardFault.BUMPED),
)
"""Each with the plies until it shows; what shows at once is not played with."""


@pytest.mark.parametrize("which", sampled(PLANTED, by_hand=2), ids=lambda which: which[0])
def test_a_planted_fault_is_named(which: tuple[str, int, BoardFault]) -> None:
    planted, plies, fault = which
    found = tried(planted, plies=plies).verdict
    assert list(found.faults) == [fault]
    assert not found.is_sound
    assert fault.mend in "\n".join(lines(found, "en"))
    for_programs = msgspec.json.decode(msgspec.json.encode(as_object(found)))
    assert for_programs["faults"] == {fault.name.lower(): list(found.faults[fault])}


def test_pieces_that_look_like_their_squares_are_named_by_their_squares() -> None:
    found = tried("alike:panthan", plies=0).verdict.faults[BoardFault.ALIKE]
    assert set(found) <= {f"{file}2" for file in "abcdefghij"}
    assert len(found) > 2


def test_a_fault_that_is_none_is_refused() -> None:
    with pytest.raises(NoSuchFault, match="covered, blurred"):
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
