"""The files of a release: packed the same each time, summed up, and told in words."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from jetan_table import __version__
from packages.release import OFFER, SUMS, NoRelease, differing, notes, pack, sums
from tests.packages.laying import two_packages

ROOT = Path(__file__).parents[2]
NOON = 1_800_000_000
CHANGES = """\
# Changelog

## [Unreleased]

- soon

## [0.2.0] - 2027-01-15

### Added

- a moon

## [0.1.0]

- a planet

[0.1.0]: https://example.org
"""


def test_the_notes_are_what_the_changelog_has_of_a_version() -> None:
    assert notes(CHANGES, "0.2.0") == "### Added\n\n- a moon\n"
    assert notes(CHANGES, "0.1.0") == "- a planet\n"
    with pytest.raises(NoRelease, match=r"no section '## \[0\.3\.0\]'"):
        notes(CHANGES, "0.3.0")


def test_this_version_has_notes_that_are_read_in_two_minutes() -> None:
    words = notes((ROOT / "CHANGELOG.md").read_text(), __version__).split()
    assert 100 < len(words) < 500


def test_a_bundle_is_the_same_whenever_and_by_whomever_it_is_packed(tmp_path: Path) -> None:
    for name, date, mode in (("one", 1_700_000_000, 0o600), ("other", 1_750_000_001, 0o755)):
        for file in ("b/2.stl", "a.pdf") if name == "one" else ("a.pdf", "b/2.stl"):
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file)
            path.chmod(mode)
            os.utime(path, (date, date))
        pack(tmp_path / name, tmp_path / f"{name}.zip", NOON)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()
    with ZipFile(tmp_path / "one.zip") as packed:
        assert packed.namelist() == ["a.pdf", "b/2.stl"]
        assert packed.read("b/2.stl") == b"b/2.stl"


def test_what_differs_between_two_makings_is_named(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same").write_text("same")
        (tmp_path / name / "late").write_text(name)
    (tmp_path / "one" / "alone").touch()
    assert differing(tmp_path / "one", tmp_path / "one") == []
    assert differing(tmp_path / "one", tmp_path / "other") == ["alone", "late"]


def test_sums_are_those_that_sha256sum_checks(tmp_path: Path) -> None:
    two_packages(tmp_path, "0.2.0")
    (tmp_path / SUMS).write_text(sums(tmp_path))
    check = ["sha256sum", "--check", "--strict", SUMS]
    subprocess.run(check, check=True, capture_output=True, cwd=tmp_path)
    offered = json.loads((tmp_path / OFFER).read_text())
    assert offered["version"] == "0.2.0"
    for machine, package in offered["packages"].items():
        found = (tmp_path / package["file"]).read_bytes()
        assert found == f"0.2.0 {machine}".encode()
        assert hashlib.sha256(found).hexdigest() == package["sha256"]


@pytest.mark.needs("git")
def test_what_is_not_committed_is_no_release(tmp_path: Path) -> None:
    """In a small checkout of its own, in which a file has changed."""
    scripts = [f"packages/{name}.py" for name in ("release", "locked", "rules_alone", "__init__")]
    for name in (*scripts, "jetan_table/__init__.py", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    done = subprocess.run(
        [sys.executable, "packages/release.py", "--out", str(tmp_path / "out")],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "not all changes are committed" in done.stderr
    assert not (tmp_path / "out").exists()
