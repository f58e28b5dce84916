"""What `uv.lock` names, for whoever has no uv: requirements with hashes, and a bill of materials.

    python3 packages/locked.py              # what play stands on, for `pip install -r`
    python3 packages/locked.py hall test    # with these extras or groups of pyproject.toml
    python3 packages/locked.py --sbom       # the same as a CycloneDX document

It stands on Python alone, and says the same of the same lock each time.
"""

import argparse
import json
import operator
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
OWN: Final = "jetan-table"
PLAY: Final = "play"
"""The extra that is none: what every table needs."""

CHOSEN_TWICE: Final = re.compile(r" or \(extra == '[^()]*\)")
"""What uv adds to a marker for two extras that exclude each other, and that nobody asks for."""

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
    """A package of the lock, and when it is wanted."""

    name: str
    version: str
    conditions: tuple[str, ...]
    """Markers, one of which must hold; none: always."""
    files: tuple[tuple[str, str], ...]
    """Where each of its files is had, and its hash as `sha256:...`."""
    needs: tuple[str, ...]
    """The packages that it stands on, as `name@version`."""

    @property
    def key(self) -> str:
        return f"{self.name}@{self.version}"

    @property
    def requirement(self) -> str:
        """The lines that let pip install exactly this."""
        marker = " or ".join(f"({each})" for each in self.conditions)
        head = f"{self.name}=={self.version}" + (f" ; {marker}" if marker else "")
        return " \\\n    ".join([head, *(f"--hash={digest}" for _url, digest in self.files)])

    def is_wanted(self, environment: Mapping[str, str]) -> bool:
        """Whether it is, where the markers' names stand for these values."""
        return not self.conditions or any(
            all(holds(marker, environment) for marker in each.split(" and "))
            for each in self.conditions
        )


def holds(marker: str, environment: Mapping[str, str]) -> bool:
    """Whether a marker of one comparison holds; ValueError for any other."""
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
    """Return what the table stands on with these extras or groups, by name.

    KeyError where there is no such extra.
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
            marker = CHOSEN_TWICE.sub("", dependency.get("marker", ""))
            condition = " and ".join(filter(None, dict.fromkeys([before, marker])))
            known = conditions.setdefault((package["name"], package["version"]), set())
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
            tuple(_files(packages[name, version])),
            tuple(sorted({f"{(to := find(each))['name']}@{to['version']}" for each in needs})),
        )
        for (name, version), found in sorted(conditions.items())
        for needs in [packages[name, version].get("dependencies", ())]
    ]


def _files(package: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for file in [*([package["sdist"]] if "sdist" in package else []), *package.get("wheels", ())]:
        yield file["url"], file["hash"]


def bill_of_materials(packages: Sequence[LockedPackage], version: str) -> str:
    """Return the packages as a CycloneDX document of JSON, the same each time."""
    keys = {each.key for each in packages}
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{each.key}",
            "name": each.name,
            "version": each.version,
            "purl": f"pkg:pypi/{each.key}",
            "externalReferences": [
                {
                    "type": "distribution",
                    "url": url,
                    "hashes": [{"alg": "SHA-256", "content": digest.removeprefix("sha256:")}],
                }
                for url, digest in each.files
            ],
        }
        for each in packages
    ]
    depending = [
        {
            "ref": f"pkg:pypi/{each.key}",
            "dependsOn": [f"pkg:pypi/{need}" for need in each.needs if need in keys],
        }
        for each in packages
    ]
    own = {"type": "application", "bom-ref": OWN, "name": OWN, "version": version}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": components,
        "dependencies": depending,
    }
    return json.dumps(document, indent=1) + "\n"


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
    parser.add_argument("--sbom", action="store_true", help="As a CycloneDX document.")
    asked = parser.parse_args(arguments)
    packages = locked(read_lock(), asked.extras)
    if asked.sbom:
        sys.stdout.write(bill_of_materials(packages, own_version()))
    else:
        print(*(each.requirement for each in packages), sep="\n")


if __name__ == "__main__":
    main()
