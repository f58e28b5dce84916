"""The packages: laid into a clean Debian 13, played, renewed, put back and taken away."""

import json
import os
import shutil
import signal
import subprocess
import time
import urllib.request
import venv
from contextlib import suppress
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from jetan_table.machine.service import GROUPS, Service, unit_text
from tests.debian import debian, rights, root_runs
from tests.jetan_table.extras.hall.mosquitto import free_port
from tests.packages.laying import Packed, as_table, entered, games, inside
from tests.profiles import SHORT_GAME

ROOT: Final = Path(__file__).parents[2]
DEB: Final = ROOT / "packages" / "deb"

pytestmark = [pytest.mark.ci, pytest.mark.early, pytest.mark.needs("debian", "mmdebstrap")]


def newer(deb: Path, to: Path) -> None:
    """Pack `deb` again as a later version."""
    laid = to.with_suffix("")
    subprocess.run(["dpkg-deb", "-R", deb, laid], check=True)
    control = laid / "DEBIAN" / "control"
    control.write_text(control.read_text().replace("\nVersion: ", "\nVersion: 1:"))
    packing = ["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", str(laid), str(to)]
    subprocess.run(packing, check=True, capture_output=True)


def test_the_unit_is_the_one_of_the_service() -> None:
    docs = Path("/usr/share/doc/jetan-table/docs/service.md")
    made = unit_text(Service(Path("/opt/jetan/bin/jetan")), docs, GROUPS)
    assert (DEB / "jetan.service").read_text().splitlines()[1:] == made.splitlines()[1:]


def serves(root: Path, *by: str) -> None:
    """Start what the unit starts, ask it whether it is well, and stop it as the unit does.

    It is run `by` a program and Python's, where the machine cannot run it.
    """
    unit = (DEB / "jetan.service").read_text().splitlines()
    (start,) = (line.removeprefix("ExecStart=") for line in unit if line.startswith("ExecStart="))
    port = free_port()
    words = [*by, *start.split(), "--port", str(port)]
    command = [*rights(), *entered(root), *(words if by else as_table(*words))]
    process = subprocess.Popen(command, start_new_session=True)
    try:
        answer = ""
        for _attempt in range(900):
            assert process.poll() is None, "the service's process has ended"
            with suppress(OSError):  # not there yet, or ill: 503
                health = f"http://127.0.0.1:{port}/health"
                with urllib.request.urlopen(health, timeout=20) as page:
                    answer = page.read().decode()
                break
            time.sleep(0.2)
        assert '"troubles":[]' in answer
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
    finally:  # what it runs by is ended with it: nothing may go on, or be waited for
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.needs("systemd-analyze")
def test_systemd_finds_nothing_wrong_with_the_units(packed: Packed, tmp_path: Path) -> None:
    """They name the program as it is laid in; here that lies elsewhere."""
    subprocess.run(["dpkg-deb", "-x", str(packed.own), str(tmp_path)], check=True)
    units = sorted((tmp_path / "usr/lib/systemd/system").iterdir())
    assert len(units) == 3
    for unit in units:
        unit.write_text(unit.read_text().replace("=/opt/", f"={tmp_path}/opt/"))
    verify = ["systemd-analyze", "verify", "--man=no", *map(str, units)]
    done = subprocess.run(verify, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_a_package_carries_the_libraries_of_its_own_machine_alone(packed: Packed) -> None:
    command = ["dpkg-deb", "-c", str(packed.other)]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    machines = {word for word in ("aarch64", "x86_64") if f"{word}-linux-gnu.so" in listing}
    assert machines == {"aarch64" if packed.other.stem.endswith("arm64") else "x86_64"}


def test_life_of_a_package(packed: Packed, tmp_path: Path) -> None:
    root = tmp_path / "debian"
    with debian(root, "--variant=minbase"):
        life(root, packed.own, tmp_path / "next.deb")
    assert not root.exists()


@pytest.mark.needs("qemu-user")
def test_the_package_for_arm_runs_on_an_emulated_processor(packed: Packed, tmp_path: Path) -> None:
    """Nothing of it is configured: the kernel here cannot start its programs, only QEMU can."""
    arm = next(deb for deb in (packed.own, packed.other) if deb.stem.endswith("arm64"))
    root, emulator = tmp_path / "debian", shutil.which("qemu-aarch64-static")
    assert emulator is not None
    merged = "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr"
    with debian(root, "--variant=extract", "--architectures=arm64", merged):
        root_runs("dpkg-deb", "-x", arm, root)
        root_runs("cp", emulator, root / "qemu")
        by = ("/qemu", "/opt/jetan/bin/python")
        asked = "import platform, sys; print(platform.machine(), sys.prefix)"
        assert inside(root, *by, "-c", asked).split() == ["aarch64", "/opt/jetan"]
        explained = inside(root, *by, "/opt/jetan/bin/jetan", "explain", "e1", "e4")
        assert "every way to e4 is blocked" in explained
        serves(root, *by)


def life(root: Path, deb: Path, later: Path) -> None:
    newer(deb, later)
    for path, name in ((deb, "first.deb"), (later, "next.deb")):
        root_runs("cp", path, root / name)
    inside(root, "dpkg", "-i", "/first.deb")
    laid_in = inside(root, "sh", "-c", "ls -d /opt/jetan/lib/python3/site-packages/*.dist-info")
    bill = json.loads(inside(root, "cat", "/usr/share/doc/jetan-table/jetan-table.cdx.json"))
    for each in bill["components"]:
        assert f"/{each['name'].replace('-', '_')}-{each['version']}.dist-info" in laid_in
    assert len(laid_in.split()) == len(bill["components"]) + 1
    kilobytes = int(root_runs("du", "-sk", root / "opt" / "jetan").split()[0])
    assert kilobytes < 35_000
    site = inside(root, "jetan", "docs", "--no-browser").split("file://")[1].strip()
    inside(root, "grep", "-q", "Jetan", site)
    inside(root, *as_table("jetan", "play", "--data", "/var/lib/jetan", *SHORT_GAME))
    inside(root, "sh", "-c", "mkdir /etc/jetan; echo '[table]' >/etc/jetan/table.toml")
    played = games(root)
    assert len(played) == 1
    serves(root)
    follows_no_link(root)

    renewed = inside(root, "dpkg", "-i", "/next.deb")
    kept = renewed.partition("the games as they were are in ")[2].split()[0]
    inside(root, *as_table("jetan", "games", "check", "--data", "/var/lib/jetan"))
    restored = ("jetan", "games", "restore", "--data", "/var/lib/jetan/again", kept)
    inside(root, *as_table(*restored))
    assert games(root, "/var/lib/jetan/again")[:1] == played
    assert games(root)[:1] == played

    inside(root, "dpkg", "-i", "/first.deb")
    assert games(root)[:1] == played
    serves(root)

    inside(root, "dpkg", "-r", "jetan-table")
    inside(root, "test", "-f", "/etc/jetan/table.toml")
    assert not (root / "opt" / "jetan").exists()
    inside(root, "dpkg", "--purge", "jetan-table")
    inside(root, "test", "-s", "/var/lib/jetan/journal.sqlite")


def follows_no_link(root: Path) -> None:
    """What a service that was taken over plants in its folder is no way into root's."""
    data, backups = "/var/lib/jetan", "/var/lib/jetan/backups"
    inside(root, "sh", "-c", "mkdir /etc/roots; echo whole >/etc/roots/file")
    inside(root, *as_table("ln", "-s", "/etc/roots", backups))
    refused = inside(root, "sh", "-c", "! dpkg -i /next.deb")
    assert f"the games cannot be kept in {backups}" in refused

    inside(root, *as_table("rm", backups))
    inside(root, *as_table("mkdir", backups))
    (version,) = inside(root, "dpkg-query", "-f", "${Version}", "-W", "jetan-table").split()
    minutes = f"""
        for second in $(seq 0 600); do
            at=$(date -d "+$second sec" +%Y%m%d-%H%M%S)
            ln -s /etc/roots/file {backups}/before-$at-{version}.sqlite
        done
        mv {data}/journal.sqlite {data}/good; echo damaged >{data}/journal.sqlite
    """
    inside(root, *as_table("sh", "-c", minutes))
    refused = inside(root, "sh", "-c", "! dpkg -i /next.deb")
    assert f"the games cannot be kept in {backups}" in refused

    inside(root, *as_table("rm", "-r", backups))
    inside(root, *as_table("mv", f"{data}/good", f"{data}/journal.sqlite"))
    assert inside(root, "sh", "-c", "stat -c '%U %n' /etc/roots; cat /etc/roots/*").split() == [
        "root",
        "/etc/roots",
        "whole",
    ]


def test_the_wheel_says_which_packages_are_typed(packed: Packed) -> None:
    with ZipFile(packed.wheel) as wheel:
        marked = {name.partition("/")[0] for name in wheel.namelist() if name.endswith("/py.typed")}
    assert marked == {"rules", "hardware", "jetan_table"}


def test_the_wheel_plays_in_an_environment_of_its_own(packed: Packed, tmp_path: Path) -> None:
    """As pipx lays it in, which itself is an environment and this pip."""
    home = tmp_path / "home"
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    wanted = "-".join(packed.wheel.name.split("-")[:2]) + ".txt"
    install = [str(python), "-m", "pip", "-q", "install", "--require-hashes", "-r", wanted]
    subprocess.run(install, check=True, cwd=packed.wheel.parent)
    jetan = str(home / "bin" / "jetan")
    docs = [jetan, "docs", "--no-browser"]
    named = subprocess.run(docs, check=True, capture_output=True, text=True).stdout
    assert Path(named.split("file://")[1].strip()).is_file()
    play = [jetan, "play", "--data", str(tmp_path / "data"), *SHORT_GAME]
    done = subprocess.run(play, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "read as they were played" in done.stdout + done.stderr
