"""The signs of the pieces show what the book counts, large and small."""

from itertools import combinations
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.signs import LETTERS, sign_of
from rules import JUGGERNAUT_LETTER, Kind


def inked(letter: str, size: int) -> Any:
    """A sign as a picture of so many pixels a side: how much of each is filled, of 255."""
    fine = np.zeros((size * 16, size * 16), np.uint8)
    for patch in sign_of(letter):
        points = (np.array(patch.points) + 0.5) * size * 16
        cv2.fillPoly(fine, [np.round(points).astype(np.int32)], 0 if patch.is_cut else 255)
    return cv2.resize(fine, (size, size), interpolation=cv2.INTER_AREA)


def test_every_piece_has_a_sign_by_its_letter() -> None:
    assert set(LETTERS) == {kind.value for kind in Kind} | {JUGGERNAUT_LETTER}
    assert sign_of("t") == sign_of("T")
    with pytest.raises(KeyError):
        sign_of("x")


@pytest.mark.parametrize("letter", LETTERS)
def test_a_sign_lies_in_its_square_and_uses_it(letter: str) -> None:
    filled = [point for patch in sign_of(letter) if not patch.is_cut for point in patch.points]
    assert all(abs(x) <= 0.5 and abs(y) <= 0.5 for x, y in filled)
    xs, ys = zip(*filled, strict=True)
    assert max(max(xs) - min(xs), max(ys) - min(ys)) > 0.84
    assert not sign_of(letter)[0].is_cut


@pytest.mark.parametrize(
    ("letter", "parts"),
    [
        pytest.param("P", 1, id="one feather"),
        pytest.param("W", 2, id="two feathers"),
        pytest.param("D", 3, id="three feathers"),
        pytest.param("F", 3 + 1, id="three blades and a hub"),
        pytest.param("C", 10 + 1, id="ten jewels and a circlet"),
        pytest.param("Q", 1 + 1, id="one jewel and a circlet"),
    ],
)
def test_a_sign_has_as_many_parts_as_the_book_says(letter: str, parts: int) -> None:
    found, _labels = cv2.connectedComponents((inked(letter, 400) > 127).astype(np.uint8))
    assert found - 1 == parts


def test_no_two_signs_look_alike_where_they_are_small() -> None:
    small = {letter: inked(letter, 20).astype(float) for letter in LETTERS}
    for one, other in combinations(LETTERS, 2):
        shared = np.minimum(small[one], small[other]).sum()
        assert shared / np.maximum(small[one], small[other]).sum() < 0.7, (one, other)
