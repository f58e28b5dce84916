"""A Pico's drive is found where systems show it, and is gone when it has taken its image."""

import time
from pathlib import Path

import pytest

from firmware_bridge.build import GONE_S, find_drive, format_uf2, is_drive, write_to_drive
from firmware_bridge.errors import BridgeError
from tests.firmware_bridge.pico_drive import INFO, Pico

IMAGE = format_uf2(bytes(1000))


@pytest.mark.parametrize(
    "where", ["media/somebody/RPI-RP2", "run/media/somebody/RPI-RP2", "Volumes/RPI-RP2", "mnt"]
)
def test_a_drive_is_found_and_takes_an_image(tmp_path: Path, where: str) -> None:
    pico = Pico(tmp_path / where)
    found = find_drive(tmp_path)
    assert found == tmp_path / where
    write_to_drive(IMAGE, found, time.sleep)
    assert pico.taken() == IMAGE
    assert not is_drive(found)


def test_without_a_drive_the_button_is_named(tmp_path: Path) -> None:
    (tmp_path / "media" / "somebody" / "RPI-RP2").mkdir(parents=True)
    with pytest.raises(BridgeError, match=r"hold BOOTSEL .* found none"):
        find_drive(tmp_path)


def test_of_two_drives_none_is_guessed(tmp_path: Path) -> None:
    for name in ("one", "other"):
        folder = tmp_path / "media" / name / "RPI-RP2"
        folder.mkdir(parents=True)
        (folder / "INFO_UF2.TXT").write_text(INFO)
    with pytest.raises(BridgeError, match=r"one/RPI-RP2, .*other/RPI-RP2"):
        find_drive(tmp_path)


def test_a_drive_that_stays_did_not_take_the_image(tmp_path: Path) -> None:
    waits: list[float] = []
    (tmp_path / "INFO_UF2.TXT").write_text(INFO)
    with pytest.raises(BridgeError, match="did not take"):
        write_to_drive(IMAGE, tmp_path, waits.append)
    assert sum(waits) == pytest.approx(GONE_S)
