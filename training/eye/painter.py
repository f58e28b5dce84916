"""Paints boards with what stands on them, in any look: quick, for thousands of pictures.

Where everything lies in a picture is told first: a camera over the board, and what stands there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import compress, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import BoardView, Flags, Floats, Indices, Layout, Pose
from vision.witness import Numbers

from .looks import CameraLook, Look, Make, Profile

SIZE = (960, 720)
"""In which pictures are painted, in pixels, before they are made smaller."""

ROOM = 0.8
"""How much of the table about the board is seen at least, in squares."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands on one square."""

    square: int
    who: int
    kind: int
    """Which of the set's profiles and letters."""
    off: tuple[float, float]
    turn: float
    shade: float
    """How much lighter than others of its side, as a factor."""


@dataclass(frozen=True, slots=True)
class Eye:
    """A camera: `matrix` takes (x, y, up, 1) to pixels, `at` is its place, all in board units."""

    matrix: Floats
    at: Floats

    def project(self, points: Floats) -> Floats:
        """Return the pixels of points in space, (..., 3) to (..., 2)."""
        lifted = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        pixels: Floats = lifted[..., :2] / lifted[..., 2:]
        return pixels

    @property
    def view(self) -> BoardView:
        """What it sees of the board's plane."""
        return BoardView(self.matrix[:, [0, 1, 3]], 0.0, *SIZE)

    @property
    def pose(self) -> Pose:
        """Its place."""
        return Pose(*(float(each) for each in self.at))


def eye_of(look: CameraLook, layout: Layout, chance: np.random.Generator) -> Eye:
    """Return a camera that sees all of the board, as large as there is room."""
    middle = layout.size / 2
    up, turn = np.radians(look.elevation), np.radians(look.turn)
    sight = np.array([np.cos(up) * np.sin(turn), -np.cos(up) * np.cos(turn), np.sin(up)])
    to = np.array([middle, middle, 0.0])
    at = to + look.away * layout.size * sight
    across = np.array([np.cos(turn), np.sin(turn), 0.0])
    turned = np.stack([across, np.cross(-sight, across), -sight])
    outer = np.column_stack([turned, -turned @ at])
    ends = (-ROOM, layout.size + ROOM)
    rim = np.array([(x, y, 0.0, 1.0) for x in ends for y in ends])
    lifted = rim @ outer.T
    flat = lifted[:, :2] / lifted[:, 2:]
    low, high = flat.min(axis=0), flat.max(axis=0)
    focal = float(np.min(np.array(SIZE) / (high - low))) * chance.uniform(0.82, 1.0)
    free = np.array(SIZE) - focal * (high - low)
    start = free * chance.uniform(0.15, 0.85, 2) - focal * low
    inner = np.array([[focal, 0, start[0]], [0, focal, start[1]], [0, 0, 1]])
    return Eye(inner @ outer, at)


def set_up(look: Look, first: Indices, chance: np.random.Generator) -> dict[int, Standing]:
    """Return what stands where in the first position, `first` being occupants by square."""
    kinds = len(look.pieces.profiles)
    return {
        int(square): put(look, int(square), int(first[square]), int(chance.integers(kinds)), chance)
        for square in np.flatnonzero(first)
    }


def put(look: Look, square: int, who: int, kind: int, chance: np.random.Generator) -> Standing:
    """Return a piece that has been put on a square, about its middle."""
    astray, uneven = look.pieces.astray, look.pieces.uneven
    off = chance.uniform(-astray, astray, 2)
    shade = float(np.exp(chance.normal(0, uneven)))
    return Standing(
        square, who, kind, (float(off[0]), float(off[1])), chance.uniform(0, 6.3), shade
    )


def shuffle(
    look: Look, standing: dict[int, Standing], squares: int, moves: int, chance: np.random.Generator
) -> dict[int, Standing]:
    """Return what stands where after so many moves by chance; what is met is taken."""
    after = dict(standing)
    for _ in range(moves):
        start = list(after)[int(chance.integers(len(after)))]
        free = [square for square in range(squares) if square not in after]
        end = (
            int(chance.integers(squares))
            if chance.random() < 0.12
            else free[int(chance.integers(len(free)))]
        )
        piece = after.pop(start)
        after[end] = put(look, end, piece.who, piece.kind, chance)
    return after


# ------------------------------------------------------------------ pictures


PIXELS = 36
"""Of the board's own picture, on a square's width."""

AROUND = 5
"""So many squares of the table about the board are painted."""

SIDES = 14
"""Faces round a turned piece."""

SHIFT = 4
"""Binary digits behind the point of what is drawn."""

_ROUND = np.linspace(0, 2 * np.pi, SIDES + 1)
_CIRCLE = np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=1)


@dataclass(frozen=True, slots=True)
class Face:
    """A flat part of a piece: corners in space (n, 3), its colour, and where it looks."""

    rings: list[Floats]
    colour: Floats
    normal: Floats
    is_thin: bool = False
    """Whether it is seen from behind as well."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the board, and the arm that it belongs to."""

    joints: Floats
    """The (x, y, up) of its tip, its wrist and its elbow, in board units, (3, 3)."""
    skin: Floats
    sleeve: Floats
    width: float
    """Half that of the arm, in squares."""
    shades: tuple[tuple[float, float], ...]
    """Shares of the width from the outside in, and how light each part is."""


def paint(
    look: Look,
    layout: Layout,
    eye: Eye,
    standing: Iterable[Standing],
    board: Floats,
    hand: Hand | None,
) -> Numbers:
    """Return a picture, light by light; `board` is what `painted_board` returns."""
    pieces = sorted(standing, key=lambda each: -_away(eye, layout, each))
    ground: Floats = board * _ground_light(look, layout, pieces)[..., None]
    steps = np.array([[1 / PIXELS, 0, -AROUND], [0, 1 / PIXELS, -AROUND], [0, 0, 1]])
    warp = eye.matrix[:, [0, 1, 3]] @ steps
    picture: Numbers = cv2.warpPerspective(
        ground.astype(np.float32), warp, SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    for piece in pieces:
        _draw(picture, look, eye, _faces(look, layout, piece))
    if hand is not None:
        _draw_hand(picture, look, eye, hand)
    return picture


def _away(eye: Eye, layout: Layout, piece: Standing) -> float:
    return float(np.hypot(*(layout.centres[piece.square] - eye.at[:2])))


def _lit(look: Look, eye: Eye, faces: list[Face]) -> tuple[Floats, Flags]:
    """Return the light that each face sends, (faces, 3), and whether it looks at the camera."""
    normals = np.stack([face.normal for face in faces])
    sights = eye.at - np.stack([face.rings[0][0] for face in faces])
    towards = (normals * sights).sum(axis=1)
    is_upright = np.array([face.is_thin for face in faces])
    normals = np.where((is_upright & (towards < 0))[:, None], -normals, normals)
    shine = np.maximum(normals @ look.light.towards.T, 0.0)
    light = look.light.ambient * (0.7 + 0.3 * normals[:, 2:]) + shine @ look.light.colours
    lit: Floats = np.stack([face.colour for face in faces]) * light
    if look.pieces.gloss:
        sights /= np.linalg.norm(sights, axis=1, keepdims=True)
        half = look.light.towards + sights[:, None]
        half /= np.linalg.norm(half, axis=2, keepdims=True)
        mirrored = np.maximum((half * normals[:, None]).sum(axis=2), 0.0) ** 30
        lit += look.pieces.gloss * mirrored @ look.light.colours
    return lit, is_upright | (towards > 0)


# ------------------------------------------------------------------ the board


def painted_board(look: Look, layout: Layout, chance: np.random.Generator) -> Floats:
    """Return the board and the table about it from above, without light, (rows, columns, 3)."""
    side = round((layout.size + 2 * AROUND) * PIXELS)
    board = look.board
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1) / (board.pitch * PIXELS)
    checks = (np.floor(grid).sum(axis=2) % 2).astype(int)
    ground: Floats = board.table[checks]
    low, high = (AROUND - 0.6) * PIXELS, (AROUND + layout.size + 0.6) * PIXELS
    cv2.rectangle(ground, (int(low), int(low)), (int(high), int(high)), board.frame.tolist(), -1)
    ground *= np.exp(_noise(chance, side, 0.08, 6))[..., None]
    for outline, shade in zip(layout.outlines, layout.colours, strict=True):
        colour = board.squares[shade] * np.exp(chance.normal(0, board.uneven))
        corners = _on_board(np.array(outline))
        cv2.fillPoly(ground, [corners], colour.tolist(), cv2.LINE_8, SHIFT)
    if board.line:
        for outline in layout.outlines:
            width = max(round(board.line * PIXELS), 1)
            corners = _on_board(np.array(outline))
            cv2.polylines(ground, [corners], True, board.ink.tolist(), width, cv2.LINE_8, SHIFT)
    if board.grain:
        grain = cv2.resize(chance.normal(0, board.grain, (side // 2, 6)), (side, side))
        ground *= np.exp(grain)[..., None]
    if board.gloss or look.light.glare:
        ground += (0.5 * board.gloss + look.light.glare) * _window(chance, side)[..., None]
    return ground


def _on_board(points: Floats) -> NDArray[np.int32]:
    pixels: NDArray[np.int32] = np.round((points + AROUND) * PIXELS * 2**SHIFT).astype(np.int32)
    return pixels


def _noise(chance: np.random.Generator, side: int, strength: float, coarse: int) -> Floats:
    small = chance.normal(0, strength, (side // coarse, side // coarse))
    noise: Floats = cv2.resize(small, (side, side))
    return noise


def _window(chance: np.random.Generator, side: int) -> Floats:
    """Return where a window is mirrored."""
    glare = np.zeros((side, side))
    at, size = chance.uniform(0.25, 0.75, 2) * side, chance.uniform(0.05, 0.25, 2) * side
    low, high = (at - size).astype(int), (at + size).astype(int)
    cv2.rectangle(glare, low.tolist(), high.tolist(), 1.0, -1)
    soft: Floats = cv2.GaussianBlur(glare, (0, 0), chance.uniform(4, 40))
    return soft


def _ground_light(look: Look, layout: Layout, pieces: list[Standing]) -> Numbers:
    """Return the light on the board's plane, with the shadows of the pieces, by its green."""
    side = round((layout.size + 2 * AROUND) * PIXELS)
    light = np.full((side, side), float(look.light.ambient[1]), np.float32)
    for towards, colour in zip(look.light.towards, look.light.colours, strict=True):
        shadow = np.zeros((side, side), np.float32)
        lean = -towards[:2] / max(towards[2], 0.2)
        for piece in pieces:
            foot = _foot(layout, piece)
            span = float(layout.spans[piece.square])
            for low, high in pairwise(_silhouette(look, piece)):
                rings = [
                    foot + span * (height * lean + radius * _CIRCLE)
                    for height, radius in (low, high)
                ]
                hull = cv2.convexHull(_on_board(np.concatenate(rings)))
                cv2.fillConvexPoly(shadow, hull, 1.0, cv2.LINE_8, SHIFT)
        shadow = cv2.GaussianBlur(shadow, (0, 0), 0.3 + look.light.softness * 0.5 * PIXELS)
        light += float(colour[1]) * float(towards[2]) * (1 - shadow)
    light *= np.linspace(1, 1 - look.light.slope, side, dtype=np.float32)[:, None]
    return light


def _foot(layout: Layout, piece: Standing) -> Floats:
    foot: Floats = layout.centres[piece.square] + layout.spans[piece.square] * np.array(piece.off)
    return foot


def _silhouette(look: Look, piece: Standing) -> Profile:
    """Return heights and radii that cast its shadow."""
    match look.pieces.make:
        case Make.CUT:
            return ((0.0, 0.25), (0.9, 0.2), (1.1, 0.1))
        case Make.LETTER:
            return ((0.0, 0.2), (0.05, 0.2))
    return look.pieces.profiles[piece.kind]


# ------------------------------------------------------------------ pieces


def _draw(picture: Numbers, look: Look, eye: Eye, faces: list[Face]) -> None:
    """Draw faces over a picture, those behind first."""
    lit, is_seen = _lit(look, eye, faces)
    for face, colour in zip(compress(faces, is_seen), lit[is_seen, ::-1].tolist(), strict=True):
        pixels = [np.round(eye.project(ring) * 2**SHIFT).astype(np.int32) for ring in face.rings]
        cv2.fillPoly(picture, pixels, colour, cv2.LINE_8, SHIFT)


def _faces(look: Look, layout: Layout, piece: Standing) -> list[Face]:
    """Return the faces of a piece that may be seen."""
    colour = look.pieces.colours[piece.who] * piece.shade
    mark = look.pieces.marks[piece.who] * piece.shade
    foot, span = _foot(layout, piece), float(layout.spans[piece.square])
    base = np.array([*foot, 0.0])
    match look.pieces.make:
        case Make.TURNED | Make.DISC:
            faces = _turned_faces(look.pieces.profiles[piece.kind], base, span, colour)
            if look.pieces.make is Make.DISC:
                faces += _top(look, piece, base, span, colour, mark)
        case Make.CUT:
            faces = _cut_faces(look, piece, base, span, (colour, mark))
        case Make.LETTER:
            faces = [
                _lying(
                    look,
                    piece,
                    base + np.array([0.0, 0.0, height * span]),
                    0.85 * span,
                    shade * colour,
                )
                for height, shade in ((0.02, 0.5), (0.05, 0.7), (0.08, 1.0))
            ]
    return faces


def _turned_faces(profile: Profile, base: Floats, span: float, colour: Floats) -> list[Face]:
    faces = []
    for (low, wide), (high, narrow) in pairwise(profile):
        slope = np.array([high - low, wide - narrow]) / max(
            np.hypot(high - low, wide - narrow), 1e-6
        )
        rings = [
            base + span * np.column_stack([radius * _CIRCLE, np.full(SIDES + 1, height)])
            for height, radius in ((low, wide), (high, narrow))
        ]
        for side in range(SIDES):
            corners = np.stack(
                [rings[0][side], rings[0][side + 1], rings[1][side + 1], rings[1][side]]
            )
            middle = (_ROUND[side] + _ROUND[side + 1]) / 2
            normal = np.array([slope[0] * np.cos(middle), slope[0] * np.sin(middle), slope[1]])
            faces.append(Face([corners], colour, normal))
    height, radius = profile[-1]
    cap = base + span * np.column_stack([radius * _CIRCLE[:-1], np.full(SIDES, height)])
    return [*faces, Face([cap], colour, np.array([0.0, 0.0, 1.0]))]


def _top(
    look: Look, piece: Standing, base: Floats, span: float, colour: Floats, mark: Floats
) -> list[Face]:
    """Return what is drawn on a disc: a filled circle, and a letter or a figure on it."""
    height, radius = look.pieces.profiles[piece.kind][1]
    up = np.array([0.0, 0.0, 1.0])
    top = base + np.array([0.0, 0.0, span * height])
    inner = np.column_stack([look.pieces.fill * radius * _CIRCLE[:-1], np.zeros(SIDES)])
    rim = np.column_stack([radius * _CIRCLE[:-1], np.zeros(SIDES)])
    letter = _lying(look, piece, top, 1.3 * radius * span, colour)
    return [Face([top + span * rim], colour, up), Face([top + span * inner], mark, up), letter]


def _lying(look: Look, piece: Standing, at: Floats, size: float, colour: Floats) -> Face:
    cos, sin = np.cos(piece.turn), np.sin(piece.turn)
    turned = np.array([[cos, sin], [-sin, cos]])
    letter = look.pieces.letters[piece.kind]
    rings = [
        at + np.column_stack([size * ring @ turned, np.zeros(len(ring))])
        for ring in _letter(letter)
    ]
    return Face(rings, colour, np.array([0.0, 0.0, 1.0]))


def _cut_faces(
    look: Look, piece: Standing, base: Floats, span: float, colours: tuple[Floats, Floats]
) -> list[Face]:
    """Return a figure of card that stands upright in a foot."""
    along = np.array([np.cos(piece.turn), np.sin(piece.turn), 0.0])
    normal = np.array([-along[1], along[0], 0.0])
    tall = look.pieces.profiles[piece.kind][0][1] * 3.2
    half = np.array([(0.3, 0.05), (0.3, 0.12), (0.12, 0.2), (0.2, 0.55), (0.1, 0.62), (0.17, 0.8)])
    outline = np.concatenate([half, [(0.0, 1.0)], half[::-1] * (-1, 1)])
    figure = base + span * (outline[:, :1] * along + outline[:, 1:] * (0, 0, tall))
    upright = np.array(_letter(look.pieces.letters[piece.kind])[0])
    letter = base + span * (
        0.25 * upright[:, :1] * along + (0.45 + 0.25 * upright[:, 1:]) * (0, 0, tall)
    )
    foot = np.stack(
        [
            base + span * (x * along + y * normal)
            for x, y in ((0.3, 0.2), (-0.3, 0.2), (-0.3, -0.2), (0.3, -0.2))
        ]
    )
    up = np.array([0.0, 0.0, 1.0])
    colour, mark = colours
    figures = [Face([figure], colour, normal, True), Face([letter], mark, normal, True)]
    return [Face([foot], colour, up), *figures]


@cache
def _letter(letter: str) -> list[Floats]:
    """Return the outlines of a letter that is one high, about its middle."""
    picture = np.zeros((96, 96), np.uint8)
    (width, height), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_DUPLEX, 2.4, 9)
    at = (48 - width // 2, 48 + height // 2)
    cv2.putText(picture, letter, at, cv2.FONT_HERSHEY_DUPLEX, 2.4, 255, 9)
    outlines, _ = cv2.findContours(picture, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    return [(outline[:, 0] - 48.0) * (1, -1) / 60 for outline in outlines]


# ------------------------------------------------------------------ hands


ROUND_SHADES, FLAT_SHADES = ((1.0, 0.65), (0.75, 0.9), (0.45, 1.0)), ((1.0, 1.0),)

HIDDEN_FROM = 0.6
"""Share of a square's middle under a hand from which nobody can tell what stands there."""

_MIDDLE = np.array(
    [(*(0.3 * share * at), up) for at in _CIRCLE[:-1] for share in (0.4, 1.0) for up in (0.0, 0.3)]
)


def hand_of(look: Look, layout: Layout, chance: np.random.Generator) -> Hand:
    """Return a hand by chance: bare or in a sleeve of any colour, round or without any shading."""
    tip = np.array([*chance.uniform(0, layout.size, 2), chance.uniform(0.4, 1.6)])
    turn = chance.uniform(0, 6.3)
    along = np.array([np.cos(turn), np.sin(turn), 0.0])
    wrist = tip + 1.9 * along + (0, 0, 0.7)
    skin = np.array([0.55, 0.3, 0.2]) * np.exp(chance.uniform(-1.4, 0.6))
    sleeves = (skin, look.pieces.colours[int(chance.integers(1, 3))], chance.uniform(0.01, 0.8, 3))
    return Hand(
        np.stack([tip, wrist, wrist + 14 * along + (0, 0, 2.0)]),
        skin,
        sleeves[int(chance.choice(3, p=(0.5, 0.2, 0.3)))],
        chance.uniform(0.45, 1.0),
        ROUND_SHADES if chance.random() < 0.6 else FLAT_SHADES,
    )


def hidden_by(look: Look, layout: Layout, eye: Eye, hand: Hand) -> Flags:
    """Return the squares that a hand hides, (squares,)."""
    over = np.zeros((SIZE[1], SIZE[0], 3), np.float32)
    _draw_hand(over, look, eye, hand)
    spans = layout.spans[:, None, None]
    bases = np.column_stack([layout.centres, np.zeros(len(spans))])
    pixels = np.round(eye.project(bases[:, None] + spans * _MIDDLE)).astype(int)
    x, y = np.moveaxis(np.clip(pixels, 0, (SIZE[0] - 1, SIZE[1] - 1)), -1, 0)
    hidden: Flags = (over[y, x].max(axis=2) > 0).mean(axis=1) > HIDDEN_FROM
    return hidden


def _draw_hand(picture: Numbers, look: Look, eye: Eye, hand: Hand) -> None:
    """Draw an arm as balls from elbow to wrist, a palm and fingers."""
    (tip, wrist, elbow), skin, half = hand.joints, hand.skin, hand.width
    balls = [(elbow + (wrist - elbow) * part, half, hand.sleeve) for part in np.linspace(0, 1, 30)]
    balls += [
        (wrist + (tip - wrist) * part, 0.8 * half * (1 - part) + 0.16, skin)
        for part in np.linspace(0, 1, 14)
    ]
    across = np.cross(tip - wrist, (0.0, 0.0, 1.0))
    for aside in (-0.35, -0.12, 0.12):
        balls += [
            (wrist + (tip - wrist) * (0.5 + 0.45 * part) + aside * across, 0.17, skin)
            for part in np.linspace(0, 1, 6)
        ]
    light = look.light.ambient + 0.6 * look.light.colours.sum(axis=0)
    for at, radius, colour in balls:
        pixel = eye.project(at)
        wide = np.linalg.norm(
            eye.project(at + radius * eye.matrix[0, :3] / np.linalg.norm(eye.matrix[0, :3])) - pixel
        )
        for shrink, shade in hand.shades:
            lit = (shade * light * colour)[::-1].tolist()
            centre = np.round(pixel).astype(int).tolist()
            cv2.circle(picture, centre, max(int(shrink * wide), 1), lit, -1)


def shade(picture: Numbers, chance: np.random.Generator) -> None:
    """Darken a picture where the shadow of an arm, or of somebody who passes, falls by chance."""
    height, width = picture.shape[:2]
    shadow = np.zeros((height // 4, width // 4), np.float32)
    ends = chance.uniform(-0.1, 1.1, (2, 2)) * (width / 4, height / 4)
    start, end = np.round(ends).astype(int).tolist()
    cv2.line(shadow, start, end, 1.0, int(chance.integers(4, 34)))
    soft = cv2.GaussianBlur(shadow, (0, 0), float(np.exp(chance.uniform(-0.3, 3.2))))
    depth = chance.uniform(0.15, 0.6)
    picture *= 1 - depth * cv2.resize(soft, (width, height))[..., None]
