"""Health of the table's service: what is started anew must be as well as it was before."""

import http.client
import re
import subprocess
from pathlib import Path
from typing import Final

import msgspec

from rules import Worded, _

from ...machine.service import PORT_OPTION, UNIT_NAME
from ...table.loop import Clock, WallClock
from ...table.supervision import MOST_BAD, RUNTIME_FOLDER, Starts

MANAGED: Final = Path("/run/systemd/system")
RUNTIME: Final = Path("/run/jetan")
PROGRAM: Final = Path("/opt/jetan/bin/jetan")
LATEST_S: Final = 120.0
"""Seconds after which a version that is not healthy has failed; a slow card takes thirty."""
ASKED_S, PATIENCE_S = 1.0, 5.0


class ReportedHealth(msgspec.Struct, frozen=True):
    """The answer of `/health`, as far as all versions have it."""

    version: str
    sensing: bool
    disk: bool
    troubles: list[str] = []

    @property
    def is_well(self) -> bool:
        """True if nothing keeps the table from going on."""
        return self.sensing and self.disk


def health(port: int) -> ReportedHealth | str:
    """Return the health that the page at a port reports, or the reason why it reports none."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        line.request("GET", "/health")
        return msgspec.json.decode(line.getresponse().read(100_000), type=ReportedHealth)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return f"http://127.0.0.1:{port}/health: {error}"
    finally:
        line.close()


class ServiceWatch:
    """Compares the service's health after a start with that before it."""

    def __init__(
        self,
        port: int | None,
        well_s: float,
        program: Path = PROGRAM,
        runtime: Path = RUNTIME,
        clock: Clock | None = None,
    ) -> None:
        """Ask the service for its health; a start is good once it was well for `well_s` on end.

        `port` is that of its page; None if no service runs and only `program` can be tried.
        """
        self._port, self._well_s, self._clock = port, well_s, clock or WallClock()
        self._program, self._starts = program, Starts({RUNTIME_FOLDER: str(runtime)})
        found = health(port) if port is not None else ""
        self._was_well = isinstance(found, ReportedHealth) and found.is_well

    def trouble(self, version: str) -> str | None:
        """Return the reason why that version is not up; None once it was well for long enough."""
        if (why := self._does_not_run(version)) or self._port is None:
            return why
        latest, last = self._clock.now() + LATEST_S, ""
        well_since: float | None = None
        while True:
            if why := self._failed_starts():
                return why
            now, why = self._clock.now(), self._problem(self._port, version)
            if why:
                well_since, last = None, why
            elif well_since is None:
                well_since = now
            elif now >= well_since + self._well_s:
                return None
            if now >= latest + (0 if well_since is None else self._well_s):
                return last
            self._clock.sleep(ASKED_S)

    def last_words(self) -> str:
        """Return the reason why the last start failed; empty if it had no time to give one."""
        return self._starts.why

    def _does_not_run(self, version: str) -> str | None:
        """Return the program's last words if it does not even print its version."""
        try:
            command = [str(self._program), "--version"]
            done = subprocess.run(
                command, check=False, capture_output=True, text=True, timeout=LATEST_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        last_words = done.stdout.strip() or done.stderr.strip() or f"exit {done.returncode}"
        return None if last_words.endswith(f" {version}") else last_words.splitlines()[-1]

    def _problem(self, port: int, version: str) -> str:
        """Return the present problem; a table that was unwell before need be no better."""
        found = health(port)
        if isinstance(found, str):
            return found
        if found.version != version:
            return Worded(_("version {version} answers"), version=found.version)
        return "; ".join(found.troubles) or "503" if self._was_well and not found.is_well else ""

    def _failed_starts(self) -> str:
        """Return the reason of failed starts, once two have failed or the service has given up."""
        bad, why = self._starts.bad, self._starts.why
        if bad >= MOST_BAD:
            return why or _("it hung, or was killed")
        return why if bad == MOST_BAD - 1 else ""


def port_of_service(settled: int) -> int | None:
    """Return the port of the service's page, from the settings or its unit; None without one.

    A service that fails again and again counts, too.
    """
    if not MANAGED.is_dir():
        return None
    unit = _systemctl("show", "--property=ActiveState", "--property=ExecStart")
    if not re.search("^ActiveState=(active|activating)", unit, re.MULTILINE):
        return None
    named = PORT_OPTION.search(unit)
    return int(named[1]) if named else settled


def _systemctl(*words: str) -> str:
    """Return systemd's answer about the unit."""
    command = ["systemctl", *words, UNIT_NAME]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout
