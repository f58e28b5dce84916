"""The recording format: round trips, words for what is wrong, and a sensor that sees no future."""

import json

import msgspec
import pytest

from hardware.ports import Change, Evidence, Observation, Switch, presence
from jetan_table.people.manners import PROFILES
from jetan_table.replay.recordings import (
    BadRecording,
    RecordedSensor,
    Recording,
    RecordingHeader,
    format_recording,
    parse_recording,
)
from rules import SQUARE_NAMES, Square
from tools.recordings import generate

LINES = [
    msgspec.json.encode(RecordingHeader(closed=("a1", "e4"), t_end_us=9_000_000)).decode(),
    '{"t_us":1000000,"sq":"e4","on":false}',
    '{"t_us":2000000,"sq":"e5","on":true}',
]


def text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_a_recording_reads_as_changes_in_seconds() -> None:
    recording = parse_recording(text(*LINES))
    e4, e5 = Switch(34), Switch(44)
    assert recording.changes == (Change(1.0, e4, False), Change(2.0, e5, True))
    assert [index for index, closed in enumerate(recording.closed) if closed] == [0, 34]
    assert recording.ends_at == 9.0


@pytest.mark.parametrize("people", ["clumsy", "juggernaut", "blitz-disk"])
def test_text_and_recording_are_a_round_trip(people: str) -> None:
    recording = generate(PROFILES[people], 1, "x.jsonl", plies=4).recording
    written = format_recording(recording)
    assert format_recording(parse_recording(written)) == written
    assert len(recording.changes) > 8


def test_squares_may_be_wired_in_any_order() -> None:
    backwards = tuple(reversed(SQUARE_NAMES))
    header = RecordingHeader(closed=("a1",), t_end_us=10, squares=backwards)
    recording = parse_recording(msgspec.json.encode(header).decode())
    assert recording.switch_of[0] == 99
    (first,) = RecordedSensor(recording).poll(0.0)
    assert [
        square for square, evidence in first.squares.items() if evidence and presence(evidence) > 0
    ] == [0]


HEADER, FIRST, SECOND = LINES
DEEP = ',"more":' + "[" * 5000


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "game.jsonl:1: empty"),
        (["{"], "game.jsonl:1: header: "),
        ([HEADER[:-1] + DEEP], "game.jsonl:1: header: "),
        ([FIRST], "game.jsonl:1: header: "),
        ([HEADER.replace("recording/1", "recording/2")], "game.jsonl:1: header: "),
        ([HEADER.replace('"a1","b1"', '"a1","a1"', 1)], "game.jsonl:1: squares: must name a1"),
        ([HEADER.replace('["a1","e4"]', '["k1"]')], "game.jsonl:1: k1: no such square"),
        ([HEADER, "{}"], "game.jsonl:2: .*expected"),
        ([HEADER, FIRST[:-1] + DEEP], "game.jsonl:2: .*expected"),
        ([HEADER, FIRST, SECOND[:20]], "game.jsonl:3: .*expected"),
        ([HEADER, SECOND, FIRST], "game.jsonl:3: t_us 1000000 is before 2000000: sort the lines"),
        ([HEADER, FIRST, FIRST], "game.jsonl:3: e4 is open already: only changes have a line"),
        ([HEADER, FIRST.replace("e4", "e11")], "game.jsonl:2: e11: no such square"),
        ([HEADER.replace("9000000", "5"), FIRST], "game.jsonl:1: t_end_us 5: the last change is"),
        ([HEADER.replace("9000000", "9" * 400)], "game.jsonl:1: header: .*t_end_us"),
        ([HEADER, FIRST.replace("1000000", "9" * 400)], "game.jsonl:2: .*expected"),
    ],
)
def test_what_cannot_be_read_is_named_by_file_and_line(lines: list[str], words: str) -> None:
    with pytest.raises(BadRecording, match=words):
        parse_recording(text(*lines), "game.jsonl")


def told(recording: Recording) -> list[Observation]:
    sensor, observations = RecordedSensor(recording), list[Observation]()
    while (due := sensor.due) is not None:
        observations += sensor.poll(due)
    return observations


def test_waking_when_due_tells_all_that_one_late_look_would() -> None:
    made = generate(PROFILES["clumsy"], 2, "x.jsonl", plies=12)
    recording, truth = made.recording, made.truth
    stepped = told(recording)
    assert stepped == RecordedSensor(recording).poll(recording.ends_at)
    squares = dict[Square, Evidence | None]()
    for observation in stepped:
        squares.update(observation.squares)
    occupied = {
        square for square, evidence in squares.items() if evidence and presence(evidence) > 0
    }
    placement = truth.final_position.split()[0]
    pieces = sum(letter.isalpha() for letter in placement)
    assert len(occupied) == pieces


def test_a_recording_cut_anywhere_is_told_alike_up_to_the_cut() -> None:
    recording = generate(PROFILES["clumsy"], 3, "x.jsonl", plies=6).recording
    whole = told(recording)
    for cut in range(0, len(recording.changes), 17):
        until = recording.changes[cut].at
        part = told(Recording(recording.header, recording.changes[:cut]))
        assert [observation for observation in part if observation.at < until] == [
            observation for observation in whole if observation.at < until
        ]


def test_lines_are_the_format_others_write() -> None:
    recording = generate(PROFILES["careful"], 1, "x.jsonl", plies=2).recording
    header, first, *_ = [json.loads(line) for line in format_recording(recording).splitlines()]
    assert header["format"] == "jetan-reed-recording/1"
    assert header["start_rows"]["1"] == "wadocqodaw"
    assert header["start_rows"]["10"] == "wadoqcodaw"
    assert set(first) == {"t_us", "sq", "on"}
