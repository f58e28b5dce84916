"""The renderer: what is nearest is seen, light casts shadows, and lamps shine."""

from typing import Final

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from docs.renders.raster import FAR, depths_of, nearest, numbers_of
from docs.renders.render import Camera, Colour, Painted, image, picture

FROM_ABOVE: Final = Camera(turn=0, rise=89.9, angle=0, width=96, height=96)
CORNERS: Final = np.array(
    [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], float
)
FACES: Final = np.array(
    [
        *((0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7), (0, 1, 5), (0, 5, 4)),
        *((1, 2, 6), (1, 6, 5), (2, 3, 7), (2, 7, 6), (3, 0, 4), (3, 4, 7)),
    ]
)


def box(
    low: tuple[float, float, float],
    high: tuple[float, float, float],
    colour: Colour,
    glow: float = 0.0,
) -> Painted:
    points = np.array(low) + CORNERS * (np.array(high) - np.array(low))
    return Painted(points, FACES, colour, glow)


def brightness(rows: NDArray[np.uint8], x: int, y: int) -> float:
    return float(rows[y - 2 : y + 3, x - 2 : x + 3].mean())


def test_the_nearest_triangle_is_seen_at_each_pixel() -> None:
    chance = np.random.default_rng(3)
    corners = chance.uniform(0, 1, (40, 3, 3)) * (30, 20, 1)
    keys = nearest(corners, 30, 20)
    depths, numbers = depths_of(keys), numbers_of(keys)
    x, y = np.meshgrid(np.arange(30) + 0.5, np.arange(20) + 0.5)
    best = np.full((20, 30), np.inf)
    whose = np.full((20, 30), -1)
    for number, (a, b, c) in enumerate(corners):
        turns = [
            (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])
            for p, q in ((b, c), (c, a), (a, b))
        ]
        area = sum(turns)
        inside = (turns[0] < 0) & (turns[1] < 0) & (turns[2] < 0)
        depth = sum(turn * corner[2] for turn, corner in zip(turns, (a, b, c), strict=True)) / area
        nearer = inside & (depth < best)
        best, whose = np.where(nearer, depth, best), np.where(nearer, number, whose)
    hit = keys.reshape(20, 30) != FAR
    assert (hit == (whose >= 0)).all()
    assert 20 < hit.sum() < 600
    assert (numbers.reshape(20, 30)[hit] == whose[hit]).all()
    assert np.allclose(depths.reshape(20, 30)[hit], best[hit], atol=1e-4)


def test_a_thing_has_its_colour_and_hides_what_lies_under_it() -> None:
    below, above = (
        box((0, 0, 0), (40, 40, 2), (30, 60, 200)),
        box((14, 14, 2), (26, 26, 4), (200, 40, 30)),
    )
    rows = image([below, above], FROM_ABOVE)
    blue, _, red = rows[48, 48]
    assert red > 2 * blue
    blue, _, red = rows[20, 20]
    assert blue > 2 * red


def test_a_tall_thing_casts_a_shadow_away_from_the_light() -> None:
    floor = box((0, 0, 0), (100, 100, 2), (200, 200, 200))
    tower = box((45, 45, 2), (55, 55, 40), (200, 200, 200))
    alone, shaded = image([floor], FROM_ABOVE), image([floor, tower], FROM_ABOVE)
    sides = [(48, 28), (48, 68), (28, 48), (68, 48)]
    kept = [brightness(shaded, *side) / brightness(alone, *side) for side in sides]
    assert min(kept) < 0.8
    assert max(kept) > 0.9


def test_a_lamp_shines_and_lights_up_what_is_beside_it() -> None:
    dark, lit = (box((15, 15, 2), (25, 25, 2.2), (40, 90, 255), glow) for glow in (0.0, 1.0))
    floor = box((0, 0, 0), (40, 40, 2), (60, 50, 45))
    without, with_light = image([floor, dark], FROM_ABOVE), image([floor, lit], FROM_ABOVE)
    assert brightness(with_light, 48, 48) > brightness(without, 48, 48) + 5
    assert brightness(with_light, 48, 34) > brightness(without, 48, 34)


def test_everything_is_in_the_picture() -> None:
    tall = box((0, 0, 0), (10, 10, 90), (200, 40, 30))
    rows = image([tall], Camera(width=120, height=80)).astype(int)
    red = (rows[..., 2] - rows[..., 0]) > 40
    assert red.sum() > 200
    assert not red[[0, -1]].any()
    assert not red[:, [0, -1]].any()


def test_a_picture_is_a_png_of_the_size_asked_for() -> None:
    found = picture([box((0, 0, 0), (1, 1, 1), (9, 9, 9))], Camera(width=64, height=48))
    rows = cv2.imdecode(np.frombuffer(found, np.uint8), cv2.IMREAD_COLOR)
    assert rows is not None
    assert rows.shape == (48, 64, 3)


def test_nothing_makes_no_picture() -> None:
    with pytest.raises(ValueError, match="nothing"):
        picture([], Camera())
