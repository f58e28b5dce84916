"""Small files of the data folder that are damaged: said at the start, and nothing is lost by it."""

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from jetan_table.boards.opening import CORNERS, with_kept
from jetan_table.errors import TableError
from jetan_table.extras.commissioning.setup import SetUp
from jetan_table.extras.hall.far_match import read_state
from jetan_table.extras.hall.tournament import read_tournament
from jetan_table.extras.lessons.exercise import Progress, read_progress
from jetan_table.light.lamps import LampChoice, kept_choice
from jetan_table.settings import CameraSettings
from jetan_table.wiring import (
    ARBITER_PIN,
    TABLE_PIN,
    BadPin,
    kept_pin,
    set_damaged_files_aside,
    small_files,
)
from tests.jetan_table.cli.in_process import run
from vision.errors import VisionError
from vision.geometry import read_lens
from vision.markers import read_markers

DEEP = b'{"a":' * 100_000
ODD = b'{"solved":[1e999],"kind":1}'
KEPT = tuple(small_files())
DAMAGED = (b"", b"\xb1\xff", b"{", b"[]", b"null", DEEP, b"1" * 5000, ODD, b"\0" * 99)
READERS: dict[str, Any] = {
    "tournament": read_tournament,
    "far": read_state,
    "lens": read_lens,
    "markers": read_markers,
}


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
@pytest.mark.parametrize("name", KEPT)
def test_what_is_damaged_is_kept_under_another_name(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    (sentence,) = set_damaged_files_aside(tmp_path)
    aside = tmp_path / f"{Path(name).stem}.damaged-1.json"
    assert sentence.startswith(f"{tmp_path / name}: is damaged (")
    assert sentence.endswith(f"it is kept as {aside}, and begun anew")
    assert len(sentence) < 500
    assert aside.read_bytes() == content
    assert list(set_damaged_files_aside(tmp_path)) == []
    assert read_progress(tmp_path, name) == Progress()
    assert kept_choice(tmp_path, LampChoice()) == LampChoice()


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
def test_whoever_reads_first_is_not_thrown_by_it(tmp_path: Path, content: bytes) -> None:
    for name in (*KEPT, CORNERS):
        (tmp_path / name).write_bytes(content)
        assert read_progress(tmp_path, name) == Progress()
    assert kept_choice(tmp_path, LampChoice()) == LampChoice()
    with pytest.raises(TableError, match=r"corners\.json: is damaged .*: delete it, and set"):
        with_kept(CameraSettings(source="usb:0"), tmp_path)
    set_up: Any = SetUp(tmp_path, tmp_path / "table.toml", None)  # type: ignore[arg-type]
    assert set_up.is_begun
    for name, read in READERS.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises((TableError, VisionError)) as refused:
            read(tmp_path / name)
        assert str(tmp_path / name) in str(refused.value)


@pytest.mark.parametrize("name", [TABLE_PIN, ARBITER_PIN])
def test_one_flipped_bit_leaves_a_pin_or_says_that_there_is_none(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    pin = kept_pin(tmp_path, name)
    whole = path.read_bytes()
    for place in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        with suppress(BadPin):
            assert len(kept_pin(tmp_path, name)) == len(pin)
        assert path.read_bytes() == flipped, "only its owner has another one made"


@pytest.mark.parts
@pytest.mark.promises("the file `arbiter` is damaged or empty", "plain lines")
@pytest.mark.promises(
    "what was learned, the look of the lamps, or an unfinished set-up is damaged", "plain lines"
)
@pytest.mark.parametrize(
    "content", [b"", b"\n", b"\xb1" + b"2" * 5, b"12345q\n", b"1" * 999, b"1 2 3 4"]
)
def test_a_table_whose_pins_are_damaged_plays(tmp_path: Path, content: bytes) -> None:
    data = tmp_path / "games"
    data.mkdir()
    for name in (TABLE_PIN, ARBITER_PIN, *KEPT):
        (data / name).write_bytes(content)
    words = ("play", "--plain", "--data", data, "--conduct", "tournament")
    played = run(tmp_path, *words, typed="d2 d3\narbiter 123456 back\nquit\n")
    assert played.returncode == 0
    assert played.stdout.count(", and begun anew") == len(KEPT)
    assert "confirmed 1 Pd2-d3" in played.stdout
    assert "this table has no arbiter" in played.stdout
    for name in (TABLE_PIN, ARBITER_PIN):
        assert f"{data / name}: holds no PIN" in played.stdout
        assert (data / name).read_bytes() == content
        (data / name).unlink()
    again = run(tmp_path, *words[:-2], typed="quit\n")
    assert "holds no PIN" not in again.stdout
    assert kept_pin(data, ARBITER_PIN).isdecimal()


def test_random_bytes_stop_no_start(tmp_path: Path) -> None:
    rng = random.Random(8)
    for _ in range(10):
        for name in (*KEPT, ARBITER_PIN):
            (tmp_path / name).write_bytes(rng.randbytes(rng.randrange(40)))
        assert len(list(set_damaged_files_aside(tmp_path))) >= len(KEPT)
