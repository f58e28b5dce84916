"""`jetan replay`: what it prints of recordings and kept games, and what it refuses."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jetan_table.cli.camera import tell
from jetan_table.game.events import Fault, Header, Question, Wander
from jetan_table.journal.journal import Journal
from jetan_table.reading.readings import (
    Evidence,
    Reading,
    Standing,
    Step,
    answering,
    telling,
    undoing,
)
from jetan_table.replay.recordings import RecordedSensor, format_recording
from jetan_table.replay.replay import JsonLines, WordLines, replay_of_recording
from jetan_table.table.loop import Clock
from jetan_table.terminal.terminal import Screen, watch_on_screen
from jetan_table.terminal.typed import Quit
from rules import Position, Square, format_rules, parse_move, parse_rules
from tests.jetan_table.cli.in_process import Jetan
from tests.paths import DATA
from tests.recordings import read_recording

NAMES = ["captures", "hasty", "juggernaut"]


def recorded(name: str) -> str:
    return str(DATA / f"{name}.jsonl")


def printed(jetan: Jetan, *arguments: str) -> list[str]:
    """The lines that `jetan replay` prints."""
    return jetan("replay", *arguments).splitlines()


def objects(jetan: Jetan, *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed(jetan, "--json", *arguments)]


def standing_plies(lines: list[dict[str, Any]]) -> dict[int, set[str]]:
    """By number, where each ply that stands came down, or may have."""
    plies: dict[int, set[str]] = {}
    for line in lines:
        if "ply" in line:
            plies[line["ply"]] = {line["to"]} if "to" in line else set(line["ask"])
        elif "takeback" in line:
            del plies[line["takeback"]]
    return plies


@pytest.mark.parametrize("name", NAMES)
def test_prints_what_was_played(jetan: Jetan, name: str) -> None:
    truth = json.loads((DATA / f"{name}.truth.json").read_text())
    standing = {row["ply"]: row["to"] for row in truth["plies"] if "taken_back_us" not in row}
    lines = objects(jetan, recorded(name))
    plies = standing_plies(lines)
    assert plies.keys() == standing.keys()
    assert all(standing[number] in plies[number] for number in standing)
    wandered = [(line["from"], line["to"]) for line in lines if "juggernaut" in line]
    moved = [(row["from"], row["to"]) for row in truth["juggernaut_moves"]]
    assert wandered == [squares for squares in moved if squares[0] != squares[1]]
    times = [line["t_us"] for line in lines]
    assert times == sorted(times)


def test_one_recording_in_every_form(jetan: Jetan) -> None:
    name = recorded("captures")
    plies = objects(jetan, name)
    assert objects(jetan, name, name) == 2 * [{"recording": "captures.jsonl"}, *plies]
    explained = objects(jetan, name, "--evidence")
    evidence = [line.pop("evidence") for line in explained if "evidence" in line]
    assert explained == plies
    assert evidence[0]["lifted_us"] < evidence[0]["landed_us"] < plies[0]["t_us"]
    with_nats = printed(jetan, name, "--evidence")
    assert sum("nats ahead" in line for line in with_nats) == len(evidence)
    lines = printed(jetan, name)
    assert len(lines) == len(plies)
    time, *words = lines[0].split()
    assert float(time) == pytest.approx(plies[0]["t_us"] / 1e6, abs=0.001)
    assert words[:2] == ["confirmed", "1"]
    assert words[2].endswith(f"{plies[0]['from']}-{plies[0]['to']}")


def test_rules_are_those_of_the_option_then_of_the_header_then_of_the_board() -> None:
    recording = read_recording(DATA / "captures.jsonl")
    own = replace(
        recording, header=msgspec.structs.replace(recording.header, rules={"text": "cazaux"})
    )
    asked = parse_rules("zillions")

    def rules_of(recording: Any, *rules: Any) -> str:
        return format_rules(replay_of_recording(recording, "x", *rules).start.rules)

    assert rules_of(recording) == "appendix,thoat=jumps"
    assert rules_of(own) == "cazaux"
    assert rules_of(own, asked) == "zillions"


def test_a_juggernaut_in_the_header_is_one_in_the_rules() -> None:
    start = replay_of_recording(read_recording(DATA / "juggernaut.jsonl"), "x").start
    assert start.juggernaut == Square(44)
    assert start.rules["juggernaut"] == "e5"


def test_orange_may_begin() -> None:
    recording = read_recording(DATA / "captures.jsonl")
    header = msgspec.structs.replace(recording.header, first_move="orange")
    replay = replay_of_recording(replace(recording, header=header), "x")
    assert replay.start.ply_number == 2


def test_lamps_show_the_board_as_it_goes(jetan: Jetan) -> None:
    lines = printed(jetan, recorded("captures"), "--lamps")
    truth = json.loads((DATA / "captures.truth.json").read_text())
    confirmed = {int(line.split()[1]) for line in lines if line.startswith("confirmed")}
    assert confirmed >= {row["ply"] for row in truth["plies"] if not row["ambiguous"]}
    assert "    a   b   c   d   e   f   g   h   i   j" in lines


def test_the_screen_shows_a_replay_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    screens = []

    def play_on_screen(screen: Screen, clock: Clock, does: Any, goes_on: Any, pause: Any) -> bool:
        screens.append(screen)
        while goes_on():
            screen.step(clock.now())
            clock.sleep(0.1)
        with pytest.raises(Quit):
            does("quit")
        return True

    monkeypatch.setattr("jetan_table.terminal.terminal.play_on_screen", play_on_screen)
    replay = replay_of_recording(read_recording(DATA / "hasty.jsonl"), "hasty.jsonl")
    assert watch_on_screen(replay, CountedClock(), "en")
    (log,) = (list(screen.log) for screen in screens)
    truth = json.loads((DATA / "hasty.truth.json").read_text())
    assert log[0] == "hasty.jsonl"
    assert log[-1].startswith(f"confirmed {truth['plies'][-1]['ply']} ")


def test_a_kept_game_is_read_once_more(jetan: Jetan, tmp_path: Path) -> None:
    recording = read_recording(DATA / "hasty.jsonl")
    started = 1_000_000.0
    start = replay_of_recording(recording, "x").start
    with closing(Journal(tmp_path)) as journal:
        game = journal.begin(Header.of(start, started))
        for observation in RecordedSensor(recording).poll(recording.ends_at):
            journal.observe(game, [replace(observation, at=started + observation.at)])
    again = objects(jetan, "--game", "1", "--data", str(tmp_path))
    first = objects(jetan, recorded("hasty"))
    assert [{**line, "t_us": 0} for line in again] == [{**line, "t_us": 0} for line in first]
    assert [line["t_us"] for line in again] == pytest.approx(
        [line["t_us"] for line in first], abs=1000
    )


@dataclass
class CountedClock:
    """A clock that passes time only while it is slept."""

    at: float = 0.0

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds


def test_lines_keep_the_pace_of_the_clock(capsys: pytest.CaptureFixture[str]) -> None:
    clock = CountedClock()
    replay = replay_of_recording(read_recording(DATA / "captures.jsonl"), "x")
    tell(replay, clock, JsonLines())
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert clock.at == pytest.approx(last["t_us"] / 1e6)


START = Position.start(parse_rules("appendix"))


def step(text: str) -> Step[Standing]:
    move = parse_move(text, START)
    return Step(*move[:2], False, lambda: Standing(START.play(move)))


D2D3, E2E3 = step("d2d3"), step("e2e3")
ASKED: Reading[Standing] = Reading(Question(1, "d2", ("c3", "d3")), 1.0)
PLAYED = telling(2, E2E3, Evidence(None, None), 2.0)


def keys_of(readings: list[Reading[Standing]]) -> list[str]:
    form = JsonLines()
    return [next(iter(json.loads(line))) for r in readings for line in form.lines(r)]


def test_a_late_answer_is_a_ply_line_only_before_later_plies() -> None:
    answered = answering(1, D2D3, 3.0)
    assert keys_of([ASKED, answered]) == ["ask", "ply"]
    assert keys_of([ASKED, PLAYED, answered]) == ["ask", "ply", "answered"]
    assert keys_of([ASKED, PLAYED, undoing(2, True, 2.5), answered])[-1] == "answered"


def test_every_reading_has_its_line_and_its_words() -> None:
    readings: list[Reading[Standing]] = [
        ASKED,
        Reading(Question(1, None, ("d2", "e2"), "d3"), 1.0),
        Reading(Wander(1, "d3"), 1.0, D2D3),
        undoing(1, False, 1.0),
        Reading(Fault("g7", "stuck"), 1.0),
        Reading(Fault("g7", "dead"), 1.0),
        undoing(1, True, 1.0),
    ]
    form, words = JsonLines(), WordLines(START)
    assert [line for r in readings for line in form.lines(r)] == [
        '{"ask":["c3","d3"],"ply":1,"from":"d2","t_us":1000000}',
        '{"ask":["d3"],"ply":1,"from":null,"pieces":["d2","e2"],"t_us":1000000}',
        '{"juggernaut":1,"from":"d2","to":"d3","t_us":1000000}',
        '{"recalled":1,"t_us":1000000}',
        '{"fault":"g7","t_us":1000000}',
        '{"fault":"g7","t_us":1000000}',
        '{"takeback":1,"t_us":1000000}',
    ]
    assert [line.split(maxsplit=1)[1] for r in readings for line in words.lines(r)] == [
        "asked 1: c3, d3?",
        "asked 1: d2, e2?",
        "Juggernaut after 1: d3",
        "Juggernaut back after 1",
        "The switch under g7 is stuck: the table plays on without it.",
        "The switch under g7 is dead: the table plays on without it.",
        "taken back 1",
    ]


@pytest.mark.parametrize("text", ["Qf1~f5", "Qf1-e3"])
def test_words_tell_an_escape_from_a_move(text: str) -> None:
    move = parse_move(text, OPEN)
    played = Step(*move[:2], False, lambda: Standing(OPEN.play(move)))
    reading = telling(OPEN.ply_number, played, Evidence(None, None), 1.0)
    assert WordLines(OPEN).lines(reading)[0].split()[-1] == text


OPEN = Position.of(
    parse_rules("appendix"),
    {
        square: piece
        for square, piece in START.pieces().items()
        if square in (4, 5, 94, 95)  # Chiefs and Princesses alone
    },
    START.side,
)


def test_refuses_in_one_line(jetan: Jetan, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("nothing\n")
    disk = read_recording(DATA / "juggernaut.jsonl")
    assert "bad.jsonl:1: header" in jetan("replay", recorded("captures"), bad, code=2)
    assert "No such file" in jetan("replay", tmp_path / "none.jsonl", code=2)
    misspelt, grid = "replay --rules appendix,thoat=jmps", "replay --rules appendix"
    assert "did you mean jumps" in jetan(misspelt, recorded("captures"), code=2)
    assert "these rules on grid" in jetan(grid, recorded("juggernaut"), code=2)
    header = msgspec.structs.replace(disk.header, rules={"text": "ninth-ray-clokwise"})
    bad.write_text(format_recording(replace(disk, header=header)))
    wrong = "bad.jsonl:1: rules.text: ninth-ray-clokwise: no such preset"
    assert wrong in jetan("replay", bad, code=2)
    assert "name a recording" in jetan("replay", code=2)
    assert "no such game" in jetan("replay --game 3 --data", tmp_path, code=2)
    assert "--lamps goes without" in jetan("replay --lamps --json", recorded("captures"), code=2)


LOOKS = str(DATA / "trials" / "simulated-camera.jsonl")


def test_looks_of_a_camera_are_read_by_looks(jetan: Jetan) -> None:
    last = json.loads(jetan("replay", LOOKS, "--json").splitlines()[-1])
    assert (last["ply"], last["from"], last["to"]) == (40, "i7", "j7")


@pytest.mark.ci
def test_looks_of_a_camera_are_read_with_lamps(jetan: Jetan) -> None:
    assert "confirmed 40 Ti7-j7" in jetan("replay", LOOKS, "--lamps")
