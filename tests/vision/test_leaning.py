"""Where the camera stands, told by how pieces lean: painted pictures, cut out along the board."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules import Occupant, grid
from vision.geometry import BoardView, Floats, Indices, Picture, fit_view, layout_of, pose_of
from vision.painted import Stage
from vision.squares import pose_by_leaning

LAYOUT = layout_of(grid())
MIDDLE = np.full(2, 5.0)
SIDE = 480
RIM = np.array([(0, SIDE - 1), (SIDE - 1, SIDE - 1), (SIDE - 1, 0), (0, 0)], float)


def _occupants() -> Indices:
    occupants = np.full(100, Occupant.EMPTY.value)
    occupants[:20] = Occupant.BLACK
    occupants[80:] = Occupant.ORANGE
    return occupants


def _cut_out(scene: Stage, occupants: Indices) -> tuple[Picture, BoardView]:
    """Return a painted picture warped so that it ends where its board does, and its view."""
    picture = scene.paint(occupants.tolist(), 1)
    corners = scene.view.project(LAYOUT.corners).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corners, RIM.astype(np.float32))
    cut = cv2.warpPerspective(picture, warp, (SIDE, SIDE))
    return cut, fit_view(LAYOUT.corners, RIM, BoardView(np.eye(3), 0.0, SIDE, SIDE))


def _lean(scene: Stage) -> Floats:
    return pose_of(scene.view, MIDDLE).lean(MIDDLE)


@pytest.mark.parametrize(("elevation", "turn"), [(40.0, 0.0), (55.0, 70.0), (40.0, 200.0)])
def test_pieces_lean_away_from_the_camera(elevation: float, turn: float) -> None:
    scene = replace(Stage(LAYOUT, elevation, turn), lens=0.0)
    picture, view = _cut_out(scene, _occupants())
    found = pose_by_leaning(picture, view, LAYOUT, _occupants()).lean(MIDDLE)
    true = _lean(scene)
    apart = np.arccos(found @ true / np.hypot(*found) / np.hypot(*true))
    assert np.degrees(apart) < 15
    assert 0.5 < np.hypot(*found) / np.hypot(*true) < 1.7  # their height is not known


def test_pieces_seen_from_straight_above_hardly_lean() -> None:
    occupants = np.full(100, Occupant.EMPTY.value)
    occupants[3::14] = Occupant.BLACK
    occupants[9::14] = Occupant.ORANGE
    picture, view = _cut_out(Stage(LAYOUT, 88.0, lens=0.0), occupants)
    lean = pose_by_leaning(picture, view, LAYOUT, occupants).lean(MIDDLE)
    assert np.hypot(*lean) < 0.25


def test_full_ranks_seen_from_straight_above_hardly_lean() -> None:
    picture, view = _cut_out(Stage(LAYOUT, 88.0, lens=0.0), _occupants())
    lean = pose_by_leaning(picture, view, LAYOUT, _occupants()).lean(MIDDLE)
    assert np.hypot(*lean) < 0.25


def test_only_a_picture_that_ends_with_its_board_is_cut_out() -> None:
    scene = Stage(LAYOUT, lens=0.0)
    _, view = _cut_out(scene, _occupants())
    assert view.is_cut_out(LAYOUT.corners)
    assert not scene.view.is_cut_out(LAYOUT.corners)
    wider = replace(BoardView(np.eye(3), 0.0, SIDE, SIDE), width=SIDE + 100)
    assert not fit_view(LAYOUT.corners, RIM, wider).is_cut_out(LAYOUT.corners)
