"""Pictures by which the eye is judged, painted in looks drawn by chance.

Games of Jetan, with their truth, are sequences of stills. Frames as they are found elsewhere ask
whether a board is found in them: streams show a diagram beside the board, sharp or blurred; on
other tables lie things with lines of their own, or a part of a second board.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from bench.vision.sequences import in_words
from rules import Position, Square, format_square, parse_rules
from vision.errors import BoardNotFound
from vision.finder import BoardFinder
from vision.geometry import Floats, Layout, Picture, orientations

from .looks import Ground, Look, Make, look_of, pieces_of
from .painter import Eye, Standing, eye_of, paint, painted_board, put, set_up
from .samples import developed, layout_for, shown

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
    position = first_of(look, layout, chance)
    standing = set_up(look, occupants_of(position, layout), chance)
    frames: list[dict[str, object]] = []
    corners = layout.corners
    for played in range(moves + 1):
        move: dict[str, str] | None = None
        if played:
            start, end, position = moved(position, played, chance)
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
    return truth_of(f"{number:03}", look, [corners], frames)


def truth_of(
    name: str, look: Look, views: Sequence[Floats], frames: list[dict[str, object]]
) -> dict[str, object]:
    """Return the truth of a sequence; `views` are the board's corners in pixels, (4, 2) each."""
    return {
        "name": name,
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
            {"board_corners_px": dict(zip(("a1", "j1", "j10", "a10"), each.tolist(), strict=True))}
            for each in views
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


def first_of(look: Look, layout: Layout, chance: np.random.Generator) -> Position:
    """Return the position in which a game of such a look begins."""
    board = "appendix" if look.board.ground is Ground.JETAN else "ninth-ray-clockwise"
    rules = parse_rules(f"{board},thoat=jumps")
    if not look.has_neutral:
        return Position.start(rules)
    rules = rules.changed({"juggernaut": "random-empty"})
    square = Square(int(chance.choice((44, 45, 54, 55))))
    return Position.start(rules, juggernaut=square)


def occupants_of(position: Position, layout: Layout) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return what stands on each square of a board."""
    return np.array([int(position.occupant_at(Square(s))) for s in range(len(layout.colours))])


def moved(
    position: Position, played: int, chance: np.random.Generator
) -> tuple[Square, Square, Position]:
    """Return a move that does not end the game; now and then the Juggernaut's."""
    rolling = position.juggernaut if played % 5 == 4 else None
    if rolling is not None:
        around = position.rules.board.neighbours[rolling]
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


# ------------------------------------------------------------------ frames found elsewhere


Seed = tuple[int, ...]
Chance = np.random.Generator

NEAR = 0.03
"""How far corners may lie from the true ones, as a share of the board's side in the picture."""

SIZE = (1280, 720)
"""Of frames, in pixels."""

SHADES = ((40, 150), (150, 250))
"""Dark and light of a diagram, in grey levels."""


def count_found(word: int, frames: int) -> Counter[str]:
    """Count what is found in so many frames, by what is beside the board.

    A board is found where its corners lie within NEAR of the true ones, and falsely found where
    they do not.
    """
    count = Counter[str]()
    for number in range(frames):
        name = list(BESIDE)[number % len(BESIDE)]
        count[f"{name}: {_outcome((word, number), name)}"] += 1
    return count


def _outcome(seed: Seed, name: str) -> str:
    picture, corners, layout = wild_frame(seed, name)
    try:
        found = BoardFinder(layout).find(picture).view
    except BoardNotFound:
        return "refused"
    assert layout.side is not None
    side = np.sqrt(cv2.contourArea(corners.astype(np.float32)))
    away = [
        np.hypot(*(view.project(layout.corners) - corners).T).max()
        for view in orientations(found, layout.side)
    ]
    return "found" if min(away) < NEAR * side else "false"


def wild_frame(seed: Seed, name: str) -> tuple[Picture, Floats, Layout]:
    """Return a frame, where its board's corners are, and the board's layout."""
    chance = np.random.default_rng((*seed, 2))
    board, corners, layout = _square_board(seed)
    width, height = SIZE
    frame = np.empty((height, width, 3), np.uint8)
    frame[:] = chance.integers(20, 230, 3)
    high = int(height * chance.uniform(0.8, 1.0))
    wide = min(round(high * board.shape[1] / board.shape[0]), int(0.72 * width))
    high = round(wide * board.shape[0] / board.shape[1])
    left = int(chance.choice((0, width - wide)))
    top = int(chance.integers(0, height - high + 1))
    frame[top : top + high, left : left + wide] = cv2.resize(
        board, (wide, high), interpolation=cv2.INTER_AREA
    )
    room = frame[:, wide:] if left == 0 else frame[:, : width - wide]
    BESIDE[name](room, seed, chance, layout)
    quality = 40 if name == "blurred diagram" else int(chance.integers(50, 96))
    _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    taken = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return taken, (corners + 0.5) * (wide / board.shape[1]) - 0.5 + (left, top), layout


def _square_board(seed: Seed) -> tuple[Picture, Floats, Layout]:
    """Return the first painted picture by a seed that shows a whole board of squares, with men."""
    for again in range(100):
        look, layout, taken = shown((*seed, again), 1)
        if look.board.ground is not Ground.DISK and not look.camera.is_cut_out:
            return taken[1].picture, taken[1].view.project(layout.corners), layout
    raise AssertionError("most looks are so")


def _nothing(room: Picture, seed: Seed, chance: Chance, layout: Layout) -> None:
    """Leave the room beside the board empty."""


def _diagram(room: Picture, seed: Seed, chance: Chance, layout: Layout) -> None:
    """Draw the board's diagram, with letters for its pieces."""
    assert layout.side is not None
    height, width = room.shape[:2]
    square = int(0.9 * min(height, width)) // layout.side
    drawn = np.empty((square * layout.side, square * layout.side, 3), np.uint8)
    colours = [tuple(int(part) for part in chance.integers(*each, 3)) for each in SHADES]
    for column, row in np.ndindex(layout.side, layout.side):
        x, y = column * square, row * square
        drawn[y : y + square, x : x + square] = colours[(column + row) % 2]
        if row in (0, 1, layout.side - 2, layout.side - 1) or chance.random() < 0.1:
            at = (x + square // 4, y + 3 * square // 4)
            ink = (250,) * 3 if row > layout.side // 2 else (10,) * 3
            letter = "PWDFTC"[int(chance.integers(6))]
            cv2.putText(drawn, letter, at, cv2.FONT_HERSHEY_DUPLEX, square / 40, ink, 2)
    top = int(chance.integers(0, height - len(drawn) + 1))
    left = int(chance.integers(0, width - len(drawn) + 1))
    room[top : top + len(drawn), left : left + len(drawn)] = drawn
    for line in range(3):
        at = (5, 20 + 24 * line if top > 100 else height - 10 - 24 * line)
        cv2.putText(room, "Round 3  1-0  Board 12", at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255,) * 3)


def _blurred_diagram(room: Picture, seed: Seed, chance: Chance, layout: Layout) -> None:
    _diagram(room, seed, chance, layout)
    room[:] = cv2.GaussianBlur(room, (0, 0), chance.uniform(1.0, 4.0))
    grain = chance.normal(0, chance.uniform(0, 3), room.shape)
    room[:] = np.clip(room + grain, 0, 255).astype(np.uint8)


def _second_board(room: Picture, seed: Seed, chance: Chance, layout: Layout) -> None:
    """Show a part of another board, seen by another camera."""
    other = _square_board((*seed, 3))[0]
    height, width = room.shape[:2]
    share = chance.uniform(1.0, 1.5) * height / other.shape[0]
    size = (max(round(other.shape[1] * share), width), max(round(other.shape[0] * share), height))
    larger = cv2.resize(other, size)
    left = larger.shape[1] // 2 if chance.random() < 0.5 else 0
    part = larger[:height, left : left + width]
    room[: part.shape[0], : part.shape[1]] = part


def _clutter(room: Picture, seed: Seed, chance: Chance, layout: Layout) -> None:
    """Lay out things with lines of their own: chequered cloth, keys, ruled and squared paper."""
    height, width = room.shape[:2]
    for _ in range(6):
        pitch, side = int(chance.integers(8, 40)), int(chance.integers(100, 400))
        rows, columns = np.indices((side, side)) // pitch
        dark, light = chance.integers(20, 120), chance.integers(120, 250)
        kind = int(chance.integers(4))
        lines = np.indices((side, side)) % pitch < max(pitch // 8, 1)
        is_dark = ((rows + columns) % 2 == 0, lines[0] | lines[1], lines[0], ~lines[0] & ~lines[1])
        thing = np.where(is_dark[kind], dark, light).astype(np.float32)
        tint = chance.uniform(0.7, 1.0, 3)
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(chance.uniform(0, 90)), 0.7)
        turn[:, 2] += (chance.uniform(-side / 2, width), chance.uniform(-side / 2, height))
        laid = cv2.warpAffine(thing, turn, (width, height), borderValue=-1.0)[..., None] * tint
        room[:] = np.where(laid > 0, laid, room).astype(np.uint8)


BESIDE: Mapping[str, Callable[[Picture, Seed, Chance, Layout], None]] = {
    "nothing": _nothing,
    "diagram": _diagram,
    "blurred diagram": _blurred_diagram,
    "second board": _second_board,
    "clutter": _clutter,
}
"""What fills the room beside the picture of the board."""
