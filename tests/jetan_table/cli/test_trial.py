"""`jetan trial` at a simulated board: what it prints, saves and ends with."""

import json
from pathlib import Path

import pytest

from jetan_table.cli import main


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
