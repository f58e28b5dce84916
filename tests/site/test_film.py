"""The film's parts: a hand is whole, lamps and shadows add up, plays are real games."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from docs.film import PLAYS
from docs.renders.acting import Frame, Play, picture
from docs.renders.hand import FINGERS, hand
from docs.renders.render import Camera, Painted, scene_of
from docs.renders.scenery import squares
from docs.renders.stage import Body, Moved, Stage
from docs.screenshots import PICTURES
from hardware.build import build_of
from rules import Position, Side, parse_rules, parse_square
from tests.jetan_table.extras.workshop.test_render import box

SMALL: Final = Camera(0, 89.9, 26, 1.0, 160, 90)
MOST_S: Final = 60
MOST_BYTES: Final = {"film.webm": 850_000, "film.webp": 300_000}


@pytest.fixture(scope="module")
def board() -> Stage:
    build = build_of()
    return Stage(build, [*squares(build)], SMALL, (96, 60, 40))


def around(board: Stage, rows: NDArray[np.uint8], name: str) -> NDArray[np.float64]:
    """The mean colour in the middle of a square: blue, green, red."""
    x, y = board.on_picture(np.array([(*build_of().middle(parse_square(name)), 0.0)]))[0]
    part = rows[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2]
    return np.asarray(part.reshape(-1, 3).mean(axis=0), np.float64)


def test_a_lamp_lights_its_own_square_and_no_other(board: Stage) -> None:
    dark = board.picture({})
    lit = board.picture({parse_square("e4"): (0, 60, 255)})
    assert around(board, lit, "e4")[0] > around(board, dark, "e4")[0] + 60
    assert np.abs(around(board, lit, "e7") - around(board, dark, "e7")).max() < 3


def test_what_moves_hides_a_lamp_and_casts_a_shadow(board: Stage) -> None:
    plate = Body(scene_of([box((-20, -20, 0), (20, 20, 4), (20, 200, 40))]))
    lamps = {parse_square("e4"): (0, 60, 255)}
    x, y = build_of().middle(parse_square("e4"))
    held = board.picture(lamps, [Moved(plate, (x, y, 40))])
    blue, green, red = around(board, held, "e4")
    assert green > 1.5 * max(blue, red)
    free = board.picture(lamps)
    lost = free.astype(int).sum(axis=2) - held.astype(int).sum(axis=2)
    covered = held[..., 1] > 1.3 * held[..., 2]
    assert covered.sum() > 20
    assert ((lost > 25) & ~covered).sum() > 20
    away = board.picture(lamps, [Moved(plate, (x, y + 4000, 40))])
    assert np.abs(away.astype(int) - free).max() <= 2


@pytest.fixture(scope="module")
def whole() -> Painted:
    scene = hand(1.0)
    return Painted(scene.points, scene.triangles, (0, 0, 0))


def test_a_hand_is_closed_and_shows_its_outside(whole: Painted) -> None:
    ends = np.concatenate([whole.triangles[:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
    assert Counter(map(tuple, ends.tolist())) == Counter(map(tuple, ends[:, ::-1].tolist()))
    corners = whole.points[whole.triangles]
    outwards = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (outwards * hand(1.0).normals.mean(axis=1)).sum(axis=1).mean() > 0
    assert np.einsum("ij,ij->i", corners[:, 0], outwards).sum() > 0


def test_thumb_and_finger_meet_about_a_piece_and_let_it_go() -> None:
    gaps = []
    for grip in (1.0, 0.0):
        points = hand(grip).points
        near = points[np.abs(points[:, 2]) < 3]
        gaps.append(np.linalg.norm(near[:, :2], axis=1).min())
    assert gaps[0] < 4 < gaps[1] - gaps[0]
    assert all(finger[0][2] < finger[1][2] for finger in FINGERS)


def played() -> tuple[Play, list[Frame]]:
    start = Position.start(parse_rules("appendix"))
    play = Play(start, {"d1": "d1"}, SMALL)
    black = play.player(Side.BLACK, 30)
    frames = [*black.comes("d1"), *black.lifts("d1"), *play.rest(1.0)]
    frames += [*black.carries("c4"), *black.puts("c4"), *play.rest(1.0), *black.leaves()]
    return play, frames


def test_hands_play_a_real_game_whose_lamps_are_shown() -> None:
    play, frames = played()
    assert play.hands.session.view.record.moves == ("Fd1-c4",)
    lit = [{square for square, _ in frame.lamps} for frame in frames]
    legal = {parse_square(name) for name in ("a4", "c4", "e4", "g4")}
    assert not lit[0]
    assert any(legal <= each for each in lit)
    assert lit[-1] == {parse_square("d1"), parse_square("c4")}


def test_a_piece_goes_with_its_hand_and_stays_where_it_is_put() -> None:
    _, frames = played()
    places = [frame.things[0][1] for frame in frames]
    steps = [float(np.linalg.norm(np.subtract(*pair))) for pair in pairwise(places)]
    assert max(steps) < 30
    assert places[-1][:2] == pytest.approx(build_of().middle(parse_square("c4")), abs=0.01)
    assert max(place[2] for place in places) > 40


@pytest.mark.release
def test_a_picture_is_painted_once(tmp_path: Path) -> None:
    frame = played()[1][0]
    first = picture(frame, tmp_path)
    (kept,) = tmp_path.iterdir()
    cv2.imwrite(str(kept), 0 * first + 7)
    assert (picture(frame, tmp_path) == 7).all()


@pytest.mark.parametrize("play", PLAYS)
def test_each_part_of_the_film_plays_to_its_end(play: Callable[[], Iterator[Frame]]) -> None:
    frames = list(play())
    assert all(frame.lamps or frame.things for frame in frames)


def test_the_film_is_there_and_not_too_large() -> None:
    for name, most in MOST_BYTES.items():
        assert (PICTURES / name).stat().st_size <= most
    film = cv2.VideoCapture(str(PICTURES / "film.webm"))
    seconds = film.get(cv2.CAP_PROP_FRAME_COUNT) / film.get(cv2.CAP_PROP_FPS)
    assert 20 < seconds <= MOST_S
