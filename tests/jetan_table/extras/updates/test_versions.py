"""Newer packages: where they are looked for, what is believed, and how people are told."""

import json
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from jetan_table.extras.updates import versions
from jetan_table.extras.updates.versions import (
    SUMS,
    InstalledPackage,
    OfferedPackage,
    UpdateRefused,
    UpdateWatch,
    fetch,
    is_newer,
    is_safe,
    keep_installed,
    listed_sum,
    newest,
    sum_of,
    update_finding,
)
from jetan_table.game.record import Record
from jetan_table.languages import translation
from jetan_table.session.session import Session
from rules import _, value_in_words
from tests.file_server import QuietFiles, serving_files
from tests.jetan_table.hands import header
from tests.packages.laying import two_packages

DEEP = '{"more": ' + "[" * 5000
"""Nobody reads JSON that is nested so deeply."""
VIEW = replace(Session(Record.begin(header())).view, guest_notes=())


class Answers(QuietFiles):
    """Serves a folder's files, sends whoever asks for `away` elsewhere, and says nothing of it."""

    def do_GET(self) -> None:  # noqa: N802
        if self.path != "/away":
            return super().do_GET()
        self.send_response(302)
        self.send_header("Location", "http://192.0.2.1/jetan-table.json")
        self.end_headers()
        return None


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a release in the test's folder is served."""
    with serving_files(tmp_path, Answers) as served:
        yield served


def test_a_version_is_newer_by_its_numbers() -> None:
    assert is_newer("0.10", "0.9.9")
    assert is_newer("1", "0.9")
    assert not is_newer("1.0.0", "1")
    assert not is_newer("0.1.0", "0.1.0")
    assert not is_newer("nightly", "0.1.0")


def test_the_newest_package_of_this_kind_of_machine_is_found_in_a_folder(tmp_path: Path) -> None:
    two_packages(tmp_path, "0.9")
    two_packages(tmp_path, "0.10")
    (tmp_path / "jetan-table_0.11_amd64.deb.part").touch()
    package = tmp_path / "jetan-table_0.10_arm64.deb"
    assert newest(str(tmp_path), "arm64") == OfferedPackage("0.10", str(package), None)
    (tmp_path / SUMS).write_text(f"{'0' * 64}  other\n{sum_of(package)} *{package.name}\n")
    assert newest(str(tmp_path), "arm64") == OfferedPackage("0.10", str(package), sum_of(package))
    assert newest(str(tmp_path), "riscv64") is None


def test_a_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(UpdateRefused, match="/nowhere/at/all: cannot be read"):
        newest("/nowhere/at/all")


def test_an_address_offers_what_a_release_has_written(tmp_path: Path, address: str) -> None:
    two_packages(tmp_path, "0.2.0")
    package = tmp_path / "jetan-table_0.2.0_arm64.deb"
    offered = newest(f"{address}/jetan-table.json", "arm64")
    place = f"{address}/{package.name}"
    assert offered == OfferedPackage("0.2.0", place, sum_of(package))
    assert fetch(place, 1000) == package.read_bytes()
    assert newest(f"{address}/jetan-table.json", "riscv64") is None


@pytest.mark.parametrize(
    "text",
    ["<html>", "[]", json.dumps({"version": "new", "packages": {}}), '{"version": "1"}', DEEP, ""],
)
def test_any_other_answer_is_refused(tmp_path: Path, address: str, text: str) -> None:
    (tmp_path / "jetan-table.json").write_text(text)
    with pytest.raises(UpdateRefused, match="answers with no list of packages"):
        newest(f"{address}/jetan-table.json")


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("http://[", "Invalid IPv6 URL"),
        ("a\0b", "is not named jetan-table_VERSION_amd64.deb"),
        ("", "is not named"),
        ("jetan-table_0.1.0_amd64.deb", "is not named"),
        ("jetan-table_9.0_arm64.deb", "is not named"),
    ],
)
def test_an_offer_is_of_the_version_and_machine_that_its_file_is_named_for(
    tmp_path: Path, address: str, file: str, why: str
) -> None:
    package = {"file": file, "sha256": "0" * 64}
    answer = {"version": "9.0", "packages": {"amd64": package}}
    (tmp_path / "jetan-table.json").write_text(json.dumps(answer))
    with pytest.raises(UpdateRefused, match=re.escape(why)):
        newest(f"{address}/jetan-table.json", "amd64")


def test_an_address_is_asked_only_where_nobody_between_can_change_its_answer(address: str) -> None:
    assert is_safe("https://example.org/jetan-table.json")
    assert is_safe("http://localhost:8000/jetan-table.json")
    for unsafe in ("http://example.org/x", "ftp://example.org/x", "file:///etc/passwd"):
        with pytest.raises(UpdateRefused, match="begin it with https://"):
            newest(unsafe)
    with pytest.raises(UpdateRefused, match=r"http://\[: cannot be read \(Invalid IPv6 URL"):
        newest("http://[")
    with pytest.raises(
        UpdateRefused, match=r"192\.0\.2\.1/jetan-table\.json: begin it with https://"
    ):
        newest(f"{address}/away")


def test_an_answer_without_end_is_cut_short(tmp_path: Path, address: str) -> None:
    (tmp_path / "long").write_bytes(b"0" * 1001)
    with pytest.raises(UpdateRefused, match="answers with too much"):
        fetch(f"{address}/long", 1000)
    with pytest.raises(UpdateRefused, match="cannot be read"):
        fetch(f"{address}/nowhere", 1000)


def packed(folder: Path, version: str) -> Path:
    """Pack nothing as a package of a version, whose description speaks of another."""
    control = folder / "laid" / "DEBIAN" / "control"
    control.parent.mkdir(parents=True)
    control.write_text(
        f"Package: jetan-table\nVersion: {version}\nArchitecture: amd64\n"
        "Maintainer: nobody\nDescription: a table\n Version: 9.9.9\n"
    )
    package = folder / f"jetan-table_{version}_amd64.deb"
    subprocess.run(["dpkg-deb", "--build", folder / "laid", package], check=True)
    return package


@pytest.mark.needs("debian")
def test_a_package_is_taken_by_the_name_of_what_is_in_it_alone(tmp_path: Path) -> None:
    package, kept = packed(tmp_path, "0.0.1"), tmp_path / "kept"
    kept.mkdir()
    found = versions.keep(package, sum_of(package), "amd64", kept)
    assert found == ("0.0.1", kept / package.name)
    renamed = package.rename(tmp_path / "jetan-table_9.9.9_amd64.deb")
    (kept / package.name).unlink()
    with pytest.raises(UpdateRefused, match=r"9_amd64\.deb: is jetan-table_0\.0\.1_amd64"):
        versions.keep(renamed, sum_of(renamed), "amd64", kept)
    assert not list(kept.iterdir())


NOW = InstalledPackage("0.0.1", "amd64", is_whole=True)


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for kept packages, on a machine whose apt has none of ours."""
    monkeypatch.setattr(versions, "APT_CACHE", tmp_path / "cache")
    (tmp_path / "kept").mkdir()
    (tmp_path / "cache").mkdir()
    return tmp_path / "kept"


@pytest.mark.needs("debian")
@pytest.mark.parametrize("place", ["cache", "beside", "kept"])
def test_the_old_package_is_kept_from_where_it_is(tmp_path: Path, apart: Path, place: str) -> None:
    package, beside = packed(tmp_path, "0.0.1"), tmp_path / "beside"
    beside.mkdir()
    listed = f"{sum_of(package)}  {package.name}\n"
    moved = package.rename(tmp_path / place / package.name)
    (beside / SUMS).write_text(listed)
    assert keep_installed(NOW, beside, apart) == apart / package.name
    assert (apart / package.name).is_file()
    assert moved.is_file()


@pytest.mark.needs("debian")
def test_an_old_package_that_is_nowhere_is_said_before_anything_changes(
    tmp_path: Path, apart: Path
) -> None:
    with pytest.raises(
        UpdateRefused, match=r"0\.0\.1 could not be put back: .* Nothing was changed"
    ):
        keep_installed(NOW, tmp_path, apart)
    assert not list(apart.iterdir())


class Signer:
    """Somebody with a key, and the keyring that knows it."""

    def __init__(self, home: Path, name: str) -> None:
        self.home, self.keyring = home / name, home / f"{name}.gpg"
        self.home.mkdir(mode=0o700)
        self.gpg("--passphrase", "", "--quick-generate-key", f"{name}@example.org", "ed25519")
        self.keyring.write_bytes(self.gpg("--export"))

    def gpg(self, *words: str) -> bytes:
        command = ["gpg", "--homedir", str(self.home), "--batch", "--pinentry-mode", "loopback"]
        return subprocess.run([*command, *words], check=True, capture_output=True).stdout

    def sign(self, file: Path) -> None:
        self.gpg("--yes", "--armor", "--detach-sign", str(file))

    def close(self) -> None:
        command = ["gpgconf", "--homedir", str(self.home), "--kill", "all"]
        subprocess.run(command, check=True)


@pytest.mark.needs("gpg", "gpgv")
def test_only_a_signed_list_of_sums_is_believed_where_there_is_a_keyring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, sums = tmp_path / "jetan-table_0.2.0_amd64.deb", tmp_path / SUMS
    package.touch()
    sums.write_text(f"{sum_of(package)}  {package.name}\n")
    with closing(Signer(tmp_path, "owner")) as owner, closing(Signer(tmp_path, "other")) as other:
        keyring = str(owner.keyring)
        with pytest.raises(UpdateRefused, match="no signature of SHA256SUMS"):
            listed_sum(package, keyring)
        other.sign(sums)
        with pytest.raises(UpdateRefused, match=r"owner\.gpg; nothing was changed \(gpgv: "):
            listed_sum(package, keyring)
        owner.sign(sums)
        assert listed_sum(package, keyring) == sum_of(package)
        sums.write_text(f"{'0' * 64}  {package.name}\n")
        with pytest.raises(UpdateRefused, match="no signature"):
            listed_sum(package, keyring)
        monkeypatch.setattr("shutil.which", lambda program: None)
        with pytest.raises(UpdateRefused, match="no gpgv and no sqv"):
            listed_sum(package, keyring)


def test_the_doctor_says_what_can_be_had(tmp_path: Path) -> None:
    assert update_finding("", "0.1.0").verdict == "pass"
    assert update_finding(str(tmp_path), "0.1.0").verdict == "pass"
    assert update_finding(str(tmp_path / "gone"), "0.1.0").verdict == "warn"


def test_news_is_a_note_on_the_table_until_it_is_none(tmp_path: Path) -> None:
    found = [OfferedPackage("0.2.0", "/media/usb/x.deb", None), None]
    waiting, going_on = threading.Semaphore(0), threading.Semaphore(0)

    def look(source: str) -> OfferedPackage | None:
        assert source == "/media/usb"
        if not found:
            raise UpdateRefused(_("another update is under way: wait for it"))
        return found.pop(0)

    def wait(_seconds: float) -> bool:
        waiting.release()
        going_on.acquire()
        return False

    watch = UpdateWatch("/media/usb", "0.1.0", look, wait)
    waiting.acquire()
    (notice,) = watch.overlay(VIEW).notices
    assert notice.id == "update-0.2.0"
    assert notice.line == "version 0.2.0 is available: sudo jetan update"
    going_on.release()
    waiting.acquire()
    assert watch.overlay(VIEW) is VIEW
    going_on.release()
    waiting.acquire()  # it has not ended by what it could not read
    german = value_in_words(translation("de"), notice.line)
    assert german == "Version 0.2.0 ist da: sudo jetan update"
