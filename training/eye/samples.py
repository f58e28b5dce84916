"""Squares of painted boards with what stands on them, as the network is given them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from rules import SQUARES, Occupant, Position, grid, ninth_ray, parse_rules
from vision.geometry import (
    BoardView,
    Indices,
    Layout,
    Picture,
    Pose,
    fit_view,
    layout_of,
    square_grid,
)
from vision.witness import COVERED, Numbers, SquareWitness, long_cutter

from .looks import CameraLook, Ground, Look, look_of
from .painter import eye_of, hand_of, hidden_by, paint, painted_board, put, set_up, shade, shuffle

PICTURES = 3
"""Of each look, besides the first that teaches the colours."""

EMPTIES = 0.5
"""The share of empty squares that is kept: there are more of them than of others."""

CUT_OUT_SIDE = 480
"""Of pictures that end with the board, in pixels."""

HANDS, SHADED = 0.3, 0.3
"""How often a hand is in a picture, and how often the shadow of an arm."""

MORE_NEUTRALS = 5
"""Below so many neutral pieces are added to each picture of a board that has one: they are rare."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Squares as they are seen, and what stands there."""

    shown: NDArray[np.int8]
    """In steps of 1/100 from -1.28 on, (squares, rows, columns, channels)."""
    stood: Indices
    """What stood there in the first picture, (squares,)."""
    occupants: Indices
    """(squares,); COVERED where a hand hides it."""

    def part(self, chosen: Indices | slice) -> tuple[Numbers, Indices, Indices]:
        """Return some of the squares: what they show, what stood there, and what stands there."""
        shown = self.shown[chosen].astype(np.float32) / np.float32(100)
        return shown, self.stood[chosen], self.occupants[chosen]


def joined(parts: Sequence[Samples]) -> Samples:
    """Return all samples as one."""
    return Samples(
        np.concatenate([each.shown for each in parts]),
        np.concatenate([each.stood for each in parts]),
        np.concatenate([each.occupants for each in parts]),
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """A finished picture, and what is in it."""

    picture: Picture
    view: BoardView
    pose: Pose
    occupants: Indices
    """(squares,); COVERED where a hand hides it."""


def packed(shown: Numbers) -> NDArray[np.int8]:
    """Return what is shown in hundredths: a quarter of the memory."""
    return np.clip(np.round(100 * shown), -128, 127).astype(np.int8)


def layout_for(ground: Ground) -> Layout:
    """Return where the squares of a board lie."""
    match ground:
        case Ground.JETAN:
            return layout_of(grid())
        case Ground.CHESS:
            return square_grid(8)
    return layout_of(ninth_ray("clockwise"))


def first_occupants(ground: Ground, has_neutral: bool, chance: np.random.Generator) -> Indices:
    """Return what stands where in the first position."""
    if ground is Ground.CHESS:
        return np.array([2] * 16 + [0] * 32 + [1] * 16)
    board = "appendix" if ground is Ground.JETAN else "ninth-ray-clockwise"
    start = Position.start(parse_rules(board))
    occupants = np.array([int(start.occupant_at(square)) for square in SQUARES])
    if has_neutral:
        free = np.flatnonzero(occupants == Occupant.EMPTY)
        occupants[free[int(chance.integers(len(free)))]] = Occupant.NEUTRAL
    return occupants


def shown(seed: tuple[int, ...], pictures: int = PICTURES) -> tuple[Look, Layout, list[Shown]]:
    """Return a look drawn by a seed, and pictures of it; the first shows the first position."""
    chance = np.random.default_rng(seed)
    look = look_of(chance)
    layout = layout_for(look.board.ground)
    eye = eye_of(look.camera, layout, chance)
    board = painted_board(look, layout, chance)
    first = first_occupants(look.board.ground, look.has_neutral, chance)
    standing = set_up(look, first, chance)
    view, pose = eye.view, eye.pose
    if look.camera.is_cut_out:
        pose = _misjudged(pose, layout, chance)
    found: list[Shown] = []
    for number in range(pictures + 1):
        after = standing
        if number:
            moves = chance.integers(0, (4, 25, 70)[number % 3])
            after = shuffle(look, standing, len(layout.colours), int(moves), chance)
            if look.has_neutral:
                free = [square for square in range(len(layout.colours)) if square not in after]
                for square in chance.choice(free, int(chance.integers(MORE_NEUTRALS)), False):
                    after[int(square)] = put(look, int(square), Occupant.NEUTRAL, 0, chance)
        hand = hand_of(look, layout, chance) if number and chance.random() < HANDS else None
        raw = paint(look, layout, eye, after.values(), board, hand)
        if number and chance.random() < SHADED:
            shade(raw, chance)
        occupants = np.zeros(len(layout.colours), int)
        for piece in after.values():
            occupants[piece.square] = piece.who
        if hand is not None:
            occupants[hidden_by(look, layout, eye, hand)] = COVERED
        picture, there = developed(raw, look.camera, view, layout, chance, not number)
        found.append(
            Shown(picture, _misplaced(there, layout, look.camera, chance), pose, occupants)
        )
    return look, layout, found


def samples_of(
    seed: tuple[int, ...], pictures: int = PICTURES, empties: float = EMPTIES
) -> Samples:
    """Return the squares of the pictures of one look."""
    _, layout, taken = shown(seed, pictures)
    chance = np.random.default_rng((*seed, 1))
    first = taken[0]
    cut = long_cutter(first.view, layout, first.pose)(first.picture)
    witness = SquareWitness(layout, cut, first.occupants)
    parts = []
    for each in taken[1:]:
        points, stood = witness.inputs(long_cutter(each.view, layout, each.pose)(each.picture))
        kept = (each.occupants > 0) | (chance.random(len(each.occupants)) < empties)
        parts.append(Samples(packed(points[kept]), stood[kept], each.occupants[kept]))
    return joined(parts)


def _misjudged(pose: Pose, layout: Layout, chance: np.random.Generator) -> Pose:
    """Return a pose a little off, as one is that was found by how pieces lean."""
    middle = layout.size / 2
    away = np.array([pose.x - middle, pose.y - middle])
    turn = chance.normal(0, np.radians(9))
    cos, sin = np.cos(turn), np.sin(turn)
    away = np.array([cos * away[0] - sin * away[1], sin * away[0] + cos * away[1]])
    away *= float(np.exp(chance.normal(0, 0.25)))
    return replace(pose, x=float(middle + away[0]), y=float(middle + away[1]))


def _misplaced(
    view: BoardView, layout: Layout, look: CameraLook, chance: np.random.Generator
) -> BoardView:
    """Return a view a little off, as a board is found."""
    away = chance.normal(0, look.astray / 2, (4, 2))
    return fit_view(layout.corners, view.project(layout.corners + away), view)


def developed(
    raw: Numbers,
    look: CameraLook,
    view: BoardView,
    layout: Layout,
    chance: np.random.Generator,
    is_first: bool,
) -> tuple[Picture, BoardView]:
    """Return the picture that a camera makes of what it sees, and where the board is in it."""
    if look.is_cut_out:
        corners = view.project(layout.corners).astype(np.float32)
        last = CUT_OUT_SIDE - 0.5
        square = np.array([(-0.5, last), (last, last), (last, -0.5), (-0.5, -0.5)], np.float32)
        warp = cv2.getPerspectiveTransform(corners, square)
        size = (CUT_OUT_SIDE, CUT_OUT_SIDE)
        picture = cv2.warpPerspective(raw, warp, size, flags=cv2.INTER_AREA)
        there = BoardView(warp @ view.homography, 0.0, *size)
    else:
        share = look.width / raw.shape[1]
        size = (look.width, round(raw.shape[0] * share))
        picture = cv2.resize(raw, size, interpolation=cv2.INTER_AREA)
        # The middle of the first pixel is (0, 0), so halves move.
        scale = np.array([[share, 0, 0.5 * share - 0.5], [0, share, 0.5 * share - 0.5], [0, 0, 1]])
        there = BoardView(scale @ view.homography, 0.0, *size)
    drift = 0.0 if is_first else look.drift
    picture = picture * look.balance * np.exp(chance.normal(0, 0.3 * drift, 3))
    exposure = 0.75 / np.percentile(picture, 97) * np.exp(chance.normal(0, 0.7 * drift))
    if look.is_grey:
        picture = np.repeat(picture.mean(axis=2, keepdims=True), 3, axis=2)
    picture = np.clip(picture * exposure, 0.0, 1.0) ** (look.contrast / 2.2)
    picture = cv2.GaussianBlur(picture, (0, 0), look.blur)
    if chance.random() < 0.12:
        length = int(chance.integers(2, 9))
        picture = cv2.blur(picture, (length, 1) if chance.random() < 0.5 else (1, length))
    noise = chance.normal(0, look.noise, picture.shape[:2] + ((1,) if look.is_grey else (3,)))
    grainy = np.clip(255 * picture + noise, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", grainy, [cv2.IMWRITE_JPEG_QUALITY, look.quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), there
