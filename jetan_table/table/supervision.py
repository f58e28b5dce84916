"""What systemd is told of the table, and what is known of its last starts.

The table says that it is ready and alive by sd_notify, a datagram on a socket: its libraries bring
a C compiler or a tree. Starts that went wrong are counted, so that a table that cannot start comes
up all the same.
"""

import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ..session.session import Certain, Guest

WATCHDOG_S = 20
"""Without a scan for so long the table is started anew."""

DISK_S = 300
"""While it waits for its disk, only after so long: a start anew would wait for the same disk."""

SLOW_DISK_S = 5.0
"""So long it waits for its disk before that is said. One that is asleep takes seconds."""

EXIT_SHUT_DOWN = 79
"""The table has been asked to switch the machine off, and may not: its service does it then."""


class Heartbeat(Guest):
    """Beats once for each step of a table; silent where no service manager listens.

    systemd starts the table anew when it has heard nothing for the unit's `WatchdogSec`, as it
    happens when a scan hangs. So only the loop that scans may call `beat`. While the table waits
    for its disk, systemd is asked for more patience.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Listen to what systemd told in `environment`: NOTIFY_SOCKET and WATCHDOG_USEC."""
        self._address = environment.get("NOTIFY_SOCKET", "").replace("@", "\0", 1)
        self._patience_us = int(environment.get("WATCHDOG_USEC", "0"))
        self._every_s = self._patience_us / 1e6 / 4
        self._due: float | None = None

    @property
    def is_heard(self) -> bool:
        """Whether a service manager listens."""
        return bool(self._address)

    def at_disk(self, waits: bool) -> None:
        """Ask for more patience while the disk is waited for, and for no more than before after."""
        if self._every_s and self._due is not None:
            patience_us = max(DISK_S * 1_000_000, self._patience_us) if waits else self._patience_us
            self._tell(f"WATCHDOG_USEC={patience_us}\nWATCHDOG=1")

    def follow(self, certain: Certain) -> None:
        """Say that a step was made; the first one says that the table is ready."""
        self.beat(certain.at)

    def beat(self, now: float) -> None:
        """Say that a step was made at `now` seconds; the first one says that the table is ready."""
        if not self.is_heard:
            return
        if self._due is None:
            self._tell("READY=1")
            self._due = now
        if self._every_s and now >= self._due:
            self._tell("WATCHDOG=1")
            self._due = now + self._every_s

    def _tell(self, message: str) -> None:
        # A service manager that does not listen is no reason to stop a game.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect(self._address)
            line.send(message.encode())


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
