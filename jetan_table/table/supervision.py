"""Supervision by systemd: the table's signs of life, and a count of its failed starts.

Readiness and life are sd_notify's datagrams on a socket, written here: libraries for them bring a C
compiler or a tree of others. Failed starts are counted so that a table that cannot start still
comes up with its page.
"""

import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ..session.session import Certain, Guest

WATCHDOG_S = 20
"""Seconds without a scan after which systemd starts the table anew."""

DISK_S = 300
"""The same while it waits for its disk: after a start anew it would wait for the same disk."""

SLOW_DISK_S = 5.0
"""Seconds of waiting for the disk after which that is shown; one that sleeps takes some."""

EXIT_SHUT_DOWN = 79
"""Exit code of a table that was asked to switch the machine off: its service does that."""


class Heartbeat(Guest):
    """Beats once for each step of a table, if a service manager listens.

    systemd starts the table anew after the unit's `WatchdogSec` without a beat, for example when
    a scan hangs. So only the loop that scans may call `beat`. While the table waits for its disk,
    systemd is asked for more patience.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Read systemd's variables in `environment`: NOTIFY_SOCKET and WATCHDOG_USEC."""
        self._address = environment.get("NOTIFY_SOCKET", "").replace("@", "\0", 1)
        self._patience_us = int(environment.get("WATCHDOG_USEC", "0"))
        self._every_s = self._patience_us / 1e6 / 4
        self._due: float | None = None

    @property
    def is_heard(self) -> bool:
        """True if a service manager listens."""
        return bool(self._address)

    def at_disk(self, waits: bool) -> None:
        """Ask for more patience while the table waits for its disk; afterwards for the usual."""
        if self._every_s and self._due is not None:
            patience_us = max(DISK_S * 1_000_000, self._patience_us) if waits else self._patience_us
            self._tell(f"WATCHDOG_USEC={patience_us}\nWATCHDOG=1")

    def follow(self, certain: Certain) -> None:
        """Beat for a step of the table."""
        self.beat(certain.at)

    def beat(self, now: float) -> None:
        """Report a step at `now` seconds; the first one reports that the table is ready."""
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
"""Bad starts in a row after which only the page is started, which needs no board."""

GOOD_S = 60.0
"""Seconds of steps after which a start counts as good."""

RUNTIME_FOLDER = "RUNTIME_DIRECTORY"
"""The variable by which systemd names a service's folder in memory, which no disk can refuse."""


class Starts(Guest):
    """Counts bad starts in a small file of the service; does nothing without one.

    As a guest at a table it notes that the start was good. The file holds the number of bad ones,
    and on its second line the reason of the last.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        folder = environment.get(RUNTIME_FOLDER)
        self._file = Path(folder) / "starts" if folder else None
        self._first: float | None = None

    @property
    def is_counted(self) -> bool:
        """True if a service starts the table anew when it fails."""
        return self._file is not None

    @property
    def bad(self) -> int:
        """Number of bad starts since the last good one."""
        count = self._read()[0]
        return int(count) if count.isascii() and count.isdecimal() and len(count) < 10 else 0

    @property
    def why(self) -> str:
        """The reason of the last bad start; empty if it had no time to give one."""
        return self._read()[1]

    def begin(self) -> None:
        """Count a start as bad until it turns out to be good."""
        self._write(self.bad + 1, "")

    def failed(self, why: str) -> None:
        """Note the reason why a start has failed."""
        self._write(self.bad, " ".join(why.split()))

    def give_one_more(self) -> None:
        """Let the next start be tried once, whatever became of the last ones."""
        self._write(MOST_BAD - 1, self.why)

    def good(self) -> None:
        with suppress(OSError):
            if self._file is not None:
                self._file.unlink(missing_ok=True)

    def follow(self, certain: Certain) -> None:
        """Note that the start was good, once the table has been stepping for GOOD_S."""
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
