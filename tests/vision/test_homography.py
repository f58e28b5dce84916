"""Board to picture and back."""

from dataclasses import replace

import numpy as np
import pytest

from rules import grid
from vision.homography import bare_view, view_of_corners
from vision.layout import layout_of, square_grid
from vision.painted import Stage
from vision.pose import pose_of

LAYOUT = layout_of(grid())


@pytest.mark.parametrize("lens", [-0.2, 0.0, 0.1])
def test_what_is_projected_is_located_again(lens: float) -> None:
    view = Stage(LAYOUT, lens=lens).view
    located = view.locate(view.project(LAYOUT.centres))
    assert np.abs(located - LAYOUT.centres).max() < 1e-6


def test_a_view_goes_through_its_four_corners() -> None:
    pixels = np.array([(300, 600), (900, 620), (850, 120), (370, 100)], float)
    view = view_of_corners(LAYOUT.corners, pixels, replace(bare_view(1280, 720, None), lens=-0.1))
    assert np.abs(view.project(LAYOUT.corners) - pixels).max() < 0.01


@pytest.mark.parametrize("elevation", [40.0, 60.0, 80.0])
def test_the_camera_is_found_where_it_stands(elevation: float) -> None:
    pose = pose_of(Stage(LAYOUT, elevation, lens=0.0).view, np.full(2, 5.0))
    assert pose.elevation(np.full(2, 5.0)) == pytest.approx(elevation, abs=1.5)
    assert pose.y < 5.0


def test_edges_divide_light_from_dark() -> None:
    layout = square_grid(8)
    beside = layout.edges.points + 0.1 * layout.edges.normals
    files, ranks = np.floor(beside).astype(int).T
    assert set((files + ranks) % 2) == {1}
    assert len(layout.edges.points) == 5 * 2 * 8 * 7
