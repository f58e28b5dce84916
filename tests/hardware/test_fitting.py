"""What is recommended is seen nearly everywhere, and is held by nothing else."""

from dataclasses import replace
from math import hypot

import pytest

from docs.fitting import held, is_recommended, push_mn, seen
from hardware.build import A_PER_TURN, Build, Magnet, ReedPlace, Way, build_of, drive
from rules import SQUARES, Square

FLAT, STRIP, DISK = (
    build_of("grid", "wired"),
    build_of("grid", "strip"),
    build_of("ninth-ray", "wired"),
)
BUILDS = pytest.mark.parametrize("build", [FLAT, STRIP, DISK], ids=["wired", "strip", "disk"])


@BUILDS
def test_each_board_is_recommended_as_it_is_built(build: Build) -> None:
    assert seen(build) >= 0.99
    assert held(build) <= 0.5
    assert is_recommended(seen(build), held(build))


@pytest.mark.parametrize("way", ["wired", "strip"])
def test_a_flat_board_of_other_squares_is_recommended_as_well(way: Way) -> None:
    for square_mm in (42.0, 45.0, 50.0, 50.1, 55.0, 60.0):
        build = build_of("grid", way, square_mm)
        assert is_recommended(seen(build), held(build))


def test_where_every_other_magnet_lies_the_worst_way_up_a_reed_gets_what_is_said() -> None:
    """Reckoned anew for one square of the disk: its reed is under its middle."""
    shares = []
    for square in (Square(4), Square(14), Square(24), Square(34), Square(44)):
        x, y = DISK.middle(square)
        others = (DISK.middle(other) for other in SQUARES if other != square)
        felt = (
            drive(DISK.sensed[0], (hypot(ox - x, oy - y), 0.0, 0.0), DISK.magnet.moment)
            for ox, oy in others
        )
        least = (15.0 if square >= 30 else 10.0) * A_PER_TURN
        shares.append(sum(map(abs, felt)) / least)
    assert held(DISK) == pytest.approx(max(shares))
    assert shares[:3] == sorted(shares[:3])  # the nearer the middle, the more crowded


def test_neighbours_push_each_other_as_two_dipoles_side_by_side_do() -> None:
    assert push_mn(replace(DISK, magnet=Magnet(6.0, 3.0))) == pytest.approx(12.3, abs=0.1)
    assert push_mn(DISK) == pytest.approx(12.3 * (2 / 3) ** 2, abs=0.05)


def test_magnets_of_one_way_up_cancel_out_at_a_reed_that_lies_and_not_at_one_that_stands() -> None:
    assert held(FLAT, are_alike=True) < 0.7 * held(FLAT)
    assert held(STRIP, are_alike=True) < 0.5 * held(STRIP)
    assert held(DISK, are_alike=True) == pytest.approx(held(DISK), rel=0.02)


@BUILDS
def test_a_weaker_magnet_is_seen_less_and_holds_less(build: Build) -> None:
    weaker = replace(build, magnet=Magnet(build.magnet.width, 0.4 * build.magnet.height))
    assert held(weaker) == pytest.approx(0.4 * held(build))
    assert seen(weaker) < seen(build)


def test_one_reed_that_lies_is_never_recommended() -> None:
    for turns in ((10.0, 15.0), (15.0, 20.0), (20.0, 25.0)):
        one = replace(FLAT, reeds=FLAT.reeds[:1], turns=turns, inner_turns=turns)
        assert not is_recommended(seen(one), held(one))
    in_the_middle = replace(FLAT, reeds=[ReedPlace((0.0, 0.0), (1.0, 0.0))])
    assert seen(in_the_middle) < seen(replace(FLAT, reeds=FLAT.reeds[:1])) < seen(FLAT)
