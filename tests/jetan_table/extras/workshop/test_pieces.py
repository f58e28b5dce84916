"""The pieces can be printed, stand, and are told apart by eyes and by hands."""

from functools import cache
from itertools import combinations
from pathlib import PurePath
from typing import Any

import numpy as np
import pytest

from hardware.build import Build, build_of
from hardware.signs import LETTERS
from jetan_table.extras.workshop.pieces import OCTAGON, SIDES, frame_of, piece, pieces
from jetan_table.extras.workshop.solids import Solid, mesh_of
from rules import JUGGERNAUT_LETTER, Side
from tests.jetan_table.extras.workshop.printable import (
    centre_of_mass,
    faults,
    in_3mf,
    in_stl,
    magnet_in,
    overhangs,
    surface_of,
)
from tests.profiles import before_release

USUAL = (build_of("grid"), build_of("ninth-ray"))
LIMITS = tuple(build_of("grid", "wired", side) for side in (42, 60))
"""A disk has one size."""
UPRIGHT = 35.0


def size(build: Build) -> str:
    return f"{build.board} {build.square_mm:g}"


@cache
def made(letter: str, side: Side, build: Build) -> Solid:
    sides = OCTAGON if letter == JUGGERNAUT_LETTER else SIDES[side]
    return piece(letter, frame_of(build, sides))


@cache
def wrong(letter: str, side: Side, build: Build) -> list[str]:
    if letter == JUGGERNAUT_LETTER:  # it has no side
        side = Side.BLACK
    return faults(made(letter, side, build), upright=UPRIGHT, loads=[magnet_in(frame_of(build))])


@pytest.mark.parametrize("letter", ["P", JUGGERNAUT_LETTER])
def test_a_piece_can_be_printed_without_support_and_stands(letter: str) -> None:
    assert wrong(letter, Side.ORANGE, USUAL[1]) == []


@pytest.mark.ci
@pytest.mark.parametrize("build", before_release(USUAL + LIMITS), ids=size)
@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("letter", LETTERS)
def test_every_piece_can_be_printed_at_every_size(letter: str, side: Side, build: Build) -> None:
    assert wrong(letter, side, build) == []


@pytest.mark.release
def test_a_taller_set_and_a_lower_one_can_be_printed_too() -> None:
    for height in (42, 49):
        for letter in LETTERS:
            mould = frame_of(USUAL[0], height_mm=height)
            tall = piece(letter, mould)
            assert faults(tall, upright=UPRIGHT, loads=[magnet_in(mould)]) == [], (letter, height)
        chief = piece("C", frame_of(USUAL[0], height_mm=height)).bounding_box()
        assert chief[5] == pytest.approx(height, abs=0.2)


@pytest.mark.parametrize("build", USUAL, ids=size)
def test_the_foot_has_the_width_of_the_build_and_its_pocket_holds_the_magnet(build: Build) -> None:
    foot = made("P", Side.BLACK, build)
    left, front, _low, right, back, _high = foot.bounding_box()
    assert max(right - left, back - front) == pytest.approx(build.base_mm, abs=0.1)
    (roof,) = (o for o in overhangs(surface_of(foot), bridge=0) if o.place[2] < 5)
    width, height = build.magnet
    assert 0.1 <= roof.place[2] - height <= 0.3
    assert 0.1 <= 2 * np.sqrt(roof.area / np.pi) - width <= 0.3


@pytest.mark.parametrize("build", USUAL, ids=size)
def test_no_piece_is_wider_than_its_foot(build: Build) -> None:
    for letter in LETTERS:
        points, _triangles = mesh_of(made(letter, Side.BLACK, build))
        assert np.hypot(points[:, 0], points[:, 1]).max() <= build.base_mm / 2 + 0.6, letter


def shadows(solid: Solid, tilt: float, turns: range) -> list[Any]:
    """What is seen of a solid from far away: from the side where it is tilted by 90 degrees."""
    return [
        solid.rotate((0, 0, turn)).rotate((-tilt, 0, 0)).project().simplify(0.02) for turn in turns
    ]


def most_alike(some: list[Any], others: list[Any]) -> float:
    """How much any two shadows overlap: their common part of what they cover together."""
    return max(
        float((one ^ other).area() / (one + other).area()) for one in some for other in others
    )


@pytest.mark.ci
@pytest.mark.parametrize("side", Side)
def test_any_two_kinds_differ_from_every_side(side: Side) -> None:
    build = USUAL[0]
    beside = {name: shadows(made(name, side, build), 90, range(0, 180, 15)) for name in LETTERS}
    for one, other in combinations(LETTERS, 2):
        assert most_alike(beside[one], beside[other]) <= 0.9, (one, other)


@pytest.mark.parametrize("side", Side)
def test_any_two_kinds_differ_from_above(side: Side) -> None:
    """By what rises over the foot, which all have in common, however they are turned."""
    build = USUAL[0]
    tops = {
        letter: made(letter, side, build).trim_by_plane((0, 0, 1), build.base_mm / 2)
        for letter in LETTERS
    }
    above = {letter: shadows(top, 0, range(0, 360, 15)) for letter, top in tops.items()}
    for one, other in combinations(LETTERS, 2):
        assert most_alike(above[one][:1], above[other]) <= 0.9, (one, other)


def tips(solid: Solid, height: float) -> int:
    """How many parts of a piece are cut by a level plane."""
    return len(solid.slice(height).decompose())


def test_hands_count_what_the_book_counts() -> None:
    build = USUAL[0]

    def count(letter: str, below_the_top: float) -> int:
        solid = made(letter, Side.BLACK, build)
        return tips(solid, solid.bounding_box()[5] - below_the_top)

    assert count("P", 3.0) == 1
    assert count("W", 3.0) == 2
    assert count("D", 3.0) == 3
    assert (count("A", 3.0), count("A", 12.0)) == (2, 1), "two feathers that cross"
    assert count("F", 1.5) == 3 + 1, "three blades and a hub"
    assert (count("C", 1.0), count("C", 3.0)) == (10, 10 + 1), "ten jewels and a head"
    assert count("Q", 3.0) == 1
    assert (count("T", 3.0), tips(made("T", Side.BLACK, build), 8.0)) == (2, 8), "feathers, legs"


def test_the_sides_are_told_by_the_foot() -> None:
    for letter in "PC":
        round_foot, six = (made(letter, side, USUAL[0]).slice(1.0) for side in Side)
        assert most_alike([round_foot], [six.rotate(turn) for turn in range(0, 60, 5)]) < 0.85


def test_the_files_are_those_of_forty_men_and_the_juggernaut() -> None:
    files = dict(pieces(USUAL[1]))
    assert {PurePath(path).suffix for path in files} == {".stl", ".3mf"}
    assert len(files) == 2 * (2 * 8 + 1)
    assert "pieces/black-panthan_x8.stl" in files
    assert "pieces/juggernaut_x1.3mf" in files
    grams, men = 0.0, 0
    for path, data in files.items():
        if path.endswith(".stl"):
            surface, other = in_stl(data), in_3mf(files[path.removesuffix(".stl") + ".3mf"])
            assert surface.is_volume, path
            assert other.is_volume, path
            assert surface.bounds[0][2] == pytest.approx(0, abs=1e-4)
            assert max(surface.extents[:2]) <= 1.05 * USUAL[1].base_mm, path
            assert other.volume == pytest.approx(surface.volume, rel=1e-3), path
            assert other.extents == pytest.approx(surface.extents, abs=1e-3), path
            copies = int(path.removesuffix(".stl").rpartition("_x")[2])
            men += copies
            grams += copies * centre_of_mass(surface).grams
    assert men == 41
    assert 50 < grams < 250


def test_pieces_that_cannot_be_made_are_refused_with_a_mend() -> None:
    with pytest.raises(ValueError, match=r"make the squares 42 mm or more"):
        frame_of(build_of("grid", "paper", 30))
    with pytest.raises(ValueError, match="a Chief of 90 mm: between 40 and 49"):
        frame_of(USUAL[0], height_mm=90)
