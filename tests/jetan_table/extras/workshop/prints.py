"""Printed boards and pieces, painted as a camera sees them: the pages' own shapes, on a table.

The pages are glued together a little off, pieces stand off the middle and turned, and cards lean
nowhere but throw a shadow.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

import cv2
import numpy as np

from hardware.build import Build
from jetan_table.extras.workshop.paper import (
    JUGGERNAUT,
    TALL,
    Man,
    board_sheet,
    disc_of,
    standing_of,
)
from jetan_table.extras.workshop.sheet import (
    CAPITAL,
    OVERLAP_MM,
    PAPERS,
    Label,
    Point,
    Shape,
    Sheet,
    cut_of,
    rgb,
    tiles,
)
from rules import Occupant, Position, Square
from vision.geometry import BoardView, Floats, Picture
from vision.painted import Colour, Stage
from vision.sources import HEIGHT, WIDTH

DOTS_A_MM = 3.0
FINE = 16
"""Parts of a dot, as OpenCV counts them."""

GLUED_OFF_MM = 0.6
PUT_OFF = 0.12
"""How far off its square's middle a piece stands, as a share of its foot's width."""

CAPITAL_DOTS = 21.0
"""How high OpenCV's capitals are at scale 1."""

THICK_MM = 2.0
"""Of the cardboard under a disc."""

SHADOW = 0.7
"""How bright it is in a shadow..."""
SHADOW_WAY = np.array([0.5, 0.3])
"""... which falls so far for each unit of height, to the sheet's right and down."""


def rasterised(
    shapes: Iterable[Shape], labels: Iterable[Label], width: float, height: float
) -> Picture:
    """Return what is printed on white paper, three dots a millimetre."""
    picture = np.full((round(height * DOTS_A_MM), round(width * DOTS_A_MM), 3), 255, np.uint8)
    draw(picture, shapes, labels)
    return picture


def draw(picture: Picture, shapes: Iterable[Shape], labels: Iterable[Label] = ()) -> None:
    """Draw shapes and words in millimetres into a picture of three dots a millimetre."""
    for shape in shapes:
        points = np.round((np.array(shape.points) * DOTS_A_MM - 0.5) * FINE).astype(np.int32)
        cv2.fillPoly(picture, [points], bgr(shape), cv2.LINE_AA, shift=4)
    for label in labels:
        _write(picture, label)


def bgr(inked: Shape | Label) -> Colour:
    """Return an ink as OpenCV takes it."""
    red, green, blue = (255 * part for part in rgb(inked.ink))
    return blue, green, red


def _write(picture: Picture, label: Label) -> None:
    scale = label.size * CAPITAL * DOTS_A_MM / CAPITAL_DOTS
    font = cv2.FONT_HERSHEY_SIMPLEX
    thick = max(round(scale * 3), 1)
    (wide, high), _ = cv2.getTextSize(label.text, font, scale, thick)
    half = (wide + high) // 2 + 4
    mask = np.zeros((2 * half, 2 * half), np.uint8)
    at = (half - wide // 2, half + high // 2)
    cv2.putText(mask, label.text, at, font, scale, 255, thick, cv2.LINE_AA)
    turned = cv2.getRotationMatrix2D((half, half), -label.turn, 1.0)
    mask = cv2.warpAffine(mask, turned, mask.shape)
    x, y = (round(each * DOTS_A_MM) - half for each in label.middle)
    rows = slice(max(y, 0), max(y + 2 * half, 0))
    columns = slice(max(x, 0), max(x + 2 * half, 0))
    under = picture[rows, columns]
    share = mask[rows.start - y :, columns.start - x :][: under.shape[0], : under.shape[1], None]
    share = share / 255.0
    picture[rows, columns] = (under * (1 - share) + np.array(bgr(label)) * share).astype(np.uint8)


def glued(sheet: Sheet, paper: Point, seed: int, off: float = GLUED_OFF_MM) -> Picture:
    """Return a sheet put together of its pages, each at most so many millimetres off its place."""
    cut, chance = cut_of(sheet, paper), Random(seed)
    whole = np.full(
        (round(sheet.height * DOTS_A_MM), round(sheet.width * DOTS_A_MM), 3), 255, np.uint8
    )
    for number, page in enumerate(tiles(sheet, paper)):
        row, column = divmod(number, cut.columns)
        printed = rasterised(page.shapes, page.labels, page.width, page.height)
        inset = [OVERLAP_MM / 2 if each else 0.0 for each in (column, row)]
        slip = [chance.uniform(-off, off) if number else 0.0 for _ in (0, 1)]
        start = [
            place * step + within
            for place, step, within in zip((column, row), cut.step, inset, strict=True)
        ]
        left, top, x, y = (
            round(each * DOTS_A_MM)
            for each in (
                cut.corner[0] + inset[0] + slip[0],
                cut.corner[1] + inset[1] + slip[1],
                *start,
            )
        )
        wide, high = (
            round((each - within) * DOTS_A_MM)
            for each, within in zip(cut.window, inset, strict=True)
        )
        there = whole[y : y + high, x : x + wide]
        there[:] = printed[top : top + there.shape[0], left : left + there.shape[1]]
    return whole


@dataclass(frozen=True)
class PrintedStage(Stage):
    """A camera over a printed board; pieces are discs, or such as `stand`."""

    build: Build | None = None
    stand: bool = False
    paper: str = "a4"
    tint: Colour = (1.0, 1.0, 1.0)
    """What the light does to blue, green and red."""
    seed: int = 1

    @cached_property
    def sheet(self) -> Sheet:
        """The whole board."""
        assert self.build is not None
        return board_sheet(self.build)

    @cached_property
    def board(self) -> Picture:
        """The board as it was glued together."""
        return glued(self.sheet, PAPERS[self.paper], self.seed)

    @cached_property
    def seeing(self) -> tuple[BoardView, Floats, Picture, Picture]:
        """The view, the camera's place, and where in the sheet each pixel looks."""
        view, place = self.camera
        x, y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
        pixels = np.column_stack([x.ravel(), y.ravel()]).astype(float)
        points = self.on_sheet(view.locate(pixels)) * DOTS_A_MM - 0.5
        across, down = points.astype(np.float32).reshape(HEIGHT, WIDTH, 2).transpose(2, 0, 1)
        return view, place, np.ascontiguousarray(across), np.ascontiguousarray(down)

    def on_sheet(self, points: Floats) -> Floats:
        """Return where points in board units lie on the sheet, in millimetres."""
        assert self.build is not None
        middle = np.array([self.sheet.width, self.sheet.height]) / 2
        return middle + (points - 5) * (self.build.unit_mm, -self.build.unit_mm)

    def showing(
        self, position: Position, number: int, hand: tuple[float, float] | None = None
    ) -> Picture:
        """Paint a position as the camera's picture of that number."""
        lit = self.seen(self._placed(position), number, hand)
        tinted: Picture = np.clip(lit * np.array(self.tint), 0, 255).astype(np.uint8)
        return tinted

    def _placed(self, position: Position) -> Picture:
        """Paint a position in full light."""
        view, place, across, down = self.seeing
        flat = self.board.copy()
        men = list(self._men(position))
        for _, man, at, turn in men:
            self._lay(flat, man, at, turn)
        soft = cv2.GaussianBlur(flat, (0, 0), 0.35 * DOTS_A_MM)
        picture: Picture = cv2.remap(
            soft, across, down, cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, self.table
        ).astype(np.uint8, copy=False)
        if self.stand:
            men.sort(key=lambda each: -float(np.hypot(*(each[2] - place[:2]))))
            for _, man, at, turn in men:
                self._raise_card(picture, view, place, man, at, turn)
        return picture

    def _men(self, position: Position) -> Iterator[tuple[Square, Man, Floats, float]]:
        """Yield each piece, where it stands in board units, and how it is turned, in radians."""
        assert self.build is not None
        men: dict[Square, Man] = {
            square: Man(Occupant.ORANGE if piece.side else Occupant.BLACK, piece.kind.value)
            for square, piece in position.pieces().items()
        }
        if position.juggernaut is not None:
            men[position.juggernaut] = Man(Occupant.NEUTRAL, JUGGERNAUT)
        for square, man in sorted(men.items()):
            chance = Random(f"{self.seed} {square} {man.letter} {man.side}")
            reach = PUT_OFF * self.build.base_mm / self.build.unit_mm
            off = [chance.uniform(-reach, reach) for _ in (0, 1)]
            turn = chance.uniform(-0.35, 0.35) + (np.pi if man.side == Occupant.ORANGE else 0.0)
            yield square, man, self.layout.centres[square] + off, turn

    def _lay(self, flat: Picture, man: Man, at: Floats, turn: float) -> None:
        """Draw a disc on the board, or both feet of a card, and a line of shadow beside them."""
        assert self.build is not None
        disc = disc_of(man, self.build)
        radius = self.build.base_mm / 2
        middle = self.on_sheet(at)
        self._shade(flat, middle, radius, turn)
        shapes = disc.shapes[:3] if self.stand else disc.shapes
        draw(flat, [_placed_shape(shape, radius, middle, turn) for shape in shapes])

    def _shade(self, flat: Picture, middle: Floats, radius: float, turn: float) -> None:
        """Draw a disc's narrow shadow, and a card's."""
        x, y = (int(each * DOTS_A_MM) for each in middle)
        reach = int(3 * radius * DOTS_A_MM)
        near = flat[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach]
        mask = np.zeros(near.shape[:2], np.uint8)
        start = np.array([max(x - reach, 0), max(y - reach, 0)])
        at = np.round((middle + THICK_MM * SHADOW_WAY) * DOTS_A_MM - start).astype(int).tolist()
        cv2.circle(mask, at, round(radius * DOTS_A_MM), 255, -1, cv2.LINE_AA)
        if self.stand:
            along = radius * np.array([np.cos(turn), -np.sin(turn)])
            fall = TALL * 2 * radius * SHADOW_WAY
            shadow = [middle - along, middle + along, middle + along + fall, middle - along + fall]
            points = np.round(np.array(shadow) * DOTS_A_MM - start).astype(np.int32)
            cv2.fillPoly(mask, [points], 255, cv2.LINE_AA)
        dark = cv2.GaussianBlur(mask, (0, 0), 0.7 * DOTS_A_MM)[:, :, None] / 255.0
        near[:] = (near * (1 - (1 - SHADOW) * dark)).astype(np.uint8)

    def _raise_card(
        self,
        picture: Picture,
        view: BoardView,
        place: Floats,
        man: Man,
        at: Floats,
        turn: float,
    ) -> None:
        """Stand the card up on its feet: the side that the camera sees, and its shadow."""
        assert self.build is not None
        printed, size = face_of(man, self.build)
        along = np.array([np.cos(turn), np.sin(turn)]) * size[0] / 2 / self.build.unit_mm
        front = np.array([along[1], -along[0]])
        if front @ (place[:2] - at) < 0:
            along = -along
        high = size[1] / self.build.unit_mm
        foot = np.stack([at - along, at + along])
        top = foot + (foot - place[:2]) * high / (place[2] - high)
        quad = view.project(np.vstack([top, foot[::-1]])).astype(np.float32)
        left, upper = np.floor(quad.min(axis=0)).astype(int) - 1
        right, lower = np.ceil(quad.max(axis=0)).astype(int) + 2
        tall, wide = printed.shape[:2]
        corners = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(corners, quad - np.array([left, upper], np.float32))
        size = (int(right - left), int(lower - upper))
        there = cv2.warpPerspective(np.full((tall, wide), 255, np.uint8), warp, size)
        warped = cv2.warpPerspective(printed, warp, size, borderMode=cv2.BORDER_REPLICATE)
        share = there[:, :, None] / 255.0
        under = picture[upper:lower, left:right]
        under[:] = (under * (1 - share) + warped * share).astype(np.uint8)


_FACES: dict[tuple[Man, Build], tuple[Picture, Point]] = {}


def face_of(man: Man, build: Build) -> tuple[Picture, Point]:
    """Return what the front of a standing card shows, and its size in millimetres."""
    known = _FACES.get((man, build))
    if known is None:
        card = standing_of(man, build)
        radius = build.base_mm / 2
        whole = rasterised(card.shapes, card.labels, card.width, card.height)
        first, last = card.height / 2, card.height - radius
        face = whole[round(first * DOTS_A_MM) : round(last * DOTS_A_MM)]
        known = cv2.GaussianBlur(face, (0, 0), 0.35 * DOTS_A_MM), (card.width, last - first)
        _FACES[man, build] = known
    return known


def _placed_shape(shape: Shape, radius: float, middle: Floats, turn: float) -> Shape:
    """Return a disc's shape where the disc lies; a turn is counter-clockwise as seen."""
    across, up = np.cos(turn), np.sin(turn)
    points = np.array(shape.points) - radius
    turned = points @ np.array([[across, -up], [up, across]]) + middle
    return Shape(tuple(map(tuple, turned.tolist())), shape.ink)
