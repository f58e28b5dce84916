"""Renders sequences of Jetan with their truth: `python -m bench.vision.rendering FOLDER`.

With `--chess` games of chess instead, as photographs of it are kept: one picture a move, cut out
along the board, with `positions.csv`. Needs POV-Ray (`sudo apt-get install povray`). The same
numbers give the same sequences; a folder that has its truth is left alone, so that what was cut
short goes on.
"""

import json
import subprocess
import tempfile
from dataclasses import asdict
from pathlib import Path
from random import Random

import click
import cv2
import numpy as np

from rules import grid, ninth_ray
from vision.arrays import Floats, Picture
from vision.geometry import Layout, layout_of, square_grid

from .game import Shot, in_words, shots
from .scene import HEIGHT, WIDTH, Camera, camera_of, scene_text
from .staunton import chess_shots, chess_style_of
from .styles import Style, style_of

RECTIFIED = 480
"""The side of pictures that are cut out along the board, in pixels."""

NOISE = 2.5
BUMP = (0.25, -0.3)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--first", default=0, help="The first sequence's number.")
@click.option("--count", default=40, help="How many sequences.")
@click.option("--moves", default=36, help="Moves in each.")
@click.option("--chess", "is_chess", is_flag=True, help="Of chess instead.")
def main(folder: Path, first: int, count: int, moves: int, is_chess: bool) -> None:
    """Render sequences into FOLDER, one folder each."""
    for number in range(first, first + count):
        into = folder / f"{number:03}"
        if is_chess and not (into / "positions.csv").exists():
            into.mkdir(parents=True, exist_ok=True)
            (into / "positions.csv").write_text(render_chess(into, number, moves))
            print(into, flush=True)
        elif not is_chess and not (into / "truth.json").exists():
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


def render_chess(into: Path, number: int, moves: int) -> str:
    """Render one game of chess, and return its `positions.csv`; White has the first two rows."""
    chance = Random(f"chess {number}")
    style, layout = chess_style_of(number, chance), square_grid(8)
    camera = camera_of(style, layout, 0.5, (0.0, 0.0))
    lines = ["from_frame,to_frame,fen"]
    taken = list(chess_shots(moves, chance))
    for index, (standing, placement) in enumerate(taken):
        lamp = 1 + style.drift * (0.5 - index / len(taken))
        text = scene_text(style, layout, camera, standing, (), None, lamp)
        picture = _cut_out(_grainy(_rendered(text), index), camera, layout)
        name = f"frame_{index:06}.jpg"
        cv2.imwrite(str(into / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
        lines.append(f"{index},{index},{placement}")
    return "\n".join(lines) + "\n"


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
