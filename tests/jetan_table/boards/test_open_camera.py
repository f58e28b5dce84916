"""The camera of the settings, opened as a table does."""

import dataclasses
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import cv2
import msgspec
import pytest

from hardware.ports import Observation
from jetan_table.boards.camera import CameraBoard, open_camera
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.languages import worded_in
from jetan_table.reading.readings import occupants_of
from jetan_table.settings import CameraSettings, Settings, TableSettings
from jetan_table.table.games import begin_game
from jetan_table.wiring import join
from rules import Position, parse_move, parse_rules
from tests.jetan_table.hands import seen
from tests.vision.phone import Phone
from tests.vision.sheet_views import WIDE
from vision.geometry import layout_of, write_lens
from vision.painted import Stage

START = Position.start(parse_rules("appendix,thoat=jumps"))
SCENE = Stage(layout_of(START.rules.board), 75.0)


def test_kept_pictures_are_played_as_if_seen_now(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number, position in enumerate((START, START.play(parse_move("d2d3", START)))):
        picture = SCENE.paint(occupants_of(position), 1)
        cv2.imwrite(str(pictures / f"{number}.png"), picture)
    settings = CameraSettings(
        source=str(pictures),
        corners=",".join(map(str, SCENE.view.project(SCENE.layout.corners).ravel())),
    )
    began = time.monotonic()
    with closing(open_camera(settings, lambda: time.monotonic() - began)) as camera:
        camera.tell(seen(START))
        observations: list[Observation] = []
        while len(observations) < 2 and time.monotonic() < began + 20:
            observations += camera.poll(time.monotonic() - began)
            time.sleep(0.02)
        assert worded_in("de", camera.describe(1.0)).startswith("die Kamera sieht das Brett")
    assert len(observations) == 2


@pytest.mark.ci
def test_a_game_is_followed_through_a_phones_stream(tmp_path: Path) -> None:
    """Pictures go over a real socket, many a second, to the table of `play --camera`."""
    corners = ",".join(map(str, SCENE.view.project(SCENE.layout.corners).ravel()))
    now = time.monotonic
    with (
        Phone(streamed(START)) as phone,
        closing(open_camera(CameraSettings(phone.address, corners), now)) as camera,
        closing(Journal(tmp_path)) as journal,
    ):
        opened = begin_game(journal, Header.of(START, now()))
        alone = msgspec.structs.replace(Settings(), table=TableSettings(board="camera"))
        table = join(CameraBoard(camera), journal, opened, alone, guests=[camera])

        def told(count: int) -> bool:
            table.step(now())
            return bool(table.view.standing) and len(table.view.record.moves) == count

        assert comes(partial(told, 0))
        position = START
        for count, text in enumerate(("g1d4", "e9e8"), 1):
            position = position.play(parse_move(text, position))
            phone.jpeg = streamed(position)
            assert comes(partial(told, count)), text
        assert table.view.position == position


def streamed(position: Position) -> bytes:
    picture = SCENE.paint(occupants_of(position), 1)
    encoded: bytes = cv2.imencode(".jpg", picture)[1].tobytes()
    return encoded


def comes(holds: Callable[[], bool]) -> bool:
    """Wait until that holds, or for so long that it never will."""
    until = time.monotonic() + 60
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def test_a_table_sees_through_a_measured_lens(tmp_path: Path) -> None:
    scene = dataclasses.replace(SCENE, lens=0.0, measured=WIDE)
    cv2.imwrite(str(tmp_path / "board.png"), scene.paint(occupants_of(START), 1))
    write_lens(tmp_path / "lens.json", WIDE)
    settings = CameraSettings(source=str(tmp_path / "board.png"), lens=str(tmp_path / "lens.json"))
    began = time.monotonic()
    with closing(open_camera(settings, lambda: time.monotonic() - began)) as camera:
        camera.tell(seen(START))
        while (camera.sight is None or camera.sight.place is None) and (
            time.monotonic() < began + 20
        ):
            time.sleep(0.02)
        place = camera.sight.place if camera.sight is not None else None
    assert place is not None
    assert place.view.measured == WIDE
    true = scene.view.project(scene.layout.corners)
    assert abs(place.view.project(place.layout.corners) - true).max() < 3
