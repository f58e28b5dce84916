"""Watches a service that has just been started: whether it comes up, and stays well for a while."""

import http.client
import re
import subprocess
from pathlib import Path
from typing import Final

import msgspec

from rules.sentences import Worded, _

from ..table.loop import Clock, WallClock
from ..table.supervision import MOST_BAD, RUNTIME_FOLDER, Starts

UNIT_NAME: Final = "jetan.service"
MANAGED: Final = Path("/run/systemd/system")
RUNTIME: Final = Path("/run/jetan")
PROGRAM: Final = Path("/opt/jetan/bin/jetan")
PORT: Final = re.compile(r"--port[ =](\d+)")
LATEST_S: Final = 120.0
"""A version that is not well by then does not come up; a slow card takes half a minute."""
ASKED_S, PATIENCE_S = 1.0, 5.0


class ToldHealth(msgspec.Struct, frozen=True):
    """What `/health` answers, as far as any version does."""

    version: str
    sensing: bool
    disk: bool
    troubles: list[str] = []

    @property
    def is_well(self) -> bool:
        """Whether nothing keeps the table from going on."""
        return self.sensing and self.disk


def health(port: int) -> ToldHealth | str:
    """Return what the page at a port tells of its table, or why it tells nothing."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        line.request("GET", "/health")
        return msgspec.json.decode(line.getresponse().read(100_000), type=ToldHealth)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return f"http://127.0.0.1:{port}/health: {error}"
    finally:
        line.close()


class ServiceWatch:
    """Knows how the service was before, and expects no less of what is started after."""

    def __init__(
        self,
        port: int | None,
        well_s: float,
        program: Path = PROGRAM,
        runtime: Path = RUNTIME,
        clock: Clock | None = None,
    ) -> None:
        """Ask the service how it is; what comes after must be well for `well_s` without a break.

        `port` is that of its page; None where no service runs, and only `program` can be tried.
        """
        self._port, self._well_s, self._clock = port, well_s, clock or WallClock()
        self._program, self._starts = program, Starts({RUNTIME_FOLDER: str(runtime)})
        found = health(port) if port is not None else ""
        self._was_well = isinstance(found, ToldHealth) and found.is_well

    def trouble(self, version: str) -> str | None:
        """Return why that version is not up; None once it was well for long enough."""
        if (why := self._does_not_run(version)) or self._port is None:
            return why
        latest, last = self._clock.now() + LATEST_S, ""
        well_since: float | None = None
        while True:
            if why := self._failed_starts():
                return why
            now, why = self._clock.now(), self._amiss(self._port, version)
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
        """Return what the last start failed with; empty where it had no time to say."""
        return self._starts.why

    def _does_not_run(self, version: str) -> str | None:
        """Return what the program says where it does not even tell its version."""
        try:
            command = [str(self._program), "--version"]
            done = subprocess.run(
                command, check=False, capture_output=True, text=True, timeout=LATEST_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        last_words = done.stdout.strip() or done.stderr.strip() or f"exit {done.returncode}"
        return None if last_words.endswith(f" {version}") else last_words.splitlines()[-1]

    def _amiss(self, port: int, version: str) -> str:
        """Return what is amiss now; a table that was unwell before need be no better."""
        found = health(port)
        if isinstance(found, str):
            return found
        if found.version != version:
            return Worded(_("version {version} answers"), version=found.version)
        return "; ".join(found.troubles) or "503" if self._was_well and not found.is_well else ""

    def _failed_starts(self) -> str:
        """Return why starts failed, once two have, or the service has given up starting a table."""
        bad, why = self._starts.bad, self._starts.why
        if bad >= MOST_BAD:
            return why or _("it hung, or was killed")
        return why if bad == MOST_BAD - 1 else ""


def port_of_service(settled: int) -> int | None:
    """Return the port of the service's page: that of the settings, or its unit's; None: no service.

    A service that fails again and again counts, too.
    """
    if not MANAGED.is_dir():
        return None
    unit = _systemctl("show", "--property=ActiveState", "--property=ExecStart")
    if not re.search("^ActiveState=(active|activating)", unit, re.MULTILINE):
        return None
    named = PORT.search(unit)
    return int(named[1]) if named else settled


def _systemctl(*words: str) -> str:
    """Return what systemd says of the unit."""
    command = ["systemctl", *words, UNIT_NAME]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout
