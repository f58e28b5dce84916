"""Painted pictures of boards: a camera over a board with simple pieces, hands, light and noise.

Simulated cameras and tests look at these instead of pictures of a real board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist

import cv2
import numpy as np

from rules import Occupant

from .geometry import BoardView, Floats, Layout, Lens, Picture, along_sides
from .markers import DICTIONARY
from .sources import HEIGHT, WIDTH

Colour = tuple[float, float, float]

# Foot, waist, collar and head of a piece: heights and radii in squares.
PROFILE = (
    (0.0, 0.36),
    (0.12, 0.33),
    (0.2, 0.2),
    (0.6, 0.12),
    (0.65, 0.2),
    (0.9, 0.16),
    (1.0, 0.03),
)

PARTS = 5
"""Straight parts in which a side of an outline is drawn: lenses bend it."""

FINE = 4
"""Binary places below a pixel by which outlines are drawn."""

NOISE_OF_BYTE = np.array([NormalDist().inv_cdf((n + 0.5) / 256) for n in range(256)], np.float32)
"""Normally distributed noise for each random byte: bytes are drawn far faster."""


@dataclass(frozen=True)
class Stage:
    """A board under a camera. Colours are blue, green, red.

    `elevation` and `turn` are the camera's, in degrees; `light` multiplies everything, `shade`
    darkens one side of the picture; `noise` is in grey levels, `shift` in pixels; `lens` and
    `measured` are as in `BoardView`.
    """

    layout: Layout
    elevation: float = 65.0
    turn: float = 0.0
    dark: Colour = (35, 35, 40)
    pale: Colour = (60, 140, 230)
    table: Colour = (90, 110, 120)
    paints: Mapping[int, Colour] = field(
        default_factory=lambda: {
            Occupant.BLACK: (25, 22, 20),
            Occupant.ORANGE: (40, 110, 225),
            Occupant.NEUTRAL: (120, 95, 80),
        }
    )
    flat: frozenset[int] = frozenset()
    """Occupants painted without shading, which look like a square of their colour."""
    light: float = 1.0
    shade: float = 0.2
    lens: float = -0.1
    noise: float = 3.0
    shift: tuple[float, float] = (0.0, 0.0)
    measured: Lens | None = None

    @property
    def view(self) -> BoardView:
        """The true view, by which what a finder says is judged."""
        return self.camera[0]

    @cached_property
    def camera(self) -> tuple[BoardView, Floats]:
        """The view, and the camera's position in board units, (3,)."""
        size = self.layout.size
        up, turn = np.radians(self.elevation), np.radians(self.turn)
        focal = 0.85 * WIDTH
        away = 2.05 * size
        middle = np.array([size / 2, size / 2, 0.0])
        sight = np.array([np.cos(up) * np.sin(turn), -np.cos(up) * np.cos(turn), np.sin(up)])
        place = middle + away * sight
        across = np.array([np.cos(turn), np.sin(turn), 0.0])
        down = np.cross(-sight, across)
        turned = np.stack([across, down, -sight])
        centre = ((WIDTH - 1) / 2 + self.shift[0], (HEIGHT - 1) / 2 + self.shift[1])
        inner = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]])
        outer = np.column_stack([turned[:, 0], turned[:, 1], -turned @ place])
        return BoardView(inner @ outer, self.lens, WIDTH, HEIGHT, self.measured), place

    def paint(
        self,
        occupants: Iterable[int],
        seed: int,
        *,
        markers: Mapping[int, Floats] | None = None,
        hand: tuple[float, float] | None = None,
        stir: Iterable[int] = (),
    ) -> Picture:
        """Paint a picture, each piece off its middle by chance, the same each time.

        `hand` is a point of the board that a hand reaches for from the right. Pieces on the squares
        in `stir` stand elsewhere in their squares than otherwise.
        """
        return self.seen(self.stood(occupants, markers, stir), seed, hand)

    def stood(
        self,
        occupants: Iterable[int],
        markers: Mapping[int, Floats] | None = None,
        stir: Iterable[int] = (),
    ) -> Picture:
        """Paint the board with its pieces alone, in full light."""
        view, place = self.camera
        picture = self._bare.copy()
        for number, quad in (markers or {}).items():
            _print_marker(picture, view, number, quad)
        standing = [(s, o) for s, o in enumerate(occupants) if o != Occupant.EMPTY]
        standing.sort(
            key=lambda each: -float(np.hypot(*(self.layout.centres[each[0]] - place[:2])))
        )
        for square, occupant in standing:
            off = np.random.default_rng(1000 + square + 7919 * (square in set(stir)))
            at = self.layout.centres[square] + self.layout.spans[square] * off.uniform(
                -0.15, 0.15, 2
            )
            self._stand(picture, at, self.layout.spans[square], occupant)
        return picture

    def seen(self, stood: Picture, seed: int, hand: tuple[float, float] | None = None) -> Picture:
        """Return a full-light painting as the camera sees it: hand, light, and noise by `seed`."""
        if hand is not None:
            stood = stood.copy()
            self._reach(stood, np.array(hand))
        fall = np.linspace(1 + self.shade / 2, 1 - self.shade / 2, WIDTH, dtype=np.float32)
        lit = cv2.GaussianBlur(stood.astype(np.float32), (0, 0), 0.8)
        lit *= self.light * fall[:, None]
        grain = np.random.default_rng(seed).integers(0, 256, stood.shape, np.uint8)
        lit += cv2.LUT(grain, self.noise * NOISE_OF_BYTE)
        picture: Picture = np.clip(lit, 0, 255, out=lit).astype(np.uint8)
        return picture

    def bumped(self, right: float, down: float) -> Stage:
        """Return the scene after a bump that shifts the picture, in pixels."""
        return replace(self, shift=(right, down))

    @cached_property
    def _bare(self) -> Picture:
        """The board without pieces, in full light."""
        picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
        picture[:] = self.table
        size = self.layout.size
        frame = size / 2 + (self.layout.corners - size / 2) * (1 + 1.2 / size)
        outlines = [frame, *(np.array(outline, float) for outline in self.layout.outlines)]
        tones = [self.pale if is_pale else self.dark for is_pale in self.layout.colours]
        for outline, colour in zip(outlines, [(70.0, 80.0, 90.0), *tones], strict=True):
            _fill(picture, self.view.project(along_sides(outline, PARTS)), colour)
        return picture

    def _stand(self, picture: Picture, at: Floats, span: float, occupant: int) -> None:
        """Paint a piece as a stack of rings, from its foot up."""
        view, place = self.camera
        paint, is_flat = self.paints[occupant], occupant in self.flat
        heights, radii = np.array(PROFILE).T * span
        turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        around = np.column_stack([np.cos(turns), np.sin(turns)])
        high = np.linspace(0, heights[-1], 26)[:, None]
        leaning = at + (at - place[:2]) * high / (place[2] - high)
        rings = leaning[:, None] + np.interp(high, heights, radii)[..., None] * around
        glow = np.ones_like(high) if is_flat else 0.8 + 0.45 * high / heights[-1]
        colours = np.clip(paint * glow, 0.0, 255.0)
        for ring, colour in zip(view.project(rings), colours.tolist(), strict=True):
            _fill(picture, ring, colour)
            if not is_flat:
                edge = [0.6 * channel for channel in colour]
                rim = np.round(ring).astype(np.int32)
                cv2.polylines(picture, [rim], True, edge, 1, cv2.LINE_AA)

    def _reach(self, picture: Picture, at: Floats) -> None:
        tip = self.view.project(at)
        wrist = np.array([WIDTH + 60.0, tip[1] - 40])
        skin = (135, 165, 215)
        ends = np.round([tip, wrist]).astype(int).tolist()
        cv2.line(picture, ends[0], ends[1], skin, 70, cv2.LINE_AA)
        for finger in (-22, 0, 22):
            reach = (ends[0][0] - 35, ends[0][1] + finger)
            cv2.line(picture, ends[0], reach, skin, 16, cv2.LINE_AA)


def corner_markers(layout: Layout, side: float = 1.0, gap: float = 0.15) -> dict[int, Floats]:
    """Return markers 0..3 beside the corners a1, j1, j10 and a10, in board units, (4, 2) each."""
    lows = np.where(layout.corners > 0, layout.size + gap, -gap - side)
    quad = np.array([(0, side), (side, side), (side, 0), (0, 0)])
    return {number: low + quad for number, low in enumerate(lows)}


def _fill(picture: Picture, pixels: Floats, colour: Colour) -> None:
    fine = np.round(pixels * 2**FINE).astype(np.int32)
    cv2.fillPoly(picture, [fine], colour, cv2.LINE_AA, shift=FINE)


def _print_marker(picture: Picture, view: BoardView, number: int, quad: Floats) -> None:
    middle = quad.mean(axis=0)
    paper = np.round(view.project(middle + (quad - middle) * 1.4)).astype(np.int32)
    cv2.fillPoly(picture, [paper], (245, 245, 245), cv2.LINE_AA)
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    marker = cv2.cvtColor(cv2.aruco.generateImageMarker(known, number, 240), cv2.COLOR_GRAY2BGR)
    corners = np.array([(0, 0), (239, 0), (239, 239), (0, 239)], np.float32)
    warp = cv2.getPerspectiveTransform(corners, view.project(quad).astype(np.float32))
    size = (picture.shape[1], picture.shape[0])
    there = cv2.warpPerspective(np.full((240, 240), 255, np.uint8), warp, size)
    printed = cv2.warpPerspective(marker, warp, size, flags=cv2.INTER_AREA)
    picture[there > 127] = printed[there > 127]


def blurred(picture: Picture, pixels: float) -> Picture:
    """Return a picture out of focus; `pixels` is the blur's standard deviation."""
    soft: Picture = cv2.GaussianBlur(picture, (0, 0), pixels)
    return soft
