"""Pictures for people of what the camera sees, and measures of a picture's quality."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from rules import Occupant

from .appearance import SquareEvidence
from .camera import Sight
from .finder import BoardPlace, line_of, smooth
from .geometry import BoardView, Floats, Layout, Picture, along_sides, pose_of
from .sources import HEIGHT, WIDTH

AROUND = 1.3
"""Margin around the squares shown, in squares: tall pieces lean over others."""

CUT_PX = 280
"""Height of pictures shown side by side, in pixels."""

GAP_PX = 12

GUESS = np.array([(0.25, 0.85), (0.75, 0.85), (0.7, 0.15), (0.3, 0.15)])
"""First guess of a board's corners, in shares of the picture."""


def pixels_of(sight: Sight | None, set_by_hand: Floats | None) -> dict[str, object]:
    """Return the size of a sight's picture, the corners a1, j1, j10, a10 and the squares' outlines.

    Of a board that was not found there are no outlines, and the corners are as set by hand, or a
    guess; the size is None where there is no picture.
    """
    picture, place = (None, None) if sight is None else (sight.frame.picture, sight.place)
    size = None if picture is None else (picture.shape[1], picture.shape[0])
    if place is None:
        corners = GUESS * (size or (WIDTH, HEIGHT)) if set_by_hand is None else set_by_hand
        return {"size": size, "corners": corners.round(1).tolist(), "outlines": []}
    project = place.view.project
    outlines = [project(np.array(each)).round(1).tolist() for each in place.layout.outlines]
    corners = project(place.layout.corners)
    return {"size": size, "corners": corners.round(1).tolist(), "outlines": outlines}


def cut_out(sight: Sight | None, squares: Sequence[int]) -> Picture | None:
    """Return a sight's picture around squares; None if the board was not found in it."""
    picture, place = (None, None) if sight is None else (sight.frame.picture, sight.place)
    if picture is None or place is None or not squares:
        return None
    rims = [place.view.project(np.array(place.layout.outlines[n])) for n in squares]
    points = np.concatenate(rims)
    margin = AROUND * max(float(np.ptp(rim, axis=0).max()) for rim in rims)
    limits = np.array([picture.shape[1], picture.shape[0]])
    scale = limits / (place.view.width, place.view.height)
    low = np.clip((points.min(axis=0) - margin) * scale, 0, limits - 1).astype(int)
    high = np.clip((points.max(axis=0) + margin) * scale, low + 1, limits).astype(int)
    return picture[low[1] : high[1], low[0] : high[0]]


def side_by_side(*pictures: Picture) -> Picture:
    """Return pictures joined side by side, equally high."""
    gap = np.full((CUT_PX, GAP_PX, 3), 255, np.uint8)
    parts: list[Picture] = []
    for picture in pictures:
        width = max(round(picture.shape[1] * CUT_PX / picture.shape[0]), 1)
        parts += [gap, cv2.resize(picture, (width, CUT_PX))]
    return np.hstack(parts[1:])


def as_jpeg(picture: Picture) -> bytes:
    """Return a picture as a JPEG file's bytes."""
    good, data = cv2.imencode(".jpg", picture)
    assert good
    return data.tobytes()


# ------------------------------------------------------------------ what was read


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


# ------------------------------------------------------------------ how good a picture is


CLEAR, HIDDEN = 0.8, 0.5
"""Median share of lines seen around empty squares in a clear picture, and the share below which one
square is covered then. None is so in 99 painted and rendered pictures without hands; some are in 9
of 24 from below 36 degrees, behind tall pieces."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Measures of a picture in which a board was found."""

    square_px: float
    """Width of the narrowest square, in pixels."""
    elevation: float
    """The camera's elevation in degrees; 90 is straight above."""
    step: float
    """Grey levels between light and dark squares."""
    blur: float
    """Width of the lines between them, in pixels."""
    burnt: float
    """Share of the board that is too bright to show anything."""
    strip: float
    """Width of the surroundings in the picture at the narrowest side, in squares."""


def quality_of(picture: Picture, place: BoardPlace) -> Quality:
    """Return the measures of a picture by the board found in it."""
    view, layout = place.view, place.layout
    middle = np.full(2, layout.size / 2)
    step, blur = line_of(picture, place)
    inside = np.zeros(picture.shape[:2], np.uint8)
    corners = np.round(view.project(layout.corners)).astype(np.int32)
    cv2.fillConvexPoly(inside, corners, 1)
    burnt = float((picture.min(axis=2)[inside > 0] > 250).mean())
    along = view.locate(along_sides(view.rim, 39))
    outside = np.maximum(-along, along - layout.size).max(axis=1)
    return Quality(
        float(view.square_px(layout.centres).min()),
        pose_of(view, middle).elevation(middle),
        step,
        blur,
        burnt,
        float(outside.min()),
    )


def covered(picture: Picture, place: BoardPlace, occupants: Sequence[int]) -> list[int]:
    """Return the empty squares whose lines are hidden by something, if there are two or more.

    Lines beside pieces do not count, since pieces hide them. None are returned for a board whose
    lines are hard to see.
    """
    gray = smooth(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    between, is_empty = place.layout.edges.between, np.array(occupants) == Occupant.EMPTY
    looked_at = is_empty[between].all(axis=1)
    on_steps = looked_at & place.lines.are_seen(gray, place.sign)
    points, clear = (
        np.bincount(between[each].ravel(), minlength=len(is_empty))
        for each in (looked_at, on_steps)
    )
    shares = clear[points > 0] / points[points > 0]
    hidden = np.flatnonzero(points > 0)[shares < HIDDEN]
    is_clear = bool(shares.size) and float(np.median(shares)) >= CLEAR
    return [int(square) for square in hidden] if is_clear and len(hidden) > 1 else []


def range_of(picture: Picture) -> float:
    """Return the grey levels between a picture's dark and light parts."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(gray, (5, 95))
    return float(high - low)


def unsure(evidence: SquareEvidence, nats: float) -> list[int]:
    """Return the squares whose likeliest occupant leads by less than `nats`, and covered ones."""
    ordered = np.sort(evidence.likelihoods, axis=1)
    near = ordered[:, -1] - ordered[:, -2] < nats
    return [int(square) for square in np.flatnonzero(near | evidence.is_covered)]


def shift_of(before: BoardPlace, now: BoardPlace) -> float:
    """Return the largest move of a board's corners, in squares."""
    corners = before.layout.corners
    pixels = now.view.project(corners) - before.view.project(corners)
    return float(np.hypot(*pixels.T).max() / now.view.square_px(before.layout.centres).min())
