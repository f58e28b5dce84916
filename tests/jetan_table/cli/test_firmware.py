"""`jetan firmware`: what it builds, what it would flash, and what it refuses."""

from pathlib import Path

import pytest

from firmware_bridge.build import READY
from firmware_bridge.errors import BridgeError
from jetan_table.machine import flashing
from tests.firmware_bridge.pico_drive import Pico
from tests.jetan_table.cli.in_process import Jetan, run
from tests.needs import EMULATOR


@pytest.mark.needs(*EMULATOR)
@pytest.mark.parametrize("board", ["mega", "nano"])
def test_build_writes_an_image_and_tells_its_size(jetan: Jetan, board: str, tmp_path: Path) -> None:
    assert "bytes of flash" in jetan("firmware build --board", board, "--out", tmp_path)
    assert (tmp_path / "table.hex").read_text().startswith(":")


def test_a_dry_run_prints_the_line_and_does_nothing(
    jetan: Jetan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    printed = jetan("firmware flash --board nano --port /dev/x --dry-run")
    assert printed.startswith("avrdude -p atmega328p -c arduino -P /dev/x -b 115200")


def test_a_picos_dry_run_names_the_image_that_comes_with_the_program(
    jetan: Jetan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert jetan("firmware flash --board pico --dry-run") == f"cp {READY} DRIVE\n"


def test_a_picos_image_is_copied_to_its_drive(
    jetan: Jetan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    pico = Pico(tmp_path)
    flashed = jetan("firmware flash --board pico --port", tmp_path)
    assert pico.taken() == READY.read_bytes()
    assert "Raspberry Pi Pico: flashed" in flashed


def test_a_folder_that_is_no_drive_is_refused(tmp_path: Path) -> None:
    ended = run(tmp_path, "firmware", "flash", "--board", "pico", "--port", tmp_path)
    assert (ended.returncode, "not the drive of a Pico" in ended.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.needs("arm-gcc", "make")
def test_a_picos_other_images_are_built(jetan: Jetan, tmp_path: Path) -> None:
    assert "bytes of flash" in jetan("firmware build --board pico --no-diodes --out", tmp_path)
    image = (tmp_path / "table.uf2").read_bytes()
    assert image.startswith(b"UF2\n")
    assert image != READY.read_bytes()


def test_missing_tools_are_named_with_their_mend(
    jetan: Jetan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert (
        jetan("firmware build --out", tmp_path, code=2)
        == "jetan: make is missing: sudo apt-get install make\n"
    )


@pytest.mark.parametrize("ports", [[], ["/dev/a", "/dev/b"]])
def test_no_port_is_guessed(ports: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flashing, "candidates", lambda: ports)
    with pytest.raises(BridgeError, match="--port: found"):
        flashing.only_port()
