"""Light is seen past a piece on every table, and no neighbour shines with it."""

from dataclasses import replace
from math import hypot

import numpy as np
import pytest

from docs import glow
from docs.fitting import SAMPLE
from docs.glow import Chamber, chamber_of, lit, next_door, past_any_foot, past_foot, spread
from hardware.build import Build, build_of
from rules import Square

E4 = Square(34)
TABLES = pytest.mark.parametrize(
    "build",
    [
        build_of(),
        build_of(square_mm=44),
        build_of(square_mm=55),
        build_of("ninth-ray"),
        build_of(way="wired"),
        build_of(way="wired", square_mm=42),
        build_of(way="wired", square_mm=60),
    ],
    ids=lambda build: f"{build.board}-{build.way}-{build.square_mm:g}",
)


@pytest.mark.parts
@TABLES
def test_a_third_of_a_lamps_light_passes_a_foot_and_none_is_seen_next_door(build: Build) -> None:
    for square in SAMPLE if build.board == "ninth-ray" else [E4]:
        assert past_any_foot(build, square) >= 0.3
        assert next_door(build, square) <= 0.03


def test_by_hand_a_lamp_shines_beside_a_foot_and_less_so_nearer_to_the_middle() -> None:
    wired = build_of(way="wired")
    assert past_foot(wired, E4) >= 0.9
    assert past_any_foot(replace(wired, lamp=(14.0, 14.0)), E4) < 0.3


def test_a_shallow_lamp_behind_black_walls_is_hidden_as_lamberts_law_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The case as it once was: 2.6 mm from the lamp's face to the surface."""
    for name in ("WHITE", "PAPER", "FACE_MM"):
        monkeypatch.setattr(glow, name, 1e-9)
    chamber = Chamber((45.0, 45.0), 4.2, 2.6, (0.0, 0.0), 1.6, 0.0)
    places, shares = lit(chamber)
    beyond = np.hypot(*places.T) > 12
    assert shares[beyond].sum() / shares.sum() == pytest.approx(2.6**2 / (2.6**2 + 12**2), abs=0.01)


def test_light_gets_out_or_is_lost_and_a_higher_wall_keeps_more_of_it() -> None:
    chamber = chamber_of(build_of(), E4)
    shares = lit(chamber)[1]
    assert 0.2 < shares.sum() < 1
    black = replace(chamber, floor=0.1)
    assert lit(black)[1].sum() < 0.8 * shares.sum()


def test_a_picture_is_brightest_over_the_lamp() -> None:
    disk = build_of("ninth-ray")
    found, share = spread(disk, E4, 2.0)
    assert found.mean() == pytest.approx(1)
    assert 0 < share < 1
    row, column = np.unravel_index(found.argmax(), found.shape)
    sides = chamber_of(disk, E4).sides
    place = [
        side * ((at + 0.5) / count - 0.5)
        for side, at, count in zip(sides, (row, column), found.shape, strict=True)
    ]
    assert hypot(place[0] - disk.lamp[0], place[1]) < 5
