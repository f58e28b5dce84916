"""The module as a program: files that can be read back and scored."""

import json
from pathlib import Path

from click.testing import CliRunner

from jetan_table.replay.recordings import read_recording
from jetan_table.simulation.__main__ import main


def test_it_writes_a_recording_and_its_truth(tmp_path: Path) -> None:
    words = [
        "--preset",
        "06",
        "--seed",
        "4",
        "--count",
        "2",
        "--plies",
        "30",
        str(tmp_path / "new"),
    ]
    assert CliRunner().invoke(main, words).exit_code == 0
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == ["06-4.jsonl", "06-4.truth.json", "06-5.jsonl", "06-5.truth.json"]
    truth = json.loads((tmp_path / "new" / "06-4.truth.json").read_text())
    recording = read_recording(tmp_path / "new" / truth["recording"])
    assert truth["fault"]["kind"] == "stuck-closed"
    assert truth["plies"][0]["from"] in recording.header.closed
    assert "overlap_us" not in truth["plies"][0]


def test_paces_and_broad_habits_have_names_of_their_own(tmp_path: Path) -> None:
    CliRunner().invoke(main, ["--pace", "1.4", "--broad", "--plies", "3", str(tmp_path)])
    assert (tmp_path / "03-1-pace1.4-broad.jsonl").exists()


def test_an_unknown_preset_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--preset", "13", str(tmp_path)])
    assert result.exit_code == 2
    assert "'13' is not one of" in result.output


def test_a_profile_is_played_from_physics(tmp_path: Path) -> None:
    words = ["--physics", "blitz-disk", "--seed", "3", "--plies", "3", str(tmp_path)]
    assert CliRunner().invoke(main, words).exit_code == 0
    truth = json.loads((tmp_path / "blitz-disk-3.truth.json").read_text())
    recording = read_recording(tmp_path / "blitz-disk-3.jsonl")
    assert recording.header.board == truth["board"] == "ninth-ray-cw"
    assert len(truth["plies"]) >= 3
    assert recording.changes


def test_a_profile_has_no_pace(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--physics", "blitz", "--pace", "2", str(tmp_path)])
    assert result.exit_code == 2
    assert "a profile has its own times" in result.output
