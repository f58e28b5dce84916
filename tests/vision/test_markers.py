"""A lens is measured by views of the printed sheet."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.vision.sheet_views import POSES, WIDE, sheet_view
from vision.errors import BadHint
from vision.markers import SheetView, good_views, measure_lens, see_sheet
from vision.sources import HEIGHT, WIDTH, Frame


@cache
def views() -> list[SheetView]:
    """What is seen of the sheet in each pose."""
    views = [see_sheet(sheet_view(WIDE, pose, seed)) for seed, pose in enumerate(POSES)]
    return [view for view in views if view is not None]


def test_the_lens_is_recovered() -> None:
    assert len(views()) == len(POSES)
    lens, error, advice = measure_lens(views())
    assert error < 0.5
    assert advice == []
    x, y = np.meshgrid(np.arange(0, WIDTH, 40), np.arange(0, HEIGHT, 40))
    pixels = np.column_stack([x.ravel(), y.ravel()]).astype(float)
    away = np.hypot(*(lens.bend(WIDE.straighten(pixels)) - pixels).T)
    assert np.median(away) < 1
    assert away.max() < 6  # of 300, in a corner that no sheet has reached
    assert lens.focal == pytest.approx(WIDE.focal, rel=0.01)


def test_too_few_views_are_told() -> None:
    with pytest.raises(BadHint, match="5 good views of the sheet, 6 are needed"):
        measure_lens(views()[:5])


def test_the_same_tilt_again_and_again_is_told() -> None:
    flat = [
        see_sheet(sheet_view(WIDE, (8.0, 0.0, (x, y), 420.0), 1))
        for x, y in [(0, 0), (-90, 0), (90, 0), (0, -50), (0, 50), (60, 40), (-60, -40)]
    ]
    with pytest.raises(BadHint, match="always under the same tilt"):
        measure_lens([view for view in flat if view is not None])


def test_views_of_two_cameras_are_told() -> None:
    mixed = [*views()[1:], replace(views()[0], size=(640, 480))]
    with pytest.raises(BadHint, match="640 × 480 and 1280 × 720"):
        measure_lens(mixed)


def test_what_would_be_better_is_told() -> None:
    middle = [
        replace(view, pixels=640 + (view.pixels - 640) * 0.6, size=(1280, 1280)) for view in views()
    ]
    noise = np.random.default_rng(1)
    shaken = [
        replace(view, pixels=view.pixels + noise.normal(0, 1.2, view.pixels.shape))
        for view in middle
    ]
    advice = " ".join(measure_lens(shaken[:8])[2])
    assert "few views" in advice
    assert "never near the picture's corners" in advice
    assert "a large error" in advice


def test_only_new_views_at_rest_are_taken() -> None:
    pictures = [sheet_view(WIDE, pose, 1) for pose in POSES[:2]]
    empty = np.full_like(pictures[0], 120)
    order = [empty, pictures[0], pictures[0], pictures[0], pictures[1], pictures[0], pictures[1]]
    frames = [Frame(str(number), float(number), picture) for number, picture in enumerate(order)]
    frames.insert(3, Frame("lost", 2.5, None, "cut short"))
    moving = [frame.name for frame, _ in good_views([*frames, frames[-1]], are_stills=False)]
    assert moving == ["2", "6"]
    assert [frame.name for frame, _ in good_views(frames, are_stills=True)] == ["1", "4"]
