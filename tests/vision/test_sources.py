"""Pictures, films, cameras and addresses as frames; whatever is wrong with them is said."""

import os
import stat
import struct
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from rules import _
from tests.vision.phone import OddPhone, Phone
from vision.errors import BadHint, NoCamera
from vision.geometry import Picture
from vision.sources import (
    CHUNK,
    HEIGHT,
    TOO_LARGE,
    WIDTH,
    Clock,
    Frame,
    LiveSource,
    address_frames,
    decoded,
    jpegs_in,
    open_source,
    without_password,
)


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


def encoded(suffix: str, *how: int) -> bytes:
    shown = picture()
    shown[:99] //= 3
    data: bytes = cv2.imencode(suffix, shown, how)[1].tobytes()
    return data


def with_checksum(png: bytes) -> bytes:
    """A PNG whose header's checksum is right again."""
    return png[:29] + struct.pack(">I", zlib.crc32(png[12:29])) + png[33:]


WIDE_TAG = struct.pack("<HHIHH", 256, 3, 1, 320, 0)
HIGH_TAG = struct.pack("<HHIHH", 257, 3, 1, 240, 0)
LARGE_TAGS = struct.pack("<HHII", 256, 4, 1, 90_000) + struct.pack("<HHIHH", 257, 3, 1, 20_000, 0)
# Each kind of picture, where its header tells 320 by 240, and what tells that it is much larger.
HEADERS = {
    "a.jpg": (jpeg(), struct.pack(">HH", 240, 320), struct.pack(">HH", 20_000, 20_000)),
    "progressive.jpg": (
        encoded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
        struct.pack(">HH", 240, 320),
        struct.pack(">HH", 20_000, 20_000),
    ),
    "a.png": (encoded(".png"), struct.pack(">II", 320, 240), struct.pack(">II", 90_000, 20_000)),
    "a.bmp": (encoded(".bmp"), struct.pack("<ii", 320, 240), struct.pack("<ii", 90_000, -20_000)),
    "a.webp": (
        encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 80),
        struct.pack("<HH", 320, 240),
        struct.pack("<HH", 16_000, 16_000),
    ),
    "lossless.webp": (
        encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 101),
        struct.pack("<I", 319 | 239 << 14),
        struct.pack("<I", 15_999 | 15_999 << 14),
    ),
    "a.tif": (encoded(".tif"), WIDE_TAG + HIGH_TAG, LARGE_TAGS),
}

WATCH = """
import sys
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from vision.sources import pictures_in
before = getrusage(RUSAGE_SELF).ru_maxrss
print(*(frame.trouble for frame in pictures_in(Path(sys.argv[1])).frames()), sep="\\n")
assert getrusage(RUSAGE_SELF).ru_maxrss < before + 20_000
"""


def test_pictures_that_are_too_large_are_not_decoded(tmp_path: Path) -> None:
    """By a process of its own: OpenCV takes the limit in when it is loaded."""
    for name, (data, size, larger) in HEADERS.items():
        assert decoded(name, 0.0, data).picture is not None
        large = data.replace(size, larger, 1)
        (tmp_path / name).write_bytes(with_checksum(large) if name == "a.png" else large)
    done = subprocess.run(
        [sys.executable, "-c", WATCH, str(tmp_path)], check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [TOO_LARGE] * len(HEADERS)


def test_a_film_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (320, 240))
    writer.write(picture())
    writer.release()
    monkeypatch.setattr("vision.sources.MOST_PIXELS", 320 * 240 - 1)
    with pytest.raises(BadHint, match=r"film\.avi: too large"):
        open_source(str(path), clock())
    with pytest.raises(NoCamera, match="too large"):
        next(address_frames(str(path), clock()))


def test_grey_pictures_have_three_channels() -> None:
    frame = decoded("x.png", 0.0, cv2.imencode(".png", picture()[:, :, 0])[1].tobytes())
    assert frame.picture is not None
    assert frame.picture.shape == (240, 320, 3)


@pytest.mark.parametrize("name", ["nowhere", "missing.mp4", "missing.jpg", "ftp://here/x"])
def test_what_is_no_source_is_refused(name: str) -> None:
    with pytest.raises(BadHint, match="no such"):
        open_source(name, clock())


def test_a_file_that_is_no_film_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"not a film at all")
    with pytest.raises(BadHint, match="no video that can be read"):
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


@pytest.mark.parametrize("secret", ["me:1234", "a:b"])
def test_a_camera_that_wants_a_password_has_it_from_its_address(secret: str) -> None:
    with Phone(jpeg(), "me:1234") as phone:
        address = phone.address.replace("//", f"//{secret}@")
        with closing(open_source(address, clock())) as source:
            frame = next(source.frames())
    wanted = f"{phone.address}: wants a user and a password, as in http://USER:PASSWORD@"
    if secret == "me:1234":
        assert frame.picture is not None
    else:
        assert str(frame.trouble).startswith(wanted)


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
ODD = {
    "nothing": b"",
    "no HTTP": b"it works\r\n\r\n",
    "a bad status": b"HTTP/1.1 many OK\r\n\r\n",
    "a long status": b"HTTP/1.1 200 " + b"o" * 70_000 + b"\r\n\r\n",
    "a long header": OK + b"X: " + b"x" * 70_000 + b"\r\n\r\n",
    "many headers": OK + b"X: x\r\n" * 150 + b"\r\n",
    "cut in a chunk": CHUNKED + b"400\r\n--frame",
    "a chunk without size": CHUNKED + b"large\r\n--frame",
    "sent to a port of letters": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:abc/\r\n\r\n",
    "sent to no address": b"HTTP/1.1 302 Found\r\nLocation: http://[/\r\n\r\n",
    "not found": b"HTTP/1.1 404 Not Found\r\n\r\n",
    "a length of letters": OK + b"Content-Length: long\r\n\r\nhello",
}


@pytest.mark.parametrize("answer", ODD.values(), ids=ODD)
def test_a_camera_is_tried_again_whatever_it_answered(
    answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.sources.FIRST_WAIT_S", 0.02)
    with OddPhone(answer, answer, OK + b"\r\n" + jpeg()) as phone:
        with pytest.raises(NoCamera, match=phone.address):
            list(address_frames(phone.address, clock()))
        with closing(open_source(phone.address, clock())) as source:
            frames = list(islice(source.frames(), 2))
    assert any(frame.picture is not None for frame in frames), frames


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (OK + b"\r\n<html><img src=video></html>", "sends no motion JPEG; phones mostly do at"),
        (ODD["not found"], "no such page (404); phones mostly show their pictures at"),
    ],
)
def test_an_address_without_a_stream_is_said_and_where_phones_have_theirs(
    answer: bytes, why: str
) -> None:
    with OddPhone(answer) as phone, closing(open_source(phone.address, clock())) as source:
        assert next(source.frames()).trouble == f"{phone.address}: {why} /video"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50, 10_000])
def test_a_stream_is_split_at_its_marks_however_it_comes(size: int) -> None:
    pictures = [jpeg(10), jpeg(20), jpeg(30)]
    stream = b"--frame\r\n\r\n\xff".join([b"", *pictures, b"\xff\xd8\xff begun"])
    chunks = (stream[at : at + size] for at in range(0, len(stream), size))
    assert list(jpegs_in(chunks)) == pictures


@pytest.mark.parametrize("mark", [b"", b"\xff\xd8\xff"])
def test_a_stream_without_end_is_searched_once(
    mark: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = 0

    class Counting(bytearray):
        def find(self, *wanted: Any) -> int:
            nonlocal searched
            searched += len(self) - wanted[1]
            return super().find(*wanted)

    monkeypatch.setattr("vision.sources.bytearray", Counting, raising=False)
    size = 4 << 20
    assert not list(jpegs_in([mark, *[bytes(CHUNK)] * (size // CHUNK)]))
    assert size <= searched < 1.01 * size


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
