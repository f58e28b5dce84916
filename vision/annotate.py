"""Draws into a picture what was read there."""

import cv2
import numpy as np

from rules import Occupant

from .arrays import Floats, Picture
from .camera import Sight
from .geometry import BoardView, Layout

Colour = tuple[int, int, int]

# Blue, green, red; told apart by shape too, for those who see these colours alike.
SIGNS: dict[int, tuple[Colour, int]] = {
    Occupant.BLACK: ((255, 160, 30), cv2.MARKER_SQUARE),
    Occupant.ORANGE: ((0, 230, 255), cv2.MARKER_DIAMOND),
    Occupant.NEUTRAL: ((255, 60, 220), cv2.MARKER_TILTED_CROSS),
}
OUTLINE: Colour = (90, 220, 90)
MOVE: Colour = (60, 60, 255)
SURE = 0.99


def annotated(sight: Sight, last: tuple[int, int] | None) -> Picture:
    """Return a settled sight's picture with outlines, occupants, doubts and the last move.

    A black piece has a square frame, an orange one a diamond, one of neither side a cross. A number
    is how sure the reading is, in per cent, where it is not quite sure.
    """
    assert sight.frame.picture is not None
    assert sight.place is not None
    view, layout = sight.place.view, sight.place.layout
    picture: Picture = cv2.resize(sight.frame.picture, (view.width, view.height))
    for outline in layout.outlines:
        points = view.project(np.array(outline, float))
        cv2.polylines(picture, [np.rint(points).astype(np.int32)], True, OUTLINE, 1, cv2.LINE_AA)
    if sight.seen is not None:
        _draw_occupants(picture, sight.seen.likelihoods, view, layout)
    if last is not None:
        start, end = (view.project(layout.centres[square]) for square in last)
        cv2.arrowedLine(picture, _pixel(start), _pixel(end), MOVE, 2, cv2.LINE_AA, tipLength=0.12)
    return picture


def as_jpeg(picture: Picture) -> bytes:
    """Return a picture as a JPEG file's bytes."""
    good, data = cv2.imencode(".jpg", picture)
    assert good
    encoded: bytes = data.tobytes()
    return encoded


def _draw_occupants(picture: Picture, likelihoods: Floats, view: BoardView, layout: Layout) -> None:
    sure = np.exp(likelihoods) / np.exp(likelihoods).sum(axis=1, keepdims=True)
    radii = 0.3 * view.square_px(layout.centres) * layout.spans
    for square, occupant in enumerate(likelihoods.argmax(axis=1).tolist()):
        x, y = _pixel(view.project(layout.centres[square]))
        radius = max(int(radii[square]), 3)
        colour, sign = SIGNS.get(occupant, (OUTLINE, None))
        if sign is not None:
            cv2.drawMarker(picture, (x, y), colour, sign, 2 * radius, 2, cv2.LINE_AA)
        if sure[square, occupant] < SURE:
            percent = f"{100 * sure[square, occupant]:.0f}"
            font, scale = cv2.FONT_HERSHEY_SIMPLEX, max(radius / 28, 0.35)
            cv2.putText(picture, percent, (x - radius, y), font, scale, (0, 0, 0), 3, cv2.LINE_AA)
            cv2.putText(picture, percent, (x - radius, y), font, scale, colour, 1, cv2.LINE_AA)


def _pixel(point: Floats) -> tuple[int, int]:
    x, y = np.round(point).astype(int).tolist()
    return x, y
