"""Pictures of solid things, by numpy alone: soft light from a window and a sky, and real shadows.

Lengths are millimetres, z points up, and the ground lies under the lowest point. What a lamp lights
glows. Each pixel is made of several, and each of these asks another share of the light's
directions, so that shadows are soft and cost little.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, radians, sin, sqrt, tan
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from .raster import FAR, Floats, Whole, depths_of, nearest, numbers_of

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255, as screens have them."""

Bands = NDArray[np.float32]

SAMPLES: Final = 2
"""So many samples each way make one pixel."""

MAP_PX: Final = 1100
"""How wide the picture is at most that a direction of light takes of the things."""

CREASE: Final = cos(radians(35))
"""Faces that meet at a blunter angle are parts of one rounded face."""

_SUNS, _SKY = 12, 24
_SUN_TURN, _SUN_RISE, _SUN_SPREAD = -85.0, 46.0, 0.12
_SUN_LIGHT, _SKY_LIGHT, _BOUNCE, _SHINE = 1.0, 0.40, 0.06, 0.4
_GROUND_LIGHT: Final = 0.86
_ROWS_AT_ONCE: Final = 96


@dataclass(frozen=True, slots=True)
class Painted:
    """A closed mesh and its colour; `glow` is the share of it that shines by itself."""

    points: Floats
    triangles: Whole
    colour: Colour
    glow: float = 0.0
    gloss: float = 1.0


@dataclass(frozen=True, slots=True)
class Camera:
    """Where a picture is taken from: degrees round the things (0 is the south) and above them.

    `angle` is how much is seen across, in degrees; with 0, parallels stay parallel. `closer` draws
    nearer than what shows everything.
    """

    turn: float = -30.0
    rise: float = 35.0
    angle: float = 28.0
    closer: float = 1.0
    width: int = 1600
    height: int = 1000


class Scene(NamedTuple):
    """Meshes as one, with the normals of corners, and colours, glows and glosses of triangles."""

    points: Floats
    triangles: Whole
    normals: Bands
    colours: Bands
    glows: Bands
    glosses: Bands
    ground: float


class Sight(NamedTuple):
    """From where and how it is looked at."""

    axes: Floats
    """Right, up and towards the eye, as rows."""
    origin: Floats
    """What lies in the picture's middle."""
    eye: Floats
    """From `origin`, along these axes."""
    pixels: float
    """Pixels a millimetre in the plane of `origin`."""
    distance: float
    """Of the eye from that plane; infinite where parallels stay so."""


class Light(NamedTuple):
    """A direction that light comes from, and what it meets first."""

    towards: Bands
    strength: Bands
    onto_map: Bands
    """From a place's x, y, z, 1 to its column, row and height on the map."""
    heights: Bands
    pull: np.float32
    """So far off its face a place is asked for, which else would shade itself."""
    shines: bool = False
    """Whether it is mirrored: the window is."""


def picture(things: Sequence[Painted], camera: Camera, ground: Colour = (236, 234, 230)) -> bytes:
    """Return a PNG of `things`.

    ValueError: there is nothing to see.
    """
    if not any(len(thing.triangles) for thing in things):
        raise ValueError("a picture of nothing: hand over at least one mesh")
    done, encoded = cv2.imencode(".png", image(things, camera, ground))
    assert done
    return encoded.tobytes()


def image(
    things: Sequence[Painted], camera: Camera, ground: Colour = (236, 234, 230)
) -> NDArray[np.uint8]:
    """Return a picture as rows of pixels of blue, green and red."""
    scene = scene_of(things)
    wide, high = camera.width * SAMPLES, camera.height * SAMPLES
    view = sight_of(scene, camera, wide, high)
    screen = on_screen(scene.points, view, wide, high)
    near, far = screen[:, 2].min(), screen[:, 2].max()
    screen[:, 2] = (screen[:, 2] - near) / max(far - near, 1e-12) * 0.999
    keys = nearest(screen[scene.triangles], wide, high).reshape(high, wide)
    lights = lights_on(scene, min(MAP_PX, camera.width))
    floor = linear(ground)
    lit = np.empty((high, wide, 3), np.float32)
    glow = np.zeros((high, wide, 3), np.float32)
    for row in range(0, high, _ROWS_AT_ONCE):
        rows = slice(row, min(row + _ROWS_AT_ONCE, high))
        _paint(scene, view, screen, keys, lights, floor, rows, lit, glow)
    size = (camera.width, camera.height)
    small = cv2.resize(lit, size, interpolation=cv2.INTER_AREA)
    shining = cv2.resize(glow, size, interpolation=cv2.INTER_AREA)
    for spread in (camera.width / 160, camera.width / 45):
        small += 0.30 * cv2.GaussianBlur(shining, (0, 0), spread)
    return screen_colours(small)


def linear(colour: Colour) -> Bands:
    """Return a colour of a screen as light."""
    return ((np.asarray(colour, np.float32) / 255) ** 2.2).astype(np.float32)


def screen_colours(light: Bands) -> NDArray[np.uint8]:
    """Return light as a screen's colours: blue, green and red."""
    # Bright light is pressed together instead of cut off, so that what glows keeps its colour.
    bound = 0.8
    over = np.maximum(light - bound, 0)
    pressed = np.minimum(light, bound) + (1 - bound) * over / (over + 1 - bound)
    screened = (255 * np.clip(pressed, 0, 1) ** (1 / 2.2) + 0.5).astype(np.uint8)
    return np.asarray(screened[..., ::-1])


def scene_of(things: Sequence[Painted]) -> Scene:
    """Return things as one."""
    filled = [thing for thing in things if len(thing.triangles)]
    counts = [len(thing.triangles) for thing in filled]
    starts = np.cumsum([0, *(len(thing.points) for thing in filled)])
    points = np.concatenate([np.asarray(thing.points, np.float64) for thing in filled])
    return Scene(
        points,
        np.concatenate([t.triangles + start for t, start in zip(filled, starts, strict=False)]),
        np.concatenate([_smooth(np.asarray(t.points, np.float64), t.triangles) for t in filled]),
        np.repeat(np.array([linear(thing.colour) for thing in filled]), counts, axis=0),
        np.repeat(np.array([thing.glow for thing in filled], np.float32), counts),
        np.repeat(np.array([thing.gloss for thing in filled], np.float32), counts),
        float(points[:, 2].min()),
    )


def _smooth(points: Floats, triangles: Whole) -> Bands:
    """Return a normal for each corner: of its own face and those that go on smoothly from it."""
    _, same = np.unique(np.round(points, 4), axis=0, return_inverse=True)
    at = same.reshape(-1)[triangles].reshape(-1)
    one, other, third = (points[triangles[:, corner]] for corner in range(3))
    weighted = np.cross(other - one, third - one)
    unit = weighted / np.maximum(np.linalg.norm(weighted, axis=1, keepdims=True), 1e-12)
    face = np.repeat(np.arange(len(triangles)), 3)
    order = np.argsort(at, kind="stable")
    starts = np.searchsorted(at[order], np.arange(at.max() + 1))
    ends = np.append(starts[1:], len(at))
    total = np.zeros((len(at), 3))
    for begin in range(0, len(at), 100_000):
        mine = np.arange(begin, min(begin + 100_000, len(at)))
        count = (ends - starts)[at[mine]]
        whose = np.repeat(mine, count)
        step = np.arange(len(whose)) - np.repeat(np.cumsum(count) - count, count)
        beside = face[order[np.repeat(starts[at[mine]], count) + step]]
        goes_on = np.einsum("ij,ij->i", unit[face[whose]], unit[beside]) >= CREASE
        for axis in range(3):
            part = weighted[beside, axis] * goes_on
            total[:, axis] += np.bincount(whose, part, minlength=len(at))
    length = np.linalg.norm(total, axis=1, keepdims=True)
    smooth = np.where(length > 1e-12, total / np.maximum(length, 1e-12), unit[face])
    return np.asarray(smooth.reshape(-1, 3, 3), np.float32)


def _axes(towards: Floats) -> Floats:
    """Return right, up and `towards` as rows."""
    aside = np.cross((0.0, 0.0, 1.0), towards)
    if np.linalg.norm(aside) < 1e-6:
        aside = np.array((1.0, 0.0, 0.0))
    aside = aside / np.linalg.norm(aside)
    return np.array((aside, np.cross(towards, aside), towards))


def _pointing(turn: float, rise: float) -> Floats:
    around, above = radians(turn - 90), radians(rise)
    return np.array((cos(above) * cos(around), cos(above) * sin(around), sin(above)))


def sight_of(scene: Scene, camera: Camera, wide: int, high: int) -> Sight:
    """Return the view that shows all of the scene, and a little room around it."""
    axes = _axes(_pointing(camera.turn, camera.rise))
    points = scene.points
    origin = (points.min(axis=0) + points.max(axis=0)) / 2
    half = tan(radians(camera.angle) / 2)
    shape = np.array((wide, high)) / wide
    distance, pixels = np.inf, 1.0
    for _ in range(6):
        along = (points - origin) @ axes.T
        if camera.angle:
            reach = np.abs(along[:, :2]) / (half * shape) + along[:, 2:]
            distance = float(reach.max()) * 1.05
            shown = along[:, :2] / (1 - along[:, 2:] / distance)
            pixels = wide / (2 * half * distance)
        else:
            shown = along[:, :2]
            pixels = float(wide / 2 / (np.abs(shown) / shape).max() / 1.05)
        off = (shown.min(axis=0) + shown.max(axis=0)) / 2
        origin = origin + off @ axes[:2]
    eye = np.array((0.0, 0.0, distance))
    return Sight(axes, origin, eye, pixels * camera.closer, distance)


def on_screen(points: Floats, view: Sight, wide: int, high: int) -> Floats:
    """Return x and y in pixels, a depth that is linear on the screen, and how large things look."""
    along = (points - view.origin) @ view.axes.T
    if np.isinf(view.distance):
        shrunk, depth = np.ones(len(along)), -along[:, 2]
    else:
        # Nothing may stand behind the eye, however close the picture is.
        shrunk = view.distance / np.maximum(view.distance - along[:, 2], view.distance / 1000)
        depth = -shrunk
    x = wide / 2 + view.pixels * along[:, 0] * shrunk
    y = high / 2 - view.pixels * along[:, 1] * shrunk
    return np.stack((x, y, depth, shrunk), axis=1)


def lights_on(scene: Scene, size: int) -> list[Light]:
    """Return the window's directions and the sky's, each with its map of what it sees first."""
    main = _axes(_pointing(_SUN_TURN, _SUN_RISE))
    warm, cool = np.array((1.0, 0.965, 0.90)), np.array((0.93, 0.97, 1.0))
    lights = []
    for index in range(_SUNS):
        out, around = sqrt((index + 0.5) / _SUNS) * _SUN_SPREAD, index * pi * (3 - sqrt(5))
        towards = main[2] + out * (cos(around) * main[0] + sin(around) * main[1])
        lights.append(_light(scene, size, towards, warm * _SUN_LIGHT / _SUNS)._replace(shines=True))
    for index in range(_SKY):
        height, around = (index + 0.5) / _SKY, index * pi * (3 - sqrt(5))
        aside = sqrt(1 - height * height)
        towards = np.array((aside * cos(around), aside * sin(around), height))
        lights.append(_light(scene, size, towards, cool * 2 * _SKY_LIGHT / _SKY))
    return lights


def _light(scene: Scene, size: int, towards: Floats, strength: Floats) -> Light:
    towards = towards / np.linalg.norm(towards)
    axes = _axes(towards)
    screen = scene.points @ axes.T
    low, high = screen.min(axis=0), screen.max(axis=0)
    # The rim of two pixels stays open, and so is all that lies outside.
    scale = (size - 4) / max(float((high - low)[:2].max()), 1e-6)
    screen[:, 0] = (screen[:, 0] - low[0]) * scale + 2
    screen[:, 1] = (high[1] - screen[:, 1]) * scale + 2
    deep = max(float(high[2] - low[2]), 1e-6)
    screen[:, 2] = 0.999 * (high[2] - screen[:, 2]) / deep
    depths = depths_of(nearest(screen[scene.triangles], size, size))
    heights = np.where(depths > 1, -np.inf, high[2] - depths / 0.999 * deep).astype(np.float32)
    onto_map = np.zeros((4, 3))
    onto_map[:3] = axes.T * (scale, -scale, 1)
    onto_map[3] = (2 - low[0] * scale, 2 + high[1] * scale, 0.6 / scale)
    pull = np.float32(1.6 / scale)
    return Light(
        towards.astype(np.float32),
        strength.astype(np.float32),
        onto_map.astype(np.float32),
        heights.reshape(size, size),
        pull,
    )


def _paint(
    scene: Scene,
    view: Sight,
    screen: Floats,
    keys: NDArray[np.uint64],
    lights: Sequence[Light],
    floor: Bands,
    rows: slice,
    lit: Bands,
    glow: Bands,
) -> None:
    """Fill some rows of the picture: what is lit, and beside it what shines by itself."""
    part = keys[rows]
    grid = np.indices(part.shape).reshape(2, -1)
    x, y = grid[1], grid[0] + rows.start
    hit = (part != FAR).reshape(-1)
    high, wide = keys.shape
    places, eyes = on_ground(scene, view, x, y, wide, high)
    normals = np.tile(np.array((0, 0, 1), np.float32), (len(x), 1))
    number = numbers_of(part.reshape(-1)[hit])
    shares = shares_at(screen[scene.triangles[number]], x[hit] + 0.5, y[hit] + 0.5)
    places[hit] = np.einsum("ij,ijk->ik", shares, scene.points[scene.triangles[number]])
    if np.isfinite(view.distance):
        eyes[hit] = view.eye @ view.axes + view.origin - places[hit]
        eyes[hit] /= np.linalg.norm(eyes[hit], axis=1, keepdims=True)
    smooth = np.einsum("ij,ijk->ik", shares, scene.normals[number])
    normals[hit] = smooth / np.maximum(np.linalg.norm(smooth, axis=1, keepdims=True), 1e-6)
    shape = (*part.shape, 3)
    light, mirrored = (
        each.reshape(-1, 3)
        for each in _light_at(
            places.astype(np.float32).reshape(shape),
            normals.reshape(shape),
            eyes.astype(np.float32).reshape(shape),
            lights,
        )
    )
    light += _BOUNCE * (1.4 - 0.6 * normals[:, 2:])
    bright = floor * (1 - _GROUND_LIGHT * (1 - even(light)))
    shine, colours = scene.glows[number][:, None], scene.colours[number]
    surface = light[hit] * colours + _SHINE * mirrored[hit] * scene.glosses[number][:, None]
    bright[hit] = surface * (1 - 0.75 * shine) + 1.15 * colours * shine
    own = np.zeros_like(bright)
    own[hit] = colours * shine
    lit[rows], glow[rows] = bright.reshape(shape), own.reshape(shape)


def even(light: Bands) -> Bands:
    """Return the ground's light as a share of what it has where nothing stands."""
    open_ground = _BOUNCE * 0.8 + _SUN_LIGHT * sin(radians(_SUN_RISE)) * 0.985 + _SKY_LIGHT
    return np.asarray(np.clip(light / open_ground, 0, 1).mean(axis=1, keepdims=True))


def on_ground(
    scene: Scene, view: Sight, x: Whole, y: Whole, wide: int, high: int
) -> tuple[Floats, Floats]:
    """Return where each pixel meets the ground, and the way from there to the eye.

    What looks above the horizon gets a place far off, where no shadow falls.
    """
    flat = np.stack(((x + 0.5 - wide / 2), (high / 2 - y - 0.5)), axis=1) / view.pixels
    start = flat @ view.axes[:2] + view.origin
    if np.isinf(view.distance):
        eyes = np.tile(view.axes[2], (len(x), 1))
    else:
        eyes = view.eye @ view.axes + view.origin - start
        eyes /= np.linalg.norm(eyes, axis=1, keepdims=True)
    down = np.where(eyes[:, 2] > 1e-3, eyes[:, 2], 1e-3)
    away = np.clip((start[:, 2] - scene.ground) / down, -1e5, 1e5)
    return start - eyes * away[:, None], eyes


def shares_at(corners: Floats, x: Floats, y: Floats) -> Floats:
    """Return how near each pixel is to each corner of its triangle: shares that sum to 1."""
    ax, ay = corners[:, 0, 0] - x, corners[:, 0, 1] - y
    bx, by = corners[:, 1, 0] - x, corners[:, 1, 1] - y
    cx, cy = corners[:, 2, 0] - x, corners[:, 2, 1] - y
    shares = np.stack((bx * cy - cx * by, cx * ay - ax * cy, ax * by - bx * ay), axis=1)
    shares = shares * corners[:, :, 3]
    whole = shares.sum(axis=1, keepdims=True)
    shares = np.where(np.abs(whole) > 1e-9, shares / np.where(whole == 0, 1, whole), 1 / 3)
    return np.clip(shares, 0, 1)


def _light_at(
    places: Bands, normals: Bands, eyes: Bands, lights: Sequence[Light]
) -> tuple[Bands, Bands]:
    """Return what falls on each place, and what it mirrors, by rows and columns of samples.

    Each sample of a pixel asks another share of the lights.
    """
    light, mirrored = np.zeros((2, *places.shape), np.float32)
    turns = SAMPLES * SAMPLES
    for turn in range(turns):
        own = np.s_[turn // SAMPLES :: SAMPLES, turn % SAMPLES :: SAMPLES]
        facing, eye = normals[own].reshape(-1, 3), eyes[own].reshape(-1, 3)
        at = places[own].reshape(-1, 3)
        fallen, glints = np.zeros((2, *at.shape), np.float32)
        for source in lights[turn::turns]:
            fall = np.maximum(facing @ source.towards, 0) * is_open(source, at, facing)
            fallen += fall[:, None] * source.strength
            if source.shines:
                between = source.towards + eye
                length = np.sqrt(np.einsum("ij,ij->i", between, between))
                glint = np.einsum("ij,ij->i", facing, between) / length
                for _ in range(5):
                    glint = glint * glint
                glints += (fall * glint)[:, None] * source.strength
        light[own] = turns * fallen.reshape(light[own].shape)
        mirrored[own] = turns * glints.reshape(light[own].shape)
    return light, mirrored


def is_open(source: Light, places: Bands, normals: Bands) -> NDArray[np.bool_]:
    """Whether nothing stands between each place and the light."""
    along = (places + source.pull * normals) @ source.onto_map[:3] + source.onto_map[3]
    last = len(source.heights) - 1
    column = np.clip(along[:, 0].astype(np.int32), 0, last)
    row = np.clip(along[:, 1].astype(np.int32), 0, last)
    return np.asarray(along[:, 2] >= source.heights[row, column])
