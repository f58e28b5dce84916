"""A game on a painted table, frame by frame: hands that move pieces, and a real session's lamps.

A frame names all that it shows, so that equal frames are painted once, and none again.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from math import cos, pi, radians, sin
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from manifold3d import CrossSection, JoinType, Manifold
from numpy.typing import NDArray

from docs.lamp_scenes import hands_at
from hardware.build import Build, Shape, build_of
from hardware.ports import RGB
from jetan_table.light.lamps import Lighting, cues, lights
from rules import Position, Side, Square, parse_square

from .__main__ import bare
from .hand import SLEEVES, hand
from .raster import Floats
from .render import Camera, Colour, Painted, scene_of
from .scenery import INK_MM, man, moved, painted, squares
from .stage import Body, Moved, Place, Stage

FRAMES_PER_S: Final = 12
GROUND: Final[Colour] = (112, 66, 42)
"""The table's table: wood in lamplight."""

LIFT_MM, ARC_MM, HOLD_MM = 30.0, 24.0, 7.0
"""How high a piece is held, how much higher it is carried, and how far under its top it is held."""

AWAY_MM, ABOVE_MM = 420.0, 70.0
COARSE_MM: Final = 0.08
_QUICKNESS, _STEPS = 0.6, 5
"""The share of its way that a lamp goes in a frame, and how finely its light is told apart."""


class Kind(NamedTuple):
    """A thing that moves: a piece by its letter, or else a hand by its grip and its turn."""

    side: Side
    letter: str = ""
    grip: float = 0.0
    turn: float = 0.0


class Setting(NamedTuple):
    """What stands still, and from where it is seen."""

    board: Shape
    standing: tuple[tuple[Square, Kind], ...]
    camera: Camera
    aim: tuple[float, float]
    has_phone: bool


class Frame(NamedTuple):
    """All that a picture shows."""

    setting: Setting
    lamps: tuple[tuple[Square, RGB], ...]
    things: tuple[tuple[Kind, Place], ...]


class Player:
    """Somebody's right hand; its arm comes from the south, turned by degrees."""

    def __init__(self, play: "Play", side: Side, turn: float) -> None:
        self._play, self._side, self._turn = play, side, turn
        self._at: Place | None = None
        self._grip = 0.0
        self._held = ""

    def comes(self, square: str, seconds: float = 1.2) -> Iterator[Frame]:
        """A hand comes to a piece and closes about its head."""
        end = self._above(square)
        start = self._away(end)
        for share in _eased(seconds):
            self._at = _between(start, end, share)
            yield self._play.frame()
        for grip in (0.5, 1.0):
            self._grip = grip
            yield self._play.frame()

    def lifts(self, square: str, seconds: float = 0.5) -> Iterator[Frame]:
        """The piece goes up; its switch notices at once."""
        assert self._at is not None
        self._held = square
        self._play.hands.lift(square, 0.0)
        yield from self._goes(_raised(self._at, LIFT_MM), seconds)

    def carries(self, square: str, seconds: float = 1.2) -> Iterator[Frame]:
        """The piece goes through the air to another square, and stays above it."""
        above = LIFT_MM + self._play.height(self._held)
        yield from self._goes(_raised(self._play.place(square), above), seconds, ARC_MM)

    def puts(self, square: str, seconds: float = 0.45) -> Iterator[Frame]:
        """The piece comes down."""
        end = _raised(self._play.place(square), self._play.height(self._held))
        yield from self._goes(end, seconds)
        self._play.hands.put(square, 0.0)
        self._play.rename(self._held, square)
        self._held = ""

    def leaves(self, seconds: float = 1.0, with_it: bool = False) -> Iterator[Frame]:
        """The hand opens and goes; or takes the piece along."""
        assert self._at is not None
        for grip in () if with_it else (0.5, 0.0):
            self._grip = grip
            yield self._play.frame()
        yield from self._goes(self._away(self._at), seconds)
        self._at, self._grip = None, 0.0
        if with_it:
            del self._play.pieces[self._held]
            self._held = ""

    def shown(self) -> Iterator[tuple[Kind, Place]]:
        """Yield the hand, if it is there."""
        if self._at is not None:
            yield Kind(self._side, "", self._grip, self._turn), _rounded(self._at)

    def _goes(self, end: Place, seconds: float, arc: float = 0.0) -> Iterator[Frame]:
        assert self._at is not None
        start = self._at
        for share in _eased(seconds):
            self._at = _raised(_between(start, end, share), arc * sin(pi * share))
            if self._held:
                low = -self._play.height(self._held)
                self._play.pieces[self._held] = (
                    self._play.pieces[self._held][0],
                    _raised(self._at, low),
                )
            yield self._play.frame()

    def _above(self, square: str) -> Place:
        return _raised(self._play.pieces[square][1], self._play.height(square))

    def _away(self, place: Place) -> Place:
        turn = radians(self._turn)
        x, y, z = place
        return x + AWAY_MM * sin(turn), y - AWAY_MM * cos(turn), z + ABOVE_MM


class Play:
    """A position on a table, of which some pieces are going to move."""

    def __init__(
        self,
        position: Position,
        moving: Mapping[str, str],
        camera: Camera,
        aim: tuple[float, float] = (0.0, 0.0),
        has_phone: bool = False,
    ) -> None:
        """Set it up; `moving` names by their places the squares of the position they have there."""
        self.hands = hands_at(position)
        self._board: Shape = "ninth-ray" if "ray" in position.rules.board.name else "grid"
        self._build = built(self._board)
        men = {
            square: Kind(who.side, who.letter.upper()) for square, who in position.pieces().items()
        }
        apart = {parse_square(name) for pair in moving.items() for name in pair}
        standing = tuple((square, kind) for square, kind in men.items() if square not in apart)
        self._setting = Setting(self._board, standing, camera, aim, has_phone)
        self.pieces = {
            name: (men[parse_square(there)], self.place(name)) for name, there in moving.items()
        }
        self._players: list[Player] = []
        self._lamps: dict[Square, tuple[float, float, float]] = {}

    def player(self, side: Side, turn: float) -> Player:
        """Return a player whose hand may come."""
        self._players.append(Player(self, side, turn))
        return self._players[-1]

    def place(self, square: str) -> Place:
        """Return where a piece stands on a square."""
        return *self._build.middle(parse_square(square)), INK_MM

    def height(self, square: str) -> float:
        """Return how high above its foot the piece that began on a square is held."""
        kind = self.pieces[square][0]
        return float(body(kind, self._board).bounds[1][2]) - HOLD_MM

    def rename(self, start: str, end: str) -> None:
        """Note that a piece stands on another square now."""
        kind, _ = self.pieces.pop(start)
        self.pieces[end] = kind, self.place(end)

    def rest(self, seconds: float) -> Iterator[Frame]:
        """Nothing moves for a while; lamps may."""
        for _ in range(round(seconds * FRAMES_PER_S)):
            yield self.frame()

    def frame(self) -> Frame:
        """Return the next frame."""
        self.hands.at += 1 / FRAMES_PER_S
        self.hands.news += self.hands.session.tick(self.hands.at)
        wanted = lights(cues(self.hands.session.view), Lighting(), self.hands.at)
        for lamp, colour in enumerate(wanted):
            square = Square(lamp)
            old = self._lamps.get(square, (0.0, 0.0, 0.0))
            self._lamps[square] = _between(old, colour, _QUICKNESS)
        hands = [thing for player in self._players for thing in player.shown()]
        things = [(kind, _rounded(place)) for kind, place in self.pieces.values()]
        return Frame(self._setting, tuple(self._lit()), (*things, *hands))

    def _lit(self) -> Iterator[tuple[Square, RGB]]:
        for square, colour in self._lamps.items():
            red, green, blue = (_STEPS * round(each / _STEPS) for each in colour)
            if red or green or blue:
                yield square, (red, green, blue)


@cache
def built(board: Shape) -> Build:
    """Return the table's sizes."""
    return build_of(board)


@cache
def body(kind: Kind, board: Shape) -> Body:
    """Return a thing that moves, made once."""
    if kind.letter:
        return Body(scene_of([man(kind.letter, built(board), kind.side, COARSE_MM)]))
    return Body(hand(kind.grip, kind.turn, SLEEVES[kind.side]))


def picture(frame: Frame, kept: Path) -> NDArray[np.uint8]:
    """Return a frame's picture: the one that is kept in a folder, or else paint and keep it."""
    path = kept / f"{hashlib.sha256(repr(frame).encode()).hexdigest()[:24]}.png"
    if path.exists():
        found = cv2.imread(str(path))
        assert found is not None, path
        return np.asarray(found, np.uint8)
    board = frame.setting.board
    moving = [Moved(body(kind, board), place) for kind, place in frame.things]
    rows = stage(frame.setting).picture(dict(frame.lamps), moving)
    done, png = cv2.imencode(".png", rows)
    assert done
    # Whoever is stopped in between leaves no half of a picture.
    path.with_suffix(".part").write_bytes(png.tobytes())
    path.with_suffix(".part").rename(path)
    return rows


@lru_cache(maxsize=1)
def stage(setting: Setting) -> Stage:
    """Return a setting, painted; the last one is kept, for it is large."""
    build = built(setting.board)
    things = [*bare(build), *squares(build)]
    if setting.has_phone:
        things += phone()
    for square, kind in setting.standing:
        shape = man(kind.letter, build, kind.side, COARSE_MM)
        things.append(moved(shape, *build.middle(square), INK_MM))
    return Stage(build, things, setting.camera, GROUND, setting.aim)


PHONE_MM: Final = (71.0, 148.0, 8.0)
PHONE_AT: Final[Place] = (-205.0, -300.0, 0.0)
_PHONE_LEANS, _PHONE_LOOKS = 62.0, -14.0


def phone() -> Iterator[Painted]:
    """Yield a phone that leans on the table."""
    wide, high, thick = PHONE_MM
    outline = CrossSection.square((wide - 16, high - 16), center=True).offset(8, JoinType.Round)
    slab = Manifold.extrude(outline, thick).translate((0, 0, -thick))
    yield moved(_leaning(painted(slab, (24, 24, 28), gloss=1.6)), *PHONE_AT)


def screen() -> Floats:
    """Return the corners of the phone's screen, from the upper left one to the right and round."""
    wide, high = PHONE_MM[0] / 2 - 2.5, PHONE_MM[1] / 2 - 2.5
    flat = np.array(
        [(-wide, high, 0.1), (wide, high, 0.1), (wide, -high, 0.1), (-wide, -high, 0.1)]
    )
    return _turned(flat) + PHONE_AT


def _leaning(thing: Painted) -> Painted:
    return replace(thing, points=_turned(thing.points))


def _turned(points: Floats) -> Floats:
    lean, look = radians(_PHONE_LEANS), radians(_PHONE_LOOKS)
    up = np.array(((1, 0, 0), (0, cos(lean), -sin(lean)), (0, sin(lean), cos(lean))))
    aside = np.array(((cos(look), -sin(look), 0), (sin(look), cos(look), 0), (0, 0, 1)))
    return np.asarray(points @ up.T @ aside.T)


def _eased(seconds: float) -> Iterator[float]:
    count = max(1, round(seconds * FRAMES_PER_S))
    for step in range(1, count + 1):
        share = step / count
        yield share * share * (3 - 2 * share)


def _between(start: Place, end: Place, share: float) -> Place:
    one, two, three = (a + share * (b - a) for a, b in zip(start, end, strict=True))
    return one, two, three


def _raised(place: Place, by: float) -> Place:
    return place[0], place[1], place[2] + by


def _rounded(place: Place) -> Place:
    return round(place[0], 2), round(place[1], 2), round(place[2], 2)
