"""`jetan build`: the files to print and order a table from."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jetan_table.cli import main
from tests.paths import ROOT
from tests.profiles import before_release

WAYS = (
    "--way paper",
    "--way paper --board ninth-ray",
    "--way wired",
    "--way wired --square-mm 60",
    "--way strip",
    "--way strip --square-mm 50",
    "--board ninth-ray",
)


def test_every_file_is_told_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", str(tmp_path), "--way", "paper", "--json"]) == 0
    told_files = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    written = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert {tmp_path / each["file"] for each in told_files} == written
    assert all((tmp_path / each["file"]).stat().st_size == each["bytes"] for each in told_files)
    assert {"paper/a4.pdf", "parts.csv"} <= {each["file"] for each in told_files}


@pytest.mark.parametrize("words", before_release(WAYS))
def test_a_way_is_the_same_files_each_time(words: str, tmp_path: Path) -> None:
    """Byte for byte, whatever order sets have."""
    for seed in ("1", "2"):
        out = str(tmp_path / seed)
        command = [sys.executable, "-m", "jetan_table", "build", out, *words.split()]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True)
    one, other = (
        {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
        for out in (tmp_path / "1", tmp_path / "2")
    )
    assert len(one) > 5
    assert one == other


def test_what_cannot_be_built_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "table"
    for words, why in (
        (["--board", "ninth-ray", "--way", "strip"], "--way wired or paper"),
        (["--square-mm", "43"], "a printed case takes 44 to 55"),
        (["--way", "wired", "--square-mm", "30"], "between 42 and 60 mm can be built"),
    ):
        assert main(["build", str(out), *words, "--lang", "en"]) == 2
        assert why in capsys.readouterr().err
    assert not out.exists()


def test_strips_of_another_size_are_drawn_by_kicad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", str(tmp_path), "--square-mm", "50", "--lang", "en"]) == 0
    assert "python -m packages.kicad" in capsys.readouterr().out
    assert not (tmp_path / "boards" / "strip").exists()
    assert (tmp_path / "boards" / "adapter-pi" / "gerbers.zip").is_file()
