"""An update with a way back: a real service of a real package, under a systemd of its own."""

import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Final

import pytest

from packages.release import OFFER, SUMS, digest, offer, sums
from tests.debian import debian, root_runs
from tests.file_server import serving_files
from tests.jetan_table.extras.hall.mosquitto import free_port
from tests.packages.booted import PATIENCE_S, Inside, booted
from tests.packages.laying import Packed, as_table
from tests.profiles import SHORT_GAME

DATA: Final = ("--data", "/var/lib/jetan")
WATCH: Final = ("--watch", "2")
BROKEN: Final = '\nraise RuntimeError("this version is broken")\n'

pytestmark = [
    pytest.mark.ci,
    pytest.mark.early,
    pytest.mark.needs("debian", "mmdebstrap", "unshare"),
]


def packed_again(laid: Path, version: str, to: Path, broken: str = "") -> Path:
    """Pack what `dpkg-deb -R` has laid out as another version, broken or whole."""
    table = laid / "opt/jetan/lib/python3/site-packages/jetan_table"
    (table / "__init__.py").write_text(f'"""Jetan."""\n__version__ = "{version}"\n')
    with (table / "wiring.py").open("a") as wiring:
        wiring.write(broken)
    control = laid / "DEBIAN" / "control"
    lines = control.read_text().splitlines()
    lines = [f"Version: {version}" if line.startswith("Version:") else line for line in lines]
    control.write_text("\n".join([*lines, ""]))
    *name, machine = to.stem.split("_")
    deb = to.with_name(f"{name[0]}_{version}_{machine}.deb")
    packing = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(laid), str(deb)]
    subprocess.run(packing, check=True, capture_output=True)
    return deb


def apt_source(deb: Path, to: Path) -> None:
    """Write a source of apt's that has one package."""
    to.mkdir()
    shutil.copyfile(deb, to / deb.name)
    control = subprocess.run(["dpkg-deb", "-f", deb], check=True, capture_output=True, text=True)
    sums = f"Filename: ./{deb.name}\nSize: {deb.stat().st_size}\nSHA256: {digest(deb)}\n"
    (to / "Packages").write_text(control.stdout + sums)


class Table:
    """The table in that Debian, as its owner sees it."""

    def __init__(self, inside: Inside, port: int) -> None:
        self.inside, self._port = inside, port

    def does(self, *words: str, code: int = 0) -> str:
        done = self.inside(*words)
        assert done.returncode == code, done.stdout
        return done.stdout

    def updates(self, *words: str, code: int = 0) -> str:
        """Ask for it as a careful root, whose new files nobody else may read."""
        command = ("sh", "-c", 'umask 077; exec jetan update "$@"', "sh", *WATCH, *words)
        return self.does(*command, code=code)

    def asked(self, path: str) -> Any:
        patience = time.monotonic() + PATIENCE_S
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self._port}{path}") as answer:
                    return json.load(answer)
            except urllib.error.URLError:
                if time.monotonic() > patience:
                    print(self.inside("journalctl", "--unit=jetan", "--lines=40").stdout)
                    raise
                time.sleep(0.2)

    def version(self) -> str:
        """The version that answers, which must be the one dpkg knows, and the journal whole."""
        health = self.asked("/health")
        assert health["troubles"] == []
        known = self.does(
            "dpkg-query", "--show", "--showformat=${Status} ${Version}", "jetan-table"
        )
        assert known == f"install ok installed {health['version']}"
        self.does(*as_table("jetan", "games", "check", *DATA))
        return str(health["version"])

    def kept(self) -> list[str]:
        names = self.does("sh", "-c", "cd /var/lib/jetan-packages; ls *.deb").split()
        return [name.split("_")[1] for name in names]

    def first_game(self) -> str:
        return self.does("jetan", "games", "show", "1", *DATA)


def test_an_update_and_its_way_back(packed: Packed, tmp_path: Path) -> None:
    root, offers, port = tmp_path / "debian", tmp_path / "offers", free_port()
    offers.mkdir()
    laid = tmp_path / "laid"
    subprocess.run(["dpkg-deb", "-R", packed.own, laid], check=True)
    shutil.rmtree(laid / "usr/share/doc/jetan-table/site")
    whole = packed_again(laid, "0.98", offers / packed.own.name)
    (offers / OFFER).write_text(offer(offers))
    broken = packed_again(laid, "0.99", offers / packed.own.name, BROKEN)
    (offers / SUMS).write_text(sums(offers))
    programs = "--include=passwd,systemd,systemd-sysv"
    with debian(root, "--variant=apt", programs), serving_files(offers) as address:
        (tmp_path / "table.toml").write_text(
            f'[web]\nport = {port}\n[update]\nsource = "{address}/{OFFER}"\n'
        )
        root_runs("mkdir", root / "etc/jetan")
        root_runs("cp", tmp_path / "table.toml", root / "etc/jetan/table.toml")
        root_runs("cp", packed.own, root / "first.deb")
        root_runs("cp", "-r", offers, root / "stick")
        apt_source(packed.own, tmp_path / "apt")
        root_runs("cp", "-r", tmp_path / "apt", root / "apt")
        with booted(root) as inside:
            table = Table(inside, port)
            life(table, f"/stick/{whole.name}", f"/stick/{broken.name}")
            assert table.does("dpkg-query", "--list", "jetan-table", code=1)


def life(table: Table, whole: str, broken: str) -> None:
    table.does("dpkg", "--install", "/first.deb")
    first = table.version()
    table.does("systemctl", "stop", "jetan")
    table.does(*as_table("jetan", "play", *DATA, *SHORT_GAME))
    game = table.first_game()
    table.does("systemctl", "start", "jetan")
    is_told(table, "version 0.98 is available: sudo jetan update")
    refuses_what_its_sum_does_not_say(table, whole)
    assert f"{first} could not be put back: apt does not have it" in table.updates(whole, code=2)
    table.does("sh", "-c", "echo 'deb [trusted=yes] file:/apt ./' >/etc/apt/sources.list")
    table.does("apt-get", "update")
    assert table.version() == first

    printed = asked_on_the_page(table)
    assert f"{first} is kept in" in printed
    assert "0.98 is installed" in printed
    assert (table.version(), table.kept()) == ("0.98", [first, "0.98"])
    table.does("test", "-s", printed.partition("games as they were are in ")[2].split()[0][:-1])
    assert "0.98 is the newest there is" in table.updates()

    printed = table.updates(broken, code=1)
    assert "0.99 does not come up: RuntimeError: this version is broken" in printed
    assert "0.98 is back, with all games" in printed
    assert (table.version(), table.kept()) == ("0.98", [first, "0.98"])
    assert table.first_game() == game

    assert f"{first} is installed" in table.updates("--back")
    assert table.version() == first
    assert table.first_game() == game
    table.does("dpkg", "--purge", "jetan-table")
    table.does("test", "!", "-e", "/var/lib/jetan-packages")
    table.does("test", "-s", "/var/lib/jetan/journal.sqlite")


def asked_on_the_page(table: Table) -> str:
    """Ask as the service does, for which root's own unit installs; return what that said."""
    table.does(*as_table("touch", "/run/jetan/update"))
    patience = time.monotonic() + 4 * PATIENCE_S  # it watches the new version for a minute
    while table.inside("systemctl", "is-active", "jetan-update").stdout != "inactive\n" or (
        "is installed" not in (log := table.inside("cat", "/run/jetan-update/log").stdout)
    ):
        if time.monotonic() > patience:
            print(table.inside("journalctl", "--unit=jetan-update", "--lines=40").stdout)
            raise AssertionError(log)
        time.sleep(0.5)
    table.does("test", "!", "-e", "/run/jetan/update")
    return log


def is_told(table: Table, news: str) -> None:
    """The doctor and the page say it."""
    found = map(json.loads, table.inside("jetan", "doctor", "--json", *DATA).stdout.splitlines())
    (update,) = (each for each in found if each["check"] == "update")
    assert (update["verdict"], f"{update['found']}: {update['mend']}") == ("warn", news)
    for _tenth in range(600):
        if news in table.asked("/api/sensors")["troubles"]:
            return
        time.sleep(0.1)
    raise AssertionError("the page does not say it")


def refuses_what_its_sum_does_not_say(table: Table, whole: str) -> None:
    spoilt = whole.replace("stick", "bad")
    table.does("sh", "-c", f"mkdir /bad; cp /stick/{SUMS} /bad; (cat {whole}; echo) >{spoilt}")
    printed = table.updates(spoilt, code=2)
    assert "is not what its sum says; nothing was changed" in printed
    table.does("rm", f"/bad/{SUMS}")
    assert f"nothing says what {spoilt} must be" in table.updates(spoilt, code=2)
    assert "put sudo before it" in table.does(*as_table("jetan", "update", whole), code=2)
