"""Builds the search in C for the machines a wheel carries it for, on any of them.

`python -m packages.ready` stands on the package `ziglang`, whose compiler knows every machine's C
library. The next wheel that is built takes the libraries along.
"""

import sys
from typing import Final

from jetan_table.engine.library import FLAGS, READY, LibraryBuild, name_of

TARGETS: Final = {
    "x86_64": "x86_64-linux-gnu.2.28",
    "aarch64": "aarch64-linux-gnu.2.28",
}
"""By machine, what the compiler calls it; with the oldest C library that will do."""


def main() -> None:
    """Build what is missing, and remove what other sources have left; NotBuilt without ziglang."""
    names = {name_of(machine): target for machine, target in TARGETS.items()}
    for path in READY.glob("*.so"):
        if path.name not in names:
            path.unlink()
    for name, target in names.items():
        if not (READY / name).is_file():
            compiler = (sys.executable, "-m", "ziglang", "cc", "-target", target)
            LibraryBuild(READY / name, (*FLAGS, "-s"), compiler=compiler).wait()
        print(READY / name)


if __name__ == "__main__":
    main()
