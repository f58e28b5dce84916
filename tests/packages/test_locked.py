"""What the lock names is said as pip takes it, and as uv says it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest
from packaging.markers import Marker

from packages.locked import find_uv, holds, locked, read_lock

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS: Final = [*PROJECT["project"]["optional-dependencies"], "pack", "compiler"]


@pytest.mark.parametrize("extra", ["play", *EXTRAS])
def test_every_file_of_every_package_has_its_hash(extra: str) -> None:
    packages = locked(read_lock(), [extra])
    assert len(packages) >= 11
    for each in packages:
        assert each.requirement.startswith(f"{each.name}=={each.version}")
        hashes = re.findall(r"--hash=sha256:[0-9a-f]{64}(?= |$)", each.requirement)
        assert len(hashes) == len(each.hashes) > 0


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_an_extra_asks_for_is_in_it_and_for_play_beside(extra: str) -> None:
    groups = {**PROJECT["project"]["optional-dependencies"], **PROJECT["dependency-groups"]}
    asked = [*PROJECT["project"]["dependencies"], *groups[extra]]
    names = {re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", each)[0]).lower() for each in asked}
    assert names - {"jetan-table"} <= {each.name for each in locked(read_lock(), [extra])}


@pytest.mark.parametrize("python", ["3.11.2", "3.11.9", "3.12.1", "3.13.5"])
@pytest.mark.parametrize("system", ["linux", "win32"])
def test_a_package_is_wanted_where_its_marker_says(python: str, system: str) -> None:
    there = {"python_full_version": python, "sys_platform": system}
    there["platform_python_implementation"] = "CPython"
    for each in locked(read_lock(), ["test"]):
        markers = [Marker(condition) for condition in each.conditions]
        by_pip = not markers or any(marker.evaluate(there) for marker in markers)
        assert each.is_wanted(there) == by_pip, each.requirement


def test_no_package_is_wanted_twice() -> None:
    here = {"python_full_version": ".".join(map(str, sys.version_info[:3]))}
    here |= {"sys_platform": sys.platform, "platform_python_implementation": "CPython"}
    names = [each.name for each in locked(read_lock(), ["test", "gpio"]) if each.is_wanted(here)]
    assert len(names) == len(set(names))


def test_a_marker_that_is_not_understood_is_refused() -> None:
    with pytest.raises(ValueError, match="must learn it"):
        holds("os_name == 'posix' or (extra == 'x')", {})


@pytest.mark.parametrize("extra", ["play", "build", "hall", "swiss", "bench", "camera-headless"])
@pytest.mark.parametrize("python", ["3.11.9", "3.13.5"])
def test_it_says_what_uv_says(extra: str, python: str) -> None:
    there = {"python_full_version": python, "sys_platform": "linux"}
    there["platform_python_implementation"] = "CPython"
    words = ("export", "--frozen", "--no-dev", "--no-emit-project", "--no-header", "--no-annotate")
    asked = () if extra == "play" else ("--extra", extra)
    export = [find_uv() or "uv", *words, *asked]
    listed = subprocess.run(export, check=True, cwd=ROOT, capture_output=True, text=True).stdout
    by_uv = {}
    for entry in re.split(r"\n(?=\w)", listed):
        named, _semicolon, marker = re.sub(r"\s*\\\n.*", "", entry, flags=re.DOTALL).partition(
            " ; "
        )
        if not marker or Marker(marker).evaluate(there):
            by_uv[named.strip()] = set(re.findall(r"sha256:\w+", entry))
    assert by_uv == {
        f"{each.name}=={each.version}": set(each.hashes)
        for each in locked(read_lock(), [extra])
        if each.is_wanted(there)
    }
