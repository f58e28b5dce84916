"""Programs that some suites stand on beyond Python, and what brings them.

`@pytest.mark.needs("git")` on a test skips it with the apt line where the program is missing, and
fails it under JETAN_CI=1. `python3 tests/needs.py` prints the apt packages that are missing here.
"""

import shutil
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Need:
    """A program a suite calls, and the Debian package that brings it."""

    program: str
    apt: str

    def is_met(self) -> bool:
        """Whether the program is on the search path."""
        return shutil.which(self.program) is not None

    def mend(self) -> str:
        """The line that brings it on Debian."""
        return f"sudo apt-get install {self.apt}"


NEEDS: Final = {
    "flock": Need("flock", "util-linux"),
    "git": Need("git", "git"),
}

if __name__ == "__main__":
    for need in NEEDS.values():
        if not need.is_met():
            print(need.apt)
