"""Paints games of Jetan in looks drawn by chance, with their truth, as sequences of stills."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from bench.vision.sequences import in_words
from rules import Position, Square, format_square
from rules.ruleset import parse_rules
from vision.arrays import Floats, Picture
from vision.layout import Layout

from .looks import Ground, Look, Make, look_of, pieces_of
from .painter import paint, painted_board
from .samples import developed, layout_for
from .stage import Eye, Standing, eye_of, put, set_up

CAPTURES = 0.4
"""How often one is chosen where there is one."""

THIN_AND_TALL, PRINTED = 0, 1
"""Of every four games the first has thin and tall pieces seen from 32 to 40 degrees, the second
discs."""


def game_look(number: int, chance: np.random.Generator) -> Look:
    """Return the look of a game of Jetan."""
    look = look_of(chance)
    while look.board.ground is Ground.CHESS:
        look = look_of(chance)
    camera, grey = look.camera, look.camera.is_grey
    if number % 4 == THIN_AND_TALL:
        camera = replace(camera, elevation=chance.uniform(32, 40), is_cut_out=False)
        pieces = pieces_of(chance, look.board, grey, Make.TURNED, chance.uniform(1.9, 2.7), 0.6)
    elif number % 4 == PRINTED:
        pieces = pieces_of(chance, look.board, grey, Make.DISC)
    else:
        pieces = look.pieces
    return replace(look, camera=camera, pieces=pieces)


def paint_game(into: Path, word: int, number: int, moves: int) -> dict[str, object]:
    """Paint a game's pictures into a folder, one for each move; return its truth."""
    chance = np.random.default_rng((word, number))
    look = game_look(number, chance)
    layout = layout_for(look.board.ground)
    eye = eye_of(look.camera, layout, chance)
    board = painted_board(look, layout, chance)
    position = _first(look, layout, chance)
    standing = set_up(look, _occupants(position, layout), chance)
    frames: list[dict[str, object]] = []
    corners = layout.corners
    for played in range(moves + 1):
        move: dict[str, str] | None = None
        if played:
            start, end, position = _moved(position, played, chance)
            piece = standing.pop(start)
            standing[end] = put(look, end, piece.who, piece.kind, chance)
            kind = "juggernaut" if piece.who == 3 else "move"
            move = {"from": format_square(start), "to": format_square(end), "kind": kind}
        picture, corners_seen = _taken(look, layout, eye, board, standing, chance, not played)
        name = f"{played:03}.jpg"
        cv2.imwrite(str(into / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        corners = corners_seen
        frames.append(
            {"file": name, "view": 0, "settled": True, "move": move, "position": in_words(position)}
        )
    return {
        "name": f"{number:03}",
        "style": (
            f"{look.pieces.make.value} pieces, {look.camera.elevation:.0f} degrees, "
            f"{'grey, ' if look.camera.is_grey else ''}noise {look.camera.noise:.0f}"
        ),
        "board": "grid" if look.board.ground is Ground.JETAN else "circle",
        "circle": {"ninth_ray_bias": "clockwise"},
        "fiducials": None,
        "by_corners": True,
        "to_move_first": "black",
        "views": [
            {
                "board_corners_px": dict(
                    zip(("a1", "j1", "j10", "a10"), corners.tolist(), strict=True)
                )
            }
        ],
        "frames": frames,
    }


def _taken(
    look: Look,
    layout: Layout,
    eye: Eye,
    board: Floats,
    standing: dict[int, Standing],
    chance: np.random.Generator,
    is_first: bool,
) -> tuple[Picture, Floats]:
    """Return a picture, and where the board's corners are in it."""
    raw = paint(look, layout, eye, standing.values(), board, None)
    picture, corners_seen = developed(raw, look.camera, eye.view, layout, chance, is_first)
    return picture, corners_seen.project(layout.corners)


def _first(look: Look, layout: Layout, chance: np.random.Generator) -> Position:
    board = "appendix" if look.board.ground is Ground.JETAN else "ninth-ray-clockwise"
    rules = parse_rules(f"{board},thoat=jumps")
    if not look.has_neutral:
        return Position.start(rules)
    rules = rules.changed({"juggernaut": "random-empty"})
    square = Square(int(chance.choice((44, 45, 54, 55))))
    return Position.start(rules, juggernaut=square)


def _occupants(position: Position, layout: Layout) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.array([int(position.occupant_at(Square(s))) for s in range(len(layout.colours))])


def _moved(
    position: Position, played: int, chance: np.random.Generator
) -> tuple[Square, Square, Position]:
    """Return a move that does not end the game; now and then the Juggernaut's."""
    rolling = position.juggernaut if played % 5 == 4 else None
    if rolling is not None:
        around = position.rules.topology.neighbours[rolling]
        near = [s for s in around if s is not None and position.piece_at(s) is None]
        if near:
            to = near[int(chance.integers(len(near)))]
            return rolling, to, position.move_juggernaut(to)
    going_on = [
        (move, after) for move in position.moves() if (after := position.play(move)).outcome is None
    ]
    takes = [each for each in going_on if position.piece_at(each[0].to_square) is not None]
    among = takes if takes and chance.random() < CAPTURES else going_on
    move, after = among[int(chance.integers(len(among)))]
    return move.from_square, move.to_square, after
