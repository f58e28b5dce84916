"""The table as a systemd service: its unit, its installation and its state."""

import grp
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

from rules import _

from ..errors import TableError
from ..table.supervision import EXIT_SHUT_DOWN, WATCHDOG_S

GROUPS = ("gpio", "spi", "dialout", "video")
"""The groups to which Raspberry Pi OS gives its pins, SPI, serial ports and cameras."""

SERVICE_NAME = "jetan"
UNIT_NAME = f"{SERVICE_NAME}.service"
UNITS = Path("/etc/systemd/system")
STATE = Path("/var/lib") / SERVICE_NAME
PORT_OPTION: Final = re.compile(r"--port[ =](\d+)")
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
