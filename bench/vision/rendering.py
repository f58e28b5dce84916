"""Renders sequences of Jetan with their truth: `python -m bench.vision.rendering FOLDER`.

Needs POV-Ray (`sudo apt-get install povray`). The same numbers give the same sequences; a folder
that has its truth is left alone, so that what was cut short goes on.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

import click
import cv2
import numpy as np

from rules import Position, Side, Square, format_square, grid, ninth_ray
from rules.ruleset import parse_rules
from vision.arrays import Floats, Picture
from vision.layout import Layout, layout_of

from .scene import (
    HEIGHT,
    WIDTH,
    Camera,
    Standing,
    Style,
    camera_of,
    scene_text,
    style_of,
)
from .sequences import in_words

CAPTURES = 0.45
"""How often one is chosen where there is one."""

LETS = 0.08
"""How often nothing happens between two settled frames, or a piece is straightened."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: what stands where, and what was played before it."""

    standing: tuple[Standing, ...]
    aside: tuple[Standing, ...]
    position: Position
    move: dict[str, str] | None
    hand: Square | None
    view: int


def shots(style: Style, moves: int, chance: Random) -> Iterator[Shot]:
    """Yield the frames of a sequence with so many moves."""
    board = "ninth-ray-clockwise" if style.is_disk else "appendix"
    rules = parse_rules(f"{board},thoat=jumps")
    position = Position.start(rules)
    if style.has_neutral:
        rules = rules.changed({"juggernaut": "random-empty"})
        position = Position.start(rules, juggernaut=Square(chance.choice((44, 45, 54, 55))))
    pieces = _set_up(position, chance)
    aside: tuple[Standing, ...] = ()
    shot = Shot(tuple(pieces.values()), aside, position, None, None, 0)
    yield shot
    played = 0
    while played < moves:
        if style.is_bumped and played == moves // 2:
            shot = replace(shot, view=1)
        if chance.random() < LETS:
            square = chance.choice(list(pieces))
            pieces[square] = _put(pieces[square], square, chance)
            shot = replace(shot, standing=tuple(pieces.values()), move=None)
            yield shot
            continue
        start, end, after = _step(position, style, played, chance)
        if style.has_hands and played % 2 == 0:
            yield replace(shot, hand=end, move=None)
        taken = pieces.pop(end, None)
        mover = pieces.pop(start)
        pieces[end] = _put(mover, end, chance)
        if taken is not None:
            aside = (*aside, replace(taken, square=Square(len(aside)), off=(0.0, 0.0)))
        kind = "juggernaut" if mover.kind is None else "move"
        move = {"from": format_square(start), "to": format_square(end), "kind": kind}
        position = after
        shot = Shot(tuple(pieces.values()), aside, position, move, None, shot.view)
        yield shot
        played += 1


def _step(
    position: Position, style: Style, played: int, chance: Random
) -> tuple[Square, Square, Position]:
    """Return a move that does not end the game, or where the piece of neither side is put."""
    around = position.rules.topology.neighbours
    rolling = position.juggernaut if style.has_neutral and played % 5 == 3 else None
    if rolling is not None:
        near = [s for s in around[rolling] if s is not None and position.piece_at(s) is None]
        if near:
            to = chance.choice(near)
            return rolling, to, position.move_juggernaut(to)
    going_on = [
        (move, after) for move in position.moves() if (after := position.play(move)).outcome is None
    ]
    takes = [each for each in going_on if position.piece_at(each[0].to_square) is not None]
    move, after = chance.choice(takes if takes and chance.random() < CAPTURES else going_on)
    return move.from_square, move.to_square, after


def _set_up(position: Position, chance: Random) -> dict[Square, Standing]:
    pieces = {
        square: Standing(square, piece.kind, piece.side, (0, 0), 0)
        for square, piece in position.pieces().items()
    }
    if position.juggernaut is not None:
        pieces[position.juggernaut] = Standing(position.juggernaut, None, Side.BLACK, (0, 0), 0)
    return {square: _put(piece, square, chance) for square, piece in pieces.items()}


def _put(piece: Standing, square: Square, chance: Random) -> Standing:
    off = (chance.uniform(-0.16, 0.16), chance.uniform(-0.16, 0.16))
    return replace(piece, square=square, off=off, turn=chance.uniform(0, 360))


RECTIFIED = 480
"""The side of pictures that are cut out along the board, in pixels."""

NOISE = 2.5
BUMP = (0.25, -0.3)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--first", default=0, help="The first sequence's number.")
@click.option("--count", default=40, help="How many sequences.")
@click.option("--moves", default=36, help="Moves in each.")
def main(folder: Path, first: int, count: int, moves: int) -> None:
    """Render sequences into FOLDER, one folder each."""
    for number in range(first, first + count):
        into = folder / f"{number:03}"
        if not (into / "truth.json").exists():
            into.mkdir(parents=True, exist_ok=True)
            truth = render(into, number, moves)
            (into / "truth.json").write_text(json.dumps(truth, indent=1))
            print(into, flush=True)


def render(into: Path, number: int, moves: int) -> dict[str, object]:
    """Render one sequence's pictures, and return its truth."""
    chance = Random(f"sequence {number}")
    style = style_of(number, chance)
    layout = layout_of(ninth_ray("clockwise") if style.is_disk else grid())
    around = 1.6 if style.has_hands else 0.7
    cameras = [camera_of(style, layout, around, shift) for shift in ((0.0, 0.0), BUMP)]
    frames: list[dict[str, object]] = []
    taken = list(shots(style, moves, chance))
    for index, shot in enumerate(taken):
        name = f"{index:03}.jpg"
        lamp = 1 + style.drift * (0.5 - index / len(taken))
        hand = None if shot.hand is None else tuple(layout.centres[shot.hand].tolist())
        camera = cameras[shot.view]
        text = scene_text(style, layout, camera, shot.standing, shot.aside, hand, lamp)
        picture = _grainy(_rendered(text), index)
        if style.is_rectified:
            picture = _cut_out(picture, camera, layout)
        cv2.imwrite(str(into / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        frames.append(_frame(name, shot))
    return {
        "name": f"{number:03}",
        "style": asdict(style),
        "board": "circle" if style.is_disk else "grid",
        "circle": {"ninth_ray_bias": "clockwise"},
        "fiducials": None,
        "to_move_first": "black",
        "views": [{"board_corners_px": _corners(style, layout, each)} for each in cameras],
        "frames": frames,
    }


def _frame(name: str, shot: Shot) -> dict[str, object]:
    settled = shot.hand is None
    position = in_words(shot.position) if settled else None
    return {
        "file": name,
        "view": shot.view,
        "settled": settled,
        "move": shot.move,
        "position": position,
    }


def _rendered(text: str) -> Picture:
    with tempfile.TemporaryDirectory() as folder:
        scene, png = Path(folder, "scene.pov"), Path(folder, "scene.png")
        scene.write_text(text)
        size = [f"+W{WIDTH}", f"+H{HEIGHT}", "+A0.2", "+R2", "-D", "-GA", "+WT1"]
        subprocess.run(
            ["povray", f"+I{scene}", f"+O{png}", *size], check=True, stderr=subprocess.DEVNULL
        )
        picture = cv2.imread(str(png))
    assert picture is not None
    return np.asarray(picture, np.uint8)


def _grainy(picture: Picture, seed: int) -> Picture:
    soft = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.6)
    noise = np.random.default_rng(seed).normal(0, NOISE, picture.shape)
    grainy: Picture = np.clip(soft + noise, 0, 255).astype(np.uint8)
    return grainy


def _square() -> Floats:
    last = RECTIFIED - 0.5
    return np.array([(-0.5, last), (last, last), (last, -0.5), (-0.5, -0.5)], np.float32)


def _cut_out(picture: Picture, camera: Camera, layout: Layout) -> Picture:
    corners = camera.view().project(layout.corners).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corners, _square())
    cut: Picture = cv2.warpPerspective(picture, warp, (RECTIFIED, RECTIFIED))
    return cut


def _corners(style: Style, layout: Layout, camera: Camera) -> dict[str, list[float]]:
    corners = _square() if style.is_rectified else camera.view().project(layout.corners)
    return dict(zip(("a1", "j1", "j10", "a10"), corners.tolist(), strict=True))


if __name__ == "__main__":
    main()
