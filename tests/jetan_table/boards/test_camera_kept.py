"""What is kept of a camera, and when it is used."""

from pathlib import Path

import pytest

from jetan_table.boards.opening import CORNERS, LENS, BadKept, CameraKept
from jetan_table.settings import CameraSettings

SET = "1.0,9.0,9.0,9.0,9.0,1.0,1.0,1.0"


def test_corners_and_lens_are_there_at_the_next_start(tmp_path: Path) -> None:
    kept = CameraKept(tmp_path / "data")
    assert kept.added_to(CameraSettings("usb:0")) == CameraSettings("usb:0")
    kept.keep_corners("usb:0", SET)
    (tmp_path / "data" / LENS).touch()
    again = kept.added_to(CameraSettings("usb:0"))
    assert again == CameraSettings("usb:0", SET, lens=str(tmp_path / "data" / LENS))


def test_what_is_told_comes_first(tmp_path: Path) -> None:
    kept = CameraKept(tmp_path)
    kept.keep_corners("usb:0", SET)
    (tmp_path / LENS).touch()
    settings = CameraSettings("usb:0", "5,9,9,9,9,5,5,5", lens="wide.json")
    assert kept.added_to(settings) == settings


def test_corners_are_those_of_one_camera(tmp_path: Path) -> None:
    kept = CameraKept(tmp_path)
    kept.keep_corners("usb:0", SET)
    assert kept.added_to(CameraSettings("usb:1")).corners == ""


@pytest.mark.parametrize("source", ["", "pictures", "evening.mp4"])
def test_pictures_may_be_those_of_another_camera(source: str, tmp_path: Path) -> None:
    (tmp_path / LENS).touch()
    settings = CameraSettings(source)
    assert CameraKept(tmp_path).added_to(settings) == settings


@pytest.mark.parametrize("text", ["", "{", '{"source": 1}', '{"corners": "1,2"}'])
def test_corners_that_cannot_be_read_are_named(text: str, tmp_path: Path) -> None:
    (tmp_path / CORNERS).write_text(text)
    with pytest.raises(BadKept, match="delete it"):
        CameraKept(tmp_path).added_to(CameraSettings("usb:0"))
