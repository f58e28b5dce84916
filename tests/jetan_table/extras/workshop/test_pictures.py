"""The pictures of the table are there, small enough for a page, and can be made again."""

from pathlib import Path

import cv2
import pytest

from docs.renders.__main__ import DOCS, PICTURES, Still, a_strip, one_square, packed
from docs.renders.render import Camera, image

MOST_PX = 1600


@pytest.mark.parametrize("drawn", PICTURES, ids=lambda drawn: Path(drawn.file).stem)
def test_each_picture_is_there_and_fits_a_page(drawn: Still) -> None:
    path = DOCS / drawn.file
    assert path.stat().st_size <= drawn.most_bytes
    rows = cv2.imread(str(path))
    assert rows is not None
    assert rows.shape == (drawn.camera.height, drawn.camera.width, 3)
    assert max(rows.shape) <= MOST_PX
    assert rows.std() > 10


@pytest.mark.release
def test_pictures_are_made_from_the_models() -> None:
    small = Camera(width=120, height=90)
    rows = image(list(one_square()), small)
    assert rows.std() > 10
    assert packed(rows, 9000)[8:12] == b"WEBP"
    assert image(list(a_strip()), small).std() > 10
