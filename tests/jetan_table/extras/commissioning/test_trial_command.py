"""`jetan trial` at a simulated board: what it prints, saves and ends with."""

import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import cv2
import pytest
from msgspec.structs import replace

from jetan_table.cli import main
from jetan_table.extras.commissioning import commands
from jetan_table.extras.commissioning.course import RULES
from jetan_table.reading.readings import occupants_of
from jetan_table.settings import Settings, SoundSettings
from rules import Position, grid, parse_rules
from vision.geometry import layout_of
from vision.painted import Stage


def test_wires_that_are_exchanged_are_named_and_nothing_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["trial", "--board", "simulated", "--fault", "files:d-e", "--data", str(tmp_path)]
    assert main(words) == 1
    printed = capsys.readouterr().out
    assert "what happens on these files shows on others: d>e, e>d" in printed
    assert "No game was played" in printed
    assert not (tmp_path / "trials").exists()


def test_lamps_in_another_order_are_named_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["trial", "--board", "simulated", "--fault", "lamps:rings", "--json"]
    assert main([*words, "--data", str(tmp_path)]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert list(verdict["faults"]) == ["lamps"]
    assert (verdict["plies"], verdict["is_sound"]) == (0, False)


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--fault", "broken:e4", "--board", "simulated"], "broken:e4: no such fault"),
        (["--undo"], "no trial has taught anything"),
        (["--fault", "dead:e4", "--board", "serial"], "only a simulated or an emulated board"),
        ([], "the settings name no real board"),
    ],
)
def test_what_cannot_be_tried_is_refused(
    words: list[str], refusal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trial", *words, "--data", str(tmp_path)]) == 2
    assert refusal in capsys.readouterr().err


def test_a_camera_that_is_not_named_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "jetan.toml"
    config.write_text('[table]\nboard = "camera"\n')
    assert main(["trial", "--config", str(config), "--data", str(tmp_path)]) == 2
    assert "say which camera" in capsys.readouterr().err


def test_a_covered_lens_is_named_and_nothing_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["trial", "--board", "simulated-camera", "--fault", "covered", "--json"]
    assert main([*words, "--data", str(tmp_path)]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["faults"], verdict["plies"]) == ({"covered": []}, 0)
    assert verdict["camera"]["at_rest"] == 0
    assert not (tmp_path / "trials").exists()


def test_a_camera_that_shows_pictures_is_led_and_gives_up_by_enter(tmp_path: Path) -> None:
    """The last picture goes on being seen: nothing that is asked for ever shows."""
    start = Position.start(parse_rules(RULES))
    picture = tmp_path / "start.png"
    cv2.imwrite(str(picture), Stage(layout_of(grid()), 72.0).paint(occupants_of(start), 1))
    words = ["trial", "--camera", str(picture), "--data", str(tmp_path), "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "jetan_table", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as led:
        assert led.stdin is not None
        assert led.stdout is not None
        while led.poll() is None:
            with suppress(BrokenPipeError):
                led.stdin.write(b"\n")
                led.stdin.flush()
            time.sleep(0.2)
        verdict = json.loads(led.stdout.read())
    assert (led.returncode, verdict["faults"], verdict["read"]["right"]) == (1, {}, 0)
    # Two pieces are lifted and put back, eight plies made, one of them taken back: all in vain.
    assert (verdict["plies"], verdict["vain"]) == (8, 13)
    assert verdict["camera"]["at_rest"] > 0.5


def test_what_is_asked_is_said_aloud_where_sound_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    spoken: list[str] = []

    class Mouth:
        def __init__(self, language: str, command: str) -> None:
            spoken.append(f"{language} by {command}")

        def say(self, words: str) -> None:
            spoken.append(words)

        def close(self) -> None:
            spoken.append("")

    monkeypatch.setattr(commands, "can_speak", "mouth {text}".__eq__)
    monkeypatch.setattr(commands, "Voice", Mouth)
    loud = replace(Settings(), sound=SoundSettings(speak=True, command="mouth {text}"))
    with commands.voice_of(loud, is_played=False) as say:
        say("Move the piece from e2 to e3.")
    assert spoken == ["en by mouth {text}", "Move the piece from e2 to e3.", ""]
    with commands.voice_of(Settings(), is_played=False) as say:
        say("silence")
    with commands.voice_of(loud, is_played=True) as say:
        say("silence")
    assert "silence" not in spoken
