"""The requirements that `uv.lock` names, with hashes, for machines without uv.

    python3 packages/locked.py              # what play needs, for `pip install -r`
    python3 packages/locked.py hall test    # with these extras or groups of pyproject.toml

`uv export` would say the same, but `./jetan` has to begin on a bare machine, which has Python and
no uv, and a package for one Python is made by another. A test holds it to what uv says.
"""

import argparse
import operator
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
OWN: Final = "jetan-table"
PLAY: Final = "play"
"""The name for no extra: only the packages that every table needs."""

CHOSEN_TWICE: Final = re.compile(r" or \(extra == '[^()]*\)")
"""The part of a marker that uv adds for two extras that exclude each other."""

MARKER: Final = re.compile(r"(\w+) (==|!=|<|<=|>|>=) '([^']*)'")
COMPARED: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class LockedPackage(NamedTuple):
    """A package of the lock, and the conditions under which it is needed."""

    name: str
    version: str
    conditions: tuple[str, ...]
    """Markers, one of which must hold; none: always."""
    hashes: tuple[str, ...]
    """The hash of each of its files, as `sha256:...`."""

    @property
    def requirement(self) -> str:
        """The lines that let pip install exactly this package."""
        marker = " or ".join(f"({each})" for each in self.conditions)
        head = f"{self.name}=={self.version}" + (f" ; {marker}" if marker else "")
        return " \\\n    ".join([head, *(f"--hash={digest}" for digest in self.hashes)])

    def is_wanted(self, environment: Mapping[str, str]) -> bool:
        """Return True if it is needed where the markers' names have these values."""
        return not self.conditions or any(
            all(holds(marker, environment) for marker in each.split(" and "))
            for each in self.conditions
        )


def holds(marker: str, environment: Mapping[str, str]) -> bool:
    """Return True if a marker of one comparison holds; ValueError for any other marker."""
    match = MARKER.fullmatch(marker)
    if match is None:
        raise ValueError(f"{marker}: not one comparison; packages/locked.py must learn it")
    name, relation, value = match.groups()
    found = environment[name]
    if "version" in name:
        return COMPARED[relation](_version(found), _version(value))
    return COMPARED[relation](found, value)


def _version(text: str) -> tuple[int, ...]:
    """Return a version as numbers; 3.11 is 3.11.0."""
    numbers = [int(part) for part in text.split(".")]
    return (*numbers, *[0] * (3 - len(numbers)))


def locked(lock: Mapping[str, Any], wanted: Sequence[str]) -> list[LockedPackage]:
    """Return the packages that these extras or groups need, and play with them, by name.

    KeyError for an unknown extra.
    """
    packages = {(each["name"], each.get("version", "")): each for each in lock["package"]}
    by_name: dict[str, list[Any]] = {}
    for each in lock["package"]:
        by_name.setdefault(each["name"], []).append(each)
    (own,) = by_name[OWN]
    conditions: dict[tuple[str, str], set[str]] = {}

    def find(dependency: Mapping[str, Any]) -> Any:
        version = dependency.get("version") or by_name[dependency["name"]][0]["version"]
        return packages[dependency["name"], version]

    def take(dependencies: Sequence[Mapping[str, Any]], before: str) -> None:
        for dependency in dependencies:
            if dependency["name"] == OWN:
                continue  # its extras are named in full beside it
            package = find(dependency)
            known = conditions.setdefault((package["name"], package["version"]), set())
            for marker in CHOSEN_TWICE.sub("", dependency.get("marker", "")).split(" or "):
                condition = " and ".join(filter(None, dict.fromkeys([before, marker])))
                if condition in known or "" in known:
                    continue
                known.add(condition)
                take(package.get("dependencies", ()), condition)
                for extra in dependency.get("extra", ()):
                    take(package["optional-dependencies"][extra], condition)

    take(own["dependencies"], "")
    more = {**own.get("optional-dependencies", {}), **own.get("dev-dependencies", {})}
    for name in wanted:
        take([] if name == PLAY else more[name], "")
    return [
        LockedPackage(
            name,
            version,
            () if "" in found else tuple(sorted(found)),
            tuple(_hashes(packages[name, version])),
        )
        for (name, version), found in sorted(conditions.items())
    ]


def _hashes(package: Mapping[str, Any]) -> Iterator[str]:
    for file in [*([package["sdist"]] if "sdist" in package else []), *package.get("wheels", ())]:
        yield file["hash"]


def find_uv() -> str | None:
    """Return uv's path: that of the environment of the tests, or else the system's."""
    folders = (str(ROOT / ".venv" / "bin"), os.environ.get("PATH", os.defpath))
    return shutil.which("uv", path=os.pathsep.join(folders))


def own_version() -> str:
    """Return the table's version."""
    text = (ROOT / "jetan_table" / "__init__.py").read_text(encoding="utf-8")
    match = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    assert match is not None
    return match[1]


def read_lock() -> Mapping[str, Any]:
    """Return the lock of this checkout."""
    return tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description="Say what uv.lock names, with hashes.")
    parser.add_argument("extras", nargs="*", help="Extras or groups of pyproject.toml.")
    packages = locked(read_lock(), parser.parse_args(arguments).extras)
    print(*(each.requirement for each in packages), sep="\n")


if __name__ == "__main__":
    main()
