"""How the last starts of a service went, so that one that cannot start comes up all the same."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ..session.guests import Certain, Guest

MOST_BAD = 3
"""After so many bad starts in a row only what cannot fail is begun."""

GOOD_S = 60.0
"""A table that has been stepping for so long was started well."""

RUNTIME_FOLDER = "RUNTIME_DIRECTORY"
"""The variable by which systemd names a service's folder in memory, which no disk can refuse."""


class Starts(Guest):
    """Counts starts, in a small file of the service's; does nothing without a service.

    As a guest at a table it notes that the start was good. The file holds how many were not, and
    on its second line why the last of them was not.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        folder = environment.get(RUNTIME_FOLDER)
        self._file = Path(folder) / "starts" if folder else None
        self._first: float | None = None

    @property
    def is_counted(self) -> bool:
        """Whether anybody starts the table anew where it fails."""
        return self._file is not None

    @property
    def bad(self) -> int:
        """How many starts have gone wrong since the last good one."""
        count = self._read()[0]
        return int(count) if count.isascii() and count.isdecimal() and len(count) < 10 else 0

    @property
    def why(self) -> str:
        """What the last bad start ended with; empty where it had no time to say."""
        return self._read()[1]

    def begin(self) -> None:
        """Note a start: it is a bad one until more is known."""
        self._write(self.bad + 1, "")

    def failed(self, why: str) -> None:
        """Note what a start has ended with."""
        self._write(self.bad, " ".join(why.split()))

    def give_one_more(self) -> None:
        """Let the next start be tried once, whatever the last ones were."""
        self._write(MOST_BAD - 1, self.why)

    def good(self) -> None:
        with suppress(OSError):
            if self._file is not None:
                self._file.unlink(missing_ok=True)

    def follow(self, certain: Certain) -> None:
        """Note that the start was good, once the table has been stepping for a while."""
        if self._first is None:
            self._first = certain.at
        elif self._file is not None and certain.at >= self._first + GOOD_S:
            self.good()
            self._file = None

    def _read(self) -> tuple[str, str]:
        text = ""
        with suppress(OSError, ValueError):
            text = "" if self._file is None else self._file.read_text(encoding="utf-8")
        count, _line, why = text.partition("\n")
        return count, why.strip()

    def _write(self, bad: int, why: str) -> None:
        with suppress(OSError):
            if self._file is not None:
                self._file.write_text(f"{bad}\n{why}\n", encoding="utf-8")
