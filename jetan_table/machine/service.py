"""The table as a systemd service: its unit, its installation, and a watch on its starts."""

import grp
import http.client
import os
import pwd
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from rules import Worded, _

from ..errors import TableError
from ..table.loop import Clock, WallClock
from ..table.supervision import EXIT_SHUT_DOWN, MOST_BAD, RUNTIME_FOLDER, WATCHDOG_S, Starts
from .machine import GROUPS

SERVICE_NAME = "jetan"
UNIT_NAME = f"{SERVICE_NAME}.service"
UNITS = Path("/etc/systemd/system")
STATE = Path("/var/lib") / SERVICE_NAME
KEPT_PACKAGES = Path("/var/lib/jetan-packages")
"""Folder of root's own in which packages of other versions are kept."""

UNIT = """\
# Written by `jetan service install`, and replaced by its next call.
[Unit]
Description=Jetan table
Documentation=file://{docs}
After=local-fs.target network.target

[Service]
Type=notify
ExecStart={command}
User={user}
{groups}WorkingDirectory=/run/{name}
RuntimeDirectory={name}
# What counts bad starts is in it, and must outlive them.
RuntimeDirectoryPreserve=restart
StateDirectory={name}
StateDirectoryMode=0750
Environment=HOME={state} LG_WD=/run/{name} PYTHONUNBUFFERED=1
WatchdogSec={watchdog_s}
# Looks at the board come every few milliseconds, whatever else this machine does.
Nice=-10
Restart=on-failure
RestartSec=2
# An interrupt lets the table put its lamps out and close its journal; it may end with 130.
KillSignal=SIGINT
SuccessExitStatus=130 {shut_down}
# The menu button, held long, switches the machine off, which the user may not do.
ExecStopPost=+/bin/sh -c 'test "$$EXIT_STATUS" != {shut_down} || systemctl poweroff'
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=strict
ProtectHome=read-only
# Least rights; docs/service.md says what each of these takes away, and what is left out.
CapabilityBoundingSet=
LockPersonality=yes
PrivateMounts=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
UMask=0077
# One process that takes all memory is ended before the machine stands still, and alone.
MemoryMax=80%
OOMPolicy=continue

[Install]
WantedBy=multi-user.target
"""


ANNOUNCED = """\
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">Jetan table on %h</name>
  <service><type>_http._tcp</type><port>{port}</port></service>
</service-group>
"""
"""A file by which avahi names the page to the network, where Raspberry Pi OS runs that."""


@dataclass(frozen=True, slots=True)
class Service:
    """A service: `program` with `arguments`, run as `user` by a unit in the folder `units`."""

    program: Path
    arguments: tuple[str, ...] = ()
    user: str = SERVICE_NAME
    units: Path = UNITS
    announcements: Path = Path("/etc/avahi/services")

    @property
    def unit_path(self) -> Path:
        return self.units / UNIT_NAME

    @property
    def announcement(self) -> Path:
        return self.announcements / UNIT_NAME

    @property
    def command(self) -> tuple[str, ...]:
        """The command line that the unit starts."""
        return (str(self.program), "serve", "--data", str(STATE), *self.arguments)


def unit_text(service: Service, docs: Path, groups: Sequence[str]) -> str:
    """Return the unit; `groups` are those of the parts that exist on this system."""
    return UNIT.format(
        docs=docs,
        command=" ".join(map(_quoted, service.command)),
        user=service.user,
        groups=f"SupplementaryGroups={' '.join(groups)}\n" if groups else "",
        name=SERVICE_NAME,
        state=STATE,
        watchdog_s=WATCHDOG_S,
        shut_down=EXIT_SHUT_DOWN,
    )


def _quoted(word: str) -> str:
    """Write a word of ExecStart: systemd splits at spaces, and expands `%` and `$`."""
    word = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{word}"' if not word or set(word) & set(" \t\"'\\;") else word


def part_groups() -> list[str]:
    """Return the groups that own a table's parts here."""
    there = {group.gr_name for group in grp.getgrall()}
    return [name for name in GROUPS if name in there]


def install_steps(service: Service) -> Iterator[tuple[str, ...]]:
    """Yield the commands that bring the service up, once its unit is written."""
    try:
        pwd.getpwnam(service.user)
    except KeyError:
        shell = "/usr/sbin/nologin"
        made = ("useradd", "--system", "--user-group", "--home-dir", str(STATE))
        yield (*made, "--shell", shell, service.user)
    yield ("systemctl", "daemon-reload")
    yield ("systemctl", "enable", UNIT_NAME)
    yield ("systemctl", "restart", UNIT_NAME)


def install(service: Service, docs: Path, port: int) -> None:
    """Write the unit, and start the table now and at every boot; raises TableError.

    `port` is that of the page, if the arguments name no other: avahi announces it with `--lan`.
    """
    _require("systemctl")
    _check_root()
    _check_reachable(service)
    service.unit_path.write_text(unit_text(service, docs, part_groups()), encoding="utf-8")
    service.announcement.unlink(missing_ok=True)  # this call may ask for less than the last
    if "--lan" in service.arguments and service.announcements.is_dir():
        named = PORT_OPTION.search(shlex.join(service.arguments))
        text = ANNOUNCED.format(port=named[1] if named else port)
        service.announcement.write_text(text, encoding="utf-8")
    for step in install_steps(service):
        _run(step)


def remove(service: Service) -> None:
    """Stop the table and take its unit away; games and settings stay. Raises TableError."""
    _require("systemctl")
    _check_root()
    if not service.unit_path.is_file():
        raise TableError(
            _("{unit_path} is not there: no service is installed"), unit_path=service.unit_path
        )
    _run(("systemctl", "disable", "--now", UNIT_NAME))
    service.unit_path.unlink()
    service.announcement.unlink(missing_ok=True)
    _run(("systemctl", "daemon-reload"))


STATUS = ("ActiveState", "SubState", "MainPID", "NRestarts", "ActiveEnterTimestamp", "Result")


def status(service: Service) -> dict[str, str]:
    """Return systemd's properties of the service; raises TableError."""
    _require("systemctl")
    if not service.unit_path.is_file():
        raise TableError(_("no service is installed: sudo ./jetan service install"))
    properties = _run(("systemctl", "show", UNIT_NAME, f"--property={','.join(STATUS)}"))
    pairs = (line.partition("=") for line in properties.splitlines())
    return {name: value for name, _, value in pairs if name in STATUS}


def _check_root() -> None:
    if os.geteuid() != 0:
        raise TableError(_("only root may change services: put sudo before it"))


def _check_reachable(service: Service) -> None:
    """Raise TableError if an unprivileged user cannot run the program."""
    if not service.program.is_file():
        raise TableError(_("{program} is not there: run ./jetan once"), program=service.program)
    if service.user == "root":
        raise TableError(_("the table needs no root: choose an unprivileged --user"))
    python = service.program.with_name("python")
    for needed in (service.program, python):
        for folder in needed.resolve().parents:
            if not _may_enter(folder, service.user):
                raise TableError(
                    _(
                        "{folder} is closed to the user {user}: move the project to /opt, with a"
                        " Python that all may use, or name its owner with --user"
                    ),
                    folder=folder,
                    user=service.user,
                )


def _may_enter(folder: Path, user: str) -> bool:
    stat = folder.stat()
    try:
        is_owner = pwd.getpwnam(user).pw_uid == stat.st_uid
    except KeyError:  # the user is not made yet
        is_owner = False
    return bool(stat.st_mode & (0o100 if is_owner else 0o001))


def _require(program: str) -> None:
    if shutil.which(program) is None:
        raise TableError(
            _("{program} is not here: the service needs a system run by systemd"), program=program
        )


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise TableError(
            _("{command} failed: {why}"), command=shlex.join(command), why=done.stderr.strip()
        )
    return done.stdout


MANAGED: Final = Path("/run/systemd/system")
RUNTIME: Final = Path("/run/jetan")
PROGRAM: Final = Path("/opt/jetan/bin/jetan")
PORT_OPTION: Final = re.compile(r"--port[ =](\d+)")
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
