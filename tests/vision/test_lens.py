"""A measured lens: its file, its bending, and boards found through it."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules import SQUARES, Position, grid, parse_rules
from tests.vision.sheet_views import WIDE, shown
from vision.camera import BoardCamera, Clarity
from vision.errors import BadHint, BoardNotFound
from vision.finder import BoardFinder, BoardPlace
from vision.geometry import Lens, layout_of, read_lens, write_lens
from vision.markers import Markers
from vision.painted import Stage, corner_markers
from vision.sources import HEIGHT, WIDTH, Frame

GRID = layout_of(grid())
START = [int(Position.start(parse_rules("appendix")).occupant_at(square)) for square in SQUARES]
PIXELS = np.array([(x, y) for x in range(0, WIDTH, 40) for y in range(0, HEIGHT, 40)], float)


def test_it_bends_as_opencv_does() -> None:
    straight = WIDE.straighten(PIXELS)
    rays = np.column_stack([(straight - WIDE.centre) / WIDE.focal, np.ones(len(PIXELS))])
    assert np.abs(shown(WIDE, rays, np.zeros(3), np.zeros(3)) - PIXELS).max() < 0.01
    assert np.abs(WIDE.bend(straight) - PIXELS).max() < 0.01
    assert np.abs(straight - PIXELS).max() > 200


def test_beyond_the_picture_nothing_comes_back_into_it() -> None:
    ways = np.column_stack([np.cos(np.arange(0, 6.2, 0.1)), np.sin(np.arange(0, 6.2, 0.1))])
    lens = replace(WIDE, radial=(-0.2, 0.0), tangential=(0.0, 0.0))
    outs = (2e3, 3e3, 3e4)  # at the first one the terms alone would lead back to the centre
    far = [np.hypot(*(lens.bend(lens.centre + out * ways) - lens.centre).T) for out in outs]
    assert (far[0] > WIDTH).all()
    assert (far[2] > 9 * far[1]).all()


def test_pictures_of_another_size() -> None:
    half = WIDE.of_size(WIDTH // 2, HEIGHT // 2)
    assert half is not None
    assert np.abs(half.bend((PIXELS - 0.5) / 2) - (WIDE.bend(PIXELS) - 0.5) / 2).max() < 1e-9
    assert WIDE.of_size(640, 480) is None


def test_a_straightened_picture_shows_all_of_it_where_it_belongs() -> None:
    dots = np.array([(60, 50), (1200, 60), (640, 360), (80, 650), (1230, 680)])
    gray = np.zeros((HEIGHT, WIDTH), np.uint8)
    for x, y in dots.tolist():
        cv2.circle(gray, (x, y), 6, 255, -1)
    straight, back = WIDE.straightened(gray)
    _, _, _, centres = cv2.connectedComponentsWithStats((straight > 60).astype(np.uint8))
    lifted = np.column_stack([centres[1:], np.ones(len(dots))]) @ back.T
    found = WIDE.bend(lifted[:, :2] / lifted[:, 2:])
    away = np.hypot(*(found[:, None] - dots[None]).transpose(2, 0, 1))
    assert away.min(axis=0).max() < 1.5


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "lens.json"
    write_lens(path, WIDE)
    assert read_lens(path) == WIDE


GOOD = json.dumps(asdict(WIDE))


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("", "Expecting value"),
        ("[]", "must hold width, height, focal"),
        ("{}", "must hold width, height, focal"),
        (GOOD.replace("-0.4,", ""), "radial: must be two numbers"),
        (GOOD.replace("-0.4,", "true,"), "radial: must be two numbers"),
        (GOOD.replace("1280", "1280.5"), "width: must be a whole number"),
        (GOOD.replace("1280", '"wide"'), "width: must be a whole number"),
        (GOOD.replace("1280", "0"), "must be above 0"),
        (GOOD.replace("900.0", "-900.0"), "must be above 0"),
        (GOOD.replace('"radial"', '"radius"'), "must hold width, height, focal"),
        (GOOD.replace("-0.4,", "-4.0,"), "folds the picture"),
        (GOOD.replace("0.11", "1e400"), "must be finite"),
    ],
)
def test_a_bad_file_is_told(text: str, refusal: str, tmp_path: Path) -> None:
    path = tmp_path / "lens.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadHint) as caught:
        read_lens(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert refusal in str(caught.value)


def test_numbers_must_be_finite() -> None:
    with pytest.raises(BadHint, match="finite"):
        Lens(WIDTH, HEIGHT, (900.0, 900.0), (640.0, 360.0), (float("nan"), 0.0), (0.0, 0.0))


SCENE = Stage(GRID, 55.0, turn=20, lens=0.0, measured=WIDE).bumped(230, 60)
"""A board at the side of the picture, where the lens bends most."""


def miss(place: BoardPlace) -> float:
    """The worst corner's distance from where it is, in squares."""
    true = SCENE.view.project(GRID.corners)
    away = np.hypot(*(place.view.project(GRID.corners) - true).T)
    return float((away / SCENE.view.square_px(GRID.corners)).max())


def test_a_board_between_markers_is_found_better_with_it() -> None:
    cards = corner_markers(GRID)
    picture = SCENE.paint(START, 1, markers=cards)
    markers = Markers("DICT_4X4_50", {n: quad - 5 for n, quad in cards.items()}, 5.0)
    without = miss(BoardFinder(GRID, markers).find(picture))
    assert miss(BoardFinder(GRID, markers, lens=WIDE).find(picture)) < min(0.06, 0.7 * without)


def test_a_board_is_found_by_corners_and_lines_and_read() -> None:
    corners = SCENE.view.project(GRID.corners) + 3.0
    pictures = [SCENE.paint(START, seed) for seed in (1, 2)]
    assert miss(BoardFinder(GRID, corners=corners, lens=WIDE).find(pictures[0])) < 0.06
    camera = BoardCamera(BoardFinder(GRID, lens=WIDE), False, True)
    first = camera.begin(Frame("0", 0.0, pictures[0]), START)
    assert first.place is not None
    assert first.place.how == "lines"
    assert miss(first.place) < 0.06
    sight = camera.look(Frame("1", 1.0, pictures[1]))
    assert sight.clarity is Clarity.SETTLED
    assert sight.seen is not None
    assert (sight.seen.likelihoods.argmax(axis=1) == START).all()


def test_the_lens_of_another_camera_is_told() -> None:
    lens = WIDE.of_size(WIDTH, HEIGHT)
    assert lens is not None
    picture = np.zeros((480, 640, 3), np.uint8)
    with pytest.raises(BoardNotFound, match="1280 × 720, these are of 640 × 480"):
        BoardFinder(GRID, lens=lens).find(picture)
