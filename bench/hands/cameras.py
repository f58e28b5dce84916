"""Jetan before a camera: painted games, look by look, and the table's own reader of them.

Nothing is kept: the numbers of `SCENES` draw where the camera stands, the light, the game and the
hands, so everybody paints the same pictures. They are odd, as only scenes of even numbers were
looked at when the colours of printed boards were chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, Protocol

import cv2

from bench.vision.sequences import SPOILT
from jetan_table.people.truth import Happened, PlyRow, ply_row
from jetan_table.reading.readings import JetanGame, Reading, Standing, occupants_of
from jetan_table.replay.watching import follower_of_jetan
from rules import SQUARES, Occupant, Position, Square, format_square, parse_move
from tests.jetan_table.extras.workshop.paper_games import scene_of
from tests.jetan_table.extras.workshop.prints import PrintedStage
from vision.camera import BoardCamera
from vision.errors import BoardNotFound
from vision.finder import BoardFinder
from vision.geometry import Picture
from vision.painted import Stage
from vision.sources import decoded

SCENES: Final = {"paper": 105, "cards": 101, "wood": 109, "disk": 103}
"""The number of each scene: printed discs, printed cards, turned wood, and the Ninth-Ray disk."""
PLIES: Final = 20
LOOK_S: Final = 0.5
"""Seconds from one look to the next."""
FIRST_LOOKS: Final = 4
OFF: Final = 0.2
"""How far a hand's tip is off its square's middle at most, in squares."""
LIGHT: Final = SPOILT["drift25"]
"""The light rises and falls by a quarter, a little with each ply."""

WOOD: Final[dict[str, Any]] = {
    "dark": (45, 75, 110),
    "pale": (125, 175, 215),
    "paints": {Occupant.BLACK: (30, 40, 60), Occupant.ORANGE: (85, 145, 200)},
}
"""Walnut and maple, and men of wenge and box; blue, green and red."""


class Look(NamedTuple):
    """A picture that was taken `at` seconds."""

    at: float
    path: Path


class Looker(Protocol):
    """A reader of looks."""

    def look(self, at: float, path: Path) -> Iterable[Reading[Any]]:
        """Take a look in, and return what it makes of it."""
        ...


@dataclass(frozen=True, slots=True)
class Filmed:
    """A game to be read from pictures. They last as long as their folder."""

    name: str
    game: JetanGame
    start: Standing
    stage: Stage
    looks: tuple[Look, ...]
    truth: Happened

    @property
    def kind(self) -> str:
        """Its scene: `camera-wood`."""
        return self.name.rpartition("-")[0]

    @property
    def known(self) -> tuple[str, ...]:
        """The line that a program is given first: where each square's middle is in a picture."""
        pixels = self.stage.view.project(self.stage.layout.centres).tolist()
        places = zip(map(format_square, SQUARES), pixels, strict=True)
        return (" ".join(("squares", *(f"{name} {x:.1f} {y:.1f}" for name, (x, y) in places))),)

    def read_by(self, reader: Looker) -> list[Reading[Any]]:
        """Show a reader every look, and return its readings."""
        return [reading for look in self.looks for reading in reader.look(*look)]


class CameraAtTable:
    """The table's own: its camera follows the board, and its reader what the camera makes of it."""

    def __init__(self, case: Filmed) -> None:
        layout = case.stage.layout
        finder = BoardFinder(layout, None, case.stage.view.project(layout.corners))
        camera = BoardCamera(finder, has_neutral=False, are_stills=False)
        self._follower = follower_of_jetan(camera, case.start.position)

    def look(self, at: float, path: Path) -> Iterable[Reading[Any]]:
        """Take a look in; one without a board tells nothing."""
        try:
            return self._follower.see(decoded(path.name, at, path.read_bytes())).readings
        except BoardNotFound:
            return ()


def filmed_games(beginning: str = "", plies: int = PLIES) -> Iterator[Filmed]:
    """Yield the games whose names begin so, each painted when its turn comes, and then removed."""
    for scene in SCENES:
        if f"camera-{scene}-1".startswith(beginning):
            with TemporaryDirectory(prefix="hands-") as folder:
                yield film(scene, Path(folder), plies)


def film(scene: str, folder: Path, plies: int = PLIES) -> Filmed:
    """Paint so many plies of a scene into a folder: hands reach, put down, and leave."""
    drawn = scene_of(SCENES[scene])
    stage = _stage_of(scene, drawn.stage)
    positions, moves = drawn.game(plies)
    chance = Random(f"hands {drawn.number}")
    looks, rows = list[Look](), list[PlyRow]()

    def look(position: Position, under: Square | None = None) -> float:
        hand = None
        if under is not None:
            x, y = stage.layout.centres[under].tolist()
            hand = x + chance.uniform(-OFF, OFF), y + chance.uniform(-OFF, OFF)
        number = len(looks)
        picture = LIGHT(_painted(stage, position, number, hand), len(rows))
        path = folder / f"{number:04}.jpg"
        cv2.imwrite(str(path), picture)
        looks.append(Look(LOOK_S * number, path))
        return looks[-1].at

    for _look in range(FIRST_LOOKS):
        look(positions[0])
    for (before, after), text in zip(pairwise(positions), moves, strict=True):
        move = parse_move(text, before)
        begun, *_ = [look(before, move.from_square) for _look in range(chance.randint(1, 2))]
        landed, *_ = [look(after, move.to_square) for _look in range(chance.randint(1, 2))]
        for _look in range(chance.randint(3, 5)):
            look(after)
        rows.append(ply_row(before, move, begun, landed, []))
    start = Standing(positions[0])
    truth = Happened(rows, [])
    return Filmed(f"camera-{scene}-1", JetanGame(), start, stage, tuple(looks), truth)


def _stage_of(scene: str, drawn: PrintedStage) -> Stage:
    """Return a scene's stage: the printed one that was drawn, or another as that is looked at."""
    if scene in ("paper", "cards"):
        return drawn
    stage = Stage(drawn.layout, drawn.elevation, drawn.turn, table=drawn.table)
    light, shade, lens, noise = drawn.light, drawn.shade, drawn.lens, drawn.noise
    stage = replace(stage, light=light, shade=shade, lens=lens, noise=noise)
    return replace(stage, **WOOD) if scene == "wood" else stage


def _painted(
    stage: Stage, position: Position, number: int, hand: tuple[float, float] | None
) -> Picture:
    if isinstance(stage, PrintedStage):
        return stage.showing(position, number, hand)
    return stage.paint(occupants_of(position), number, hand=hand)
