"""What the lock names is said as pip takes it, and once more as a bill of materials."""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest
from packaging.markers import Marker

from packages.locked import bill_of_materials, holds, locked, read_lock

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
        assert len(hashes) == len(each.files) > 0


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


def test_a_bill_of_materials_names_each_package_and_what_it_stands_on() -> None:
    packages = locked(read_lock(), [])
    text = bill_of_materials(packages, "1.2.3")
    assert text == bill_of_materials(locked(read_lock(), []), "1.2.3")
    bill = json.loads(text)
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", "1.2.3")
    refs = {each["bom-ref"] for each in bill["components"]}
    assert refs == {f"pkg:pypi/{each.name}@{each.version}" for each in packages}
    depends = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    assert depends.keys() == refs
    assert {need for needs in depends.values() for need in needs} <= refs
    (server,) = (each for each in refs if each.startswith("pkg:pypi/uvicorn@"))
    assert any(each.startswith("pkg:pypi/h11@") for each in depends[server])
