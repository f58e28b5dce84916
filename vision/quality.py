"""How good a picture is for reading a board: sharpness, exposure, the camera's place."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .appearance import SquareEvidence
from .arrays import Floats, Gray, Picture
from .board_finder import BoardPlace
from .pose import pose_of


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
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    middle = np.full(2, layout.size / 2)
    step, blur = _line(gray, place)
    inside = np.zeros(gray.shape, np.uint8)
    corners = np.round(view.project(layout.corners)).astype(np.int32)
    cv2.fillConvexPoly(inside, corners, 1)
    burnt = float((picture.min(axis=2)[inside > 0] > 250).mean())
    right, bottom = view.width - 1, view.height - 1
    rim = np.array([(0, 0), (right, 0), (right, bottom), (0, bottom)], float)
    x, y = view.locate(_along(rim)).T
    size = layout.size
    outside = np.maximum(np.maximum(-x, x - size), np.maximum(-y, y - size))
    return Quality(
        float(view.square_px(layout.centres).min()),
        pose_of(view, middle).elevation(middle),
        step,
        blur,
        burnt,
        float(outside.min()),
    )


def _line(gray: Gray, place: BoardPlace) -> tuple[float, float]:
    """Return how high and how wide the typical step between a dark and a light square is."""
    edges = place.layout.edges
    away = np.linspace(-0.2, 0.2, 41)
    points = edges.points[:, None] + edges.normals[:, None] * away[:, None]
    pixels = place.view.project(points).astype(np.float32)
    values = cv2.remap(gray, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR).astype(float)
    profile = place.sign * np.median(values, axis=0)
    low, high = float(profile[:8].mean()), float(profile[-8:].mean())
    step = max(high - low, 1.0)
    smeared = np.count_nonzero((profile > low + 0.1 * step) & (profile < high - 0.1 * step))
    unit = float(np.median(place.view.square_px(edges.points)))
    return step, smeared * float(away[1] - away[0]) * unit


def _along(corners: Floats) -> Floats:
    """Return points along the sides between corners."""
    parts = np.linspace(0, 1, 40)[:-1, None]
    following = np.roll(corners, -1, axis=0)
    return np.concatenate(
        [start + (end - start) * parts for start, end in zip(corners, following, strict=True)]
    )


FEATURELESS = 3.0
"""Grey levels by which a softened picture varies, if it shows anything at all."""

SOFT_PX = 5.0
"""It is softened by so many pixels, so that noise counts for nothing."""


def is_featureless(picture: Picture) -> bool:
    """Whether a picture shows nothing: the lens is covered, or there is no light."""
    soft = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), SOFT_PX)
    return float(soft.std()) < FEATURELESS


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
