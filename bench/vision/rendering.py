"""Renders sequences of Jetan with their truth: `python -m bench.vision.rendering FOLDER`.

Needs POV-Ray (`sudo apt-get install povray`). The same numbers give the same sequences; a folder
that has its truth is left alone, so that what was cut short goes on. First stands what sequences
differ in, then the scene that POV-Ray reads, then what happens: moves by chance, hands, bumps.
"""

import itertools
import json
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

import click
import cv2
import numpy as np

from rules import Kind, Position, Side, Square, format_square, grid, ninth_ray, parse_rules
from vision.geometry import BoardView, Floats, Layout, Picture, layout_of

from .sequences import in_words

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


WIDTH, HEIGHT = 720, 540
FOCAL = 0.95
"""In picture widths."""

PROFILES: Mapping[Kind, tuple[tuple[float, float], ...]] = {
    Kind.PANTHAN: ((0, 0.3), (0.15, 0.28), (0.3, 0.14), (0.6, 0.11), (0.64, 0.18), (0.7, 0.1)),
    Kind.WARRIOR: ((0, 0.33), (0.2, 0.3), (0.35, 0.18), (0.8, 0.16), (0.86, 0.24), (1.1, 0.24)),
    Kind.PADWAR: ((0, 0.33), (0.2, 0.3), (0.35, 0.16), (0.9, 0.1), (0.95, 0.2), (1.2, 0.05)),
    Kind.DWAR: ((0, 0.34), (0.2, 0.32), (0.4, 0.2), (1.0, 0.17), (1.05, 0.26), (1.25, 0.27)),
    Kind.FLIER: ((0, 0.33), (0.2, 0.3), (0.35, 0.13), (0.8, 0.1), (1.0, 0.24), (1.35, 0.04)),
    Kind.THOAT: ((0, 0.34), (0.2, 0.32), (0.3, 0.22), (0.7, 0.2), (0.9, 0.28), (1.15, 0.12)),
    Kind.CHIEF: ((0, 0.37), (0.25, 0.34), (0.45, 0.18), (1.4, 0.13), (1.45, 0.26), (1.8, 0.16)),
    Kind.PRINCESS: ((0, 0.36), (0.25, 0.33), (0.45, 0.16), (1.3, 0.11), (1.36, 0.22), (1.65, 0.1)),
}
"""Of a tall set: heights and radii, in squares."""

NEUTRAL = ((0, 0.38), (0.5, 0.34), (0.6, 0.2), (0.75, 0.3), (1.2, 0.26), (1.5, 0.05))
NEUTRAL_COLOUR = (0.35, 0.45, 0.55)


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands on a square; `kind` None for the piece of neither side."""

    square: Square
    kind: Kind | None
    side: Side
    off: tuple[float, float]
    """From its square's middle, in squares."""
    turn: float
    """About its own axis, in degrees."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the camera stands and looks, in board units; the second number is the height."""

    at: tuple[float, float, float]
    to: tuple[float, float, float]

    def view(self) -> BoardView:
        """Return what it sees of the board's plane."""
        at, to = np.array(self.at), np.array(self.to)
        ahead = (to - at) / np.linalg.norm(to - at)
        right = np.cross((0.0, 1.0, 0.0), ahead)
        right /= np.linalg.norm(right)
        up = np.cross(ahead, right)
        turned = np.stack([right, -up, ahead])
        inner = np.array(
            [
                [FOCAL * WIDTH, 0, (WIDTH - 1) / 2],
                [0, FOCAL * WIDTH, (HEIGHT - 1) / 2],
                [0, 0, 1],
            ]
        )
        outer = np.column_stack([turned[:, 0], turned[:, 2], -turned @ at])
        return BoardView(inner @ outer, 0.0, WIDTH, HEIGHT)


def camera_of(style: Style, layout: Layout, around: float, shift: tuple[float, float]) -> Camera:
    """Return a camera that sees all of the board and `around` squares beside it.

    It looks `shift` squares beside the middle.
    """
    middle = layout.size / 2
    rim = np.array(
        [(x, y) for x in (-around, layout.size + around) for y in (-around, layout.size + around)]
    )
    up, turn = np.radians(style.elevation), np.radians(style.turn)
    sight = np.array([np.cos(up) * np.sin(turn), np.sin(up), -np.cos(up) * np.cos(turn)])
    to = np.array([middle + shift[0], 0.0, middle + shift[1]])
    for away in np.arange(1.0, 4.0, 0.02) * layout.size:
        at = to + away * sight
        camera = Camera((at[0], at[1], at[2]), (to[0], to[1], to[2]))
        pixels = camera.view().project(rim)
        if (pixels > 4).all() and (pixels < (WIDTH - 5, HEIGHT - 5)).all() and away > middle * 2:
            return camera
    raise ValueError(f"no camera at {style.elevation} degrees sees all of the board")


def scene_text(
    style: Style,
    layout: Layout,
    camera: Camera,
    standing: Iterable[Standing],
    aside: Iterable[Standing],
    hand: tuple[float, float] | None,
    lamp: float,
) -> str:
    """Return the scene as POV-Ray reads it.

    `aside` are taken pieces, whose squares number their places beside the board; `hand` is a point
    of the board that a hand reaches for; `lamp` is how strong the lamps are, 1 at first.
    """
    angle = 2 * np.degrees(np.arctan(0.5 / FOCAL))
    parts = [
        "#version 3.7; global_settings { assumed_gamma 1.0 }",
        (
            f"camera {{ location {_v(camera.at)} up y right x*{WIDTH / HEIGHT} "
            f"angle {angle} look_at {_v(camera.to)} }}"
        ),
        "background { color rgb <0.2,0.22,0.22> }",
        f"#default {{ finish {{ ambient {style.ambient} diffuse 0.7 }} }}",
    ]
    middle = layout.size / 2
    for each in style.lamps:
        at = (each.at[0] + middle, each.at[1], each.at[2] + middle)
        colour = tuple(lamp * channel for channel in each.colour)
        soft = ""
        if each.width:
            soft = f"area_light x*{each.width} z*{each.width} 3 3 adaptive 0 jitter"
        parts.append(f"light_source {{ {_v(at)} color rgb {_v(colour)} {soft} }}")
    parts += _board(style, layout)
    for piece in standing:
        at = layout.centres[piece.square] + layout.spans[piece.square] * np.array(piece.off)
        parts.append(_piece(style, piece, (float(at[0]), float(at[1])), layout.spans[piece.square]))
    for piece in aside:
        column, row = divmod(int(piece.square), 10)
        parts.append(_piece(style, piece, (layout.size + 2.0 + column, row + 0.5), 1.0))
    if hand is not None:
        parts.append(_hand(hand, layout.size))
    return "\n".join(parts)


def _v(numbers: Iterable[float]) -> str:
    return "<" + ",".join(f"{number:.4f}" for number in numbers) + ">"


def _board(style: Style, layout: Layout) -> list[str]:
    chance = Random(7)
    size, surface = layout.size, style.surface
    red, green, blue = surface.dark
    frame = 0.6 * red, 0.6 * green, 0.6 * blue
    parts = [
        (
            "plane { y, -0.6 texture { pigment { bozo color_map { [0 rgb <0.33,0.36,0.38>] "
            "[1 rgb <0.27,0.30,0.33>] } scale 2 } } }"
        ),
        (
            f"box {{ <-0.7,-0.5,-0.7>, <{size + 0.7},-0.01,{size + 0.7}> "
            f"texture {{ {_wood(frame, surface.grain)} }} }}"
        ),
    ]
    for outline, colour in zip(layout.outlines, layout.colours, strict=True):
        points = [*outline, outline[0]]
        corners = ",".join(f"<{x:.4f},{y:.4f}>" for x, y in points)
        shade = surface.light if colour else surface.dark
        moved = _v(chance.uniform(-20, 20) for _ in range(3))
        parts.append(
            f"polygon {{ {len(points)}, {corners} rotate x*90 "
            f"texture {{ {_wood(shade, surface.grain)} translate {moved} }} }}"
        )
    return parts


def _wood(colour: Rgb, grain: float) -> str:
    if not grain:
        return f"pigment {{ color rgb {_v(colour)} }}"
    low = tuple((1 - grain) * channel for channel in colour)
    high = tuple(min((1 + grain / 2) * channel, 1.0) for channel in colour)
    return (
        f"pigment {{ wood turbulence 0.08 color_map {{ [0 rgb {_v(low)}] [0.7 rgb {_v(colour)}] "
        f"[1 rgb {_v(high)}] }} scale 0.35 rotate y*12 rotate x*4 }}"
    )


def _piece(style: Style, piece: Standing, at: tuple[float, float], span: float) -> str:
    pieces = style.pieces
    colour = pieces.orange if piece.side is Side.ORANGE else pieces.black
    if piece.kind is None:
        colour = NEUTRAL_COLOUR
    if pieces.height:
        profile = NEUTRAL if piece.kind is None else PROFILES[piece.kind]
        stretched = [(height * (pieces.height if piece.kind else 0.8), r) for height, r in profile]
        body = _turned(stretched)
        top, radius = stretched[-1]
        body += f"sphere {{ <0,{top},0>, {max(radius, 0.1)} }}"
        body += f"box {{ <-0.04,{top},-0.16>, <0.04,{top + 0.12},0.16> }}"
    else:
        body = _flat(piece, colour)
    return (
        f"union {{ {body} texture {{ pigment {{ color rgb {_v(colour)} }} "
        f"finish {{ specular {pieces.gloss} roughness 0.03 }} }} "
        f"scale {0.95 * span:.3f} rotate y*{piece.turn:.1f} "
        f"translate <{at[0]:.4f},0,{at[1]:.4f}> }}"
    )


def _turned(profile: Iterable[tuple[float, float]]) -> str:
    rings = list(profile)
    return "".join(
        f"cone {{ <0,{low},0>, {wide}, <0,{high},0>, {narrow} }}"
        for (low, wide), (high, narrow) in itertools.pairwise(rings)
    )


def _flat(piece: Standing, colour: Rgb) -> str:
    mark = tuple(min(0.55 * channel + 0.35, 1.0) for channel in colour)
    width = 0.08 + 0.02 * (list(Kind).index(piece.kind) if piece.kind is not None else 0)
    return (
        "cylinder { <0,0,0>, <0,0.2,0>, 0.37 }"
        f"box {{ <{-width},0.2,-0.24>, <{width},0.215,0.24> pigment {{ color rgb {_v(mark)} }} }}"
        f"torus {{ 0.31, 0.025 translate y*0.2 pigment {{ color rgb {_v(mark)} }} }}"
    )


def _hand(at: tuple[float, float], size: float) -> str:
    x, y = at
    return (
        f"union {{ cone {{ <{x + 0.9},1.6,{y}>, 0.55, <{size + 9},4.5,{y - 2.5}>, 1.0 }} "
        f"sphere {{ <{x + 0.9},1.5,{y}>, 0.75 }} "
        + "".join(
            f"cone {{ <{x + 0.7},1.5,{y + aside}>, 0.24, <{x},0.9,{y + 0.5 * aside}>, 0.17 }}"
            for aside in (-0.5, -0.15, 0.2, 0.5)
        )
        + " pigment { color rgb <0.80,0.58,0.46> } }"
    )


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
    around = position.rules.board.neighbours
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
