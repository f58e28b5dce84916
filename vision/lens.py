"""A camera's lens as it was measured: how it bends what a perfect one would show straight.

The model is that of OpenCV and most others (Brown, 1966): two radial and two tangential terms, in
focal lengths from the point where the lens looks straight ahead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from rules.sentences import _

from .arrays import Floats, Gray
from .errors import BadLens

ROUNDS = 40
"""How often a point's straight place is made better: to a hundredth of a pixel, also by lenses that
move the corners by 300."""

SAME_SHAPE = 0.02
"""How much the sides of pictures of the same shape may differ in their ratio."""

WIDEST = 3.0
"""How much farther out than it is seen a point may belong at most."""


@dataclass(frozen=True)
class Lens:
    """A lens in pictures of `width` by `height` pixels. Pairs are across and down."""

    width: int
    height: int
    focal: tuple[float, float]
    """Focal length, in pixels."""
    centre: tuple[float, float]
    """Where the lens looks straight ahead, in pixels."""
    radial: tuple[float, float]
    """By what share a point moves out, for the square and the fourth power of its distance."""
    tangential: tuple[float, float]
    """By how much the lens is askew."""

    def __post_init__(self) -> None:
        """Raise BadLens where no camera has such a lens."""
        numbers = (*self.focal, *self.centre, *self.radial, *self.tangential)
        if not np.isfinite(numbers).all():
            raise BadLens(_("lens: its numbers must be finite"))
        if min(self.width, self.height) < 1 or min(self.focal) <= 0:
            raise BadLens(_("lens: width, height and focal must be above 0"))
        if self._reach <= 0:
            raise BadLens(_("lens: it folds the picture over itself: measure it once more"))

    def of_size(self, width: int, height: int) -> Lens | None:
        """Return it for pictures of another size, None where they have another shape."""
        if (width, height) == (self.width, self.height):
            return self
        if abs(width / height - self.width / self.height) > SAME_SHAPE:
            return None
        scale = np.array([width / self.width, height / self.height])
        focal = (scale * self.focal).tolist()
        centre = ((np.array(self.centre) + 0.5) * scale - 0.5).tolist()
        return replace(self, width=width, height=height, focal=tuple(focal), centre=tuple(centre))

    def bend(self, pixels: Floats) -> Floats:
        """Return where this lens shows what a perfect one shows at `pixels`, (n, 2) both.

        Beyond the picture it goes on as at its rim: there the terms would soon turn back.
        """
        x, y = ((pixels - self.centre) / self.focal).T
        squared = np.minimum(x * x + y * y, self._reach**2)
        swell = 1 + self.radial[0] * squared + self.radial[1] * squared**2
        first, second = self.tangential
        bent = np.column_stack(
            [
                x * swell + 2 * first * x * y + second * (squared + 2 * x * x),
                y * swell + first * (squared + 2 * y * y) + 2 * second * x * y,
            ]
        )
        return bent * self.focal + self.centre

    def straighten(self, pixels: Floats) -> Floats:
        """Return where a perfect lens would show what stands at `pixels`, (n, 2) both."""
        straight = pixels
        for _round in range(ROUNDS):
            straight = straight + (pixels - self.bend(straight))
        return straight

    def straightened(self, gray: Gray) -> tuple[Gray, Floats]:
        """Return all of a picture as a perfect lens shows it, smaller where that takes more room.

        The second is the homography from its pixels to those that `bend` takes.
        """
        (across, down), (x, y) = self.focal, self.centre
        matrix = np.array([[across, 0, x], [0, down, y], [0, 0, 1]])
        terms = np.array([*self.radial, *self.tangential])
        whole, _ = cv2.getOptimalNewCameraMatrix(matrix, terms, (self.width, self.height), 1.0)
        straight: Gray = cv2.undistort(gray, matrix, terms, None, whole)
        return straight, matrix @ np.linalg.inv(whole)

    @cached_property
    def _reach(self) -> float:
        """How far out, in focal lengths, the picture's farthest corner belongs; 0 if nowhere."""
        corners = np.array([(x, y) for x in (0, self.width - 1) for y in (0, self.height - 1)])
        farthest = float(np.hypot(*((corners - self.centre) / self.focal).T).max())
        out = np.linspace(0, WIDEST * farthest, 3000)
        bent = out * (1 + self.radial[0] * out**2 + self.radial[1] * out**4)
        there = int((bent >= farthest).argmax())
        is_ordered = there > 0 and bool((np.diff(bent[: there + 1]) > 0).all())
        return float(out[there]) if is_ordered else 0.0


def read_lens(path: Path) -> Lens:
    """Read a file that `jetan camera calibrate --charuco` has written; BadLens, OSError."""
    try:
        return _lens_of(json.loads(path.read_bytes()))
    except (ValueError, OverflowError, RecursionError) as error:
        raise BadLens(
            _("{path}: {why}: expected what `jetan camera calibrate --charuco` writes"),
            path=path,
            why=error,
        ) from None


def write_lens(path: Path, lens: Lens) -> None:
    """Write a lens as JSON, its folder too; OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(lens), indent=2) + "\n", encoding="utf-8")


def _lens_of(content: object) -> Lens:
    """Return the lens of a file's content; ValueError where it holds another thing."""
    names = [each.name for each in fields(Lens)]
    if not isinstance(content, Mapping) or content.keys() != set(names):
        raise BadLens(_("must hold {names}"), names=", ".join(names))
    for name in names[:2]:
        if not isinstance(content[name], int) or not _is_number(content[name]):
            raise BadLens(_("{name}: must be a whole number"), name=name)
    for name in names[2:]:
        pair = content[name]
        if not isinstance(pair, list) or len(pair) != 2 or not all(map(_is_number, pair)):
            raise BadLens(_("{name}: must be two numbers"), name=name)
    pairs = {name: tuple(map(float, content[name])) for name in names[2:]}
    return Lens(**{**content, **pairs})


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
