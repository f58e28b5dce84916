"""Board to picture and back."""

import numpy as np
import pytest

from rules import grid
from vision.appearance import occlusion_of, shares_beside
from vision.geometry import BoardView, Pose, fit_view, layout_of, pose_of, square_grid
from vision.painted import Stage
from vision.patches import DISC_AWAY

LAYOUT = layout_of(grid())


@pytest.mark.parametrize("lens", [-0.2, 0.0, 0.1])
def test_what_is_projected_is_located_again(lens: float) -> None:
    view = Stage(LAYOUT, lens=lens).view
    located = view.locate(view.project(LAYOUT.centres))
    assert np.abs(located - LAYOUT.centres).max() < 1e-6


def test_a_view_goes_through_its_four_corners() -> None:
    pixels = np.array([(300, 600), (900, 620), (850, 120), (370, 100)], float)
    view = fit_view(LAYOUT.corners, pixels, BoardView(np.eye(3), -0.1, 1280, 720))
    assert np.abs(view.project(LAYOUT.corners) - pixels).max() < 0.01


@pytest.mark.parametrize("elevation", [40.0, 60.0, 80.0])
def test_the_camera_is_found_where_it_stands(elevation: float) -> None:
    pose = pose_of(Stage(LAYOUT, elevation, lens=0.0).view, np.full(2, 5.0))
    assert pose.elevation(np.full(2, 5.0)) == pytest.approx(elevation, abs=1.5)
    assert pose.y < 5.0


def test_a_piece_hides_what_is_behind_it_and_not_before() -> None:
    pose = pose_of(Stage(LAYOUT, 45.0).view, np.full(2, 5.0))
    hides, _across, _top = occlusion_of(LAYOUT, pose)
    assert hides[54, 44]
    assert not hides[44, 54]
    assert not hides[44, 44]
    assert not hides[47, 44]


def test_what_lies_beyond_the_top_of_a_newcomer_is_not_hidden() -> None:
    occlusion = occlusion_of(LAYOUT, Pose(5.0, 5.0, 8.5))
    newcomer, behind = 88, 99
    hides, _across, _top = occlusion
    assert hides[behind, newcomer]
    unchanged = np.ones((100, len(DISC_AWAY)), bool)
    unchanged[newcomer] = False
    bare = np.ones_like(unchanged)
    bare[behind] = DISC_AWAY < 0
    stands = np.arange(100) == newcomer
    shares = shares_beside((unchanged, bare), ~unchanged, stands, occlusion)
    assert shares[0][behind] == 1.0
    assert shares[1][behind] < 0.5
    assert np.isnan(shares[1][newcomer])


def test_edges_divide_light_from_dark() -> None:
    layout = square_grid(8)
    beside = layout.edges.points + 0.1 * layout.edges.normals
    files, ranks = np.floor(beside).astype(int).T
    assert set((files + ranks) % 2) == {1}
    assert len(layout.edges.points) == 5 * 2 * 8 * 7
