"""What rendered sequences differ in: board, pieces, light, and where the camera stands."""

from dataclasses import dataclass
from random import Random

Rgb = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Surface:
    """How the two colours of squares look; colours are red, green, blue, at most 1."""

    name: str
    dark: Rgb
    light: Rgb
    grain: float
    """How strongly wood is grained; 0 for cloth and paint."""


@dataclass(frozen=True, slots=True)
class SetStyle:
    """How the pieces look."""

    name: str
    black: Rgb
    orange: Rgb
    height: float
    """Of a tall set's heights; 0 for flat pieces, marked on top."""
    gloss: float


@dataclass(frozen=True, slots=True)
class Lamp:
    """A light: where it stands in squares from the board's middle, its colour, and its width."""

    at: tuple[float, float, float]
    colour: Rgb
    width: float = 0.0
    """Of a lamp with soft shadows, in squares; 0 for a point."""


@dataclass(frozen=True, slots=True)
class Style:
    """One sequence's looks."""

    is_disk: bool
    surface: Surface
    pieces: SetStyle
    lamps: tuple[Lamp, ...]
    ambient: float
    elevation: float
    """Of the camera over the board's middle, in degrees of 90."""
    turn: float
    """Round the board, in degrees; 0 is Black's side."""
    is_rectified: bool
    """Whether pictures are cut out along the board's edges, so that its corners are theirs."""
    has_neutral: bool
    has_hands: bool
    is_bumped: bool
    drift: float
    """How far the light changes over the sequence, as a share."""


SURFACES = (
    Surface("walnut and maple", (0.30, 0.17, 0.09), (0.80, 0.62, 0.40), 0.25),
    Surface("wenge and sycamore", (0.12, 0.08, 0.06), (0.85, 0.76, 0.58), 0.15),
    Surface("cherry and oak", (0.42, 0.20, 0.10), (0.66, 0.47, 0.27), 0.30),
    Surface("black and orange paint", (0.06, 0.06, 0.07), (0.88, 0.43, 0.10), 0.0),
    Surface("green and cream cloth", (0.13, 0.30, 0.18), (0.83, 0.80, 0.66), 0.0),
)

SETS = (
    SetStyle("tall, black and orange", (0.05, 0.05, 0.06), (0.85, 0.38, 0.08), 1.0, 0.3),
    SetStyle("tall, walnut and box", (0.20, 0.10, 0.06), (0.80, 0.62, 0.36), 1.0, 0.5),
    SetStyle("middling, black and orange", (0.06, 0.05, 0.05), (0.80, 0.36, 0.10), 0.65, 0.1),
    SetStyle("middling, red and cream", (0.45, 0.06, 0.05), (0.85, 0.80, 0.68), 0.65, 0.4),
    SetStyle("flat, black and orange", (0.07, 0.07, 0.08), (0.88, 0.42, 0.10), 0.0, 0.2),
)

LIGHTS = (
    ((Lamp((1.0, 18.0, 2.0), (0.85, 0.82, 0.75), 3.0),), 0.30),
    ((Lamp((-14.0, 11.0, 5.0), (0.95, 0.85, 0.68)),), 0.28),
    ((Lamp((20.0, 16.0, 14.0), (0.75, 0.80, 0.90), 5.0),), 0.35),
    (
        (
            Lamp((-9.0, 14.0, -6.0), (0.55, 0.48, 0.38)),
            Lamp((11.0, 15.0, 8.0), (0.42, 0.46, 0.52)),
        ),
        0.30,
    ),
)

GOLDEN = 0.6180339887


def style_of(number: int, chance: Random) -> Style:
    """Return the looks of sequence `number`: all kinds come alike often, their pairs by chance."""
    is_rectified = number % 5 == 4
    elevation = 30 + 50 * (number * GOLDEN % 1)
    if is_rectified:
        elevation = 35 + 15 * (number * GOLDEN % 1)
    lamps, ambient = LIGHTS[(number + number // 4) % len(LIGHTS)]
    return Style(
        is_disk=number % 8 == 3,
        surface=SURFACES[(number * 3 + number // 5) % len(SURFACES)],
        pieces=chance.choice(SETS[:2])
        if is_rectified
        else SETS[(number + number // 5) % len(SETS)],
        lamps=lamps,
        ambient=ambient,
        elevation=elevation,
        turn=chance.choice((0.0, 0.0, 90.0, 180.0, 270.0)) + chance.uniform(-18, 18),
        is_rectified=is_rectified,
        has_neutral=number % 3 == 1,
        has_hands=not is_rectified and number % 2 == 0,
        is_bumped=not is_rectified and number % 3 == 2,
        drift=chance.choice((0.0, 0.1, 0.25)),
    )
