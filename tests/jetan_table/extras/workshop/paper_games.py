"""Games of 36 moves on printed boards, one picture a move, in scenes that differ in many ways.

Scenes of even numbers were looked at when the colours and rims of the prints were chosen; those of
odd numbers only tell how good they are.
"""

import json
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

import cv2

from hardware.build import Shape, build_of
from jetan_table.cli import main
from jetan_table.extras.workshop.paper import board_sheet
from rules import MoveKind, Position, format_square, parse_rules
from tests.jetan_table.extras.workshop.prints import PrintedStage
from vision.geometry import Picture, layout_of

RULES: Final[dict[Shape, str]] = {
    "grid": "appendix,thoat=jumps",
    "ninth-ray": "ninth-ray-clockwise,thoat=jumps",
}
MOVES: Final = 36
CAPTURES: Final = 0.35
"""How often a piece is taken where one can be."""

SCENES: Final = 20


@dataclass(frozen=True, slots=True)
class Scene:
    """A game that is painted: on which board, by which pieces, and how it is seen."""

    number: int
    board: Shape
    stage: PrintedStage
    has_hands: bool

    @property
    def rules(self) -> str:
        """The game's rules."""
        return RULES[self.board]

    def game(self, moves: int = MOVES) -> tuple[list[Position], list[str]]:
        """Return its positions, the start first, and the squares of its moves."""
        chance = Random(f"game {self.number}")
        positions, squares = [Position.start(parse_rules(self.rules))], list[str]()
        while len(squares) < moves:
            going_on = [
                (move, after)
                for move in positions[-1].moves()
                if (after := positions[-1].play(move)).outcome is None
            ]
            takes = [each for each in going_on if each[0].kind is MoveKind.CAPTURE]
            move, after = chance.choice(takes if takes and chance.random() < CAPTURES else going_on)
            positions.append(after)
            squares.append(format_square(move.from_square) + format_square(move.to_square))
        return positions, squares

    def pictures(self, positions: Sequence[Position]) -> list[Picture]:
        """Paint each position; where there are hands, before each but the first also one."""
        pictures = [self.stage.showing(positions[0], 0)]
        for number, (before, after) in enumerate(pairwise(positions), 1):
            if self.has_hands:
                square = next(s for s in before.pieces() if s not in after.pieces())
                point = self.stage.layout.centres[square]
                hand = float(point[0]), float(point[1])
                pictures.append(self.stage.showing(before, 500 + number, hand))
            pictures.append(self.stage.showing(after, number))
        return pictures


def scene_of(number: int) -> Scene:
    """Return a scene: its number alone decides what it is."""
    chance = Random(f"scene {number}")
    board: Shape = "ninth-ray" if number // 2 % 2 else "grid"
    is_standing = number // 4 % 2 == 1
    build = build_of(board, "paper")
    warm = chance.uniform(-0.12, 0.12)
    stage = PrintedStage(
        layout_of(build.topology),
        elevation=chance.uniform(58.0, 88.0),
        turn=chance.choice((0.0, 90.0, 180.0, 270.0)) + chance.uniform(-15, 15),
        table=tuple(chance.uniform(60, 190) for _ in range(3)),  # type: ignore[arg-type]
        light=chance.uniform(0.5, 1.0),
        shade=chance.uniform(0.0, 0.45),
        lens=chance.uniform(-0.12, 0.03),
        noise=chance.choice((2.0, 4.0, 7.0)),
        build=build,
        stand=is_standing,
        paper=chance.choice(("a4", "letter")),
        tint=(1.0 - warm, 1.0, 1.0 + warm),
        seed=number,
    )
    return Scene(number, board, stage, chance.random() < 0.5)


def write_scene(scene: Scene, positions: Sequence[Position], folder: Path) -> Path:
    """Write a game's pictures to a folder, and return the file of the printed markers beside it."""
    folder.mkdir(parents=True)
    for number, picture in enumerate(scene.pictures(positions)):
        cv2.imwrite(str(folder / f"{number:03}.jpg"), picture)
    markers = folder.with_suffix(".json")
    written = board_sheet(build_of(scene.board, "paper")).markers
    assert written is not None
    markers.write_text(written)
    return markers


@dataclass(frozen=True, slots=True)
class Tally:
    """What was read of a game: moves that were right in the end, wrong ones, questions, silence."""

    right: int
    wrong: int
    asked: int
    never: int


def watched(folder: Path, scene: Scene, how: Sequence[str]) -> list[dict[str, object]]:
    """Return what `jetan watch` prints of a folder of pictures."""
    printed = StringIO()
    with redirect_stdout(printed):
        assert main(["watch", str(folder), "--rules", scene.rules, "--json", *how]) == 0
    return [json.loads(line) for line in printed.getvalue().splitlines()]


def tally(lines: Sequence[dict[str, object]], true: Sequence[str]) -> Tally:
    """Hold what was printed to a game's moves."""
    record: list[str] = []
    asked = 0
    for line in lines:
        if ("ply" in line and "ask" not in line) or "answered" in line:
            number = line.get("ply", line.get("answered"))
            assert isinstance(number, int)
            record[number - 1 :] = [f"{line['from']}{line['to']}"]
        elif "takeback" in line:
            number = line["takeback"]
            assert isinstance(number, int)
            del record[number - 1 :]
        asked += "ask" in line
    right = sum(read == move for read, move in zip(record, true, strict=False))
    return Tally(right, len(record) - right, asked, len(true) - len(record))
