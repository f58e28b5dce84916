"""What painted boards differ in, each by chance: colours, pieces, light, camera, picture.

Colours are red, green, blue of light, not of a screen: half of them is half as much light.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.geometry import Floats

Profile = tuple[tuple[float, float], ...]
"""Heights and radii of a turned piece, in squares."""


class Make(Enum):
    """How the pieces of a set are made."""

    TURNED = "turned"
    DISC = "disc"
    CUT = "cut"
    """Figures that were cut out of card and stand in a foot."""
    LETTER = "letter"
    """Letters that lie flat."""


class Ground(Enum):
    """Which board it is."""

    JETAN = "jetan"
    CHESS = "chess"
    DISK = "disk"


@dataclass(frozen=True, slots=True)
class BoardLook:
    """How a board looks."""

    ground: Ground
    squares: Floats
    """(2, 3)."""
    uneven: float
    """How much squares of one colour differ, as a share."""
    grain: float
    line: float
    """How broad lines between squares are, in squares; 0 for none."""
    ink: Floats
    frame: Floats
    table: Floats
    """(2, 3): of a cloth with a pattern; twice the same for a plain one."""
    pitch: float
    """Of that pattern, in squares."""
    gloss: float


@dataclass(frozen=True, slots=True)
class SetLook:
    """How the pieces look."""

    make: Make
    colours: Floats
    """(4, 3), by `Occupant`; the first is of no use."""
    marks: Floats
    """(4, 3): of what is drawn on them."""
    profiles: tuple[Profile, ...]
    letters: str
    fill: float
    """How much of a disc's top is filled with its mark's colour, as a share of its radius."""
    gloss: float
    uneven: float
    astray: float
    """How far pieces stand from the middle of their squares at most, in squares."""


@dataclass(frozen=True, slots=True)
class LightLook:
    """How all is lit."""

    towards: Floats
    """(lamps, 3): unit vectors to the lamps; the last number is up."""
    colours: Floats
    """(lamps, 3)."""
    ambient: Floats
    softness: float
    """Of shadows, in squares."""
    glare: float
    """How strongly a window is mirrored by the board; 0 for not at all."""
    slope: float
    """How much darker one side of the board is, as a share."""


@dataclass(frozen=True, slots=True)
class CameraLook:
    """Where the camera stands, and what its pictures are like."""

    elevation: float
    turn: float
    away: float
    """From the board's middle, in its sides."""
    width: int
    is_cut_out: bool
    """Whether pictures end with the board."""
    blur: float
    noise: float
    quality: int
    """Of JPEG, 100 at most."""
    is_grey: bool
    balance: Floats
    """Of blue, green and red."""
    contrast: float
    drift: float
    """How much exposure and balance change from picture to picture, as a share."""
    astray: float
    """How far off the board is found, in squares."""


@dataclass(frozen=True, slots=True)
class Look:
    """One kind of board, pieces, light and camera."""

    board: BoardLook
    pieces: SetLook
    light: LightLook
    camera: CameraLook
    has_neutral: bool


def look_of(chance: np.random.Generator) -> Look:
    """Draw a kind by chance."""
    camera = _camera(chance)
    board = _board(chance)
    pieces = _pieces(chance, board, camera.is_grey)
    has_neutral = board.ground is not Ground.CHESS and bool(chance.random() < 0.6)
    return Look(board, pieces, _light(chance), camera, has_neutral)


def _wood(chance: np.random.Generator, light: float) -> Floats:
    """Return a colour of wood whose green is `light`."""
    red, blue = chance.uniform(1.05, 2.0), chance.uniform(0.25, 0.85)
    return np.array([light * red, light, light * blue])


def _paint(chance: np.random.Generator, light: float) -> Floats:
    """Return any colour of about this lightness."""
    hue = chance.dirichlet((0.7, 0.7, 0.7)) * 3
    share = chance.uniform(0, 1) ** 0.7
    paint: Floats = np.clip(light * (share * hue + 1 - share), 0.004, 0.95)
    return paint


def _colour(chance: np.random.Generator, light: float) -> Floats:
    kind = chance.random()
    if kind < 0.5:
        return np.clip(_wood(chance, light), 0.004, 0.95)
    return _paint(chance, light) if kind < 0.85 else np.full(3, light)


def _board(chance: np.random.Generator) -> BoardLook:
    ground = Ground(chance.choice([each.value for each in Ground], p=(0.5, 0.32, 0.18)))
    dark = np.exp(chance.uniform(np.log(0.008), np.log(0.22)))
    light = min(dark * np.exp(chance.uniform(0.55, 3.2)), 0.85)
    squares = np.stack([_colour(chance, dark), _colour(chance, light)])
    if chance.random() < 0.15:  # a1 is light on few boards
        squares = squares[::-1]
    plain = _colour(chance, np.exp(chance.uniform(-4, -0.4)))
    pattern = plain if chance.random() < 0.6 else _colour(chance, np.exp(chance.uniform(-4, -0.4)))
    return BoardLook(
        ground,
        squares,
        chance.uniform(0, 0.12) if chance.random() < 0.6 else 0.0,
        chance.uniform(0.05, 0.45) if chance.random() < 0.6 else 0.0,
        chance.uniform(0.01, 0.05) if chance.random() < 0.25 else 0.0,
        np.full(3, chance.uniform(0.0, 0.6)),
        _colour(chance, np.exp(chance.uniform(-4, -0.7))),
        np.stack([plain, pattern]),
        chance.uniform(0.2, 3.0),
        chance.uniform(0, 0.5) if chance.random() < 0.4 else 0.0,
    )


APART, APART_IN_GREY = 0.5, 0.2
"""Least difference between the colours of the two sides, in logarithms, and in grey pictures."""

NEAR_BOARD = 0.45
"""How often the neutral piece has nearly the lightness of one of the board's colours."""

VIOLET = np.array([1.0, 0.55, 1.3])


def _sides(chance: np.random.Generator, board: BoardLook, is_grey: bool) -> Floats:
    """Return the colours of all occupants, those of the two sides apart from each other."""
    while True:
        kind = chance.random()
        if kind < 0.3:  # as printed, painted, or bought
            black = np.exp(chance.uniform(np.log(0.004), np.log(0.05))) * chance.uniform(
                0.8, 1.3, 3
            )
            orange = np.array([0.75, 0.2, 0.02]) * chance.uniform(0.6, 1.25, 3)
        elif kind < 0.65:  # of the board's own woods
            black, orange = board.squares[np.argsort(board.squares.sum(axis=1))]
            black = black * np.exp(chance.normal(-0.3, 0.35)) * np.exp(chance.normal(0, 0.12, 3))
            orange = orange * np.exp(chance.normal(0, 0.35)) * np.exp(chance.normal(0, 0.12, 3))
        else:
            black = _colour(chance, np.exp(chance.uniform(-5, -1.2)))
            orange = _colour(chance, np.exp(chance.uniform(-2.5, -0.3)))
        both = np.clip(np.stack([black, orange]), 0.003, 0.95)
        logs = np.log(both + 0.02)
        if is_grey:
            logs = logs.mean(axis=1, keepdims=True)
        if np.abs(logs[0] - logs[1]).max() > (APART_IN_GREY if is_grey else APART):
            break
    neutral = _colour(chance, np.exp(chance.uniform(-4, -0.5)))
    # Drawn aside, so that all that is drawn later is as it was.
    neutral = _near_board(chance.spawn(1)[0], board, neutral)
    return np.stack([neutral, *both, neutral])


def _near_board(chance: np.random.Generator, board: BoardLook, neutral: Floats) -> Floats:
    """Return a neutral piece's colour: often grey, violet or wood like one of the squares."""
    if chance.random() > NEAR_BOARD:
        return neutral
    square = board.squares[int(chance.integers(2))]
    light = square.mean() * np.exp(chance.normal(0, 0.3))
    near = (square / square.mean(), np.ones(3), VIOLET)[int(chance.integers(3))]
    near_board: Floats = np.clip(light * near, 0.004, 0.95)
    return near_board


def _pieces(chance: np.random.Generator, board: BoardLook, is_grey: bool) -> SetLook:
    shares = (0.93, 0.07, 0.0, 0.0) if board.ground is Ground.CHESS else (0.55, 0.27, 0.11, 0.07)
    make = Make(chance.choice([each.value for each in Make], p=shares))
    return pieces_of(chance, board, is_grey, make)


def pieces_of(
    chance: np.random.Generator,
    board: BoardLook,
    is_grey: bool,
    make: Make,
    height: float | None = None,
    slim: float | None = None,
) -> SetLook:
    """Return pieces of some make; of a height in squares and as slim as is wanted, or by chance."""
    colours = _sides(chance, board, is_grey)
    marks, fill = colours * chance.uniform(0.3, 0.9) + chance.uniform(0.0, 0.3), 0.95
    kind = chance.random() if make in (Make.DISC, Make.CUT) else 0.0
    if kind > 0.75:  # the same for both sides, or the other side's colour
        marks = np.full((4, 3), chance.uniform(0.01, 0.8)) if kind < 0.9 else colours[[0, 2, 1, 3]]
        fill = 0.55
    elif kind > 0.4:  # white paper: the colour is in what is drawn
        colours, marks = np.full((4, 3), chance.uniform(0.5, 0.9)), colours
    if height is None:
        height = float(np.exp(chance.uniform(np.log(0.35), np.log(2.9))))
    if slim is None:
        slim = chance.uniform(0.55, 1.1)
    count = int(chance.integers(3, 9))
    flat = chance.uniform(0.01, 0.3)
    profiles = tuple(
        _disc(chance, flat) if make is not Make.TURNED else _turned(chance, height, slim)
        for _ in range(count)
    )
    return SetLook(
        make,
        colours,
        marks,
        profiles,
        "".join(chance.choice(list("PWDFTCXKQRBNS"), count)),
        chance.uniform(0.5 * fill, fill),
        chance.uniform(0, 0.8) if chance.random() < 0.5 else 0.0,
        chance.uniform(0, 0.15),
        chance.uniform(0.05, 0.26),
    )


def _disc(chance: np.random.Generator, flat: float) -> Profile:
    radius = chance.uniform(0.3, 0.42)
    return ((0.0, radius), (flat, radius), (flat, 0.0))


def _turned(chance: np.random.Generator, height: float, slim: float) -> Profile:
    """Return the profile of a turned piece: a foot, a stem, a collar, a head."""
    tall = height * chance.uniform(0.6, 1.15)
    foot = chance.uniform(0.26, 0.4) * min(slim + 0.15, 1.0)
    kind = chance.random()
    if kind < 0.12:  # a cone, a cylinder, or something between
        return ((0.0, foot), (0.5 * tall, foot * chance.uniform(0.4, 1)), (tall, 0.05))
    if kind < 0.2:  # a ball
        angles = np.linspace(-1.2, 1.57, 7)
        ball = foot * 1.05
        return tuple((ball * (0.95 + float(np.sin(a))), ball * float(np.cos(a))) for a in angles)
    stem = chance.uniform(0.3, 0.65) * foot * slim
    head = stem * chance.uniform(1.1, 2.2)
    low = chance.uniform(0.1, 0.25) * tall
    neck, top = chance.uniform(0.5, 0.75) * tall, chance.uniform(0.8, 0.95) * tall
    return (
        (0.0, foot),
        (0.5 * low, foot * chance.uniform(0.85, 1.0)),
        (low, 0.5 * (foot + stem)),
        (low + 0.3 * (neck - low), stem),
        (neck, stem * chance.uniform(0.6, 1.0)),
        (neck + 0.02, head),
        (0.5 * (neck + top), head * chance.uniform(0.6, 1.0)),
        (top, head * chance.uniform(0.7, 1.1)),
        (tall, head * chance.uniform(0.05, 0.6)),
    )


def _light(chance: np.random.Generator) -> LightLook:
    count = int(chance.integers(1, 3))
    up = np.radians(chance.uniform(14, 85, count))
    turn = chance.uniform(0, 2 * np.pi, count)
    towards = np.stack([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn), np.sin(up)], axis=1)
    strength = chance.uniform(0.4, 1.1, count) / count
    tint = np.exp(chance.normal(0, 0.12, (count, 3)))
    return LightLook(
        towards,
        strength[:, None] * tint,
        chance.uniform(0.2, 0.6) * np.exp(chance.normal(0, 0.06, 3)),
        chance.uniform(0.03, 0.6),
        chance.uniform(0.05, 0.5) if chance.random() < 0.25 else 0.0,
        chance.uniform(0, 0.45),
    )


def _camera(chance: np.random.Generator) -> CameraLook:
    is_cut_out = bool(chance.random() < 0.25)
    low, high = (32, 62) if is_cut_out else (28, 89)
    noise = chance.uniform(0, 1) ** 2 * 14
    return CameraLook(
        chance.uniform(low, high) if chance.random() < 0.85 else chance.uniform(30, 42),
        chance.uniform(0, 360),
        chance.uniform(1.25, 3.0),
        int(np.exp(chance.uniform(np.log(400), np.log(960)))),
        is_cut_out,
        chance.uniform(0.2, 1.6),
        noise,
        int(chance.uniform(22, 97)),
        bool(chance.random() < 0.15),
        np.exp(chance.normal(0, 0.1, 3)),
        chance.uniform(0.85, 1.25),
        chance.choice((0.0, 0.08, 0.25)),
        chance.uniform(0, 0.08),
    )
