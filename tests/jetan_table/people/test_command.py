"""The module as a program: files that can be read back and scored."""

import json
from pathlib import Path

from click.testing import CliRunner

from jetan_table.people.__main__ import main
from jetan_table.people.manners import ON_DISK, PROFILES
from jetan_table.people.reeds import MAKES
from jetan_table.people.scoring import read_truth
from tests.recordings import read_recording


def test_it_writes_recordings_and_their_truth(tmp_path: Path) -> None:
    words = [
        "--people",
        "blitz-disk",
        "--make",
        "disk",
        "--seed",
        "4",
        "--count",
        "2",
        "--plies",
        "4",
    ]
    assert CliRunner().invoke(main, [*words, "--plies", "4", str(tmp_path / "new")]).exit_code == 0
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == [
        f"disk-blitz-disk-{seed}.{end}" for seed in (4, 5) for end in ("jsonl", "truth.json")
    ]
    text = (tmp_path / "new" / "disk-blitz-disk-4.truth.json").read_text()
    truth = json.loads(text)
    recording = read_recording(tmp_path / "new" / truth["recording"])
    assert recording.header.board == truth["board"] == "ninth-ray-cw"
    assert truth["plies"][0]["from"] in recording.header.closed
    assert recording.changes
    assert not {"overlap_us", "t_landed_us", "taken_back_us"} & truth["plies"][0].keys()
    rows = read_truth(tmp_path / "new" / "disk-blitz-disk-4.truth.json").plies
    assert [row.from_ for row in rows] == [row["from"] for row in truth["plies"]]


def test_nobody_sits_at_a_make_of_another_board(tmp_path: Path) -> None:
    for people, make in (("blitz-disk", "lying"), ("blitz", "disk")):
        result = CliRunner().invoke(main, ["--people", people, "--make", make, str(tmp_path)])
        assert result.exit_code == 2
        assert f"{make}: {people} play on another board" in result.output
    assert not list(tmp_path.iterdir())


def test_the_same_options_write_the_same_files(tmp_path: Path) -> None:
    for folder in ("one", "other"):
        CliRunner().invoke(main, ["--plies", "2", str(tmp_path / folder)])
    one, other = (tmp_path / folder / "crossed-club-night-1.jsonl" for folder in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()


def test_its_help_names_all_people_and_boards_and_others_are_refused(tmp_path: Path) -> None:
    words = CliRunner().invoke(main, ["--help"]).output
    people = [name for name in PROFILES if not name.endswith(ON_DISK)]
    assert all(f"  {name}: " in words for name in [*people, *MAKES])
    for option, name, known in (("--people", "13", people), ("--make", "wooden", MAKES)):
        result = CliRunner().invoke(main, [option, name, str(tmp_path)])
        assert result.exit_code == 2
        assert f"{option}': '{name}'" in result.output  # in whatever language was spoken last
        assert all(f"'{each}'" in result.output for each in known)
