"""How good a picture is for reading a board: sharpness, exposure, the camera's place."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from rules import Occupant

from .appearance import SquareEvidence
from .arrays import Picture
from .finder import BoardPlace, line_of, smooth
from .geometry import along_sides, pose_of

CLEAR, HIDDEN = 0.8, 0.5
"""Where half of the empty squares show so much of the lines between them, one that shows less than
the second is covered. So are squares in none of 99 painted and rendered pictures without hands; in
9 of 24 from below 36 degrees, where tall pieces cover some."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What matters of a picture in which a board was found."""

    square_px: float
    """The narrowest square's width, in pixels."""
    elevation: float
    """How high the camera stands, in degrees: 90 is straight above."""
    step: float
    """Grey levels between light and dark squares."""
    blur: float
    """Over how many pixels a line between them is smeared."""
    burnt: float
    """The share of the board that is too bright to show anything."""
    strip: float
    """How many squares of the board's surroundings are in the picture, at the narrowest side."""


def quality_of(picture: Picture, place: BoardPlace) -> Quality:
    """Judge a picture by the board that was found in it."""
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
    """Return the empty squares over which something lies that hides their lines.

    Lines beside pieces tell nothing: these hide them. Nothing is told of one square alone, nor of
    a board whose lines are hard to see.
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
    """Return how many grey levels lie between a picture's dark and light parts."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(gray, (5, 95))
    return float(high - low)


def unsure(evidence: SquareEvidence, nats: float) -> list[int]:
    """Return the squares of which the likeliest occupant is ahead by less than `nats`."""
    ordered = np.sort(evidence.likelihoods, axis=1)
    near = ordered[:, -1] - ordered[:, -2] < nats
    return [int(square) for square in np.flatnonzero(near | evidence.is_strange)]


def shift_of(before: BoardPlace, now: BoardPlace) -> float:
    """Return how far a board's corners lie from where they were, in squares at the most."""
    corners = before.layout.corners
    pixels = now.view.project(corners) - before.view.project(corners)
    return float(np.hypot(*pixels.T).max() / now.view.square_px(before.layout.centres).min())
