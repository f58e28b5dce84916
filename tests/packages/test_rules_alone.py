"""The rules as a library of their own, in an environment where `rules` is somebody else's."""

import subprocess
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from packages.locked import find_uv
from packages.rules_alone import pack_rules

pytestmark = pytest.mark.parts

FOREIGN = {
    "rules/__init__.py": "HAS = 'rules of another kind'\n",
    "rules-3.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: rules\nVersion: 3.5\n",
    "rules-3.5.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "rules-3.5.dist-info/RECORD": "",
}
EXAMPLES = """
import doctest, importlib, pkgutil, sys
import jetan_rules, rules

assert rules.HAS == "rules of another kind"
inside = pkgutil.iter_modules(jetan_rules.__path__)
names = ["jetan_rules", *(f"jetan_rules.{each.name}" for each in inside)]
failed = tried = 0
for name in names:
    result = doctest.testmod(importlib.import_module(name))
    failed, tried = failed + result.failed, tried + result.attempted
result = doctest.testfile(sys.argv[1], module_relative=False)
print(failed + result.failed, tried >= 20, result.attempted >= 6)
print(sorted(name for name in sys.modules if name.partition(".")[0] in ("hardware", "jetan_table")))
try:
    jetan_rules.nothing
except AttributeError as error:
    print(error)
"""


def test_the_rules_stand_beside_a_foreign_package_of_that_name(tmp_path: Path) -> None:
    foreign = tmp_path / "rules-3.5-py3-none-any.whl"
    with ZipFile(foreign, "w") as packed:
        for name, text in FOREIGN.items():
            packed.writestr(name, text)
    wheel = pack_rules(tmp_path, find_uv() or "uv")
    home = tmp_path / "empty"
    venv.create(home, with_pip=True)
    python = str(home / "bin" / "python")
    quiet = ("-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-index")
    subprocess.run([python, *quiet, str(foreign), str(wheel)], check=True)

    readme = Path(__file__).parents[2] / "packages" / "rules_alone.md"
    ask = [python, "-W", "error", "-c", EXAMPLES, str(readme)]
    done = subprocess.run(ask, check=True, cwd=home, capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "0 True True",
        "[]",
        "module 'jetan_rules' has no attribute 'nothing'",
    ]


def test_packed_twice_it_is_the_same_and_stands_on_nothing(tmp_path: Path) -> None:
    uv = find_uv() or "uv"
    wheels = [pack_rules(tmp_path / each, uv) for each in ("one", "other")]
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    with ZipFile(wheels[0]) as packed:
        (metadata,) = (name for name in packed.namelist() if name.endswith("/METADATA"))
        assert "Requires-Dist" not in packed.read(metadata).decode()
