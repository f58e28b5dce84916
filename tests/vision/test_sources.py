"""Pictures, films, cameras and addresses as frames; whatever is wrong with them is said."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.sentences import _
from tests.vision.phone import Phone
from vision.arrays import Picture
from vision.errors import BadSource, NoCamera
from vision.live import HEIGHT, WIDTH, Clock, LiveSource, without_password
from vision.opening import open_source
from vision.sources import Frame, decoded


def clock() -> Clock:
    """A clock that goes on by a second whenever it is asked."""
    ticks = count()
    return lambda: float(next(ticks))


def picture(shade: int = 90) -> Picture:
    return np.full((240, 320, 3), shade, np.uint8)


def jpeg(shade: int = 90) -> bytes:
    data: bytes = cv2.imencode(".jpg", picture(shade))[1].tobytes()
    return data


def shade_of(frame: Frame) -> int:
    assert frame.picture is not None, frame.trouble
    return round(float(frame.picture.mean()))


def test_a_folder_is_read_in_order(tmp_path: Path) -> None:
    for number in (2, 10, 1):
        (tmp_path / f"{number:03}.jpg").write_bytes(jpeg(10 * number))
    (tmp_path / "notes.txt").write_text("no picture")
    with closing(open_source(str(tmp_path), clock())) as source:
        frames = list(source.frames())
    assert [frame.name for frame in frames] == ["001.jpg", "002.jpg", "010.jpg"]
    assert [shade_of(frame) for frame in frames] == [10, 20, 100]
    assert source.are_stills


def test_a_film_has_times(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (320, 240))
    for shade in (40, 80, 120):
        writer.write(picture(shade))
    writer.release()
    with closing(open_source(str(path), clock())) as source:
        frames = list(source.frames())
    assert [frame.at for frame in frames] == pytest.approx([0.0, 0.2, 0.4])
    assert [shade_of(frame) for frame in frames] == pytest.approx([40, 80, 120], abs=2)
    assert not source.are_stills


@pytest.mark.parametrize(
    ("data", "trouble"),
    [
        (b"", "empty"),
        (jpeg()[:-40], "cut short"),
        (b"\x00" * 3000, "no picture that can be read"),
        (b"\xff\xd8\xff" + b"\x00" * 300 + b"\xff\xd9", "no picture that can be read"),
        (cv2.imencode(".png", picture()[:50])[1].tobytes(), "too small (320 × 50)"),
    ],
)
def test_bad_data_is_named(data: bytes, trouble: str) -> None:
    frame = decoded("x.jpg", 0.0, data)
    assert frame.picture is None
    assert frame.trouble == trouble


def test_grey_pictures_have_three_channels() -> None:
    frame = decoded("x.png", 0.0, cv2.imencode(".png", picture()[:, :, 0])[1].tobytes())
    assert frame.picture is not None
    assert frame.picture.shape == (240, 320, 3)


@pytest.mark.parametrize("name", ["nowhere", "missing.mp4", "missing.jpg", "ftp://here/x"])
def test_what_is_no_source_is_refused(name: str) -> None:
    with pytest.raises(BadSource, match="no such"):
        open_source(name, clock())


def test_a_file_that_is_no_film_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"not a film at all")
    with pytest.raises(BadSource, match="no video that can be read"):
        open_source(str(path), clock())


def test_a_slow_taker_gets_the_newest() -> None:
    shown = threading.Event()

    def read(now: Clock) -> Iterator[Frame]:
        for number in range(50):
            yield Frame(f"#{number}", now(), picture(number))
        shown.set()
        threading.Event().wait(5)

    with closing(LiveSource(read, clock())) as source:
        assert shown.wait(5)
        assert next(source.frames()).name == "#49"


def test_a_lost_camera_is_said_and_tried_again() -> None:
    tries = count()

    def read(now: Clock) -> Iterator[Frame]:
        if next(tries) == 0:
            raise NoCamera(_("usb:0: unplugged"))
        yield Frame("#0", now(), picture())
        threading.Event().wait(5)

    with closing(LiveSource(read, clock())) as source:
        frames = source.frames()
        first, second = next(frames), next(frames)
    assert first.trouble == "usb:0: unplugged"
    assert second.name == "#0"


def test_a_phone_is_read_over_http() -> None:
    with Phone(jpeg(100)) as phone, closing(open_source(phone.address, clock())) as source:
        frames = [next(source.frames()) for _ in range(2)]
    assert any(frame.picture is not None for frame in frames)


def test_a_password_is_not_shown() -> None:
    assert without_password("rtsp://me:secret@cam/live") == "rtsp://cam/live"


RPICAM = f"""#!/usr/bin/env python3
import sys
size = {WIDTH * HEIGHT}
assert sys.argv[sys.argv.index("--codec") + 1] == "yuv420"
for shade in (60, 120):
    sys.stdout.buffer.write(bytes([shade]) * size + bytes([128]) * (size // 2))
"""


def test_a_ribbon_camera_is_read_through_the_systems_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "rpicam-vid"
    program.write_text(RPICAM)
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with closing(open_source("rpicam:0", clock())) as source:
        frames = [next(source.frames()) for _ in range(2)]
    assert any(frame.picture is not None and shade_of(frame) in {51, 52, 121} for frame in frames)


def test_a_missing_program_is_named_with_its_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with closing(open_source("rpicam:0", clock())) as source:
        assert "sudo apt-get install rpicam-apps" in next(source.frames()).trouble
