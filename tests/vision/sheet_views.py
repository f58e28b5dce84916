"""Pictures of the sheet that a lens is measured by, painted through a known lens by OpenCV."""

import cv2
import numpy as np

from jetan_table.extras.workshop.sheet import Shape, lens_sheet, rgb
from vision.geometry import Floats, Lens, Picture
from vision.sources import HEIGHT, WIDTH

WIDE = Lens(WIDTH, HEIGHT, (900.0, 900.0), (675.0, 340.0), (-0.4, 0.11), (0.004, -0.003))
"""A wide lens that is set a little askew: it moves what belongs in a corner by 300 pixels."""

POSES = tuple(
    (tilt, turn, (x, y), away)
    for tilt, turn, x, y, away in [
        (0, 0, 0, 0, 330),
        (25, 0, -150, -68, 380),
        (-28, 5, 150, -68, 380),
        (0, 27, 150, 75, 380),
        (5, -27, -150, 75, 380),
        (20, 20, -40, 20, 300),
        (-22, -18, 50, -20, 300),
        (10, 30, 130, 0, 360),
        (32, -8, 0, 70, 360),
        (-15, 22, -130, 0, 360),
    ]
)
"""How the sheet is held: degrees about the picture's axes, its middle and distance in mm."""

Pose = tuple[float, float, tuple[float, float], float]


def sheet_view(lens: Lens, pose: Pose, seed: int) -> Picture:
    """Paint the sheet, held so, on a grey table."""
    tilt, turn, (x, y), away = pose
    sheet = lens_sheet()
    turned = np.radians([tilt, turn, 3.0 * seed])
    middle = cv2.Rodrigues(turned)[0] @ (sheet.width / 2, sheet.height / 2, 0)
    moved = np.array([x, y, away]) - middle
    picture = np.full((HEIGHT, WIDTH), 120, np.uint8)
    for shape in sheet.shapes:
        pixels = np.round(_pixels(lens, shape, turned, moved) * 16).astype(np.int32)
        cv2.fillPoly(picture, [pixels], 40 + 180 * rgb(shape.ink)[0], cv2.LINE_AA, shift=4)
    soft = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.8)
    grain = np.random.default_rng(seed).normal(0, 3, soft.shape)
    lit = np.clip(soft + grain, 0, 255).astype(np.uint8)
    colour: Picture = cv2.cvtColor(lit, cv2.COLOR_GRAY2BGR)
    return colour


def shown(lens: Lens, points: Floats, turned: Floats, moved: Floats) -> Floats:
    """Return the pixels of points in space, (n, 3) to (n, 2), as OpenCV has it."""
    (across, down), (x, y) = lens.focal, lens.centre
    matrix = np.array([[across, 0, x], [0, down, y], [0, 0, 1]])
    terms = np.array([*lens.radial, *lens.tangential])
    pixels, _ = cv2.projectPoints(points, turned, moved, matrix, terms)
    return np.asarray(pixels, float).reshape(-1, 2)


def _pixels(lens: Lens, shape: Shape, turned: Floats, moved: Floats) -> Floats:
    outline = np.array(shape.points)
    parts = np.linspace(0, 1, 9)[:-1, None]
    fine = np.concatenate(
        [a + (b - a) * parts for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True)]
    )
    return shown(lens, np.column_stack([fine, np.zeros(len(fine))]), turned, moved)
