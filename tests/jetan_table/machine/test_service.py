"""The service: its unit, the steps that bring it up and down, and what counts as up."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import pytest

from jetan_table.cli import main
from jetan_table.cli.at_table import shut_down
from jetan_table.errors import TableError
from jetan_table.machine.service import (
    GROUPS,
    Service,
    install,
    install_steps,
    part_groups,
    remove,
    status,
    unit_text,
)
from jetan_table.table.supervision import EXIT_SHUT_DOWN

ROOT = Path(__file__).parents[3]
DOCS = Path("/opt/jetan/docs/service.md")
NOBODY = "nobody"
OPEN_TO_ALL = Path("/var", "tmp")


@pytest.fixture
def system() -> Iterator[Path]:
    """A folder that every user can reach, as /opt is."""
    with TemporaryDirectory(dir=OPEN_TO_ALL) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def service(system: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    """A service for root in a system whose `systemctl` only notes what it is asked to do."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    program = system / "bin" / "jetan"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    systemctl = system / "bin" / "systemctl"
    systemctl.write_text(
        f'#!/bin/sh\necho "$*" >> {system}/calls\n'
        '[ "$1" != show ] || printf "ActiveState=active\\nNRestarts=2\\nOther=1\\n"\n'
    )
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", str(systemctl.parent), prepend=":")
    units = system / "units"
    units.mkdir()
    return Service(program, user=NOBODY, units=units, announcements=units.parent / "avahi")


def calls(service: Service) -> list[str]:
    return (service.units.parent / "calls").read_text().splitlines()


@pytest.mark.needs("systemd-analyze")
def test_systemd_accepts_the_unit(service: Service) -> None:
    arguments = ("--lan", "--config", "/etc/my table/50% $x.toml")
    chosen = Service(service.program, arguments, "root", service.units)
    chosen.unit_path.write_text(unit_text(chosen, DOCS, part_groups()))
    verify = ["systemd-analyze", "verify", "--man=no", str(chosen.unit_path)]
    result = subprocess.run(verify, check=False, capture_output=True, text=True)
    complaints = [line for line in result.stderr.splitlines() if "jetan.service" in line]
    assert (result.returncode, complaints) == (0, [])


def test_the_unit_runs_an_unprivileged_user_in_the_groups_of_the_parts(service: Service) -> None:
    lines = unit_text(service, DOCS, ["gpio", "spi"]).splitlines()
    assert {f"User={NOBODY}", "SupplementaryGroups=gpio spi", "WatchdogSec=20"} <= set(lines)
    assert f"ExecStart={service.program} serve --data /var/lib/jetan" in lines
    assert "SupplementaryGroups" not in unit_text(service, DOCS, [])


def test_words_of_the_command_keep_together(service: Service) -> None:
    chosen = Service(service.program, ("--config", "/a b/50%.toml"))
    assert 'serve --data /var/lib/jetan --config "/a b/50%%.toml"' in unit_text(chosen, DOCS, [])


def test_a_user_that_is_missing_is_made_first(service: Service) -> None:
    made = next(install_steps(Service(service.program, user="no-such-user")))
    assert (made[0], made[-1]) == ("useradd", "no-such-user")
    assert {step[0] for step in install_steps(service)} == {"systemctl"}


def test_install_starts_it_and_remove_takes_it_away(service: Service) -> None:
    install(service, DOCS, 1922)
    assert "ExecStart" in service.unit_path.read_text()
    assert calls(service) == [
        "daemon-reload",
        "enable jetan.service",
        "restart jetan.service",
    ]
    assert status(service) == {"ActiveState": "active", "NRestarts": "2"}
    remove(service)
    assert not service.unit_path.exists()
    assert calls(service)[-2:] == ["disable --now jetan.service", "daemon-reload"]


@pytest.mark.parametrize(
    ("words", "port"), [((), None), (("--lan",), "2000"), (("--lan", "--port", "8080"), "8080")]
)
def test_a_page_that_phones_may_see_is_announced(
    service: Service, words: tuple[str, ...], port: str | None
) -> None:
    service.announcements.mkdir()
    install(replace(service, arguments=("--lan",)), DOCS, 2000)
    install(replace(service, arguments=words), DOCS, 2000)
    written = list(service.announcements.iterdir())
    assert [ElementTree.parse(path).findtext("service/port") for path in written] == [port] * bool(
        port
    )
    remove(service)
    assert not list(service.announcements.iterdir())


def test_a_program_that_the_user_cannot_reach_is_refused(service: Service) -> None:
    service.program.parent.chmod(0o700)
    with pytest.raises(TableError, match=r"bin is closed to the user nobody: move"):
        install(service, DOCS, 1922)
    assert not service.unit_path.exists()


def test_a_python_that_the_user_cannot_reach_is_refused(service: Service) -> None:
    hidden = service.units.parent / "hidden"
    hidden.mkdir(mode=0o700)
    (hidden / "python3").touch()
    (service.program.parent / "python").symlink_to(hidden / "python3")
    with pytest.raises(TableError, match=r"hidden is closed to the user nobody"):
        install(service, DOCS, 1922)


def test_root_is_no_user_for_a_table(service: Service) -> None:
    with pytest.raises(TableError, match="unprivileged"):
        install(Service(service.program, user="root", units=service.units), DOCS, 1922)


def test_without_a_service_there_is_none_to_ask_about(service: Service) -> None:
    with pytest.raises(TableError, match="no service is installed"):
        status(service)


def test_without_systemd_it_is_refused(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(TableError, match="systemctl is not here"):
        install(service, DOCS, 1922)


def test_a_dry_run_only_prints(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    units = ["--units", str(service.units)]
    assert main(["service", "install", "--dry-run", *units, "--", "--lan"]) == 0
    out = capsys.readouterr().out
    assert "serve --data /var/lib/jetan --lan\n" in out
    assert out.endswith("systemctl restart jetan.service\n")
    assert list(service.units.iterdir()) == []


@pytest.mark.parametrize(("may", "code"), [("true", None), ("false", EXIT_SHUT_DOWN)])
def test_the_service_switches_off_what_its_user_may_not(
    service: Service, may: str, code: int | None
) -> None:
    (service.program.parent / "systemctl").write_text(f"#!/bin/sh\n{may}\n")
    if code is None:
        shut_down()
    else:
        with pytest.raises(SystemExit) as ended:
            shut_down()
        assert ended.value.code == code
    lines = unit_text(service, DOCS, []).splitlines()
    (last,) = (line for line in lines if line.startswith("ExecStopPost="))
    assert last.endswith(f"""'test "$$EXIT_STATUS" != {EXIT_SHUT_DOWN} || systemctl poweroff'""")


@pytest.mark.parametrize(("status", "is_off"), [(EXIT_SHUT_DOWN, True), (0, False), (1, False)])
def test_only_a_table_that_asked_for_it_switches_the_machine_off(
    service: Service, status: int, is_off: bool
) -> None:
    lines = unit_text(service, DOCS, []).splitlines()
    (line,) = (line for line in lines if line.startswith("ExecStopPost=+"))
    command = shlex.split(line.removeprefix("ExecStopPost=+").replace("$$", "$"))
    subprocess.run(command, check=False, env={**os.environ, "EXIT_STATUS": str(status)})
    called = service.units.parent / "calls"
    assert (called.exists() and "poweroff" in called.read_text()) == is_off


def rights() -> list[str]:
    """The lines of the unit that take rights away, by their names."""
    lines = unit_text(Service(Path("/opt/jetan/bin/jetan")), DOCS, GROUPS).splitlines()
    begins, ends = lines.index("NoNewPrivileges=yes"), lines.index("[Install]")
    return [
        name for line in lines[begins:ends] if (name := line.partition("=")[0]) and "#" not in name
    ]


def test_the_page_says_what_each_right_costs_that_is_taken_away() -> None:
    page = (ROOT / "docs" / "service.md").read_text().split("### What it may do")[1]
    rows = [row.split("|")[1] for row in page.splitlines() if row.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`([A-Za-z]+)[^`]*`", row)]
    assert sorted(named) == sorted(set(rights()))


def test_pins_serial_ports_and_cameras_are_still_reached() -> None:
    unit = unit_text(Service(Path("/opt/jetan/bin/jetan")), DOCS, GROUPS)
    assert "SupplementaryGroups=gpio spi dialout video\n" in unit
    barred = {"PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock", "PrivateUsers"}
    assert not barred & set(rights())


@pytest.mark.needs("systemd-analyze")
def test_systemd_finds_little_exposed(tmp_path: Path) -> None:
    unit = tmp_path / "jetan.service"
    unit.write_text(unit_text(Service(Path("/opt/jetan/bin/jetan")), DOCS, GROUPS))
    ask = ["systemd-analyze", "security", "--offline=yes", "--threshold=30", str(unit)]
    asked = subprocess.run(ask, check=False, capture_output=True, text=True)
    assert asked.returncode == 0, asked.stdout
