"""Asks osv.dev whether anything that `uv.lock` names has a known advisory.

    python3 packages/advisories.py

It ends with 0 where none is known, with 1 where some are, and with 2 where nobody could be asked.
It stands on Python alone, as a bare machine has no more; what it asks and is answered is described
at https://google.github.io/osv.dev/post-v1-querybatch/.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # run as a script

from packages.locked import OWN, read_lock

DATABASE: Final = "https://api.osv.dev/v1/querybatch"
MOST_S: Final = 20.0
"""A database that is silent for longer could not be asked."""


class NotAsked(OSError):
    """A database that could not be asked; the message says which and why."""


def advisories(lock: Mapping[str, Any], database: str = DATABASE) -> dict[str, list[str]]:
    """Return the ids of what is known against the packages of a lock, by `name==version`.

    NotAsked where the database gives no answer, or another than there were questions.
    """
    packages = [each for each in lock["package"] if each["name"] != OWN]
    queries = [
        {"package": {"name": each["name"], "ecosystem": "PyPI"}, "version": each["version"]}
        for each in packages
    ]
    asked = json.dumps({"queries": queries}).encode()
    try:
        request = Request(database, asked, {"Content-Type": "application/json"})
        with urlopen(request, timeout=MOST_S) as answer:
            results = json.load(answer)["results"]
        found = [[each["id"] for each in result.get("vulns", ())] for result in results]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotAsked(f"{database}: {error}") from error
    if len(found) != len(packages):
        raise NotAsked(f"{database}: {len(packages)} questions and {len(found)} answers")
    pairs = zip(packages, found, strict=True)
    return {f"{each['name']}=={each['version']}": ids for each, ids in pairs if ids}


def told(known: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a line for each package of which something is known, with the mend."""
    mend = "raise its floor in pyproject.toml, then: uv lock"
    return [f"{package}: {', '.join(ids)} ({mend})" for package, ids in known.items()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, print what is known, and return the exit code."""
    parser = argparse.ArgumentParser(description="Look for advisories against what uv.lock names.")
    parser.add_argument("--database", default=DATABASE, metavar="URL", help="Who is asked.")
    asked = parser.parse_args(arguments)
    try:
        known = advisories(read_lock(), asked.database)
    except NotAsked as error:
        print(f"advisories: nobody could be asked: {error}", file=sys.stderr)
        return 2
    for line in told(known):
        print(line)
    return int(bool(known))


if __name__ == "__main__":
    sys.exit(main())
